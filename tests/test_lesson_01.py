"""Lesson 1 runs at both ends of every control and shows what the core computes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from tests.test_lessons import FOLDER, run
from whilecore.charts import baseline
from whilecore.groups import advantages

PATH = FOLDER / "01_one_group.py"


def first(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 1 by a link and return what its cells define."""
    return run(PATH, **settings)


@pytest.mark.parametrize(
    ("rewards", "easy"),
    list(product([(1, 1), (0, 0), (1, 0), (1,) * 8, (0,) * 8, (1, 0) * 4], [0, 4])),
)
def test_at_both_ends_of_every_control_the_pushes_are_the_cores(
    rewards: tuple[int, ...], easy: int
) -> None:
    tries = "".join(map(str, rewards)).ljust(baseline.SLOTS, "1")
    defs = first(tries=tries, repeats=len(rewards), easy=easy)
    assert defs["pushes"].tolist() == advantages(rewards).tolist()
    assert defs["page"].slots["reading"]


def test_every_control_changes_what_is_sent() -> None:
    def sent(**settings: int | str) -> dict[str, Any]:
        defs = first(**settings)
        board = defs["board"]
        return {name: getattr(board, f"chart_{name}") for name in ("group", "recipes", "batch")}

    start = sent()
    assert sent(tries="11111011")["group"] != start["group"]
    assert sent(repeats=2)["group"] != start["group"]
    assert sent(easy=0)["batch"] != start["batch"]


def test_before_an_answer_no_push_is_sent_anywhere() -> None:
    defs = first()
    board = defs["board"]
    charts = [getattr(board, f"chart_{name}") for name in ("group", "recipes", "close", "batch")]
    told = " ".join([*charts, *map(str, defs["page"].slots.values()), defs["page"].said])
    assert not re.search(r"0\.25|0\.75|0\.375|1\.73|2\.31|strongest", told)
    for name in ("strongest", "divided", "shared"):
        assert defs[name].feedback == []


def test_the_numbers_in_the_prose_are_the_cores() -> None:
    text = PATH.read_text(encoding="utf-8")
    assert "the pass by +0.5, the fail by −0.5" in text
    assert advantages([1, 0]).tolist() == [0.5, -0.5]
    assert baseline.SLOTS == 8 and "here 2 to 8" in text


def test_the_text_is_as_long_as_a_lesson() -> None:
    text = PATH.read_text(encoding="utf-8")
    prose = " ".join(re.findall(r'f?"""(.*?)"""', text, re.DOTALL)[1:])
    words = re.findall(r"[\w’'-]+", re.sub(r"<[^>]+>|\{[^}]*\}", " ", prose))
    assert 400 <= len(words) <= 900
