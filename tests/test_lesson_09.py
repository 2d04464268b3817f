"""Lesson 9 runs at both ends of every control and shows what the toy does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

import whilecore as wc
from tests.test_lessons import FOLDER, run
from whilecore.course import train_prove

PATH = FOLDER / "09_train_and_prove.py"
CHARTS = ("curves", "quiet", "leads", "paired")
START: dict[str, Any] = {"pool": "all", "match": "no", "by": "steps", "skill": "half",
                         "stop": 5, "held": 64, "leak": "none", "seed": 0}  # fmt: skip


def ninth(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 9 by a link and return what its cells define."""
    return run(PATH, **settings)


def sent(defs: Mapping[str, Any]) -> dict[str, str]:
    return {name: getattr(defs["board"], f"chart_{name}") for name in CHARTS}


@pytest.mark.parametrize(
    "settings",
    [
        {"pool": "oracle", "stop": 60, "held": 8, "seed": 9_999, "by": "rollouts"},
        {"pool": "middle once", "match": "every step", "skill": "one", "leak": "paraphrase"},
        {"pool": "middle re-measured", "held": 8, "leak": "task"},
    ],
)
def test_at_both_ends_of_every_control_it_shows_what_the_core_computes(
    settings: dict[str, int | str],
) -> None:
    defs, now = ninth(**settings), START | settings
    assert defs["page"].values == now
    assert defs["runs"].plan.pool == now["pool"] and defs["runs"].plan.match == now["match"]
    before, after = train_prove.evaluated(defs["runs"], now["stop"], now["held"])
    again = wc.compare(before, after)
    assert defs["shown"].interval == again.interval and len(again.tasks) == now["held"]
    assert all(sent(defs).values())


@pytest.mark.parametrize("move", [{"stop": 20}, {"held": 32}, {"seed": 1}, {"pool": "oracle"}])
def test_every_control_of_the_proof_changes_what_is_sent(
    move: dict[str, int | str],
) -> None:
    assert sent(ninth(**move))["paired"] != sent(ninth())["paired"]


def test_before_an_answer_no_end_is_sent_anywhere() -> None:
    defs = ninth()
    told = " ".join([*sent(defs).values(), *map(str, defs["page"].slots.values())])
    assert not re.search(r"91\.7|0\.9(18|67|43)|0\.892|ends highest|367", told)
    for name in ("highest", "left", "needed"):
        assert defs[name].feedback == []


def test_the_text_is_as_long_as_a_lesson() -> None:
    text = PATH.read_text(encoding="utf-8")
    prose = " ".join(re.findall(r'f?"""(.*?)"""', text, re.DOTALL)[1:])
    words = re.findall(r"[\w’'-]+", re.sub(r"<[^>]+>|\{[^}]*\}", " ", prose))
    assert 400 <= len(words) <= 900
