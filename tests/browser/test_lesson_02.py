"""Lesson 2 in a browser: a hundred groups, and how many agree."""

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
from whilecore.course import agreeing
from whilecore.groups import unanimous_probability

STEM = "02_unanimous_groups"
OpenPage = Callable[..., Page]


@pytest.fixture
def lesson(page: Page, server: Course) -> Page:
    """The lesson with its questions open."""
    return helpers.open_lesson(page, server, STEM)


def open_told(page: Page, server: Course, query: str = "") -> Page:
    """Open the lesson with everything revealed."""
    return helpers.open_lesson(page, server, STEM, f"reveal=all&{query}")


def test_before_an_answer_the_page_holds_no_count(lesson: Page) -> None:
    everything = told(lesson).replace("\xa0", " ")
    for word in ("19 of 100", "19.4 %", "12.5 %", "65.6", "0.179", "every fifth", "look mastered"):
        assert word not in everything, word
    assert len(helpers.view_data(lesson, "silence", "tries")) == 40
    assert helpers.view_data(lesson, "silence", "frames") == []
    assert helpers.view_data(lesson, "luck", "seeds") == []
    assert {row["said"] for row in helpers.view_data(lesson, "odds", "cells")} == {"?"}
    assert helpers.view_data(lesson, "mixtures", "curve") == []
    assert lesson.locator(".wc-reading .wc-masked").count() == 1


def test_an_answer_uncovers_the_groups_and_is_drawn_among_the_seeds(lesson: Page) -> None:
    answer(lesson, "35")
    expect(lesson.locator(".wc-verdict")).to_have_text(
        "Not this time. You said 35; the answer is 19."
    )
    expect(lesson.locator(".wc-wrong").filter(has_text="your answer")).to_contain_text(
        "What fails is lost."
    )
    assert len(helpers.view_data(lesson, "silence", "tries")) == 400
    assert helpers.view_data(lesson, "luck", "answer") == [{"x": 35, "said": "you: 35"}]
    assert helpers.view_data(lesson, "mixtures", "curve") == []
    helpers.set_slider(lesson, re.compile("tries"), 5)
    assert helpers.view_data(lesson, "luck", "answer") == []


def test_the_second_answer_uncovers_the_pools(lesson: Page) -> None:
    question = lesson.locator(".wc-check").filter(has_text="Half the tasks pass")
    question.get_by_role("radio", name="13", exact=True).check()
    with helpers.one_run(lesson):
        question.get_by_role("button", name="Check", exact=True).click()
    assert helpers.view_data(lesson, "mixtures", "answer")[0]["y"] == 0.13
    assert helpers.numbers(lesson)["pools.spread"] == "65.6"
    assert helpers.view_data(lesson, "silence", "frames") == []


@pytest.mark.parametrize(
    ("rate", "repeats", "seed", "spread"),
    [(65, 4, 0, 40), (0, 2, 0, 0), (100, 20, 9_999, 50), (90, 16, 7, 25), (35, 3, 1, 5)],
)
def test_the_pages_numbers_are_the_cores(
    page: Page, server: Course, rate: int, repeats: int, seed: int, spread: int
) -> None:
    open_told(page, server, f"rate={rate}&repeats={repeats}&seed={seed}&spread={spread}")
    found = helpers.numbers(page)
    passed = agreeing.draw(rate / 100, repeats, seed)
    counts = agreeing.over_seeds(rate / 100, repeats)
    chance = float(unanimous_probability(rate / 100, repeats))
    assert found["agree.seen"] == str(agreeing.agree(passed).sum())
    assert found["agree.expected"] == f"{100 * chance:.1f}"
    assert (found["agree.low"], found["agree.high"]) == (str(min(counts)), str(max(counts)))
    frames = helpers.view_data(page, "silence", "frames")
    assert len(frames) == agreeing.agree(passed).sum()
    pool = unanimous_probability(agreeing.pool(spread), repeats).mean()
    assert found["pools.spread"] == f"{100 * pool:.1f}"
    assert found["map.here"] == f"{100 * chance:.1f}"


def test_pointing_at_all_pass_lights_those_groups(page: Page, server: Course) -> None:
    open_told(page, server)
    page.locator('[data-link="all_pass"]').hover()
    assert helpers.view_signal(page, "silence", "lit") == "all_pass"


def test_a_move_names_its_cause_or_why_nothing_changed(page: Page, server: Course) -> None:
    open_told(page, server)
    helpers.set_slider(page, re.compile("tries"), 5)
    assert re.fullmatch(r"agree \d+ of 100\n−\d+: tries, k 4 → 5", reading(page))
    helpers.set_slider(page, re.compile("distance"), 35)
    assert "no change: distance from 50 %: 40 → 35 points; the spread acts" in reading(page)


def test_the_link_reproduces_every_number(page: Page, server: Course, open_page: OpenPage) -> None:
    open_told(page, server)
    helpers.set_slider(page, re.compile("true rate"), 80)
    helpers.set_slider(page, re.compile("tries"), 7)
    page.wait_for_url(re.compile("rate=80&repeats=7"))
    other = open_page()
    other.goto(page.url)
    helpers.wait_idle(other)
    assert helpers.numbers(other) == helpers.numbers(page)


def test_the_challenges_are_met_by_what_solves_them(page: Page, server: Course) -> None:
    open_told(page, server, "rate=90&repeats=15")
    said = page.locator(".wc-reply-check")
    check = page.get_by_role("button", name="Check my settings")
    check.click()
    expect(said.nth(0)).to_contain_text("Not yet")
    helpers.set_slider(page, re.compile("tries"), 16)
    check.click()
    expect(said.nth(0)).to_have_text("Yes, that is it.")
    box = page.get_by_label("Tries", exact=True)
    box.fill("13")
    page.keyboard.press("Enter")
    expect(said.nth(1)).to_contain_text("Not yet")
    box.fill("14")
    page.keyboard.press("Enter")
    expect(said.nth(1)).to_have_text("Yes, that is it.")


def test_sliders_move_nothing_but_what_they_change(page: Page, server: Course) -> None:
    open_told(page, server)
    helpers.set_slider(page, re.compile("true rate"), 70)  # what the loading page shifted is told
    moves = [("true rate", 90), ("tries", 12), ("tries", 2), ("distance", 0), ("true rate", 50)]
    assert_still(page, [(re.compile(name), value) for name, value in moves])


@pytest.mark.parametrize("width", [1280, 375, 320])
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    open_told(page, server, "teach=1&repeats=12&rate=90")
    assert helpers.is_dark(page) == dark
    assert_well_made(page)
    helpers.screenshot(page, f"lesson_02_{width}_{'dark' if dark else 'light'}")


def test_the_open_page_is_well_made_too(lesson: Page) -> None:
    assert_well_made(lesson)
    helpers.screenshot(lesson, "lesson_02_open")
