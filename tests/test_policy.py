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
    chances,
    kl_to_start,
    pay,
    right_rates,
    sigmoid,
    true_rates,
)
from whilecore.world import Skills, draw_world

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


def test_memory_counts_on_trained_tasks_alone():
    world = draw_world(2, 2, memorised=0.5).leaked(1)
    start = world.start(1)
    known = Skills(start.general, start.topic, start.memory + 2.0, start.length)
    gain = true_rates(world, known, world.held_out) - true_rates(world, start, world.held_out)
    assert (gain[0] > 0.01).tolist() == (world.held_out.trained >= 0).tolist()
    assert gain[0, world.held_out.trained < 0].tolist() == [0, 0, 0]


def test_a_bias_over_one_is_refused():
    with pytest.raises(ValueError, match="share in"):
        pay(draw_world(), 1.5)
