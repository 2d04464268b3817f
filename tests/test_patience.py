"""The chance that a batch is full by a limit."""

from __future__ import annotations

import pytest

from tests import pictures
from whilecore.charts import patience, spec


def test_the_picture_reads_its_four_datasets() -> None:
    names = {"curves", "names", "limit", "answer"}
    assert set(spec.compiled(patience.picture()).datasets) == names


def test_a_hard_pool_fills_and_a_hopeless_one_does_not() -> None:
    hard, hopeless = patience.chances()
    at = patience.LIMITS.index(patience.LIMIT)
    assert hard[at] == pytest.approx(0.996, abs=1e-3)
    assert hopeless[at] < 1e-12
    assert all(a <= b for line in (hard, hopeless) for a, b in zip(line, line[1:], strict=False))


def test_the_average_draws_are_6_7_and_62_9() -> None:
    # 1 / (1 − .98⁸ − .02⁸) = 1 / .1492 = 6.7; 1 / (1 − .998⁸ − .002⁸) = 1 / .0159 = 62.9
    pushed = patience.push(True, 0.1)
    assert [round(x, 1) for x in pushed["names"]["x"]] == [6.7, 62.9]
    assert "tasks at 0.2 % practically never" in pushed["title"].replace("\xa0", " ")
    assert pushed["answer"]["y"] == [0.1]


def test_before_the_answer_no_chance_is_sent() -> None:
    pushed = patience.push(False, 0.1)
    assert all(len(pushed[name]["y"]) == 0 for name in ("curves", "names", "answer"))
    assert "never" not in pictures.text_of(pushed)
