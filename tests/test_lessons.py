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


def sixth(**settings: Any) -> Mapping[str, Any]:
    """Run lesson 6 with its settings replaced and return what its cells define."""
    now: dict[str, Any] = {"repeats": 4, "budget": 64, "band": (0.2, 0.8), "seed": 0,
                           "judge_name": "answer_key", "judge_share": 0.0,
                           "source": "simulated"} | settings  # fmt: skip
    _, defs = notebook(SIXTH).app.run(defs=now)
    return dict(defs)


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
    ("repeats", "band", "judge_name", "judge_share", "source"),
    [
        *product((2, 32), ((0.0, 0.5), (0.5, 1.0)), ("answer_key", "coin"), (0.0, 1.0),
                 ("simulated",)),
        (4, (0.5, 0.5), "names_the_order", 0.5, "simulated"),
        (4, (0.0, 1.0), "looked_up_and_led", 0.0, "printed"),
    ],
)  # fmt: skip
def test_lesson_6_shows_what_the_core_selects(
    repeats: int, band: tuple[float, float], judge_name: str, judge_share: float, source: str
) -> None:
    defs = sixth(
        repeats=repeats,
        budget=16 * repeats,
        band=band,
        judge_name=judge_name,
        judge_share=judge_share,
        source=source,
    )
    assert defs["rl"].report == defs["scored"].select(mode="rl", band=band).report
    assert sum(defs["rl"].report["row_fates"].values()) == len(defs["scored"])
    assert len(defs["scored"]) == (64 if source == "printed" else 16 * repeats)


def test_every_control_of_lesson_6_changes_the_account() -> None:
    start = sixth()["rl"].report
    moves = {
        "repeats": {"repeats": 8, "budget": 128},
        "budget": {"repeats": 8},
        "band": {"repeats": 8, "budget": 128, "band": (0.4, 0.6)},
        "judge": {"judge_name": "coin"},
        "judge share": {"judge_share": 1.0},
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
