"""Pass rates before and after, as lines."""

from __future__ import annotations

import numpy as np

from tests import pictures
from tests.test_survivors import ELEVEN, rollouts
from whilecore.charts import slopes, spec
from whilecore.survivors import shift

THREE = [(1, 0), (1, 0), (1, 0), (0, 1)]
MOVED = shift(rollouts({"a": ELEVEN, "b": THREE, "c": THREE}))


def test_the_picture_reads_its_four_datasets() -> None:
    assert set(spec.compiled(slopes.picture()).datasets) == {"band", "lines", "ends", "heads"}


def test_tasks_with_the_same_rates_share_a_line_as_wide_as_they_are_many() -> None:
    lines = slopes.push(MOVED, True, "seed 0")["lines"]
    # 11/16 → 1/6 once, 3/4 → 1/2 twice
    assert np.allclose(lines["y"], [11 / 16, 3 / 4])
    assert np.allclose(lines["y2"], [1 / 6, 1 / 2])
    assert lines["crossed"].tolist() == [1, 0]
    assert np.allclose(lines["width"], [2.1, 3.0])


def test_the_end_of_a_crossing_line_has_another_shape() -> None:
    ends = slopes.push(MOVED, True, "seed 0")["ends"]
    after = [
        (y, shape) for x, y, shape in zip(ends["x"], ends["y"], ends["shape"], strict=True) if x
    ]
    assert after == [(1 / 6, "triangle-down"), (1 / 2, "circle")]
    assert [text for x, text in zip(ends["x"], ends["text"], strict=True) if x] == ["×1", "×2"]


def test_numbers_that_would_print_over_each_other_are_left_to_the_table() -> None:
    close = shift(rollouts({"a": [(1, n) for n in range(9)] + [(0, 9)] * 1,
                            "b": [(1, n) for n in range(10)] + [(0, 10)] * 1}))  # fmt: skip
    ends = slopes.push(close, True, "seed 0")["ends"]  # 0.9 and 0.909
    assert [text for x, text in zip(ends["x"], ends["text"], strict=True) if x] == ["×1", ""]


def test_title_and_table_say_which_tasks_cross() -> None:
    pushed = slopes.push(MOVED, True, "seed 0")
    assert pushed["title"] == "Removing copies moves 1 of 3 tasks across a band edge (seed 0)"
    assert pushed["table"]["copies removed"] == ["1/6", "1/2", "1/2"]
    assert pushed["table"]["crosses the band"] == ["yes", "no", "no"]


def test_before_the_answer_only_the_rates_before_are_there() -> None:
    pushed = slopes.push(MOVED, False, "seed 0")
    assert not pushed["lines"]["x"]
    assert set(pushed["ends"]["x"]) == {0}
    assert "1/6" not in pictures.text_of(pushed)
    assert list(pushed["table"]) == ["task", "all scored tries"]


def test_tasks_without_a_try_left_are_no_line() -> None:
    gone = shift(rollouts({"a": [(0, 0), (0, 1)]}, leak=(0, 1)))
    pushed = slopes.push(gone, True, "seed 0")
    assert not len(pushed["lines"]["x"])
    assert not pushed["ends"]["x"]
