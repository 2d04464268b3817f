"""LiveChart in a real browser: drawn once, fed with data, linked with its page."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest

from tests.browser import helpers
from tests.running import FIXTURE_LESSONS, free_port

STEM = "02_live_charts"
CHARTS = ["dots", "bars", "alone"]
HEIGHTS = [(n * 37) % 100 for n in range(1, 17)]


def passes(count, cut):
    """Return how many of the first dots reach the cut, counted anew."""
    return sum(height >= cut for height in HEIGHTS[:count])


@pytest.fixture
def lesson(page, fixture_server):
    return helpers.open_lesson(page, fixture_server, STEM)


def where(page, chart, x, y):
    """Return the place on the page of a point given in a chart's own units."""
    return page.locator(f'[data-livechart="{chart}"]').evaluate(
        """(figure, [x, y]) => {
          const view = figure.liveView;
          const box = figure.querySelector("canvas").getBoundingClientRect();
          const [left, top] = view.origin().map((at) => at + view.padding().left);
          return [box.left + left + view.scale("x")(x), box.top + top + view.scale("y")(y)];
        }""",
        [x, y],
    )


def test_first_paint_shows_the_data_of_the_settings(lesson):
    rows = helpers.view_data(lesson, "dots", "rows")
    assert [row["y"] for row in rows] == HEIGHTS[:4]
    assert helpers.view_data(lesson, "dots", "cut")[0]["y"] == 50
    assert [row["n"] for row in helpers.view_data(lesson, "bars", "counts")] == [
        passes(4, 50),
        4 - passes(4, 50),
    ]


def test_every_canvas_is_wider_than_100_px(lesson):
    sizes = helpers.canvas_sizes(lesson)
    assert list(sizes) == CHARTS
    assert all(width > 100 and height > 20 for width, height in sizes.values())


def test_each_control_moves_pictures_words_and_numbers(lesson):
    before = {chart: helpers.picture(lesson, chart) for chart in CHARTS}
    helpers.set_slider(lesson, "count", 16)
    assert {chart for chart in CHARTS if helpers.picture(lesson, chart) != before[chart]} == {
        *CHARTS
    }
    assert len(helpers.view_data(lesson, "alone", "rows")) == 16
    helpers.set_slider(lesson, "cut", 20)
    assert helpers.numbers(lesson)["passes"] == str(passes(16, 20))
    assert helpers.chart_text(lesson, "dots")["title"] == f"{passes(16, 20)} of 16 dots reach 20"
    assert helpers.view_data(lesson, "bars", "counts")[0]["n"] == passes(16, 20)


def test_both_ends_of_a_control_draw(lesson):
    for count in (0, 16):
        helpers.set_slider(lesson, "count", count)
        assert len(helpers.view_data(lesson, "dots", "rows")) == count


def test_a_move_keeps_view_and_canvas(lesson):
    lesson.evaluate(
        """() => { for (const figure of window.__deep("[data-livechart]")) {
          figure.liveView.mine = true; figure.querySelector("canvas").mine = true; } }"""
    )
    helpers.set_slider(lesson, "count", 9)
    kept = lesson.evaluate(
        """() => window.__deep("[data-livechart]").map((figure) =>
          [figure.liveView.mine, figure.querySelector("canvas").mine])"""
    )
    assert kept == [[True, True]] * 3


def test_a_picture_out_of_sight_waits_until_it_comes_near(open_page, fixture_server):
    page = helpers.open_lesson(open_page(height=300), fixture_server, STEM)
    figure = page.locator('[data-livechart="alone"]')
    page.evaluate("() => { document.getElementById('App').scrollTop = 0; }")
    page.wait_for_timeout(100)
    held = "(figure) => figure.liveView.data('rows').length"
    before = figure.evaluate(held)
    helpers.set_slider(page, "count", 16)
    assert figure.evaluate(held) == before != 16
    figure.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    assert figure.evaluate(held) == 16


def test_a_move_shifts_nothing(lesson):
    with helpers.shifts(lesson) as moved:
        helpers.set_slider(lesson, "count", 16)
        helpers.set_slider(lesson, "cut", 100)
    assert moved == []


def test_a_shift_would_be_seen(lesson):
    with helpers.shifts(lesson) as moved:
        lesson.evaluate("() => { window.__deep('[data-livechart]')[0].style.marginTop = '120px'; }")
    assert moved


def test_charts_of_a_board_share_one_message(page, fixture_server):
    frames = []
    page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda text: frames.append(text))
    )
    helpers.open_lesson(page, fixture_server, STEM)
    frames.clear()
    with helpers.one_run(page):
        helpers.slider(page, "count").press("ArrowRight")
    models = [frame for frame in frames if '"model-lifecycle"' in frame]
    # One for the board with its two charts, one for the chart that stands alone.
    assert len(models) == 2
    assert sorted(sum((re.findall(r'"(chart(?:_\w+)?)":', frame) for frame in models), [])) == [
        "chart",
        "chart_bars",
        "chart_dots",
    ]


def test_dark_page_has_dark_charts(open_page, fixture_server):
    page = helpers.open_lesson(open_page(dark=True), fixture_server, STEM)
    assert helpers.is_dark(page)
    assert [helpers.view_signal(page, chart, "dark") for chart in CHARTS] == [True] * 3


def test_charts_follow_a_page_that_turns_dark(lesson):
    assert not helpers.is_dark(lesson)
    light = helpers.picture(lesson, "dots")
    lesson.evaluate("() => { window.__deep('[data-livechart]')[0].liveView.mine = true; }")
    lesson.emulate_media(color_scheme="dark")
    lesson.wait_for_function("() => document.body.classList.contains('dark')")
    lesson.wait_for_timeout(200)
    assert helpers.view_signal(lesson, "dots", "dark") is True
    assert helpers.picture(lesson, "dots") != light
    assert lesson.evaluate("() => window.__deep('[data-livechart]')[0].liveView.mine")


def test_what_is_lit_on_the_page_is_lit_in_every_chart_that_has_a_mark_of_it(lesson):
    unlit = helpers.picture(lesson, "bars")
    light = "(key) => window.dispatchEvent(new CustomEvent('whilecore:light', {detail: {key}}))"
    lesson.evaluate(light, "pass")
    lesson.wait_for_timeout(100)
    assert [helpers.view_signal(lesson, chart, "lit") for chart in CHARTS] == ["pass", "pass", ""]
    lit = helpers.picture(lesson, "bars")
    assert lit != unlit
    lesson.evaluate(light, None)
    lesson.wait_for_timeout(100)
    assert helpers.view_signal(lesson, "bars", "lit") == ""
    resting = helpers.picture(lesson, "bars")
    assert resting != lit
    lesson.evaluate(light, "nothing here")
    lesson.wait_for_timeout(100)
    assert helpers.picture(lesson, "bars") == resting


def test_pointing_at_a_mark_lights_its_partners(lesson):
    lesson.evaluate(
        """() => { window.lights = [];
          addEventListener("whilecore:light", (e) => window.lights.push(e.detail)); }"""
    )
    lesson.mouse.move(*where(lesson, "dots", 2, HEIGHTS[1]))
    lesson.wait_for_function("() => window.lights.length === 1")
    assert helpers.view_signal(lesson, "bars", "lit") == "pass"
    lesson.mouse.move(*where(lesson, "dots", 10, 98))
    lesson.wait_for_function("() => window.lights.length === 2")
    assert lesson.evaluate("() => window.lights") == [
        {"key": "pass", "from": "dots"},
        {"key": None, "from": "dots"},
    ]


def test_tooltip_stays_inside_the_figure(lesson):
    lesson.mouse.move(*where(lesson, "dots", 4, HEIGHTS[3]))
    tip = lesson.locator(".wc-tip:visible")
    tip.wait_for()
    assert "verdict: fail" in tip.inner_text()
    lesson.mouse.move(*where(lesson, "dots", 10, 98))
    tip.wait_for(state="hidden")


def test_click_on_a_mark_reaches_the_notebook(lesson):
    assert helpers.numbers(lesson)["clicked"] == "none"
    for dot in (3, 2):
        with helpers.one_run(lesson):
            lesson.mouse.click(*where(lesson, "dots", dot, HEIGHTS[dot - 1]))
        assert helpers.numbers(lesson)["clicked"] == str(dot)


def test_numbers_stand_in_a_table_one_click_away(lesson):
    figure = lesson.locator('[data-livechart="dots"]')
    figure.get_by_text("Numbers as a table").press("Enter")
    assert figure.locator("thead th").all_inner_texts() == ["dot", "height", "verdict"]
    helpers.set_slider(lesson, "count", 2)
    assert [
        row.locator("th, td").all_inner_texts() for row in figure.locator("tbody tr").all()
    ] == [["1", "37", "fail"], ["2", "74", "pass"]]


def test_canvas_is_an_image_with_title_and_summary(lesson):
    image = lesson.get_by_role("img", name=f"{passes(4, 50)} of 4 dots reach 50")
    described = image.get_attribute("aria-describedby")
    summary = lesson.locator(f'[data-livechart="dots"] #{described}').inner_text()
    assert summary == f"Of 4 dots {passes(4, 50)} lie at 50 or above."


def test_runtime_that_does_not_load_leaves_the_numbers_open(open_page, fixture_server):
    page = open_page(own=True)
    page.route(
        "**/_whilecore/vega*",
        lambda route: route.fulfill(
            status=200, content_type="text/javascript", body="export const nothing = 1;"
        ),
    )
    helpers.open_lesson(page, fixture_server, STEM)
    figure = page.locator('[data-livechart="dots"]')
    assert "The chart cannot be drawn here. Its numbers are in the table below." in (
        figure.inner_text()
    )
    assert figure.locator("tbody tr").count() == 4
    helpers.set_slider(page, "count", 7)
    assert figure.locator("tbody tr").count() == 7


@pytest.mark.parametrize("width", [375, 320])
def test_phone_shows_the_charts_without_sideways_scroll(open_page, fixture_server, width):
    page = helpers.open_lesson(open_page(width=width, height=700), fixture_server, STEM)
    assert helpers.sideways(page) == 0
    assert all(100 < w <= width for w, _ in helpers.canvas_sizes(page).values())


def test_charts_follow_the_width_of_the_window(lesson):
    wide = helpers.canvas_sizes(lesson)["dots"][0]
    lesson.set_viewport_size({"width": 700, "height": 900})
    lesson.wait_for_timeout(400)
    narrow = helpers.canvas_sizes(lesson)["dots"][0]
    assert 100 < narrow < wide
    assert narrow <= 700


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious(open_page, fixture_server, dark):
    page = helpers.open_lesson(open_page(dark=dark), fixture_server, STEM)
    assert helpers.is_dark(page) == dark
    page.locator('[data-livechart="dots"]').get_by_text("Numbers as a table").press("Enter")
    assert helpers.serious_findings(page) == []


def test_two_visitors_do_not_see_each_other(open_page, fixture_server):
    one = helpers.open_lesson(open_page(), fixture_server, STEM)
    other = helpers.open_lesson(open_page(dark=True), fixture_server, STEM)
    helpers.set_slider(one, "count", 12)
    assert len(helpers.view_data(one, "dots", "rows")) == 12
    assert len(helpers.view_data(other, "dots", "rows")) == 4
    assert [
        helpers.view_signal(one, "dots", "dark"),
        helpers.view_signal(other, "dots", "dark"),
    ] == [
        False,
        True,
    ]


def test_a_second_visit_fetches_no_runtime_and_no_marimo_again(open_page, fixture_server):
    page = open_page(own=True)
    sizes = """() => performance.getEntriesByType("resource")
      .filter((one) => /_whilecore.vega|_marimo.assets.*js$/.test(one.name))
      .map((one) => one.transferSize)"""
    helpers.open_lesson(page, fixture_server, STEM)
    first = page.evaluate(sizes)
    helpers.open_lesson(page, fixture_server, STEM)
    second = page.evaluate(sizes)
    assert sum(first) > 1_000_000
    assert second
    assert sum(second) == 0


@contextmanager
def marimo_alone(path):
    """Serve one notebook as ``marimo run`` does, without the course around it."""
    port = free_port()
    line = [sys.executable, "-m", "marimo", "run", str(path), "--headless", "--no-token"]
    with subprocess.Popen(
        [*line, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield f"http://127.0.0.1:{port}/", process
        finally:
            process.kill()


def test_chart_draws_without_the_course_server_too(page):
    with marimo_alone(FIXTURE_LESSONS / f"{STEM}.py") as (url, process):
        for _ in range(100):
            assert process.poll() is None, "marimo run has ended"
            try:
                urllib.request.urlopen(url, timeout=5).close()
                break
            except OSError:
                page.wait_for_timeout(200)
        page.goto(url)
        helpers.wait_idle(page)
        assert min(width for width, _ in helpers.canvas_sizes(page).values()) > 100
        helpers.set_slider(page, "count", 6)
        assert len(helpers.view_data(page, "dots", "rows")) == 6


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_screenshots_are_kept(open_page, fixture_server, width, dark):
    page = helpers.open_lesson(open_page(width=width, dark=dark), fixture_server, STEM)
    name = f"live_charts_{width}_{'dark' if dark else 'light'}"
    helpers.screenshot(page, name)
    assert (helpers.SCREENSHOTS / f"{name}.png").stat().st_size > 10_000
