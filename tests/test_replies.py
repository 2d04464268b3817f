"""From draws to text: one text per (mistake, wording), and features that fit the text."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore import features, replies
from whilecore.agent import KINDS, WAYS
from whilecore.asks import ANSWERED, FAILING, MISSING, Asks, draw_asks
from whilecore.subjects import subject_of
from whilecore.tools import tool
from whilecore.wordings import WORDINGS


@tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


@tool
def send_apology(perhaps_id: str, sorry: str) -> bool:
    """Send an apology: a tool whose own name looks like a habit."""
    return True


ASKS = draw_asks((subject_of(get_order), subject_of(send_apology)), 0, 60)
CASES = {case: np.flatnonzero(ASKS.case == case) for case in (ANSWERED, MISSING, FAILING)}


def mistake_number(kind: str, way: int = 0) -> int:
    return 1 + KINDS.index(kind) * WAYS + way


def write(asks: Asks, task: Any, mistake: Any, wording: Any) -> list[str]:
    columns = np.broadcast_arrays(*(np.asarray(one, np.int64) for one in (task, mistake, wording)))
    return list(replies.write(asks, *(column.ravel() for column in columns))[0])


def test_an_added_habit_leaves_the_honest_reply_in_place() -> None:
    for kind in ("hedging", "sycophancy", "apology", "boilerplate", "leak"):
        for way in range(WAYS):
            honest, wrong = write(ASKS, 0, [0, mistake_number(kind, way)], 0)
            assert honest[1:] in wrong
            assert len(wrong) - len(honest) >= 30


def test_a_leak_recites_the_answer_key_word_for_word() -> None:
    for way in range(WAYS):
        texts = write(ASKS, np.arange(60), mistake_number("leak", way), 0)
        assert all(key in text for key, text in zip(ASKS.fields["key"], texts, strict=True))


def test_an_honest_reply_does_not_hold_the_answer_key() -> None:
    texts = write(ASKS, np.arange(60), 0, 0)
    assert not any(key in text for key, text in zip(ASKS.fields["key"], texts, strict=True))


def test_a_false_claim_says_nothing_of_the_failure() -> None:
    failing = CASES[FAILING]
    honest = write(ASKS, failing, 0, 0)
    claims = write(ASKS, failing, mistake_number("ignored_failure"), 0)
    assert features.admits_failure(honest).all()
    assert not features.admits_failure(claims).any()


def test_an_ask_without_id_gets_a_question_for_it() -> None:
    texts = write(ASKS, CASES[MISSING], 0, 0)
    nouns = ASKS.fields["noun"][CASES[MISSING]]
    assert all("?" in text and noun in text for text, noun in zip(texts, nouns, strict=True))


def test_every_reply_starts_with_a_capital_and_has_no_double_space() -> None:
    rng = np.random.default_rng(0)
    task, wording = rng.integers(0, 60, 3000), rng.integers(0, WORDINGS, 3000)
    mistake = rng.integers(0, 1 + len(KINDS) * WAYS, 3000)
    for text in write(ASKS, task, mistake, wording):
        assert text[0].isupper()
        assert "  " not in text
        assert "{" not in text


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 59),
            st.integers(0, len(KINDS) * WAYS),
            st.integers(0, WORDINGS - 1),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_features_of_the_parts_are_the_features_of_the_text(rows: list[Any]) -> None:
    task, mistake, wording = np.array(rows).T
    texts, found = replies.write(ASKS, task, mistake, wording)
    for name, values in features.text_features(texts).items():
        assert found[name].tolist() == values.tolist(), name


@pytest.mark.parametrize("case", [ANSWERED, MISSING, FAILING])
def test_one_number_per_distinct_text_of_a_task(case: int) -> None:
    task = int(CASES[case][0])
    kinds = [0, *range(1, 1 + len(KINDS) * WAYS, 5)]
    if case != FAILING:  # only a failed call can be passed off as a success
        kinds = [one for one in kinds if (one - 1) // WAYS != replies.IGNORED]
    mistake, wording = (one.ravel() for one in np.meshgrid(kinds, np.arange(WORDINGS)))
    texts, _ = replies.write(ASKS, np.full(len(mistake), task), mistake, wording)
    numbers = replies.same_words(mistake, wording)
    pairs = set(zip(numbers.tolist(), texts.tolist(), strict=True))
    assert len(pairs) == len(set(texts.tolist())) == len(np.unique(numbers))
