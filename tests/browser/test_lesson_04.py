"""Lesson 4 in a browser: what removing copies does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import helpers
from tests.browser.lesson_checks import answer, assert_still, assert_well_made, reading, told
from tests.running import Course
from tests.test_lesson_04 import fourth

STEM = "04_copies"
OpenPage = Callable[..., Page]


@pytest.fixture
def lesson(page: Page, server: Course) -> Page:
    """The lesson with its questions open."""
    return helpers.open_lesson(page, server, STEM)


def open_told(page: Page, server: Course, query: str = "") -> Page:
    """Open the lesson with everything revealed."""
    return helpers.open_lesson(page, server, STEM, f"reveal=all&{query}")


def test_before_the_answers_the_page_holds_nothing_of_them(lesson: Page) -> None:
    everything = told(lesson)
    for word in ("are copies", "25 of 27", "Nearly all", "From 29 to 0", "never changes its words"):
        assert word not in everything, word
    assert {row["full"] for row in helpers.view_data(lesson, "cards", "cards")} == {1}
    assert helpers.view_data(lesson, "cards", "lanes") == []
    assert helpers.view_data(lesson, "slopes", "lines") == []
    assert {row["how"] for row in helpers.view_data(lesson, "twoways", "kept")} == {"scored"}
    assert lesson.locator(".wc-reading .wc-masked").count() == 1


def test_each_answer_uncovers_its_own_exhibit_and_is_drawn_there(lesson: Page) -> None:
    answer(lesson, "fails")
    expect(lesson.locator(".wc-verdict")).to_have_text(
        "Not this time. You said fails; the answer is passes."
    )
    lane = helpers.view_data(lesson, "cards", "lanes")
    assert [row["shape"] for row in lane if row["said"] and not row["text"]] == ["square"] * 27
    assert reading(lesson).startswith("kept 29 of 64")
    assert {row["how"] for row in helpers.view_data(lesson, "twoways", "kept")} == {"scored"}
    answer(lesson, "more")
    assert helpers.view_data(lesson, "slopes", "lines")
    drawn = helpers.view_data(lesson, "twoways", "answer")
    assert [row["y"] for row in drawn] == [29, 8 * 29]
    helpers.set_slider(lesson, "variety", 5)
    assert helpers.view_data(lesson, "twoways", "answer") == []


@pytest.mark.parametrize(
    ("query", "settings"),
    [
        ("repeats=16", {"repeats": 16}),
        ("variety=50&repeats=32&seed=7", {"variety": 50, "repeats": 32, "seed": 7}),
        ("mistakes=0&repeats=2", {"mistakes": 0, "repeats": 2}),
    ],
)
def test_the_page_s_numbers_are_the_reports(
    page: Page, server: Course, query: str, settings: dict[str, int]
) -> None:
    open_told(page, server, query)
    defs, shown = fourth(**settings), helpers.numbers(page)
    rl, other = defs["rl"].report, defs["other"].report
    assert shown["rl.kept"] == shown["scored.kept"] == str(rl["kept"])
    assert shown["surviving.kept"] == str(other["kept"])
    assert shown["surviving.too_hard_groups"] == str(other["too_hard_groups"])
    assert shown["crossed"] == str(defs["moved"].crossed.sum())
    outlines = [row for row in helpers.view_data(page, "cards", "cards") if not row["full"]]
    assert len(outlines) == rl["row_fates"]["duplicate"] + rl["row_fates"]["leak"]


def test_the_challenges_are_met_by_what_solves_them(page: Page, server: Course) -> None:
    open_told(page, server, "repeats=32")
    said = page.locator(".wc-reply-check")
    page.get_by_label("Rows that the gate takes").fill("16")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(said.nth(0)).to_contain_text("Not yet")
    page.get_by_label("Rows that the gate takes").fill("48")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(said.nth(0)).to_have_text("Yes, that is it.")
    page.get_by_role("button", name="Check my settings").click()
    expect(said.nth(1)).to_contain_text("Not yet")
    helpers.set_slider(page, "variety", 50)
    page.get_by_role("button", name="Check my settings").click()
    expect(said.nth(1)).to_have_text("Yes, that is it.")


def test_sliders_move_nothing_but_what_they_change(page: Page, server: Course) -> None:
    open_told(page, server, "repeats=12")
    assert_still(page, [("repeats", 16), ("variety", 15), ("mistakes", 40)])


@pytest.mark.parametrize("width", [1280, 375, 320])
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    open_told(page, server, "repeats=16&teach=1")
    assert helpers.is_dark(page) == dark
    assert_well_made(page)
    helpers.screenshot(page, f"lesson_04_{width}_{'dark' if dark else 'light'}")


def test_the_open_page_is_well_made_too(lesson: Page) -> None:
    assert_well_made(lesson)
    helpers.screenshot(lesson, "lesson_04_open")
