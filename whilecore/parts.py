"""One part of a selection, and how parts are added up.

Every gate looks at one task at a time, so the counts of parts that hold whole tasks can be added.
What looks across tasks is measured once, at the end, on what is left: the median of the measured
rates, the reward scan on the kept rows, the behaviours, and the target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import gates, reward_scan
from whilecore.gates import RL_FATES, SFT_FATES
from whilecore.rollouts import Rollouts
from whilecore.selection import firmness
from whilecore.streams import label_keys

SUMS: Final = {
    "rl": ("rows", "tasks", "kept", "groups_kept", "row_fates", "duplicate_tasks",
           "conflicting_rewards", "emptied_groups", "unanimous_groups", "unanimous_dropped",
           "band_dropped", "too_easy_groups", "too_hard_groups", "over_target_groups", "scored",
           "unscored_reasons"),
    "sft": ("rows", "tasks", "kept", "row_fates", "eligible", "candidates", "not_passing",
            "incomplete", "unscored", "unscored_reasons"),
}  # fmt: skip
"""Per mode, the numbers of a report that are sums over tasks."""

SETTINGS: Final = {"rl": ("mode", "band", "measure_on", "pass_at_least"),
                   "sft": ("mode", "min_reward")}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """What one part has to say; it travels to where the parts are added.

    Attributes:
        report: The part's own report.
        tasks: 64-bit keys of its tasks, to see that no task lies in two parts.
        kept: The kept rows: for RL their figures, for SFT all of them.
        behaviors: SFT: behaviours among the candidates; None where not known.
        completions: SFT: scored rows of every task that has any.
    """

    report: dict[str, Any]
    tasks: npt.NDArray[np.uint64]
    kept: pd.DataFrame
    behaviors: frozenset[str] | None = None
    completions: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))


def select_part(frame: pd.DataFrame, mode: str, options: Mapping[str, Any]) -> Part:
    """Select one part and return what the whole needs of it."""
    rollouts = Rollouts.from_frame(frame)
    selection = rollouts.select(mode, **options)
    tasks = label_keys(rollouts.task_labels) if rollouts.n_tasks else np.zeros(0, np.uint64)
    kept = rollouts.frame.iloc[selection.kept]
    if selection.gates is None:
        candidates = selection.fate >= SFT_FATES.index("same_task")
        known = "behavior" in rollouts.frame
        found = frozenset(rollouts.frame["behavior"][candidates]) if known else None
        scored = np.bincount(rollouts.task_codes[rollouts.scored], minlength=rollouts.n_tasks)
        return Part(selection.report, tasks, kept, found, scored[scored > 0])
    decided, codes = selection.gates, rollouts.task_codes[selection.kept]
    figures = [name for name in kept if kept[name].dtype.kind in "iufb" or name == "task"]
    slim = kept[figures].assign(
        first_copy_=decided.first_copy[selection.kept],
        tries_=decided.scored.rows[codes],
        passes_=decided.scored.passes[codes],
    )
    return Part(selection.report, tasks, slim)


def add_reports(reports: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Add the reports of parts that hold whole tasks.

    Args:
        reports: ``Selection.report`` of every part, made with the same settings and no target.

    Returns:
        The numbers that are sums over tasks (``SUMS``) and the settings; fates sum to the rows.

    Raises:
        ValueError: If there is no report, or they were made with different settings.

    Convention:
        Medians and correlations are no sums and are left out; ``select_partitions`` makes them
        from the kept rows.

    >>> part = {"mode": "sft", "min_reward": 1.0, "rows": 4, "row_fates": {"kept": 1, "leak": 3}}
    >>> add_reports([part, part])["row_fates"]
    {'kept': 2, 'leak': 6}
    """
    parts = list(reports)
    if not parts:
        raise ValueError("add_reports needs the report of one part at least, got none")
    mode = parts[0]["mode"]
    settings = {name: parts[0].get(name) for name in SETTINGS[mode]}
    for part in parts:
        other = {name: part.get(name) for name in SETTINGS[mode]}
        if other != settings:
            raise ValueError(f"all parts must be selected with the same settings, got {settings} "
                             f"and {other}; give pass_at_least= to all")  # fmt: skip
    return settings | {
        name: _sum([part[name] for part in parts]) for name in SUMS[mode] if name in parts[0]
    }


def _sum(values: Sequence[Any]) -> Any:
    """Add numbers, or mappings of numbers key by key in the order they came up."""
    if not isinstance(values[0], Mapping):
        return sum(values)
    total: Counter[str] = Counter()
    for value in values:
        total.update(value)
    return dict(total)


def combine(
    parts: Sequence[Part], mode: str, *, target: int | None, features: Sequence[str], seed: int
) -> tuple[dict[str, Any], frozenset[str]]:
    """Make the report of the whole, and return the labels of the tasks that are kept.

    Raises:
        ValueError: If a task lies in two parts.
    """
    tasks = np.concatenate([part.tasks for part in parts])
    if len(np.unique(tasks)) < len(tasks):
        raise ValueError(
            f"every task must lie in one partition, but {len(tasks) - len(np.unique(tasks))} lie "
            'in several; shuffle first: ddf.shuffle("task")'
        )
    report = add_reports(part.report for part in parts)
    kept = Rollouts.from_frame(_concatenated([part.kept for part in parts]))
    if mode == "rl":
        return _combine_rl(report, parts, kept, target, features, seed)
    return _combine_sft(report, parts, kept, target, seed)


def _concatenated(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Put the kept rows of the parts under each other."""
    filled = [frame for frame in frames if len(frame)] or [frames[0]]
    return pd.concat(filled, ignore_index=True)


def _combine_rl(
    report: dict[str, Any], parts: Sequence[Part], kept: Rollouts, target: int | None,
    features: Sequence[str], seed: int,
) -> tuple[dict[str, Any], frozenset[str]]:  # fmt: skip
    """Apply the target to the kept groups, then measure what is no sum."""
    fate = gates.rl_gates(kept, band=(0, 1), duplicates="keep", target=target, seed=seed,
                          pass_at_least=report["pass_at_least"]).fate  # fmt: skip
    over = fate == RL_FATES.index("over_target")
    cut_tasks = np.unique(kept.task_codes[over])
    report["row_fates"]["over_target"] += int(over.sum())
    report["row_fates"]["kept"] = report["kept"] = int((~over).sum())
    report["over_target_groups"] += len(cut_tasks)
    report["groups_kept"] -= len(cut_tasks)
    stays = np.ones(kept.n_tasks, np.bool_)
    stays[cut_tasks] = False
    first = kept.frame["first_copy_"].to_numpy(np.bool_)
    scanned = reward_scan.scan(kept, np.flatnonzero(~over & first), features=features, seed=seed)
    report |= {
        "difficulty": _difficulty(kept.frame[~over]),
        "correlations": scanned.correlations,
        "scanned": {"rows": scanned.rows, "groups": scanned.groups, "floor": scanned.floor,
                    "why_no_floor": scanned.why_no_floor, "undefined": scanned.undefined},
        "warnings": list(scanned.warnings),
        "notes": _notes(parts),
    }  # fmt: skip
    return report, frozenset(str(label) for label in kept.task_labels[stays])


def _difficulty(kept: pd.DataFrame) -> dict[str, float | None]:
    """Return from how many tries a kept task's rate was measured, and how firmly: medians."""
    tasks = kept.drop_duplicates("task")
    return firmness(tasks["passes_"].to_numpy(np.int64), tasks["tries_"].to_numpy(np.int64))


def _combine_sft(
    report: dict[str, Any], parts: Sequence[Part], kept: Rollouts, target: int | None, seed: int
) -> tuple[dict[str, Any], frozenset[str]]:
    """Apply the target to the picks of all tasks, then measure what is no sum."""
    fate = gates.sft_gates(kept, min_reward=report["min_reward"], target=target, seed=seed)
    stays = fate == SFT_FATES.index("kept")
    report["row_fates"]["over_target"] += int((~stays).sum())
    report["row_fates"]["kept"] = report["kept"] = int(stays.sum())
    found = [part.behaviors for part in parts if part.behaviors is not None]
    sizes = np.concatenate([part.completions for part in parts])
    scored = [part.report["pass_filter"] for part in parts if part.completions.size]
    report |= {
        "distinct_behaviors": len(frozenset().union(*found)) if found else None,
        "behaviors_covered": int(kept.frame["behavior"][stays].nunique()) if found else None,
        "completions_per_task": {
            "mean": float(sizes.mean()) if sizes.size else None,
            "median": float(np.median(sizes)) if sizes.size else None,
            "max": int(sizes.max()) if sizes.size else None,
        },
        "pass_filter": bool(scored) and all(scored),
        "warnings": [],
        "notes": _notes(parts),
    }
    return report, frozenset(str(label) for label in kept.task_labels[kept.task_codes[stays]])


def _notes(parts: Sequence[Part]) -> list[str]:
    """Return the remarks of all parts; one that several parts make is said once, with a count."""
    said = Counter(note for part in parts for note in part.report["notes"])
    return [note if count == 1 else f"{note} (in {count} parts)" for note, count in said.items()]
