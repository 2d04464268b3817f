"""Tasks kept and dropped by where they belong, and a random pick beside the band."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests import pictures
from whilecore.charts import cells, spec
from whilecore.filing import Filing

# Of eight tasks with 8 tries: two agree, two are mixed and outside, four are kept. Truly in the
# band: one that agrees, one of those dropped, three of the kept.
TASKS = Filing(
    labels=np.array(list("abcdefgh"), dtype=object),
    passes=np.array([0, 8, 1, 7, 4, 4, 4, 4]),
    rows=np.full(8, 8),
    true=np.array([0.3, 0.9, 0.5, 0.9, 0.5, 0.5, 0.5, 0.95]),
    band=(0.2, 0.8),
)


def pushed(truth: bool = True, answer: int | None = None) -> dict[str, Any]:
    return cells.push(TASKS, True, truth, 0, "seed 0", answer)


def in_cell(units: dict[str, Any], left: float, column: int, row: int) -> int:
    """Count the marks whose place lies in a cell."""
    x, y = np.asarray(units["x"]) - left - column, np.asarray(units["y"]) - row
    return int(((0 < x) & (x < 1) & (0 < y) & (y < 1)).sum())


def test_the_picture_reads_its_four_datasets() -> None:
    assert set(spec.compiled(cells.picture()).datasets) == {"frames", "units", "words", "answer"}


def test_every_task_is_one_mark_in_its_cell_of_the_band() -> None:
    units = pushed()["units"]
    # dropped in: a, c; kept in: e, f, g; dropped out: b, d; kept out: h
    found = [in_cell(units, 0.0, column, row) for row in (0, 1) for column in (0, 1)]
    assert found == [2, 3, 2, 1]
    assert len(units["x"]) == 16
    assert [units["wrong"][at] for at in range(8)] == [1, 0, 1, 0, 0, 0, 0, 1]


def test_counts_on_the_picture_are_the_marks_in_the_cells() -> None:
    shown = pushed()
    counts = [int(text) for text in shown["words"]["text"] if text.isdigit()]
    assert counts[:4] == [2, 2, 3, 1]  # dropped in, dropped out, kept in, kept out
    assert sum(counts[4:]) == 8


def test_the_random_pick_keeps_as_many_and_only_mixed_tasks() -> None:
    units = pushed(truth=False)["units"]
    full = np.array(units["full"])
    assert full[:8].sum() == full[8:].sum() == 4
    assert not full[8:][[0, 1]].any()  # a and b agree throughout


def test_a_hundred_random_picks_misfile_what_they_must_on_average() -> None:
    # 4 of the 6 mixed are picked; of these c e f g (4) are truly in, d h (2) out, and a is lost
    # anyway. Expected: 1 + 4·(1/3) + 2·(2/3) = 3.67; sd of the mean of 100 under 0.1.
    assert abs(cells.misfiled_at_random(TASKS, 0) - 11 / 3) < 0.45


def test_without_the_truth_no_mark_and_no_number_tells_it() -> None:
    shown = pushed(truth=False)
    assert not any(shown["units"]["wrong"])
    assert set(shown["units"]["shape"]) == {"circle"}
    assert "truly" not in pictures.text_of(shown)
    assert "misfiles" not in shown["title"]


def test_before_the_answer_no_task_is_placed() -> None:
    shown = cells.push(TASKS, False, True, 0, "seed 0", 5)
    assert not shown["units"]["x"]
    assert not shown["answer"]["text"]
    assert not any(text.isdigit() for text in shown["words"]["text"])
    assert shown["title"] == "What the band keeps: answer or skip to uncover"


def test_the_learner_s_answer_is_as_many_marks_under_what_the_band_drops() -> None:
    lane = pushed(answer=5)["answer"]
    said = [text for text, mine in zip(lane["text"], lane["said"], strict=True) if mine]
    assert said == ["you said: 5", "", "", "", "", ""]
    assert lane["text"].count("") - 5 == 2  # c and d, which the band drops
    assert not any(pushed()["answer"]["said"])


def test_title_and_table_say_what_the_cells_say() -> None:
    shown = pushed()
    assert shown["title"].startswith("The band misfiles 3 of 8 tasks, a random pick 3.")
    assert shown["table"]["the band"] == [3, 1, 2, 2]  # kept in, kept out, dropped in, dropped out
    assert pushed(truth=False)["title"].startswith("4 of 8 tasks kept; of 6 mixed ones the band")
