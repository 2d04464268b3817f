"""Every lesson runs headless, with its defaults and at both ends of every control."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

import whilecore as wc
from whilecore.course.catalogue import lessons, read

FOLDER = Path(__file__).parent.parent / "lessons"
LESSONS = sorted(FOLDER.glob("[0-9][0-9]_*.py"))
SIXTH = FOLDER / "06_which_rows_to_train_on.py"


def notebook(path: Path) -> ModuleType:
    """Import a lesson."""
    spec = importlib.util.spec_from_file_location(f"lesson_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(
    path: Path, defs: Mapping[str, Any] | None = None, /, **settings: int | str
) -> Mapping[str, Any]:
    """Run a lesson as a link opens it and return what its cells define.

    Args:
        path: The lesson.
        defs: Names whose cells do not run: what no link can say, such as an uploaded file.
        settings: The link's parameters, such as ``band_low=40``.

    Raises:
        AssertionError: If the page refuses a parameter, knows none of that name, or settles on
            another value.
    """
    query = {name: str(value) for name, value in settings.items()}
    with mock.patch("marimo.query_params", return_value=query) as asked:
        _, found = notebook(path).app.run(defs=dict(defs or {}))
    assert asked.called
    page = found["page"]
    assert page.notices == []
    assert {name: page.values.get(name) for name in settings} == settings
    return dict(found)


def sixth(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 6 by a link and return what its cells define."""
    return run(SIXTH, **settings)


def test_there_are_lessons_and_each_says_what_it_is() -> None:
    assert LESSONS
    for path in LESSONS:
        assert read(path).minutes <= 12
    assert len(lessons(FOLDER)) == len(LESSONS)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_runs_with_its_defaults(path: Path) -> None:
    outputs, _ = notebook(path).app.run()
    assert outputs


def test_marimo_finds_nothing_to_mend() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "marimo", "check", "--strict", *map(str, LESSONS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    "wrong",
    [{"repeats": 99}, {"repeats": "4.0"}, {"band_low": 23}, {"judge": "nobody"}, {"tries": 4}],
    ids=str,
)
def test_a_setting_that_no_link_may_say_fails_a_test(wrong: dict[str, int | str]) -> None:
    with pytest.raises(AssertionError):
        sixth(**wrong)


@pytest.mark.parametrize(
    ("repeats", "band", "judge", "judge_share", "source"),
    [
        *product((2, 32), ((0, 50), (50, 100)), ("answer_key", "coin"), (0, 100), ("simulated",)),
        (4, (50, 50), "names_the_order", 50, "simulated"),
        (4, (0, 100), "looked_up_and_led", 0, "printed"),
    ],
)
def test_lesson_6_shows_what_the_core_selects(
    repeats: int, band: tuple[int, int], judge: str, judge_share: int, source: str
) -> None:
    low, high = band
    defs = sixth(
        repeats=repeats,
        band_low=low,
        band_high=high,
        judge=judge,
        judge_share=judge_share,
        source=source,
    )
    expected = defs["scored"].select(mode="rl", band=(low / 100, high / 100))
    assert defs["rl"].report == expected.report
    assert sum(defs["rl"].report["row_fates"].values()) == len(defs["scored"])
    assert len(defs["scored"]) == (64 if source == "printed" else 16 * repeats)


def test_every_control_of_lesson_6_changes_the_account() -> None:
    start = sixth()["rl"].report
    moves: dict[str, dict[str, int | str]] = {
        "repeats": {"repeats": 8},
        "budget": {"repeats": 8, "hold": "budget"},
        "band": {"repeats": 8, "band_low": 40, "band_high": 60},
        "judge": {"judge": "coin"},
        "judge share": {"judge_share": 100},
        "seed": {"seed": 1},
        "source": {"source": "printed"},
    }
    for name, move in moves.items():
        assert sixth(**move)["rl"].report != start, name


def test_lesson_6_as_a_script_prints_the_three_blocks() -> None:
    ran = subprocess.run([sys.executable, str(SIXTH)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("pass@1 ")
    assert any(line.startswith("sft selection: kept ") for line in lines)
    assert any(line.startswith("rl selection: kept ") for line in lines)


def test_the_page_s_program_and_lesson_6_start_from_the_same_rows() -> None:
    @wc.tool
    def get_order(order_id: str) -> dict:
        """Look up an order by id."""
        ...

    data = wc.simulate(
        wc.seeded_agent([get_order]), tools=[get_order],
        system_prompt="Help customers with orders.", simulator=False, mode="rl",
        repeats=4, repeat_policy="fixed", budget=64, seed=0,
    )  # fmt: skip
    scored = data.grade(judge=lambda row: {"reward": int(not row["seeded"])})
    report = scored.select(mode="rl").report
    assert sixth()["rl"].report == report
