"""Challenge: checked by code, hint and solution only on demand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.course.challenge import Challenge, number_in
from whilecore.course.page import Page
from whilecore.course.settings import REPEATS


def typed(**more: Any) -> Challenge:
    return Challenge(
        "02.ways",
        "How many of 16?",
        check=lambda given: given["answer"] == 2,
        hint="secret-hint",
        solution=lambda: "secret-solution",
        field="Ways",
        **more,
    )


def test_a_typed_number_is_checked_by_the_callable() -> None:
    challenge = typed(not_yet="Count again.")
    assert challenge.answer({"kind": "check", "value": "2"})["state"] == "solved"
    assert challenge.answer({"kind": "check", "value": "3"}) == {
        "kind": "check",
        "state": "not yet",
        "text": "Count again.",
    }


def test_without_a_number_it_asks_for_one() -> None:
    assert typed().answer({"kind": "check", "value": "two"})["text"] == "Type a number first."


def test_the_settings_of_the_page_are_checked_as_they_are_at_that_moment() -> None:
    page = Page((REPEATS,))
    challenge = Challenge(
        "x", "?", check=lambda now: now["repeats"] == 8, hint="", solution=str, page=page
    )
    assert challenge.answer({"kind": "check"})["state"] == "not yet"
    page.settle(repeats=8)
    assert challenge.answer({"kind": "check"})["state"] == "solved"


def test_hint_and_solution_are_not_sent_before_they_are_asked_for() -> None:
    challenge = typed()
    visible = str({key: getattr(challenge, key) for key in ("name", "question", "field")})
    assert "secret" not in visible + str(challenge.get_state())
    assert challenge.answer({"kind": "hint"})["text"] == "secret-hint"
    assert challenge.answer({"kind": "solution"})["text"] == "secret-solution"


def test_the_solution_is_computed_when_it_is_asked_for() -> None:
    asked: list[int] = []
    challenge = Challenge(
        "x", "?", check=lambda _: False, hint="", field="k",
        solution=lambda: str(asked.append(1) or len(asked)),
    )  # fmt: skip
    assert asked == []
    assert challenge.answer({"kind": "solution"})["text"] == "1"


@pytest.mark.parametrize(
    ("text", "number"),
    [("16", 16), ("0,05", 0.05), ("5 %", 0.05), ("2/16", 0.125), ("−3", -3), (" 1e2 ", 100)],
)
def test_a_number_may_be_written_in_the_usual_ways(text: str, number: float) -> None:
    assert number_in(text) == pytest.approx(number)


@pytest.mark.parametrize(
    "text", ["", "two", "1/0", "nan", "inf", "1/2/3", "9" * 50, None, 2, ["2"]]
)
def test_what_is_no_number_is_none(text: object) -> None:
    assert number_in(text) is None


@given(st.text(max_size=50))
def test_no_typed_text_raises(text: str) -> None:
    number = number_in(text)
    assert number is None or isinstance(number, float)


def test_a_challenge_with_nothing_to_check_is_refused() -> None:
    with pytest.raises(
        ValueError, match="pass page= to check its settings, or field= for a number"
    ):
        Challenge("x", "?", check=lambda _: True, hint="", solution=str)
