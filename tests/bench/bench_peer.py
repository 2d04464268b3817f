"""whilecore beside whileai 0.131 on the same rows: grade, pass_at and select, as ratios.

    pip install -e . 'whileai==0.131'
    python tests/bench/bench_peer.py [--rows 64 6400 64000] [--rounds 5] [--json FILE]

The peer simulates 64 rows; they are tiled to 6,400 and 64,000 with task and prompt names of their
own. Both sides get fresh objects in every round, so no cache is warm; rounds are interleaved.
Reading the rows into either side is not timed. In *grade* the judge is the course page's: a Python
function on one row, called once per row by both. In *grade, built in* whilecore uses its own judge
of the same meaning, which scores all rows at once; the peer has no such way and calls the function.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import whilecore as wc

STEPS = ("grade", "grade, built in", "pass_at", "select")


def peer_rows() -> list[dict[str, Any]]:
    """Return the 64 rows of the course page's program as the peer draws them."""
    import whileai as wai

    @wai.tool
    def get_order(order_id: str) -> dict:
        """Look up an order by id."""
        ...

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        data = wai.simulate(
            wai.seeded_agent([get_order]), tools=[get_order],
            system_prompt="Help customers with orders.", simulator=False, mode="rl",
            repeats=4, repeat_policy="fixed", budget=64, seed=0,
        )  # fmt: skip
    return list(data.rows)


def tiled(rows: list[dict[str, Any]], n: int) -> list[dict[str, Any]]:
    """Repeat the rows to n, each copy with tasks and prompts of its own."""
    out = []
    for copy_number in range(-(-n // len(rows))):
        for row in rows:
            twin = copy.copy(row)
            if copy_number:
                twin["scenario_id"] = f"{row['scenario_id']}-{copy_number}"
                twin["prompt"] = f"{row['prompt']} ({copy_number})"
            out.append(twin)
    return out[:n]


def judge(row: Mapping[str, Any]) -> dict[str, int]:
    """Pass what has no planted mistake."""
    return {"reward": int(not row["seeded"])}


def peer_round(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Time the peer on fresh copies of the rows."""
    from whileai.simulations.data import SimulationData

    data = SimulationData(trajectories=[dict(row) for row in rows], mode="rl", budget=len(rows))
    return timed(data.grade, lambda scored: scored.pass_at, lambda scored: scored.select(mode="rl"))


def our_round(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Time whilecore on the same rows, freshly read."""
    data = wc.Rollouts.from_records(rows)
    took = timed(data.grade, lambda scored: scored.pass_at, lambda scored: scored.select(mode="rl"))
    start = time.perf_counter()
    data.grade(judge=wc.judges.answer_key)
    return took | {"grade, built in": time.perf_counter() - start}


def timed(
    grade: Callable[..., Any], pass_at: Callable[[Any], Any], select: Callable[[Any], Any]
) -> dict[str, float]:
    """Return the seconds of each step; what a step prints counts, as it does for a user."""
    took: dict[str, float] = {}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        start = time.perf_counter()
        scored = grade(judge=judge)
        took["grade"] = time.perf_counter() - start
        for name, step in (("pass_at", pass_at), ("select", select)):
            start = time.perf_counter()
            str(step(scored))
            took[name] = time.perf_counter() - start
    return took


def main() -> None:
    """Run the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[64, 6_400, 64_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    start = peer_rows()
    peer_round(start)  # the peer imports parts of itself on first use; so that is not timed
    our_round(start)
    results = []
    print("| rows | step | rounds | whilecore, ms | whileai, ms | times faster (lowest..highest) |")
    print("|---:|---|---:|---:|---:|---:|")
    for n in given.rows:
        rows = tiled(start, n)
        rounds = [(our_round(rows), peer_round(rows)) for _ in range(given.rounds)]
        for step in STEPS:
            ours = [one[step] for one, _ in rounds]
            theirs = [one[step.partition(",")[0]] for _, one in rounds]
            ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
            result = {
                "rows": n, "step": step, "rounds": given.rounds,
                "whilecore_s": statistics.median(ours), "whileai_s": statistics.median(theirs),
                "times_faster": statistics.median(ratios),
                "lowest": min(ratios), "highest": max(ratios),
            }  # fmt: skip
            results.append(result)
            print(
                f"| {n:,} | {step} | {given.rounds} | {1e3 * result['whilecore_s']:.2f} | "
                f"{1e3 * result['whileai_s']:,.0f} | {result['times_faster']:,.0f} "
                f"({result['lowest']:,.0f}..{result['highest']:,.0f}) |"
            )
            sys.stdout.flush()
    if given.json:
        given.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
