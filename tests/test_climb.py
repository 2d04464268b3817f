"""The judge's reward in sight, the truth only after the answer."""

from __future__ import annotations

import numpy as np

from whilecore.charts import climb, spec
from whilecore.course.wrong_judge import expected


def test_the_picture_reads_its_five_datasets() -> None:
    names = {"runs", "reward", "truth", "longer", "answer"}
    assert set(spec.compiled(climb.picture()).datasets) == names


def test_before_the_answer_only_the_reward_is_sent() -> None:
    run = expected(0.5, 0.0)
    pushed = climb.push(run, run, False, "half", run.held_out[0])
    assert pushed["reward"]["y"].tolist() == np.round(run.proxy[0], 4).tolist()
    assert all(len(pushed[name]["x"]) == 0 for name in ("runs", "truth", "longer", "answer"))
    assert set(pushed["table"]) == {"step", "judge's reward"}
    words = pushed["title"] + pushed["summary"]
    assert "0.74" in words and "0.51" not in words and "0.72" not in words


def test_afterwards_the_title_has_both_ends_and_the_learners_curve_is_drawn() -> None:
    run = expected(0.5, 0.0)
    pushed = climb.push(run, run, True, "half", np.linspace(0.6, 0.3, 61))
    assert pushed["title"] == (
        "The reward goes from 0.45 to 0.74, the true rate from 0.65 to 0.51 (half; 1 runs, seed 0)"
    )
    assert "over 0.72 at step 3" in pushed["summary"] and "3" in pushed["table"]["step"]
    assert pushed["answer"]["y"][[0, -1]].tolist() == [0.6, 0.3]
    assert pushed["truth"]["y"].max() == np.round(run.held_out.max(), 4)
