"""The shared pieces in a real browser, on one page that has them all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import helpers
from tests.browser.helpers import (
    is_dark,
    numbers,
    one_run,
    screenshot,
    serious_findings,
    set_slider,
    shifts,
    sideways,
    slider,
)
from tests.running import Course

STEM = "01_course"
OpenPage = Callable[..., Page]


def wait_idle(page: Page) -> None:
    """Wait until the page is idle and its widgets have loaded: places are filled by them."""
    helpers.wait_idle(page)
    expect(page.locator(".wc-kept")).to_be_visible(timeout=20_000)
    expect(page.locator(".wc-count")).to_be_visible(timeout=20_000)


def open_lesson(page: Page, course: Course, stem: str, query: str = "") -> Page:
    """Open the page and wait until it is ready."""
    helpers.open_lesson(page, course, stem, query)
    wait_idle(page)
    return page


@pytest.fixture
def shell(page: Page, fixture_server: Course) -> Page:
    """The page with the question still open."""
    return open_lesson(page, fixture_server, STEM)


@pytest.fixture
def told(page: Page, fixture_server: Course) -> Page:
    """The page with everything revealed."""
    return open_lesson(page, fixture_server, STEM, "reveal=all")


def everything(page: Page) -> str:
    """All text, attributes and field values of the page, shadow roots included."""
    text: str = page.evaluate(
        """() => window.__deep("*").map((node) =>
          [...node.attributes].map((a) => a.value).join(" ") + " " +
          [...node.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(" ") +
          " " + (node.value ?? "")).join("\\n")"""
    )
    return text


def parameters(page: Page) -> dict[str, str]:
    """The parameters of the address, once it has been written."""
    page.wait_for_timeout(600)
    pairs = page.evaluate("() => [...new URL(location.href).searchParams]")
    return {name: value for name, value in pairs}


def answer(page: Page, label: str) -> None:
    """Choose an option and press Check."""
    page.get_by_role("radio", name=label, exact=True).check()
    with one_run(page):
        page.get_by_role("button", name="Check", exact=True).first.click()


def bar_height(page: Page) -> float:
    box = page.locator(".wc-bar").bounding_box()
    assert box is not None
    return box["height"]


def line(page: Page, key: str) -> Locator:
    """A line of the printed block."""
    return page.locator(f'.wc-line[data-link="{key}"]')


# --- The link --------------------------------------------------------------------------------


def test_a_move_is_written_into_the_address_without_a_history_entry(
    open_page: OpenPage, fixture_server: Course
) -> None:
    told = open_lesson(open_page(own=True), fixture_server, STEM, "reveal=all")
    before = told.evaluate("() => history.length")
    set_slider(told, "repeats", 9)
    assert parameters(told) == {"reveal": "all", "repeats": "9", "v": "2"}
    assert told.evaluate("() => history.length") == before
    set_slider(told, "repeats", 4)
    assert parameters(told) == {"reveal": "all"}


def test_a_reload_keeps_the_state_and_every_number(told: Page) -> None:
    set_slider(told, "repeats", 7)
    set_slider(told, re.compile("band from"), 30)
    parameters(told)
    before = numbers(told)
    told.reload()
    wait_idle(told)
    assert numbers(told) == before
    assert before["rl.repeats"] == "7" and before["rl.low"] == "30"


def test_the_last_of_many_quick_moves_is_in_the_address(told: Page) -> None:
    thumb = slider(told, "repeats")
    thumb.focus()
    for _ in range(20):
        told.keyboard.press("ArrowRight")
    wait_idle(told)
    assert parameters(told)["repeats"] == "24"


def test_a_copied_link_reproduces_every_number_in_a_new_browser(
    told: Page, open_page: OpenPage
) -> None:
    set_slider(told, "repeats", 11)
    told.get_by_role("button", name="More").click()
    told.get_by_label("judge").select_option("coin toss")
    # A clipboard that refuses, as on a page without https: the old way has to do.
    told.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    told.evaluate("() => document.addEventListener('copy', () => { window.__copied = "
                  "document.activeElement.value; })")  # fmt: skip
    told.get_by_role("button", name="Copy link").click()
    expect(told.locator("#wc-live")).to_have_text("Link copied.")
    link = told.evaluate("() => window.__copied")
    assert "repeats=11" in link and "judge=coin" in link
    other = open_page()
    other.goto(link)
    wait_idle(other)
    assert numbers(other) == numbers(told)


def test_bad_values_fall_back_with_a_visible_message(page: Page, fixture_server: Course) -> None:
    open_lesson(page, fixture_server, STEM, "repeats=99&band_low=23&judge=eval&seed=7&reveal=all")
    notices = page.locator(".wc-notices p")
    expect(notices).to_have_count(3)
    expect(notices.first).to_be_visible()
    expect(notices.first).to_contain_text("repeats must be a whole number from 2 to 32, got '99'")
    for notice in notices.all_inner_texts():
        expect(page.locator("#wc-live")).to_contain_text(notice)
    assert numbers(page)["rl.repeats"] == "4"
    assert parameters(page) == {"reveal": "all", "seed": "7", "v": "2"}


@pytest.mark.parametrize("posted", [10**9, -3, "x", None, [7]])
def test_a_value_posted_past_a_controls_range_is_clamped(told: Page, posted: object) -> None:
    with one_run(told):
        told.evaluate(
            """(value) => {
              const slider = document.querySelector(".wc-control marimo-slider");
              slider.dispatchEvent(new CustomEvent("marimo-value-input",
                { bubbles: true, composed: true, detail: { value, element: slider } }));
            }""",
            posted,
        )
    expected = {10**9: "32", -3: "2"}.get(posted, "4") if isinstance(posted, int) else "4"
    assert numbers(told)["rl.repeats"] == expected


def test_reset_brings_the_controls_back_and_keeps_the_answer(shell: Page) -> None:
    answer(shell, "17")
    set_slider(shell, "repeats", 9)
    shell.get_by_role("button", name="More").click()
    with one_run(shell):
        shell.get_by_role("button", name="Reset").click()
    expect(slider(shell, "repeats")).to_have_attribute("aria-valuenow", "4")
    assert numbers(shell)["rl.kept"] == "29"
    assert parameters(shell) == {}


def test_two_visitors_do_not_see_each_other(told: Page, open_page: OpenPage) -> None:
    other = open_page()
    other.goto(told.url)
    wait_idle(other)
    set_slider(told, "repeats", 12)
    assert numbers(told)["rl.repeats"] == "12"
    assert numbers(other)["rl.repeats"] == "4"
    set_slider(other, "repeats", 3)
    assert numbers(told)["rl.repeats"] == "12"


# --- Predict, then check ---------------------------------------------------------------------

REASONS = ("The copies had left", "Each such group", "64 − 3 − 27", "contrast", "unprinted gate")


def test_before_the_answer_neither_count_nor_reasons_are_on_the_page(shell: Page) -> None:
    text = everything(shell)
    for reason in REASONS:
        assert reason not in text
    named = shell.evaluate(
        "() => window.__deep('[data-name=\"rl.kept\"]').map((one) => one.textContent)"
    )
    assert len(named) == 3
    assert all("hidden until you answer" in one and "29" not in one for one in named)
    expect(shell.locator("#wc-live")).to_have_text("")


def test_an_answer_uncovers_the_count_and_names_each_misconception(shell: Page) -> None:
    answer(shell, "17")
    expect(shell.locator(".wc-verdict")).to_have_text(
        "Not this time. You said 17; the answer is 29."
    )
    expect(shell.locator(".wc-verdict")).to_be_focused()
    thoughts = ["Each such group has four rows.", "All is printed.", "RL keeps the passes."]
    expect(shell.locator(".wc-wrong em")).to_have_text(
        [f"You may have thought: {one}" for one in thoughts]
    )
    expect(shell.locator(".wc-yours")).to_have_count(1)
    assert numbers(shell)["rl.kept"] == "29"


def test_check_without_a_choice_asks_for_one(shell: Page) -> None:
    shell.get_by_role("button", name="Check", exact=True).first.click()
    expect(shell.get_by_role("alert")).to_have_text("Choose an answer first, or skip.")
    assert "29" not in numbers(shell)["rl.kept"]


def test_skipping_uncovers_without_a_choice(shell: Page) -> None:
    with one_run(shell):
        shell.get_by_role("button", name="Skip and show").click()
    expect(shell.locator(".wc-verdict")).to_have_text("Answer: 29.")
    assert numbers(shell)["rl.kept"] == "29"


def test_the_question_is_answered_with_the_keyboard_alone(shell: Page) -> None:
    shell.get_by_role("radio").first.focus()
    shell.keyboard.press("ArrowDown")
    shell.keyboard.press("Tab")
    expect(shell.get_by_role("button", name="Check", exact=True).first).to_be_focused()
    with one_run(shell):
        shell.keyboard.press("Enter")
    expect(shell.locator(".wc-verdict")).to_have_text("Right: 29.")


def test_an_answer_survives_a_reload_and_a_move(shell: Page) -> None:
    answer(shell, "43")
    shell.reload()
    wait_idle(shell)
    expect(shell.locator(".wc-verdict")).to_contain_text("You said 43")
    set_slider(shell, "repeats", 6)
    expect(shell.locator(".wc-verdict")).to_contain_text("You said 43")
    assert numbers(shell)["rl.kept"] == "31"


def test_trying_again_covers_the_count(shell: Page) -> None:
    answer(shell, "43")
    with one_run(shell):
        shell.get_by_role("button", name="Try again").click()
    expect(shell.get_by_role("radio").first).to_be_focused()
    assert "29" not in numbers(shell)["rl.kept"]
    for reason in REASONS:
        assert reason not in everything(shell)


# --- Links between text and pictures ---------------------------------------------------------


def lights(page: Page) -> list[object]:
    """The lighting events since the last call."""
    seen: list[object] = page.evaluate(
        """() => {
          if (!window.__lights) {
            window.__lights = [];
            addEventListener("whilecore:light", (e) => window.__lights.push(e.detail.key));
          }
          return window.__lights.splice(0);
        }"""
    )
    return seen


def test_pointing_at_a_word_lights_its_line_and_tells_the_pictures(told: Page) -> None:
    lights(told)
    told.locator('span[data-link="duplicate"]').hover()
    expect(line(told, "duplicate")).to_have_class(re.compile(r"\blit\b"))
    expect(line(told, "kept")).not_to_have_class(re.compile(r"\blit\b"))
    told.locator("h1").hover()
    expect(line(told, "duplicate")).not_to_have_class(re.compile(r"\blit\b"))
    assert lights(told) == ["duplicate", None]


def test_a_focused_line_explains_itself_until_escape(told: Page) -> None:
    line(told, "band").focus()
    why = told.locator('[data-why="band"]')
    expect(why).to_be_visible()
    expect(why).to_contain_text("At 4 tries few rates can occur")
    expect(line(told, "band")).to_have_accessible_description(re.compile("At 4 tries"))
    told.keyboard.press("Escape")
    expect(why).not_to_be_visible()


def test_a_picture_lights_the_text(told: Page) -> None:
    light = "(key) => dispatchEvent(new CustomEvent('whilecore:light', {detail: {key, from: 'x'}}))"
    told.evaluate(light, "length")
    expect(line(told, "length")).to_have_class(re.compile(r"\blit\b"))
    told.evaluate(light, None)
    expect(line(told, "length")).not_to_have_class(re.compile(r"\blit\b"))


def test_explaining_a_line_moves_nothing(told: Page) -> None:
    line(told, "kept").scroll_into_view_if_needed()
    with shifts(told) as moved:
        for key in ("kept", "band", "duplicate", "length"):
            line(told, key).hover()
            told.wait_for_timeout(50)
    assert sum(moved) == 0


# --- The bar ---------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 900, 899, 375, 320])
@pytest.mark.parametrize("dark", [False, True])
def test_the_bar_is_one_row_of_56_pixels_that_stays_in_sight(
    open_page: OpenPage, fixture_server: Course, width: int, dark: bool
) -> None:
    page = open_lesson(open_page(width=width, dark=dark), fixture_server, STEM, "reveal=all")
    assert is_dark(page) == dark
    assert bar_height(page) <= 56
    page.evaluate("() => { document.getElementById('App').scrollTop = 900; }")
    assert page.evaluate("() => document.querySelector('.wc-bar').getBoundingClientRect().top") == 0
    opener = page.get_by_role("button", name="More" if width >= 900 else "Controls", exact=True)
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(opener).to_have_attribute("aria-expanded", "true")
    assert bar_height(page) <= 56
    assert sideways(page) == 0
    set_slider(page, re.compile("band from"), 45)
    assert bar_height(page) <= 56
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Copy link")).not_to_be_visible()
    screenshot(page, f"course_{width}_{'dark' if dark else 'light'}")


def test_the_reading_tells_the_change_and_its_cause(told: Page) -> None:
    set_slider(told, "repeats", 5)
    change = told.locator(".wc-change")
    expect(change).to_have_text("+1: repeats 4 → 5")
    set_slider(told, re.compile("band to"), 85)
    expect(change).to_have_text("no change: no task lies between the old edge and the new one")
    expect(told.locator("#wc-live")).to_have_text("30 of 80 rows kept.")


def test_a_moving_slider_shifts_nothing(told: Page) -> None:
    set_slider(told, "repeats", 9)
    with shifts(told) as moved:
        set_slider(told, "repeats", 14)
        set_slider(told, re.compile("band from"), 40)
    assert sum(moved) == 0


def test_focus_is_never_under_the_bar_and_never_scrolls_because_of_it(told: Page) -> None:
    told.get_by_role("button", name="Delete").focus()
    seen = 0
    for _ in range(60):
        told.keyboard.press("Shift+Tab")
        at = told.evaluate(
            """() => {
              let node = document.activeElement;
              while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
              const box = node.getBoundingClientRect();
              const bar = document.querySelector(".wc-bar");
              const style = getComputedStyle(node);
              return { name: node.tagName, inBar: bar.contains(node) ||
                  bar.contains(node.getRootNode().host ?? null), top: box.top,
                bar: bar.getBoundingClientRect().bottom, outline: style.outlineStyle,
                scroll: document.getElementById("App").scrollTop };
            }"""
        )
        if at["name"] == "BODY":
            break
        seen += 1
        assert at["outline"] != "none", at
        if not at["inBar"] and at["bar"] <= 56:
            assert at["top"] >= at["bar"], at
    assert seen > 15
    told.evaluate("() => { document.getElementById('App').scrollTop = 700; }")
    for name in ("repeats", re.compile("band from")):
        slider(told, name).focus()
        assert told.evaluate("() => document.getElementById('App').scrollTop") == 700


def test_targets_are_24_pixels(told: Page) -> None:
    told.get_by_role("button", name="More").click()
    small = told.evaluate(
        """() => window.__deep("button, a, input, select, summary, [role=slider]")
          .filter((node) => node.checkVisibility() && !node.matches(".wc-term, .wc-skip"))
          .map((node) => [node.outerHTML.slice(0, 90), node.getBoundingClientRect()])
          .filter(([, box]) => box.width > 1 && (box.width < 24 || box.height < 24))
          .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""
    )
    assert small == []


@pytest.mark.parametrize("width", [1280, 375])
def test_text_at_200_per_cent_needs_no_sideways_scroll(
    open_page: OpenPage, fixture_server: Course, width: int
) -> None:
    page = open_lesson(open_page(width=width), fixture_server, STEM, "reveal=all&teach=1")
    page.add_style_tag(content="html { font-size: 200% !important; }")
    page.wait_for_timeout(300)
    assert sideways(page) == 0
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".wc-bar, .wc-reading, .wc-block, .wc-line")]
          .filter((node) => node.scrollWidth > node.clientWidth + 1)
          .map((node) => node.className)"""
    )
    assert cut == []


# --- Challenges, progress, words -------------------------------------------------------------


def challenge(page: Page, question: str) -> Locator:
    return page.locator(".wc-check").filter(has_text=question)


def test_a_challenge_checks_the_controls_as_they_stand(told: Page) -> None:
    box = challenge(told, "fewest repeats")
    box.get_by_role("button", name="Check my settings").click()
    expect(box.locator(".wc-reply-check")).to_contain_text("Not yet")
    set_slider(told, "repeats", 5)
    box.get_by_role("button", name="Check my settings").click()
    expect(box.locator(".wc-reply-check")).to_have_text("Yes, that is it.")
    expect(told.locator(".wc-count")).to_contain_text("1 of 3 checks on this page answered")


def test_hint_and_solution_are_on_the_page_only_when_asked_for(told: Page) -> None:
    assert "all pass, or all fail" not in everything(told)
    assert "Every try has to score the same" not in everything(told)
    box = challenge(told, "16 ways")
    box.get_by_role("button", name="Hint").click()
    expect(box.locator(".wc-reply-hint")).to_have_text("Every try has to score the same.")
    box.get_by_role("button", name="Show the solution").click()
    expect(box.locator(".wc-reply-solution")).to_have_text("2 of 16: all pass, or all fail.")
    expect(told.locator(".wc-count")).to_contain_text("0 of 3 checks on this page answered, 1 skip")


def test_a_typed_answer_is_checked_with_enter(told: Page) -> None:
    box = challenge(told, "16 ways")
    box.get_by_label("Ways").fill("3")
    told.keyboard.press("Enter")
    expect(box.locator(".wc-reply-check")).to_have_text("Not yet.")
    box.get_by_label("Ways").fill(" 2 ")
    told.keyboard.press("Enter")
    expect(box.locator(".wc-reply-check")).to_have_text("Yes, that is it.")


def test_progress_is_exported_imported_and_deleted(
    shell: Page, open_page: OpenPage, fixture_server: Course, tmp_path: Path
) -> None:
    answer(shell, "17")
    expect(shell.locator(".wc-count")).to_contain_text("1 of 3 checks on this page answered")
    with shell.expect_download() as download:
        shell.get_by_role("button", name="Export answers").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    kept = json.loads(saved.read_text(encoding="utf-8"))
    assert kept["checks"]["01.kept"]["choice"] == "17"
    assert kept["checks"]["01.kept"]["right"] is False

    other = open_lesson(open_page(), fixture_server, STEM)
    expect(other.locator(".wc-count")).to_contain_text("0 of 3")
    with one_run(other):
        other.locator("input[type=file]").set_input_files(saved)
    expect(other.locator(".wc-verdict")).to_contain_text("You said 17")
    expect(other.locator(".wc-count")).to_contain_text("1 of 3")

    other.get_by_role("button", name="Delete").click()
    expect(other.get_by_role("button", name="Keep them")).to_be_focused()
    with one_run(other):
        other.get_by_role("button", name="Delete all answers").click()
    expect(other.locator(".wc-count")).to_contain_text("0 of 3")
    assert json.loads(other.evaluate("() => localStorage.getItem('whilecore.progress')")) == {
        "version": 1,
        "checks": {},
    }
    expect(other.get_by_role("radio").first).to_be_visible()


def test_entry_and_exit_questions_are_compared(shell: Page) -> None:
    checks = {
        name: {"state": "answered", "choice": "x", "right": right, "when": ""}
        for name, right in [("entry.mean", False), ("entry.copies", True), ("exit.mean", True)]
    }
    expect(shell.locator(".wc-count")).not_to_contain_text("Before the course")
    shell.locator("input[type=file]").set_input_files(
        {
            "name": "x.json",
            "mimeType": "application/json",
            "buffer": json.dumps({"version": 1, "checks": checks}).encode(),
        }
    )
    expect(shell.locator(".wc-count")).to_contain_text(
        "Before the course 1 of 2 right, after it 1 of 1."
    )


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 9, "checks": {}}', '{"version": 1}'])
def test_a_file_that_is_no_progress_changes_nothing(shell: Page, text: str) -> None:
    answer(shell, "17")
    shell.locator("input[type=file]").set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": text.encode()}
    )
    expect(shell.locator(".wc-note")).to_contain_text("holds no progress of this course")
    expect(shell.locator(".wc-count")).to_contain_text("1 of 3")


def test_a_browser_that_remembers_nothing_still_counts_and_says_so(
    open_page: OpenPage, fixture_server: Course
) -> None:
    page = open_page(own=True)
    page.add_init_script(
        """const refuse = () => { throw new DOMException("no", "SecurityError"); };
        const get = Storage.prototype.getItem, set = Storage.prototype.setItem;
        Storage.prototype.getItem = function (key) {
          return key.startsWith("whilecore") ? refuse() : get.call(this, key); };
        Storage.prototype.setItem = function (key, value) {
          return key.startsWith("whilecore") ? refuse() : set.call(this, key, value); };"""
    )
    open_lesson(page, fixture_server, STEM)
    expect(page.locator(".wc-note")).to_contain_text("does not let pages remember anything")
    answer(page, "29")
    expect(page.locator(".wc-count")).to_contain_text("1 of 3")


def test_a_word_is_explained_by_keyboard(told: Page) -> None:
    told.get_by_role("button", name="rollout").focus()
    told.keyboard.press("Enter")
    explained = told.locator("#wc-def-rollout")
    expect(explained).to_be_visible()
    expect(explained).to_contain_text("One try at a task")
    told.keyboard.press("Escape")
    expect(explained).not_to_be_visible()
    expect(told.get_by_role("button", name="rollout")).to_be_focused()


# --- Teacher, links between lessons ----------------------------------------------------------


def test_a_hidden_judge_is_named_nowhere_until_it_is_shown(
    page: Page, fixture_server: Course
) -> None:
    open_lesson(page, fixture_server, STEM, "hide=judge&judge=coin&reveal=all")
    assert set(parameters(page)) == {"hide", "reveal", "judge_code", "v"}
    assert "coin" not in everything(page)
    link = page.url
    with one_run(page):
        page.get_by_role("button", name="Show the judge").click()
    assert page.get_by_label("judge").input_value() == "coin toss"
    assert parameters(page) == {"reveal": "all", "judge": "coin", "v": "2"}
    page.goto(link)
    wait_idle(page)
    assert "coin" not in everything(page)
    expect(page.locator(".wc-notices p")).to_have_count(0)


def test_instructor_notes_are_for_the_teacher(shell: Page, fixture_server: Course) -> None:
    assert "For the instructor" not in everything(shell)
    open_lesson(shell, fixture_server, STEM, "teach=1")
    expect(shell.get_by_role("complementary", name="Instructor notes")).to_be_visible()


def test_the_links_lead_home_and_on(told: Page) -> None:
    nav = told.get_by_role("navigation", name="Course")
    on = nav.locator("[rel=next]")
    assert on.get_attribute("href") == "../02_live_charts/?reveal=all"
    on.click()
    told.wait_for_url(re.compile("/02_live_charts/"))
    told.go_back()
    wait_idle(told)
    nav.get_by_role("link", name="All lessons").click()
    expect(told.get_by_role("link", name=re.compile("Every shared piece"))).to_be_visible()


def test_the_first_tab_stop_skips_to_the_lesson(told: Page) -> None:
    told.keyboard.press("Tab")
    skip = told.get_by_role("link", name="Skip to the lesson")
    expect(skip).to_be_focused()
    assert (skip.bounding_box() or {"height": 0})["height"] >= 24
    told.keyboard.press("Enter")
    told.keyboard.press("Tab")
    expect(told.get_by_role("button", name="rollout")).to_be_focused()


# --- Access ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("query", ["", "reveal=all&teach=1&repeats=99"])
def test_axe_finds_nothing_serious(
    open_page: OpenPage, fixture_server: Course, dark: bool, query: str
) -> None:
    page = open_lesson(open_page(dark=dark), fixture_server, STEM, query)
    assert is_dark(page) == dark
    page.get_by_role("button", name="More").click()
    page.get_by_text("Words used in this course").click()
    assert serious_findings(page) == []


def test_there_is_one_polite_live_region_and_it_waits_for_the_end_of_a_move(told: Page) -> None:
    assert len(told.evaluate("() => window.__deep('[aria-live=polite], [role=status]')")) == 1
    told.evaluate(
        """() => {
          window.__said = [];
          const region = document.getElementById("wc-live");
          new MutationObserver(() => window.__said.push(region.textContent))
            .observe(region, { childList: true, characterData: true, subtree: true });
        }"""
    )
    slider(told, "repeats").focus()
    for _ in range(12):
        told.keyboard.press("ArrowRight")
    expect(told.locator("#wc-live")).to_have_text("41 of 256 rows kept.")
    assert len(told.evaluate("() => window.__said")) <= 2


def test_nothing_moves_by_itself_where_less_motion_is_asked_for(
    open_page: OpenPage, fixture_server: Course
) -> None:
    page = open_lesson(open_page(still=True), fixture_server, STEM, "reveal=all")
    moving = page.evaluate(
        """() => window.__deep("*").filter((node) => {
          const style = getComputedStyle(node);
          return style.transitionDuration.split(", ").some((one) => parseFloat(one) > 0)
            && style.transitionProperty !== "none" || style.animationName !== "none";
        }).map((node) => node.outerHTML.slice(0, 80))"""
    )
    assert moving == []
