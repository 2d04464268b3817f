"""Two lanes of groups until a batch is full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import pictures
from whilecore.charts import lanes, spec
from whilecore.course.refilling import fill


def push(
    rates: tuple[float, float] = (0.65, 0.95), k: int = 8, batch: int = 32,
    revealed: bool = True, answer: float | None = None,
) -> dict[str, Any]:  # fmt: skip
    fills = [fill(rate, k, batch, 0) for rate in rates]
    return lanes.push(fills, rates, revealed, "by hand", answer)


def test_the_picture_reads_its_four_datasets() -> None:
    names = {"groups", "lanes", "ends", "answer"}
    assert set(spec.compiled(lanes.picture()).datasets) == names


def test_each_lane_holds_as_many_live_groups_as_the_batch() -> None:
    pushed = push()
    upper = pushed["groups"]["y"] < lanes.TALL
    full = pushed["groups"]["full"]
    assert (full[upper].sum(), full[~upper].sum()) == (32, 32)
    assert set(pushed["groups"]["shape"][full == 1]) == {"circle"}
    silent = (pushed["groups"]["shape"][~upper] == "stroke").sum()
    assert silent == pushed["table"]["silent"][1] > 50


def test_the_title_gives_both_costs_and_their_ratio() -> None:
    # 32 groups of 8 are 256 rollouts, 100 groups 800: 800 / 256 = 3.1
    title = push()["title"].replace("\xa0", " ")
    assert title == (
        "The same batch costs 800 rollouts at 95 %, 256 at 65 %: 3.1 times as many (by hand)"
    )


@pytest.mark.parametrize(("rate", "k", "batch"), [(0.0, 2, 8), (1.0, 16, 32), (0.99, 2, 32)])
def test_a_batch_that_is_not_full_says_so_and_fits_into_the_picture(
    rate: float, k: int, batch: int
) -> None:
    pushed = push((0.65, rate), k, batch)
    assert "not full" in pushed["title"]
    assert pushed["groups"]["x"].max() < lanes.COLUMNS
    assert pushed["groups"]["y"].max() < 2 * lanes.TALL
    assert pushed["ends"]["x"][1] == 10 * batch / lanes.ROWS


def test_every_group_has_a_place_of_its_own_left_of_the_line() -> None:
    pushed = push()
    x, y = pushed["groups"]["x"], pushed["groups"]["y"]
    assert len(set(zip(x.tolist(), y.tolist(), strict=True))) == len(x)
    upper = y < lanes.TALL
    for part, end in zip((upper, ~upper), pushed["ends"]["x"], strict=True):
        assert x[part].max() < end


def test_the_learners_multiple_is_drawn_on_the_lower_lane() -> None:
    answer = push(answer=1.5)["answer"]
    assert answer["x"] == [1.5 * 32 / lanes.ROWS]
    assert answer["said"] == ["you: 1.5×"]
    assert push(answer=10)["answer"]["x"] == [lanes.COLUMNS]


def test_before_the_answer_the_lower_lane_is_empty() -> None:
    pushed = push(revealed=False, answer=1.5)
    assert (pushed["groups"]["y"] < lanes.TALL).all()
    assert len(pushed["ends"]["x"]) == 1
    told = pictures.text_of(pushed)
    assert (
        "800" not in told and "times as many" not in told and "1.5" not in told.split('"answer"')[1]
    )
    assert np.asarray(pushed["table"]["rollouts"]).tolist() == [256]
