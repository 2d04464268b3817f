"""Lesson 10 runs at both ends of every control and shows what the toy does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.test_lessons import FOLDER, run
from whilecore.course import wrong_judge
from whilecore.overoptimise import best_of_n_curve, biased_judge_world
from whilecore.training import train

PATH = FOLDER / "10_when_the_judge_is_wrong.py"
CHARTS = ("climb", "warning", "brake", "distance", "forms")


def tenth(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 10 by a link and return what its cells define."""
    return run(PATH, **settings)


def sent(defs: Mapping[str, Any]) -> dict[str, str]:
    return {name: getattr(defs["board"], f"chart_{name}") for name in CHARTS}


@pytest.mark.parametrize(
    "settings",
    [
        {"bias": 0, "pull": 50, "best_of": "1", "seed": 9_999},
        {"bias": 100, "pull": 50, "best_of": "32"},
        {"bias": 100, "pull": 0, "best_of": "1", "seed": 9_999},
        {"bias": 0, "pull": 0, "best_of": "32"},
    ],
)
def test_at_both_ends_of_every_control_it_shows_what_the_core_computes(
    settings: dict[str, Any],
) -> None:
    defs, bias = tenth(**settings), settings["bias"] / 100
    plan = defs["runs"].plan
    assert (plan.bias, plan.kl) == (bias, settings["pull"] / 100)
    assert (defs["runs"].held_out == train(biased_judge_world(), plan).held_out).all()
    curve = best_of_n_curve(biased_judge_world(), bias, wrong_judge.DRAWS)
    assert (defs["picks"].true_rate == curve.true_rate).all()
    assert all(sent(defs).values())


@pytest.mark.parametrize("move", [{"bias": 30}, {"seed": 1}, {"pull": 25}], ids=str)
def test_every_control_changes_what_is_sent(move: dict[str, int]) -> None:
    before, after = tenth(), tenth(**move)
    assert (
        sent(before) != sent(after) or (before["runs"].held_out != after["runs"].held_out).any()
    ), move


def test_the_true_rate_peaks_and_falls_in_all_twenty_runs() -> None:
    defs = tenth()
    true = defs["runs"].held_out
    assert true.shape == (20, 61)
    assert (true.max(1) > true[:, 0] + 0.03).all() and (true[:, -1] < true[:, 0] - 0.1).all()
    truth = defs["exact"].held_out[0]
    assert (round(truth[0], 2), round(truth.max(), 2), round(truth[-1], 2)) == (0.65, 0.72, 0.51)


def test_before_an_answer_nothing_of_the_truth_is_sent() -> None:
    defs = tenth()
    told = " ".join([*sent(defs).values(), *map(str, defs["page"].slots.values())])
    assert not re.search(r"0\.(51|72|65)(?!\d)|fall|below its start|20 of 20", told)
    for name in ("curve", "same"):
        assert defs[name].feedback == []


def test_the_text_is_as_long_as_a_lesson_and_its_questions_give_nothing_away() -> None:
    text = PATH.read_text(encoding="utf-8")
    prose = " ".join(re.findall(r'f?"""(.*?)"""', text, re.DOTALL)[1:])
    words = re.findall(r"[\w’'-]+", re.sub(r"<[^>]+>|\{[^}]*\}", " ", prose))
    assert 400 <= len(words) <= 900
    assert "fall" not in words and "falls" not in words
