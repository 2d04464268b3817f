"""What every lesson must hold to in a browser, said once."""

from __future__ import annotations

import json
from collections.abc import Iterable

from playwright.sync_api import Page

from tests.browser import helpers


def told(page: Page) -> str:
    """Return everything the page holds: text, attributes, fields, and the data of its charts."""
    text: str = page.evaluate(
        """() => window.__deep("*").map((node) =>
          [...node.attributes].map((a) => a.value).join(" ") + " " +
          [...node.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(" ") +
          " " + (node.value ?? "")).join("\\n")"""
    )
    helpers.draw_all(page)
    data = page.evaluate(
        """() => window.__deep("[data-livechart]").filter((figure) => figure.liveView)
          .map(({ liveView }) => Object.keys(liveView._runtime.data).map((name) =>
            [name, (liveView.data(name) ?? []).map((row) => Object.values(row)
              .filter((value) => typeof value !== "object").join(" "))]))"""
    )
    return text + json.dumps(data, ensure_ascii=False)


def reading(page: Page) -> str:
    """Return what the bar says."""
    return page.locator(".wc-reading").inner_text()


def answer(page: Page, label: str, nth: int = 0) -> None:
    """Choose an option of the nth open question and press its Check."""
    page.get_by_role("radio", name=label, exact=True).nth(nth).check()
    with helpers.one_run(page):
        page.get_by_role("button", name="Check", exact=True).nth(nth).click()


def choose(page: Page, name: str, words: str) -> None:
    """Choose a line of a menu, opening More for it where it is hidden."""
    menu = page.get_by_label(name, exact=True)
    if not menu.is_visible():
        page.get_by_role("button", name="More", exact=True).click()
    with helpers.one_run(page):
        menu.select_option(words)


def assert_well_made(page: Page) -> None:
    """Hold a page to axe, its width, its bar, and charts that are drawn."""
    assert helpers.serious_findings(page) == []
    assert helpers.sideways(page) == 0
    box = page.locator(".wc-bar").bounding_box()
    assert box is not None
    assert box["height"] <= 57
    sizes = helpers.canvas_sizes(page)
    assert sizes
    assert all(width > 100 and height > 40 for width, height in sizes.values()), sizes


def assert_still(page: Page, moves: Iterable[tuple[str, float]]) -> None:
    """Move sliders and hold that nothing on the page is pushed about."""
    with helpers.shifts(page) as seen:
        for name, value in moves:
            helpers.set_slider(page, name, value)
    assert not seen, seen
