"""The world of the toy: how tasks are drawn, and what cannot be assumed."""

import math

import numpy as np
import pytest

from whilecore.world import draw_world, standard_normal


def test_more_topics_tasks_and_worlds_leave_the_first_ones_as_they_were():
    small = draw_world(2, 3, seed=5)
    for more in (draw_world(4, 3, seed=5), draw_world(2, 3, worlds=6, seed=5)):
        kept = more.pool.difficulty[:1, :6]
        np.testing.assert_array_equal(kept, small.pool.difficulty)
    wide = draw_world(2, 5, seed=5)
    np.testing.assert_array_equal(wide.pool.difficulty[0, :3], small.pool.difficulty[0, :3])
    assert not np.allclose(draw_world(2, 3, seed=6).pool.difficulty, small.pool.difficulty)


def test_difficulties_have_the_spread_between_and_inside_topics_that_was_asked_for():
    world = draw_world(400, 20, topic_spread=1.5, task_spread=0.8)
    table = world.pool.difficulty.reshape(400, 20)
    assert table.std(1, ddof=1).mean() == pytest.approx(0.8, abs=0.03)
    # standard error of a standard deviation over 400 topics: 1.5/√800 = .053
    assert table.mean(1).std(ddof=1) == pytest.approx(math.hypot(1.5, 0.8 / 20**0.5), abs=0.22)
    held = world.held_out.difficulty.reshape(400, 20)
    assert np.corrcoef(table.mean(1), held.mean(1))[0, 1] > 0.9  # same topics
    inside = [(x - x.mean(1, keepdims=True)).ravel() for x in (table, held)]
    assert abs(np.corrcoef(*inside)[0, 1]) < 4 / 8000**0.5  # other tasks


def test_normal_draws_are_normal_and_keyed():
    draws = standard_normal(0, "skill", np.arange(40_000))
    assert abs(draws.mean()) < 4 / 200 and abs((draws**2).mean() - 1) < 4 * 2**0.5 / 200
    assert draws[7] == standard_normal(0, "skill", 7)


def test_leaked_tasks_are_training_tasks_under_their_own_name():
    world = draw_world(4, 4, memorised=0.3)
    leaked = world.leaked(2)
    both = set(leaked.held_out.labels) & set(world.pool.labels)
    assert len(both) == 2 and len(leaked.held_out) == 16
    at = np.flatnonzero(leaked.held_out.trained >= 0)
    trained = leaked.held_out.trained[at]
    np.testing.assert_array_equal(
        leaked.held_out.difficulty[:, at], world.pool.difficulty[:, trained]
    )
    assert leaked.held_out.prompts[at[0]] == world.pool.prompts[trained[0]]
    assert (world.held_out.trained == -1).all()  # the world it came from is as it was


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"transfer": 1.2}, r"transfer must lie in \[0, 1\]"),
        ({"transfer": 0.7, "memorised": 0.5}, "shares of one push"),
        ({"long_share": 1.0}, "no reply is ever short"),
        ({"skill": math.inf}, "finite"),
        ({"long_cost": -1.0}, "long_cost at least 0"),
        ({"ceiling": math.nan}, "ceiling must be a number"),
        ({"topics": 0}, "topics must be a whole number of at least 1"),
        ({"per_topic": 1.5}, "per_topic must be a whole number"),
        ({"task_spread": -0.1}, "task_spread must be a number of logits"),
    ],
)
def test_what_cannot_be_assumed_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        draw_world(**change)


def test_leaking_more_tasks_than_there_are_is_refused():
    with pytest.raises(ValueError, match="between 1 and 4"):
        draw_world(2, 2).leaked(5)
