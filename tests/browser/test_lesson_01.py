"""Lesson 1 in a browser: one group, flipped by click and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import helpers
from tests.browser.lesson_checks import assert_still, assert_well_made, reading, told
from tests.running import Course
from whilecore.charts import baseline
from whilecore.groups import advantages

STEM = "01_one_group"
OpenPage = Callable[..., Page]


@pytest.fixture
def lesson(page: Page, server: Course) -> Page:
    """The lesson with its questions open."""
    return helpers.open_lesson(page, server, STEM)


def open_told(page: Page, server: Course, query: str = "") -> Page:
    """Open the lesson with everything revealed."""
    return helpers.open_lesson(page, server, STEM, f"reveal=all&{query}")


def mark(page: Page, number: int) -> Locator:
    """The toggle button of a try."""
    return page.get_by_role("button", name=f"try {number} passes")


def pushes(page: Page) -> list[str]:
    """The pushes as the chart writes them."""
    return [row["push"] for row in helpers.view_data(page, "group", "tries")]


def answer(page: Page, label: str) -> None:
    """Choose an option and press the Check of its own question."""
    question = page.locator(".wc-check").filter(
        has=page.get_by_role("radio", name=label, exact=True)
    )
    question.get_by_role("radio", name=label, exact=True).check()
    with helpers.one_run(page):
        question.get_by_role("button", name="Check", exact=True).click()


def click_in_chart(page: Page, number: int) -> None:
    """Click on the column of a try in the chart."""
    box = page.locator('[data-livechart="group"] canvas').bounding_box()
    assert box is not None
    column = (box["width"] - 10) / (baseline.SLOTS + baseline.RIGHT - baseline.LEFT)
    with helpers.one_run(page):
        page.mouse.click(
            box["x"] + 5 + column * (number - 0.5 - baseline.LEFT), box["y"] + box["height"] / 2
        )


def test_before_an_answer_the_page_holds_no_push(lesson: Page) -> None:
    everything = told(lesson)
    for word in ("+0.25", "2.31", "lone fail", "strongest push; a", "1.407"):
        assert word not in everything, word
    assert set(pushes(lesson)) == {""}
    assert helpers.view_data(lesson, "group", "lines") == []
    assert helpers.view_data(lesson, "recipes", "pushes") == []
    assert helpers.view_data(lesson, "close", "pushes") == []
    assert set(row["push"] for row in helpers.view_data(lesson, "batch", "tries")) == {""}
    assert helpers.numbers(lesson) == {}
    assert reading(lesson).startswith("3 of 4 pass")


def test_an_answer_uncovers_the_pushes_and_is_ringed_on_the_chart(lesson: Page) -> None:
    answer(lesson, "each pass, +1")
    expect(lesson.locator(".wc-verdict")).to_contain_text("the answer is the fail, −0.75")
    assert pushes(lesson) == ["+0.25", "+0.25", "+0.25", "−0.75"]
    ring = helpers.view_data(lesson, "group", "answer")
    assert [row["x"] for row in ring] == [0.5, 1.5, 2.5] and ring[-1]["said"] == "you"
    assert helpers.numbers(lesson)["pushes.sum"] == "0"
    assert helpers.view_data(lesson, "close", "pushes") == []
    assert "pushed up by" not in told(lesson)


def test_the_second_and_third_answer_uncover_their_own_picture(lesson: Page) -> None:
    answer(lesson, "+0.00075")
    assert helpers.view_data(lesson, "close", "answer")[0]["x"] == 0.00075
    assert helpers.chart_text(lesson, "close")["title"].endswith("three fails: +1.73")
    assert set(pushes(lesson)) == {""}
    answer(lesson, "nothing: they agree")
    said = [row["said"] for row in helpers.view_data(lesson, "batch", "answer")]
    assert said[-1] == "you: 0"
    assert helpers.numbers(lesson)["batch.left"] == "1.50"


def test_a_mark_is_flipped_with_the_keyboard_and_keeps_the_focus(
    page: Page, server: Course
) -> None:
    open_told(page, server)
    mark(page, 3).focus()
    page.keyboard.press("Tab")
    expect(mark(page, 4)).to_be_focused()
    expect(mark(page, 4)).to_have_attribute("aria-pressed", "false")
    with helpers.one_run(page):
        page.keyboard.press("Space")
    expect(mark(page, 4)).to_have_attribute("aria-pressed", "true")
    expect(mark(page, 4)).to_be_focused()
    assert pushes(page) == ["0"] * 4
    assert {row["sign"] for row in helpers.view_data(page, "group", "tries")} == {"–"}
    assert reading(page) == "pushes sum to 0\n4 × 0; try 4 passes now"
    expect(page.locator("#wc-live")).to_have_text("All tries agree: no push. try 4 passes now")
    with helpers.one_run(page):
        page.keyboard.press("Enter")
    assert pushes(page)[3] == "−0.75"


def test_a_mark_is_flipped_by_a_click_on_the_chart(page: Page, server: Course) -> None:
    open_told(page, server)
    for number in (2, 2, 1):
        before = mark(page, number).get_attribute("aria-pressed")
        click_in_chart(page, number)
        after = {"true": "false", "false": "true"}[str(before)]
        expect(mark(page, number)).to_have_attribute("aria-pressed", after)
    assert pushes(page) == ["−0.50", "+0.50", "+0.50", "−0.50"]


def test_columns_of_buttons_and_chart_stand_above_each_other(page: Page, server: Course) -> None:
    open_told(page, server, "repeats=8")
    box = page.locator('[data-livechart="group"] canvas').bounding_box()
    assert box is not None
    column = (box["width"] - 10) / (baseline.SLOTS + baseline.RIGHT - baseline.LEFT)
    for number in (1, 8):
        button = mark(page, number).bounding_box()
        assert button is not None
        middle = box["x"] + 5 + column * (number - 0.5 - baseline.LEFT)
        assert button["x"] + button["width"] / 2 == pytest.approx(middle, abs=2)


@pytest.mark.parametrize(
    ("query", "rewards"),
    [
        ("", [1, 1, 1, 0]),
        ("repeats=2&tries=01", [0, 1]),
        ("repeats=8&tries=00000001", [0] * 7 + [1]),
        ("repeats=8&tries=11111111", [1] * 8),
    ],
)
def test_the_pages_numbers_are_the_cores(
    page: Page, server: Course, query: str, rewards: list[int]
) -> None:
    open_told(page, server, query)
    found = helpers.numbers(page)
    expected = advantages(rewards)
    assert found["pushes.sum"] == "0"
    assert found["pushes.size"] == f"{np.abs(expected).mean():.3f}"
    assert found["pushes.update"] == f"{np.var(rewards):.3f}"
    assert pushes(page) == [baseline.signed(one, 3) for one in expected]
    assert found["conventions.0.first"] == "+2.645"


def test_flips_travel_in_the_link_and_survive_a_reload(
    page: Page, server: Course, open_page: OpenPage
) -> None:
    open_told(page, server)
    with helpers.one_run(page):
        mark(page, 1).click()
    helpers.set_slider(page, re.compile("tries"), 6)
    page.wait_for_url(re.compile("tries=01101011&repeats=6"))
    shown = helpers.numbers(page)
    other = open_page()
    other.goto(page.url)
    helpers.wait_idle(other)
    assert helpers.numbers(other) == shown
    expect(mark(other, 1)).to_have_attribute("aria-pressed", "false")
    expect(mark(other, 6)).to_be_visible()
    expect(mark(other, 7)).to_be_hidden()


def test_reset_brings_marks_and_controls_back(page: Page, server: Course) -> None:
    open_told(page, server, "repeats=8&tries=0000&easy=1")
    page.get_by_role("button", name="More", exact=True).click()
    with helpers.one_run(page):
        page.get_by_role("button", name="Reset").click()
    assert pushes(page) == ["+0.25", "+0.25", "+0.25", "−0.75"]
    expect(mark(page, 4)).to_have_attribute("aria-pressed", "false")
    assert helpers.numbers(page)["batch.left"] == "1.50"


def test_a_bad_pattern_in_the_link_falls_back_with_a_message(page: Page, server: Course) -> None:
    open_told(page, server, "tries=12345")
    expect(page.locator(".wc-notices p")).to_contain_text("tries must be 2 to 8 digits")
    assert len(pushes(page)) == 4


def test_a_pattern_posted_past_the_buttons_is_ignored(page: Page, server: Course) -> None:
    open_told(page, server)
    before = pushes(page)
    with helpers.one_run(page):
        page.evaluate(
            """() => {
              const host = window.__deep(".wc-flips")[0].getRootNode().host;
              host.dispatchEvent(new CustomEvent("marimo-value-input", { bubbles: true,
                composed: true, detail: { value: { tries: "9".repeat(99) }, element: host } }));
            }"""
        )
    assert pushes(page) == before


def test_the_challenges_are_met_by_the_marks_that_solve_them(page: Page, server: Course) -> None:
    open_told(page, server)
    said, check = page.locator(".wc-reply-check"), "Check my settings"
    settings = page.get_by_role("button", name=check)
    settings.nth(0).click()
    expect(said.nth(1)).to_contain_text("Not yet")
    settings.nth(1).click()
    expect(said.nth(2)).to_have_text("Yes, that is it.")
    with helpers.one_run(page):
        mark(page, 3).click()
    settings.nth(0).click()
    expect(said.nth(1)).to_have_text("Yes, that is it.")
    settings.nth(1).click()
    expect(said.nth(2)).to_contain_text("Not yet")
    page.get_by_label("Ways").fill("2")
    page.keyboard.press("Enter")
    expect(said.nth(0)).to_have_text("Yes, that is it.")


@pytest.mark.parametrize("width", [1280, 375])
def test_flips_and_sliders_move_nothing_but_what_they_change(
    open_page: OpenPage, server: Course, width: int
) -> None:
    page = open_told(open_page(width=width), server)
    with helpers.one_run(page):  # what the loading page shifted is told
        mark(page, 1).click()
    with helpers.shifts(page) as seen:
        for number in (4, 4, 1, 2, 3):
            with helpers.one_run(page):
                mark(page, number).click()
    assert not seen, seen
    if width > 900:
        assert_still(page, [(re.compile("tries"), 8), (re.compile("left task"), 0)])


@pytest.mark.parametrize("width", [1280, 375, 320])
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    open_told(page, server, "teach=1&repeats=8")
    assert helpers.is_dark(page) == dark
    assert_well_made(page)
    small = page.evaluate(
        """() => window.__deep(".wc-flips button").map((one) => one.getBoundingClientRect())
          .filter(({ width, height }) => width < 24 || height < 24).length"""
    )
    assert small == 0
    helpers.screenshot(page, f"lesson_01_{width}_{'dark' if dark else 'light'}")


def test_the_open_page_is_well_made_too(lesson: Page) -> None:
    assert_well_made(lesson)
    helpers.screenshot(lesson, "lesson_01_open")
