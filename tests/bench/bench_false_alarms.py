"""How often the reward scan warns when it should not, and when it should.

    python tests/bench/bench_false_alarms.py [--runs 1000] [--json FILE]

Every run is 128 simulated rollouts, 8 tries of 16 tasks, with a seed of its own. A coin as judge
(tossed per rollout, or once per distinct reply of a task) has nothing that a feature could predict:
each warning is a false alarm, and at most 1 run in 15 may have one. A judge paid by reply length
must be flagged on length in at least 19 runs of 20. The pooled rule |r| ≥ 0.3, on the same kept
rows, stands beside ours. Not collected by pytest.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

import whilecore as wc
from whilecore import judges

TASKS, TRIES = 16, 8
POOLED_CUT = 0.3
"""A common rule: warn when the pooled correlation reaches this size."""


@wc.tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


@dataclass(frozen=True)
class Row:
    """One judge's share of runs with a warning."""

    judge: str
    agent: str
    rule: str
    runs: int
    flagged: int
    pooled: int
    without_floor: int
    wanted: str

    @property
    def share(self) -> float:
        """Share of runs flagged by our rule."""
        return self.flagged / self.runs

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the share."""
        return math.sqrt(max(self.share * (1 - self.share), 1 / self.runs) / self.runs)


def length_pays(row: dict[str, Any]) -> float:
    """Pay for length alone, smoothly: 0 characters 0, 200 or more 1."""
    return float(min(row["reply_chars"] / 200, 1.0))


AGENTS: dict[str, dict[str, Any]] = {
    "default": {},
    "variety 1": {"variety": 1.0},
    "mixed skill": {"skill": "mixed"},
}
JUDGES: dict[str, tuple[Any, str]] = {
    "coin per rollout": (judges.coin(per="rollout"), "any"),
    "coin per text": (judges.coin(per="text"), "any"),
    "long_reply": (judges.long_reply, "reply_chars"),
    "short_reply": (judges.short_reply, "reply_chars"),
    "paid per character": (length_pays, "reply_chars"),
}


def measure(judge: str, agent: str, runs: int) -> Row:
    """Count the runs of one agent in which one judge is flagged."""
    made = wc.seeded_agent([get_order], **AGENTS[agent])
    graded_by, rule = JUDGES[judge]
    flagged = pooled = without = 0
    for seed in range(runs):
        data = wc.simulate(made, repeats=TRIES, budget=TASKS * TRIES, seed=seed)
        report = data.grade(graded_by, seed=seed).select(mode="rl", seed=seed).report
        found = report["correlations"]
        names = list(found) if rule == "any" else [rule]
        flagged += any(found[name]["clears"] for name in names)
        pooled += any(abs(found[name]["pooled"] or 0) >= POOLED_CUT for name in names)
        without += report["scanned"]["floor"] is None
    wanted = "at most 1 in 15" if rule == "any" else "at least 19 in 20"
    return Row(judge, agent, rule, runs, flagged, pooled, without, wanted)


def simpson() -> dict[str, Any]:
    """Scan the figures in which pooled and within-task correlation have opposite signs."""
    path = Path(__file__).parents[1] / "data" / "peer_runs" / "w131_hand_simpson.csv"
    report = wc.read_rollouts(path).select(mode="rl").report
    return {"reply_chars": report["correlations"]["reply_chars"], "warnings": report["warnings"]}


def markdown(rows: list[Row], paradox: dict[str, Any]) -> str:
    """Write the result as a table."""
    lines = [
        f"{TASKS} tasks of {TRIES} tries, {rows[0].runs} runs per line; ± is one Monte Carlo "
        "standard error.",
        "",
        f"| judge | agent | flagged | pooled rule ≥ {POOLED_CUT} | no floor | wanted |",
        "|---|---|--:|--:|--:|---|",
    ]
    for row in rows:
        lines.append(
            f"| {row.judge} | {row.agent} | {100 * row.share:.1f} ± {100 * row.error:.1f} % | "
            f"{100 * row.pooled / row.runs:.0f} % | {100 * row.without_floor / row.runs:.0f} % | "
            f"{row.wanted} |"
        )
    one = paradox["reply_chars"]
    lines += [
        "",
        f"Simpson figures: pooled {one['pooled']:+.2f}, within {one['within']:+.2f}, noise floor "
        f"{one['floor']:.2f}: {'warned' if paradox['warnings'] else 'NOT warned'}.",
    ]
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000, help="runs per line (1000)")
    parser.add_argument("--json", type=Path, help="write the lines to this file")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error(f"--runs must be at least 1, got {options.runs}")
    rows = [measure(judge, agent, options.runs) for judge in JUDGES for agent in AGENTS]
    paradox = simpson()
    print(markdown(rows, paradox))
    if options.json:
        record = {
            "lines": [asdict(row) | {"share": row.share, "error": row.error} for row in rows],
            "simpson": paradox,
            "numpy": np.__version__,
        }
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
