"""Prediction: nothing of the answer leaves Python before the learner answers or skips."""

from __future__ import annotations

import json
from typing import Any

import pytest
import traitlets
from hypothesis import given
from hypothesis import strategies as st

from whilecore.course.predict import Option, Prediction

OPTIONS = (
    Option("17", "why-of-17", "idea-of-17"),
    Option("29", "why-of-29", right=True),
    Option("43", "why-of-43", "idea-of-43"),
)
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=5,
)


def ask(revealed: bool = False) -> Prediction:
    return Prediction("06.kept", "How many are left?", OPTIONS, revealed)


def sent(prediction: Prediction) -> str:
    """Everything the browser can see of the widget."""
    return json.dumps(
        {
            key: getattr(prediction, key)
            for key in prediction.trait_names(sync=True)
            if not key.startswith("_") and key != "layout"
        },
        default=str,
    )


def test_an_open_question_sends_its_options_and_not_which_is_right() -> None:
    text = sent(ask())
    assert '["17", "29", "43"]' in text
    for secret in ("why-of", "idea-of", "true", "misconception"):
        assert secret not in text


def test_an_answer_brings_every_reason_and_every_misconception() -> None:
    prediction = ask()
    prediction.answer = {"choice": "17", "state": "answered"}
    assert prediction.state == "answered"
    assert prediction.choice == "17"
    assert prediction.right == "29"
    assert [told["why"] for told in prediction.feedback] == ["why-of-17", "why-of-29", "why-of-43"]
    assert [told["misconception"] for told in prediction.feedback] == [
        "idea-of-17",
        "",
        "idea-of-43",
    ]
    assert [told["right"] for told in prediction.feedback] == [False, True, False]


def test_a_skip_reveals_without_a_choice() -> None:
    prediction = ask()
    prediction.answer = {"choice": "29", "state": "skipped"}
    assert prediction.revealed
    assert prediction.choice == ""
    assert len(prediction.feedback) == 3


def test_trying_again_takes_the_answer_off_the_page() -> None:
    prediction = ask()
    prediction.answer = {"choice": "17", "state": "answered"}
    prediction.answer = {"choice": "", "state": "open"}
    assert not prediction.revealed
    assert "why-of" not in sent(prediction)


def test_reveal_all_starts_as_skipped() -> None:
    prediction = ask(revealed=True)
    assert prediction.state == "skipped"
    assert len(prediction.feedback) == 3


@given(choice=JSON, state=JSON)
def test_what_no_button_can_send_changes_nothing(choice: Any, state: Any) -> None:
    prediction = ask()
    prediction.answer = {"choice": choice, "state": state}
    expected = state if state in ("open", "skipped") else "open"
    assert prediction.state == expected
    assert prediction.choice == ""


@pytest.mark.parametrize("choice", ["30", "", None, ["29"], {"a": 1}])
def test_a_choice_that_is_no_option_is_ignored(choice: Any) -> None:
    prediction = ask()
    prediction.answer = {"choice": choice, "state": "answered"}
    assert not prediction.revealed
    assert prediction.feedback == []


def test_an_answer_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(traitlets.TraitError):
        ask().answer = "29"


def test_asking_anew_keeps_the_answer_and_renews_the_reasons() -> None:
    prediction = ask()
    prediction.answer = {"choice": "17", "state": "answered"}
    prediction.ask("And now?", (Option("17", "now right", right=True), Option("29", "no", "idea")))
    assert prediction.choice == "17"
    assert prediction.right == "17"
    assert [told["why"] for told in prediction.feedback] == ["now right", "no"]


def test_asking_anew_without_the_chosen_option_counts_as_skipped() -> None:
    prediction = ask()
    prediction.answer = {"choice": "17", "state": "answered"}
    prediction.ask("And now?", OPTIONS[1:])
    assert prediction.state == "skipped"


def test_asking_anew_tells_nothing_while_the_question_is_open() -> None:
    prediction = ask()
    prediction.ask("And now?", OPTIONS)
    assert "why-of" not in sent(prediction)


def test_there_must_be_exactly_one_right_option() -> None:
    with pytest.raises(ValueError, match="exactly one right one, got 1 options and 0 right"):
        Prediction("x", "?", OPTIONS[:1])
    with pytest.raises(ValueError, match="got 2 options and 2 right"):
        Prediction("x", "?", (OPTIONS[1], Option("30", "", right=True)))


def test_two_options_with_one_label_are_refused() -> None:
    with pytest.raises(ValueError, match="every option needs a label of its own"):
        Prediction("x", "?", (OPTIONS[1], Option("29", "", "idea")))


def test_a_wrong_option_without_its_misconception_is_refused() -> None:
    with pytest.raises(ValueError, match="every wrong option names its misconception.*'17'"):
        Prediction("x", "?", (OPTIONS[1], Option("17", "why")))
