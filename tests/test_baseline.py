"""Every bar runs from the group's average to the try's reward, and nothing tells it too early."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from tests import pictures
from whilecore.charts import baseline, spec


def test_the_picture_reads_its_five_datasets() -> None:
    names = set(spec.compiled(baseline.picture()).datasets)
    assert names == {"levels", "tries", "lines", "words", "answer"}


def test_three_passes_and_a_fail_stand_around_their_average() -> None:
    # mean (1 + 1 + 1 + 0)/4 = 0.75; 1 − 0.75 = 0.25, 0 − 0.75 = −0.75
    pushed = baseline.push([1, 1, 1, 0], True)
    assert pushed["title"] == "3 of 4 tries pass: the lone fail gets −0.75"
    assert pushed["tries"]["push"].tolist() == ["+0.25", "+0.25", "+0.25", "−0.75"]
    assert pushed["tries"]["from"].tolist() == [0.75] * 4
    assert pushed["lines"]["y"] == [0.75]
    assert pushed["table"]["push"] == ["+0.25", "+0.25", "+0.25", "−0.75"]
    assert "average\n0.75" in pushed["words"]["words"]


@pytest.mark.parametrize("rewards", [r for k in (2, 3, 8) for r in product((0, 1), repeat=k)])
def test_in_every_group_bars_up_and_down_are_of_one_length(rewards: tuple[int, ...]) -> None:
    tries = baseline.push(rewards, True)["tries"]
    lengths = np.asarray(tries["y"]) - np.asarray(tries["from"])
    assert lengths.sum() == pytest.approx(0, abs=1e-12)
    assert (np.abs(lengths) > 0).all() == (0 < sum(rewards) < len(rewards))


@pytest.mark.parametrize("mark", [0, 1])
def test_a_group_that_agrees_is_outlined_with_the_sign_of_no_contrast(mark: int) -> None:
    pushed = baseline.push([mark] * 4, True)
    assert pushed["title"].endswith("no push at all")
    assert pushed["tries"]["sign"].tolist() == ["–"] * 4
    assert pushed["tries"]["full"].tolist() == [0] * 4
    assert pushed["tries"]["from"].tolist() == pushed["tries"]["y"].tolist()
    assert pushed["tries"]["push"].tolist() == ["0"] * 4


@pytest.mark.parametrize("rewards", [(1, 1, 1, 0), (0, 0), (1, 1, 1, 1, 1)])
def test_before_the_answer_neither_average_nor_push_is_sent(rewards: tuple[int, ...]) -> None:
    pushed = baseline.push(rewards, False, answer=(0,))
    for name in ("lines", "answer"):
        assert all(len(column) == 0 for column in pushed[name].values())
    assert set(pushed["tries"]["push"]) == set(pushed["tries"]["sign"]) == {""}
    assert pushed["tries"]["from"].tolist() == pushed["tries"]["y"].tolist()
    assert "push" not in pushed["table"]
    told = pictures.text_of(pushed)
    assert "average" not in told and "0.75" not in told and "no push" not in told


def test_marks_carry_the_number_by_which_a_click_flips_them() -> None:
    assert baseline.push([1, 0, 1], False)["tries"]["key"].tolist() == ["1", "2", "3"]


def test_the_learners_answer_is_ringed_where_its_tries_stand() -> None:
    ring = baseline.push([1, 1, 1, 0], True, answer=(3,))["answer"]
    assert ring == {"x": [3.5], "y": [0.0], "said": ["you"]}
    assert baseline.push([1, 1], True, answer=(0, 3))["answer"]["x"] == [0.5]


@pytest.mark.parametrize(
    ("rewards", "title"),
    [
        ((1, 0, 0, 0), "1 of 4 tries pass: the lone pass gets +0.75"),
        ((1, 1, 0, 0), "2 of 4 tries pass: every push is 0.5 long"),
        ((0, 0, 1, 1), "2 of 4 tries pass: every push is 0.5 long"),
        ((1, 1, 0, 0, 0), "2 of 5 tries pass: the 2 that pass get +0.60"),
        ((0, 0, 0), "All 3 tries fail: no push at all"),
    ],
)
def test_the_title_names_the_strongest_push(rewards: tuple[int, ...], title: str) -> None:
    assert baseline.push(rewards, True)["title"] == title


def test_columns_stay_where_they_are_whatever_the_number_of_tries() -> None:
    vega = json.loads(spec.compiled(baseline.picture()).vega)
    x = next(scale for scale in vega["scales"] if scale["name"] == "x")
    assert x["domain"] == [baseline.LEFT, baseline.SLOTS + baseline.RIGHT]
    few, many = (baseline.push([1, 0] * n, True)["tries"]["x"] for n in (1, 4))
    assert few.tolist() == many[:2].tolist()
