"""Lesson 3 in a browser: the band, from a few tries."""

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
    choose,
    reading,
    told,
)
from tests.running import Course
from tests.test_lesson_03 import third

STEM = "03_the_band"
OpenPage = Callable[..., Page]


@pytest.fixture
def lesson(page: Page, server: Course) -> Page:
    """The lesson with its question open."""
    return helpers.open_lesson(page, server, STEM)


def open_told(page: Page, server: Course, query: str = "") -> Page:
    """Open the lesson with everything revealed."""
    return helpers.open_lesson(page, server, STEM, f"reveal=all&{query}")


def test_before_the_answer_the_page_holds_nothing_of_it(lesson: Page) -> None:
    everything = told(lesson)
    for word in (
        "agreement did not",
        "the band drops 0",
        "a random pick 3",
        "of the signal",
        "misfile 2",
    ):
        assert word not in everything, word
    assert "25, 50 or 75" not in everything  # the reason of the right answer
    assert lesson.locator(".wc-reading .wc-masked").count() == 1
    assert helpers.view_data(lesson, "cells", "units") == []
    assert helpers.view_data(lesson, "ladder", "outcomes") == []
    assert helpers.view_data(lesson, "strip", "band") == []
    assert {row["full"] for row in helpers.view_data(lesson, "strip", "tasks")} == {1}


def test_an_answer_uncovers_the_band_and_is_drawn_beside_what_it_drops(lesson: Page) -> None:
    answer(lesson, "5")
    expect(lesson.locator(".wc-verdict")).to_have_text(
        "Not this time. You said 5; the answer is 0."
    )
    expect(lesson.locator(".wc-wrong").filter(has_text="your answer")).to_contain_text(
        "reads true rates off the scale"
    )
    lane = helpers.view_data(lesson, "cells", "answer")
    assert [row["text"] for row in lane if row["said"]] == ["you said: 5", *[""] * 5]
    assert "mixed tasks the band drops: 0" in [row["text"] for row in lane]
    assert reading(lesson).startswith("keeps 11 of 16 tasks")
    helpers.set_slider(lesson, "repeats", 5)
    assert not any(row["said"] for row in helpers.view_data(lesson, "cells", "answer"))


def test_true_rates_are_nowhere_until_they_are_asked_for(page: Page, server: Course) -> None:
    open_told(page, server)
    rates = [f"{rate:.9f}" for rate in third()["tasks"].true]
    assert not any(rate in told(page) for rate in rates)
    assert helpers.view_data(page, "strip", "truth") == []
    choose(page, "true pass rates", "shown")
    truth = helpers.view_data(page, "strip", "truth")
    assert [f"{row['x']:.9f}" for row in truth] == rates
    assert helpers.numbers(page)["misfiled"] == "4"
    assert "truth=shown" in page.url or page.wait_for_url(re.compile("truth=shown")) is None


@pytest.mark.parametrize(
    ("query", "settings"),
    [
        ("repeats=8", {"repeats": 8}),
        ("repeats=64&skill=u-shaped", {"repeats": 64, "skill": "u-shaped"}),
        ("repeats=2&band_low=0&band_high=50&skill=flat&seed=9999",
         {"repeats": 2, "band_low": 0, "band_high": 50, "skill": "flat", "seed": 9_999}),
    ],
)  # fmt: skip
def test_the_page_s_numbers_are_the_core_s(
    page: Page, server: Course, query: str, settings: dict[str, object]
) -> None:
    open_told(page, server, f"truth=shown&{query}")
    tasks, shown = third(**settings)["tasks"], helpers.numbers(page)
    assert shown["band.kept"] == str(tasks.kept.sum())
    assert shown["mixed"] == str(tasks.mixed.sum())
    assert shown["band.dropped"] == str(tasks.dropped.sum())
    assert shown["misfiled"] == str(tasks.misfiled.sum())
    units = helpers.view_data(page, "cells", "units")
    assert sum(row["wrong"] for row in units[:16]) == tasks.misfiled.sum()
    strip = helpers.view_data(page, "strip", "tasks")
    assert [row["full"] for row in strip] == tasks.kept.astype(int).tolist()


def test_pointing_at_a_task_lights_it_in_the_other_picture(page: Page, server: Course) -> None:
    open_told(page, server)
    page.evaluate(
        "() => dispatchEvent(new CustomEvent('whilecore:light', { detail: { key: 'task3' } }))"
    )
    assert helpers.view_signal(page, "strip", "lit") == "task3"
    assert helpers.view_signal(page, "cells", "lit") == "task3"


def test_a_move_that_changes_nothing_says_why(page: Page, server: Course) -> None:
    open_told(page, server)
    helpers.set_slider(page, re.compile("band to"), 75)
    assert "no change: band to 80 → 75 %; mixed tasks pass 25 to 75 % of 4 tries" in reading(page)
    helpers.pause(page)
    helpers.set_slider(page, re.compile("band to"), 70)
    assert re.search(r"−\d+: band to 75 → 70 %", reading(page))


def test_the_challenges_are_met_by_the_settings_that_solve_them(page: Page, server: Course) -> None:
    open_told(page, server)
    check = page.get_by_role("button", name="Check my settings")
    said = page.locator(".wc-reply-check")
    check.nth(1).click()
    expect(said.nth(1)).to_contain_text("Not yet")
    helpers.set_slider(page, re.compile("band to"), 90)
    check.nth(1).click()
    expect(said.nth(1)).to_have_text("Yes, that is it.")
    helpers.set_slider(page, re.compile("band to"), 80)
    check.nth(0).click()
    expect(said.nth(0)).to_contain_text("Not yet")
    helpers.set_slider(page, "repeats", 64)
    check.nth(0).click()
    expect(said.nth(0)).to_have_text("Yes, that is it.")


def test_sliders_move_nothing_but_what_they_change(page: Page, server: Course) -> None:
    open_told(page, server, "truth=shown")
    assert_still(page, [("repeats", 9), ("repeats", 6)])


@pytest.mark.parametrize("width", [1280, 375, 320])
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    open_told(page, server, "truth=shown&teach=1")
    assert helpers.is_dark(page) == dark
    assert_well_made(page)
    helpers.screenshot(page, f"lesson_03_{width}_{'dark' if dark else 'light'}")


def test_the_open_page_is_well_made_too(lesson: Page) -> None:
    assert_well_made(lesson)
    helpers.screenshot(lesson, "lesson_03_open")
