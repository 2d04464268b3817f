"""Shuffled correlations in piles, the floor, and the observed one."""

from __future__ import annotations

from typing import Any

import numpy as np

from whilecore import simpson
from whilecore.charts import shuffles, spec
from whilecore.reward_scan import scan, shuffle_feature

ROLLOUTS = simpson.hard_tasks(0)
ROWS = np.arange(len(ROLLOUTS))
FOUND = scan(ROLLOUTS, ROWS).correlations["reply_chars"]
SHUFFLED = shuffle_feature(ROLLOUTS, ROWS, "reply_chars")
assert SHUFFLED is not None


def pushed(drawn: int, revealed: bool = True) -> dict[str, Any]:
    return shuffles.push(SHUFFLED, drawn, "reply_chars", FOUND, revealed, "128 rows")


def test_the_picture_reads_its_four_datasets() -> None:
    assert set(spec.compiled(shuffles.picture()).datasets) == {"dots", "floor", "zero", "seen"}


def test_each_shuffle_is_one_mark_in_the_bin_of_its_r() -> None:
    dots = pushed(200)["dots"]
    assert len(dots["x"]) == 200
    assert (np.abs(dots["x"] - SHUFFLED.r[:200]) <= shuffles.WIDTH / 2 + 1e-9).all()
    assert len(set(zip(dots["x"].tolist(), dots["y"].tolist(), strict=True))) == 200
    assert dots["y"].max() <= shuffles.TOP


def test_only_the_last_shuffle_is_filled() -> None:
    last = pushed(7)["dots"]["last"]
    assert last.tolist() == [0] * 6 + [1]


def test_more_than_there_are_cannot_be_drawn() -> None:
    assert len(pushed(10**6)["dots"]["x"]) == len(SHUFFLED.r)


def test_floor_and_observed_are_the_scan_s() -> None:
    shown = pushed(0)
    assert shown["floor"] == {"x": [-FOUND["floor"]], "x2": [FOUND["floor"]]}
    assert shown["seen"] == {"x": [FOUND["within"]], "clears": [1]}
    assert "shuffle to see luck" in shown["title"]


def test_the_title_counts_the_shuffles_that_reach_as_far() -> None:
    assert pushed(300)["title"].startswith("0 of 300 shuffles reach r = +0.62 of reply length")
    small = FOUND | {"within": float(np.sort(np.abs(SHUFFLED.r[:100]))[-3]), "clears": False}
    shown = shuffles.push(SHUFFLED, 100, "reply_chars", small, True, "128 rows")
    assert shown["title"].startswith("3 of 100 shuffles")


def test_before_the_answer_neither_floor_nor_r_is_sent() -> None:
    shown = pushed(50, revealed=False)
    assert not len(shown["dots"]["x"]) + len(shown["floor"]["x"]) + len(shown["seen"]["x"])
    assert not shown["table"]["what"]
    assert "0.6" not in shown["title"] + shown["summary"]


def test_an_undefined_correlation_has_an_empty_picture() -> None:
    nothing = {"within": None, "floor": None, "clears": False}
    shown = shuffles.push(None, 50, "refusal", nothing, True, "128 rows")
    assert not len(shown["dots"]["x"])
    assert shown["title"] == "Refusal has no correlation inside tasks (128 rows)"
