"""Lesson 4 runs at both ends of its controls and shows what the core selects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.test_lessons import FOLDER, run

FOURTH = FOLDER / "04_copies.py"


def fourth(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 4 by a link and return what its cells define."""
    return run(FOURTH, **settings)


@pytest.mark.parametrize(
    ("variety", "mistakes", "repeats"),
    [(0, 0, 2), (100, 100, 2), (0, 100, 32), (100, 0, 32), (100, 35, 32)],
)
def test_it_runs_at_both_ends_of_every_control(variety: int, mistakes: int, repeats: int) -> None:
    defs = fourth(variety=variety, mistakes=mistakes, repeats=repeats, seed=9_999)
    for one, how in ((defs["rl"], "scored"), (defs["other"], "surviving")):
        assert one.report["measure_on"] == how
        assert sum(one.report["row_fates"].values()) == 16 * repeats
    assert (
        defs["rl"].report["row_fates"]["duplicate"]
        == (defs["other"].report["row_fates"]["duplicate"])
    )


def test_both_selections_lose_the_same_copies_and_keep_other_tasks() -> None:
    defs = fourth(repeats=16)
    copies = [(one.fate_names == "duplicate").tolist() for one in (defs["rl"], defs["other"])]
    assert copies[0] == copies[1]
    assert (defs["rl"].report["kept"], defs["other"].report["kept"]) == (79, 39)


def test_every_control_changes_the_account() -> None:
    start = fourth()["rl"].report
    for name, value in {"variety": 60, "mistakes": 20, "repeats": 8, "seed": 1}.items():
        assert fourth(**{name: value})["rl"].report != start, name
