"""How select, pass_at and grade grow with the rows.

    python tests/bench/bench_select.py [--most 1000000] [--rounds 5] [--json FILE]

Peer-like figures: a committed run of 16 × 16, tiled with distinct tasks. Every call gets rollouts
whose cached columns are dropped, rounds go through all sizes in turn (short calls are repeated
within a round), and the median of a cell is given. The exponent is log(t₂/t₁)/log(n₂/n₁) from
10,000 rows to the largest (1 is linear). The peak memory is that of a process of its own which
loads, selects and scans the largest size. Not collected by pytest.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import pandas as pd

import whilecore as wc
from whilecore import judges

RUN = Path(__file__).parents[1] / "data" / "peer_runs" / "w131_s0_k16_b256_key.csv"
SIZES = (64, 256, 6_400, 10_000, 64_000, 1_000_000)
EXPONENT_FROM = 10_000
LEAST = 0.1
"""Seconds of calls per round: a call of a millisecond alone would time the caches."""

Work = Callable[[], object]


def figures(rows: int) -> wc.Rollouts:
    """Tile a run of 16 tasks × 16 tries to so many rows, every copy with tasks of its own."""
    run = pd.read_csv(RUN)
    copies = -(-rows // len(run))
    frame = pd.concat([run] * copies, ignore_index=True)
    part = np.repeat(np.arange(copies), len(run))
    for name in ("task", "ask"):
        frame[name] += part * (int(run[name].max()) + 1)
    frame["reply_chars"] += part % 7
    return wc.Rollouts.from_frame(frame.iloc[:rows])


def fresh(rollouts: wc.Rollouts) -> wc.Rollouts:
    """Return the same rollouts without anything worked out before."""
    return wc.Rollouts.trusted(
        rollouts.frame, task_codes=rollouts.task_codes, task_labels=rollouts.task_labels
    )


OURS: dict[str, Callable[[wc.Rollouts], object]] = {
    "select rl + scan": lambda some: fresh(some).select(mode="rl"),
    "select sft": lambda some: fresh(some).select(mode="sft"),
    "pass_at": lambda some: fresh(some).pass_at,
    "grade, built-in": lambda some: fresh(some).grade(judges.answer_key),
}


def seconds(work: Work) -> float:
    """Time one call, as the mean of as many as fit into ``LEAST`` seconds."""
    gc.collect()
    calls, start = 0, time.perf_counter()
    while not calls or time.perf_counter() - start < LEAST:
        work()
        calls += 1
    return (time.perf_counter() - start) / calls


def interleaved(works: dict[Any, Work], rounds: int) -> dict[Any, float]:
    """Return the median seconds of every piece of work over interleaved rounds."""
    took: dict[Any, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            took[name].append(seconds(work))
    return {name: statistics.median(times) for name, times in took.items()}


def growth(most: int, rounds: int) -> dict[str, Any]:
    """Time our calls at growing sizes."""
    sizes = [size for size in SIZES if size < most] + [most]
    data = {size: figures(size) for size in sizes}
    for call in OURS.values():  # imports and caches of the libraries
        call(data[sizes[0]])
    works = {
        (name, size): (lambda call=call, some=some: call(some))  # type: ignore[misc]
        for name, call in OURS.items()
        for size, some in data.items()
    }
    took = interleaved(works, rounds)
    exponents = {
        name: math.log(took[name, most] / took[name, EXPONENT_FROM])
        / math.log(most / EXPONENT_FROM)
        for name in OURS
        if most > EXPONENT_FROM
    }
    table = {name: {size: took[name, size] for size in sizes} for name in OURS}
    return {"sizes": sizes, "seconds": table, "exponents": exponents}


def peak(rows: int) -> dict[str, float]:
    """Load and select so many rows in a process of its own; return its seconds and megabytes."""
    code = (
        "import sys, time, resource; sys.path.insert(0, sys.argv[1]); import bench_select as b;"
        f"data = b.figures({rows}); start = time.perf_counter(); data.select(mode='rl');"
        "took = time.perf_counter() - start;"
        "print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    took, megabytes = map(float, done.stdout.split())
    return {"rows": rows, "seconds": took, "megabytes": megabytes}


def milliseconds(value: float) -> str:
    """Write seconds as milliseconds with three digits that matter."""
    return f"{1000 * value:,.3g}" if value < 1 else f"{1000 * value:,.0f}"


def growth_table(found: dict[str, Any], memory: dict[str, float], rounds: int) -> str:
    """Write the growth as a table."""
    sizes = found["sizes"]
    lines = [
        f"Milliseconds, median of {rounds} interleaved rounds.",
        "",
        "| call | " + " | ".join(f"{size:,}" for size in sizes) + " | exponent |",
        "|---|" + "--:|" * (len(sizes) + 1),
    ]
    for name, row in found["seconds"].items():
        cells = " | ".join(milliseconds(row[size]) for size in sizes)
        exponent = found["exponents"].get(name)
        lines.append(f"| {name} | {cells} | {'' if exponent is None else f'{exponent:.2f}'} |")
    lines += [
        "",
        f"{memory['rows']:,} rows in a process of its own: select + scan {memory['seconds']:.2f} "
        f"s, peak {memory['megabytes']:,.0f} MB with loading.",
    ]
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=1_000_000, help="largest size (1,000,000)")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (5)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    if options.rounds < 1 or options.most < EXPONENT_FROM:
        parser.error(f"--rounds must be at least 1 and --most at least {EXPONENT_FROM}")
    found, memory = growth(options.most, options.rounds), peak(options.most)
    print(growth_table(found, memory, options.rounds))
    if options.json:
        record = {"python": sys.version.split()[0], "numpy": np.__version__} | {
            "growth": found,
            "memory": memory,
        }
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
