"""The same group under four recipes: same directions, other lengths."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests import pictures
from whilecore.charts import recipes, spec

CLOSE = (0.501, 0.5, 0.5, 0.5)


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(recipes.picture()).datasets) == {"pushes", "recipes", "answer"}


def test_three_and_one_under_each_recipe() -> None:
    # mean .75, population spread √(3/16) = .4330, sample spread √(3/12) = .5
    # centred .25, −.75; others' average ·4/3: .3333, −1; ÷ .4330: .5774, −1.7321; ÷ .5: .5, −1.5
    pushed = recipes.push([1, 1, 1, 0], "3 of 4 pass", True)
    x = [-0.75, 0.25, -1, 0.3333, -1.7321, 0.5774, -1.5, 0.5]
    assert pushed["pushes"]["x"] == pytest.approx(x, abs=5e-5)
    table = pushed["table"]
    assert table["largest push"] == ["+0.25", "+0.33", "+0.58", "+0.50"]
    assert table["smallest push"] == ["−0.75", "−1.00", "−1.73", "−1.50"]
    # totals 3·.25 + .75 = 1.5, 2, 3·.5774 + 1.7321 = 3.4641, 3
    assert table["total size"] == ["1.5", "2", "3.46", "3"]


@pytest.mark.parametrize("rewards", [r for k in (2, 4, 8) for r in product((0, 1), repeat=k)])
def test_all_recipes_agree_on_the_direction_and_sum_to_0(rewards: tuple[int, ...]) -> None:
    pushes = np.array([one.pushes(rewards) for one in recipes.RECIPES])
    assert (np.sign(pushes) == np.sign(pushes[0])).all()
    assert pushes.sum(1) == pytest.approx(0, abs=1e-9)
    assert np.abs(pushes).max() <= np.sqrt(7) + 1e-9


def test_a_difference_of_a_thousandth_is_pushed_like_one_pass_among_three_fails() -> None:
    tiny, lone = (recipes.push(r, "", True)["table"] for r in (CLOSE, (1, 0, 0, 0)))
    assert tiny["largest push"][2:] == lone["largest push"][2:] == ["+1.73", "+1.50"]
    assert tiny["largest push"][0] == "+0.00075"  # .501 − .50025, with the digits of the chart
    assert tiny["smallest push"][0] == "−0.00025"


def test_growth_is_one_over_the_spread() -> None:
    assert recipes.growth([1, 1, 1, 0]) == pytest.approx(1 / np.std([1, 1, 1, 0]))
    assert recipes.growth([1, 1, 0, 0]) == pytest.approx(2)
    assert np.isnan(recipes.growth([1, 1]))


def test_a_group_that_agrees_is_outlined_and_named() -> None:
    pushed = recipes.push([1, 1, 1], "3 of 3 pass", True)
    assert pushed["title"] == "No recipe pushes a group that agrees (3 of 3 pass)"
    assert set(pushed["pushes"]["full"]) == {0}
    assert set(pushed["pushes"]["x"]) == {0.0}


def test_before_the_answer_no_push_is_sent() -> None:
    pushed = recipes.push(CLOSE, "0.501, 0.5, 0.5, 0.5", False, answer=0.5)
    assert all(len(column) == 0 for column in pushed["pushes"].values())
    assert all(len(column) == 0 for column in pushed["answer"].values())
    told = pictures.text_of(pushed)
    assert "1.7" not in told and "×" not in told and "total " not in told


def test_the_learners_answer_stands_in_the_row_of_the_population_spread() -> None:
    answer = recipes.push(CLOSE, "", True, answer=0.501)["answer"]
    assert answer["x"] == [0.501] and answer["said"] == ["you: +0.501"]
    assert 2 < answer["top"][0] < answer["bottom"][0] < 3
