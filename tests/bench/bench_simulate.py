"""How simulation and grading grow: 10,000 to 1,000,000 rows, and one slider move's worth.

    python tests/bench/bench_simulate.py [rows]

Prints the median of interleaved rounds, the growth exponent log(t₂/t₁)/log(n₂/n₁) from the
smallest size to the largest (1 is linear; on the fastest rounds), and the peak memory of the
largest run in a process of its own. Not collected by pytest.
"""

from __future__ import annotations

import gc
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

ROUNDS = 5
"""Interleaved rounds: the machine drifts, so each round times every size once."""


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


def growth(most: int) -> None:
    """Time simulate at growing sizes in interleaved rounds."""
    sizes = [size for size in (10_000, 100_000) if size < most] + [most]
    for variety in (0.0, 1.0):
        times: dict[int, list[float]] = {size: [] for size in sizes}
        for _ in range(ROUNDS):
            for size in sizes:
                times[size].append(seconds(lambda size=size, v=variety: run(size, v)))  # type: ignore[misc]
        medians = {size: statistics.median(took) for size, took in times.items()}
        for size, took in medians.items():
            print(f"simulate variety {variety:.0f} {size:>9,} rows  {took:8.3f} s")
        if len(sizes) > 1:
            ratio = min(times[sizes[-1]]) / min(times[sizes[0]])
            print(f"  growth exponent {math.log(ratio) / math.log(sizes[-1] / sizes[0]):.2f}")


def grading(most: int) -> None:
    """Time every built-in judge on the largest run."""
    data = run(most)
    for name, judge in judges.BUILT_IN.items():
        print(f"grade {name:<18} {most:>9,} rows  {seconds(lambda j=judge: data.grade(j)):8.3f} s")  # type: ignore[misc]


def slider() -> None:
    """Time what one slider move asks for: 16 tasks of 16 tries, a new seed or the old one."""
    agent = wc.seeded_agent([get_order])
    wc.simulate(agent, repeats=16, budget=256)
    fresh = [
        seconds(lambda s=s: wc.simulate(agent, repeats=16, budget=256, seed=s))  # type: ignore[misc]
        for s in range(1, 101)
    ]
    again = [seconds(lambda: wc.simulate(agent, repeats=16, budget=256)) for _ in range(100)]
    for label, took in (("a new seed", fresh), ("the same tasks", again)):
        print(f"simulate 16 x 16, {label:<15} {statistics.median(took) * 1e3:7.2f} ms")


def peak(most: int) -> None:
    """Measure the memory of one large run in a process of its own."""
    code = f"import bench_simulate as b; b.run({most}); print(b.peak_megabytes())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    print(f"peak memory, simulate {most:,} rows  {float(done.stdout):,.0f} MB")


def peak_megabytes() -> float:
    """Return this process's peak resident memory (Linux counts in kilobytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    slider()
    growth(rows)
    grading(rows)
    peak(rows)
