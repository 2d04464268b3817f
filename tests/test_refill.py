"""What a full batch costs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.groups import unanimous_probability
from whilecore.refill import (
    chance_full,
    expected_draws,
    fill_batch,
    live_share,
    refill_factor,
    rollouts_per_live_group,
)


@pytest.mark.parametrize(("k", "factor"), [(4, 5.39), (8, 2.97), (16, 1.79)])
def test_groups_drawn_per_live_group_at_95_per_cent(k, factor):
    # k = 4: 1/(1 − .8145 − .0000) = 5.39
    assert refill_factor(0.95, k) == pytest.approx(factor, abs=0.005)
    assert rollouts_per_live_group(0.95, k) == pytest.approx(k * factor, abs=0.09)


def test_from_65_to_95_per_cent_the_same_batch_costs_about_three_times_as_much():
    # 2.97 / (1/(1 − .0319 − .0002)) = 2.97/1.033 = 2.87
    assert refill_factor(0.95, 8) / refill_factor(0.65, 8) == pytest.approx(2.87, abs=0.01)


@pytest.mark.parametrize(
    ("k", "p", "share", "draws"),
    [(8, 0.02, 0.1492, 6.7), (8, 0.002, 0.0159, 62.9), (16, 0.02, 0.2762, 3.6),
     (16, 0.002, 0.0315, 31.7)],
)  # fmt: skip
def test_r59_a_batch_of_32_from_draws_of_32(k, p, share, draws):
    """github.com/verl-project/verl/issues/953: ten generation batches, then an error."""
    found = float(live_share(p, k))
    assert found == pytest.approx(share, abs=5e-5)
    assert expected_draws(found, 32, 32) == pytest.approx(draws, abs=0.05)


def test_r59_a_limit_of_ten_draws_never_fills_the_batch_at_p_002():
    assert chance_full(float(live_share(0.002, 8)), 32, 10) < 1e-15
    for seed in range(20):
        fill = fill_batch([0.002], k=8, batch=32, limit=10, seed=seed)
        assert not fill.full and fill.draws == 10 and fill.rollouts == 2560
        assert str(fill).startswith(f"not full: {fill.used.sum()} of 32 live groups after 10 draws")
        assert "raise k" in str(fill)


@given(st.floats(0, 1), st.integers(2, 40))
def test_the_live_share_is_what_unanimity_leaves(p, k):
    share = float(live_share(p, k))
    assert 0 <= share < 1
    assert share == pytest.approx(1 - float(unanimous_probability(p, k)))
    assert share == pytest.approx(float(live_share(1 - p, k)), abs=1e-12)
    assert float(live_share(p, k + 1)) >= share - 1e-12


def test_a_task_that_always_passes_never_gives_a_live_group():
    assert refill_factor([0.0, 1.0], 8).tolist() == [math.inf] * 2
    assert refill_factor(0.5, 1) == math.inf
    assert expected_draws(0.0) == math.inf and chance_full(0.0, 1, 10) == 0.0


@pytest.mark.parametrize("p", [0.05, 0.5, 0.95])
def test_a_live_group_is_cheapest_at_two_or_three_tries(p):
    cost = rollouts_per_live_group(p, np.arange(2, 65))
    assert cost.argmin() <= 1 and cost[-1] > 1.5 * cost[0]
    # k = 2 and 3: 1/(p(1−p)) both, since 1 − p³ − q³ = 3pq and 1 − p² − q² = 2pq
    assert cost[:2] == pytest.approx([1 / (p * (1 - p))] * 2)


def test_the_chance_of_a_full_batch_is_the_binomial_tail():
    # at least 2 of 4: 1 − .7⁴ − 4·.3·.7³ = 1 − .2401 − .4116 = .3483
    assert chance_full(0.3, 2, 2) == pytest.approx(0.3483)
    assert chance_full(0.3, 2, 1, per_draw=4) == pytest.approx(0.3483)
    assert chance_full(1.0, 5, 1) == 1.0


def test_fills_cost_what_the_formula_says():
    fills = [fill_batch([0.95], k=8, batch=16, per_draw=1, limit=10_000, seed=s) for s in range(60)]
    groups = np.array([len(fill.task) for fill in fills])
    factor = float(refill_factor(0.95, 8))
    # 16 geometric waits: mean 16·f, variance 16·f(f−1)
    error = math.sqrt(16 * factor * (factor - 1) / 60)
    assert abs(groups.mean() - 16 * factor) < 4 * error
    assert all(fill.full for fill in fills)


def test_over_tasks_of_different_rates_the_factor_is_one_over_the_mean_share():
    rates = [0.999, 0.5]
    groups = [len(fill_batch(rates, 4, 16, per_draw=1, limit=9999, seed=s).task) for s in range(40)]
    mean_share = float(live_share(rates, 4).mean())
    assert np.mean(groups) == pytest.approx(16 / mean_share, rel=0.1)
    assert refill_factor(rates, 4).mean() > 50 / mean_share  # the mean of factors is another thing


def test_a_batch_takes_the_first_live_groups_and_whole_draws_are_paid_for():
    fill = fill_batch([0.8, 0.95], k=4, batch=20, per_draw=16, limit=50, seed=3)
    live = np.flatnonzero(fill.live)
    assert fill.used.sum() == 20 and np.flatnonzero(fill.used).tolist() == live[:20].tolist()
    assert len(fill.task) == 16 * fill.draws and fill.rollouts == 64 * fill.draws
    assert fill.live.tolist() == ((fill.passes > 0) & (fill.passes < 4)).tolist()
    assert set(fill.task.tolist()) == {0, 1}


def test_a_larger_k_or_batch_leaves_the_first_groups_as_they_were():
    small = fill_batch([0.9, 0.5], k=4, batch=8, per_draw=8, seed=1)
    more = fill_batch([0.9, 0.5], k=9, batch=30, per_draw=8, limit=20, seed=1)
    n = len(small.task)
    assert more.task[:n].tolist() == small.task.tolist()
    assert (more.passes[:n] >= small.passes).all()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: fill_batch([1.2]), r"pass rates in \[0, 1\]"),
        (lambda: fill_batch([]), "one per task"),
        (lambda: fill_batch([0.5], k=1), "agrees with itself"),
        (lambda: fill_batch([0.5], batch=0), "batch must be a whole number of at least 1"),
        (lambda: fill_batch([0.5], limit=0), "limit must be"),
        (lambda: chance_full(1.5, 1, 1), "share must lie"),
        (lambda: live_share(1.5, 2), "p must lie"),
    ],
)
def test_what_cannot_be_filled_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()
