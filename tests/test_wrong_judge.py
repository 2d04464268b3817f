"""What lesson 10 says about a judge that pays for length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from whilecore.course import wrong_judge
from whilecore.course.page import Page
from whilecore.overoptimise import biased_judge_world
from whilecore.training import train


def shown(page: Page, told: bool = True, **settings: object) -> dict[str, str]:
    now = page.settle(**settings)
    bias, pull = int(now["bias"]) / 100, int(now["pull"]) / 100
    plan = replace(wrong_judge.PLAN, bias=bias, kl=pull, seed=int(now["seed"]), runs=4)
    runs = train(biased_judge_world(), plan)
    exact = wrong_judge.expected(bias, pull)
    return wrong_judge.places(page, runs, exact, [told, told])


def test_the_right_answers_are_the_ones_the_runs_give() -> None:
    right = [one.label for one in wrong_judge.curve() if one.right]
    assert right == ["up, then down, below its start"]
    assert [one.label for one in wrong_judge.brake() if one.right] == ["the same"]


def test_the_challenges_are_solved_by_the_runs_themselves() -> None:
    truth = {
        pull: wrong_judge.expected(0.5, pull / 100).held_out[0] for pull in (20, 25, 30)
    }  # neighbours miss the start on either side
    assert truth[20][-1] < truth[20][0] < truth[30][-1]
    assert abs(truth[25][-1] - truth[25][0]) < 0.005
    assert wrong_judge.is_level({"bias": 50, "pull": 25})
    assert not wrong_judge.is_level({"bias": 50, "pull": 30})
    ends = {bias: wrong_judge.expected(bias / 100, 0.0).held_out[0] for bias in (20, 30)}
    assert ends[20][-1] > ends[20][0] and ends[30][-1] < ends[30][0]
    assert wrong_judge.is_largest({"bias": 20, "pull": 0})
    assert not wrong_judge.is_largest({"bias": 20, "pull": 5})


def test_a_sketch_is_drawn_for_every_answer_and_the_right_one_is_the_truth() -> None:
    class Said:
        choice = ""

    said = Said()
    assert wrong_judge.sketch(said) is None  # type: ignore[arg-type]
    for option in wrong_judge.curve():
        said.choice = option.label
        drawn = wrong_judge.sketch(said)  # type: ignore[arg-type]
        assert drawn is not None
        assert drawn.shape == (61,) and drawn.min() >= 0 and drawn.max() <= 1
        truth = wrong_judge.expected(0.5, 0.0).held_out[0]
        assert np.array_equal(drawn, truth) == option.right


@pytest.mark.parametrize("bias", [0, 50, 80, 100])
@pytest.mark.parametrize("pull", [0, 50])
def test_every_place_is_filled_at_both_ends(bias: int, pull: int) -> None:
    filled = shown(Page(wrong_judge.SETTINGS), bias=bias, pull=pull)
    for name, html in filled.items():
        assert html and "nan" not in html, name
    truth = wrong_judge.expected(bias / 100, pull / 100).held_out[0]
    assert f'"true.last">{truth[-1]:.2f}<' in filled["climb_reading"]


def test_before_the_answer_no_place_says_anything() -> None:
    filled = shown(Page(wrong_judge.SETTINGS), told=False)
    assert "wc-masked" in filled["reading"] and filled["say"] is None
    for name in ("climb", "warning", "assumed", "brake", "picks", "forms"):
        assert filled[f"{name}_reading"] == wrong_judge.HIDDEN


def test_both_assumptions_are_needed_at_the_first_settings() -> None:
    text = shown(Page(wrong_judge.SETTINGS))["assumed_reading"]
    assert text.count("never falls") == 2
    dips = shown(Page(wrong_judge.SETTINGS), bias=80)["assumed_reading"]
    assert "without the ceiling the true rate falls at some step" in dips


def test_a_move_that_changes_nothing_says_why() -> None:
    page = Page(wrong_judge.SETTINGS)
    shown(page)
    assert "no change: seed 0 → 1; the expected run draws nothing" in shown(page, seed=1)["reading"]
    assert "best-of-n does not train" in shown(page, best_of="8")["reading"]
    assert "−" not in shown(page, pull=25)["reading"]


def test_the_warning_comes_early_where_the_judge_pays_much_for_length() -> None:
    runs = train(biased_judge_world(), replace(wrong_judge.PLAN, bias=0.5))
    assert wrong_judge.warned(runs) == [1] * 20
    honest = train(biased_judge_world(), replace(wrong_judge.PLAN, bias=0.0))
    assert wrong_judge.warned(honest) == [None] * 20
