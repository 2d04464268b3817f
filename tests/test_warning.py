"""A strip of correlations that says which stand over their floor."""

from __future__ import annotations

import numpy as np

from whilecore.charts import spec, warning

R = np.array([0.5, -0.4, 0.1, np.nan])
FLOOR = np.array([0.2, 0.2, 0.2, np.nan])


def test_the_picture_reads_floor_and_steps() -> None:
    assert set(spec.compiled(warning.picture()).datasets) == {"floor", "steps"}


def test_steps_over_the_floor_on_either_side_are_marked_and_undefined_ones_left_out() -> None:
    pushed = warning.push(R, FLOOR, True, "seed 0")
    assert pushed["steps"]["x"].tolist() == [1, 2, 3]
    assert pushed["steps"]["clears"].tolist() == [1, 1, 0]
    assert pushed["title"] == "Longer is paid more, over the floor, in 1 of 4 steps (seed 0)"
    assert "under its mirror in 1, undefined in 1" in pushed["summary"]
    assert pushed["floor"]["low"].tolist() == [-0.2] * 3


def test_before_the_answer_nothing_is_sent() -> None:
    pushed = warning.push(R, FLOOR, False, "seed 0")
    assert len(pushed["steps"]["x"]) == len(pushed["floor"]["x"]) == 0
    assert pushed["table"]["step"] == [] and "1 of 4" not in pushed["title"]
