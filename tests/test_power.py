"""How many tasks a gain needs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.power import noise_floor, smallest_gain, tasks_needed


def test_a_tenth_from_six_tenths_at_four_tries_needs_89_tasks():
    # (1.95996 + .84162)² = 7.8489; ·(.24 + .21)/(4·.01) = 88.3
    assert tasks_needed(0.10, 0.6, 4) == 89


@pytest.mark.parametrize(
    ("gain", "base", "k", "tasks"),
    [
        (0.10, 0.6, 1, 354),  # 7.8489·.45/.01 = 353.2
        (-0.10, 0.7, 4, 89),  # the same two rates, the other way
        (0.5, 0.5, 8, 2),  # 7.8489·.25/(8·.25) = .98: an interval needs two
        (1.0, 0.0, 1, 2),  # no luck at all
        (0.03, 0.5, 1, 4353),  # 7.8489·(.25 + .2491)/.0009 = 4352.6
    ],
)
def test_tasks_needed_by_hand(gain, base, k, tasks):
    assert tasks_needed(gain, base, k) == tasks


@given(st.floats(0.01, 0.3), st.floats(0, 0.7), st.integers(1, 32))
def test_a_smaller_gain_needs_more_tasks_and_more_tries_need_fewer(gain, base, k):
    needed = tasks_needed(gain, base, k)
    assert tasks_needed(gain / 2, base, k) >= needed >= tasks_needed(gain, base, k + 1)


@given(st.integers(2, 3000), st.floats(0.05, 0.9), st.integers(1, 16))
def test_the_smallest_gain_is_the_one_that_needs_so_many_tasks(tasks, base, k):
    gain = smallest_gain(tasks, base, k)
    if math.isnan(gain):
        assert tasks_needed(1 - base, base, k) > tasks
    else:
        assert tasks_needed(gain, base, k) <= tasks
        assert tasks <= 2 or tasks_needed(0.999 * gain, base, k) >= tasks


def test_the_noise_floor_by_hand():
    # s of .60 and .62 is .01414; t₁ = 12.706; 12.706·.01414·√2 = .2541
    assert noise_floor([0.60, 0.62]) == pytest.approx(0.2541, abs=5e-5)
    assert noise_floor([0.4, 0.4, 0.4]) < 1e-12


def test_two_equal_runs_stay_under_the_noise_floor_19_times_out_of_20():
    rng = np.random.default_rng(0)
    under = []
    for _ in range(4000):
        scores = rng.normal(0.6, 0.02, 10)
        apart = abs(np.subtract(*rng.normal(0.6, 0.02, 2)))
        under.append(apart < noise_floor(scores))
    # The floor is itself estimated, from 10 runs: t makes up for that.
    assert abs(np.mean(under) - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 4000)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: tasks_needed(0.0, 0.5), "gain must not be 0"),
        (lambda: tasks_needed(0.6, 0.5), "a gain that is possible"),
        (lambda: tasks_needed(0.1, -0.5), "pass rates in"),
        (lambda: tasks_needed(0.1, 0.5, 0), "k must be a whole number"),
        (lambda: smallest_gain(1, 0.5), "at least 2"),
        (lambda: smallest_gain(10, 1.0), "from 1 nothing rises"),
        (lambda: noise_floor([0.5]), "at least 2 numbers"),
    ],
)
def test_what_has_no_answer_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: tasks_needed(1e-200, 0.5), "gain must not be 0"),
        (lambda: tasks_needed(0.1, 0.6, float("inf")), "k must be a whole number"),
        (lambda: tasks_needed(0.1, 0.6, float("nan")), "k must be a whole number"),
        (lambda: smallest_gain(float("nan"), 0.5), "tasks must be a whole number"),
        (lambda: smallest_gain(float("inf"), 0.5), "tasks must be a whole number"),
    ],
)
def test_numbers_without_end_are_refused_by_name(call, says):
    with pytest.raises(ValueError, match=says):
        call()
