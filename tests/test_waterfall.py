"""Every row a mark, taken out of the wall by the gate that drops it."""

from __future__ import annotations

import numpy as np
import pytest

from tests import pictures
from whilecore.charts import spec, waterfall


def step_counts(pushed: dict[str, object]) -> list[int]:
    """Count the marks of every column by where they stand."""
    x = np.asarray(pushed["bricks"]["x"])  # type: ignore[index]  # a nested plain dict
    return np.bincount(np.floor(x).astype(int), minlength=len(waterfall.STEPS)).tolist()


def test_the_picture_reads_its_four_datasets() -> None:
    datasets = set(spec.compiled(waterfall.picture()).datasets)
    assert datasets == {"bricks", "steps", "levels", "answer"}


def test_marks_per_column_are_the_page_s_account() -> None:
    # 64 drawn; 3 by row gates, 27 copies, 5 without contrast, 0 by the band, 29 kept
    pushed = waterfall.push(pictures.printed(), True, "seed 0", None)
    assert step_counts(pushed) == [64, 3, 27, 5, 0, 29]
    assert pushed["steps"]["count"] == ["64", "−3", "−27", "−5", "0", "29"]


def test_what_a_gate_takes_and_what_is_kept_make_up_the_wall() -> None:
    pushed = waterfall.push(pictures.hand(), True, "seed 0", None)
    drawn, *gates = step_counts(pushed)
    assert drawn == sum(gates) == 12
    bricks = pushed["bricks"]
    first = np.floor(bricks["x"]) == 0
    places = bricks["x"] % 1 + 100 * bricks["y"]
    assert np.allclose(np.sort(places[first]), np.sort(places[~first]))


def test_levels_go_down_from_all_rows_to_the_kept_ones() -> None:
    levels = np.asarray(waterfall.push(pictures.printed(), True, "seed 0", None)["levels"]["y"])
    assert np.allclose(levels, np.array([64, 61, 34, 29, 29]) / 64)


def test_many_rows_share_a_mark_and_the_sentence_says_so() -> None:
    pushed = waterfall.push(pictures.big(), True, "seed 0", None)
    assert step_counts(pushed)[0] == 128
    assert "One mark stands for 4 rows." in pushed["summary"]
    assert pushed["title"].endswith("(seed 0; one mark for 4 rows)")


def test_the_answer_is_drawn_at_its_height_and_only_after_the_reveal() -> None:
    selection = pictures.printed()
    assert waterfall.push(selection, True, "seed 0", 44)["answer"]["y"] == [44 / 64]
    assert waterfall.push(selection, False, "seed 0", 44)["answer"]["y"] == []


@pytest.mark.parametrize("selection", [pictures.hand(), pictures.printed()])
def test_before_the_answer_only_the_wall_of_drawn_rows_is_sent(
    selection: pictures.Selection,
) -> None:
    pushed = waterfall.push(selection, False, "seed 0", None)
    assert step_counts(pushed)[1:] == [0] * 5
    assert set(pushed["bricks"]["link"]) == {""}
    assert pushed["steps"]["count"][1:] == ["?"] * 5
    assert pushed["table"] == {"step": ["drawn"], "rows": [selection.report["rows"]]}


def test_rows_before_the_answer_are_stacked_by_verdict_alone() -> None:
    shapes = waterfall.push(pictures.printed(), False, "seed 0", None)["bricks"]["shape"]
    changes = sum(a != b for a, b in zip(shapes, shapes[1:], strict=False))
    assert changes == 1


def test_a_table_without_rows_is_an_empty_wall() -> None:
    pushed = waterfall.push(pictures.nothing(), True, "seed 0", 3)
    assert step_counts(pushed) == [0] * 6
    assert pushed["answer"]["y"] == []
