"""Rows kept against tries, by both ways of measuring."""

from __future__ import annotations

import pytest

from whilecore.charts import spec, twoways
from whilecore.course.copied import by_tries

KEPT = by_tries(0, 35, 0)


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(twoways.picture()).datasets) == {"kept", "now", "answer"}


def test_both_lines_are_the_rows_kept() -> None:
    kept = twoways.push(KEPT, 8, True, "seed 0")["kept"]
    for how in ("scored", "surviving"):
        mine = [y for y, one in zip(kept["y"], kept["how"], strict=True) if one == how]
        assert mine == KEPT[how].tolist()
    assert [text for text in kept["text"] if text] == [str(KEPT[how][-1]) for how in KEPT]


def test_the_title_states_both_changes() -> None:
    title = twoways.push(KEPT, 8, True, "seed 0")["title"]
    assert title == (
        "From 4 to 32 tries the rows kept go 29 → 146 on all tries, "
        "29 → 0 on what survives (seed 0)"
    )


@pytest.mark.parametrize(("answer", "end"), [("more", 8 * 29), ("about as many", 29), ("fewer", 0)])
def test_the_learner_s_answer_is_drawn_from_four_tries_to_thirty_two(answer: str, end: int) -> None:
    drawn = twoways.push(KEPT, 8, True, "seed 0", answer)["answer"]
    assert drawn == {"x": [4, 32], "y": [29, end], "text": ["", f"you: {answer}"]}


def test_before_the_answer_the_rows_kept_on_survivors_are_nowhere() -> None:
    pushed = twoways.push(KEPT, 8, False, "seed 0", "more")
    assert set(pushed["kept"]["how"]) == {"scored"}
    assert not pushed["answer"]["x"]
    assert list(pushed["table"]) == ["tries per task", "kept, on all scored tries"]
    assert "survives" not in pushed["title"] + pushed["summary"]
