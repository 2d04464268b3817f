"""Rollouts per live group."""

from __future__ import annotations

import numpy as np
import pytest

from tests import pictures
from whilecore.charts import costs, spec


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(costs.picture()).datasets) == {"curves", "names", "points"}


def test_the_diamond_stands_at_k_over_the_live_share() -> None:
    # 8 / (1 − .95⁸ − .05⁸) = 8 · 2.97 = 23.8
    pushed = costs.push(0.95, 8, True)
    assert pushed["points"]["x"] == [0.95]
    assert pushed["points"]["y"] == [pytest.approx(23.77, abs=0.01)]
    assert pushed["title"].endswith("a live group of 8 tries costs 23.8 rollouts")
    summary = pushed["summary"].replace("\xa0", " ")
    assert "21.6 rollouts with 4 tries" in summary and "28.6 rollouts with 16" in summary


@pytest.mark.parametrize("k", [2, 5, 8, 16])
def test_the_learners_tries_are_a_line_of_their_own(k: int) -> None:
    curves = costs.push(0.5, k, True)["curves"]
    assert set(curves["k"][curves["now"] == 1]) == {k}
    assert set(curves["k"]) == {*costs.TRIES, k}
    assert curves["y"][curves["k"] == k] == pytest.approx(curves["y"][curves["k"] == k][::-1])


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_where_no_group_is_live_there_is_no_diamond(rate: float) -> None:
    pushed = costs.push(rate, 8, True)
    assert pushed["points"]["y"] == []
    assert "no group is ever live" in pushed["title"]
    assert np.isfinite(pushed["curves"]["y"]).all()


def test_before_the_answer_no_cost_is_sent() -> None:
    pushed = costs.push(0.95, 8, False)
    assert all(len(pushed[name]["y"]) == 0 for name in ("curves", "names", "points"))
    assert "23" not in pictures.text_of(pushed)
