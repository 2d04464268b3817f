"""The rates that tries can show, and those the band drops."""

from __future__ import annotations

import numpy as np
import pytest

from whilecore.charts import ladder, spec
from whilecore.filing import signal

BAND = (0.2, 0.8)


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(ladder.picture()).datasets) == {"band", "outcomes", "rungs"}


def test_each_rung_holds_the_rates_of_its_number_of_tries() -> None:
    outcomes = ladder.push(4, BAND, True)["outcomes"]
    for place, tries in enumerate(ladder.RUNGS):
        mine = outcomes["y"] == place
        assert outcomes["x"][mine].tolist() == [c / tries for c in range(tries + 1)]
    assert (outcomes["y"] > len(ladder.RUNGS)).sum() == 5  # the rung of now: 0 to 4 of 4


@pytest.mark.parametrize(("k", "lost"), [(4, 0), (5, 0), (6, 2), (8, 2), (16, 6), (64, 24)])
def test_squares_are_the_mixed_outcomes_outside_the_band(k: int, lost: int) -> None:
    outcomes = ladder.push(k, BAND, True)["outcomes"]
    now = outcomes["y"] > len(ladder.RUNGS)
    assert (outcomes["shape"][now] == "square").sum() == lost
    outside = (outcomes["x"] < 0.2 - 1e-9) | (outcomes["x"] > 0.8 + 1e-9)
    mixed = (outcomes["x"] > 0) & (outcomes["x"] < 1)
    assert (outcomes["shape"] == "square").tolist() == (outside & mixed).tolist()


def test_area_is_signal() -> None:
    outcomes = ladder.push(8, BAND, True)["outcomes"]
    size = outcomes["size"][outcomes["y"] > len(ladder.RUNGS)][1:-1]
    assert np.allclose(size / size.max(), signal(8)[1:-1] / 0.25)


def test_the_title_says_when_the_band_first_bites() -> None:
    title = ladder.push(4, BAND, True)["title"]
    assert title == "At 4 tries the band drops nothing that agreement does not; it first does at 6"
    title = ladder.push(8, BAND, True)["title"]
    assert (
        title == "At 8 tries the band drops 2 of 7 mixed outcomes, with 16.7\u00a0% of the signal"
    )
    assert ladder.push(8, (0.0, 1.0), True)["title"].endswith("and it never does")


def test_the_table_holds_the_random_pick_of_the_same_size() -> None:
    table = ladder.push(4, BAND, True)["table"]
    at = table["tries"].index(16)
    assert [table[name][at] for name in table] == [16, 15, 6, 24.1, 40.0]


def test_before_the_answer_the_picture_is_empty() -> None:
    pushed = ladder.push(4, BAND, False)
    for name in ("band", "outcomes", "rungs", "table"):
        assert not any(len(column) for column in pushed[name].values())
    assert "6" not in pushed["title"] + pushed["summary"]
