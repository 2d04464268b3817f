"""Rows a visitor brings: what is read, what is refused, and what could be read instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from whilecore.course import your_rows
from whilecore.course.your_rows import given, menu, overrides, pass_cut, read
from whilecore.readers import SAMPLES


@dataclass
class Upload:
    """What ``mo.ui.file`` hands over."""

    name: str
    contents: bytes


ROWS = b'{"task": "a", "reward": 1}\n{"task": "a", "reward": 0}\n'
FIRST = your_rows.SAMPLE.default


def test_an_upload_comes_before_a_paste_and_a_paste_before_the_sample() -> None:
    up = Upload("mine.jsonl", ROWS)
    assert given([up], "pasted", FIRST).kind == "upload"
    assert given([], ROWS.decode(), FIRST).kind == "paste"
    assert given([], "  \n", FIRST).kind == "sample"
    assert len(read(given([], ROWS.decode(), FIRST)).rollouts) == 2


def test_a_size_over_the_limit_is_refused_on_the_server_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(your_rows, "LIMIT", len(ROWS) - 1)
    what = given([Upload("mine.jsonl", ROWS)], "", FIRST)
    assert what.data == b""
    found = read(what)
    assert "give a part that holds whole tasks" in found.error
    assert len(found.rollouts) == 0
    monkeypatch.setattr(your_rows, "LIMIT", len(ROWS))
    assert read(given([Upload("mine.jsonl", ROWS)], "", FIRST)).error == ""


def test_a_paste_over_its_limit_is_to_be_uploaded() -> None:
    assert "upload it as a file" in read(given([], "x" * 1_000_001, FIRST)).error


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.jsonl", b"", "is empty"),
        ("rows.xlsx", b"\x00\x01\x02\x03\x04", "save the rollouts as one JSON object per line"),
        ("rows.csv", b"task,reward\n", "give a file with rows"),
        ("rows.jsonl.gz", b"\x1f\x8b\x08\x00broken", "cannot be unpacked"),
        ("deep.json", b"[" * 100_000, ""),
    ],
)
def test_a_bad_file_is_a_sentence_and_no_rows(name: str, data: bytes, says: str) -> None:
    found = read(given([Upload(name, data)], "", FIRST))
    assert found.error
    assert says in found.error
    assert len(found.rollouts) == 0


def test_a_name_with_folders_is_told_without_them() -> None:
    found = read(given([Upload("C:\\secret\\mine.jsonl", ROWS)], "", FIRST))
    assert found.report is not None
    assert found.report.source == "mine.jsonl"


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_is_on_the_menu_and_shows_its_fault(name: str) -> None:
    found = read(given([], "", name))
    faults = {
        "crashes_scored_zero.jsonl": found.report is not None and len(found.report.bad) == 2,
        "every_try_its_own_id.csv": found.choices["task"][:1] == ("ticket",),
        "two_steps_two_rewards.jsonl": found.choices["reward"][:3]
        == ("correct_reward", "style_reward", "correct_reward + style_reward"),
    }
    assert faults[name]


def test_a_menu_starts_as_found_and_does_not_offer_what_is_taken() -> None:
    lines = menu("reward", read(given([], "", FIRST)))
    assert next(iter(lines.items())) == ("as found: reward", "")
    assert "reward" not in list(lines.values())
    assert "none" in menu("repeat", read(given([], "", FIRST))).values()


def test_two_long_names_that_are_cut_alike_are_two_lines() -> None:
    names = "n" * 60 + "1", "n" * 60 + "2"
    row = f'{{"task": "a", "reward": 1, "{names[0]}": 1, "{names[1]}": 2}}\n'
    lines = menu("task", read(given([Upload("a.jsonl", row.encode() * 2)], "", FIRST)))
    assert set(names) <= set(lines.values())


def test_what_the_menus_say_is_what_is_read() -> None:
    what = given([], "", "two_steps_two_rewards.jsonl")
    chosen: dict[str, Any] = {"reward": "style_reward", "step": "pool", "task": "", "reply": None}
    found = read(what, overrides(chosen))
    assert found.report is not None
    assert found.report.columns["reward"] == "style_reward"


def test_training_steps_are_pooled_only_when_told() -> None:
    rows = b"".join(
        b'{"step": %d, "task": "a", "reward": %d}\n' % (n // 4, n % 2) for n in range(8)
    )
    what = given([Upload("steps.jsonl", rows)], "", FIRST)
    assert read(what).rollouts.n_tasks == 2
    assert read(what, overrides({"step": "pool"})).rollouts.n_tasks == 1


@pytest.mark.parametrize("typed", ["half", "nan", "inf", "1e999", "x" * 500])
def test_a_cut_that_is_no_number_is_said(typed: str) -> None:
    cut, wrong = pass_cut(typed)
    assert cut is None
    assert wrong.startswith("a pass must be a reward of at least some number")
    assert len(wrong) < 120
