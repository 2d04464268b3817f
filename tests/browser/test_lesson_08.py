"""Lesson 8 in a browser: what a full batch costs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import helpers
from tests.browser.lesson_checks import answer, assert_still, assert_well_made, reading, told
from tests.running import Course
from whilecore.charts import lanes
from whilecore.course import refilling

STEM = "08_refill_the_batch"
OpenPage = Callable[..., Page]


def test_nothing_of_the_answer_is_there_until_it_is_given_and_then_it_is_drawn(
    page: Page, server: Course
) -> None:
    helpers.open_lesson(page, server, STEM)
    everything = told(page)
    for word in (
        "800 rollouts",
        "times as many",
        "groups agree and",
        "is live.",
        "draws on average",
    ):
        assert word not in everything, word
    assert all(row["y"] < lanes.TALL for row in helpers.view_data(page, "lanes", "groups"))
    assert page.locator(".wc-reading .wc-masked").count() == 1
    assert_well_made(page)
    answer(page, "1.5×")
    expect(page.locator(".wc-verdict")).to_have_text(
        "Not this time. You said 1.5×; the answer is about 3×."
    )
    assert [row["said"] for row in helpers.view_data(page, "lanes", "answer")] == ["you: 1.5×"]
    assert reading(page).startswith("800 rollouts")
    assert helpers.view_data(page, "patience", "curves") == []


def test_the_controls_move_what_they_name_and_nothing_else(page: Page, server: Course) -> None:
    helpers.open_lesson(page, server, STEM, "reveal=all&rate=90")
    assert_still(page, [("tries, k", 6), ("true rate", 92), ("batch, groups", 24)])
    lane = refilling.fill(0.92, 6, 24, 0)
    shown = helpers.numbers(page)
    assert shown["fill.rollouts"] == f"{lane.rollouts:,}"
    assert shown["fill.silent"] == str((~lane.live).sum())
    groups = helpers.view_data(page, "lanes", "groups")
    assert sum(row["full"] for row in groups if row["y"] > lanes.TALL) == 24
    page.wait_for_url("**repeats=6&rate=92&batch=24**")
    helpers.set_slider(page, "tries, k", 8)
    helpers.set_slider(page, "true rate", 91)
    page.get_by_role("button", name="Check my settings").click()
    expect(page.locator(".wc-reply-check").first).to_have_text("Yes, that is it.")


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (375, False), (320, True)])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    helpers.open_lesson(page, server, STEM, "reveal=all&teach=1&rate=99")
    assert_well_made(page)
    helpers.screenshot(page, f"lesson_08_{width}_{'dark' if dark else 'light'}")
