"""whilecore beside whileai 0.131: simulate, then grade, pass_at and select on the same rows.

    pip install -e . 'whileai==0.131'
    python tests/bench/bench_peer.py [--rows 64 6400 64000] [--rounds 5] [--json FILE]

*simulate* runs the course page's program at 64 rows and at 392, the most the peer draws with it.
The peer's 64 rows are then tiled to 6,400 and 64,000 with task and prompt names of their own. Both
sides get fresh objects in every round, so no cache is warm; rounds are interleaved. Reading the
rows into either side is not timed. In *grade* the judge is the course page's: a Python function on
one row, called once per row by both. In *grade, built in* whilecore uses its own judge of the same
meaning, which scores all rows at once; the peer has no such way and calls the function.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import whilecore as wc

SIMULATED = (64, 392)
STEPS = ("grade", "grade, built in", "pass_at", "select")


def drawn(package: Any, budget: int) -> Any:
    """Run the course page's program with one of the two packages."""

    @package.tool
    def get_order(order_id: str) -> dict[str, str]:
        """Look up an order by id."""
        return {}

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return package.simulate(
            package.seeded_agent([get_order]), tools=[get_order],
            system_prompt="Help customers with orders.", simulator=False, mode="rl",
            repeats=4, repeat_policy="fixed", budget=budget, seed=0,
        )  # fmt: skip


def simulate_round(package: Any, budget: int) -> dict[str, float]:
    """Time one draw."""
    start = time.perf_counter()
    drawn(package, budget)
    return {"simulate": time.perf_counter() - start}


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


def compared(
    n: int, step: str, ours: list[dict[str, float]], theirs: list[dict[str, float]]
) -> dict[str, Any]:
    """Print one line of the table and return it."""
    mine = [one[step] for one in ours]
    other = [one[step.partition(",")[0]] for one in theirs]
    ratios = [b / a for a, b in zip(mine, other, strict=True)]
    result: dict[str, Any] = {
        "rows": n, "step": step, "rounds": len(mine),
        "whilecore_s": statistics.median(mine), "whileai_s": statistics.median(other),
        "times_faster": statistics.median(ratios), "lowest": min(ratios), "highest": max(ratios),
    }  # fmt: skip
    print(
        f"| {n:,} | {step} | {len(mine)} | {1e3 * result['whilecore_s']:.2f} | "
        f"{1e3 * result['whileai_s']:,.0f} | {result['times_faster']:,.0f} "
        f"({result['lowest']:,.0f}..{result['highest']:,.0f}) |",
        flush=True,
    )
    return result


def main() -> None:
    """Run the rounds and print the table."""
    import whileai as wai

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[64, 6_400, 64_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    start = list(drawn(wai, 64).rows)
    peer_round(start)  # the peer imports parts of itself on first use; so that is not timed
    our_round(start)
    results = []
    print("| rows | step | rounds | whilecore, ms | whileai, ms | times faster (lowest..highest) |")
    print("|---:|---|---:|---:|---:|---:|")
    for n in SIMULATED:
        pairs = [(simulate_round(wc, n), simulate_round(wai, n)) for _ in range(given.rounds)]
        results.append(compared(n, "simulate", *map(list, zip(*pairs, strict=True))))
    for n in given.rows:
        rows = tiled(start, n)
        pairs = [(our_round(rows), peer_round(rows)) for _ in range(given.rounds)]
        ours, theirs = map(list, zip(*pairs, strict=True))
        results += [compared(n, step, ours, theirs) for step in STEPS]
    if given.json:
        given.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
