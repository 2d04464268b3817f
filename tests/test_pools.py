"""Which tasks are in the pool, and what it cost to find out."""

from fractions import Fraction

import numpy as np
import pytest

from whilecore.pools import POOLS, in_band, measures_at, screen

MIDDLE = (Fraction(1, 5), Fraction(4, 5))


def test_each_pool_is_measured_when_its_name_says():
    looks = {pool: [measures_at(pool, step, 3) for step in range(6)] for pool in POOLS}
    assert looks == {
        "all": [False] * 6,
        "middle once": [True] + [False] * 5,
        "middle re-measured": [True, False, False] * 2,
        "oracle": [True] * 6,
    }


@pytest.mark.parametrize("tries", [5, 8, 10, 16])
def test_the_band_keeps_its_edges_and_is_compared_exactly(tries):
    passes = np.arange(tries + 1)
    expected = [Fraction(1, 5) <= Fraction(int(c), tries) <= Fraction(4, 5) for c in passes]
    assert in_band(passes, tries, MIDDLE).tolist() == expected
    assert in_band(passes.reshape(1, -1), tries, MIDDLE).shape == (1, tries + 1)


def test_more_tries_leave_the_first_ones_as_they_were():
    rates = np.random.default_rng(0).random((3, 10))
    few, more = screen(rates, 4, 0, 1), screen(rates, 12, 0, 1)
    assert ((more - few >= 0) & (more - few <= 8)).all() and (more > few).any()


def test_measured_rates_are_those_of_the_tasks_and_each_measurement_draws_afresh():
    rates = np.tile([0.1, 0.5, 0.9], (400, 1))
    measured = screen(rates, 8, 0, 3).mean(0) / 8
    error = np.sqrt(rates[0] * (1 - rates[0]) / 3200)
    assert (np.abs(measured - rates[0]) < 4 * error).all()
    assert (screen(rates, 8, 10, 3) != screen(rates, 8, 0, 3)).mean() > 0.3
