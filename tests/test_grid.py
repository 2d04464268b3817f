"""Every task a row, every try a mark at a place of its own."""

from __future__ import annotations

import numpy as np
import pytest

from tests import pictures
from whilecore.charts import grid, spec


def test_the_picture_reads_its_four_datasets() -> None:
    datasets = set(spec.compiled(grid.picture()).datasets)
    assert datasets == {"tries", "ghosts", "tasks", "tallies"}


def test_tallies_belong_to_the_pass_rates_and_name_their_task_s_fate_when_it_is_told() -> None:
    # hand: a is kept, b agrees, c is too hard
    told = grid.push(pictures.hand(), True, "seed 0")["tallies"]
    assert told["tally"] == ["3/4", "2/2", "1/6"]
    assert told["link"] == ["pass_at"] * 3
    assert told["fate"] == ["kept", "unanimous", "band"]
    assert grid.push(pictures.hand(), False, "seed 0")["tallies"]["fate"] == [""] * 3


def test_every_row_of_the_run_is_one_mark_at_a_place_of_its_own() -> None:
    tries = grid.push(pictures.printed(), True, "seed 0")["tries"]
    places = set(zip(tries["x"].tolist(), tries["y"].tolist(), strict=True))
    assert len(tries["x"]) == len(places) == 64


def test_marks_and_ghosts_fill_the_lanes_of_the_tasks_without_overlap() -> None:
    # 16 tasks, two lanes of 16: 512 places, 64 of them taken
    pushed = grid.push(pictures.printed(), True, "seed 0")
    ghosts = set(zip(pushed["ghosts"]["x"], pushed["ghosts"]["y"], strict=True))
    taken = set(zip(pushed["tries"]["x"], pushed["tries"]["y"], strict=True))
    assert len(ghosts) == 512 - 64
    assert not ghosts & taken


def test_32_tries_of_16_tasks_stay_on_the_grid() -> None:
    pushed = grid.push(pictures.big(), True, "seed 0")
    assert len(pushed["tries"]["x"]) == 512
    assert max(pushed["tries"]["x"]) < grid.RIGHT
    assert max(pushed["tries"]["y"]) < grid.LINES


def test_title_and_endings_say_what_the_report_says() -> None:
    pushed = grid.push(pictures.printed(), True, "seed 0")
    assert pushed["title"] == "29 of 64 tries are left, in 11 of 16 tasks (seed 0)"
    kept = [int(text.split()[1]) for text in pushed["tasks"]["ending"] if text.startswith("kept")]
    assert (len(kept), sum(kept)) == (11, 29)
    assert sum(pushed["table"]["kept"]) == 29


@pytest.mark.parametrize("selection", [pictures.hand(), pictures.printed()])
def test_before_the_answer_nothing_tells_a_fate(selection: pictures.Selection) -> None:
    pushed = grid.push(selection, False, "seed 0")
    told = pictures.text_of(
        {name: pushed[name] for name in ("tries", "tasks", "tallies", "table", "title")}
    )
    assert not any(word in told for word in pictures.FATE_WORDS)


def test_a_table_without_rows_is_an_empty_grid() -> None:
    pushed = grid.push(pictures.nothing(), True, "seed 0")
    assert len(pushed["tries"]["x"]) == 0
    assert np.asarray(pushed["tasks"]["y"]).size == 0
