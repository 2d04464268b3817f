"""Tries as cards, stacked where they read the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import whilecore as wc
from tests import pictures
from whilecore.charts import cards, spec

# a: three equal passes and a fail; b: a pass, and two equal fails; c: a fail that leaks
FRAME = pd.DataFrame(
    {
        "task": list("aaaa") + list("bbb") + list("cc"),
        "reward": [1, 1, 0, 1, 1, 0, 0, 0, 1],
        "reply_key": [0, 0, 1, 0, 0, 1, 1, 1, 0],
        "leak": [False] * 7 + [True, False],
    }
)
RL = wc.Rollouts.from_frame(FRAME).select(mode="rl")


def cards_of(pushed: dict[str, Any], task: int) -> list[tuple[float, str, int, str]]:
    """Return the cards of a task from left to right: x, shape, filled, sign."""
    found = pushed["cards"]
    rows = [
        (round(float(found["x"][at]), 2), str(found["shape"][at]), int(found["full"][at]),
         str(found["sign"][at]))
        for at in range(len(found["x"]))
        if found["y"][at] == task + 0.5
    ]  # fmt: skip
    return sorted(rows)


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(cards.picture()).datasets) == {"cards", "tasks", "lanes"}


def test_copies_lie_fanned_behind_the_first_of_their_text() -> None:
    pushed = cards.push(RL, True, "seed 0")
    # a: a stack of three, 1 + 2·0.42 wide, then the fail
    assert cards_of(pushed, 0) == [
        (0.5, "circle", 1, ""), (0.92, "circle", 0, ""), (1.34, "circle", 0, ""),
        (2.34, "square", 1, ""),
    ]  # fmt: skip
    assert cards_of(pushed, 1)[2] == (1.92, "square", 0, "")


def test_the_first_card_is_drawn_over_its_copies() -> None:
    found = cards.push(RL, True, "seed 0")["cards"]
    mine = [at for at in range(9) if found["y"][at] == 0.5 and found["shape"][at] == "circle"]
    assert [int(found["full"][at]) for at in mine] == [0, 0, 1]


def test_a_try_that_recites_the_key_is_an_outline_with_a_cross() -> None:
    assert cards_of(cards.push(RL, True, "seed 0"), 2)[0] == (0.5, "square", 0, "×")


def test_the_lane_counts_the_copies_by_verdict_and_draws_the_claim() -> None:
    assert cards.copies(RL) == (2, 1)
    lane = cards.push(RL, True, "seed 0", "fails")["lanes"]
    rows = list(zip(lane["said"], lane["text"], lane["shape"], strict=True))
    assert [shape for said, text, shape in rows if not said and not text] == [
        "circle", "circle", "square",
    ]  # fmt: skip
    assert [shape for said, text, shape in rows if said and not text] == ["square"] * 3


def test_many_copies_share_a_mark() -> None:
    frame = pd.DataFrame({"task": 0, "reward": [1] * 90 + [0], "reply_key": [0] * 90 + [1]})
    rl = wc.Rollouts.from_frame(frame).select(mode="rl")
    lane = cards.push(rl, True, "seed 0")["lanes"]
    assert lane["text"].count("") == round(89 / 4)  # 89 copies, 4 to a mark


def test_before_the_answer_nothing_tells_which_tries_are_alike() -> None:
    pushed = cards.push(RL, False, "seed 0", "fails")
    assert set(pushed["cards"]["full"].tolist()) == {1}
    assert not pushed["lanes"]["text"]
    assert cards_of(pushed, 0) == [
        (0.5, "circle", 1, ""), (1.5, "circle", 1, ""), (2.5, "square", 1, ""),
        (3.5, "circle", 1, ""),
    ]  # fmt: skip
    told = pictures.text_of({name: pushed[name] for name in ("cards", "table", "title", "summary")})
    assert not any(word in told for word in ("copies", "stack", "×"))


def test_title_and_table_say_what_the_gate_takes() -> None:
    pushed = cards.push(RL, True, "seed 0")
    assert pushed["title"] == "3 of 9 tries are copies: 2 passes, 1 fails (seed 0)"
    assert pushed["table"]["copies"].tolist() == [2, 1, 0]
    assert pushed["table"]["passing copies"].tolist() == [2, 0, 0]
    assert np.asarray(pushed["tasks"]["text"]).tolist() == ["3/4", "1/3", "1/2"]
