"""Lesson 1's words follow the core, and its challenges count as right what the core does."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

from whilecore import course
from whilecore.course import one_group
from whilecore.course.flips import Pattern
from whilecore.groups import advantages

SETTINGS = (Pattern("tries", "11101011"), one_group.REPEATS, one_group.EASE)
ALL = (True, True, True)


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def places(rewards: tuple[int, ...], told: tuple[bool, ...] = ALL, **moved: Any) -> dict[str, Any]:
    page = course.Page(SETTINGS)
    page.settle(**moved)
    return one_group.places(page, rewards, told)


@pytest.mark.parametrize(
    ("options", "right"),
    [
        (one_group.strongest, "the fail, −0.75"),
        (one_group.divided, "+1.73"),
        (one_group.shared, "pushes all four up, +0.375"),
    ],
)
def test_each_question_has_one_right_option_and_names_each_misconception(
    options: Any, right: str
) -> None:
    prediction = course.Prediction("x", "?", options())
    assert prediction.right == right
    assert len(prediction.labels) == 4


def test_every_answer_can_be_drawn() -> None:
    assert [one_group.ringed(one.label) for one in one_group.strongest()] == [
        (0, 1, 2), (3,), (0, 1, 2, 3), (),
    ]  # fmt: skip
    prediction = course.Prediction("01.divided", "?", one_group.divided())
    drawn = []
    for option in one_group.divided():
        prediction.answer = {"choice": option.label, "state": "answered"}
        drawn.append(one_group.guess(prediction))
    assert drawn == [0.0, 0.00075, 0.501, 1.73]
    prediction.answer = {"choice": "", "state": "skipped"}
    assert one_group.guess(prediction) is None
    words = [one_group.said_of(course.Prediction("01.shared", "?", one_group.shared()))]
    for option in one_group.shared():
        shared = course.Prediction("01.shared", "?", one_group.shared())
        shared.answer = {"choice": option.label, "state": "answered"}
        words.append(one_group.said_of(shared))
    assert words == ["", "0", "up", "down", "mixed"]


def test_the_close_rewards_are_told_with_the_second_answer_and_not_before() -> None:
    prediction = course.Prediction("01.divided", "?", one_group.divided())
    assert len(one_group.close(prediction)["pushes"]["x"]) == 0
    prediction.answer = {"choice": "+0.501", "state": "answered"}
    told = one_group.close(prediction)
    assert told["title"].endswith("like one pass among three fails: +1.73")
    assert told["answer"]["x"] == [0.501]


def test_the_bar_always_says_that_the_pushes_sum_to_0() -> None:
    for rewards in product((0, 1), repeat=5):
        assert text(places(rewards)["reading"]).startswith("pushes sum to 0")
    assert text(places((1, 1, 1, 0))["reading"]).endswith("3 × +0.25 and 1 × −0.75")
    assert text(places((1, 1, 1, 0))["push_reading"]).startswith(
        "3 × +0.25 and 1 × −0.75 sum to 0."
    )


def test_a_flip_is_named_as_the_cause() -> None:
    assert text(places((1, 1, 1, 1), tries="11111011")["reading"]).endswith("try 4 passes now")
    assert places((0, 1, 1, 1), tries="01111011")["say"].endswith("try 1 fails, try 4 passes now")
    assert text(places((1, 1), repeats=2)["reading"]).endswith("tries, k 4 → 2")


@pytest.mark.parametrize("rewards", list(product((0, 1), repeat=4)))
def test_the_update_is_the_groups_variance_and_half_the_mean_size(rewards: tuple[int, ...]) -> None:
    pushes = advantages(rewards)
    found = places(rewards)
    update = float(re.search(r'"pushes.update">([\d.]+)<', found["update_reading"])[1])
    size = float(re.search(r'"pushes.size">([\d.]+)<', found["push_reading"])[1])
    assert update == pytest.approx(np.var(rewards), abs=6e-4)
    assert size == pytest.approx(np.abs(pushes).mean(), abs=6e-4)
    assert size == pytest.approx(2 * update, abs=2e-3)


@pytest.mark.parametrize(
    ("rewards", "row"),
    [
        ((1, 1, 1, 0), "(3 × 0.25 × 1 + 1 × (−0.75) × 0) / 4 = 0.188"),
        ((1, 1, 1, 1), "(4 × 0 × 1) / 4 = 0.000"),
        ((0, 0), "(2 × 0 × 0) / 2 = 0.000"),
        ((1, 0, 0), "(1 × 0.667 × 1 + 2 × (−0.333) × 0) / 3 ≈ 0.222"),
    ],
)
def test_the_move_of_a_task_is_written_out(rewards: tuple[int, ...], row: str) -> None:
    assert text(places(rewards)["update_reading"]) == f"Your group: {row}."


@pytest.mark.parametrize("k", [2, 4, 8])
def test_the_expected_update_is_the_mean_over_all_ways_to_draw_the_group(k: int) -> None:
    p = one_group.RATE
    ways = np.array(list(product((0, 1), repeat=k)))
    chance = p ** ways.sum(1) * (1 - p) ** (k - ways.sum(1))
    mean = float(chance @ (advantages(ways) * ways).mean(1))
    assert mean == pytest.approx(p * (1 - p) * (k - 1) / k)
    told = places((1, 0) * (k // 2))["expected_reading"]
    assert f'"pushes.expected">{mean:.3f}<' in told


def test_until_the_first_answer_no_place_holds_a_push() -> None:
    found = places((1, 1, 1, 0), (False, False, False))
    assert found["say"] is None
    told = " ".join(text(html) for name, html in found.items() if name != "say")
    assert not re.search(r"0\.25|0\.75|0\.375|2\.31|sum|strongest|1\.4|1\.5", told)


@pytest.mark.parametrize("told", [(True, False, False), (True, True, False), (True, False, True)])
def test_each_answer_uncovers_its_own_exhibit(told: tuple[bool, ...]) -> None:
    found = places((1, 1, 1, 0), told)
    assert ("GRPO-Zero" in found["conventions"]) == told[1]
    assert ("pushed up by" in text(found["batch_reading"])) == told[2]
    assert "2.31" in found["recipe_reading"]


@pytest.mark.parametrize("easy", range(5))
def test_the_shared_average_is_told_for_every_ease(easy: int) -> None:
    told = text(places((1, 0), easy=easy)["batch_reading"])
    # left task: easy/4 against (easy + 1)/8, four times: (easy − 1)/2
    expected = {0: "down by 0.50", 1: "does no harm", 2: "up by 0.50", 3: "up by 1.00"}
    assert expected.get(easy, "up by 1.50") in told


def test_two_of_sixteen_ways_are_silent() -> None:
    # 1111 and 0000
    assert one_group.silent_ways() == 2
    assert one_group.silent_ways(2) == 2


def test_two_and_two_is_the_loudest_group_of_four() -> None:
    # Σ|A| = 2c(k − c)/k: 0, 1.5, 2, 1.5, 0
    assert list(one_group.totals().values()) == pytest.approx([0, 1.5, 2, 1.5, 0])
    assert one_group.is_loudest("11001111", 4)
    assert not one_group.is_loudest("11101111", 4)
    assert not one_group.is_loudest("11001111", 5)


def test_a_refusal_says_what_the_group_lacks() -> None:
    assert "differ" in one_group.not_grown("11111111", 4)
    for tries, repeats in (("11001111", 4), ("11111111", 8)):
        assert "differ" not in one_group.not_grown(tries, repeats)
    assert "four tries" in one_group.not_grown("11101011", 8)


def test_three_and_one_grows_most_when_divided() -> None:
    assert one_group.growths() == pytest.approx({1: 4 / 3**0.5, 2: 2, 3: 4 / 3**0.5})
    assert one_group.grows_most("11101111", 4)
    assert one_group.grows_most("00010000", 4)
    assert not one_group.grows_most("11001111", 4)
    assert not one_group.grows_most("11111111", 4)
    assert not one_group.grows_most("11101111", 8)
