"""How select, pass_at and grade grow with the rows, and how they stand beside a peer package.

    python tests/bench/bench_select.py [--most 1000000] [--rounds 5] [--json FILE]
    python tests/bench/bench_select.py --peer [--peer-most 64000] [--rounds 5]

Growth: peer-like figures (a committed run of 16 × 16, tiled with distinct tasks). Every call gets
rollouts whose cached columns are dropped, rounds go through all sizes in turn (short calls are
repeated within a round), and the median of a cell is given. The exponent is
log(t₂/t₁)/log(n₂/n₁) from 10,000 rows to the largest (1 is linear). The peak memory is that of a
process of its own which loads, selects and scans the largest size.

Peer: the same rows in both packages, if ``whileai`` can be imported. Not collected by pytest.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
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


@wc.tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


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


def peer_works(rows: int) -> dict[tuple[str, int, str], Work]:
    """Return the same calls on the same rows for both packages."""
    import whileai as peer
    from whileai.simulations.data import SimulationData

    def honest(row: Any) -> dict[str, int]:
        return {"reward": int(not row["seeded"])}

    def peer_grades() -> object:
        return SimulationData(trajectories=[dict(one) for one in ungraded]).grade(judge=honest)

    drawn = wc.simulate(wc.seeded_agent([get_order]), repeats=4, budget=rows)
    graded = drawn.grade(judges.answer_key)
    groups = [some for _, some in graded.frame.groupby("task", sort=False)]
    theirs = peer.rows(
        [some["prompt"].iloc[0] for some in groups],
        [some["reply"].tolist() for some in groups],
        [some["reward"].tolist() for some in groups],
        task_ids=[some["task"].iloc[0] for some in groups],
    )
    ungraded = [
        {key: value for key, value in one.items() if key != "reward"} | {"seeded": mistake}
        for one, mistake in zip(theirs, graded.frame["mistake"], strict=True)
    ]
    return {
        ("select rl", rows, "whilecore"): lambda: fresh(graded).select(mode="rl"),
        ("select rl", rows, "peer"): lambda: peer.select(theirs, mode="rl", target=10**9),
        ("pass_at", rows, "whilecore"): lambda: fresh(graded).pass_at,
        ("pass_at", rows, "peer"): lambda: peer.pass_at(theirs),
        ("grade, the same callable", rows, "whilecore"): lambda: fresh(drawn).grade(honest),
        ("grade, the same callable", rows, "peer"): peer_grades,
        ("grade, built-in for callable", rows, "whilecore"): lambda: fresh(drawn).grade(
            judges.answer_key
        ),
    }


def against_peer(most: int, rounds: int) -> dict[str, Any]:
    """Time both packages in interleaved rounds and return seconds and ratios."""
    import whileai

    works: dict[Any, Work] = {}
    for rows in (64, 6_400, 64_000):
        if rows <= most:
            works |= peer_works(rows)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        interleaved({name: work for name, work in works.items() if name[1] == 64}, 1)
        took = interleaved(works, rounds)
    for rows in {name[1] for name in works}:  # the peer has one way to grade
        took["grade, built-in for callable", rows, "peer"] = took[
            "grade, the same callable", rows, "peer"
        ]
    cells = [
        {"call": call, "rows": rows, "whilecore": took[call, rows, "whilecore"],
         "peer": took[call, rows, "peer"]}
        for call, rows, who in works if who == "whilecore"
    ]  # fmt: skip
    return {"version": getattr(whileai, "__version__", "?"), "rounds": rounds, "cells": cells}


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


def peer_table(found: dict[str, Any]) -> str:
    """Write the comparison as a table."""
    lines = [
        f"whileai {found['version']}, milliseconds, median of {found['rounds']} interleaved "
        "rounds.",
        "",
        "| call | rows | whilecore | whileai | ratio |",
        "|---|--:|--:|--:|--:|",
    ]
    for cell in found["cells"]:
        ratio = cell["peer"] / cell["whilecore"]
        lines.append(
            f"| {cell['call']} | {cell['rows']:,} | {milliseconds(cell['whilecore'])} | "
            f"{milliseconds(cell['peer'])} | {ratio:,.0f}× |"
        )
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=1_000_000, help="largest size (1,000,000)")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (5)")
    parser.add_argument("--peer", action="store_true", help="compare with whileai instead")
    parser.add_argument("--peer-most", type=int, default=64_000, help="its largest size (64,000)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    if options.rounds < 1 or options.most < EXPONENT_FROM or options.peer_most < 64:
        parser.error(f"--rounds must be ≥ 1, --most ≥ {EXPONENT_FROM}, --peer-most ≥ 64")
    record: dict[str, Any] = {"python": sys.version.split()[0], "numpy": np.__version__}
    if options.peer:
        record["peer"] = against_peer(options.peer_most, options.rounds)
        print(peer_table(record["peer"]))
    else:
        record["growth"] = growth(options.most, options.rounds)
        record["memory"] = peak(options.most)
        print(growth_table(record["growth"], record["memory"], options.rounds))
    if options.json:
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
