"""Judges side by side as a picture."""

from __future__ import annotations

from dataclasses import replace

from tests import pictures
from whilecore.charts import bench, spec
from whilecore.charts.bench import Bench

KEY = Bench("answer key", 1.0, 128, 80, 52, ("reply length",), 0, 16, 0, 70)
COIN = Bench("coin toss", 0.42, 128, 66, 34, (), 7, 16, 36, 70)
BOTH = (KEY, COIN)


def test_the_picture_reads_its_two_datasets() -> None:
    assert set(spec.compiled(bench.picture(6)).datasets) == {"judges", "answer"}


def test_marks_stand_at_the_share_kept_and_a_triangle_is_flagged() -> None:
    judges = bench.push(BOTH, True, "seed 0", "coin toss")["judges"]
    assert judges["x"] == [52 / 128, 34 / 128]
    assert judges["flagged"] == [1, 0]
    assert judges["now"] == [0, 1]


def test_the_table_holds_what_the_lesson_promises() -> None:
    table = bench.push(BOTH, True, "seed 0")["table"]
    assert [table[name][1] for name in table] == [
        "coin toss", "42\N{NO-BREAK SPACE}%", 34, "none", "7 of 16", "36 of 70",
    ]  # fmt: skip


def test_the_title_names_the_judge_that_leaves_most() -> None:
    assert bench.push(BOTH, True, "seed 0")["title"] == (
        "Answer key leaves most, 52 of 128 rows (seed 0)"
    )
    more = replace(COIN, kept=60)
    assert bench.push((KEY, more), True, "x")["title"].startswith("Coin toss leaves most, 60")
    tied = bench.push((KEY, replace(KEY, name="long reply"), replace(KEY, kept=0)), True, "x")
    assert tied["title"] == "Answer key and long reply leave most, 52 of 128 rows (x)"


def test_the_answer_is_drawn_on_the_line_of_the_judge_asked_about() -> None:
    shown = bench.push(BOTH, True, "seed 0", answer=("coin toss", 128, True))["answer"]
    assert shown == {"x": [1.0], "y": [1.5], "text": ["you: 128, a warning"], "flagged": [1]}


def test_before_the_answer_no_count_is_sent() -> None:
    shown = bench.push(BOTH, False, "seed 0", answer=("coin toss", 128, True))
    told = pictures.text_of({name: shown[name] for name in ("judges", "table", "title", "summary")})
    assert not any(text in told for text in ("52", "34", "36", "reply length"))
    assert not shown["answer"]["x"]
    assert set(shown["judges"]["text"]) == {"?"}
