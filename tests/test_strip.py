"""Where the tries put a task, and where it truly is."""

from __future__ import annotations

import numpy as np

from tests import pictures
from whilecore.charts import spec, strip


def test_the_picture_reads_its_four_datasets() -> None:
    assert set(spec.compiled(strip.picture()).datasets) == {"band", "ticks", "tasks", "truth"}


def test_dots_stand_at_the_measured_rates_inside_their_intervals() -> None:
    # a: 3 of 4, b: 2 of 2, c: 1 of 6
    tasks = strip.push(pictures.hand(), True, "seed 0", False)["tasks"]
    assert np.allclose(tasks["x"], [3 / 4, 1, 1 / 6])
    assert (tasks["low"] <= tasks["x"]).all()
    assert (tasks["x"] <= tasks["high"]).all()
    assert tasks["full"].tolist() == [1, 0, 0]


def test_ticks_are_the_rates_that_the_commonest_number_of_tries_can_show() -> None:
    ticks = strip.push(pictures.printed(), True, "seed 0", False)["ticks"]["x"]
    assert np.asarray(ticks).tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_true_rates_are_sent_only_when_asked_for_and_known() -> None:
    assert strip.push(pictures.hand(), True, "seed 0", False)["truth"] == {"x": [], "y": []}
    shown = strip.push(pictures.hand(), True, "seed 0", True)
    assert np.asarray(shown["truth"]["x"]).tolist() == [0.6, 0.9, 0.1]
    assert "true" in shown["table"]
    assert strip.push(pictures.printed(), True, "seed 0", True)["truth"] == {"x": [], "y": []}


def test_misfiled_counts_tasks_on_the_other_side_of_an_edge() -> None:
    # a: 0.75 and 0.6 both inside; b: 1 and 0.9 both above; c: 0.17 and 0.1 both below
    selection = pictures.hand()
    assert strip.misfiled(selection, strip.true_rates(selection)) == 0
    # a truly at 0.95: measured inside, truly outside
    assert strip.misfiled(selection, np.array([0.95, 0.9, 0.1])) == 1


def test_before_the_answer_every_dot_looks_alike() -> None:
    pushed = strip.push(pictures.hand(), False, "seed 0", False)
    assert pushed["tasks"]["full"].tolist() == [1, 1, 1]
    assert set(pushed["tasks"]["link"]) == {""}
    assert "ending" not in pushed["table"]


def test_a_table_without_rows_says_so() -> None:
    assert "No task" in strip.push(pictures.nothing(), True, "seed 0", True)["title"]
