"""A hundred groups, each at its place; those that agree are framed once they may be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import pictures
from whilecore.charts import silence, spec
from whilecore.course.agreeing import draw

HAND = np.array([[1, 1], [1, 0], [0, 0], [0, 1]], dtype=bool)


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(silence.picture()).datasets) == {"tries", "frames", "ghosts"}


def test_groups_that_agree_are_framed_emptied_and_counted() -> None:
    pushed = silence.push(HAND, True, "by hand")
    assert pushed["title"] == "2 of 4 groups agree: 1 all pass, 1 all fail (by hand)"
    assert pushed["frames"]["left"].round().tolist() == [0, 2]
    assert pushed["frames"]["link"].tolist() == ["all_pass", "all_fail"]
    assert pushed["tries"]["full"].tolist() == [0, 0, 1, 1, 0, 0, 1, 1]
    assert pushed["tries"]["sign"].tolist() == ["–", "–", "", "", "–", "–", "", ""]
    assert pushed["table"]["groups"].tolist() == [1, 2, 1]  # no pass, one pass, two passes


@pytest.mark.parametrize("k", [2, 3, 4, 7, 12, 20])
def test_every_try_has_a_place_of_its_own_inside_its_cell(k: int) -> None:
    tries = silence.push(draw(0.65, k, 0), True, "")["tries"]
    places = set(zip(tries["x"].tolist(), tries["y"].tolist(), strict=True))
    assert len(places) == 100 * k
    assert (np.floor(tries["x"]) + 10 * np.floor(tries["y"])).tolist() == (
        np.repeat(np.arange(100), k).tolist()
    )


def test_a_group_keeps_its_cell_when_tries_are_added() -> None:
    def shapes(k: int) -> Any:
        tries = silence.push(draw(0.65, k, 0), True, "")["tries"]
        return tries["shape"].reshape(100, k)

    assert (shapes(20)[:, :4] == shapes(4)).all()


def test_before_the_answer_only_the_first_ten_groups_are_sent_and_none_is_marked() -> None:
    pushed = silence.push(draw(0.65, 4, 0), False, "65 %")
    assert len(pushed["tries"]["x"]) == 40
    assert set(pushed["tries"]["full"]) == {1}
    assert set(pushed["tries"]["sign"]) == set(pushed["tries"]["link"]) == {""}
    assert len(pushed["frames"]["left"]) == 0
    assert len(pushed["ghosts"]["x"]) == 90
    assert len(pushed["table"]["passes"]) == 10
    assert "agree" not in pictures.text_of(pushed)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_where_all_agree_every_group_is_framed(rate: float) -> None:
    assert len(silence.push(draw(rate, 20, 0), True, "")["frames"]["left"]) == 100


def test_signs_are_left_out_where_marks_are_too_small_to_hold_one() -> None:
    assert set(silence.push(draw(1.0, 6, 0), True, "")["tries"]["sign"]) == {"–"}
    assert set(silence.push(draw(1.0, 7, 0), True, "")["tries"]["sign"]) == {""}
