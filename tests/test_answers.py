"""Results and tool calls: what comes back is what the words say, and it is made anew each time."""

from typing import Any, Literal

import numpy as np
import pytest

from whilecore.asks import ANSWERED, FAILING, draw_asks
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


def test_a_failing_call_has_an_error_and_a_service_that_is_down_is_tried_twice() -> None:
    asks = draw_asks(ONE, 0, 400)
    failing = np.flatnonzero(asks.case == FAILING)
    ends = {tuple(step["error"] for step in asks.steps()[task]) for task in failing}
    assert ends == {("not found",), ("service unavailable", "service unavailable")}
    calls = [len(steps) for steps in asks.steps()]
    assert asks.tool_calls.tolist() == calls


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (get_order, dict),
        (refund_payment, str),
        (create_ticket, bool),
        (look_up_weather, int),
        (list_stores, list),
    ],
)
def test_a_result_is_of_the_kind_the_tool_announces(made: Any, kind: type) -> None:
    asks = draw_asks((subject_of(made),), 0, 60)
    results = [steps[0]["result"] for steps in asks.steps()[asks.case == ANSWERED]]
    assert {type(result) for result in results} == {kind}


def test_what_the_words_say_stands_in_the_result() -> None:
    asks = draw_asks(ONE, 0, 60)
    for task in np.flatnonzero(asks.case == ANSWERED):
        result = asks.steps()[task][0]["result"]
        assert result["status"] == asks.fields["status"][task]
        assert asks.fields["when"][task] == f"expected {result['expected']}"


def test_a_whole_number_argument_comes_back_as_a_whole_number() -> None:
    steps = draw_asks((subject_of(refund_payment),), 0, 20).steps()
    assert {type(step["arguments"]["payment_id"]) for calls in steps for step in calls} == {int}


def test_changing_handed_out_steps_changes_nothing_that_follows() -> None:
    first = draw_asks(ALL, 0, 40).steps()
    for calls in first:
        for step in calls:
            step["arguments"].clear()
            step["tool"] = ""
        calls.clear()
    again = draw_asks(ALL, 0, 40).steps()
    assert sum(map(len, again)) > 20
    assert all(step["tool"] for calls in again for step in calls)
