"""Lesson 6 with a file of one's own: its third row source."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

import whilecore as wc
from tests.browser import helpers
from tests.browser.lesson_06_checks import STEM, named, parameters, same
from tests.browser.lesson_checks import choose, reading, told
from tests.running import Course
from whilecore.course.numbers import flatten

OpenPage = Callable[..., Page]
EXEMPT = ('type="file"',)  # mo.ui.file hides an input without a label; the button beside it has one


def some(count: int = 24, tries: int = 4, **more: Any) -> list[dict[str, Any]]:
    """Return rows of tasks that differ: every third try a pass, some replies twice."""
    return [
        {"task": f"ticket-{n // tries:05}", "reply": f"reply {n % 9}" + " more" * (n % 5),
         "reward": int(n % 3 == 0)} | more
        for n in range(count)
    ]  # fmt: skip


def lines(rows: list[dict[str, Any]]) -> bytes:
    """Return rows as JSON lines."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in rows)


def upload(page: Page, name: str, data: bytes, timeout: float = 60_000) -> None:
    """Give the page a file."""
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    before = page.evaluate("() => window.__seen.completed")
    page.locator('input[type="file"]').first.set_input_files(file)
    helpers.wait_idle(page, after=before, timeout=timeout)


def open_file(page: Page, server: Course, query: str = "reveal=all&source=file") -> Page:
    """Open the lesson at its third row source."""
    return helpers.open_lesson(page, server, STEM, query)


def assert_told(page: Page, rows: list[dict[str, Any]], **options: Any) -> None:
    """Hold every named number of the report to the core's."""
    report = wc.Rollouts.from_records(rows).select(mode="rl", **options).report
    numbers = flatten(report, "rl")
    wrong = [(name, text) for name, text in named(page)
             if name in numbers and not same(text.replace(",", ""), numbers[name])]  # fmt: skip
    assert wrong == []
    assert f"kept {report['kept']:,} of {report['rows']:,}" in reading(page).replace("\n", " ")


def test_a_link_to_a_file_opens_with_the_upload_asked_for(page: Page, server: Course) -> None:
    open_file(page, server)
    expect(page.locator("[data-problem]")).to_contain_text("choose a file above")
    expect(page.get_by_text("Choose a file, up to 200 MB").first).to_be_visible()
    assert page.get_by_label("or a sample", exact=True).is_visible()
    assert not page.locator(".wc-when-read").first.is_visible()
    assert reading(page).startswith("kept 0 of 0")
    assert parameters(page) == {"reveal": "all", "source": "file", "v": "1"}
    assert helpers.serious_findings(page, EXEMPT) == []


def test_the_upload_is_shown_only_where_it_is_asked_for(page: Page, server: Course) -> None:
    helpers.open_lesson(page, server, STEM)
    label = page.get_by_label("or a sample", exact=True)
    assert not label.is_visible()
    choose(page, "rows", "your file")
    assert label.is_visible()
    choose(page, "rows", "simulated here")
    assert not label.is_visible()
    assert reading(page).startswith("kept")
    assert page.locator(".wc-when-read").first.is_visible()


def test_an_uploaded_file_has_its_own_question_pictures_and_readings(
    page: Page, server: Course
) -> None:
    open_file(page, server, "source=file")
    rows = some()
    upload(page, "mine.jsonl", lines(rows))
    report = wc.Rollouts.from_records(rows).select(mode="rl").report
    assert f"kept {report['kept']:,}" not in told(page)
    assert page.locator(".wc-reading .wc-masked").count() == 1
    expect(page.locator(".wc-question").first).to_contain_text(f"{len(rows)} rows")
    expect(page.locator(".wc-block").first).to_contain_text("task: task")
    with helpers.one_run(page):
        page.get_by_role("button", name="Skip and show").first.click()
    assert_told(page, rows)
    assert "mine.jsonl" in helpers.chart_text(page, "grid")["title"]
    sizes = helpers.canvas_sizes(page)
    assert len(sizes) == 5
    assert all(width > 100 and height > 40 for width, height in sizes.values()), sizes
    helpers.screenshot(page, "lesson_06_file")


def test_the_band_acts_on_a_file_and_the_other_sliders_say_that_they_do_not(
    page: Page, server: Course
) -> None:
    open_file(page, server)
    rows = some()
    upload(page, "mine.jsonl", lines(rows))
    helpers.set_slider(page, re.compile("^repeats"), 5)
    assert "no change: repeats 4 → 5; only the band acts on a file" in reading(page)
    helpers.set_slider(page, re.compile("band from"), 30)
    assert_told(page, rows, band=(0.3, 0.8))
    assert "sample" not in parameters(page)
    assert not {"file", "name"} & parameters(page).keys()


def test_a_bad_file_says_what_to_change_and_a_menu_mends_it(page: Page, server: Course) -> None:
    open_file(page, server)
    upload(page, "rows.xlsx", b"PK\x03\x04 not a workbook")
    expect(page.locator("[data-problem]")).to_contain_text("What to change.")
    choose(page, "or a sample", "every try its own id")
    expect(page.locator("[data-problem]")).to_contain_text("What to change.")  # the upload is first
    other = open_file(page, server, "reveal=all&source=file&sample=every_try_its_own_id.csv")
    expect(other.locator("[data-problem]")).to_contain_text("“ticket” in the menu “task”")
    other.get_by_text("Take other columns").click()
    choose(other, "task", "ticket")
    expect(other.locator("[data-problem]")).to_have_count(0)
    assert "of 100" in reading(other)


def test_rewards_of_their_own_scale_ask_for_a_pass(page: Page, server: Course) -> None:
    open_file(page, server)
    rows = [one | {"reward": 3 * one["reward"]} for one in some()]
    upload(page, "threes.jsonl", lines(rows))
    expect(page.locator("[data-problem]")).to_contain_text("pass from reward")
    page.get_by_text("Take other columns").click()
    box = page.get_by_label("pass from reward")
    with helpers.one_run(page):
        box.fill("2")
        box.press("Tab")
    assert_told(page, rows, pass_at_least=2)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (375, True)])
def test_a_file_of_many_tasks_is_drawn_in_parts_that_are_named(
    open_page: OpenPage, server: Course, width: int, dark: bool
) -> None:
    page = open_page(width=width, dark=dark)
    open_file(page, server)
    rows = some(4000)
    upload(page, "many.jsonl", lines(rows))
    assert_told(page, rows)
    assert "first 32 of 1,000 tasks" in helpers.chart_text(page, "grid")["title"]
    assert "first 64 of 1,000 tasks" in helpers.chart_text(page, "strip")["title"]
    for chart, marks in (("grid", "tries"), ("waterfall", "bricks"), ("strip", "tasks")):
        assert len(helpers.view_data(page, chart, marks)) <= 512
    assert helpers.sideways(page) == 0
    assert helpers.serious_findings(page, EXEMPT) == []
    helpers.screenshot(page, f"lesson_06_file_{width}")
