"""The words of lesson 6, and what a file of one's own changes in them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import whilecore as wc
from tests import pictures
from whilecore.charts import agreement, grid, strip, tracking, waterfall
from whilecore.course import Page, Prediction, printed, settings, which_rows, your_account
from whilecore.course.your_rows import OR_SAMPLE, Given, given, read
from whilecore.selection import Selection

ROWS = b"".join(
    json.dumps({"task": f"t{n // 4}", "reply": f"r{n}", "reward": int(n % 3 == 0)}).encode() + b"\n"
    for n in range(24)
)


def brought(data: bytes = ROWS, cut: str = "") -> your_account.Brought:
    """Return rows as lesson 6 gets them."""
    return your_account.brought(read(Given("mine.jsonl", data, "upload")), cut)


def filled(rows: your_account.Brought, revealed: bool = True, source: str = "file") -> Any:
    """Return the places of a page just opened."""
    rl = rows.rollouts.select("rl", pass_at_least=rows.cut)
    sft = rows.rollouts.select("sft", min_reward=rows.cut)
    measured = rows.rollouts.pass_at_k(pass_at_least=rows.cut)
    page = Page((settings.SOURCE, OR_SAMPLE))
    return which_rows.places(page, rl, sft, measured, revealed, source, rows)


def test_a_file_s_account_is_the_core_s_and_says_what_was_taken() -> None:
    shown = filled(brought())
    report = wc.read_rollouts(ROWS).select("rl").report
    assert f'data-name="rl.kept">{report["kept"]}<' in shown["reading"]
    assert 'data-rows="file"' in shown["which"]
    assert "task: task" in shown["taken"]
    assert shown["problem"] == ""


def test_no_file_asks_for_one_and_tells_no_number() -> None:
    none = your_account.brought(read(given((), "", OR_SAMPLE.default)), "")
    shown = filled(none)
    assert "choose a file above" in shown["problem"]
    assert "kept <b>" in shown["reading"] and ">0</span></b> of 0" in shown["reading"]
    assert shown["rl_block"] == shown["waterfall_reading"] == ""
    asked = Prediction("06.kept", "?", printed.UNASKED)
    which_rows.ask(asked, none.rollouts.select("rl"), "file", none)
    assert asked.question == "?"


def test_rewards_that_need_a_cut_become_a_sentence_before_any_slider_moves() -> None:
    fives = ROWS.replace(b'"reward": 1', b'"reward": 5')
    refused = brought(fives)
    assert len(refused.rollouts) == 0
    assert "in the box “pass from reward”" in filled(refused)["problem"]
    assert len(brought(fives, cut="2").rollouts) == 24


def test_other_sources_show_no_problem_of_a_file() -> None:
    none = your_account.brought(read(given((), "", OR_SAMPLE.default)), "")
    rows = wc.printed_run()
    page = Page((settings.SOURCE,))
    shown = which_rows.places(
        page, rows.select("rl"), rows.select("sft"), rows.pass_at, True, "printed", none
    )
    assert shown["problem"] == ""
    assert "file_source" not in shown


def test_the_legend_promises_true_rates_only_where_they_are_known() -> None:
    known = which_rows.either(which_rows.LEGENDS, True)
    assert known.index("visible") < known.index("true rates predict")
    unknown = filled(brought())["agreement_legend"]
    assert unknown.index("hidden") < unknown.index("true rates predict")
    assert unknown.index("visible") < unknown.index("mean pass rate predicts")


@pytest.mark.parametrize(
    ("start", "dropped", "says"),
    [(False, 1, "Reset does that"), (True, 0, "drops no task"), (True, 2, "does drop 2 tasks")],
)
def test_a_challenge_not_solved_says_what_does_not_hold(
    start: bool, dropped: int, says: str
) -> None:
    assert says in which_rows.not_yet(start, 12, dropped)


def many(tasks: int = 5000, tries: int = 24) -> Selection:
    """Return many tasks of many tries, with true rates."""
    n = tasks * tries
    frame = {
        "task": [f"ticket-{one // tries:05}" for one in range(n)],
        "reward": [float(one * 7 % 5 < 3) for one in range(n)],
        "reply_chars": [one % 97 for one in range(n)],
        "true_pass_rate": [0.6] * n,
    }
    return wc.Rollouts.from_frame(pd.DataFrame(frame)).select("rl")


def test_of_120_000_rows_a_few_hundred_marks_are_drawn_and_each_picture_says_which() -> None:
    big = many()
    drawn = {
        "grid": grid.push(big, True, "mine"),
        "waterfall": waterfall.push(big, True, "mine", None),
        "strip": strip.push(big, True, "mine", True),
        "agreement": agreement.push(big, True, "mine"),
        "tracking": tracking.push(big, "mine"),
    }
    for name, pushed in drawn.items():
        for data, columns in pushed.items():
            if isinstance(columns, dict):
                assert len(next(iter(columns.values()), ())) <= 512, (name, data)
        assert len(json.dumps(pictures.text_of(pushed))) < 120_000, name
    assert "first 32 of 5,000 tasks drawn; first 16 tries of each" in drawn["grid"]["title"]
    assert "one mark for 938 rows" in drawn["waterfall"]["title"]
    assert "first 64 of 5,000 tasks drawn" in drawn["strip"]["title"]
    assert "of 5,000 tasks" in drawn["agreement"]["title"]


def test_the_shade_of_many_tasks_goes_on_from_that_of_few() -> None:
    true = np.full(agreement.MOST_EXACT, 0.65)
    low, high = agreement._likely(true, len(true))
    more = np.full(agreement.MOST_EXACT + 1, 0.65)
    near_low, near_high = agreement._likely(more, len(more))
    assert near_low == pytest.approx(low, abs=0.01)
    assert near_high == pytest.approx(high, abs=0.01)


def test_true_rates_that_are_none_are_not_believed() -> None:
    frame = pictures.HAND.assign(true_pass_rate=["much"] * 12)
    assert strip.true_rates(wc.Rollouts.from_frame(frame).select("rl")) is None
    frame = pictures.HAND.assign(true_pass_rate=[60.0] * 12)
    assert strip.true_rates(wc.Rollouts.from_frame(frame).select("rl")) is None


def test_labels_drop_what_all_of_them_begin_with_and_keep_words_and_numbers_whole() -> None:
    assert grid.short(["Where is ORD-71?", "Where is ORD-75?"]) == ["…71?", "…75?"]
    assert grid.short(["T000", "T001"]) == ["T000", "T001"]
    assert grid.short(["one\nline"]) == ["one line"]
    assert max(map(len, grid.short(["x" * 500, "y" * 500]))) <= grid.LONGEST


def test_a_task_that_lost_its_contrast_is_not_said_to_agree() -> None:
    told = grid.push(pictures.printed(), True, "")["tasks"]["ending"]
    assert (told.count("agree"), told.count("rest agree")) == (3, 2)
