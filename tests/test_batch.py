"""One average for two tasks pays a task for being easy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from whilecore.charts import batch, spec
from whilecore.groups import advantages

EASY, HARD = (1, 1, 1, 1), (1, 0, 0, 0)


def test_the_picture_reads_what_the_push_sends() -> None:
    names = set(spec.compiled(batch.picture()).datasets)
    assert names == batch.push([EASY, HARD], True, True).keys() - {"title", "summary", "table"}


def test_the_easy_task_is_pushed_up_try_by_try() -> None:
    # average of the eight: 5/8 = .625; 1 − .625 = .375, 0 − .625 = −.625
    pushes = batch.batch_pushes([EASY, HARD])
    assert pushes.tolist() == [[0.375] * 4, [0.375, -0.625, -0.625, -0.625]]
    assert pushes.sum(1).tolist() == [1.5, -1.5]


@pytest.mark.parametrize(("left", "right"), list(product(product((0, 1), repeat=2), repeat=2)))
def test_one_average_differs_from_own_averages_by_the_difference_of_the_tasks(
    left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    shared, own = batch.batch_pushes([left, right]), advantages([left, right])
    shift = np.mean([left, right], axis=1) - np.mean([left, right])
    assert shared - own == pytest.approx(np.repeat(shift[:, None], 2, axis=1))


def test_equally_hard_tasks_lose_nothing() -> None:
    pushed = batch.push([HARD, HARD], True, True)
    assert "changes nothing" in pushed["title"]
    own, shared = pushed["table"]["push, own average"], pushed["table"]["push, batch average"]
    assert own == shared


def test_the_title_says_which_way_and_how_far() -> None:
    assert batch.push([EASY, HARD], True, True)["title"].endswith(
        "pushes the easier task up by 1.5 in all"
    )
    assert batch.push([(0, 0, 0, 0), HARD], True, True)["title"].endswith(
        "pushes the harder task down by 0.5 in all"
    )


@pytest.mark.parametrize(("own", "shared"), [(False, False), (True, False)])
def test_what_is_not_told_yet_is_not_sent(own: bool, shared: bool) -> None:
    pushed = batch.push([EASY, HARD], own, shared, answer="up")
    words = [pushed["title"], pushed["summary"], *pushed["words"]["words"]]
    said = " ".join([*words, *pushed["tries"]["push"], *pushed["tries"]["short"]])
    assert "375" not in said and "+1.5" not in said and "625" not in said
    assert ("+0.75" in said) == own
    assert pushed["answer"]["said"] == []
    assert ("push, own average" in pushed["table"]) == own
    assert "push, batch average" not in pushed["table"]
    bars = pushed["tries"]["from"] != pushed["tries"]["y"]
    assert bars.sum() == (4 if own else 0)  # the hard task's four; the easy one has none
    assert len(pushed["lines"]["y"]) == (2 if own else 0)


def test_the_learners_answer_stands_beside_the_left_task() -> None:
    answer = batch.push([EASY, HARD], True, True, answer="down")["answer"]
    assert answer["said"] == ["", "", "", "you: down"]
    assert answer["x"] == [0.5, 1.5, 2.5, 3.5]


def test_its_marks_cannot_be_flipped() -> None:
    assert set(batch.push([EASY, HARD], True, True)["tries"]["key"]) == {None}
