"""Lesson 11 as a program: its settings reach the core, and every control is read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from itertools import product
from typing import Any
from unittest import mock

import marimo as mo
import pytest

from tests.test_lessons import FOLDER, run
from whilecore.course import your_rows

PATH = FOLDER / "11_your_rollouts.py"


def eleventh(
    defs: Mapping[str, Any] | None = None, cut: str = "", **settings: int | str
) -> Mapping[str, Any]:
    """Run lesson 11 by a link and return what its cells define.

    Args:
        defs: Names whose cells do not run, such as those of the file.
        cut: What is typed as the smallest reward that passes.
        settings: The link's parameters.
    """
    with mock.patch.object(your_rows, "cut_box", lambda: mo.ui.text(cut)):
        return run(PATH, defs, **settings)


@pytest.mark.parametrize(
    ("band", "measure_on", "cut"),
    [*product(((0, 50), (50, 100)), ("scored", "surviving"), ("", "1")), ((50, 50), "scored", "")],
)  # fmt: skip
def test_lesson_11_shows_what_the_core_selects(
    band: tuple[int, int], measure_on: str, cut: str
) -> None:
    low, high = band
    defs = eleventh(band_low=low, band_high=high, measure_on=measure_on, cut=cut)
    rows = defs["taken"].rollouts
    expected = rows.select(
        "rl",
        band=(low / 100, high / 100),
        measure_on=measure_on,
        pass_at_least=float(cut) if cut else None,
    ).report
    assert defs["counted"].rl.report == expected
    assert sum(expected["row_fates"].values()) == len(rows) == 118


def test_another_file_is_read_and_a_bad_one_stops_nothing() -> None:
    lines = b'{"task": "a", "reward": 1}\n{"task": "a", "reward": 0}\n'
    for data, kept in ((lines, 2), (b"", 0)):
        given = your_rows.Given("mine.jsonl", data, "upload")
        defs = eleventh({"given": given, "found": your_rows.read(given)})
        assert defs["counted"].rl.report["kept"] == kept


def test_as_a_script_it_prints_how_the_file_was_read_and_the_blocks() -> None:
    ran = subprocess.run([sys.executable, str(PATH)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("crashes_scored_zero.jsonl: verifiers results")
    assert "\nrl selection: kept 47 of 118 rows" in ran.stdout
