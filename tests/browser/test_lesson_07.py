"""Lesson 7 in a browser: what SFT copies."""

from __future__ import annotations

from collections.abc import Callable

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
from whilecore.course import keeping
from whilecore.rejection import rejection_sample

STEM = "07_keep_the_passes"
OpenPage = Callable[..., Page]


def test_nothing_of_the_answer_is_there_until_it_is_given_and_then_it_is_drawn(
    page: Page, server: Course
) -> None:
    helpers.open_lesson(page, server, STEM)
    everything = told(page)
    for word in ("keeps 16", "further passes =", "+1.59", "has a pass 65", "All passes score 1"):
        assert word not in everything, word
    assert helpers.view_data(page, "picks", "rings") == []
    assert {row["full"] for row in helpers.view_data(page, "copied", "tries")} == {1}
    assert page.locator(".wc-reading .wc-masked").count() == 1
    assert_well_made(page)
    answer(page, "43")
    expect(page.locator(".wc-verdict")).to_have_text(
        "Not this time. You said 43; the answer is 16."
    )
    assert [row["said"] for row in helpers.view_data(page, "copied", "answer")] == ["you: 43"]
    assert len(helpers.view_data(page, "picks", "rings")) == 10
    assert helpers.view_data(page, "reach", "curves") == []


def test_the_controls_move_what_they_name_and_nothing_else(page: Page, server: Course) -> None:
    helpers.open_lesson(page, server, STEM, "reveal=all&noise=100")
    run = rejection_sample(keeping.RATES, 10, noise=1.0)
    assert helpers.numbers(page)["copied"] == str(run.kept)
    assert_still(page, [("completions", 12), ("noise", 125)])
    run = rejection_sample(keeping.RATES, 12, noise=1.25)
    assert helpers.numbers(page)["copied"] == str(run.kept)
    choose(page, "pick", "any reply")
    assert reading(page).startswith("copies 12 of 12 tasks")
    at = run.picks["random of all"]
    rings = helpers.view_data(page, "picks", "rings")
    assert [row["x"] for row in rings] == pytest.approx(
        [run.score[task, one] for task, one in enumerate(at)], abs=1e-3
    )
    page.wait_for_url("**completions=12&noise=125&rule=all**")


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (375, False), (320, True)])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    helpers.open_lesson(page, server, STEM, "reveal=all&teach=1&completions=30&noise=150")
    assert_well_made(page)
    helpers.screenshot(page, f"lesson_07_{width}_{'dark' if dark else 'light'}")
