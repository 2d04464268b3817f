"""Lesson 10 in a browser: a reward that climbs, and the truth after the answer."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import helpers
from tests.browser.lesson_checks import (
    answer,
    assert_still,
    assert_well_made,
    reading,
    told,
)
from tests.running import Course

STEM = "10_when_the_judge_is_wrong"
OpenPage = Callable[..., Page]


def test_the_truth_comes_with_the_answer_and_the_answer_is_drawn(
    page: Page, server: Course
) -> None:
    helpers.open_lesson(page, server, STEM)
    everything = told(page)
    assert not re.search(r"below its start from|0\.(51|72)(?!\d)|falls", everything)
    assert len(helpers.view_data(page, "climb", "reward")) == 61
    assert helpers.view_data(page, "climb", "truth") == []
    answer(page, "up, then level")
    expect(page.locator(".wc-verdict").first).to_contain_text(
        "You said up, then level; the answer is up,"
    )
    assert {row["said"] for row in helpers.view_data(page, "climb", "answer")} == {"you"}
    assert len(helpers.view_data(page, "climb", "runs")) == 20 * 61
    assert helpers.view_data(page, "brake", "paths") == []
    answer(page, "lower")
    assert [one["said"] for one in helpers.view_data(page, "brake", "answer")] == ["you"]
    assert reading(page).startswith("ends 51")
    helpers.set_slider(page, re.compile("length"), 0)
    expect(page.locator(".wc-reading")).to_contain_text("ends 81\u00a0% right")
    assert helpers.view_data(page, "climb", "answer") == []


def test_a_link_brings_its_settings_back_and_moves_push_nothing_about(
    page: Page, server: Course
) -> None:
    helpers.open_lesson(page, server, STEM, "reveal=all&bias=50&pull=25&best_of=8")
    assert reading(page).startswith("ends 65")
    check = page.get_by_role("button", name="Check my settings")
    for nth in (0, 2):
        check.nth(nth).click()
        expect(page.locator(".wc-reply-check").nth(nth)).to_have_text("Yes, that is it.")
    assert_still(page, [(re.compile("length"), 80), (re.compile("pull"), 0)])
    assert "bias=80" in page.url and "pull" not in page.url


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (375, True), (320, False)])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    helpers.open_lesson(page, server, STEM, "reveal=all&teach=1")
    assert_well_made(page)
    helpers.screenshot(page, f"lesson_10_{width}_{'dark' if dark else 'light'}")
