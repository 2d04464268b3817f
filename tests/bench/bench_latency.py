"""How long after a key press is the last chart of a lesson repainted?

Run it alone, on an idle machine: ``python tests/bench/bench_latency.py [--lesson STEM]``.

Each round opens a bare notebook (a slider and the text of its value) and the lesson, in turn, moves
a slider of each with the arrow keys, and notes the time from the key press to the last drawing on
any canvas (for the bare notebook: to the changed text). Only the ratio of two medians from one
process on one machine means anything.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from tests.browser import helpers
from tests.browser.conftest import ARGUMENTS, chromium
from tests.running import Course, running

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

PAUSE_MS = 300

# Notes when a key goes down, and when last something was drawn or the probe's text changed.
STOPWATCH = """
(() => {
  const watch = (window.__watch = { key: 0, done: 0 });
  addEventListener("keydown", () => { watch.key = performance.now(); }, true);
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


def moves(
    browser: Browser, course: Course, stem: str, query: str, name: str, n: int
) -> list[float]:
    """Open a lesson and return the milliseconds of n moves of one slider."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.add_init_script(helpers.WATCH)
    context.add_init_script(STOPWATCH)
    page = helpers.open_lesson(context.new_page(), course, stem, query)
    thumb = helpers.slider(page, name)
    thumb.focus()
    taken = []
    for i in range(n + 3):
        page.evaluate("() => { window.__watch.done = 0; }")
        with helpers.one_run(page):
            thumb.press("ArrowRight" if i % 20 < 10 else "ArrowLeft")
            page.wait_for_timeout(PAUSE_MS)  # asking the page whether it is done would slow it
        watch: dict[str, float] = page.evaluate("() => window.__watch")
        if i >= 3 and watch["done"]:
            taken.append(watch["done"] - watch["key"])
    context.close()
    return taken


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lesson", default="06_which_rows_to_train_on")
    parser.add_argument("--lessons", type=Path, help="folder; default: the course's own")
    parser.add_argument("--query", default="reveal=all")
    parser.add_argument("--slider", default="repeats")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    bare: list[float] = []
    lesson: list[float] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "01_bare.py").write_text(BARE)
        base = stack.enter_context(running("--lessons", str(folder)))
        where = ["--lessons", str(given.lessons)] if given.lessons else []
        course = stack.enter_context(running(*where))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(
            executable_path=chromium(playwright), args=list(ARGUMENTS)
        )
        for _ in range(given.rounds):
            bare += moves(browser, base, "01_bare", "", "repeats", given.moves)
            lesson += moves(browser, course, given.lesson, given.query, given.slider, given.moves)
        browser.close()
    report: dict[str, Any] = {
        "lesson": given.lesson,
        "slider": given.slider,
        "moves": len(lesson),
        "bare_p50_ms": round(median(bare), 1),
        "lesson_p50_ms": round(median(lesson), 1),
        "p50_ratio": round(median(lesson) / median(bare), 2),
        "p95_ratio": round(float(np.percentile(lesson, 95) / np.percentile(bare, 95)), 2),
        "p95_over_bare_p50": round(float(np.percentile(lesson, 95)) / median(bare), 2),
    }
    print(json.dumps(report, indent=2))
    if given.json:
        given.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
