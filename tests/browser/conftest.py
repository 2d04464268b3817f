"""A real Chromium whose pages fail the test when they complain or call home."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

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


@contextmanager
def newcomer(browser: Browser) -> Iterator[Page]:
    """The page of a visitor who was never here."""
    with browser.new_context() as context:
        context.set_default_timeout(20_000)
        context.add_init_script(helpers.WATCH)
        yield context.new_page()


@pytest.fixture(scope="package")
def visitors(browser: Browser) -> Iterator[Callable[[int], Page]]:
    """The page of the nth visitor.

    Pages are kept between tests: a browser that was here before opens a lesson in half the time.
    """
    with ExitStack() as ends:
        known: list[Page] = []

        def visitor(nth: int) -> Page:
            while len(known) <= nth:
                known.append(ends.enter_context(newcomer(browser)))
            return known[nth]

        yield visitor


@pytest.fixture
def open_page(browser: Browser, visitors: Callable[[int], Page]) -> Iterator[Callable[..., Page]]:
    """A function that gives the page of another visitor, with nothing stored from earlier tests.

    Arguments: ``width`` and ``height`` in pixels, ``dark``, ``still`` for less motion, ``own`` for
    one that was never here and never comes again. At the end of the test every page must have been
    free of console errors and of requests to other origins.
    """
    complaints: list[str] = []
    with ExitStack() as ends:
        others = count()

        def opened(
            *,
            width: int = 1280,
            height: int = 900,
            dark: bool = False,
            still: bool = False,
            own: bool = False,
        ) -> Page:
            page = ends.enter_context(newcomer(browser)) if own else visitors(next(others))
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce" if still else "no-preference",
            )
            ends.enter_context(forgotten(page))
            ends.enter_context(watched(page, complaints))
            return page

        yield opened
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A light page, 1280 pixels wide."""
    return open_page()


@contextmanager
def forgotten(page: Page) -> Iterator[None]:
    """Leave nothing behind but the cache."""
    yield
    for more in page.context.pages[1:]:
        more.close()
    if page.url.startswith("http"):
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.mouse.move(0, 0)
    page.goto("about:blank")
    page.context.clear_cookies()


@contextmanager
def watched(page: Page, complaints: list[str]) -> Iterator[None]:
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

    listeners: dict[Any, Callable[[Any], Any]] = {
        "request": requested,
        "websocket": lambda socket: origins and check_socket(socket.url, origins, complaints),
        "console": said,
        "pageerror": lambda error: complaints.append(f"page error: {error}"),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    yield
    for event, listener in listeners.items():
        page.remove_listener(event, listener)


def check_socket(url: str, origins: set[str], complaints: list[str]) -> None:
    """Complain of a websocket that leads elsewhere."""
    if urlsplit(url).netloc not in origins:
        complaints.append(f"websocket outside the server: {url}")
