"""Lesson 6 in a browser: which rows to train on, against the core's own report."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import helpers
from tests.browser.lesson_06_checks import (
    START,
    Account,
    Kernel,
    account,
    all_data,
    assert_told,
    listen,
    named,
    open_lesson,
    open_more,
    open_told,
    parameters,
    pushed,
    seed_to,
    to_end,
    wait_ready,
    words,
)
from tests.browser.lesson_checks import answer, assert_well_made, choose, reading
from tests.running import Course
from whilecore.course import printed

CHARTS = ["grid", "waterfall", "agreement", "tracking", "strip"]
FROM, TO = re.compile("band from"), re.compile("band to")
SHARE = re.compile("verdicts decided by the longer reply")
JUDGES = ("answer_key", "looked_up_and_led", "names_the_order", "long_reply", "short_reply", "coin")
# Keys of a line that may stand beside a mark while the question is open: none is a row's fate.
HARMLESS = {"", "pass_at", "difficulty", "band", "unanimous"}
OpenPage = Callable[..., Page]


@pytest.fixture
def lesson(page: Page, server: Course) -> Page:
    """The lesson at its first load: no parameters, the question open."""
    return open_lesson(page, server)


# --- The masked answer -----------------------------------------------------------------------

AFTERWARDS = (
    "Every row leaves at one gate",
    "are left, in",
    "Copies take most",
    "whole groups leave",
    "training set",
    "agreed as drawn",
    "copies are passes",
)


def test_the_first_load_shows_grid_block_and_question_and_masks_one_number(lesson: Page) -> None:
    report = account()["rl"]
    assert helpers.charts(lesson) == CHARTS
    shown = helpers.view_data(lesson, "grid", "tries")
    assert len(shown) == report["rows"] == 64
    assert sum(row["shape"] == "circle" for row in shown) == 41
    block = lesson.locator(".wc-block")
    expect(block).to_have_count(1)
    expect(block.locator(".wc-masked")).to_have_count(1)
    expect(block.locator("button").nth(1)).to_have_text(
        re.compile(r"rl selection: kept ▒▒hidden until you answer of 64 rows")
    )
    copies = report["row_fates"]["duplicate"]
    agree = sum(report["unanimous_groups"].values())
    expect(lesson.locator(".wc-question").first).to_have_text(
        f"64 rows: 3 caught by row gates, {copies} copies, {agree} groups whose remaining tries "
        "agree. How many rows are left to train on?"
    )
    masked = {name for name, text in named(lesson) if "hidden until you answer" in text}
    assert masked == {"rl.kept"}


def test_before_the_answer_nothing_of_it_reaches_the_browser(page: Page, server: Course) -> None:
    frames = listen(page)
    documents: list[str] = []
    page.on(
        "response",
        lambda response: (
            response.request.is_navigation_request() and documents.append(response.text())
        ),
    )
    open_lesson(page, server)
    kept = str(account()["rl"]["kept"])
    number = re.compile(rf"(?<![\d.,]){kept}(?![\d.,%])")

    # Seen or read out: the number stands at its option, as value and as label, and in the table
    # that lists 2 to 32 tries per task.
    texts = words(page)
    assert [text for text in texts if number.search(text)] == [kept] * 3
    assert not [text for text in texts if any(word in text for word in AFTERWARDS)]

    # Data of the pictures: no fate, no sign, nothing hollow.
    data = all_data(page)
    assert list(data) == CHARTS
    rows = [row for sets in data.values() for rows in sets.values() for row in rows]
    assert {row.get("link", "") for row in rows} <= HARMLESS
    assert {row.get("fate", "") for row in rows} == {""}
    assert {row.get("sign", "") for row in rows} == {""}
    assert {row["full"] for row in rows if "full" in row} == {1}
    assert data["tracking"]["features"] == data["waterfall"]["answer"] == []
    assert [row["count"] for row in data["waterfall"]["steps"]] == ["64", *["?"] * 5]

    # What the server has sent: the page itself, and every message since.
    assert len(documents) == 1
    assert not [w for w in AFTERWARDS if any(w in text for text in [*documents, *frames])]
    states = list(pushed(frames))
    assert {name for name, _ in states} == set(CHARTS)
    for name, state in states:
        assert not {"kept", "ending", "left", "over the floor"} & state.get("table", {}).keys()
        assert not number.search(state["title"] + state["summary"]), name
        for columns in state["data"].values():
            assert {*columns.get("link", []), *columns.get("fate", [])} <= HARMLESS
            assert {*columns.get("sign", [])} <= {""}
    slots = [text for frame in frames for text in re.findall(r'"rl_block": ?"(.*?)(?<!\\)"', frame)]
    assert slots
    assert not any(number.search(re.sub(r"<[^>]+>", "", text)) for text in slots)

    # The same look finds all of it once the question is skipped.
    with helpers.one_run(page):
        page.get_by_role("button", name="Skip and show").first.click()
    texts = words(page)
    assert sum(bool(number.search(text)) for text in texts) > 6
    found = [word for word in AFTERWARDS if any(word in one for one in [*texts, *frames])]
    assert found == list(AFTERWARDS)
    assert {row["full"] for row in helpers.view_data(page, "grid", "tries")} == {0, 1}
    after = [state for name, state in pushed(frames) if name == "grid"][-1]
    assert {"duplicate", "kept", "row_gates", "unanimous"} == set(after["data"]["tries"]["link"])


def test_an_answer_uncovers_fates_waterfall_and_reasons_and_is_drawn(lesson: Page) -> None:
    told = account()
    options = printed.options(told["selection"])
    wrong = next(option for option in options if option.misconception.startswith("kept tasks"))
    answer(lesson, wrong.label)
    kept = told["rl"]["kept"]
    expect(lesson.locator(".wc-verdict")).to_have_text(
        f"Not this time. You said {wrong.label}; the answer is {kept}."
    )
    misconceptions = lesson.locator(".wc-wrong em").all_text_contents()
    assert sorted(misconceptions) == sorted(
        f"You may have thought: {one.misconception}" for one in options if not one.right
    )
    expect(lesson.locator(".wc-wrong").filter(has_text="your answer")).to_contain_text(wrong.why)
    lane = helpers.view_data(lesson, "waterfall", "answer")
    assert [(row["said"], row["y"]) for row in lane] == [
        (f"you: {wrong.label}", int(wrong.label) / 64)
    ]
    assert_fates(lesson, told)
    assert_told(lesson)


def test_skipping_uncovers_the_same_and_draws_no_answer(lesson: Page) -> None:
    with helpers.one_run(lesson):
        lesson.get_by_role("button", name="Skip and show").first.click()
    expect(lesson.locator(".wc-verdict")).to_have_text(f"Answer: {account()['rl']['kept']}.")
    assert helpers.view_data(lesson, "waterfall", "answer") == []
    assert_fates(lesson, account())
    assert_told(lesson)


def assert_fates(page: Page, told: Account) -> None:
    """Hold the marks of the grid and the bricks of the waterfall to the report's fates."""
    fates = told["rl"]["row_fates"]
    gates = fates["leak"] + fates["unscored"] + fates["incomplete"] + fates["truncated"]
    band = fates["too_easy"] + fates["too_hard"]
    marks = [row["link"] for row in helpers.view_data(page, "grid", "tries")]
    expected = {"row_gates": gates, "duplicate": fates["duplicate"], "kept": fates["kept"],
                "unanimous": fates["unanimous"], "band": band}  # fmt: skip
    assert {key: marks.count(key) for key in expected} == expected
    bricks = [int(row["x"]) for row in helpers.view_data(page, "waterfall", "bricks")]
    assert [bricks.count(step) for step in range(6)] == [
        told["rl"]["rows"], gates, fates["duplicate"], fates["unanimous"], band, fates["kept"]
    ]  # fmt: skip


def test_an_answer_outlasts_a_move_and_a_reload(lesson: Page) -> None:
    answer(lesson, "44")
    helpers.set_slider(lesson, "repeats", 7)
    parameters(lesson)
    lesson.reload()
    wait_ready(lesson)
    expect(lesson.locator(".wc-kept .wc-masked")).to_have_count(0)
    assert_told(lesson, repeats=7)


# --- Controls --------------------------------------------------------------------------------


def test_every_slider_moves_its_pictures_and_numbers_to_both_ends(
    page: Page, server: Course
) -> None:
    open_told(page, server, repeats=8)
    open_more(page)
    now: dict[str, Any] = {"repeats": 8}
    everything = set(CHARTS)
    band = everything - {"agreement"}  # whether all tries agree does not depend on the band
    ends = [
        ("repeats", "repeats", 2, 32, everything),
        (FROM, "band_low", 0, 50, band),
        (TO, "band_high", 50, 100, band),
        (SHARE, "judge_share", 0, 100, everything),
    ]
    for control, name, low, high, moves in ends:
        moved: set[str] = set()
        for key, end in (("End", high), ("Home", low), ("End", high)):
            if now.get(name, START[name]) == end:
                continue
            before = {chart: helpers.picture(page, chart) for chart in CHARTS}
            to_end(page, control, key)
            now[name] = end
            assert_told(page, **now)
            moved |= {chart for chart in CHARTS if helpers.picture(page, chart) != before[chart]}
        assert moved >= moves, name
        helpers.set_slider(page, control, {"repeats": 8}.get(name, START[name]))
        now[name] = {"repeats": 8}.get(name, START[name])
    assert all(width > 100 for width, _ in helpers.canvas_sizes(page).values())


def test_every_menu_and_the_seed_move_pictures_and_numbers(page: Page, server: Course) -> None:
    open_told(page, server, repeats=8)
    open_more(page)

    def assert_moves(run: Callable[[], None], moves: set[str], **settings: Any) -> None:
        before = {chart: helpers.picture(page, chart) for chart in CHARTS}
        run()
        assert_told(page, **{"repeats": 8} | settings)
        moved = {chart for chart in CHARTS if helpers.picture(page, chart) != before[chart]}
        assert moved >= moves, settings

    everything = set(CHARTS)
    labels = ("looked up and led", "names the order", "long reply", "short reply", "coin toss",
              "answer key")  # fmt: skip
    for judge, label in zip((*JUDGES[1:], JUDGES[0]), labels, strict=True):
        assert_moves(lambda one=label: choose(page, "judge", one), {"grid", "waterfall", "strip"},
                     judge=judge)  # fmt: skip
    for seed in (1, 9_999, 0):
        assert_moves(lambda one=seed: seed_to(page, one), everything, seed=seed)
    hold = "when repeats move, keep"
    assert_moves(lambda: choose(page, hold, "the budget of tries"), everything, hold="budget")
    assert_moves(lambda: choose(page, hold, "the number of tasks"), everything)
    assert_moves(
        lambda: choose(page, "rows", "as printed on the course page"), everything, source="printed"
    )
    assert_moves(lambda: choose(page, "rows", "simulated here"), everything)
    assert_moves(lambda: choose(page, "true pass rates", "shown"), {"strip"})
    assert len(helpers.view_data(page, "strip", "truth")) == 16


def test_the_page_s_rows_give_the_account_the_course_page_prints(
    page: Page, server: Course
) -> None:
    open_told(page, server, source="printed")
    assert_told(page, source="printed")
    numbers = helpers.numbers(page)
    printed_there = {
        "rl.rows": "64", "rl.row_fates.incomplete": "3", "rl.row_fates.duplicate": "27",
        "rl.duplicate_tasks": "13", "rl.unanimous_groups.as_drawn": "3",
        "rl.unanimous_groups.after_gates": "2", "rl.kept": "29", "rl.groups_kept": "11",
        "sft.kept": "16", "sft.not_passing": "21", "sft.distinct_behaviors": "6",
        "rl.correlations.reply_chars.pooled": "−0.54", "pass_at.pass_at_1": "0.67",
        "page.as_drawn": "3", "page.after_gates": "2", "page.incomplete": "3",
        "page.copies_passing": "27", "page.pass_rate_drawn": "67\N{NO-BREAK SPACE}%",
        "page.pass_rate_kept": "38\N{NO-BREAK SPACE}%",
    }  # fmt: skip
    assert {name: numbers.get(name) for name in printed_there} == printed_there


def any_settings(draw: random.Random) -> dict[str, Any]:
    """Draw settings a link can carry."""
    return {
        "repeats": draw.randint(2, 32),
        "band_low": 5 * draw.randint(0, 10),
        "band_high": 5 * draw.randint(10, 20),
        "judge": draw.choice(JUDGES),
        "judge_share": draw.choice((0, 0, draw.randint(1, 99), 100)),
        "seed": draw.randint(0, 9_999),
        "hold": draw.choice(("tasks", "budget")),
        "source": draw.choice(("simulated",) * 9 + ("printed",)),
    }


def test_for_50_settings_every_number_on_the_page_is_the_report_s(
    page: Page, server: Course
) -> None:
    draw = random.Random(6)
    for _ in range(10):  # a link costs ten times as much as a move
        settings = any_settings(draw)
        open_told(page, server, **settings)
        assert_told(page, **settings)
        kernel = Kernel(page)
        for _ in range(4):
            settings = any_settings(draw)
            kernel.post(**settings)
            assert_told(page, **settings)


# --- The bar ---------------------------------------------------------------------------------


def test_the_bar_tells_change_and_cause_or_why_nothing_changed(page: Page, server: Course) -> None:
    open_told(page, server)
    kept = {repeats: account(repeats=repeats)["rl"]["kept"] for repeats in (4, 5)}
    helpers.set_slider(page, "repeats", 5)
    assert reading(page) == f"kept {kept[5]} of 80\n+{kept[5] - kept[4]}: repeats 4 → 5"
    helpers.pause(page)
    helpers.set_slider(page, "repeats", 4)
    assert reading(page).endswith(f"−{kept[5] - kept[4]}: repeats 5 → 4")
    helpers.set_slider(page, FROM, 25)
    inside = "mixed tasks pass 25 to 75\N{NO-BREAK SPACE}% of 4 tries"
    assert reading(page).endswith(f"no change: band from 20 → 25 %; {inside}")
    expect(page.locator("#wc-live")).to_have_text(
        f"kept {kept[4]} of 64 rows. band from 20 → 25 %; {inside}"
    )
    choose(page, "true pass rates", "shown")
    assert reading(page).endswith("the gates see the tries, not the true rates")
    choose(page, "rows", "as printed on the course page")
    helpers.set_slider(page, "repeats", 5)
    assert reading(page).endswith("repeats 4 → 5; only the band acts on printed rows")


def test_a_move_before_the_answer_is_still_told_as_that_move_after_it(lesson: Page) -> None:
    helpers.set_slider(lesson, "repeats", 5)
    assert reading(lesson).endswith("of 80\nrepeats 4 → 5")
    with helpers.one_run(lesson):
        lesson.get_by_role("button", name="Skip and show").first.click()
    assert re.search(r"\+\d+: repeats 4 → 5$", reading(lesson))


@pytest.mark.parametrize("width", [1280, 900, 375])
def test_the_bar_is_one_row_of_56_px_that_stays_whatever_it_says(
    open_page: OpenPage, server: Course, width: int
) -> None:
    page = open_told(open_page(width=width, height=700), server)
    if width < 900:
        page.get_by_role("button", name="Controls", exact=True).click()

    def assert_one_row() -> None:
        boxes = page.evaluate(
            """() => [...document.querySelectorAll(".wc-bar > *, .wc-bar > .wc-controls > *")]
              .filter((one) => !one.matches(".wc-controls, .wc-more")
                && !one.closest("[data-open]") && one.checkVisibility())
              .map((one) => { const { top, bottom } = one.getBoundingClientRect();
                return [top, bottom]; })"""
        )
        bar = page.locator(".wc-bar").bounding_box()
        assert bar is not None
        assert bar["height"] <= 56
        assert len(boxes) == (6 if width >= 900 else 2)
        assert all(bar["y"] <= top < bottom <= bar["y"] + 56 for top, bottom in boxes)

    assert_one_row()
    for name, value in (("repeats", 8), ("repeats", 4), (FROM, 25), (TO, 75), (SHARE, 2)):
        if name is SHARE and width >= 900:
            open_more(page)
        helpers.set_slider(page, name, value)
        assert_one_row()
        cut = page.locator(".wc-change").evaluate("(one) => one.scrollHeight - one.clientHeight")
        assert cut <= 1 or name is SHARE, reading(page)  # said in full by the live region
    page.keyboard.press("Escape")
    page.evaluate("() => { document.getElementById('App').scrollTop = 1800; }")
    page.wait_for_timeout(100)
    assert (page.locator(".wc-bar").bounding_box() or {})["y"] == 0


# --- Lines and pictures ----------------------------------------------------------------------

# Where a chart's marks of one key are: points on the page, a few for each mark.
MARKS_OF = """([key, chart]) => {
  const figure = window.__deep(`[data-livechart="${chart}"]`)[0];
  const { liveView: view } = figure;
  const box = figure.querySelector("canvas").getBoundingClientRect();
  const points = [];
  const walk = (mark, x, y) => {
    for (const item of mark.items ?? []) {
      if (mark.marktype === "group")
        for (const inner of item.items) walk(inner, x + (item.x ?? 0), y + (item.y ?? 0));
      else if (item.datum?.link === key && item.opacity !== 0)
        for (const [right, down] of [[0.5, 0.5], [0.1, 0.3], [0.9, 0.7], [0.04, 0.94]])
          points.push([x + item.bounds.x1 + right * (item.bounds.x2 - item.bounds.x1),
            y + item.bounds.y1 + down * (item.bounds.y2 - item.bounds.y1)]);
    }
  };
  const [left, top] = view.origin().map((at) => at + view.padding().left);
  walk(view.scenegraph().root, left, top);
  return points.map(([x, y]) => [box.left + x, box.top + y]);
}"""


def lit_charts(page: Page, key: str) -> list[str]:
    """Return the charts that light the marks of a key."""
    page.wait_for_timeout(50)
    return [chart for chart in CHARTS if helpers.view_signal(page, chart, "lit") == key]


def test_every_line_of_the_block_lights_its_picture_and_explains_itself(
    open_page: OpenPage, server: Course
) -> None:
    page = open_told(open_page(height=3000), server)
    lines = page.locator(".wc-line[data-link]")
    keys = [line.get_attribute("data-link") or "" for line in lines.all()]
    pictures = {
        "pass_at": {"grid"}, "kept": {"grid", "waterfall", "strip"},
        "row_gates": {"grid", "waterfall"}, "duplicate": {"grid", "waterfall"},
        "unanimous": {"grid", "waterfall", "agreement", "strip"}, "band": {"waterfall", "strip"},
        "difficulty": {"strip"}, "scan": {"tracking"},
    }  # fmt: skip
    assert pictures.keys() <= {*keys}
    for at, key in enumerate(keys):
        resting = page.locator(f'[data-link="{key}"].lit')
        assert resting.count() == 0
        line = lines.nth(at)
        line.hover() if at % 2 else line.focus()
        lit = set(lit_charts(page, key))
        assert lit == pictures.get(key, {"tracking"}), key
        expect(line).to_have_class(re.compile(r"\blit\b"))
        expect(page.locator(f'[data-why="{key}"].lit').first).to_be_visible()
        page.mouse.move(2, 2)
        page.evaluate("() => document.activeElement.blur()")
        assert set(lit_charts(page, "")) == set(CHARTS)


def test_every_picture_lights_its_lines(open_page: OpenPage, server: Course) -> None:
    page = open_told(open_page(height=7500), server, repeats=6)  # the band drops tasks here
    keys = {
        line.get_attribute("data-link") or "" for line in page.locator(".wc-line[data-link]").all()
    }
    assert {"band", "pass_at", "difficulty", "scan", "scan.reply_chars"} <= keys
    for key in sorted(keys):
        line = page.locator(f'.wc-line[data-link="{key}"]').first
        found = [chart for chart in CHARTS if page.evaluate(MARKS_OF, [key, chart])]
        assert found, key
        assert any(points_at(page, key, chart) for chart in found), key
        expect(line).to_have_class(re.compile(r"\blit\b"))
        page.mouse.move(2, 2)
        expect(line).not_to_have_class(re.compile(r"\blit\b"))


def points_at(page: Page, key: str, chart: str) -> bool:
    """Point at marks of a key until one is not covered by another; tell whether one was found."""
    for x, y in page.evaluate(MARKS_OF, [key, chart])[:24]:
        page.mouse.move(x, y)
        if helpers.view_signal(page, chart, "lit") == key:
            return True
    return False


# --- State in the link -----------------------------------------------------------------------


def test_a_copied_link_a_reload_and_the_address_hold_every_number(
    server: Course, open_page: OpenPage
) -> None:
    page = open_told(open_page(own=True), server)  # a tab that was elsewhere may be full of entries
    entries = page.evaluate("() => history.length")
    helpers.set_slider(page, "repeats", 7)
    helpers.set_slider(page, FROM, 30)
    helpers.set_slider(page, TO, 70)
    choose(page, "judge", "looked up and led")
    open_more(page)
    helpers.set_slider(page, SHARE, 3)
    seed_to(page, 41)
    choose(page, "when repeats move, keep", "the budget of tries")
    choose(page, "true pass rates", "shown")
    settings = {"repeats": 7, "band_low": 30, "band_high": 70, "judge": "looked_up_and_led",
                "judge_share": 3, "seed": 41, "hold": "budget"}  # fmt: skip
    assert_told(page, **settings)
    assert parameters(page) == {
        "reveal": "all", "v": "1", "truth": "shown",
        **{name: str(value) for name, value in settings.items()},
    }  # fmt: skip
    assert page.evaluate("() => history.length") == entries

    open_more(page)
    page.evaluate(
        """() => { navigator.clipboard.writeText = (text) => {
          window.__copied = text; return Promise.resolve(); }; }"""
    )
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#wc-live")).to_have_text("Link copied.")
    other = open_page()
    other.goto(page.evaluate("() => window.__copied"))
    wait_ready(other)
    assert named(other) == named(page)
    assert all_data(other) == all_data(page)

    page.reload()
    wait_ready(page)
    assert named(page) == named(other)


def test_bad_values_in_a_link_fall_back_with_a_visible_message(page: Page, server: Course) -> None:
    bad = {"repeats": 99, "band_low": 23, "band_high": 20, "judge": "eval", "judge_share": -1,
           "seed": "x", "hold": "", "source": "yours", "truth": "yes", "v": 7}  # fmt: skip
    open_told(page, server, **bad)
    notices = page.locator(".wc-notices p")
    expect(notices).to_have_count(len(bad))
    for name, notice in zip(bad, notices.all(), strict=True):
        expect(notice).to_be_visible()
        expect(notice).to_contain_text("version 7" if name == "v" else f"In the link, {name} must")
    assert_told(page)
    assert parameters(page) == {"reveal": "all"}


@pytest.mark.parametrize("width", [1280, 375])
def test_what_the_seed_box_may_not_say_is_answered_beside_it_and_read_out(
    open_page: OpenPage, server: Course, width: int
) -> None:
    page = open_told(open_page(width=width), server)
    page.evaluate("() => { document.getElementById('App').scrollTop = 700; }")
    before = named(page)
    with helpers.shifts(page) as moved:
        seed_to(page, "abc")
    note = page.locator(".wc-box-note")
    expect(note).to_be_in_viewport()
    expect(note).to_contain_text("seed must be a whole number from 0 to 9999, got 'abc'")
    region = page.locator("#wc-live")
    expect(region).to_contain_text(re.compile(r"got 'abc'.*This page uses 0\. .+ rows"))
    assert named(page) == before and moved == []
    seed_to(page, 3)
    expect(note).to_be_hidden()
    expect(region).not_to_contain_text("abc")


def test_values_posted_past_a_control_s_range_are_clamped(page: Page, server: Course) -> None:
    kernel = Kernel(open_told(page, server))
    beyond = {"repeats": 10**9, "band_low": 10**9, "band_high": -3, "judge_share": 10**9,
              "seed": 999_999_999}  # fmt: skip
    kernel.post(**beyond)
    most = {"repeats": 32, "band_low": 50, "band_high": 50, "judge_share": 100, "seed": 9_999}
    assert_told(page, **most)
    assert parameters(page) == {
        "reveal": "all", "v": "1", **{name: str(value) for name, value in most.items()}
    }  # fmt: skip
    kernel.post(repeats=-3, band_low=-3, band_high=10**9, judge_share=-(10**9), seed="nonsense")
    assert_told(page, repeats=2, band_low=0, band_high=100)
    kernel.post(band_low=17, judge_share=51.4)
    assert_told(page, repeats=2, band_low=15, band_high=100, judge_share=51)


# --- Nothing moves ---------------------------------------------------------------------------


def test_no_slider_and_no_menu_moves_anything_but_what_it_changes(
    open_page: OpenPage, server: Course
) -> None:
    page = open_told(open_page(height=7500), server)  # a shift counts where it is in sight
    open_more(page)
    page.wait_for_timeout(500)
    with helpers.shifts(page) as moved:
        for name in ("repeats", FROM, TO, SHARE):
            start = helpers.position(helpers.slider(page, name))
            for key in ("PageUp", "ArrowRight", "ArrowLeft", "Home", "End"):
                helpers.slider(page, name).press(key)
            helpers.wait_idle(page)
            helpers.set_slider(page, name, start)
        for judge in ("coin toss", "names the order", "answer key"):
            choose(page, "judge", judge)
        seed_to(page, 3)
    assert moved == []


def test_a_drag_ends_where_it_is_let_go_and_shifts_nothing(page: Page, server: Course) -> None:
    open_told(page, server)
    box = helpers.slider(page, "repeats").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    with helpers.shifts(page) as moved:
        page.mouse.move(x, y)
        page.mouse.down()
        with helpers.one_run(page):
            page.mouse.move(x + 60, y, steps=20)
        page.mouse.up()
        helpers.wait_idle(page)
    repeats = int(helpers.position(helpers.slider(page, "repeats")))
    assert 15 < repeats < 25
    assert_told(page, repeats=repeats)
    assert moved == []


# --- Access, width, colour -------------------------------------------------------------------


def focus(page: Page) -> dict[str, Any]:
    """Return what has the focus and where it stands."""
    at: dict[str, Any] = page.evaluate(
        """() => {
          let node = document.activeElement;
          while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
          const bar = document.querySelector(".wc-bar");
          const { top, bottom } = node.getBoundingClientRect();
          const { outlineStyle, outlineWidth } = getComputedStyle(node);
          return { tag: node.tagName, role: node.getAttribute("role"), top, bottom,
            text: (node.textContent ?? "").trim().slice(0, 40), outlineStyle,
            outlineWidth: parseFloat(outlineWidth), barBottom: bar.getBoundingClientRect().bottom,
            inBar: bar.contains(node) || bar.contains(node.getRootNode().host ?? null) };
        }"""
    )
    return at


def test_the_whole_lesson_goes_by_keyboard_with_the_focus_in_sight(lesson: Page) -> None:
    seen: list[str] = []

    def walk(key: str, until: str = "") -> None:
        for _ in range(120):
            lesson.keyboard.press(key)
            at = focus(lesson)
            if at["tag"] == "BODY":
                return
            assert at["outlineStyle"] != "none" and at["outlineWidth"] >= 2, at
            assert at["inBar"] or at["top"] >= at["barBottom"] or at["barBottom"] > 60, at
            assert at["bottom"] <= 900, at
            seen.append(f"{at['role'] or at['tag']} {at['text']}")
            if until and at["text"] == until:
                return

    walk("Tab", "Check")  # tab stops at the first radio button of the group on its way
    lesson.keyboard.press("Shift+Tab")
    lesson.keyboard.press("ArrowDown")
    lesson.keyboard.press("Tab")
    assert focus(lesson)["text"] == "Check"
    with helpers.one_run(lesson):
        lesson.keyboard.press("Enter")
    expect(lesson.locator(".wc-verdict")).to_be_focused()
    with helpers.one_run(lesson):
        thumb = helpers.slider(lesson, "repeats")
        thumb.focus()
        lesson.keyboard.press("ArrowRight")
    assert_told(lesson, repeats=5)
    walk("Tab")
    for stop in ("SELECT", "BUTTON More", "BUTTON Try again", "BUTTON rl selection: kept",
                 "BUTTON Check my settings", "SUMMARY Numbers as a table",
                 "SUMMARY Words used in this course", "BUTTON Delete"):  # fmt: skip
        assert any(one.startswith(stop) for one in seen), stop
    walk("Shift+Tab")
    assert len(seen) > 150


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_it_is_well_made_before_and_after_the_answer(
    open_page: OpenPage, server: Course, width: int, dark: bool
) -> None:
    page = open_lesson(open_page(width=width, dark=dark), server)
    name = f"lesson_06_{width}_{'dark' if dark else 'light'}"
    assert helpers.is_dark(page) == dark
    assert [helpers.view_signal(page, chart, "dark") for chart in CHARTS] == [dark] * 5
    assert_well_made(page)
    helpers.screenshot(page, f"{name}_before")
    answer(page, "44")
    assert_well_made(page)
    helpers.screenshot(page, f"{name}_after")
    for kept in ("before", "after"):
        assert (helpers.SCREENSHOTS / f"{name}_{kept}.png").stat().st_size > 50_000


def test_open_panels_tables_and_notes_are_well_made_too(
    open_page: OpenPage, server: Course
) -> None:
    page = open_told(open_page(), server, teach=1, repeats=99)
    open_more(page)
    page.evaluate("() => window.__deep('details').forEach((one) => { one.open = true; })")
    assert_well_made(page)


def test_it_fits_320_px_and_text_of_200_per_cent(open_page: OpenPage, server: Course) -> None:
    page = open_told(open_page(width=320, height=700), server)
    assert_well_made(page)
    helpers.screenshot(page, "lesson_06_320_light_after")
    page.set_viewport_size({"width": 375, "height": 700})
    page.add_style_tag(content="html { font-size: 200% !important; }")
    page.wait_for_timeout(400)
    assert helpers.sideways(page) == 0
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_timeout(400)
    assert helpers.sideways(page) == 0
    cut = page.evaluate(
        """() => window.__deep(".wc-reading, .wc-line, .wc-title, .wc-legend, .wc-check, h1, h2")
          .filter((one) => one.scrollWidth > one.clientWidth + 1)
          .map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert cut == []


# --- Two visitors ----------------------------------------------------------------------------


def test_two_visitors_on_two_lessons_do_not_disturb_each_other(
    open_page: OpenPage, server: Course
) -> None:
    one = open_told(open_page(), server)
    other = helpers.open_lesson(open_page(dark=True), server, "03_the_band", "reveal=all")
    theirs = {chart: helpers.picture(other, chart) for chart in helpers.charts(other)}
    for repeats in (9, 12):
        helpers.set_slider(one, "repeats", repeats)
        assert {chart: helpers.picture(other, chart) for chart in theirs} == theirs
    assert_told(one, repeats=12)
    mine = {chart: helpers.picture(one, chart) for chart in CHARTS}
    helpers.set_slider(other, "repeats", 7)
    assert helpers.picture(other, "strip") != theirs["strip"]
    assert {chart: helpers.picture(one, chart) for chart in CHARTS} == mine
    assert_told(one, repeats=12)
    for page, dark in ((one, False), (other, True)):
        names = helpers.charts(page)
        assert [helpers.view_signal(page, name, "dark") for name in names] == [dark] * len(names)
        assert all(width > 100 for width, _ in helpers.canvas_sizes(page).values())
