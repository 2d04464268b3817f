"""Lesson 2's draws are the simulator's, its numbers the core's."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

import whilecore as wc
from whilecore import course
from whilecore.course import agreeing
from whilecore.groups import unanimous_probability


@wc.tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html).replace("&nbsp;", " ").replace("\xa0", " ")


def places(told: tuple[bool, bool] = (True, True), **moved: Any) -> dict[str, Any]:
    page = course.Page(agreeing.SETTINGS)
    start = agreeing.draw(0.65, 4, 0)
    if moved:
        agreeing.places(page, start, told, 0.65, 0)
    now = page.settle(**moved)
    rate, seed = int(now["rate"]) / 100, int(now["seed"])
    passed = agreeing.draw(rate, int(now["repeats"]), seed)
    return agreeing.places(page, passed, told, rate, seed)


@pytest.mark.parametrize(("rate", "k", "seed"), [(0.65, 4, 0), (0.9, 16, 3), (0.1, 2, 9_999)])
def test_a_try_passes_where_the_simulated_agent_is_honest(rate: float, k: int, seed: int) -> None:
    agent = wc.seeded_agent([get_order], rate=1 - rate)
    tries = wc.simulate(agent, repeats=k, budget=100 * k, seed=seed)
    honest = (tries.frame["mistake"] == "").to_numpy().reshape(100, k)
    assert (agreeing.draw(rate, k, seed) == honest).all()


def test_raising_repeats_or_the_rate_leaves_earlier_luck_as_it_was() -> None:
    few, many = agreeing.draw(0.65, 4, 0), agreeing.draw(0.65, 20, 0)
    assert (many[:, :4] == few).all()
    assert (agreeing.draw(0.7, 4, 0) >= few).all()


def test_the_hundred_seeds_are_the_runs_one_would_draw() -> None:
    counts = agreeing.over_seeds(0.65, 4)
    assert len(counts) == 100
    for seed in (0, 1, 57, 99):
        assert counts[seed] == agreeing.agree(agreeing.draw(0.65, 4, seed)).sum()
    spread = agreeing.pool(40)
    mixed = agreeing.over_seeds(tuple(spread.tolist()), 4)
    assert mixed[7] == agreeing.agree(agreeing.draw(spread, 4, 7)).sum()


@pytest.mark.parametrize(("rate", "k"), list(product((0.5, 0.65, 0.9), (2, 4, 20))))
def test_the_mean_over_seeds_is_what_chance_predicts(rate: float, k: int) -> None:
    q = float(unanimous_probability(rate, k))
    error = 4 * np.sqrt(100 * q * (1 - q) / 100)  # four standard errors of a mean of 100 runs
    assert np.mean(agreeing.over_seeds(rate, k)) == pytest.approx(100 * q, abs=error + 1e-9)


@pytest.mark.parametrize("spread", range(0, 51, 5))
def test_every_pool_has_the_same_mean(spread: int) -> None:
    rates = agreeing.pool(spread)
    assert rates.mean() == pytest.approx(agreeing.MEAN)
    assert len(rates) == 100 and np.ptp(rates) == pytest.approx(2 * spread / 100)
    assert ((rates >= 0) & (rates <= 1)).all()


def test_the_first_answer_is_19_and_the_second_66() -> None:
    # .65⁴ + .35⁴ = .1785 + .0150 = .1935; .9⁴ + .1⁴ = .6562
    lucky = course.Prediction("02.lucky", "?", agreeing.lucky())
    apart = course.Prediction("02.apart", "?", agreeing.apart())
    assert (lucky.labels, lucky.right) == (["0", "5", "19", "35"], "19")
    assert (apart.labels, apart.right) == (["13", "50", "66", "100"], "66")
    lucky.answer = {"choice": "35", "state": "answered"}
    assert (agreeing.guess(lucky), agreeing.guess(apart)) == (35, None)


def test_the_fewest_tries_are_16_at_90_and_14_at_80() -> None:
    # .9¹⁵ = .206, .9¹⁶ = .185; .8¹³ = .055, .8¹⁴ = .044
    assert agreeing.fewest(0.9, 0.20) == 16
    assert agreeing.fewest(0.8, 0.05) == 14
    for rate, under in ((0.9, 0.20), (0.8, 0.05), (0.5, 0.3)):
        k = agreeing.fewest(rate, under)
        assert k is not None
        assert unanimous_probability(rate, k) < under
        assert k == 2 or unanimous_probability(rate, k - 1) >= under
    assert agreeing.is_fewest({"rate": 90, "repeats": 16}, 90, 0.20)
    assert agreeing.is_fewest({"rate": 10, "repeats": 16}, 90, 0.20)
    assert not agreeing.is_fewest({"rate": 90, "repeats": 17}, 90, 0.20)
    assert not agreeing.is_fewest({"rate": 80, "repeats": 16}, 90, 0.20)


def test_a_refusal_tells_this_run_from_chance() -> None:
    seen = agreeing.agree(agreeing.draw(0.9, 15, 0)).sum()
    now = {"rate": 90, "repeats": 15, "seed": 0}
    told = text(agreeing.not_fewest(now, 90, 0.20))
    assert "chance predicts 20.6 %, that is too many" in told  # .9¹⁵ = .2059
    assert f"This run has {seen} of 100" in told
    assert "fewer tries do" in agreeing.not_fewest(now | {"repeats": 17}, 90, 0.20)
    assert "set the true rate to 90" in agreeing.not_fewest(now | {"rate": 65}, 90, 0.20)


def test_the_readings_say_what_was_drawn_and_what_was_to_be_expected() -> None:
    found = places()
    passed = agreeing.draw(0.65, 4, 0)
    assert text(found["reading"]).startswith(f"agree {agreeing.agree(passed).sum()} of 100")
    counts = agreeing.over_seeds(0.65, 4)
    assert f"Over 100 seeds it is {min(counts)} to {max(counts)}." in text(found["luck_reading"])
    assert "predicts 19.4 of 100" in text(found["luck_reading"])
    assert text(found["known_reading"]).startswith(f"{passed.all(1).sum()} groups pass throughout")
    assert "agree 19.4 % of the time; 5 tries 12.1 %" in text(found["map_reading"])
    assert "12.5 % of groups agree" in text(found["pools_reading"])
    assert "Spread out: 65.6 %" in text(found["pools_reading"])


def test_until_the_answers_no_place_tells_a_count() -> None:
    found = places((False, False))
    assert found["say"] is None
    told = " ".join(text(html) for name, html in found.items() if name != "say")
    assert not re.search(r"19|18|65|12\.5|fifth|\d+ groups", told)
    assert "hidden until you answer" in told
    assert "65.6" not in text(places((True, False))["pools_reading"])


@pytest.mark.parametrize(
    ("moved", "words"),
    [
        ({"spread": 0}, "the spread acts on the pools further down"),
        ({"rate": 0, "repeats": 20}, "+81: true rate 65 → 0 %"),
    ],
)
def test_a_move_names_its_change_or_why_there_is_none(moved: dict[str, int], words: str) -> None:
    assert words in text(places(**moved)["reading"])


def test_no_change_of_tries_has_its_reason() -> None:
    page = course.Page(agreeing.SETTINGS)
    page.settle(rate=100)
    passed = agreeing.draw(1.0, 4, 0)
    agreeing.places(page, passed, (True, True), 1.0, 0)
    for repeats, why in ((5, "the new tries went along"), (4, "no group differed in those tries")):
        page.settle(repeats=repeats)
        told = agreeing.places(page, agreeing.draw(1.0, repeats, 0), (True, True), 1.0, 0)
        assert why in text(told["reading"])


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_at_the_ends_agreement_is_the_truth(rate: float) -> None:
    assert "the truth about the task" in text(places(rate=int(100 * rate))["known_reading"])
