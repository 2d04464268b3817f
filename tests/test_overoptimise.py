"""Proxy and truth: RL on the toy, best-of-n, and the fitted forms."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.overoptimise import (
    best_of_n,
    best_of_n_curve,
    best_of_n_kl,
    biased_judge_world,
    gold_best_of_n,
    gold_rl,
    peak_best_of_n,
    peak_rl,
)
from whilecore.training import Plan, train

# --- RL on the toy --------------------------------------------------------------------------------

PLAN = Plan(bias=0.5, step_size=2.0)


@pytest.fixture(scope="module")
def biased():
    return train(biased_judge_world(), PLAN)


def test_the_true_rate_peaks_and_falls_in_every_run_while_the_reward_climbs(biased):
    """Cap 1.5, cost 1.5 logits, bias .5: .65 → .72 → .50 (.51 after 60 steps, .50 later)."""
    true = biased.held_out
    assert true[:, 0] == pytest.approx(0.65, abs=0.005)
    assert true.mean(0).max() == pytest.approx(0.72, abs=0.01)
    assert true.mean(0)[-1] == pytest.approx(0.51, abs=0.01)
    assert (true.max(1) > 0.70).sum() == 20 and (true[:, -1] < 0.55).sum() == 20
    assert (np.diff(biased.proxy.mean(0)) > -0.002).all()
    assert biased.proxy.mean(0)[-1] > biased.proxy[0, 0] + 0.25
    assert (biased.long_share[:, -1] > 0.9).all()


def test_it_ends_where_the_assumptions_say():
    # all long, skill at the ceiling: σ(1.5 − 1.5) = .5
    long = train(biased_judge_world(), replace(PLAN, steps=1000, runs=1, sampled=False))
    assert long.held_out[0, -1] == pytest.approx(0.5, abs=0.002)


def expected_truth(bias, kl=0.0, steps=60, **changes):
    plan = replace(PLAN, runs=1, sampled=False, steps=steps, bias=bias, kl=kl)
    return train(biased_judge_world(**changes), plan).held_out[0]


@pytest.mark.parametrize("changes", [{"ceiling": np.inf}, {"long_cost": 0.0}])
def test_without_a_ceiling_or_without_a_cost_the_true_rate_never_falls(changes):
    run = train(biased_judge_world(**changes), replace(PLAN, runs=1, sampled=False, steps=300))
    true = run.held_out[0]
    assert (np.diff(true) > -1e-9).all() and true[-1] > true[0] + 0.05
    assert run.long_share[0, -1] > 0.9


@pytest.mark.parametrize("kl", [0.0, 0.2, 0.5])
def test_without_a_cost_it_never_falls_and_without_a_ceiling_only_under_a_large_bias(kl):
    for tenths in range(11):
        bias = tenths / 10
        assert (np.diff(expected_truth(bias, kl, long_cost=0.0)) > -1e-9).all()
        falls = (np.diff(expected_truth(bias, kl, ceiling=np.inf)) < -1e-9).any()
        assert not falls or bias >= 0.7
    assert (np.diff(expected_truth(0.8, kl, ceiling=np.inf)) < -1e-9).any()


def test_with_both_it_ends_below_its_start_from_a_bias_of_three_tenths_on():
    for tenths in range(11):
        truth = expected_truth(tenths / 10)
        assert (truth[-1] < truth[0]) == (tenths >= 3)


def test_a_bias_smaller_than_what_length_costs_does_no_harm():
    # Long pays if bias > (1 − bias)·(accuracy lost); at the ceiling that is .8176 − .5 = .3176,
    # so from bias .3176/1.3176 = .241 up.
    ends = {}
    for bias in (0.2, 0.23, 0.25, 0.3):
        run = train(
            biased_judge_world(), replace(PLAN, bias=bias, steps=3000, runs=1, sampled=False)
        )
        ends[bias] = run.long_share[0, -1]
    assert ends[0.2] < 0.05 and ends[0.23] < 0.25 < ends[0.25] and ends[0.3] > 0.95


def test_kl_slows_the_run_along_the_same_curve_of_proxy_and_truth():
    world, plan = biased_judge_world(), replace(PLAN, runs=1, sampled=False, steps=150)
    free = train(world, plan)
    for kl in (0.05, 0.1, 0.2):
        pulled = train(world, replace(plan, kl=kl))
        curve = np.interp(pulled.proxy[0], free.proxy[0], free.held_out[0])
        assert np.abs(pulled.held_out[0] - curve).max() < 0.01
        assert pulled.proxy[0, -1] < free.proxy[0, -1] - 0.001  # a brake
        assert pulled.kl[0, -1] < free.kl[0, -1]


def test_length_clears_the_noise_floor_before_the_true_rate_has_fallen(biased):
    r, floor = biased.length_correlation
    peak = int(biased.held_out.mean(0).argmax())
    assert (r[:, :peak] > floor[:, :peak]).mean() > 0.9


# --- best of n ------------------------------------------------------------------------------------


def test_best_of_n_distance_by_hand():
    # log 2 − 1/2 = .193; log 4 − 3/4 = .636
    expected = [0, 0.193, 0.636, 1.403, 1.835, 2.435]
    np.testing.assert_allclose(best_of_n_kl([1, 2, 4, 10, 16, 30]), expected, atol=5e-4)


@given(
    st.lists(st.floats(0.01, 1), min_size=4, max_size=4),
    st.sampled_from([[1, 0, 1, 0], [0.5, 0, 1, 0.5], [0.7, 0, 1, 0.3]]),
    st.integers(1, 5),
)
def test_best_of_n_is_the_sum_over_every_draw(weights, rewards, n):
    pi, pay = np.array(weights) / sum(weights), np.array(rewards)
    expected = np.zeros(4)
    for draw in itertools.product(range(4), repeat=n):
        best = [b for b in draw if pay[b] == pay[list(draw)].max()]
        for b in best:
            expected[b] += np.prod(pi[list(draw)]) / len(best)
    picks = best_of_n(pi, pay, n)
    np.testing.assert_allclose(picks, expected, atol=1e-12)
    kl = (picks * np.log(picks / pi)).sum()
    assert kl <= best_of_n_kl(n) + 1e-12


def test_with_many_different_rewards_the_distance_reaches_its_bound():
    pi = np.full(4000, 1 / 4000)
    picks = best_of_n(pi, np.arange(4000), 4)
    kl = float((picks * np.log(np.maximum(picks, 1e-300) / pi)).sum())
    assert kl == pytest.approx(float(best_of_n_kl(4)), abs=1e-3)


def test_the_best_of_one_is_a_draw():
    np.testing.assert_allclose(best_of_n([0.2, 0.8], [1, 0], 1), [0.2, 0.8])


def test_best_of_n_of_the_toy_starts_at_its_true_rate_and_climbs_the_proxy():
    curve = best_of_n_curve(biased_judge_world(), 0.5, [1, 2, 4, 8, 16, 32])
    assert curve.true_rate[0] == pytest.approx(0.65, abs=0.005)
    assert curve.kl[0] == pytest.approx(0, abs=1e-12)
    assert (np.diff(curve.proxy) > 0).all() and (curve.kl <= curve.bound + 1e-12).all()


def test_best_of_n_of_the_toy_does_not_fall_for_good():
    # Among many draws one is long and right: what the toy's judge likes best. The toy cannot show
    # over-optimisation by best-of-n; the fitted form can.
    curve = best_of_n_curve(biased_judge_world(), 0.8, [1, 2, 4, 64])
    assert curve.true_rate[2] < curve.true_rate[1] < curve.true_rate[3]


# --- the fitted forms -----------------------------------------------------------------------------


@given(st.floats(0.2, 3), st.floats(0.2, 3))
def test_peaks_are_where_the_forms_are_largest(alpha, beta):
    for form, peak in ((gold_best_of_n, peak_best_of_n), (gold_rl, peak_rl)):
        d, height = peak(alpha, beta)
        assert form(d, alpha, beta) == pytest.approx(height)
        near = form([0.99 * d, 1.01 * d], alpha, beta)
        assert (near < height).all()


def test_peaks_by_hand():
    # α = 1, β = .25: best-of-n at 1/(2·.25) = 2, height 1; RL at e^(4−1) = 20.09, height 5.02
    assert peak_best_of_n(1, 0.25) == (2.0, 1.0)
    assert peak_rl(1, 0.25) == pytest.approx((20.0855, 5.0214), abs=1e-4)


def test_the_rl_form_is_not_defined_at_no_distance():
    assert np.isnan(gold_rl(0.0, 1, 0.25)) and gold_best_of_n(0.0, 1, 0.25) == 0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: best_of_n_kl(0), "n must be a whole number of at least 1"),
        (lambda: best_of_n_kl(1.5), "n must be a whole number"),
        (lambda: gold_rl(-1.0, 1, 1), "must be at least 0"),
        (lambda: peak_rl(1.0, 0.0), "no peak"),
        (lambda: best_of_n([1.0], [1], 0), "n must be a whole number"),
    ],
)
def test_what_has_no_meaning_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()
