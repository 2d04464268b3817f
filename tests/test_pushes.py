"""The push of a group on its behaviours, as drawn and as expected."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore.groups import advantages, unanimous_probability
from whilecore.pushes import (
    expected_pushes,
    group_pushes,
    live_chance,
    live_groups,
    push_table,
)

HOW = ("centred", "spread", "leave_one_out")
PASS_FAIL = [1.0, 0.0]
COUNTS = st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(lambda c: sum(c) >= 2)
PAY = st.sampled_from([[1, 0, 1, 0], [0.5, 0, 1, 0.5], [0.7, 0, 1, 0.3], [0, 0, 1, 1]])


def test_three_passes_and_a_fail_by_hand():
    # pushes +.25 ×3 and −.75: 3·.25/4 = .1875. Spread: σ = √(3·.0625 + .5625)/2 = .4330,
    # .25/.4330 = .5774, 3·.5774/4 = .4330. Leave-one-out: .1875·4/3 = .25
    np.testing.assert_allclose(group_pushes([3, 1], PASS_FAIL), [0.1875, -0.1875])
    np.testing.assert_allclose(group_pushes([3, 1], PASS_FAIL, "spread"), [0.4330, -0.4330], 1e-4)
    np.testing.assert_allclose(group_pushes([3, 1], PASS_FAIL, "leave_one_out"), [0.25, -0.25])


@given(COUNTS, PAY, st.sampled_from(HOW))
def test_a_group_of_counts_gets_what_its_tries_get_one_by_one(counts, pay, how):
    tries = np.repeat(np.arange(4), counts)
    by_try = advantages(np.array(pay, float)[tries], how=how)
    expected = np.bincount(tries, by_try, minlength=4) / sum(counts)
    np.testing.assert_allclose(group_pushes(counts, pay, how), expected, atol=1e-12)


@given(COUNTS, PAY, st.sampled_from(HOW))
def test_pushes_of_a_group_sum_to_zero_and_leave_one_out_is_k_over_k_minus_1_times_centred(
    counts, pay, how
):
    assert group_pushes(counts, pay, how).sum() == pytest.approx(0, abs=1e-12)
    k = sum(counts)
    centred = group_pushes(counts, pay)
    np.testing.assert_allclose(
        group_pushes(counts, pay, "leave_one_out"), centred * k / (k - 1), atol=1e-15
    )


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("counts", [[7, 0], [0, 7]])
def test_a_silent_group_pushes_exactly_nothing(counts, how):
    assert (group_pushes(counts, [0.1, 0.2], how) == 0).all()
    assert (group_pushes([6, 1], [0.1, 0.2], how) != 0).all()


def test_two_behaviours_paid_alike_are_silent_together():
    # At bias .5 a short right reply and a long wrong one are both paid .5.
    assert not live_groups([2, 0, 0, 2], [0.5, 0, 1, 0.5])
    assert live_groups([2, 1, 0, 1], [0.5, 0, 1, 0.5])


@pytest.mark.parametrize("k", [2, 4, 8, 16])
@pytest.mark.parametrize("p", [0.02, 0.35, 0.5, 0.95])
def test_the_expected_centred_push_is_the_expected_variance_of_the_group(k, p):
    # mean(A·r) of c passes in k is c(k−c)/k²; its mean over binomial c is p(1−p)(k−1)/k
    push = expected_pushes([p, 1 - p], PASS_FAIL, k)[0]
    assert push == pytest.approx(p * (1 - p) * (k - 1) / k)
    passes = np.random.default_rng(k).binomial(k, p, 40_000)
    drawn = group_pushes([passes, k - passes], PASS_FAIL)[0]
    assert abs(drawn.mean() - push) < 4 * drawn.std() / 200
    np.testing.assert_allclose(drawn, passes * (k - passes) / k**2)
    # mean |push| over the tries is twice that
    np.testing.assert_allclose(
        np.abs(group_pushes([passes, k - passes], PASS_FAIL)).sum(0), 2 * drawn
    )


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("pay", [[1, 0, 1, 0], [0.7, 0, 1, 0.3]])
def test_expected_pushes_are_the_sum_over_every_way_to_draw_the_group(pay, how):
    pi, k = np.array([0.4, 0.3, 0.2, 0.1]), 3
    total = np.zeros(4)
    for tries in itertools.product(range(4), repeat=k):
        counts = np.bincount(tries, minlength=4)
        total += np.prod(pi[list(tries)]) * group_pushes(counts, pay, how)
    np.testing.assert_allclose(expected_pushes(pi, pay, k, how), total, atol=1e-12)


def test_dividing_by_the_spread_pays_tasks_of_little_spread_more():
    p = np.array([0.5, 0.9])
    centred, spread = (
        expected_pushes(np.stack([p, 1 - p]), PASS_FAIL, 8, how)[0] for how in HOW[:2]
    )
    assert centred[1] / centred[0] == pytest.approx(0.36)  # .09/.25
    assert spread[1] / spread[0] > 0.45  # s² became s: √.36 = .6, less where groups are silent


@pytest.mark.parametrize("how", HOW)
def test_an_impossible_behaviour_gets_no_push(how):
    pushes = expected_pushes([0.5, 0.5, 0.0, 0.0], [1, 0, 1, 0], 4, how)
    assert pushes[2:].tolist() == [0, 0] and pushes[0] > 0
    assert (expected_pushes([1.0, 0.0], PASS_FAIL, 4, how) == 0).all()


@pytest.mark.parametrize("p", [0.0, 0.3, 0.65, 1.0])
def test_with_pass_and_fail_the_live_chance_is_one_minus_unanimity(p):
    expected = 1 - unanimous_probability(p, 4)
    assert live_chance([p, 1 - p], PASS_FAIL, 4) == pytest.approx(float(expected))


@settings(max_examples=30)
@given(PAY, st.integers(2, 6), st.sampled_from(HOW), st.data())
def test_the_table_holds_the_pushes_of_every_group(pay, k, how, data):
    tries = data.draw(st.lists(st.integers(0, 3), min_size=k, max_size=k))
    counts = np.bincount(tries, minlength=4)
    pushes, live = push_table(tuple(map(float, pay)), k, how)
    at = np.cumsum(counts)[:3] @ (k + 1) ** np.arange(3)
    np.testing.assert_allclose(pushes[:, at], group_pushes(counts, pay, how), atol=1e-15)
    assert live[at] == live_groups(counts, pay)


def test_a_lone_try_is_refused():
    with pytest.raises(ValueError, match="no siblings"):
        group_pushes([[1, 2], [0, 2]], PASS_FAIL)
    with pytest.raises(ValueError, match="no siblings"):
        expected_pushes([0.5, 0.5], PASS_FAIL, 1)


def test_counts_without_a_reward_are_refused():
    with pytest.raises(ValueError, match="one row per reward"):
        group_pushes([[1, 2], [0, 2]], [1, 0, 0])


def test_an_unknown_advantage_is_refused_with_the_list():
    for call in (group_pushes, lambda *a: expected_pushes([0.5, 0.5], PASS_FAIL, 4, a[2])):
        with pytest.raises(ValueError, match="centred, spread, leave_one_out"):
            call([2, 2], PASS_FAIL, "std")
