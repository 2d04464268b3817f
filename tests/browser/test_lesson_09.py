"""Lesson 9 in a browser: curves after the answer, then the proof."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import helpers
from tests.browser.lesson_checks import answer, assert_still, assert_well_made, reading, told
from tests.running import Course

STEM = "09_train_and_prove"
OpenPage = Callable[..., Page]


def test_curves_come_with_the_answer_and_matched_ones_with_the_second(
    page: Page, server: Course
) -> None:
    helpers.open_lesson(page, server, STEM)
    assert not re.search(r"” ends highest|0\.967|91\.7", told(page))
    assert len(helpers.view_data(page, "curves", "pool2")) == 11
    answer(page, "oracle")
    expect(page.locator(".wc-verdict").first).to_contain_text(
        "You said oracle; the answer is middle re-measured."
    )
    oracle = helpers.view_data(page, "curves", "pool3")
    ring = helpers.view_data(page, "curves", "answer")
    assert [(one["x"], one["y"]) for one in ring] == [(oracle[-1]["x"], oracle[-1]["y"])]
    assert len(helpers.view_data(page, "curves", "runs")) == 20 * 61
    assert helpers.view_data(page, "leads", "leads") == []
    answer(page, "all of it")
    assert len(helpers.view_data(page, "leads", "leads")) == 12
    assert [one["said"] for one in helpers.view_data(page, "leads", "answer")] == ["you"]


def test_a_link_brings_its_settings_back_and_moves_push_nothing_about(
    page: Page, server: Course
) -> None:
    helpers.open_lesson(page, server, STEM, "reveal=all&stop=20&held=8&leak=paraphrase")
    assert reading(page).startswith("ends 91.7")
    assert len(helpers.view_data(page, "paired", "tasks")) == 8
    check = page.get_by_role("button", name="Check my settings")
    for nth in (0, 2):
        check.nth(nth).click()
        expect(page.locator(".wc-reply-check").nth(nth)).to_have_text("Yes, that is it.")
    assert_still(page, [("held-out tasks", 16), (re.compile("train for"), 25)])


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (375, True), (320, False)])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    helpers.open_lesson(page, server, STEM, "reveal=all&teach=1")
    assert_well_made(page)
    helpers.screenshot(page, f"lesson_09_{width}_{'dark' if dark else 'light'}")
