"""Lesson 3 runs at both ends of its controls and shows what the core files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import whilecore as wc
from tests.test_lessons import FOLDER, run
from whilecore import filing
from whilecore.course import filed

THIRD = FOLDER / "03_the_band.py"


def third(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 3 by a link and return what its cells define."""
    return run(THIRD, **settings)


@pytest.mark.parametrize(
    ("repeats", "band", "skill"),
    [
        (2, (0, 50), "mixed"),
        (2, (50, 50), "u-shaped"),
        (64, (50, 100), "flat"),
        (64, (0, 100), "u-shaped"),
    ],
)
def test_it_runs_at_both_ends_of_every_control(
    repeats: int, band: tuple[int, int], skill: str
) -> None:
    low, high = band
    tasks = third(repeats=repeats, band_low=low, band_high=high, skill=skill, truth="shown",
                  seed=9_999)["tasks"]  # fmt: skip
    assert len(tasks.labels) == 16
    assert set(tasks.rows.tolist()) == {repeats}
    assert tasks.band == (low / 100, high / 100)


def test_what_it_files_is_what_the_gates_keep() -> None:
    @wc.tool
    def get_order(order_id: str) -> dict[str, str]:
        """Look up an order by id."""
        return {}

    for repeats in (4, 9):
        agent = wc.seeded_agent([get_order], rate=0.5, skill="mixed")
        tries = wc.simulate(agent, repeats=repeats, budget=16 * repeats, seed=filed.SEED.default)
        frame = tries.grade(wc.judges.answer_key).frame.assign(leak=False)
        gates = wc.Rollouts.from_frame(frame).select(mode="rl", duplicates="keep").gates
        assert gates is not None
        kept = gates.group == wc.gates.RL_FATES.index("kept")
        assert third(repeats=repeats)["tasks"].kept.tolist() == kept.tolist()


def test_every_control_changes_what_is_filed() -> None:
    start = third(repeats=8)["tasks"]
    moves: dict[str, dict[str, int | str]] = {
        "repeats": {"repeats": 16},
        "band from": {"repeats": 8, "band_low": 40},
        "band to": {"repeats": 8, "band_high": 60},
        "skill": {"repeats": 8, "skill": "flat"},
        "seed": {"repeats": 8, "seed": 15},
    }
    for name, move in moves.items():
        moved = third(**move)["tasks"]
        assert not (
            np.array_equal(moved.kept, start.kept) and np.array_equal(moved.passes, start.passes)
        ), name


def test_the_start_seed_is_typical() -> None:
    # misfiled of 16 at 4 to 64 tries, within 1.5 tasks of the mean of 100 seeds
    from whilecore.course.filed import runs

    mean = runs("mixed", (0.2, 0.8)).mean(axis=0)
    for k in (4, 8, 16, 32, 64):
        assert abs(third(repeats=k)["tasks"].misfiled.mean() - mean[k - 2]) < 1.5 / 16


def test_a_true_rate_on_the_strip_is_the_agent_s() -> None:
    tasks = third()["tasks"]
    assert filing.truly_inside(tasks.true, tasks.band).sum() == tasks.truly.sum() == 11
