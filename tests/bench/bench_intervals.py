"""How often does a 95 % interval over tasks hold the truth?

Run it alone: ``python tests/bench/bench_intervals.py [--simulations 4000] [--json FILE]``.

For each agent, number of tasks and group shape, whole runs are simulated: a true pass rate per
task, then its rollouts, then `whilecore.intervals.pass_at_counts`. Coverage is the share of runs
whose interval holds the agent's true number. Other ways to draw the pass@1 interval are measured on
the same runs.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from whilecore.intervals import pass_at_counts, wilson
from whilecore.student_t import t_quantile

TASKS = (4, 8, 16, 32, 64)
NUMBERS = ("pass_at_1", "pass_at_k", "pass_pow_k", "headroom")
SHAPES = {  # rollouts per task, repeated over the tasks, and k
    "4 per task, k=4": ((4,), 4),
    "16 per task, k=4": ((16,), 4),
    "uneven 1, 4, 4, 16 per task, k=4": ((1, 4, 4, 16), 4),
}
AGENTS = {"Beta(2,1)": (2, 1), "Beta(8,1)": (8, 1), "all 0.65": None}
RESAMPLES = 999


def rising(a: float, b: float, k: int) -> float:
    """Return E pᵏ for p from Beta(a, b): Π (a+j)/(a+b+j)."""
    return math.prod((a + j) / (a + b + j) for j in range(k))


def truths(agent: tuple[float, float] | None, k: int) -> dict[str, float]:
    """Return the agent's true numbers over all tasks it could be asked."""
    if agent is None:
        one, every, none = 0.65, 0.65**k, 0.35**k
    else:
        a, b = agent
        one, every, none = rising(a, b, 1), rising(a, b, k), rising(b, a, k)
    return {
        "pass_at_1": one,
        "pass_at_k": 1 - none,
        "pass_pow_k": every,
        "headroom": 1 - none - one,
    }


def simulated(
    agent: tuple[float, float] | None, sizes: np.ndarray, runs: int, seed: list[int]
) -> np.ndarray:
    """Return passes, shape (runs, tasks)."""
    rng = np.random.default_rng(seed)
    shape = (runs, len(sizes))
    rates = np.full(shape, 0.65) if agent is None else rng.beta(*agent, shape)
    return rng.binomial(sizes, rates)


def ours(passes: np.ndarray, sizes: np.ndarray, k: int) -> dict[str, np.ndarray]:
    """Return the intervals of every run per number, shape (runs, 2), NaN where there is none."""
    found: dict[str, list[Any]] = {name: [] for name in NUMBERS}
    for c in passes:
        result = pass_at_counts(sizes, c, k)
        for name in NUMBERS:
            found[name].append(getattr(result, f"{name}_interval") or (math.nan, math.nan))
    return {name: np.array(ends) for name, ends in found.items()}


def student(passes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Mean ± t·s/√T over the task rates."""
    rates = passes / sizes
    half = t_quantile(0.975, len(sizes) - 1) * rates.std(1, ddof=1) / math.sqrt(len(sizes))
    return np.stack([rates.mean(1) - half, rates.mean(1) + half], 1)


def bootstrap(passes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Percentile bootstrap over tasks; the same resamples for every run."""
    rng = np.random.default_rng(0)
    tasks = len(sizes)
    weights = rng.multinomial(tasks, np.full(tasks, 1 / tasks), RESAMPLES) / tasks
    rates = passes / sizes
    parts = np.array_split(rates, max(1, len(rates) // 1000))
    return np.concatenate(
        [np.percentile(part @ weights.T, [2.5, 97.5], axis=1).T for part in parts]
    )


def row_coins(passes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Wilson with every row taken for an independent coin."""
    return np.stack(wilson(passes.sum(1), np.full(len(passes), sizes.sum())), 1)


def wilson_effective(passes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Wilson with the effective n held between T and all rows, and the t quantile."""
    tasks = len(sizes)
    rates = passes / sizes
    mean, spread = rates.mean(1), rates.var(1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        coins = np.where(spread > 0, mean * (1 - mean) * tasks / spread, sizes.sum())
    n = np.clip(coins, tasks, sizes.sum())
    return np.stack(wilson(mean * n, n, t_quantile(0.975, tasks - 1)), 1)


CONTROLS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "Wilson, effective n up to all rows": wilson_effective,
    "Student t": student,
    "percentile bootstrap": bootstrap,
    "Wilson on rows": row_coins,
}


def measured(ends: np.ndarray, truth: float) -> dict[str, float]:
    """Return coverage and mean width."""
    held = (ends[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= ends[:, 1])
    return {"coverage": float(held.mean()), "width": float((ends[:, 1] - ends[:, 0]).mean())}


def run(simulations: int) -> list[dict[str, Any]]:
    """Measure every cell."""
    cells = []
    for place, (shape, (pattern, k)) in enumerate(SHAPES.items()):
        for number, (agent, parameters) in enumerate(AGENTS.items()):
            truth = truths(parameters, k)
            for tasks in TASKS:
                sizes = np.resize(np.array(pattern), tasks)
                passes = simulated(parameters, sizes, simulations, [place, number, tasks])
                cell: dict[str, Any] = {"shape": shape, "agent": agent, "tasks": tasks, "k": k}
                ends = ours(passes, sizes, k)
                cell |= {name: measured(ends[name], truth[name]) for name in NUMBERS}
                cell["controls"] = {
                    name: measured(way(passes, sizes), truth["pass_at_1"])
                    for name, way in CONTROLS.items()
                }
                cells.append(cell)
    return cells


def shown(one: dict[str, float]) -> str:
    """Write coverage in per cent and mean width."""
    return f"{100 * one['coverage']:.1f} ({one['width']:.2f})"


def markdown(cells: list[dict[str, Any]], simulations: int) -> str:
    """Write the tables."""
    error = 100 * math.sqrt(0.95 * 0.05 / simulations)
    lines = [
        f"Coverage in % of intervals that say 95 %, mean width in brackets; {simulations:,} "
        f"simulated runs per cell, Monte Carlo error ±{error:.2f} points (one standard error).",
    ]
    for shape in SHAPES:
        rows = [cell for cell in cells if cell["shape"] == shape]
        lines += ["", f"### {shape}", "", "| agent | tasks | pass@1 | pass@k | pass^k | headroom |"]
        lines += ["|---|--:|--:|--:|--:|--:|"]
        for cell in rows:
            numbers = " | ".join(shown(cell[name]) for name in NUMBERS)
            lines.append(f"| {cell['agent']} | {cell['tasks']} | {numbers} |")
        lines += ["", f"pass@1 by other ways, {shape}", ""]
        lines += [
            f"| agent | tasks | ours | {' | '.join(CONTROLS)} |",
            "|---|--:|--:" + "|--:" * len(CONTROLS) + "|",
        ]
        for cell in rows:
            others = " | ".join(shown(cell["controls"][name]) for name in CONTROLS)
            lines.append(
                f"| {cell['agent']} | {cell['tasks']} | {shown(cell['pass_at_1'])} | {others} |"
            )
    worst = {name: min(cell[name]["coverage"] for cell in cells) for name in NUMBERS}
    lines += ["", "Lowest coverage: " + ", ".join(f"{n} {100 * v:.1f} %" for n, v in worst.items())]
    return "\n".join(lines)


def timing() -> dict[str, float]:
    """Return the median milliseconds of one `pass_at_counts` call per number of tasks."""
    out = {}
    for tasks in (16, 64, 16000):
        n, c = np.full(tasks, 16), np.arange(tasks) % 17
        took = []
        for _ in range(50):
            start = time.perf_counter()
            pass_at_counts(n, c)
            took.append(time.perf_counter() - start)
        out[str(tasks)] = 1000 * float(np.median(took))
    return out


def main() -> None:
    """Read the command line, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=4000, help="runs per cell (4000)")
    parser.add_argument("--json", type=Path, help="write the cells to this file")
    options = parser.parse_args()
    if options.simulations < 1:
        parser.error(f"--simulations must be at least 1, got {options.simulations}")
    cells, took = run(options.simulations), timing()
    print(markdown(cells, options.simulations))
    print("\nOne call: " + ", ".join(f"{ms:.2f} ms at {t} tasks of 16" for t, ms in took.items()))
    if options.json:
        record = {
            "simulations": options.simulations,
            "monte_carlo_error": math.sqrt(0.95 * 0.05 / options.simulations),
            "cells": cells,
            "milliseconds_by_tasks": took,
        }
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
