"""What the browser tests do with a lesson's page.

A page is idle when marimo has said that a run is complete, nothing has arrived for a while, and
every live chart is drawn (or has said that it cannot be).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from tests.running import ROOT, Course
from whilecore.course.page import ONE_MOVE_SECONDS

SCREENSHOTS = ROOT / "screenshots"
QUIET_MS = 150

# Runs before the page's own scripts: notes messages, completed runs and layout shifts, those
# right after an input included.
WATCH = """
(() => {
  const seen = (window.__seen = { completed: 0, last: performance.now(), shifts: [] });
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      super.addEventListener("message", (event) => {
        seen.last = performance.now();
        if (typeof event.data === "string" && event.data.includes("completed-run"))
          seen.completed += 1;
      });
    }
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const from = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
      // The thumb of a slider is meant to move; it is known by its size and height on the page.
      const thumbs = window.__deep("[role=slider]").map((one) => one.getBoundingClientRect());
      const isThumb = ({ y, width, height }) => thumbs.some((box) =>
        [box.y - y, box.width - width, box.height - height].every((off) => Math.abs(off) < 1));
      if (entry.sources.every(({ currentRect }) => isThumb(currentRect))) continue;
      const told = entry.sources.map(({ node, previousRect, currentRect }) =>
        `${(node?.outerHTML ?? node?.textContent ?? "(gone)").slice(0, 120)}: ` +
        `${from(previousRect)} to ${from(currentRect)}`);
      seen.shifts.push([entry.value, told]);
    }
  }).observe({ type: "layout-shift", buffered: true });
  window.__deep = (selector, root = document) => {
    const found = [...root.querySelectorAll(selector)];
    for (const node of root.querySelectorAll("*"))
      if (node.shadowRoot) found.push(...window.__deep(selector, node.shadowRoot));
    return found;
  };
})();
"""

_IDLE = """([completed, quiet]) => {
  const seen = window.__seen;
  return seen.completed > completed && performance.now() - seen.last > quiet
    && window.__deep("[data-livechart]").every((one) => one.liveView || one.dataset.failed);
}"""


def open_lesson(page: Page, course: Course, stem: str, query: str = "") -> Page:
    """Open a lesson and wait until it is idle.

    Args:
        page: The page.
        course: The running course.
        stem: The lesson's file name without ".py".
        query: Query string, such as "repeats=8&reveal=all".
    """
    page.goto(f"{course.url}{stem}/" + (f"?{query}" if query else ""))
    wait_idle(page)
    return page


def wait_idle(page: Page, after: int = 0, timeout: float = 20_000) -> None:
    """Wait until more than ``after`` runs are complete and nothing is under way."""
    page.wait_for_function(_IDLE, arg=[after, QUIET_MS], timeout=timeout)
    # One frame for React and one for the paint.
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)))")


@contextmanager
def one_run(page: Page) -> Iterator[None]:
    """Do something that makes the notebook run, and wait until it is idle again."""
    before = page.evaluate("() => window.__seen.completed")
    yield
    wait_idle(page, after=before)


def slider(page: Page, name: str | re.Pattern[str]) -> Locator:
    """Find a slider by its accessible name."""
    return page.get_by_role("slider", name=name).first


def set_slider(page: Page, name: str | re.Pattern[str], value: float) -> None:
    """Move a slider to a value with the arrow keys, as a keyboard user does.

    Raises:
        AssertionError: The slider stops before it gets there.
    """
    thumb = slider(page, name)
    thumb.focus()
    at = position(thumb)
    if at == value:
        return
    with one_run(page):
        while at != value:
            thumb.press("ArrowRight" if at < value else "ArrowLeft")
            moved = position(thumb)
            assert moved != at and (moved - value) * (at - value) >= 0, (
                f"slider {name!r} stands at {moved} and cannot reach {value}"
            )
            at = moved


def pause(page: Page) -> None:
    """Wait until the next step of a control counts as a move of its own."""
    page.wait_for_timeout(1000 * ONE_MOVE_SECONDS + 100)


def position(thumb: Locator) -> float:
    """Return the value a slider tells to assistive technology."""
    return float(thumb.get_attribute("aria-valuenow") or "nan")


def numbers(page: Page) -> dict[str, str]:
    """Return every named number of the page: ``data-name`` to text."""
    pairs = page.evaluate(
        "() => window.__deep('[data-name]').map((one) => [one.dataset.name, one.textContent])"
    )
    return {name: text.strip() for name, text in pairs}


def charts(page: Page) -> list[str]:
    """Return the names of the live charts in the order of the page."""
    names = page.evaluate("() => window.__deep('[data-livechart]').map((f) => f.dataset.livechart)")
    return [str(name) for name in names]


def draw_all(page: Page) -> None:
    """Bring the pictures that are out of sight up to date too, as printing does."""
    page.evaluate(
        """async () => {
          dispatchEvent(new Event("beforeprint"));
          await Promise.all(window.__deep("[data-livechart]").map((f) => f.liveView?.runAsync()));
        }"""
    )


def view_data(page: Page, chart: str, dataset: str) -> list[dict[str, Any]]:
    """Return the rows that a live chart holds, read from its view."""
    draw_all(page)
    rows: list[dict[str, Any]] = _figure(page, chart).evaluate(
        "(figure, name) => figure.liveView.data(name).map((row) => ({ ...row }))", dataset
    )
    return rows


def view_signal(page: Page, chart: str, signal: str) -> Any:
    """Return the value of a signal of a live chart, such as ``dark`` or ``lit``."""
    draw_all(page)
    return _figure(page, chart).evaluate("(figure, name) => figure.liveView.signal(name)", signal)


def chart_text(page: Page, chart: str) -> dict[str, str]:
    """Return a live chart's title, summary and table as text."""
    text: dict[str, str] = _figure(page, chart).evaluate(
        """(figure) => ({
          title: figure.querySelector("[role=heading]").textContent,
          summary: figure.querySelector("figcaption p").textContent,
          table: figure.querySelector("details").textContent,
        })"""
    )
    return text


def canvas_sizes(page: Page) -> dict[str, tuple[float, float]]:
    """Return width and height of every live chart's canvas as shown, in pixels."""
    sizes = page.evaluate(
        """() => window.__deep("[data-livechart]").map((figure) => {
          const box = figure.querySelector("canvas")?.getBoundingClientRect();
          return [figure.dataset.livechart, box?.width ?? 0, box?.height ?? 0];
        })"""
    )
    return {name: (width, height) for name, width, height in sizes}


def picture(page: Page, chart: str) -> str:
    """Return a live chart's canvas as a data URL, to see whether it changed."""
    draw_all(page)
    url: str = _figure(page, chart).evaluate("(f) => f.querySelector('canvas').toDataURL()")
    return url


def is_dark(page: Page) -> bool:
    """Tell whether marimo shows its dark theme."""
    return bool(page.evaluate("() => document.body.classList.contains('dark')"))


def sideways(page: Page) -> float:
    """Return by how many pixels the page can be scrolled sideways; marimo scrolls in ``#App``."""
    excess: float = page.evaluate(
        """() => Math.max(...[document.documentElement, document.getElementById("App")]
          .filter(Boolean).map((one) => one.scrollWidth - one.clientWidth))"""
    )
    return excess


@contextmanager
def shifts(page: Page) -> Iterator[list[tuple[float, list[str]]]]:
    """Collect the layout shifts inside the block; a shift right after a key press counts too.

    Yields:
        A list that holds, after the block, each shift's size and the elements that moved.
    """
    page.evaluate("() => { window.__seen.shifts.length = 0; }")
    collected: list[tuple[float, list[str]]] = []
    yield collected
    page.wait_for_timeout(100)
    collected.extend((size, nodes) for size, nodes in page.evaluate("() => window.__seen.shifts"))


def serious_findings(page: Page, exempt: tuple[str, ...] = ()) -> list[str]:
    """Run axe and return its serious and critical findings as text.

    Args:
        page: The page.
        exempt: Words of a node's target or HTML that excuse that node; say why where you use it.
    """
    report = Axe().run(page).response
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]}"
        for rule in report["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
        if not any(word in f"{node['target']} {node['html']}" for word in exempt)
    ]


def screenshot(page: Page, name: str) -> None:
    """Keep a picture of the whole page in ``screenshots/``; the viewport is made tall for it."""
    SCREENSHOTS.mkdir(exist_ok=True)
    size = page.viewport_size
    assert size is not None
    tall = page.evaluate(
        "() => (document.getElementById('App') ?? document.documentElement).scrollHeight"
    )
    page.set_viewport_size({"width": size["width"], "height": max(size["height"], int(tall))})
    page.wait_for_timeout(300)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")
    page.set_viewport_size(size)


def _figure(page: Page, chart: str) -> Locator:
    """Find a live chart by its name; Playwright looks into shadow roots."""
    return page.locator(f'[data-livechart="{chart}"]').first
