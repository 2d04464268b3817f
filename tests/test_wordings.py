"""The sentences: honest ones are clean, each mistake shows its own habit, failures are admitted."""

from string import Formatter

import numpy as np
import pytest

from whilecore import wordings as words
from whilecore.features import DETECTORS, admits, habits
from whilecore.wordings import fill, sentence_case

PLACES = {
    "it": "order OR-4821",
    "noun": "order id",
    "topic": "order",
    "do": "look up",
    "do_it": "look it up",
    "status": "on its way",
    "when": "expected Thursday",
    "receipt": "reference R-1234",
    "why": "the system has no record of it",
    "next": "Could you check the order id?",
    "claim": "on its way, expected Thursday",
    "extra": "",
    "key": "get_order(OR-4821) -> on its way",
}
HONEST = (
    *words.LOOKUP_REPLIES,
    *words.ACTION_REPLIES,
    *words.MISSING_REPLIES,
    *words.FAILURE_REPLIES,
)


def said(template: str) -> str:
    return template.format(**PLACES)


def shown(text: str) -> set[str]:
    return {name for name, found in habits([text]).items() if found[0]}


@pytest.mark.parametrize("template", [*HONEST, *words.CLAIMS, *words.OPENERS, *words.CLOSERS])
def test_a_sentence_without_a_mistake_shows_no_habit(template: str) -> None:
    assert shown(said(template)) == set()


@pytest.mark.parametrize("kind", words.ADDED)
def test_a_mistake_shows_its_own_habit_and_no_other(kind: str) -> None:
    for before, after in words.ADDED[kind]:
        expected = {kind} & set(DETECTORS)  # a leak is no habit of speech
        assert shown(said(before + HONEST[0] + after)) == expected, before + after


@pytest.mark.parametrize("kind", words.ADDED)
def test_a_mistake_adds_thirty_to_ninety_characters(kind: str) -> None:
    assert all(30 <= len(said(before + after)) <= 90 for before, after in words.ADDED[kind])


@pytest.mark.parametrize("template", words.FAILURE_REPLIES)
def test_an_honest_reply_to_a_failed_call_admits_it(template: str) -> None:
    assert admits(said(template))
    assert PLACES["it"] in said(template).split(".")[0]


@pytest.mark.parametrize("template", words.CLAIMS)
def test_a_false_claim_admits_nothing(template: str) -> None:
    assert not admits(said(template))


@pytest.mark.parametrize("template", words.MISSING_REPLIES)
def test_without_an_id_the_honest_reply_asks_for_it(template: str) -> None:
    assert "?" in said(template)
    assert "order id" in said(template)


def test_sentences_of_one_kind_differ_and_have_one_number_of_forms() -> None:
    kinds = (words.LOOKUP_REPLIES, words.ACTION_REPLIES, words.MISSING_REPLIES)
    for kind in (*kinds, words.FAILURE_REPLIES, words.LOOKUP_PROMPTS, words.ACTION_PROMPTS):
        assert len(set(kind)) == len(kind) == words.FORMS
    assert len(set(words.OPENERS)) == len(words.OPENERS)
    assert len(set(words.CLOSERS)) == len(words.CLOSERS)


def test_honest_replies_are_thirty_to_a_hundred_and_twenty_characters_long() -> None:
    assert all(30 <= len(said(template)) <= 120 for template in HONEST)


def test_fill_writes_each_row_with_its_own_template_and_words() -> None:
    fields = {"a": np.array(["x", "y", "z"], dtype=object)}
    out = fill(["{a}!", "no", "is {a} or {a}?"], [2, 0, 1], fields)
    assert out.tolist() == ["is x or x?", "y!", "no"]


def test_fill_takes_the_words_of_another_row_where_told() -> None:
    fields = {"a": np.array(["x", "y"], dtype=object)}
    assert fill(["{a}"], [0, 0, 0], fields, np.array([1, 1, 0])).tolist() == ["y", "y", "x"]


def test_fill_of_nothing_is_nothing() -> None:
    assert fill(["{a}"], np.zeros(0, np.int64), {}).tolist() == []


def test_every_place_in_a_sentence_is_known() -> None:
    for template in (*HONEST, *words.CLAIMS, *words.LOOKUP_PROMPTS, *words.MISSING_PROMPTS):
        assert {name for _, name, _, _ in Formatter().parse(template) if name} <= set(PLACES)


def test_sentence_case_changes_the_first_letter_alone() -> None:
    assert sentence_case(np.array(["order OR-1", "", "I"], object)).tolist() == [
        "Order OR-1", "", "I",
    ]  # fmt: skip
