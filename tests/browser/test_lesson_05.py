"""Lesson 5 in a browser: what the reward tracks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import helpers
from tests.browser.lesson_checks import (
    answer,
    assert_still,
    assert_well_made,
    choose,
    reading,
    told,
)
from tests.running import Course
from tests.test_lesson_05 import fifth
from whilecore.course.settings import JUDGE
from whilecore.course.teacher import code_of

STEM = "05_what_the_reward_tracks"
OpenPage = Callable[..., Page]


@pytest.fixture
def lesson(page: Page, server: Course) -> Page:
    """The lesson with its questions open."""
    return helpers.open_lesson(page, server, STEM)


def open_told(page: Page, server: Course, query: str = "") -> Page:
    """Open the lesson with everything revealed."""
    return helpers.open_lesson(page, server, STEM, f"reveal=all&{query}")


def press(page: Page, name: str) -> None:
    """Press a button that makes the notebook run."""
    with helpers.one_run(page):
        page.get_by_role("button", name=name, exact=True).click()


def test_before_the_answers_the_page_holds_nothing_of_them(lesson: Page) -> None:
    everything = told(lesson)
    for word in (
        "To the gates noise",
        "follows no feature",
        "36 of 70",
        "reach only",
        "leaves most",
    ):
        assert word not in everything, word
    assert {row["text"] for row in helpers.view_data(lesson, "bench", "judges")} == {"?"}
    assert helpers.view_data(lesson, "claims", "floors") == []
    assert helpers.view_data(lesson, "shuffles", "floor") == []
    assert lesson.locator(".wc-reading .wc-masked").count() == 1


def test_with_the_coin_at_work_the_pictures_wait_for_the_answer(page: Page, server: Course) -> None:
    helpers.open_lesson(page, server, STEM, "judge=coin")
    assert helpers.view_data(page, "tracking", "features") == []
    assert helpers.view_data(page, "within", "dots") == []
    answer(page, "0 rows, no warning")
    assert len(helpers.view_data(page, "within", "dots")) == 34


def test_each_answer_uncovers_its_own_exhibit_and_is_drawn_there(lesson: Page) -> None:
    answer(lesson, "128 rows, a warning")
    guess = helpers.view_data(lesson, "bench", "answer")
    assert [(row["x"], row["text"]) for row in guess] == [(1, "you: 128, a warning")]
    assert reading(lesson).startswith("kept 52 of 128")
    assert helpers.view_data(lesson, "shuffles", "floor") == []
    answer(lesson, "hedging −0.51 on 29 rows")
    said = helpers.view_data(lesson, "claims", "claims")
    assert [row["said"] for row in said] == ["you", "", ""]
    assert len(helpers.view_data(lesson, "shuffles", "floor")) == 1


@pytest.mark.parametrize(
    ("query", "settings"),
    [
        ("judge=coin&repeats=16", {"judge": "coin", "repeats": 16}),
        ("judge_share=40&seed=5", {"judge_share": 40, "seed": 5}),
        ("rows=hard&seed=2", {"rows": "hard", "seed": 2}),
        ("rows=figures", {"rows": "figures"}),
        ("judge=long_reply&feature=hedging", {"judge": "long_reply", "feature": "hedging"}),
    ],
)
def test_the_page_s_numbers_are_the_core_s(
    page: Page, server: Course, query: str, settings: dict[str, Any]
) -> None:
    open_told(page, server, query)
    defs, shown = fifth(**settings), helpers.numbers(page)
    report, found = defs["rl"].report, defs["found"]

    def printed(value: float) -> str:
        return f"{value:+.2f}".replace("-", "−")

    assert shown["rl.kept"] == str(report["kept"])
    assert shown["rl.conflicting_rewards"] == str(report["conflicting_rewards"])
    assert shown["pooled"] == printed(found["pooled"])
    assert shown["within"] == shown["observed"] == printed(found["within"])
    assert shown["floor"] == f"{found['floor']:.2f}"
    assert len(helpers.view_data(page, "pooled", "dots")) == len(defs["rows"])


def test_shuffling_once_and_a_hundred_times_piles_up_and_stays_in_the_link(
    page: Page, server: Course, open_page: OpenPage
) -> None:
    open_told(page, server, "judge=coin")
    press(page, "Shuffle once")
    assert len(helpers.view_data(page, "shuffles", "dots")) == 1
    assert helpers.view_data(page, "within", "swapped")
    press(page, "Shuffle 100 times")
    assert helpers.numbers(page)["shuffles.drawn"] == "101"
    page.wait_for_url(re.compile("shuffles=101"))
    other = open_page()
    other.goto(page.url)
    helpers.wait_idle(other)
    assert helpers.numbers(other) == helpers.numbers(page)


def test_a_hidden_judge_travels_as_a_code_until_it_is_revealed(page: Page, server: Course) -> None:
    code = code_of(JUDGE, "long_reply")
    open_told(page, server, f"hide=judge&judge_code={code}")
    assert page.get_by_label("judge", exact=True).locator("option").all_inner_texts() == ["hidden"]
    assert "the hidden judge" in helpers.chart_text(page, "tracking")["title"]
    assert not any(row["now"] for row in helpers.view_data(page, "bench", "judges"))
    report = fifth(judge="long_reply")["rl"].report
    assert helpers.numbers(page)["rl.kept"] == str(report["kept"])
    press(page, "Reveal the judge")
    page.wait_for_url(re.compile("judge=long_reply"))
    assert "hide=" not in page.url
    assert "“long reply”" in helpers.chart_text(page, "tracking")["title"]
    assert helpers.numbers(page)["rl.kept"] == str(report["kept"])


def test_the_challenges_are_met_by_what_solves_them(page: Page, server: Course) -> None:
    open_told(page, server, "judge_share=73")
    said = page.locator(".wc-reply-check")
    check = page.get_by_role("button", name="Check my settings")
    choose(page, "judge", "coin toss")
    check.click()
    expect(said.nth(0)).to_contain_text("Not yet")
    helpers.set_slider(page, re.compile("by length"), 74)
    check.click()
    expect(said.nth(0)).to_have_text("Yes, that is it.")
    page.get_by_label("Number", exact=True).fill("36")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(said.nth(1)).to_have_text("Yes, that is it.")


def test_sliders_move_nothing_but_what_they_change(page: Page, server: Course) -> None:
    open_told(page, server, "shuffles=50")
    helpers.set_slider(page, "repeats", 9)
    assert_still(page, [("repeats", 11)])


@pytest.mark.parametrize("width", [1280, 375, 320])
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    open_told(page, server, "rows=hard&shuffles=200&teach=1")
    assert helpers.is_dark(page) == dark
    assert_well_made(page)
    helpers.screenshot(page, f"lesson_05_{width}_{'dark' if dark else 'light'}")


def test_the_open_page_is_well_made_too(lesson: Page) -> None:
    assert_well_made(lesson)
    helpers.screenshot(lesson, "lesson_05_open")
