"""Filing by a few tries: what is kept, what is misfiled, and what that costs."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whilecore as wc
from whilecore import filing

BANDS = st.tuples(st.integers(0, 10), st.integers(10, 20)).map(lambda b: (b[0] / 20, b[1] / 20))


@wc.tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


def run(repeats: int, seed: int = 0, skill: str = "mixed", tasks: int = 16) -> wc.Rollouts:
    agent = wc.seeded_agent([get_order], rate=0.5, skill=skill)
    tries = wc.simulate(agent, repeats=repeats, budget=tasks * repeats, seed=seed)
    return tries.grade(wc.judges.answer_key)


def test_the_band_first_drops_what_unanimity_left_at_six_tries() -> None:
    # 1 of 6 is 16.7 %, under 20 %; 1 of 5 is the edge itself and stays
    assert [filing.band_cost(k).dropped for k in range(2, 9)] == [0, 0, 0, 0, 2, 2, 2]


def test_what_the_band_throws_away_at_8_and_16_tries() -> None:
    # c(8−c) over c = 1..7 sums to 84, the ends 1 and 7 hold 14: 1/6. At 16: 164 of 680.
    eight, sixteen = filing.band_cost(8), filing.band_cost(16)
    assert (eight.dropped, eight.mixed) == (2, 7)
    assert eight.signal == pytest.approx(14 / 84)
    assert (sixteen.dropped, sixteen.mixed) == (6, 15)
    assert sixteen.signal == pytest.approx(164 / 680)
    assert (eight.at_random, sixteen.at_random) == (2 / 7, 6 / 15)


def test_signal_is_the_variance_of_a_group_s_rewards() -> None:
    for k in (2, 4, 7):
        for c in range(k + 1):
            rewards = np.array([1.0] * c + [0.0] * (k - c))
            assert filing.signal(k)[c] == pytest.approx(rewards.var())


def test_misfiled_shares_for_evenly_spread_true_rates() -> None:
    shares = [round(100 * filing.misfiled_share(k), 1) for k in (4, 8, 16, 32, 64)]
    assert shares == [26.2, 20.9, 16.5, 11.2, 7.9]


def exact_share(k: int, low: Fraction, high: Fraction) -> Fraction:
    """Integrate the polynomials in whole numbers."""

    def below(c: int, x: Fraction) -> Fraction:
        # ∫ C(k,c) pᶜ (1−p)ᵏ⁻ᶜ dp, multiplied out
        return sum(
            (Fraction(comb(k, c) * comb(k - c, i) * (-1) ** i, c + i + 1) * x ** (c + i + 1)
             for i in range(k - c + 1)),
            Fraction(0),
        )  # fmt: skip

    total = Fraction(0)
    for c in range(k + 1):
        inside = below(c, high) - below(c, low)
        kept = 0 < c < k and low <= Fraction(c, k) <= high
        total += below(c, Fraction(1)) - inside if kept else inside
    return total


@pytest.mark.parametrize("k", [2, 4, 5, 6, 8, 16])
def test_the_misfiled_share_is_the_integral_in_exact_fractions(k: int) -> None:
    exact = exact_share(k, Fraction(1, 5), Fraction(4, 5))
    assert filing.misfiled_share(k) == pytest.approx(float(exact), abs=1e-12)


@given(k=st.integers(2, 40), band=BANDS)
def test_the_share_is_the_chance_averaged_over_evenly_spread_rates(
    k: int, band: tuple[float, float]
) -> None:
    rates = (np.arange(4000) + 0.5) / 4000
    mean = filing.misfiled_chance(rates, k, band).mean()
    assert filing.misfiled_share(k, band) == pytest.approx(mean, abs=2e-3)


@given(k=st.integers(1, 30), band=BANDS)
def test_what_is_kept_is_what_the_gates_keep(k: int, band: tuple[float, float]) -> None:
    # one task for each number of passes, no copies: the fates of the selection
    c = np.repeat(np.arange(k + 1), k)
    place = np.tile(np.arange(k), k + 1)
    frame = pd.DataFrame({"task": c, "reward": (place < c).astype(float), "reply_key": place})
    gates = wc.Rollouts.from_frame(frame).select(mode="rl", band=band).gates
    assert gates is not None
    expected = gates.group == wc.gates.RL_FATES.index("kept")
    assert filing.keeps(np.arange(k + 1), k, band).tolist() == expected.tolist()


def test_misfiled_chance_by_hand() -> None:
    # 0.5 is truly inside and dropped when all 4 agree: 2/16. 0.1 is outside and kept when mixed:
    # 1 − 0.9⁴ − 0.1⁴ = 0.3438
    chance = filing.misfiled_chance([0.5, 0.1], 4)
    assert chance.round(4).tolist() == [0.125, 0.3438]


def test_passes_so_far_are_the_passes_of_the_simulated_run() -> None:
    agent = wc.seeded_agent([get_order], rate=0.5, skill="u-shaped")
    so_far = filing.passes_so_far(agent, 5, 16, 9)
    for k in (2, 9):
        assert so_far[:, k - 1].tolist() == filing.filed(run(k, 5, "u-shaped")).passes.tolist()


def test_a_run_s_misfiled_share_approaches_the_exact_one() -> None:
    # 3,000 tasks with rates of 0.05 to 0.95, against the chance at their own rates
    task = filing.filed(run(8, tasks=3000))
    expected = filing.misfiled_chance(task.true, 8)
    error = np.sqrt((expected * (1 - expected)).sum()) / 3000
    assert abs(task.misfiled.mean() - expected.mean()) < 4 * error
    assert task.misfiled.sum() > 300


def test_cells_of_a_filing_by_hand() -> None:
    # 0/4 truly .5: wrongly dropped; 2/4 truly .9: wrongly kept; 4/4 truly .9; 1/8 truly .1: dropped
    # by the band; 1/8 truly .3: the same, wrongly
    task = filing.Filing(
        labels=np.array(list("abcde"), object),
        passes=np.array([0, 2, 4, 1, 1]),
        rows=np.array([4, 4, 4, 8, 8]),
        true=np.array([0.5, 0.9, 0.9, 0.1, 0.3]),
        band=(0.2, 0.8),
    )
    assert task.kept.tolist() == [False, True, False, False, False]
    assert task.dropped.tolist() == [False, False, False, True, True]
    assert task.misfiled.tolist() == [True, True, False, False, True]


def test_a_pass_rate_on_an_edge_is_kept_and_so_is_a_true_one() -> None:
    assert filing.keeps([1, 4], 5, (0.2, 0.8)).tolist() == [True, True]
    assert filing.truly_inside([0.2, 0.8, 0.1999], (0.2, 0.8)).tolist() == [True, True, False]


def test_the_control_picks_as_many_and_only_from_those_allowed() -> None:
    among = np.array([True, False] * 8)
    picks = filing.random_pick(among, 3, seed=1, draws=400)
    assert (picks.sum(axis=1) == 3).all()
    assert not picks[:, ~among].any()
    # each of 8 is picked with chance 3/8: 150 of 400, sd √(400·3/8·5/8) = 9.7
    assert (np.abs(picks[:, among].sum(axis=0) - 150) < 4 * 9.7).all()


def test_more_draws_leave_the_first_pick_as_it_is() -> None:
    among = np.ones(16, bool)
    one, many = filing.random_pick(among, 5, 3), filing.random_pick(among, 5, 3, draws=9)
    assert one[0].tolist() == many[0].tolist()
    assert len({row.tobytes() for row in many}) > 1


def test_a_pick_larger_than_the_pool_is_refused() -> None:
    with pytest.raises(ValueError, match="size must be 0 to the 2 allowed, got 3"):
        filing.random_pick(np.array([True, True, False]), 3, 0)


def test_a_run_whose_true_rates_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="use select"):
        filing.filed(wc.printed_run())


@pytest.mark.parametrize("k", [0, 1001, 4.0, True])
def test_a_number_of_tries_must_be_one(k: object) -> None:
    with pytest.raises(ValueError, match="from 1 to 1,000"):
        filing.misfiled_share(k)  # type: ignore[arg-type]


def test_one_try_has_no_contrast_to_lose() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        filing.band_cost(1)
