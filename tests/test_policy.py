"""The toy policy: what is taken for granted, and what follows from it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.policy import (
    BEHAVIOURS,
    LONG,
    RIGHT,
    Skills,
    chances,
    draw_world,
    kl_to_start,
    pay,
    right_rates,
    sigmoid,
    standard_normal,
    true_rates,
)

FLAT = {"topic_spread": 0.0, "task_spread": 0.0}


def moved(world, general=0.0, length=0.0, runs=1):
    start = world.start(runs)
    return Skills(start.general + general, start.topic, start.memory, start.length + length)


def test_a_task_as_hard_as_the_skill_is_right_half_the_time():
    world = draw_world(1, 1, skill=0.7, **FLAT)
    # σ(.7 − 0) = 1/(1 + e^−.7) = .6682
    assert true_rates(world, world.start(1), world.pool)[0, 0] == pytest.approx(0.6682, abs=5e-5)
    world.pool.difficulty[:] = 0.7
    assert true_rates(world, world.start(1), world.pool)[0, 0] == 0.5


def test_long_replies_cost_accuracy_and_the_ceiling_caps_skill():
    world = draw_world(1, 1, skill=3.0, ceiling=1.5, long_cost=1.5, long_share=0.25, **FLAT)
    short, long = right_rates(world, world.start(1), world.pool)
    # min(3, 1.5) = 1.5: σ(1.5) = .8176; long σ(0) = .5; mean .75·.8176 + .25·.5 = .7382
    assert short[0, 0] == pytest.approx(0.8176, abs=5e-5) and long[0, 0] == 0.5
    rate = true_rates(world, world.start(1), world.pool)[0, 0]
    assert rate == pytest.approx(0.7382, abs=5e-5)


@given(st.floats(-6, 6), st.floats(-6, 6), st.floats(0, 3))
def test_chances_sum_to_one_and_hold_the_true_rate_and_the_share_of_long_replies(skill, by, cost):
    world = draw_world(2, 2, skill=skill, long_cost=cost, long_share=0.3)
    skills = moved(world, length=by)
    pi = chances(world, skills, world.pool)
    assert len(pi) == len(BEHAVIOURS)
    np.testing.assert_allclose(pi.sum(0), 1)
    np.testing.assert_allclose(
        np.tensordot(RIGHT, pi, 1), true_rates(world, skills, world.pool), atol=1e-12
    )
    np.testing.assert_allclose(np.tensordot(LONG, pi, 1), sigmoid(skills.length)[0])


def test_without_long_replies_there_are_two_behaviours():
    world = draw_world(2, 2)
    pi = chances(world, world.start(3), world.pool)
    assert pi.shape == (2, 3, 4)
    np.testing.assert_allclose(pi[0], true_rates(world, world.start(3), world.pool))


def test_kl_is_zero_at_the_start_and_grows_both_ways():
    world = draw_world(1, 1, **FLAT)
    # σ(1) = .7311 against .5: .7311·log(1.4621) + .2689·log(.5379) = .2777 − .1668 = .1109
    steps = [float(kl_to_start(world, moved(world, by), world.pool)[0]) for by in (0, 1, 2, -1)]
    assert steps[0] == 0
    assert steps[1] == pytest.approx(0.1109, abs=5e-5)
    assert steps[3] == pytest.approx(steps[1])
    assert steps[2] > steps[1]


def test_kl_of_a_path_is_that_of_its_steps():
    world = draw_world(2, 2, long_share=0.2, long_cost=1.0)
    one = [moved(world, by, -by, runs=3) for by in (0.0, 0.5, 1.0)]
    path = Skills(
        *(np.stack([getattr(s, n) for s in one]) for n in ("general", "topic", "memory", "length"))
    )
    expected = np.stack([kl_to_start(world, s, world.pool) for s in one])
    np.testing.assert_allclose(kl_to_start(world, path, world.pool), expected)
    assert expected[2, 0] > 0.05
    np.testing.assert_array_equal(path.at(1).general, one[1].general)


def test_a_behaviour_that_became_impossible_leaves_kl_finite():
    world = draw_world(1, 1, **FLAT)
    far = float(kl_to_start(world, moved(world, 100.0), world.pool)[0])
    assert far == pytest.approx(math.log(2))


def test_pay_mixes_right_and_long():
    world = draw_world(long_share=0.25)
    np.testing.assert_allclose(pay(world, 0.2), [0.8, 0, 1, 0.2])
    np.testing.assert_allclose(pay(draw_world(), 0.2), [0.8, 0])


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


def test_memory_counts_on_trained_tasks_alone():
    world = draw_world(2, 2, memorised=0.5).leaked(1)
    start = world.start(1)
    known = Skills(start.general, start.topic, start.memory + 2.0, start.length)
    gain = true_rates(world, known, world.held_out) - true_rates(world, start, world.held_out)
    assert (gain[0] > 0.01).tolist() == (world.held_out.trained >= 0).tolist()
    assert gain[0, world.held_out.trained < 0].tolist() == [0, 0, 0]


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


def test_a_bias_over_one_is_refused():
    with pytest.raises(ValueError, match="share in"):
        pay(draw_world(), 1.5)
