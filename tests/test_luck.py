"""One dot per seed, what chance predicts, and the learner's own number."""

from __future__ import annotations

import pytest

from tests import pictures
from whilecore.charts import luck, spec

COUNTS = (19, 19, 13, 29)


def test_the_picture_reads_its_four_datasets() -> None:
    assert set(spec.compiled(luck.picture()).datasets) == {
        "seeds", "now", "expected", "answer",
    }  # fmt: skip


def test_the_height_of_a_bar_can_be_read_in_seeds() -> None:
    layers = luck.picture.__wrapped__().to_dict()["layer"]
    axes = [layer["encoding"]["y"]["axis"] for layer in layers
            if layer["encoding"].get("y", {}).get("axis")]  # fmt: skip
    assert axes
    assert all(axis["title"] == "seeds" and axis["values"] == [0, 5, 10, 15] for axis in axes)


def test_the_title_gives_the_range_and_what_chance_predicts() -> None:
    pushed = luck.push(COUNTS, 19, 19.36, True, "65 %", 35)
    assert pushed["title"] == (
        "Over 4 seeds 13 to 29 of 100 groups agree; chance predicts 19.4 (65 %)"
    )
    assert pushed["table"]["groups that agree"] == ["13", "19", "29"]
    assert pushed["table"]["seeds"].tolist() == [1, 2, 1]


def test_a_chance_near_0_is_not_called_0() -> None:
    assert "predicts under 0.1 (" in luck.push((0, 0), 0, 0.006, True, "50 %")["title"]


def test_bars_count_the_seeds_and_a_dot_stands_for_the_run_on_the_page() -> None:
    pushed = luck.push(COUNTS, 19, 19.4, True, "")
    assert pushed["seeds"]["y"].tolist() == [1, 2, 1]
    assert pushed["seeds"]["left"].tolist() == [12.54, 18.54, 28.54]
    assert pushed["now"] == {"x": [19], "y": [0.0]}


@pytest.mark.parametrize("count", [0, 100])
def test_a_hundred_equal_seeds_fit_into_the_picture(count: int) -> None:
    pushed = luck.push((count,) * 100, count, float(count), True, "")
    assert pushed["seeds"]["y"].tolist() == [luck.TALLEST]
    assert pushed["table"]["seeds"].tolist() == [100]


def test_the_learners_answer_is_drawn() -> None:
    assert luck.push(COUNTS, 19, 19.4, True, "", 35)["answer"] == {"x": [35], "said": ["you: 35"]}
    assert luck.push(COUNTS, 19, 19.4, True, "")["answer"] == {"x": [], "said": []}


def test_before_the_answer_no_count_is_sent() -> None:
    pushed = luck.push(COUNTS, 19, 19.4, False, "65 %", 35)
    told = pictures.text_of(pushed)
    assert "19" not in told and "29" not in told and "35" not in told
    for name in ("seeds", "now", "expected", "answer"):
        assert all(len(column) == 0 for column in pushed[name].values())
