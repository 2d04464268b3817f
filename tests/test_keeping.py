"""Lesson 7's numbers are the core's, its answers computed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from whilecore import course
from whilecore.course import keeping
from whilecore.rejection import at_least_one, expected_best, rejection_sample


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html).replace("&nbsp;", " ").replace("\xa0", " ")


def places(told: tuple[bool, ...] = (True, True, True), **moved: Any) -> dict[str, Any]:
    page = course.Page(keeping.SETTINGS)
    for now in (page.settle(), page.settle(**moved)):
        noise, rule = int(now["noise"]) / 100, keeping.RULES[str(now["rule"])]
        run = rejection_sample(
            keeping.RATES, int(now["completions"]), noise=noise, seed=int(now["seed"])
        )
        shown = keeping.places(page, run, rule, noise, told)
    return shown


def test_sft_keeps_16_of_the_printed_43_and_each_wrong_answer_is_a_real_count() -> None:
    # 64 rows − 21 fails = 43 passes; 43 − 27 further passes = 16; RL keeps 29
    question = course.Prediction("07.copied", "?", keeping.copied())
    assert (question.labels, question.right) == (["43", "21", "16", "29"], "16")


def test_the_other_answers_are_no_gain_and_65_per_cent() -> None:
    coarse = course.Prediction("07.coarse", "?", keeping.coarse())
    reach = course.Prediction("07.reach", "?", keeping.reaching())
    assert (coarse.labels, coarse.right) == (["0", "+0.5", "+1.0", "+1.5"], "0")
    assert text(reach.right) == "65 %"
    coarse.answer = {"choice": "+1.5", "state": "answered"}
    reach.answer = {"choice": reach.labels[0], "state": "answered"}
    assert (keeping.guess(coarse), keeping.guess(reach)) == (1.5, 0.1)


@pytest.mark.parametrize(("n", "noise"), [(1, 0.0), (10, 0.5), (30, 0.0), (30, 1.5)])
def test_with_pass_or_fail_best_of_n_is_a_random_pass_and_beats_only_the_control(
    n: int, noise: float
) -> None:
    (best, flat, some, control), tasks = keeping.rules(n, noise, 0)
    assert tasks == rejection_sample(keeping.RATES.tolist() * 100, n, noise=noise).kept
    error = 4 / 1.96 * (flat.half + some.half)  # four standard errors, were the picks independent
    assert flat.mean == pytest.approx(some.mean, abs=error)
    if n == 1:
        assert best.mean == flat.mean == some.mean == control.mean
    else:
        assert some.mean > control.mean + control.half + some.half
        assert best.mean > some.mean + best.half + some.half


def test_the_challenges_answers_are_the_fewest() -> None:
    # 1 − .9¹⁵ = .794, 1 − .9¹⁶ = .815; E max of 9 normals 1.485, of 10 1.539
    assert keeping.fewest_for_chance(0.1, 0.8) == 16
    assert at_least_one(0.1, 15) < 0.8 <= at_least_one(0.1, 16)
    assert keeping.fewest_for_spread(1.5) == 10
    assert expected_best(9) < 1.5 <= expected_best(10)
    assert keeping.is_best({"noise": 0, "completions": 10})
    assert not keeping.is_best({"noise": 25, "completions": 10})
    assert not keeping.is_best({"noise": 0, "completions": 11})
    assert keeping.is_enough({"completions": 16}) and not keeping.is_enough({"completions": 17})


def test_readings_say_what_was_counted() -> None:
    shown = places()
    run = rejection_sample(keeping.RATES, 10, noise=0.5)
    assert text(shown["reading"]).startswith(f"copies {run.kept} of 12 tasks")
    assert "64 rows − 21 that fail − 27 further passes = 16" in text(shown["copied_reading"])
    assert "keeps 29" in text(shown["copied_reading"])
    assert "the chance is 65.1 %" in text(shown["reach_reading"])
    assert "Four give 34 %, thirty 96 %" in text(shown["reach_reading"])
    assert "what ran: a pass filter" in text(shown["ran"])
    assert places((True, False, True))["ran"] == places((False, True, True))["ran"] == ""
    assert "1.38 spreads above" in text(shown["rules_reading"])  # 1.539/√1.25 = 1.376


def test_before_the_answers_no_place_tells_one() -> None:
    shown = places((False, False, False))
    assert shown["say"] is None
    told = " ".join(text(html) for name, html in shown.items() if name != "say")
    assert not re.search(r"16|29|65|filter|\d\.\d", told)
    assert "hidden until you answer" in told


@pytest.mark.parametrize(
    ("moved", "words"),
    [
        ({"completions": 1}, "completions 10 → 1"),
        ({"rule": "pass"}, "no change: pick: any pass; another pick, on as many tasks"),
        ({"rule": "all"}, "+2: pick: any reply"),
        ({"noise": 0}, "−1: noise 50 → 0 %"),
        ({"noise": 75}, "no change: noise 50 → 75 %; as many tasks have a pass"),
    ],
)
def test_a_move_names_its_change_or_why_there_is_none(moved: dict[str, Any], words: str) -> None:
    assert words in text(places(**moved)["reading"])


def test_the_published_table_computes_its_gains() -> None:
    table = text(keeping.yuan())
    assert "41.7 (+5.8)" in table  # 41.7 − 35.9
    assert "54.5 (−0.1)" in table
    assert "49.3 (+13.4)" in table
