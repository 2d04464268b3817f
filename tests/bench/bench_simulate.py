"""How simulation and grading grow: 10,000 to 1,000,000 rows, and one slider move's worth.

    python tests/bench/bench_simulate.py [--rows 1000000] [--rounds 5] [--json FILE]

Prints the median of interleaved rounds, the growth exponent log(t₂/t₁)/log(n₂/n₁) from the
smallest size to the largest (1 is linear; on the fastest rounds), and the peak memory of the
largest run in a process of its own. Not collected by pytest.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import whilecore as wc
from whilecore import judges


@wc.tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run(rows: int, variety: float = 0.0, seed: int = 0) -> wc.Rollouts:
    """Simulate so many rows, four tries per task."""
    agent = wc.seeded_agent([get_order], variety=variety)
    return wc.simulate(agent, repeats=4, budget=rows, seed=seed)


def growth(most: int, rounds: int) -> list[dict[str, float]]:
    """Time simulate at growing sizes; each round times every size once, as the machine drifts."""
    sizes = [size for size in (10_000, 100_000) if size < most] + [most]
    found = []
    for variety in (0.0, 1.0):
        times: dict[int, list[float]] = {size: [] for size in sizes}
        for _ in range(rounds):
            for size in sizes:
                times[size].append(seconds(lambda size=size, v=variety: run(size, v)))  # type: ignore[misc]
        fastest = math.log(min(times[sizes[-1]]) / min(times[sizes[0]]))
        exponent = fastest / math.log(sizes[-1] / sizes[0]) if len(sizes) > 1 else math.nan
        for size in sizes:
            took = statistics.median(times[size])
            print(f"| simulate, variety {variety:.0f} | {size:,} | {took:.3f} s |")
            found.append({"variety": variety, "rows": size, "seconds": took})
        if len(sizes) > 1:
            print(f"| growth exponent, variety {variety:.0f} | {sizes[0]:,} on | {exponent:.2f} |")
            found[-1]["exponent"] = exponent
    return found


def grading(most: int) -> dict[str, float]:
    """Time every built-in judge on the largest run."""
    data = run(most)
    found = {}
    for name, judge in judges.BUILT_IN.items():
        found[name] = seconds(lambda j=judge: data.grade(j))  # type: ignore[misc]
        print(f"| grade, {name} | {most:,} | {found[name]:.3f} s |")
    return found


def slider() -> dict[str, float]:
    """Time what one slider move asks for: 16 tasks of 16 tries, a new seed or the old one."""
    agent = wc.seeded_agent([get_order])
    wc.simulate(agent, repeats=16, budget=256)
    fresh = [
        seconds(lambda s=s: wc.simulate(agent, repeats=16, budget=256, seed=s))  # type: ignore[misc]
        for s in range(1, 101)
    ]
    again = [seconds(lambda: wc.simulate(agent, repeats=16, budget=256)) for _ in range(100)]
    found = {"a new seed": statistics.median(fresh), "the same tasks": statistics.median(again)}
    for label, took in found.items():
        print(f"| simulate 16 × 16, {label} | 256 | {took * 1e3:.2f} ms |")
    return found


def peak(most: int) -> float:
    """Measure the memory of one large run, in MB, in a process of its own."""
    code = f"import bench_simulate as b; b.run({most}); print(b.peak_megabytes())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    print(f"| peak memory of simulate | {most:,} | {float(done.stdout):,.0f} MB |")
    return float(done.stdout)


def peak_megabytes() -> float:
    """Return this process's peak resident memory (Linux counts in kilobytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="the most rows (1,000,000)")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (5)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args()
    print("| What | Rows | Median |")
    print("|---|--:|--:|")
    report = {
        "slider_s": slider(),
        "growth": growth(given.rows, given.rounds),
        "grading_s": grading(given.rows),
        "peak_mb": peak(given.rows),
    }
    if given.json:
        given.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
