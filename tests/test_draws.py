"""The draws of a training: each depends on its own run, step, slot and try alone."""

from dataclasses import replace

import numpy as np

from whilecore.draws import TURNS, batch_draws
from whilecore.training import Plan, train
from whilecore.world import draw_world


def test_more_of_anything_leaves_the_draws_there_were_as_they_were():
    plan = Plan(runs=2, steps=3, batch=4, k=3)
    for more in ({"runs": 5}, {"steps": 9}, {"k": 8}):
        for step, turn in ((0, 0), (2, 0), (2, 1), (1, TURNS + 1)):
            which, tries = batch_draws(plan, step, turn)
            wider, longer = batch_draws(replace(plan, **more), step, turn)
            np.testing.assert_array_equal(wider[:2], which)
            np.testing.assert_array_equal(longer[:3, :2], tries)
            assert tries.shape == (3, 2, 4)


def test_no_two_draws_are_one():
    plan = Plan(runs=3, steps=4, batch=5, k=2)
    values = [
        one.ravel()
        for step in range(4)
        for turn in range(2 * TURNS + 2)
        for one in batch_draws(plan, step, turn)
    ]
    joined = np.concatenate(values)
    assert len(np.unique(joined)) == len(joined) == 4 * (2 * TURNS + 2) * 3 * 5 * 3
    assert ((joined >= 0) & (joined < 1)).all() and abs(joined.mean() - 0.5) < 0.05


def test_more_runs_or_steps_leave_the_first_ones_as_they_were():
    world = draw_world(4, 4)
    small = train(world, Plan(steps=5, runs=3))
    more = train(world, Plan(steps=9, runs=7))
    np.testing.assert_array_equal(more.held_out[:3, :6], small.held_out)
    other = train(world, Plan(steps=5, runs=3, seed=1))
    assert not np.allclose(other.held_out[:, -1], small.held_out[:, -1])


def test_raising_k_leaves_the_first_tries_of_a_group_as_they_were():
    world = draw_world(4, 4)
    few, more = (train(world, Plan(steps=1, runs=4, k=k)).below[0, 0] for k in (4, 12))
    assert ((more - few >= 0) & (more - few <= 8)).all() and (more > few).any()


def test_a_world_for_each_run_gives_what_its_own_world_gives():
    worlds = draw_world(3, 4, worlds=3)
    together = train(worlds, Plan(steps=6, runs=3, pool="middle re-measured", every=2))
    pool, held = worlds.pool, worlds.held_out
    alone = replace(
        worlds,
        pool=replace(pool, difficulty=pool.difficulty[:1]),
        held_out=replace(held, difficulty=held.difficulty[:1]),
    )
    one = train(alone, Plan(steps=6, runs=1, pool="middle re-measured", every=2))
    np.testing.assert_allclose(one.held_out[0], together.held_out[0])
