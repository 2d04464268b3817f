"""What counts as a reward, and what is unscored with which reason."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore.verdicts import Verdicts, ask, gather, read, read_scores


@pytest.mark.parametrize(
    ("answer", "reward"),
    [
        (True, 1.0),
        (False, 0.0),
        (0, 0.0),
        (1, 1.0),
        (0.25, 0.25),
        (np.bool_(True), 1.0),
        (np.float32(0.5), 0.5),
        (np.int8(1), 1.0),
        (Fraction(1, 4), 0.25),
        ({"reward": 0.75}, 0.75),
        ({"score": True}, 1.0),
        ({"reward": 0, "score": 1}, 0.0),
        (MappingProxyType({"reward": 1}), 1.0),
    ],
)
def test_a_bool_a_number_or_a_mapping_is_a_reward(answer: Any, reward: float) -> None:
    assert read(answer) == (reward, "ok", "")


def test_the_judges_own_reason_is_kept() -> None:
    assert read({"reward": 0, "reason": "no id"}) == (0.0, "ok", "no id")
    assert read({"reward": None, "reason": "abstained"})[1:] == ("no reward", "abstained")


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        ("0.85", "not a number", "the judge returned the text '0.85'"),
        ("Score: 8/10", "not a number", "return a number in"),
        ("", "not a number", "the text ''"),
        ("x" * 100, "not a number", "xxx...'"),
        (float("nan"), "not a number", "NaN"),
        (np.float64("nan"), "not a number", "NaN"),
        (None, "no reward", "returned None"),
        ({"points": 1}, "no reward", "'reward' or 'score', it holds 'points'"),
        ({}, "no reward", "it holds nothing"),
        ({"reward": "yes"}, "not a number", "the text 'yes'"),
        ({"reward": {"reward": 1}}, "not a number", "returned dict"),
        ([1.0], "not a number", "returned list"),
        (1 + 0j, "not a number", "returned complex"),
        (Decimal("0.5"), "not a number", "returned Decimal"),
        (10, "out of range", "10 lies outside"),
        (1.0000001, "out of range", "divide by the highest score"),
        (float("inf"), "out of range", "inf lies outside"),
        (-1, "out of range", r"return \(reward \+ 1\) / 2"),
    ],
)
def test_anything_else_is_unscored_with_a_status_and_a_reason(
    answer: Any, status: str, reason: str
) -> None:
    reward, got, why = read(answer)
    assert np.isnan(reward)
    assert got == status
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(why)


@settings(deadline=None)
@given(st.one_of(st.floats(), st.integers(), st.booleans(), st.text(), st.none(), st.binary()))
def test_no_answer_becomes_zero_unless_it_is_zero(answer: Any) -> None:
    reward, status, reason = read(answer)
    if status == "ok":
        assert reward == float(answer)
    else:
        assert np.isnan(reward)
        assert reason


def test_an_exception_becomes_a_status_with_its_type_and_message() -> None:
    def judge(row: Mapping[str, Any]) -> float:
        raise KeyError("final_text")

    reward, status, reason = ask(judge, {})
    assert np.isnan(reward)
    assert (status, reason) == ("error", "KeyError: 'final_text'")


def test_an_exception_without_message_is_named_all_the_same() -> None:
    def judge(row: Mapping[str, Any]) -> float:
        raise TimeoutError

    assert ask(judge, {})[1:] == ("error", "TimeoutError")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_goes_through(stop: type[BaseException]) -> None:
    def judge(row: Mapping[str, Any]) -> float:
        raise stop

    with pytest.raises(stop):
        ask(judge, {})


def test_an_async_judge_is_unscored_and_told_to_be_a_plain_function() -> None:
    async def judge(row: Mapping[str, Any]) -> float:
        return 1.0

    assert ask(judge, {})[1:] == (
        "not a number",
        "the judge is an async function; pass a plain function",
    )


def test_a_reply_that_explodes_when_read_is_an_error_of_the_judge() -> None:
    class Bad(Mapping[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise RuntimeError("no such luck")

        def __iter__(self) -> Any:
            return iter(["reward"])

        def __len__(self) -> int:
            return 1

    assert ask(lambda row: Bad(), {})[1:] == ("error", "RuntimeError: no such luck")


@settings(deadline=None)
@given(st.lists(st.one_of(st.floats(), st.booleans(), st.none(), st.text(max_size=3))))
def test_an_array_of_answers_is_read_like_its_answers_one_by_one(answers: list[Any]) -> None:
    values = np.empty(len(answers), object)
    values[:] = answers
    together = read_scores(values, len(answers), "x")
    single = gather([read(one) for one in answers])
    np.testing.assert_array_equal(together.reward, single.reward)
    assert together.status.tolist() == single.status.tolist()
    assert together.reason.tolist() == single.reason.tolist()


@settings(deadline=None)
@given(st.lists(st.floats(), max_size=20))
def test_numbers_are_read_alike_at_once_and_one_by_one(answers: list[float]) -> None:
    together = read_scores(np.array(answers, np.float64), len(answers), "x")
    single = gather([read(one) for one in answers])
    np.testing.assert_array_equal(together.reward, single.reward)
    assert together.status.tolist() == single.status.tolist()
    assert together.reason.tolist() == single.reason.tolist()


@pytest.mark.parametrize("scores", [[1.0], 1.0, [[1.0, 0.0]], [1.0, 0.0, 1.0]])
def test_scores_of_another_shape_are_refused(scores: Any) -> None:
    with pytest.raises(ValueError, match=r"judge x must return one number per row, shape \(2,\)"):
        read_scores(scores, 2, "x")


def test_verdicts_print_how_many_rows_are_scored_and_why_the_others_are_not() -> None:
    verdicts: Verdicts = gather([read(one) for one in (1, 0, None, "8/10", "9/10")])
    assert str(verdicts) == "2 of 5 rows scored; unscored: 2 not a number, 1 no reward"
    assert str(verdicts.take(np.array([0, 1]))) == "2 of 2 rows scored"
