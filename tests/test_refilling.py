"""Lesson 8's numbers are the core's, its answers computed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from whilecore import course
from whilecore.course import refilling
from whilecore.refill import fill_batch, refill_factor


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html).replace("&nbsp;", " ").replace("\xa0", " ")


def places(told: tuple[bool, bool] = (True, True), **moved: Any) -> dict[str, Any]:
    page = course.Page(refilling.SETTINGS)
    for now in (page.settle(), page.settle(**moved)):
        rate = int(now["rate"]) / 100
        lanes = [
            refilling.fill(one, int(now["repeats"]), int(now["batch"]), int(now["seed"]))
            for one in (refilling.START, rate)
        ]
        shown = refilling.places(page, lanes, rate, told)
    return shown


def test_the_answers_are_about_three_times_and_never() -> None:
    # 1/(1 − .95⁸) = 2.97 against 1/(1 − .65⁸ − .35⁸) = 1.03: 2.88 times
    climb = course.Prediction("08.climb", "?", refilling.climbing())
    never = course.Prediction("08.never", "?", refilling.never())
    assert (climb.labels, climb.right) == (["same", "1.5×", "about 3×", "10×"], "about 3×")
    assert never.right == "never" and set(never.labels) == set(refilling.SAID)
    assert refilling.guess_times(climb) is None
    for label, times in zip(climb.labels, (1.0, 1.5, 3.0, 10.0), strict=True):
        climb.answer = {"choice": label, "state": "answered"}
        assert refilling.guess_times(climb) == times
    never.answer = {"choice": "half of the time", "state": "answered"}
    assert refilling.guess_chance(never) == 0.5
    assert refill_factor(0.98, 8) < 10 < refill_factor(0.99, 8)  # "near 99 %"


def test_a_lane_is_the_core_s_batch_with_a_limit_of_ten_batches() -> None:
    lane = refilling.fill(0.95, 8, 32, 0)
    core = fill_batch([0.95], 8, 32, per_draw=4, limit=80)
    assert lane.passes.tolist() == core.passes.tolist()
    assert len(refilling.fill(1.0, 8, 32, 0).task) == 320


def test_the_challenges_answers() -> None:
    # 1/(1 − .91⁸) = 1.89, 1/(1 − .92⁸) = 2.05; 2/(2pq) = 3/(3pq): two and three tries cost the same
    assert refilling.dearest_at_double(8) == 91
    assert refill_factor(0.91, 8) <= 2 < refill_factor(0.92, 8)
    assert refilling.is_double({"repeats": 8, "rate": 91})
    assert refilling.is_double({"repeats": 8, "rate": 9})
    assert not refilling.is_double({"repeats": 7, "rate": 91})
    assert not refilling.is_double({"repeats": 8, "rate": 92})
    assert refilling.cheapest() == (2, 3)


def test_readings_say_what_was_drawn_and_what_theory_expects() -> None:
    shown = places()
    assert text(shown["reading"]).startswith("800 rollouts")
    assert "67 of 100 groups agree" in text(shown["lanes_reading"])  # 33 live, 32 of them used
    assert "2.97 groups, 2.88 times as many as at 65 %" in text(shown["lanes_reading"])
    told = text(shown["costs_reading"])
    assert "with 4 tries 5.39 groups, 21.6 rollouts" in told
    assert "with 8 tries 2.97 groups, 23.8 rollouts" in told
    assert "with 16 tries 1.79 groups, 28.6 rollouts" in told
    assert "Share of live groups: 0.0159" in text(shown["stuck_reading"])
    assert "62.9 on average" in text(shown["stuck_reading"])


def test_before_the_answers_no_place_tells_one() -> None:
    shown = places((False, False))
    assert shown["say"] is None
    told = " ".join(text(html) for name, html in shown.items() if name != "say")
    assert not re.search(r"800|2\.\d|groups|better", told)
    assert "hidden until you answer" in told


@pytest.mark.parametrize(
    ("moved", "words"),
    [
        ({"rate": 65}, "−544: true rate 95 → 65 %"),
        ({"rate": 100}, "2,560 rollouts, not full+1760: true rate 95 → 100 %"),
        ({"batch": 8}, "batch, groups 32 → 8"),
    ],
)
def test_a_move_names_its_change(moved: dict[str, int], words: str) -> None:
    assert words in text(places(**moved)["reading"])


def test_where_no_group_is_ever_live_the_cost_is_no_number() -> None:
    assert "no number of draws gives a live group" in text(places(rate=0)["costs_reading"])
    assert "places are filled" in text(places(rate=0)["lanes_reading"])


def test_a_move_that_changes_nothing_says_why() -> None:
    page = course.Page(refilling.SETTINGS)
    for rate in (100, 0):
        page.settle(rate=rate)
        lanes = [refilling.fill(one, 8, 32, 0) for one in (refilling.START, rate / 100)]
        shown = refilling.places(page, lanes, rate / 100, (True, True))
    assert "no change: true rate 100 → 0 %; both end at the limit" in text(shown["reading"])


def test_the_ladder_s_steps_add_up() -> None:
    table = text(refilling.ladder())
    assert "dynamic sampling: refilling50+8" in table
    steps = [refilling._step(at) for at in range(1, 6)]
    assert sum(map(int, steps)) == 50 - 30
