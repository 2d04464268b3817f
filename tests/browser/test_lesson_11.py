"""Lesson 11 in a browser: a file goes up, its account comes down."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

import whilecore as wc
from tests.browser import helpers
from tests.browser.lesson_checks import assert_still, choose, reading, told
from tests.running import Course

STEM = "11_your_rollouts"
OpenPage = Callable[..., Page]
# mo.ui.file hides a file input that has no label; the button beside it has one.
EXEMPT = ('type="file"',)
SCRIPT = "<script>document.body.dataset.hacked=1</script><img src=x onerror=alert(1)>"


def rows(count: int = 12, **more: Any) -> list[dict[str, Any]]:
    """Return rows of tasks of four tries, every third try a pass, with markup in every text."""
    return [
        {"task": f"{SCRIPT} {n // 4}", "reply": f"{SCRIPT} reply {n}", "reward": int(n % 3 == 0)}
        | more
        for n in range(count)
    ]


def upload(page: Page, name: str, data: bytes, timeout: float = 30_000) -> None:
    """Give the page a file."""
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    before = page.evaluate("() => window.__seen.completed")
    page.locator('input[type="file"]').first.set_input_files(file)
    helpers.wait_idle(page, after=before, timeout=timeout)


def lines(some: list[dict[str, Any]]) -> bytes:
    """Return rows as JSON lines."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in some)


@pytest.fixture
def lesson(page: Page, server: Course) -> Page:
    """The lesson with its question open."""
    return helpers.open_lesson(page, server, STEM)


def open_told(page: Page, server: Course, query: str = "") -> Page:
    """Open the lesson with everything revealed."""
    return helpers.open_lesson(page, server, STEM, f"reveal=all&{query}")


def test_before_the_answer_the_page_holds_no_fate_of_the_sample(lesson: Page) -> None:
    assert "kept 47" not in told(lesson)
    assert lesson.locator(".wc-reading .wc-masked").count() == 1
    assert {row["full"] for row in helpers.view_data(lesson, "grid", "tries")} == {1}
    assert {row["link"] for row in helpers.view_data(lesson, "rates", "parts")} == {""}
    assert helpers.view_data(lesson, "tracking", "features") == []
    assert lesson.get_by_role("button", name="RL rows").count() == 0
    assert helpers.serious_findings(lesson, EXEMPT) == []
    helpers.screenshot(lesson, "lesson_11_open")


def test_an_uploaded_file_is_counted_and_its_markup_stays_text(page: Page, server: Course) -> None:
    open_told(page, server)
    some = rows()
    upload(page, f"{SCRIPT}.jsonl".replace("/", ""), lines(some))
    expected = wc.Rollouts.from_records(some).select(mode="rl").report
    shown = helpers.numbers(page)
    assert shown["rl.kept"] == str(expected["kept"])
    assert reading(page).startswith(f"kept {expected['kept']} of 12")
    assert page.evaluate("() => document.body.dataset.hacked") is None
    assert page.locator("img[src=x]").count() == 0
    assert helpers.chart_text(page, "sizes")["title"].startswith("3 of 3 tasks have 4 tries")


def test_a_bad_file_says_what_to_change_and_shows_no_stale_number(
    page: Page, server: Course
) -> None:
    open_told(page, server)
    upload(page, "rows.xlsx", b"PK\x03\x04 not a workbook")
    expect(page.locator("[data-problem]")).to_contain_text("What to change.")
    assert reading(page).startswith("kept 0 of 0")
    assert not page.locator(".wc-when-read").first.is_visible()


def test_a_menu_mends_the_sample_whose_tries_have_ids_of_their_own(
    page: Page, server: Course
) -> None:
    open_told(page, server, "sample=every_try_its_own_id.csv")
    expect(page.locator("[data-problem]")).to_contain_text(
        "Choose one, such as “ticket” in the menu “task”"
    )
    choose(page, "task", "ticket")
    expect(page.locator("[data-problem]")).to_have_count(0)
    assert helpers.chart_text(page, "sizes")["title"].startswith("25 of 25 tasks have 4 tries")
    helpers.set_slider(page, re.compile("band to"), 70)
    assert re.search(r"−\d+: band to 80 → 70 %", reading(page))


def test_rewards_of_their_own_scale_ask_for_a_pass(page: Page, server: Course) -> None:
    open_told(page, server)
    some = [one | {"reward": 3 * one["reward"]} for one in rows()]
    upload(page, "threes.jsonl", lines(some))
    expect(page.locator("[data-problem]")).to_contain_text("pass from reward")
    box = page.get_by_label("pass from reward")
    with helpers.one_run(page):
        box.fill("2")
        box.press("Tab")
    kept = wc.Rollouts.from_records(some).select(mode="rl", pass_at_least=2).report["kept"]
    assert helpers.numbers(page)["rl.kept"] == str(kept)


def test_a_download_is_what_the_core_writes(page: Page, server: Course) -> None:
    open_told(page, server)
    with page.expect_download() as waiting:
        page.get_by_text("RL manifest", exact=True).click()
    about = json.loads(waiting.value.path().read_text())
    assert waiting.value.suggested_filename == "train.rl.manifest.json"
    assert about["counts"]["kept"] == int(helpers.numbers(page)["rl.kept"])


def test_sliders_move_nothing_but_what_they_change(page: Page, server: Course) -> None:
    open_told(page, server)
    assert_still(page, [(re.compile("band from"), 35)])  # type: ignore[list-item]


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (375, True), (320, False)])
def test_it_is_well_made(open_page: OpenPage, server: Course, width: int, dark: bool) -> None:
    page = open_page(width=width, dark=dark)
    open_told(page, server, "teach=1")
    assert helpers.is_dark(page) == dark
    assert helpers.serious_findings(page, EXEMPT) == []
    assert helpers.sideways(page) == 0
    sizes = helpers.canvas_sizes(page)
    assert len(sizes) == 7
    assert all(width > 100 and height > 40 for width, height in sizes.values()), sizes
    helpers.screenshot(page, f"lesson_11_{width}_{'dark' if dark else 'light'}")
