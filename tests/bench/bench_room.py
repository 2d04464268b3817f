"""A workshop: 25 visitors on one laptop's server, 24 of them moving a slider every two seconds.

    python tests/bench/bench_room.py [--visitors 24] [--rounds 5] [--json FILE]

Each round starts a server of its own and measures one visitor's Chromium alone: key press to the
last drawing, then first visit to first chart. Then the others come: websocket clients, in a process
of their own, that open a session as the browser did and move the same slider every two seconds,
each at its own moment. The same Chromium, with a new page, is measured again. The memory is that of
the server's process, before and after the others came. Clients, server and Chromium share the
machine, so the figures are upper bounds for a room where each visitor brings a laptop.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from websockets.asyncio.client import connect

from tests.bench.bench_latency import moves
from tests.browser import helpers
from tests.browser.conftest import ARGUMENTS, chromium
from tests.running import Course, running

STEM, QUERY, SLIDER = "06_which_rows_to_train_on", "reveal=all", "repeats"
EVERY_SECONDS = 2.0
VALUES = (*range(4, 15), *range(13, 4, -1))


def megabytes(course: Course) -> float:
    """Return the resident memory of the server's process (Linux)."""
    status = Path(f"/proc/{course.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def recorded(browser: Browser, course: Course) -> dict[str, Any]:
    """Open the lesson, move the slider once, and return what the browser sent for it."""
    page = browser.new_context().new_page()
    page.add_init_script(helpers.WATCH)
    seen: dict[str, Any] = {}
    page.on("websocket", lambda socket: seen.setdefault("socket", socket.url))

    def note(request: Any) -> None:
        if request.method == "POST" and request.url.endswith("set_ui_element_value"):
            headers = {k: v for k, v in request.headers.items() if k.startswith("marimo")}
            seen["move"] = {"url": request.url, "body": request.post_data, "headers": headers}

    page.on("request", note)
    helpers.open_lesson(page, course, STEM, QUERY)
    with helpers.one_run(page):
        helpers.slider(page, SLIDER).press("ArrowRight")
    page.context.close()
    return seen


def post(request: dict[str, Any], body: str, session: str) -> None:
    """Send one request of a session."""
    headers = {k: session if "session" in k else v for k, v in request["headers"].items()}
    headers["content-type"] = "application/json"
    urllib.request.urlopen(
        urllib.request.Request(request["url"], body.encode(), headers), timeout=60
    ).read()


async def visit(request: dict[str, Any], number: int, of: int, ready: asyncio.Barrier) -> None:
    """Be one visitor until the process ends."""
    move, turn = request["move"], 0
    old = move["headers"]["marimo-session-id"]
    session = f"s_room{number:02d}"
    async with connect(request["socket"].replace(old, session), max_size=None) as socket:

        async def until_complete() -> None:
            async for message in socket:
                if "completed-run" in str(message):
                    return

        async def drain() -> None:
            async for _ in socket:
                pass

        await until_complete()
        await ready.wait()
        if number == 0:
            print("ready", flush=True)
        draining = asyncio.create_task(drain())
        await asyncio.sleep(EVERY_SECONDS * number / of)
        told = json.loads(move["body"])
        while not draining.done():
            start = time.monotonic()
            told["values"] = [VALUES[turn % len(VALUES)]]
            await asyncio.to_thread(post, move, json.dumps(told), session)
            turn += 1
            await asyncio.sleep(max(0.0, EVERY_SECONDS - (time.monotonic() - start)))


async def crowd(request: dict[str, Any], count: int) -> None:
    """Be all visitors."""
    ready = asyncio.Barrier(count)
    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(visit(request, number, count, ready))


@contextmanager
def others(request: dict[str, Any], count: int) -> Iterator[None]:
    """Let the others be there inside the block."""
    line = [sys.executable, __file__, "--crowd", str(count)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as room:
        assert room.stdin is not None and room.stdout is not None
        room.stdin.write(json.dumps(request))
        room.stdin.close()
        try:
            assert room.stdout.readline() == "ready\n", "the room did not open"
            yield
            assert room.poll() is None, "the room emptied before the end"
        finally:
            room.kill()


def first_chart(browser: Browser, course: Course) -> float:
    """Return the seconds from opening the address to the first drawn chart, for a newcomer."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.add_init_script(helpers.WATCH)
    page: Page = context.new_page()
    start = time.monotonic()
    page.goto(f"{course.url}{STEM}/?{QUERY}", wait_until="commit")
    page.wait_for_function(
        "() => window.__deep('[data-livechart]').some((one) => one.liveView)",
        polling=50,
        timeout=120_000,
    )
    took = time.monotonic() - start
    context.close()
    return took


def one_round(browser: Browser, visitors: int, n: int) -> dict[str, Any]:
    """Measure alone and in the room, on one server."""
    with running() as course:
        request = recorded(browser, course)
        alone = moves(browser, course, STEM, QUERY, SLIDER, n)
        first_alone = first_chart(browser, course)
        before = megabytes(course)
        with others(request, visitors):
            after = megabytes(course)
            room = moves(browser, course, STEM, QUERY, SLIDER, n)
            first_room = first_chart(browser, course)
        return {
            "alone_ms": alone, "room_ms": room, "first_alone_s": first_alone,
            "first_room_s": first_room, "mb_alone": before,
            "mb_per_visitor": (after - before) / visitors,
        }  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=24, help="besides the one measured (24)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
    parser.add_argument("--moves", type=int, default=20, help="moves per round, alone and not (20)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--crowd", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.crowd:
        return asyncio.run(crowd(json.load(sys.stdin), given.crowd))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(playwright), args=list(ARGUMENTS)
        )
        rounds = [one_round(browser, given.visitors, given.moves) for _ in range(given.rounds)]
        browser.close()
    alone = [ms for one in rounds for ms in one["alone_ms"]]
    room = [ms for one in rounds for ms in one["room_ms"]]
    p95 = [float(np.percentile(some, 95)) for some in (alone, room)]
    middle = {
        name: median(one[name] for one in rounds)
        for name in ("first_alone_s", "first_room_s", "mb_alone", "mb_per_visitor")
    }
    report = {
        "visitors": given.visitors + 1, "rounds": given.rounds, "moves": len(room),
        "alone_p50_ms": median(alone), "alone_p95_ms": p95[0],
        "room_p50_ms": median(room), "room_p95_ms": p95[1], "p95_ratio": p95[1] / p95[0],
    } | middle  # fmt: skip
    print("| | alone | one of", report["visitors"], "|")
    print("|---|--:|--:|")
    print(f"| move, p50, ms | {median(alone):.0f} | {median(room):.0f} |")
    print(f"| move, p95, ms | {p95[0]:.0f} | {p95[1]:.0f} ({report['p95_ratio']:.1f} times) |")
    print(f"| first chart, s | {middle['first_alone_s']:.1f} | {middle['first_room_s']:.1f} |")
    print(f"| server, MB | {middle['mb_alone']:.0f} | +{middle['mb_per_visitor']:.1f} a visitor |")
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
