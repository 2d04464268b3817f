"""A real Chromium whose pages fail the test when they complain or call home."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from tests.browser import helpers

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and give each a second try.

    A browser, a server and a kernel share two cores here: a page that stalls once is tried again,
    and both tries show in the log. What fails twice fails.
    """
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=2))


def chromium(playwright: Playwright) -> str | None:
    """Return the path of a Chromium: the system's, else one Playwright has installed."""
    own = playwright.chromium.executable_path
    system = (shutil.which(name) for name in NAMES)
    return next((path for path in system if path), own if Path(own).is_file() else None)


# Not for the whole session: while Playwright is at work no other test may start an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all browser tests."""
    with sync_playwright() as playwright:
        path = chromium(playwright)
        if path is None:
            reason = f"no Chromium on the PATH (looked for {', '.join(NAMES)})"
            if os.environ.get("WHILECORE_REQUIRE_BROWSER") == "1":
                pytest.fail(reason)
            pytest.skip(reason)
        launched = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def visitors(browser: Browser) -> Iterator[Callable[[int], BrowserContext]]:
    """The nth visitor; kept between tests, since a warm cache halves the time to open a lesson."""
    known: list[BrowserContext] = []

    def visitor(nth: int) -> BrowserContext:
        while len(known) <= nth:
            known.append(browser.new_context(viewport=None))
            known[-1].set_default_timeout(20_000)
            known[-1].add_init_script(helpers.WATCH)
        return known[nth]

    yield visitor
    for context in known:
        context.close()


@pytest.fixture
def open_page(visitors: Callable[[int], BrowserContext]) -> Iterator[Callable[..., Page]]:
    """A function that opens a page as another visitor, with nothing stored from earlier tests.

    Arguments: ``width`` and ``height`` in pixels, ``dark``, and whatever media a Playwright page
    emulates. At the end of the test every page must have been free of console errors and of
    requests to other origins.
    """
    pages: list[Page] = []
    complaints: list[str] = []

    def opened(*, width: int = 1280, height: int = 900, dark: bool = False, **media: Any) -> Page:
        page = visitors(len(pages)).new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light", **media)
        watch(page, complaints)
        pages.append(page)
        return page

    yield opened
    for page in pages:
        if page.url.startswith("http"):
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.context.clear_cookies()
        for one in page.context.pages:
            one.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A light page, 1280 pixels wide."""
    return open_page()


def watch(page: Page, complaints: list[str]) -> None:
    """Collect a page's errors, and its requests outside the origin it was opened at."""
    origins: set[str] = set()

    def requested(request: Any) -> None:
        where = urlsplit(request.url)
        if where.scheme in ("data", "blob", "about"):
            return
        if request.is_navigation_request() and not origins:
            origins.add(where.netloc)
        if where.netloc not in origins:
            complaints.append(f"request outside the server: {request.url}")

    def said(message: Any) -> None:
        if message.type == "error":
            complaints.append(f"console error: {message.text} ({message.location.get('url')})")

    page.on("request", requested)
    page.on("websocket", lambda socket: origins and check_socket(socket.url, origins, complaints))
    page.on("console", said)
    page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))


def check_socket(url: str, origins: set[str], complaints: list[str]) -> None:
    """Complain of a websocket that leads elsewhere."""
    if urlsplit(url).netloc not in origins:
        complaints.append(f"websocket outside the server: {url}")
