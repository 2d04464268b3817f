"""Asks: shares, common random numbers, and words that say no more than the tool did."""

from typing import Any, Literal

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore.asks import ANSWERED, FAILING, MISSING, Asks, draw_asks
from whilecore.subjects import subject_of
from whilecore.tools import tool


@tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


@tool
def refund_payment(payment_id: int, amount: float, reason: str) -> str:
    """Refund a payment."""
    return ""


@tool
def create_ticket(customer_id: str, level: Literal["low", "high"], tags: list[str]) -> bool:
    """Create a ticket."""
    return True


@tool
def look_up_weather(city: str) -> float:
    """Say how warm it is."""
    return 0.0


@tool
def list_stores() -> list[str]:
    """List all stores."""
    return []


ONE = (subject_of(get_order),)
ALL = tuple(
    map(subject_of, (get_order, refund_payment, create_ticket, look_up_weather, list_stores))
)


def listed(asks: Asks, n: int) -> dict[str, list[Any]]:
    columns = {name: getattr(asks, name)[:n].tolist() for name in ("labels", "prompts", "codes")}
    columns |= {name: words[:n].tolist() for name, words in asks.fields.items()}
    return columns | {"case": asks.case[:n].tolist(), "steps": asks.steps()[:n].tolist()}


@settings(deadline=None)
@given(
    seed=st.integers(0, 50),
    few=st.integers(1, 30),
    more=st.integers(1, 30),
    subjects=st.sampled_from([ONE, ALL, ALL[1:3]]),
)
def test_drawing_more_asks_changes_none_of_the_earlier_ones(
    seed: int, few: int, more: int, subjects: Any
) -> None:
    small, large = draw_asks(subjects, seed, few), draw_asks(subjects, seed, few + more)
    assert listed(small, few) == listed(large, few)


def test_the_width_of_a_label_does_not_depend_on_how_many_are_drawn() -> None:
    labels = draw_asks(ONE, 0, 1001).labels
    assert labels[[0, 7, 999, 1000]].tolist() == ["T000", "T007", "T999", "T1000"]
    assert len(set(labels)) == 1001


def test_about_an_eighth_lacks_the_id_and_about_an_eighth_fails() -> None:
    n = 20_000
    case = draw_asks(ONE, 1, n).case
    for which, share in ((ANSWERED, 0.75), (MISSING, 0.12), (FAILING, 0.13)):
        # Four standard errors of a share p at n draws: 4·√(p(1 − p)/n), at most 0.013 here.
        assert abs((case == which).mean() - share) < 4 * np.sqrt(share * (1 - share) / n)


def test_a_given_id_stands_in_the_prompt_and_in_the_call() -> None:
    asks = draw_asks(ONE, 0, 200)
    for case, prompt, steps in zip(asks.case, asks.prompts, asks.steps(), strict=True):
        ids = {step["arguments"]["order_id"] for step in steps}
        assert len(ids) == (0 if case == MISSING else 1)
        assert all(one in prompt for one in ids)


def test_an_ask_without_id_calls_nothing_and_names_no_id() -> None:
    asks = draw_asks(ONE, 0, 200)
    missing = asks.case == MISSING
    assert missing.sum() > 10
    assert not any(char.isdigit() for prompt in asks.prompts[missing] for char in prompt)
    assert (asks.tool_calls[missing] == 0).all()


def test_a_tool_without_parameters_is_never_asked_about_without_an_id() -> None:
    asks = draw_asks((subject_of(list_stores),), 0, 300)
    assert set(asks.case.tolist()) == {ANSWERED, FAILING}


def test_equal_prompts_have_equal_codes_and_others_do_not() -> None:
    asks = draw_asks(ONE, 0, 3000)
    pairs = set(zip(asks.prompts, asks.codes, strict=True))
    assert len(pairs) == len(set(asks.prompts)) == len(set(asks.codes))
    assert len(pairs) < 3000  # the asks without an id have eight prompts between them


def test_phrasings_are_several_and_all_get_used() -> None:
    asks = draw_asks(ONE, 0, 2000)
    frames = {
        prompt.replace(one, "#")
        for prompt, one, case in zip(asks.prompts, asks.fields["it"], asks.case, strict=True)
        if case == ANSWERED
    }
    assert len(frames) == 8


def test_two_seeds_draw_different_asks() -> None:
    assert (draw_asks(ONE, 0, 50).prompts != draw_asks(ONE, 1, 50).prompts).mean() > 0.9
