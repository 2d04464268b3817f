"""How often does a comparison's interval hold the change, and is nothing taken for a change?

Run it alone: ``python tests/bench/bench_compare.py [--simulations 2000] [--json FILE]``.

Whole comparisons are simulated: a true pass rate per task, a change, tries before and after, then
`whilecore.compare`'s interval. Coverage is the share that holds the mean change over all tasks that
could have been asked; a false alarm is an interval that leaves zero out when nothing changed.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from whilecore.compare import compare, paired_error
from whilecore.power import tasks_needed
from whilecore.rollouts import Rollouts
from whilecore.student_t import t_quantile

TASKS = (10, 30, 100)
TRIES = (1, 4, 16)
AGENTS = {
    "all 0.65": lambda rng, shape: np.full(shape, 0.65),
    "all 0.9": lambda rng, shape: np.full(shape, 0.9),
    "Beta(2,1)": lambda rng, shape: rng.beta(2, 1, shape),
    "Beta(8,1)": lambda rng, shape: rng.beta(8, 1, shape),
    "Beta(.5,.5)": lambda rng, shape: rng.beta(0.5, 0.5, shape),
}
CHANGES = {
    "none": lambda rng, p: p,
    "+0.5 logits": lambda rng, p: shifted(p, 0.5),
    "−1 logit": lambda rng, p: shifted(p, -1.0),
    "+0.5 ± 1.5 logits": lambda rng, p: shifted(p, rng.normal(0.5, 1.5, p.shape)),
    "a tenth of the tasks breaks": lambda rng, p: np.where(rng.random(p.shape) < 0.1, 0.1 * p, p),
}
RARE = "a tenth of the tasks breaks"


def shifted(p: np.ndarray, by: Any) -> np.ndarray:
    """Move pass rates by logits."""
    odds = p * np.exp(by)
    return odds / (odds + 1 - p)


def paired(before: np.ndarray, after: np.ndarray, k: int) -> np.ndarray:
    """Ours: the half-widths of every simulation."""
    out = []
    for differences in after - before:
        error, df = paired_error(differences, 1 / k)
        out.append(t_quantile(0.975, df) * error)
    return np.array(out)


def plain(before: np.ndarray, after: np.ndarray, k: int) -> np.ndarray:
    """Student's t on the differences, with nothing said about the least scatter."""
    tasks = before.shape[1]
    spread = (after - before).std(1, ddof=1)
    return t_quantile(0.975, tasks - 1) * spread / math.sqrt(tasks)


def unpaired(before: np.ndarray, after: np.ndarray, k: int) -> np.ndarray:
    """Two means over tasks, as if the tasks were not the same."""
    tasks = before.shape[1]
    error = np.sqrt((before.var(1, ddof=1) + after.var(1, ddof=1)) / tasks)
    return t_quantile(0.975, 2 * tasks - 2) * error


def row_coins(before: np.ndarray, after: np.ndarray, k: int) -> np.ndarray:
    """Every rollout an independent coin."""
    p, q = before.mean(1), after.mean(1)
    return 1.96 * np.sqrt((p * (1 - p) + q * (1 - q)) / (k * before.shape[1]))


WAYS = {"ours": paired, "paired t alone": plain, "unpaired": unpaired, "rows as coins": row_coins}


def run(simulations: int) -> list[dict[str, Any]]:
    """Measure every cell."""
    cells = []
    for a, (agent, draw) in enumerate(AGENTS.items()):
        for c, (change, move) in enumerate(CHANGES.items()):
            rng = np.random.default_rng([1, a, c])
            p = draw(rng, 1_000_000)
            truth = 0.0 if change == "none" else float((move(rng, p) - p).mean())
            for tasks in TASKS:
                for k in TRIES:
                    rng = np.random.default_rng([2, a, c, tasks, k])
                    p = draw(rng, (simulations, tasks))
                    before = rng.binomial(k, p) / k
                    after = rng.binomial(k, move(rng, p)) / k
                    off = np.abs((after - before).mean(1) - truth)
                    cell = {"agent": agent, "change": change, "tasks": tasks, "k": k}
                    for name, way in WAYS.items():
                        half = way(before, after, k)
                        cell[name] = {
                            "coverage": float((off <= half + 1e-12).mean()),
                            "half_width": float(half.mean()),
                        }
                    cells.append(cell)
    return cells


def clustered(simulations: int) -> list[dict[str, Any]]:
    """False alarms when nothing moved on average but clusters of 5 tasks move together."""
    out = []
    for groups in (6, 12, 24):
        rng = np.random.default_rng([3, groups])
        codes = np.repeat(np.arange(groups), 5)
        alarms = {"without cluster=": 0, "with cluster=": 0}
        for _ in range(simulations):
            p = np.full(len(codes), 0.6)
            q = p + rng.uniform(-0.3, 0.3, groups)[codes]
            differences = (rng.binomial(4, q) - rng.binomial(4, p)) / 4
            for name, clusters in zip(alarms, (None, codes), strict=True):
                error, df = paired_error(differences, 0.25, clusters)
                alarms[name] += abs(differences.mean()) > t_quantile(0.975, df) * error
        out.append(
            {"clusters": groups, "tasks": 5 * groups}
            | {name: count / simulations for name, count in alarms.items()}
        )
    return out


def power(simulations: int) -> list[dict[str, Any]]:
    """How often the number of tasks that `tasks_needed` asks for shows the gain."""
    out = []
    for base, gain, k in ((0.6, 0.1, 4), (0.6, 0.1, 1), (0.3, 0.05, 8), (0.9, 0.05, 4)):
        rng = np.random.default_rng([4, k])
        tasks = tasks_needed(gain, base, k)
        shape = (simulations, tasks)
        before, after = rng.binomial(k, base, shape) / k, rng.binomial(k, base + gain, shape) / k
        found = (after - before).mean(1) > paired(before, after, k)
        out.append(
            {"base": base, "gain": gain, "k": k, "tasks": tasks, "shown": float(found.mean())}
        )
    return out


def timing() -> dict[str, float]:
    """Median milliseconds of one `compare` of two runs, 4 tries a task."""
    out = {}
    for tasks in (64, 1600, 16000):
        rng = np.random.default_rng(0)
        names = np.repeat([f"task {i}" for i in range(tasks)], 4)
        runs = [
            Rollouts.from_frame(pd.DataFrame({"task": names, "reward": rewards}))
            for rewards in rng.integers(0, 2, (2, len(names)))
        ]
        took = []
        for _ in range(9):
            start = time.perf_counter()
            compare(*runs)
            took.append(time.perf_counter() - start)
        out[str(tasks)] = 1000 * float(np.median(took))
    return out


def shown(one: dict[str, float]) -> str:
    """Write a coverage in per cent and the mean half-width."""
    return f"{100 * one['coverage']:.1f} (±{one['half_width']:.3f})"


def markdown(record: dict[str, Any]) -> str:
    """Write the tables."""
    simulations, cells = record["simulations"], record["cells"]
    lines = [
        f"{simulations:,} simulated comparisons per cell; Monte Carlo error (one standard error) "
        f"±{100 * math.sqrt(0.95 * 0.05 / simulations):.2f} points. Mean half-width in brackets.",
        "", "### False alarms in %: nothing changed, 30 tasks", "",
        "| agent | k | " + " | ".join(WAYS) + " |", "|---|--:|" + "--:|" * len(WAYS),
    ]  # fmt: skip
    for cell in cells:
        if cell["change"] == "none" and cell["tasks"] == 30:
            alarms = " | ".join(f"{100 * (1 - cell[way]['coverage']):.1f}" for way in WAYS)
            lines.append(f"| {cell['agent']} | {cell['k']} | {alarms} |")
    for change in CHANGES:
        lines += ["", f"### Coverage of ours in %: {change}", ""]
        lines += ["| agent | tasks | " + " | ".join(f"k={k}" for k in TRIES) + " |"]
        lines += ["|---|--:|" + "--:|" * len(TRIES)]
        for agent in AGENTS:
            for tasks in TASKS:
                row = [
                    shown(cell["ours"])
                    for cell in cells
                    if (cell["agent"], cell["change"], cell["tasks"]) == (agent, change, tasks)
                ]
                lines.append(f"| {agent} | {tasks} | {' | '.join(row)} |")
    usual = [cell for cell in cells if cell["change"] != RARE]
    rare = [cell for cell in cells if cell["change"] == RARE]
    lines += ["", "### Lowest coverage in %", ""]
    lines += ["| change | " + " | ".join(WAYS) + " |", "|---|" + "--:|" * len(WAYS)]
    for name, some in (("all but the last", usual), (RARE, rare)):
        lowest = (f"{100 * min(c[way]['coverage'] for c in some):.1f}" for way in WAYS)
        lines.append(f"| {name} | {' | '.join(lowest)} |")
    lines += ["", "### False alarms in % with clusters of 5 that move together, nothing on average"]
    lines += ["", "| clusters | tasks | without cluster= | with cluster= |", "|--:|--:|--:|--:|"]
    lines += [
        f"| {c['clusters']} | {c['tasks']} | {100 * c['without cluster=']:.1f} | "
        f"{100 * c['with cluster=']:.1f} |"
        for c in record["clusters"]
    ]
    lines += ["", "### Share of comparisons that show the gain at `tasks_needed` (aim: 80 %)", ""]
    lines += ["| base | gain | k | tasks | shown % |", "|--:|--:|--:|--:|--:|"]
    lines += [
        f"| {c['base']} | {c['gain']} | {c['k']} | {c['tasks']} | {100 * c['shown']:.1f} |"
        for c in record["power"]
    ]
    took = ", ".join(f"{ms:.1f} ms at {t} tasks" for t, ms in record["milliseconds"].items())
    return "\n".join([*lines, "", f"One `compare`, 4 tries a task: {took}"])


def main() -> None:
    """Read the command line, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=2000, help="runs per cell (2000)")
    parser.add_argument("--json", type=Path, help="write the cells to this file")
    options = parser.parse_args()
    if options.simulations < 1:
        parser.error(f"--simulations must be at least 1, got {options.simulations}")
    record = {
        "simulations": options.simulations,
        "cells": run(options.simulations),
        "clusters": clustered(options.simulations),
        "power": power(options.simulations),
        "milliseconds": timing(),
    }
    print(markdown(record))
    if options.json:
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
