"""The loop behind a training: what is drawn, what is refilled, what a step moves."""

from dataclasses import replace

import numpy as np

from whilecore.policy import chances, true_rates
from whilecore.pushes import group_pushes
from whilecore.training import Plan, train
from whilecore.training_loop import Loop
from whilecore.world import draw_world

FLAT = {"topics": 1, "topic_spread": 0.0, "task_spread": 0.0, "transfer": 1.0}


# --- a step ---------------------------------------------------------------------------------------


def test_a_drawn_batch_holds_the_pushes_of_its_counts():
    world = draw_world(2, 4, long_share=0.3, long_cost=1.0)
    loop = Loop(world, Plan(runs=3, batch=5, k=6, bias=0.3))
    batch = loop.draw(0)
    counts = np.diff(batch.below, axis=0, prepend=0, append=6)
    assert (counts >= 0).all() and (counts.sum(0) == 6).all()
    np.testing.assert_allclose(batch.pushes, group_pushes(counts, [0.7, 0, 1, 0.3]), atol=1e-15)
    np.testing.assert_allclose(batch.weight, 1 / 5)


def test_groups_are_drawn_from_the_pools_open_tasks_alike():
    world = draw_world(2, 4)
    loop = Loop(world, Plan(runs=2, batch=4000, steps=1))
    loop._open_to(np.arange(8) % np.array([[2], [4]]) == 0)
    task = loop.draw(0).at % 8
    for run, wanted in ((0, [0, 2, 4, 6]), (1, [0, 4])):
        count = np.bincount(task[run], minlength=8)
        assert np.flatnonzero(count).tolist() == wanted
        share = 1 / len(wanted)
        error = np.sqrt(4000 * share * (1 - share))
        assert (np.abs(count[wanted] - 4000 * share) < 4 * error).all()


def test_tries_fall_on_behaviours_as_often_as_their_chances():
    world = draw_world(1, 1, long_share=0.3, long_cost=1.0, **{"task_spread": 0.0})
    loop = Loop(world, Plan(runs=1, batch=2000, k=10, steps=1))
    counts = np.diff(loop.draw(0).below, axis=0, prepend=0, append=10).sum((1, 2))
    pi = chances(world, world.start(1), world.pool)[:, 0, 0]
    assert (np.abs(counts - 20_000 * pi) < 4 * np.sqrt(20_000 * pi * (1 - pi))).all()


def test_a_silent_step_moves_back_to_the_start_with_kl():
    """github.com/huggingface/trl/issues/5588: no reward signal is not no update."""
    # One step with rewards leaves the start; then a judge that pays everything alike (bias 1 on
    # short replies pays 0 to all) is silent, and only β·∇KL is left.
    world = draw_world(per_topic=8, **FLAT)
    first = train(world, Plan(steps=1, runs=3, step_size=4.0))
    away = first.path.at(1)
    assert (away.general > 0.5).all()
    silent = Plan(steps=1, runs=3, step_size=4.0, bias=1.0)
    for kl, moves in ((0.0, False), (0.04, True)):
        loop = Loop(world, replace(silent, kl=kl))
        loop.stand_at(away)
        batch = loop.draw(0)
        assert (batch.silent == 1).all() and (batch.pushes == 0).all()
        loop.move(0, batch)
        step = loop.skills.general - away.general
        if moves:
            # −η·β·∂KL/∂logit = −4·.04·p(1−p)(logit p − logit p₀), and the logit is the skill
            p = true_rates(world, away, world.pool)[:, 0]
            np.testing.assert_allclose(step, -4 * 0.04 * p * (1 - p) * away.general)
        else:
            assert (step == 0).all()


# --- refilling ---------------------------------------------------------------------------------


def test_refilled_batches_hold_live_groups_only_and_count_what_they_threw_away():
    world = draw_world(4, 8, skill=1.0)
    run = train(world, Plan(steps=5, runs=6, k=4, refill=50))
    passes = run.below[:, 0]
    assert ((passes > 0) & (passes < 4)).all() and (run.missing == 0).all()
    assert (run.drawn % 16 == 0).all() and (run.drawn > 16).any()
    assert (run.rollouts[:, -1] == 4 * run.drawn.sum(1)).all()
    # Drawn groups × live share ≥ the batch, and one draw fewer was not enough.
    live = run.drawn * (1 - run.silent)
    assert (live >= 16 - 1e-9).all() and run.notes == ()


def test_refilling_leaves_the_first_draw_as_it_was():
    world = draw_world(4, 8)
    plain, refilled = (train(world, Plan(steps=1, runs=4, k=4, refill=refill)) for refill in (0, 9))
    for run in range(4):
        live = [c for c in plain.below[0, 0, run] if 0 < c < 4]
        assert 0 < len(live) < 16
        assert refilled.below[0, 0, run, : len(live)].tolist() == live


def test_a_batch_that_never_fills_says_so_and_trains_on_what_there_is():
    world = draw_world(per_topic=4, skill=-6.0, **FLAT)
    run = train(world, Plan(steps=4, runs=5, refill=10))
    assert (run.missing > 0).all() and (run.drawn == 160).all()
    assert "not full after 10 draws in 20 of 20 steps" in str(run)
    moved = np.diff(run.path.general, axis=0).T  # (runs, steps)
    assert ((moved > 0) == (run.missing < 16)).all() and (moved > 0).any()
