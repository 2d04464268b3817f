"""How long a training takes, where every pool ends, and what of that is step size.

Run it alone: ``python tests/bench/bench_training.py [--runs 20] [--json FILE]``.

Ends are held-out true rates, exact for each run. Every run has a world of its own (`worlds`) unless
a table says that all share one. Differences are paired: the same world and draws under *all*. The
interval is Student's t over the runs. The judge's table follows proxy and truth under a bias.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from whilecore import draws
from whilecore.overoptimise import best_of_n_curve, biased_judge_world
from whilecore.pools import POOLS
from whilecore.student_t import t_quantile
from whilecore.training import MATCHES, Plan, Training, train
from whilecore.world import World, draw_world

SETTINGS = {  # step size and transfer: what decides the outcome in this toy
    "one scalar skill, η = 0.5": (1.0, 0.5),
    "topics, half transfers, η = 0.5": (0.5, 0.5),
    "topics, half transfers, η = 0.2": (0.5, 0.2),
    "topics, a fifth transfers, η = 0.5": (0.2, 0.5),
}


def interval(values: np.ndarray) -> dict[str, float]:
    """Return mean and half-width of the 95 % interval over runs."""
    half = t_quantile(0.975, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
    return {"mean": float(values.mean()), "half": float(half)}


def at_cost(run: Training, budget: int) -> np.ndarray:
    """Return the held-out rate of every run when it had spent so many rollouts."""
    return np.array(
        [np.interp(budget, x, y) for x, y in zip(run.rollouts, run.held_out, strict=True)]
    )


def ends(runs: int, seed: int) -> list[dict[str, Any]]:
    """Train every pool at every way of matching the step size."""
    rows = []
    for name, (transfer, step_size) in SETTINGS.items():
        world = draw_world(worlds=runs, transfer=transfer, seed=seed)
        base = Plan(runs=runs, step_size=step_size, seed=seed)
        reference = train(world, base)
        spent = int(reference.rollouts[0, -1])
        for match in MATCHES:
            for pool in POOLS:
                if pool == "all" and match != "no":
                    continue
                run = train(world, replace(base, pool=pool, match=match))
                rows.append(
                    {
                        "setting": name,
                        "match": match,
                        "pool": pool,
                        "start": float(run.held_out[:, 0].mean()),
                        "end": interval(run.held_out[:, -1]),
                        "against_all": interval(run.held_out[:, -1] - reference.held_out[:, -1]),
                        "against_all_at_equal_cost": interval(
                            at_cost(run, spent) - reference.held_out[:, -1]
                        ),
                        "rollouts": float(run.rollouts[:, -1].mean()),
                        "screening": float(run.screening.sum(1).mean()),
                        "silent_first": float(np.nanmean(run.silent[:, :10])),
                        "silent_last": last_silent(run),
                        "steps_without_a_task": float((run.open == 0).mean()),
                        "largest_step_size": float(run.step_size.max()),
                    }
                )
    return rows


def last_silent(run: Training) -> float | None:
    """Share of silent groups in the last ten steps; None if none was drawn."""
    last = run.silent[:, -10:]
    return float(np.nanmean(last)) if np.isfinite(last).any() else None


def updates(runs: int, seed: int) -> list[dict[str, Any]]:
    """Train on all tasks with each advantage, and with refilled batches."""
    rows = []
    world = draw_world(worlds=runs, seed=seed)
    plans: dict[str, dict[str, Any]] = {
        "centred": {},
        "leave-one-out": {"how": "leave_one_out"},
        "÷ spread": {"how": "spread"},
        "centred, KL 0.1": {"kl": 0.1},
        "centred, refilled (10 draws)": {"refill": 10},
        "centred, refilled, step matched": {"refill": 10, "match": "every step"},
    }
    for name, change in plans.items():
        run = train(world, Plan(runs=runs, seed=seed, **change))
        line = train(world, Plan(runs=runs, seed=seed, sampled=False, **change))
        rows.append(
            {
                "update": name,
                "end": interval(run.held_out[:, -1]),
                "expected_end": float(line.held_out[:, -1].mean()),
                "rollouts": float(run.rollouts[:, -1].mean()),
                "not_full": float((run.missing > 0).mean()),
            }
        )
    return rows


def judge(runs: int, seed: int) -> list[dict[str, Any]]:
    """Follow proxy and truth under a judge of some bias, with and without KL."""
    rows = []
    world = biased_judge_world(seed=seed)
    for bias, kl in ((0.5, 0.0), (0.5, 0.1), (0.5, 0.2), (0.3, 0.0), (0.2, 0.0), (0.0, 0.0)):
        run = train(world, Plan(runs=runs, bias=bias, kl=kl, step_size=2.0, seed=seed))
        true = run.held_out
        rows.append(
            {
                "bias": bias,
                "kl": kl,
                "start": float(true[:, 0].mean()),
                "peak": interval(true.max(1)),
                "peak_step": float(true.argmax(1).mean()),
                "end": interval(true[:, -1]),
                "fell": int((true[:, -1] < true[:, 0] - 0.05).sum()),
                "proxy": [float(run.proxy[:, 0].mean()), float(run.proxy[:, -1].mean())],
                "long": float(run.long_share[:, -1].mean()),
                "distance": float(np.sqrt(run.kl[:, -1]).mean()),
            }
        )
    return rows


def timing(repeats: int) -> dict[str, dict[str, float]]:
    """Milliseconds of one training of 60 steps × 20 runs with its held-out curve.

    Cold: every draw is made. Warm: the draws of these settings are kept, as when another control
    than k, batch, runs or seed moved.
    """
    plans: dict[str, tuple[World, Plan]] = {
        **{pool: (draw_world(), Plan(pool=pool)) for pool in POOLS},
        "÷ spread": (draw_world(), Plan(how="spread")),
        "KL": (draw_world(), Plan(kl=0.1)),
        "step matched": (draw_world(), Plan(pool="middle once", match="every step")),
        "refilled, 10 draws": (draw_world(), Plan(refill=10)),
        "refilled, 10 draws, 5 runs": (draw_world(), Plan(refill=10, runs=5)),
        "expected, 1 run": (draw_world(), Plan(sampled=False, runs=1)),
        "a world for each run": (draw_world(worlds=20), Plan()),
        "four behaviours (judge)": (biased_judge_world(), Plan(bias=0.5)),
        "k = 32": (draw_world(), Plan(k=32)),
    }
    out: dict[str, dict[str, float]] = {}
    for _ in range(repeats):  # interleaved, so that a busy moment hits all alike
        for name, (world, plan) in plans.items():
            draws.first_draws.cache_clear()
            draws.later_draws.cache_clear()
            for state in ("cold", "warm"):
                start, busy = time.perf_counter(), time.process_time()
                _ = train(world, plan).held_out
                took = {
                    state: 1000 * (time.perf_counter() - start),
                    f"{state} cpu": 1000 * (time.process_time() - busy),
                }
                for key, value in took.items():
                    cell = out.setdefault(name, {})
                    cell[key] = min(value, cell.get(key, math.inf))
    return out


def pm(cell: dict[str, float], sign: str = "") -> str:
    """Write mean ± half-width."""
    return f"{cell['mean']:{sign}.3f} ± {cell['half']:.3f}"


def markdown(record: dict[str, Any]) -> str:
    """Write the tables."""
    lines = [
        f"{record['runs']} runs, seed {record['seed']}; 60 steps of 16 groups of 8; ± is half of "
        "the 95 % interval over runs."
    ]
    for setting in SETTINGS:
        rows = [row for row in record["ends"] if row["setting"] == setting]
        lines += ["", f"### {setting} (start {rows[0]['start']:.3f})", ""]
        lines += [
            "| step matched | pool | end | against all | at the rollouts of all | rollouts | "
            "screening | silent first → last ten | steps without a task | largest η |",
            "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        ]
        for row in rows:
            last = "none drawn" if row["silent_last"] is None else f"{row['silent_last']:.2f}"
            lines.append(
                f"| {row['match']} | {row['pool']} | {pm(row['end'])} | "
                f"{pm(row['against_all'], '+')} | {pm(row['against_all_at_equal_cost'], '+')} | "
                f"{row['rollouts']:,.0f} | {row['screening']:,.0f} | "
                f"{row['silent_first']:.2f} → {last} | {100 * row['steps_without_a_task']:.0f} % | "
                f"{row['largest_step_size']:.2f} |"
            )
    lines += ["", "### All tasks, other updates (topics, half transfers, η = 0.5)", ""]
    lines += ["| update | end | expected path's end | rollouts | batches not full |"]
    lines += ["|---|--:|--:|--:|--:|"]
    lines += [
        f"| {row['update']} | {pm(row['end'])} | {row['expected_end']:.3f} | "
        f"{row['rollouts']:,.0f} | {100 * row['not_full']:.0f} % |"
        for row in record["updates"]
    ]
    lines += ["", "### A judge that pays for length (all runs share one world, η = 2)", ""]
    lines += [
        "| bias | KL | start | peak | at step | end | runs that fell by .05 | proxy | long at the "
        "end | √KL |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {row['bias']} | {row['kl']} | {row['start']:.3f} | {pm(row['peak'])} | "
        f"{row['peak_step']:.0f} | {pm(row['end'])} | {row['fell']} of {record['runs']} | "
        f"{row['proxy'][0]:.2f} → {row['proxy'][1]:.2f} | {row['long']:.2f} | "
        f"{row['distance']:.2f} |"
        for row in record["judge"]
    ]
    lines += ["", "Best-of-n of the same start, bias 0.5: " + record["best_of_n"]]
    lines += ["", "### Milliseconds (least of all rounds; wall, CPU in brackets)", ""]
    lines += ["| training of 60 steps × 20 runs | cold | warm |", "|---|--:|--:|"]
    lines += [
        f"| {name} | {cell['cold']:.1f} ({cell['cold cpu']:.1f}) | "
        f"{cell['warm']:.1f} ({cell['warm cpu']:.1f}) |"
        for name, cell in record["milliseconds"].items()
    ]
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20, help="runs per cell (20)")
    parser.add_argument("--seed", type=int, default=0, help="seed of worlds and draws (0)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of the timing (7)")
    parser.add_argument("--json", type=Path, help="write the cells to this file")
    options = parser.parse_args()
    if options.runs < 2 or options.rounds < 1:
        parser.error("--runs must be at least 2 (an interval needs two) and --rounds at least 1")
    curve = best_of_n_curve(biased_judge_world(seed=options.seed), 0.5)
    record = {
        "runs": options.runs,
        "seed": options.seed,
        "ends": ends(options.runs, options.seed),
        "updates": updates(options.runs, options.seed),
        "judge": judge(options.runs, options.seed),
        "best_of_n": ", ".join(
            f"n={n} true {t:.2f} proxy {p:.2f} KL {kl:.2f} (bound {bound:.2f})"
            for n, t, p, kl, bound in zip(
                curve.n, curve.true_rate, curve.proxy, curve.kl, curve.bound, strict=True
            )
        ),
        "milliseconds": timing(options.rounds),
    }
    print(markdown(record))
    if options.json:
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
