"""The chance of at least one pass."""

from __future__ import annotations

import pytest

from tests import pictures
from whilecore.charts import reach, spec


def test_the_picture_reads_its_datasets() -> None:
    names = {"band", "curves", "names", "points", "now", "answer"}
    assert set(spec.compiled(reach.picture()).datasets) == names


def test_the_named_points_are_the_published_practice() -> None:
    # 1 − .9⁴ = .3439, 1 − .9¹⁰ = .6513, 1 − .9¹⁶ = .8147, 1 − .9³⁰ = .9576
    points = reach.push(10, True, None)["points"]
    assert points["y"] == pytest.approx([0.3439, 0.6513, 0.8147, 0.9576], abs=5e-5)
    said = [text.replace("\xa0", " ") for text in points["said"]]
    assert said == ["34 %", "65 %", "81 %", "96 %"]


@pytest.mark.parametrize(("n", "chance"), [(1, 0.1), (30, 0.9576)])
def test_the_diamond_stands_at_the_learners_number(n: int, chance: float) -> None:
    now = reach.push(n, True, None)["now"]
    assert now["x"] == [n]
    assert now["y"] == [pytest.approx(chance, abs=5e-5)]


def test_more_completions_never_lower_a_chance() -> None:
    curves = reach.push(10, True, None)["curves"]
    lines = curves["y"].reshape(len(reach.RATES), reach.MOST)
    assert (lines[:, 1:] >= lines[:, :-1]).all()
    assert lines[0, 0] == 0.03


def test_before_the_answer_no_chance_is_sent() -> None:
    pushed = reach.push(10, False, 0.1)
    assert all(len(pushed[name]["y"]) == 0 for name in ("curves", "points", "answer"))
    assert "65" not in pictures.text_of(pushed)
    assert reach.push(10, True, 0.1)["answer"]["y"] == [0.1]
