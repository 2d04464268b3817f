"""Lesson 11 as a program: its settings reach the core, and every control is read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from tests.test_lessons import FOLDER, notebook
from whilecore.course import your_rows

PATH = FOLDER / "11_your_rollouts.py"


def eleventh(**settings: Any) -> Mapping[str, Any]:
    """Run lesson 11 with its settings replaced and return what its cells define."""
    now: dict[str, Any] = {"band": (0.2, 0.8), "cut": None, "measure_on": "scored", "seed": 0,
                           "wrong_cut": ""} | settings  # fmt: skip
    _, defs = notebook(PATH).app.run(defs=now)
    return dict(defs)


@pytest.mark.parametrize(
    ("band", "measure_on", "cut"),
    [*product(((0.0, 0.5), (0.5, 1.0)), ("scored", "surviving"), (None, 1.0)), ((0.5, 0.5),
     "scored", None)],
)  # fmt: skip
def test_lesson_11_shows_what_the_core_selects(
    band: tuple[float, float], measure_on: str, cut: float | None
) -> None:
    defs = eleventh(band=band, measure_on=measure_on, cut=cut)
    rows = defs["taken"].rollouts
    expected = rows.select("rl", band=band, measure_on=measure_on, pass_at_least=cut).report
    assert defs["counted"].rl.report == expected
    assert sum(expected["row_fates"].values()) == len(rows) == 118


def test_another_file_is_read_and_a_bad_one_stops_nothing() -> None:
    lines = b'{"task": "a", "reward": 1}\n{"task": "a", "reward": 0}\n'
    for data, kept in ((lines, 2), (b"", 0)):
        given = your_rows.Given("mine.jsonl", data, "upload")
        defs = eleventh(given=given, found=your_rows.read(given))
        assert defs["counted"].rl.report["kept"] == kept


def test_as_a_script_it_prints_how_the_file_was_read_and_the_blocks() -> None:
    ran = subprocess.run([sys.executable, str(PATH)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("crashes_scored_zero.jsonl: verifiers results")
    assert "\nrl selection: kept 47 of 118 rows" in ran.stdout
