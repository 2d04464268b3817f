"""The words about a stranger's rows: escaped, counted by the core, and with a way out."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from whilecore.course import printed, your_account, your_rows
from whilecore.course.page import Page
from whilecore.course.predict import Prediction
from whilecore.course.your_account import Account, account, places
from whilecore.course.your_rows import Given, Read, read

SCRIPT = "<script>alert(1)</script>"


def rows(reward: Any = (1, 0, 1, 0), count: int = 8) -> Given:
    """Return rows of two tasks with markup in every name and text."""
    lines = [
        json.dumps({"task": f"{SCRIPT}{n // 4}", "reply": f"{SCRIPT} {n}",
                    "reward": reward[n % 4], SCRIPT: n})
        for n in range(count)
    ]  # fmt: skip
    return Given(f"{SCRIPT}.jsonl", "\n".join(lines).encode(), "upload")


def counted(found: Read, **options: Any) -> Account:
    """Return the account at the start settings."""
    start: dict[str, Any] = {"band": (0.2, 0.8), "measure_on": "scored", "cut": None, "seed": 0}
    return account(found, **(start | options))


def filled(found: Read, revealed: bool = True, **options: Any) -> dict[str, Any]:
    """Return the places of a page just opened."""
    return places(Page(your_rows.SETTINGS), found, counted(found, **options), revealed)


def test_markup_in_a_file_stays_text_everywhere() -> None:
    found = read(rows())
    html = "".join(str(one) for name, one in filled(found).items() if name != "say")
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    bad = read(Given(SCRIPT, b"\x00\x01\x02", "upload"))
    assert "<script" not in "".join(str(one) for name, one in filled(bad).items() if name != "say")


def test_the_account_is_the_core_s() -> None:
    found = read(rows())
    now = counted(found, band=(0.0, 0.5), measure_on="surviving", seed=3)
    expected = found.rollouts.select("rl", band=(0.0, 0.5), measure_on="surviving", seed=3)
    assert now.rl.report == expected.report
    assert now.rl.report["kept"] == 8  # two tasks at 1/2, no copies
    assert now.sft.report["kept"] == 2


def test_before_the_answer_no_place_tells_what_is_kept() -> None:
    shown = filled(read(rows()), revealed=False)
    assert "wc-masked" in shown["reading"]
    assert shown["say"] is None
    for name in ("waterfall_reading", "rates_reading", "agreement_reading", "tracking_reading"):
        assert shown[name] == your_account.HIDDEN, name


def test_rewards_outside_0_to_1_ask_for_the_box_on_this_page() -> None:
    found = read(rows(reward=(5, 0, 5, 0)))
    now = counted(found)
    shown = your_account.problem(now.error, read(rows(reward=(5, 0, 5, 0))))
    assert "in the box “pass from reward”" in shown
    assert "pass_at_least" not in shown
    assert now.rl.report["rows"] == 0
    assert counted(found, cut=2.0).rl.report["kept"] == 8


def test_the_question_is_asked_of_rewards_on_any_scale() -> None:
    prediction = Prediction("11.kept", "How many?", printed.UNASKED)
    now = counted(read(rows(reward=(5, 0, 5, 0))), cut=2.0)
    your_account.question(prediction, now)
    assert prediction.right == "8"
    assert prediction.question.startswith("8 rows. 0 are copies, and 0 of 2 tasks agree.")
    assert len(prediction.labels) == 4


def test_a_wrong_cut_is_said_and_counts_nothing() -> None:
    now = counted(read(rows()), wrong_cut="a pass must be a number")
    assert now.error == "a pass must be a number"
    assert "data-problem" in filled(read(rows()), wrong_cut="no")["problem"]


def test_a_problem_without_a_choice_points_at_no_menu() -> None:
    empty = filled(read(Given("a.jsonl", b"", "upload")))
    assert "is empty" in empty["problem"]
    assert "menus" not in empty["problem"]
    choice = filled(read(your_rows.given([], "", "every_try_its_own_id.csv")))
    assert choice["problem"].endswith("The menus are below.</p></div>")


def test_other_rows_are_not_compared_with_the_ones_before() -> None:
    page = Page(your_rows.SETTINGS)
    first, second = read(rows()), read(rows(reward=(1, 1, 1, 0), count=4))
    places(page, first, counted(first), True)
    page.settle(band_low=25)
    shown = places(page, second, counted(second), True)["reading"]
    assert "Move a control to see what changes." in shown


def test_a_move_says_its_cause_and_why_nothing_changed() -> None:
    page, found = Page(your_rows.SETTINGS), read(rows())
    places(page, found, counted(found), True)
    page.settle(measure_on="surviving")
    shown = places(page, found, counted(found, measure_on="surviving"), True)["reading"]
    assert "no change: rate from: what survives; no task changes sides" in shown
    page.settle(band_low=50, band_high=50)
    assert re.search("band from 20", places(page, found, counted(found), True)["reading"])


def test_each_file_has_a_check_of_its_own() -> None:
    first = your_rows.given([], "", your_rows.SAMPLE.default)
    assert your_account.check_name(first) == "11.kept"
    assert your_account.check_name(rows()) != your_account.check_name(rows(count=4))


def test_downloads_wait_for_the_answer_and_say_what_is_missing() -> None:
    found = read(rows())
    assert your_account.downloads(counted(found), found.given, {}, 0, False).count("<td") == 0
    told = your_account.downloads(counted(found), found.given, {}, 0, True)
    assert "holds no prompts" in told


@pytest.mark.parametrize("tasks", [32, 33])
def test_what_does_not_fit_the_grid_is_said(tasks: int) -> None:
    lines = "\n".join(json.dumps({"task": n // 2, "reward": n % 2}) for n in range(2 * tasks))
    shown = filled(read(Given("a.jsonl", lines.encode(), "upload")))["grid_note"]
    assert ("first 32" in shown) == (tasks > 32)


def test_the_challenges_solutions_are_computed() -> None:
    assert your_account.regular_key() == "ticket"
    assert your_account.tries_of_the_tickets() == 4  # 100 rows, 25 tickets
    assert your_account.length_paid_by() == "style_reward"
    what = your_rows.given([], "", "two_steps_two_rewards.jsonl")
    report = counted(read(what, {"reward": "style_reward"})).rl.report
    assert your_account.kept_where_length_pays() == report["kept"] > 0
