"""Three questions on the home page, their like after lesson 6, and what changed between them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import helpers
from tests.browser.lesson_checks import told
from tests.running import Course
from whilecore.course import entry

STEM = "06_which_rows_to_train_on"
OpenPage = Callable[..., Page]
WRONG_FIRST = {"push": "passed 4 of 4", "luck": "41", "tracks": "this number does"}
"""What the learner of these tests believes before the course: one of three is right."""


def answer_before(page: Page, server: Course) -> None:
    """Answer the three questions of the home page."""
    page.goto(server.url)
    for label in WRONG_FIRST.values():
        page.get_by_role("radio", name=label, exact=True).check()
        page.get_by_role("button", name="Keep my answer").click()
    expect(page.locator("#wc-entry")).to_contain_text("see these questions again after lesson 6")


def answer_after(page: Page, labels: list[str]) -> None:
    """Answer the three questions at the end of lesson 6."""
    for label in labels:
        option = page.get_by_role("radio", name=label, exact=True)
        option.check()
        box = page.locator(".wc-check", has=option)
        box.get_by_role("button", name="Check", exact=True).click()
        verdict = page.locator(".wc-check", has_text=label).locator(".wc-verdict")
        expect(verdict.first).to_be_visible()


def stored(page: Page) -> dict:
    """Return what the browser remembers."""
    return json.loads(page.evaluate("() => localStorage.getItem('whilecore.progress')"))["checks"]


def rights() -> list[str]:
    """Return the right answers after the course."""
    return [form.right for form in entry.after().values()]


def test_before_the_course_answers_are_kept_and_not_marked(page: Page, server: Course) -> None:
    answer_before(page, server)
    kept = stored(page)
    assert {name: one["choice"] for name, one in kept.items()} == {
        f"entry.{idea}": label for idea, label in WRONG_FIRST.items()
    }
    assert all(one["right"] is None for one in kept.values())
    shown = page.locator("body").inner_text()
    assert "Right" not in shown
    assert "Before the course" not in shown
    page.reload()
    expect(page.locator("#wc-entry")).to_contain_text("Your answers are kept")


def test_keyboard_alone_answers_and_focus_goes_on_to_the_next_question(
    page: Page, server: Course
) -> None:
    page.goto(server.url)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#wc-entry legend")).to_have_text(entry.before()["luck"].question)
    expect(page.locator("#wc-entry input").first).to_be_focused()
    assert stored(page)["entry.push"]["choice"] == "passed 0 of 4"


def test_nothing_chosen_is_said_and_not_knowing_is_an_answer_too(
    page: Page, server: Course
) -> None:
    page.goto(server.url)
    page.get_by_role("button", name="Keep my answer").click()
    expect(page.get_by_role("alert")).to_have_text("Choose an answer first.")
    page.get_by_role("button", name="I do not know").click()
    assert stored(page)["entry.push"]["state"] == "skipped"
    expect(page.locator("#wc-entry")).to_contain_text("question 2 of 3")


def test_answering_again_starts_over(page: Page, server: Course) -> None:
    answer_before(page, server)
    page.get_by_role("button", name="Answer again").click()
    expect(page.locator("#wc-entry")).to_contain_text("question 1 of 3")
    assert stored(page) == {}


def test_right_answers_are_not_in_lesson_6_before_the_learner_has_answered(
    page: Page, server: Course
) -> None:
    helpers.open_lesson(page, server, STEM)
    text = told(page)
    for form in (*entry.before().values(), *entry.after().values()):
        for option in form.options:
            assert option.why not in text
            assert not option.misconception or option.misconception not in text


def test_the_change_shows_in_lesson_6_and_at_home_and_goes_with_the_rest(
    page: Page, server: Course
) -> None:
    answer_before(page, server)
    helpers.open_lesson(page, server, STEM)
    changed = page.locator(".wc-change-since")
    expect(changed).to_have_text("After the third answer: what has changed since the home page.")
    answer_after(page, rights()[:2])
    assert "Before the course" not in page.locator(".wc-count").inner_text()
    answer_after(page, rights()[2:])
    line = "Before the course 1 of 3 right, after it 3 of 3."
    expect(changed).to_contain_text(line)
    rows = changed.locator("tbody tr").all_inner_texts()
    assert [row.split("\t")[1:] for row in rows] == [
        ["✗ not right", "✓ right"], ["✓ right", "✓ right"], ["✗ not right", "✓ right"]
    ]  # fmt: skip
    expect(page.locator(".wc-count")).to_contain_text(line)
    assert [stored(page)[f"entry.{idea}"]["right"] for idea in entry.IDEAS] == [False, True, False]
    assert helpers.serious_findings(page) == []
    page.reload()
    helpers.wait_idle(page)
    expect(page.locator(".wc-change-since")).to_contain_text(line)

    page.goto(server.url)
    expect(page.locator("#wc-entry")).to_have_text(line)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete all answers").click()
    expect(page.locator("#wc-entry")).to_contain_text("question 1 of 3")
    assert stored(page) == {}


def test_a_progress_file_carries_answers_from_before_to_another_browser_and_the_change_back(
    page: Page, open_page: OpenPage, server: Course, tmp_path: Path
) -> None:
    answer_before(page, server)
    with page.expect_download() as first:
        page.get_by_role("button", name="Export answers").click()
    before = tmp_path / "before.json"
    first.value.save_as(before)

    other = helpers.open_lesson(open_page(), server, STEM)
    answer_after(other, ["passed 0 of 6", *rights()[1:]])
    expect(other.locator(".wc-change-since")).to_contain_text(
        "2 of 3 right. This browser holds no answers from before the course"
    )
    other.locator(".wc-file").set_input_files(before)
    line = "Before the course 1 of 3 right, after it 2 of 3."
    expect(other.locator(".wc-change-since")).to_contain_text(line)
    with other.expect_download() as second:
        other.get_by_role("button", name="Export answers").click()
    after = tmp_path / "after.json"
    second.value.save_as(after)

    page.locator(".wc-file").set_input_files(after)
    expect(page.locator("#wc-entry")).to_have_text(line)


def test_deleting_in_lesson_6_opens_the_questions_again_and_forgets_the_change(
    page: Page, server: Course
) -> None:
    answer_before(page, server)
    helpers.open_lesson(page, server, STEM)
    answer_after(page, rights())
    expect(page.locator(".wc-change-since")).to_contain_text("Before the course 1 of 3")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete all answers").click()
    expect(page.get_by_role("radio", name="passed 5 of 6", exact=True)).to_be_visible()
    expect(page.locator(".wc-change-since")).to_contain_text("After the third answer")
    assert stored(page) == {}


def test_answers_after_the_course_alone_close_the_questions_at_home(
    page: Page, server: Course
) -> None:
    page.goto(server.url)
    checks = {"exit.push": {"state": "answered", "choice": "x", "right": True}}
    page.locator(".wc-file").set_input_files(
        {
            "name": "x.json",
            "mimeType": "application/json",
            "buffer": json.dumps({"version": 1, "checks": checks}).encode(),
        }
    )
    expect(page.locator("#wc-entry")).to_contain_text("the same ideas are not asked here")
    expect(page.locator("#wc-entry").get_by_role("radio")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_kept_state_fits_a_phone_without_serious_findings(
    open_page: OpenPage, server: Course, dark: bool
) -> None:
    page = open_page(width=375, dark=dark)
    answer_before(page, server)
    assert helpers.sideways(page) == 0
    assert helpers.serious_findings(page) == []
