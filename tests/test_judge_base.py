"""What acts as a judge, and which draws belong to a row."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from whilecore import judges
from whilecore.judge_base import PerRow, Scorer, as_judge, row_keys
from whilecore.rollouts import Rollouts
from whilecore.table import Table


class Scores:
    """Somebody's judge."""

    name = "mine"

    def score(self, frame: pd.DataFrame) -> Any:
        return np.ones(len(frame))


def test_functions_objects_with_score_and_our_own_act_as_judges() -> None:
    assert isinstance(as_judge(lambda row: 1), PerRow)
    assert isinstance(as_judge(Scores()), Scorer)
    assert as_judge(judges.coin) is judges.coin
    assert as_judge(Scores()).name == "mine"


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        (Scores, r"got the class Scores; write Scores\(\)"),
        ("coin", r"a built-in is judges.named\('coin'\)"),
        (3, "a function of one row or an object with score"),
        (None, "a function of one row"),
    ],
)
def test_anything_else_is_refused(judge: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        as_judge(judge)


def test_a_judge_of_ones_own_writes_score_and_sees_the_frame() -> None:
    class Mine(judges.Judge):
        name = "mine"

        def score(self, frame: pd.DataFrame) -> Any:
            return (frame["reply"].str.len() > 2).to_numpy(float)

    rows = [{"task": "a", "reply": "yes"}, {"task": "a", "reply": "no"}]
    assert Rollouts.from_records(rows).grade(Mine()).reward.tolist() == [1, 0]

    class Half(judges.AnswerKey):
        def score(self, frame: pd.DataFrame) -> Any:
            return np.full(len(frame), 0.5)

    run = Rollouts.from_records([one | {"mistake": ""} for one in rows])
    for judge in (Half(), judges.with_flips(Half(), 0.5), judges.blend(Half(), Half(), 0.5)):
        assert run.grade(judge).reward.tolist() == [0.5, 0.5]
    with pytest.raises(NotImplementedError, match="judge Judge must have score"):
        Rollouts.from_records(rows).grade(judges.Judge())


def test_a_function_of_one_row_cannot_score_a_frame() -> None:
    with pytest.raises(TypeError, match="use rollouts.grade"):
        as_judge(len).score(pd.DataFrame({"task": ["a"]}))


def test_a_rows_keys_do_not_depend_on_the_other_rows() -> None:
    frame = pd.DataFrame({"task": ["b", "a", "b"], "rollout": [0, 0, 1]})
    alone = pd.DataFrame({"task": ["b"], "rollout": [1]})
    assert [key[2] for key in row_keys(Table(frame))] == [key[0] for key in row_keys(Table(alone))]


def test_rows_that_repeat_task_and_rollout_are_told_apart_by_their_order() -> None:
    frame = pd.DataFrame({"task": ["a", "a", "b", "a"], "rollout": [0, 0, 0, 0]})
    assert row_keys(Table(frame))[2].tolist() == [0, 1, 0, 2]


def test_an_empty_table_has_no_keys() -> None:
    keys = row_keys(Table(pd.DataFrame({"task": [], "rollout": []})))
    assert [len(key) for key in keys] == [0, 0, 0]


@pytest.mark.parametrize("honest", [{"seeded": None}, {"seeded": False}, {"mistake": ""}])
def test_one_row_without_a_mistake_is_honest_however_it_says_so(honest: dict[str, Any]) -> None:
    assert judges.answer_key(honest) == 1.0
    assert judges.answer_key({"seeded": "hedging"}) == 0.0
