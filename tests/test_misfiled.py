"""Misfiled tasks against tries: exact, over 100 seeds, and in this run."""

from __future__ import annotations

import numpy as np
import pytest

from tests.test_cells import TASKS
from whilecore.charts import misfiled, spec
from whilecore.course.filed import runs
from whilecore.filing import misfiled_share

RUNS = runs("mixed", (0.2, 0.8))


def test_the_picture_reads_its_four_datasets() -> None:
    datasets = set(spec.compiled(misfiled.picture()).datasets)
    assert datasets == {"even", "seeds", "named", "now"}


def test_the_dashed_line_is_the_exact_share() -> None:
    pushed = misfiled.push(TASKS, 8, RUNS, True, True, "seed 0")
    assert pushed["even"]["y"][8 - 2] == misfiled_share(8)
    assert pushed["named"]["text"] == ["26 %", "21 %", "16.5 %", "11 %", "8 %"]


def test_line_and_shade_are_the_mean_and_middle_of_the_runs() -> None:
    seeds = misfiled.push(TASKS, 8, RUNS, True, True, "seed 0")["seeds"]
    assert np.allclose(seeds["y"], RUNS.mean(axis=0))
    assert (seeds["low"] <= seeds["y"]).all()
    assert (seeds["y"] <= seeds["high"]).all()


def test_this_run_s_share_is_sent_only_with_the_true_rates() -> None:
    # 3 of the 8 tasks are on the wrong side
    assert misfiled.push(TASKS, 8, RUNS, True, True, "x")["now"] == {"x": [8], "y": [3 / 8]}
    hidden = misfiled.push(TASKS, 8, RUNS, True, False, "x")
    assert hidden["now"] == {"x": [8], "y": [None]}
    assert "this run" not in hidden["title"]


@pytest.mark.parametrize("name", ["even", "seeds", "named", "now", "table"])
def test_before_the_answer_the_picture_is_empty(name: str) -> None:
    assert not any(misfiled.push(TASKS, 8, RUNS, False, True, "x")[name].values())


@pytest.mark.parametrize(("share", "words"), [(0.16453, "16.5 %"), (0.262, "26 %"), (0.1, "10 %")])
def test_a_share_has_a_decimal_only_where_it_matters(share: float, words: str) -> None:
    assert misfiled.percent(share) == words
