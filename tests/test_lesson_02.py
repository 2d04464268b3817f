"""Lesson 2 runs at both ends of every control and shows what the core computes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from tests.test_lessons import FOLDER, run
from whilecore.course import agreeing
from whilecore.groups import unanimous_probability

PATH = FOLDER / "02_unanimous_groups.py"
CHARTS = ("silence", "luck", "odds", "mixtures")


def second(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 2 by a link and return what its cells define."""
    return run(PATH, **settings)


def sent(defs: Mapping[str, Any]) -> dict[str, str]:
    return {name: getattr(defs["board"], f"chart_{name}") for name in CHARTS}


@pytest.mark.parametrize(
    ("rate", "repeats", "seed", "spread"),
    [
        *product((0, 100), (2, 20), (0,), (0, 50)),
        (50, 20, 9_999, 50),
        (95, 2, 9_999, 0),
    ],
)
def test_at_both_ends_of_every_control_the_lesson_shows_what_was_drawn(
    rate: int, repeats: int, seed: int, spread: int
) -> None:
    defs = second(rate=rate, repeats=repeats, seed=seed, spread=spread)
    passed = agreeing.draw(rate / 100, repeats, seed)
    assert defs["silent"].tolist() == agreeing.agree(passed).tolist()
    assert defs["predicted"] == pytest.approx(100 * unanimous_probability(rate / 100, repeats))
    assert all(sent(defs).values())


@pytest.mark.parametrize(
    "move",
    [{"rate": 90}, {"repeats": 5}, {"seed": 1}, {"spread": 0}],
    ids=lambda move: next(iter(move)),
)
def test_every_control_changes_what_is_sent(move: dict[str, int]) -> None:
    assert sent(second(**move)) != sent(second())


def test_before_an_answer_no_count_is_sent_anywhere() -> None:
    defs = second()
    told = " ".join([*sent(defs).values(), *map(str, defs["page"].slots.values())])
    assert not re.search(r"\b19 of 100|(19\.4|12\.5)\\?[u%& ]|65\.6|groups agree:", told)
    assert '"sign":["–"' not in told and "all_pass" not in told
    for name in ("lucky", "apart"):
        assert defs[name].feedback == []


def test_the_text_is_as_long_as_a_lesson() -> None:
    text = PATH.read_text(encoding="utf-8")
    prose = " ".join(re.findall(r'f?"""(.*?)"""', text, re.DOTALL)[1:])
    words = re.findall(r"[\w’'-]+", re.sub(r"<[^>]+>|\{[^}]*\}", " ", prose))
    assert 400 <= len(words) <= 900
