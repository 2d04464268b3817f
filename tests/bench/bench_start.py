"""How long until it starts: the import, the first visit, the second lesson.

    python tests/bench/bench_start.py [--rounds 5] [--json FILE]

Import: a new Python that imports whilecore, beside one that imports numpy and pandas, in turn.
Visits: a new server and a Chromium that was never here open a lesson, then a second one. Seconds
are from opening the address to the first drawn chart and to a page that is idle; bytes are what
came over the wire, compressed, with the messages of the websocket.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from playwright.sync_api import BrowserContext, sync_playwright

from tests.browser import helpers
from tests.browser.conftest import ARGUMENTS, chromium
from tests.running import Course, running

IMPORTS = {"numpy, pandas": "import numpy, pandas", "whilecore": "import whilecore"}
# As an installed package: Python may keep what it compiled, also where the shell forbids it.
COMPILED = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
VISITS = {"first visit": "06_which_rows_to_train_on", "second lesson": "02_unanimous_groups"}


def import_seconds(code: str) -> float:
    """Return the seconds a new Python takes for the code, its own start left out."""
    timed = f"import time; a = time.perf_counter(); {code}; print(time.perf_counter() - a)"
    line = [sys.executable, "-c", timed]
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=COMPILED)
    return float(done.stdout)


def visit(context: BrowserContext, course: Course, stem: str) -> dict[str, float]:
    """Open a lesson and return seconds and bytes."""
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    got = {"bytes": 0.0}

    def add(name: str, length: Any) -> None:
        wire.on(name, lambda event: got.update(bytes=got["bytes"] + length(event)))

    add("Network.loadingFinished", lambda event: event["encodedDataLength"])
    add("Network.webSocketFrameReceived", lambda event: len(event["response"]["payloadData"]))
    start = time.monotonic()
    page.goto(f"{course.url}{stem}/", wait_until="commit")
    drawn = "() => window.__deep?.('[data-livechart]').some((one) => one.liveView)"
    page.wait_for_function(drawn, polling=50, timeout=60_000)
    got["first_chart_s"] = time.monotonic() - start
    helpers.wait_idle(page)
    got["idle_s"] = time.monotonic() - start
    page.close()
    return got


def visits(rounds: int) -> dict[str, list[dict[str, float]]]:
    """Make each round's two visits, with a new server and a new browser."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in VISITS}
    with sync_playwright() as playwright:
        for _ in range(rounds):
            browser = playwright.chromium.launch(
                executable_path=chromium(playwright), args=list(ARGUMENTS)
            )
            with running() as course:
                context = browser.new_context(viewport={"width": 1280, "height": 1000})
                context.add_init_script(helpers.WATCH)
                for name, stem in VISITS.items():
                    found[name].append(visit(context, course, stem))
            browser.close()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (5)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args()
    for code in IMPORTS.values():  # the files are read from the disk once
        import_seconds(code)
    imports = [
        {name: import_seconds(code) for name, code in IMPORTS.items()}
        for _ in range(3 * given.rounds)
    ]
    ratio = median(one["whilecore"] / one["numpy, pandas"] for one in imports)
    report: dict[str, Any] = {
        "rounds": given.rounds, "import_ratio": ratio,
        "import_s": {name: median(one[name] for one in imports) for name in IMPORTS},
        "visits": {
            name: {what: median(one[what] for one in rounds) for what in rounds[0]}
            for name, rounds in visits(given.rounds).items()
        },
    }  # fmt: skip
    print("| what | figure |\n|---|--:|")
    for name, took in report["import_s"].items():
        print(f"| import {name} | {1e3 * took:.0f} ms |")
    print(f"| import whilecore, times numpy and pandas | {ratio:.2f} |")
    for name, got in report["visits"].items():
        print(
            f"| {name} | {got['bytes'] / 1e6:.2f} MB, first chart {got['first_chart_s']:.2f} s, "
            f"idle {got['idle_s']:.2f} s |"
        )
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
