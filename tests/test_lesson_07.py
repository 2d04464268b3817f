"""Lesson 7 runs at both ends of every control and shows what the core computes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from tests.test_lessons import FOLDER, run
from whilecore.course import keeping
from whilecore.rejection import rejection_sample

PATH = FOLDER / "07_keep_the_passes.py"
CHARTS = ("copied", "picks", "quality", "rules", "reach")


def seventh(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 7 by a link and return what its cells define."""
    return run(PATH, **settings)


def sent(defs: Mapping[str, Any]) -> dict[str, str]:
    return {name: getattr(defs["board"], f"chart_{name}") for name in CHARTS}


@pytest.mark.parametrize(
    ("completions", "noise", "rule", "seed"),
    [*product((1, 30), (0, 150), ("best",), (0,)), (1, 150, "pass", 9_999), (30, 0, "all", 9_999)],
)  # fmt: skip
def test_at_both_ends_of_every_control_the_lesson_shows_what_was_drawn(
    completions: int, noise: int, rule: str, seed: int
) -> None:
    defs = seventh(completions=completions, noise=noise, rule=rule, seed=seed)
    expected = rejection_sample(keeping.RATES, completions, noise=noise / 100, seed=seed)
    name = keeping.RULES[rule]
    assert defs["run"].picks[name].tolist() == expected.picks[name].tolist()
    assert all(sent(defs).values())


@pytest.mark.parametrize(
    "move", [{"completions": 11}, {"noise": 25}, {"seed": 1}], ids=lambda move: next(iter(move))
)
def test_every_control_changes_what_is_sent(move: dict[str, int]) -> None:
    assert sent(seventh(**move)) != sent(seventh())


def test_before_an_answer_nothing_of_it_is_sent_anywhere() -> None:
    defs = seventh()
    told = " ".join([*sent(defs).values(), *map(str, defs["page"].slots.values())])
    assert not re.search(r"(keeps|copies) 16|copied\D{1,9}1|\b1\.59|65\.1|random pass: ", told)
    assert '"rings":{"x":[],"y":[]}' in told
    for name in ("kept", "coarse", "reached"):
        assert defs[name].feedback == []


def test_the_text_is_as_long_as_a_lesson() -> None:
    text = PATH.read_text(encoding="utf-8")
    prose = " ".join(re.findall(r'f?"""(.*?)"""', text, re.DOTALL)[1:])
    words = re.findall(r"[\w’'-]+", re.sub(r"<[^>]+>|\{[^}]*\}", " ", prose))
    assert 400 <= len(words) <= 900
