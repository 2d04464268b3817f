"""Lesson 8 runs at both ends of every control and shows what the core computes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from tests.test_lessons import FOLDER, run
from whilecore.refill import fill_batch

PATH = FOLDER / "08_refill_the_batch.py"
CHARTS = ("lanes", "costs", "patience")


def eighth(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 8 by a link and return what its cells define."""
    return run(PATH, **settings)


def sent(defs: Mapping[str, Any]) -> dict[str, str]:
    return {name: getattr(defs["board"], f"chart_{name}") for name in CHARTS}


@pytest.mark.parametrize(
    ("repeats", "rate", "batch", "seed"),
    [*product((2, 16), (0, 100), (8,), (0,)), (2, 50, 32, 9_999), (16, 99, 32, 0)],
)
def test_at_both_ends_of_every_control_the_lesson_shows_what_was_drawn(
    repeats: int, rate: int, batch: int, seed: int
) -> None:
    defs = eighth(repeats=repeats, rate=rate, batch=batch, seed=seed)
    core = fill_batch([rate / 100], repeats, batch, per_draw=4, limit=10 * batch // 4, seed=seed)
    assert defs["fills"][1].passes.tolist() == core.passes.tolist()
    assert all(sent(defs).values())


@pytest.mark.parametrize(
    "move",
    [{"repeats": 9}, {"rate": 90}, {"batch": 8}, {"seed": 1}],
    ids=lambda move: next(iter(move)),
)
def test_every_control_changes_what_is_drawn(move: dict[str, int]) -> None:
    moved, start = (one["fills"][1].passes.tolist() for one in (eighth(**move), eighth()))
    assert moved != start


def test_before_an_answer_nothing_of_it_is_sent_anywhere() -> None:
    defs = eighth()
    told = " ".join([*sent(defs).values(), *map(str, defs["page"].slots.values())])
    assert not re.search(r"800 rollouts|times as many|2\.97|23\.8|62\.9|99\.6", told)
    for name in ("climb", "never"):
        assert defs[name].feedback == []


def test_the_text_is_as_long_as_a_lesson() -> None:
    text = PATH.read_text(encoding="utf-8")
    prose = " ".join(re.findall(r'f?"""(.*?)"""', text, re.DOTALL)[1:])
    words = re.findall(r"[\w’'-]+", re.sub(r"<[^>]+>|\{[^}]*\}", " ", prose))
    assert 400 <= len(words) <= 900
