"""The stand-in: true rates by skill, recorded mistakes, and options that are refused."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore.agent import KINDS, WAYS, seeded_agent
from whilecore.asks import ANSWERED, FAILING
from whilecore.replies import kind_of
from whilecore.tools import tool
from whilecore.wordings import WORDINGS


@tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


TOOLS = [get_order]
N = 40_000


def drawn(case: int, rate: float = 1.0, seed: int = 0) -> np.ndarray[Any, Any]:
    task, zeros = np.arange(N), np.zeros(N, np.int64)
    agent = seeded_agent(TOOLS, rate=rate)
    return agent.mistakes(seed, task, zeros, np.full(N, 1 - rate), np.full(N, case))


def test_by_default_every_task_has_a_true_pass_rate_of_65_percent() -> None:
    assert seeded_agent(TOOLS).true_pass_rates(0, 5).tolist() == [0.65] * 5


@pytest.mark.parametrize("skill", ["flat", "mixed", "u-shaped"])
@pytest.mark.parametrize("rate", [0.0, 0.2, 0.35, 0.5, 0.8, 1.0])
def test_the_mean_true_pass_rate_is_one_minus_the_rate_for_every_skill(
    skill: str, rate: float
) -> None:
    rates = seeded_agent(TOOLS, rate=rate, skill=skill).true_pass_rates(3, N)
    assert rates.min() >= 0
    assert rates.max() <= 1
    # Rates lie in [0, 1], so their standard deviation is at most 0.5: 4 · 0.5/√40000 = 0.01.
    assert abs(rates.mean() - (1 - rate)) < 0.01


def test_mixed_at_half_is_even_over_5_to_95_percent() -> None:
    rates = seeded_agent(TOOLS, rate=0.5, skill="mixed").true_pass_rates(0, N)
    counts, _ = np.histogram(rates, bins=9, range=(0.05, 0.95))
    assert counts.sum() == N
    # A ninth each: standard error √(N/9 · 8/9) = 63.
    assert np.abs(counts - N / 9).max() < 4 * 63


def test_u_shaped_has_its_mass_at_both_ends() -> None:
    rates = seeded_agent(TOOLS, rate=0.5, skill="u-shaped").true_pass_rates(0, N)
    ends = ((rates < 0.2) | (rates > 0.8)).mean()
    # w = v^(1/0.35)/2 < 0.2 for v < 0.4^0.35 = 0.726.
    assert ends == pytest.approx(0.4**0.35, abs=0.01)


def test_given_rates_are_taken_task_by_task() -> None:
    agent = seeded_agent(TOOLS, skill=[0.1, 0.9, 0.4])
    assert agent.true_pass_rates(7, 2).tolist() == [0.1, 0.9]


def test_too_few_given_rates_are_refused_with_both_numbers() -> None:
    with pytest.raises(ValueError, match="each of the 5 tasks drawn, got 2"):
        seeded_agent(TOOLS, skill=[0.1, 0.9]).true_pass_rates(0, 5)


def test_changing_the_list_of_rates_afterwards_changes_nothing() -> None:
    given_rates = np.array([0.1, 0.9])
    agent = seeded_agent(TOOLS, skill=given_rates)
    given_rates[:] = 0
    agent.true_pass_rates(0, 2)[:] = 0
    assert agent.true_pass_rates(0, 2).tolist() == [0.1, 0.9]


@settings(deadline=None)
@given(seed=st.integers(0, 100), skill=st.sampled_from(["mixed", "u-shaped"]))
def test_the_rate_of_a_task_does_not_depend_on_how_many_tasks_there_are(
    seed: int, skill: str
) -> None:
    agent = seeded_agent(TOOLS, skill=skill)
    few, many = agent.true_pass_rates(seed, 5), agent.true_pass_rates(seed, 50)
    assert few.tolist() == many[:5].tolist()


def test_tries_err_at_the_rate() -> None:
    # Standard error √(0.35 · 0.65/40000) = 0.0024.
    assert abs((drawn(ANSWERED, 0.35) > 0).mean() - 0.35) < 4 * 0.0024


def test_one_mistake_in_twelve_leaks_and_the_four_that_add_words_share_the_rest() -> None:
    counts = np.bincount(kind_of(drawn(ANSWERED)), minlength=len(KINDS)) / N
    # (1 − 1/12)/4 = 0.2292 each; a success of the tool cannot be passed off as one.
    assert counts == pytest.approx([0.2292] * 4 + [0.0, 1 / 12], abs=0.01)


def test_where_the_tool_fails_the_agent_claims_success_in_five_mistakes_of_twelve() -> None:
    counts = np.bincount(kind_of(drawn(FAILING)), minlength=len(KINDS)) / N
    assert counts == pytest.approx([1 / 8] * 4 + [5 / 12, 1 / 12], abs=0.01)


def test_the_ways_of_a_mistake_are_used_evenly() -> None:
    mistakes = drawn(ANSWERED)
    ways = np.bincount((mistakes - 1) % WAYS)
    assert ways / N == pytest.approx([1 / WAYS] * WAYS, abs=0.01)


def test_a_better_agent_errs_on_a_subset_of_the_same_tries() -> None:
    worse, better = drawn(ANSWERED, 0.5), drawn(ANSWERED, 0.3)
    assert ((better > 0) <= (worse > 0)).all()
    assert (better[better > 0] == worse[better > 0]).all()


def test_without_variety_every_try_of_a_task_is_worded_alike() -> None:
    task, rollout = np.repeat(np.arange(50), 8), np.tile(np.arange(8), 50)
    wording = seeded_agent(TOOLS).wordings(0, task, rollout).reshape(50, 8)
    assert (wording == wording[:, :1]).all()
    assert len(np.unique(wording)) == 8


def test_with_full_variety_wordings_all_but_never_repeat_within_a_task() -> None:
    task, rollout = np.repeat(np.arange(500), 16), np.tile(np.arange(16), 500)
    wording = seeded_agent(TOOLS, variety=1.0).wordings(0, task, rollout).reshape(500, 16)
    assert wording.max() < WORDINGS
    repeats = sum(16 - len(np.unique(row)) for row in wording)
    # 120 pairs a task meet with chance 1/4608: 500 · 120/4608 = 13, standard deviation 3.6.
    assert repeats < 13 + 4 * 3.6


def test_raising_variety_rewords_more_tries_and_leaves_the_reworded_ones() -> None:
    task, rollout = np.repeat(np.arange(200), 4), np.tile(np.arange(4), 200)
    none, some, most = (
        seeded_agent(TOOLS, variety=variety).wordings(0, task, rollout)
        for variety in (0.0, 0.4, 0.8)
    )
    reworded = some != none
    assert abs(reworded.mean() - 0.4) < 0.08
    assert (most[reworded] == some[reworded]).all()


def test_plain_functions_are_taken_as_tools() -> None:
    assert seeded_agent([get_order.function]).tools[0].name == "get_order"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate": 35}, r"rate must be a number in \[0, 1\], got 35; 35 % is 0.35"),
        ({"rate": True}, "rate must be a number"),
        ({"rate": float("nan")}, "rate must be a number"),
        ({"variety": -0.1}, "variety must be a number"),
        ({"variety": "0.5"}, "variety must be a number"),
        ({"skill": "bimodal"}, "skill must be one of flat, mixed, u-shaped, or an array"),
        ({"skill": [0.2, 1.2]}, "true pass rates in"),
        ({"skill": [0.2, float("nan")]}, "true pass rates in"),
        ({"skill": []}, "non-empty"),
        ({"skill": [[0.2]]}, "flat"),
        ({"skill": ["a"]}, "skill must be one of"),
        ({"skill": None}, "skill must be"),
    ],
)
def test_an_option_outside_its_range_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        seeded_agent(TOOLS, **options)
