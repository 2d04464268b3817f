"""The vectorised gates against the same rules written out as plain loops, on random tables."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from whilecore import Rollouts

BANDS = (("0.2", "0.8"), ("0.25", "0.75"), ("0.3", "0.6"), ("0", "1"))


def random_records(rng, fractional):
    """Draw a small table in which every gate has something to do."""
    tasks = rng.integers(1, 8)
    values = [0.0, 0.1, 0.3, 0.5, 0.95, 1.0] if fractional else [0.0, 1.0]
    return [
        {
            "task": f"t{rng.integers(tasks)}",
            "reward": None if rng.random() < 0.08 else float(rng.choice(values)),
            "reply_key": int(rng.integers(1, 6)),
            "leak": bool(rng.random() < 0.08),
            "incomplete": bool(rng.random() < 0.05),
            "truncated": bool(rng.random() < 0.05),
            "error": "broke" if rng.random() < 0.05 else "",
            "judge_status": str(rng.choice(["", "ok", "error"], p=[0.5, 0.45, 0.05])),
        }
        for _ in range(rng.integers(1, 60))
    ]


def is_scored(row):
    return row["reward"] is not None and not row["error"] and row["judge_status"] in ("", "ok")


def row_gate(row):
    """Return the row gate a row fails, in the order of the gates."""
    checks = [
        ("leak", row["leak"]),
        ("unscored", not is_scored(row)),
        ("incomplete", row["incomplete"]),
        ("truncated", row["truncated"]),
    ]
    return next((name for name, fails in checks if fails), None)


def plain_rl(rows, band, measure_on, duplicates):
    """Return fates and counts, one row and one task at a time."""
    fates = [row_gate(row) for row in rows]
    first, copied, conflicting = {}, set(), 0
    for i, row in enumerate(rows):
        if fates[i] is None:
            before = first.setdefault((row["task"], row["reply_key"]), i)
            if before != i:
                conflicting += row["reward"] != rows[before]["reward"]
                if duplicates == "drop":
                    fates[i] = "duplicate"
                    copied.add(row["task"])
    count = dict.fromkeys(("as_drawn", "after_gates", "single", "easy", "hard", "emptied"), 0)
    for task in {row["task"] for row in rows}:
        every = [i for i, row in enumerate(rows) if row["task"] == task]
        alive = [i for i in every if fates[i] is None]
        scored = [i for i in every if is_scored(rows[i])]
        if not alive:
            count["emptied"] += 1
            continue
        if len({rows[i]["reward"] for i in alive}) == 1:
            agreed = len({rows[i]["reward"] for i in scored}) == 1
            count["single" if len(scored) == 1 else "as_drawn" if agreed else "after_gates"] += 1
            fate = "unanimous"
        else:
            measured = scored if measure_on == "scored" else alive
            rate = Fraction(sum(rows[i]["reward"] >= 0.5 for i in measured), len(measured))
            low, high = map(Fraction, band)
            fate = "too_hard" if rate < low else "too_easy" if rate > high else "kept"
            count["hard"] += fate == "too_hard"
            count["easy"] += fate == "too_easy"
        for i in alive:
            fates[i] = fate
    return fates, count | {"copied": len(copied), "conflicting": conflicting}


@pytest.mark.parametrize("seed", range(60))
def test_rl_gates_agree_with_plain_loops(seed):
    rows = random_records(np.random.default_rng(seed), fractional=seed % 3 == 0)
    rollouts = Rollouts.from_records(rows)
    for measure_on, duplicates, band in itertools.product(
        ("scored", "surviving"), ("drop", "keep"), BANDS
    ):
        selection = rollouts.select(
            mode="rl", band=tuple(map(float, band)), measure_on=measure_on, duplicates=duplicates
        )
        fates, count = plain_rl(rows, band, measure_on, duplicates)
        report = selection.report
        assert list(selection.fate_names) == fates
        assert report["unanimous_groups"] == {
            name: count[name] for name in ("as_drawn", "after_gates", "single")
        }
        counted = ("too_easy_groups", "too_hard_groups", "emptied_groups", "duplicate_tasks")
        assert [report[name] for name in (*counted, "conflicting_rewards")] == [
            count[name] for name in ("easy", "hard", "emptied", "copied", "conflicting")
        ]


@pytest.mark.parametrize("seed", range(60))
def test_sft_gates_agree_with_plain_loops(seed):
    rows = random_records(np.random.default_rng(seed), fractional=seed % 3 == 0)
    selection = Rollouts.from_records(rows).select(mode="sft", min_reward=0.5)
    kept = {}
    for i, (row, fate) in enumerate(zip(rows, selection.fate_names, strict=True)):
        expected = (
            "leak" if row["leak"]
            else "unscored" if not is_scored(row)
            else "not_passing" if row["reward"] < 0.5
            else row_gate(row)
        )  # fmt: skip
        if expected is not None:
            assert fate == expected
        else:
            assert fate in ("kept", "same_task")
            if fate == "kept":
                assert kept.setdefault(row["task"], i) == i
    for i, row in enumerate(rows):
        if selection.fate_names[i] == "same_task":
            assert row["reward"] <= rows[kept[row["task"]]]["reward"]


def test_the_random_tables_give_every_gate_something_to_do():
    seen = set()
    for seed in range(60):
        rows = random_records(np.random.default_rng(seed), fractional=seed % 3 == 0)
        rollouts = Rollouts.from_records(rows)
        seen |= set(rollouts.select(mode="rl").fate_names)
        seen |= set(rollouts.select(mode="sft", min_reward=0.5).fate_names)
    assert seen == {
        "leak", "unscored", "incomplete", "truncated", "duplicate", "unanimous", "too_easy",
        "too_hard", "kept", "not_passing", "same_task",
    }  # fmt: skip
