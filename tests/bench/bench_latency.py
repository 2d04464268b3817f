"""How long after a key press or a step of a drag is the last chart of a lesson repainted?

    python tests/bench/bench_latency.py [--lesson STEM ...] [--rounds 5] [--json FILE]

Run it alone, on an idle machine. Each round opens a bare notebook (a slider and the text of its
value) and every lesson in turn, moves one slider of each with the arrow keys, then drags it with
the mouse, and notes the time from the key or the mouse to the last drawing on any canvas (for the
bare notebook: to the changed text). Lesson 6 goes through 11 to 21 repeats of 16 tasks. Only ratios
to the bare notebook of the same run mean anything: the lesson's median over the bare median (limit
2.2), and its 95th percentile over the bare median (limit 3.5).
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browser import helpers
from tests.browser.conftest import ARGUMENTS, chromium
from tests.running import Course, running

# The slider that is moved, and where the lesson stands before.
MOVED = {
    "01_one_group": ("^tries", "reveal=all&repeats=3"),
    "02_unanimous_groups": ("true rate", "reveal=all&rate=40"),
    "03_the_band": ("^repeats", "reveal=all"),
    "04_copies": ("^variety", "reveal=all"),
    "05_what_the_reward_tracks": ("by length", "reveal=all"),
    "06_which_rows_to_train_on": ("^repeats", "reveal=all&repeats=11"),
    "07_keep_the_passes": ("^completions", "reveal=all"),
    "08_refill_the_batch": ("^tries", "reveal=all&repeats=4"),
    "09_train_and_prove": ("train for", "reveal=all"),
    "10_when_the_judge_is_wrong": ("length", "reveal=all"),
}
BARE = '''"""Bare.

question: How long does a slider take to change a text?
minutes: 1
"""
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    slider = mo.ui.slider(1, 64, value=4, label="repeats")
    slider
    return mo, slider


@app.cell
def _(mo, slider):
    mo.Html(f'<span id="probe">{slider.value}</span>')
    return
'''

PAUSE_MS = 400
REACH = 10  # moves to one side before the slider turns
PIXELS = 3  # of a drag's step: a mouse tells whole pixels

# Notes when a key goes down or the mouse moves, and when last something was drawn or the probe's
# text changed.
STOPWATCH = """
(() => {
  const watch = (window.__watch = { start: 0, done: 0 });
  for (const event of ["keydown", "pointermove"])
    addEventListener(event, () => { watch.start = performance.now(); }, true);
  const note = () => { watch.done = performance.now(); };
  for (const name of ["fill", "stroke", "fillRect", "fillText"]) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
      const result = draw.apply(this, given);
      note();
      return result;
    };
  }
  let text = null;
  new MutationObserver(() => {
    const probe = document.getElementById("probe");
    if (probe && probe.textContent !== text) { text = probe.textContent; note(); }
  }).observe(document, { subtree: true, childList: true, characterData: true });
})();
"""


def opened(browser: Browser, course: Course, stem: str, query: str) -> Page:
    """Open a lesson in a browser that was never here, with the stopwatch."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.add_init_script(helpers.WATCH)
    context.add_init_script(STOPWATCH)
    return helpers.open_lesson(context.new_page(), course, stem, query)


def timed(page: Page, moves: Iterable[Callable[[], object]]) -> list[float]:
    """Make moves and return the milliseconds of each that led to a drawing."""
    taken = []
    for move in moves:
        page.evaluate("() => { window.__watch.done = 0; }")
        move()
        page.wait_for_timeout(PAUSE_MS)  # asking the page whether it is done would slow it
        watch: dict[str, float] = page.evaluate("() => window.__watch")
        if watch["done"]:
            taken.append(watch["done"] - watch["start"])
    return taken


def ways(thumb: Locator, n: int, stride: int = 1) -> list[int]:
    """Return n moves, right or left by so many values, that stay inside the slider."""
    high = float(thumb.get_attribute("aria-valuemax") or "nan")
    at = helpers.position(thumb)
    thumb.press("ArrowRight")
    values = (high - at) / (helpers.position(thumb) - at)
    thumb.press("ArrowLeft")
    thumb.page.wait_for_timeout(1000)
    reach = max(1, int(min(REACH, values / stride)))
    return [stride if i % (2 * reach) < reach else -stride for i in range(n)]


def keyed(page: Page, name: str, n: int) -> list[float]:
    """Return the milliseconds of n key presses on a slider."""
    thumb = helpers.slider(page, re.compile(name))
    keys = {1: "ArrowRight", -1: "ArrowLeft"}
    return timed(page, [lambda way=way: thumb.press(keys[way]) for way in ways(thumb, n)])


def dragged(page: Page, name: str, n: int) -> list[float]:
    """Return the milliseconds of n steps of one drag, each of at least PIXELS."""
    thumb = helpers.slider(page, re.compile(name))
    thumb.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(1000)
    start = middle_of(thumb)
    thumb.press("ArrowRight")
    page.wait_for_timeout(1000)
    apart = middle_of(thumb)[0] - start[0]
    thumb.press("ArrowLeft")
    page.wait_for_timeout(1000)
    steps = ways(thumb, n, math.ceil(PIXELS / apart))
    page.mouse.move(*start)
    page.mouse.down()
    places = start[0] + apart * np.cumsum(steps)
    taken = timed(page, [lambda x=x: page.mouse.move(x, start[1]) for x in places.tolist()])
    page.mouse.up()
    assert len(taken) > n / 2, f"{name}: {len(taken)} of {n} steps of a drag drew something"
    return taken


def middle_of(thumb: Locator) -> tuple[float, float]:
    """Return the middle of a thumb."""
    box = thumb.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def moves(
    browser: Browser, course: Course, stem: str, query: str, name: str, n: int
) -> list[float]:
    """Open a lesson and return the milliseconds of n key presses."""
    page = opened(browser, course, stem, query)
    taken = keyed(page, name, n)
    page.context.close()
    return taken


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lesson", action="append", choices=MOVED, help="only this one (all)")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (5)")
    parser.add_argument("--moves", type=int, default=20, help="moves per round and hand (20)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args()
    lessons = given.lesson or list(MOVED)
    taken: dict[tuple[str, str], list[float]] = defaultdict(list)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "00_bare.py").write_text(BARE)
        base = stack.enter_context(running("--lessons", str(folder)))
        course = stack.enter_context(running())
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(
            executable_path=chromium(playwright), args=list(ARGUMENTS)
        )
        for _ in range(given.rounds):
            for stem in ("00_bare", *lessons):
                where = course if stem in MOVED else base
                name, query = MOVED.get(stem, ("repeats", ""))
                for hand, move in (("keys", keyed), ("drag", dragged)):
                    page = opened(browser, where, stem, query)
                    taken[stem, hand] += move(page, name, given.moves)
                    page.context.close()
        browser.close()
    report: dict[str, Any] = {"rounds": given.rounds, "lessons": {}}
    print("| lesson | hand | bare p50, ms | p50, ms | times bare | p95 in bare p50s |")
    print("|---|---|--:|--:|--:|--:|")
    for (stem, hand), ms in taken.items():
        bare = float(np.median(taken["00_bare", hand]))
        middle, late = float(np.median(ms)), float(np.percentile(ms, 95))
        report["lessons"].setdefault(stem, {})[hand] = {
            "moves": len(ms), "bare_p50_ms": bare, "p50_ms": middle, "p95_ms": late,
            "p50_ratio": middle / bare, "p95_over_bare_p50": late / bare,
        }  # fmt: skip
        row = f"| {stem} | {hand} | {bare:.1f} | {middle:.1f} |"
        print(f"{row} {middle / bare:.2f} | {late / bare:.2f} |")
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
