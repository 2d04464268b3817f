"""Shape and colour say pass or fail, filling says kept."""

from __future__ import annotations

import numpy as np
import pandas as pd

import whilecore as wc
from tests import pictures
from whilecore.charts import marks
from whilecore.gates import RL_FATES


def test_every_fate_has_a_look() -> None:
    assert set(marks.LOOKS) == set(RL_FATES)


def test_a_pass_is_a_circle_a_fail_a_square_and_an_unscored_try_a_diamond() -> None:
    rows = pd.DataFrame({"task": ["a", "a", "a"], "reward": [1, 0, None]})
    selection = wc.Rollouts.from_frame(rows).select(mode="rl")
    shapes = marks.columns(selection, [0, 1, 2], revealed=True)["shape"]
    assert list(shapes) == ["circle", "square", "diamond"]


def test_only_kept_rows_are_filled_and_only_dropped_rows_carry_a_sign() -> None:
    selection = pictures.hand()
    drawn = marks.columns(selection, np.arange(12), revealed=True)
    assert np.flatnonzero(drawn["full"]).tolist() == selection.kept.tolist() == [0, 3]
    assert [sign == "" for sign in drawn["sign"]] == [bool(full) for full in drawn["full"]]


def test_without_a_reveal_all_rows_look_kept_and_no_fate_is_told() -> None:
    drawn = marks.columns(pictures.hand(), np.arange(12), revealed=False)
    assert drawn["full"].all()
    assert set(drawn["link"]) | set(drawn["sign"]) == {""}
