"""One dot per task, their mean with its interval, the truth and the noise floor."""

from __future__ import annotations

import pandas as pd
import pytest

import whilecore as wc
from whilecore.charts import paired, spec


def run(*rewards: int) -> wc.Rollouts:
    tasks = [f"t{at // 4}" for at in range(len(rewards))]
    return wc.Rollouts.from_frame(pd.DataFrame({"task": tasks, "reward": rewards}))


BEFORE = run(1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1)
AFTER = run(1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0)


def test_the_picture_reads_its_datasets() -> None:
    names = {"tasks", "mean", "floor", "truth"}
    assert set(spec.compiled(paired.picture()).datasets) == names


def test_each_task_has_a_dot_at_its_change_and_equal_ones_are_stacked() -> None:
    shown = wc.compare(BEFORE, AFTER)
    pushed = paired.push(shown, 0.1, 0.05, "steps 0 and 5")
    # changes +1/4, +1/4, −1/4
    assert pushed["tasks"]["x"].tolist() == [-0.25, 0.25, 0.25]
    assert pushed["tasks"]["y"][1] < pushed["tasks"]["y"][2]
    assert pushed["mean"]["x"] == [pytest.approx(1 / 12, abs=1e-4)]
    assert pushed["floor"]["low"] == [-0.05] and pushed["truth"]["x"] == [0.1]
    assert pushed["title"].startswith("Not shown to have moved: +0.083 [−")
    assert "3 tasks (steps 0 and 5)" in pushed["title"]


def test_the_tallest_stack_fits() -> None:
    many = wc.compare(run(*[1, 0] * 120), run(*[1, 0] * 120))
    assert max(paired.push(many, 0.0, 0.1, "")["tasks"]["y"]) < paired.TALLEST
