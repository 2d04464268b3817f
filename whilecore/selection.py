"""Select what is worth training on, and print the account of every row.

``mode="sft"`` keeps one passing completion per task: examples to copy. ``mode="rl"`` keeps the
tasks whose tries differ: RL learns from differences inside a task and from nothing else. The
report keeps the course page's short labels, so that the two can be laid side by side, and adds
what that leaves out: fates that sum to the input, the causes of unanimity, and which rows each
number was measured on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from whilecore import gates, remarks, reward_scan
from whilecore.band import band_edges
from whilecore.gates import CAUSES, RL_FATES, SFT_FATES
from whilecore.intervals import wilson, wilson_half_width
from whilecore.report import print_rl, print_sft
from whilecore.rewards import pass_cut
from whilecore.streams import check_seed

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

MODES: Final = ("rl", "sft")
OPTIONS: Final = {
    "rl": ("band", "measure_on", "duplicates", "pass_at_least", "target", "features", "seed"),
    "sft": ("min_reward", "target", "seed"),
}


@dataclass(frozen=True)
class Selection:
    """What a selection kept, what it dropped, and the report. Prints as the report.

    Attributes:
        mode: "rl" or "sft".
        source: The rollouts selected from.
        fate: int8 per row, an index into ``fates``.
        fates: Names of the fates, in gate order.
        report: Every number as a plain dict.
        gates: RL only: the decisions per task (see ``gates.RLGates``).
    """

    mode: str
    source: Rollouts = field(repr=False)
    fate: gates.Codes = field(repr=False)
    fates: tuple[str, ...] = field(repr=False)
    report: dict[str, Any] = field(repr=False)
    gates: gates.RLGates | None = field(default=None, repr=False)

    @cached_property
    def kept(self) -> npt.NDArray[np.int64]:
        """Positions of the kept rows, in row order."""
        return np.flatnonzero(self.fate == self.fates.index("kept"))

    @property
    def fate_names(self) -> npt.NDArray[np.object_]:
        """The fate of every row, by name."""
        return np.array(self.fates, dtype=object)[self.fate]

    @cached_property
    def rollouts(self) -> Rollouts:
        """The kept rows as rollouts of their own."""
        return self.source.take(self.kept)

    def __len__(self) -> int:
        """Return the number of kept rows."""
        return len(self.kept)

    def __str__(self) -> str:
        """Return the printed report."""
        return print_rl(self.report) if self.mode == "rl" else print_sft(self.report)


def select(rollouts: Rollouts, mode: str = "rl", **options: Any) -> Selection:
    """Select rollouts to train on.

    Args:
        rollouts: Scored rollouts.
        mode: "rl" or "sft".
        **options: RL: ``band`` (low, high; 0.2, 0.8), ``measure_on`` ("scored" or "surviving"),
            ``duplicates`` ("drop" or "keep"), ``pass_at_least`` (0.5), ``target`` (rows),
            ``features`` (further columns to scan), ``seed`` (0).
            SFT: ``min_reward`` (1.0), ``target``, ``seed``.

    Returns:
        The selection; ``report`` holds every number and its fates sum to the rows given.

    Raises:
        ValueError: For an unknown mode or option, with the list of allowed ones.
    """
    gates.choice(mode, MODES, "mode")
    unknown = [name for name in options if name not in OPTIONS[mode]]
    if unknown:
        raise ValueError(
            f"mode={mode!r} takes the options {', '.join(OPTIONS[mode])}, got {unknown[0]!r}"
        )
    check_seed(options.get("seed", 0))
    return _select_rl(rollouts, **options) if mode == "rl" else _select_sft(rollouts, **options)


def _select_rl(
    rollouts: Rollouts,
    *,
    band: Any = (0.2, 0.8),
    measure_on: str = "scored",
    duplicates: str = "drop",
    pass_at_least: float | None = None,
    target: int | None = None,
    features: Sequence[str] = (),
    seed: int = 0,
) -> Selection:
    cut = pass_cut(rollouts.reward[rollouts.scored], pass_at_least)
    decided = gates.rl_gates(
        rollouts, band=band, measure_on=measure_on, duplicates=duplicates,
        pass_at_least=cut, target=target, seed=seed,
    )  # fmt: skip
    kept = decided.fate == RL_FATES.index("kept")
    scanned = reward_scan.scan(
        rollouts, np.flatnonzero(kept & decided.first_copy), features=features, seed=seed
    )
    report = {
        "mode": "rl",
        "rows": len(rollouts),
        "tasks": rollouts.n_tasks,
        "kept": int(kept.sum()),
        **_rl_groups(rollouts, decided),
        "band": tuple(float(edge) for edge in band_edges(band)),
        "measure_on": measure_on,
        "pass_at_least": cut,
        "difficulty": _difficulty(decided),
        "scored": int(rollouts.scored.sum()),
        "correlations": scanned.correlations,
        "scanned": {"rows": scanned.rows, "groups": scanned.groups, "floor": scanned.floor,
                    "why_no_floor": scanned.why_no_floor, "undefined": scanned.undefined},
        "warnings": list(scanned.warnings),
        "unscored_reasons": rollouts.unscored_reasons(),
        "notes": remarks.rl_notes(rollouts, decided, cut, pass_at_least is not None),
    }  # fmt: skip
    return Selection("rl", rollouts, decided.fate, RL_FATES, report, decided)


def _rl_groups(rollouts: Rollouts, decided: gates.RLGates) -> dict[str, Any]:
    """Count the groups at every gate."""
    ended = np.bincount(decided.group + 1, minlength=len(RL_FATES) + 1)[1:]
    causes = np.bincount(decided.cause + 1, minlength=len(CAUSES) + 1)[1:]
    copies = decided.fate == RL_FATES.index("duplicate")
    return {
        "groups_kept": int(ended[RL_FATES.index("kept")]),
        "row_fates": count_fates(decided.fate, RL_FATES),
        "duplicate_tasks": len(np.unique(rollouts.task_codes[copies])),
        "conflicting_rewards": decided.conflicting,
        "emptied_groups": int((decided.group < 0).sum()),
        "unanimous_groups": {name: int(causes[place]) for place, name in enumerate(CAUSES)},
        "unanimous_dropped": int(causes.sum()),
        "band_dropped": int(ended[RL_FATES.index("too_easy")] + ended[RL_FATES.index("too_hard")]),
        "too_easy_groups": int(ended[RL_FATES.index("too_easy")]),
        "too_hard_groups": int(ended[RL_FATES.index("too_hard")]),
        "over_target_groups": int(ended[RL_FATES.index("over_target")]),
    }


def count_fates(fate: gates.Codes, names: tuple[str, ...]) -> dict[str, int]:
    """Count rows per fate; the counts sum to the rows."""
    counts = np.bincount(fate, minlength=len(names))
    return {name: int(counts[place]) for place, name in enumerate(names)}


def _difficulty(decided: gates.RLGates) -> dict[str, float | None]:
    """Say from how many rollouts a kept task's pass rate was measured, and how firmly."""
    kept = decided.group == RL_FATES.index("kept")
    if not kept.any():
        return firmness(np.zeros(0, np.int64), np.zeros(0, np.int64))
    return firmness(decided.scored.passes[kept], decided.scored.rows[kept])


def firmness(passes: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> dict[str, float | None]:
    """Return from how many tries a kept task's rate was measured, and how firmly: medians.

    Args:
        passes: Per kept task, passes among its scored rows.
        rows: Those rows.

    Returns:
        ``median_rollouts``; ``low`` and ``high``, the ends of the 95 % Wilson interval;
        ``half_width``, half of what lies between them (the interval is not centred on the rate).
    """
    if not len(rows):
        return dict.fromkeys(("median_rollouts", "half_width", "low", "high"))
    low, high = wilson(passes, rows)
    each = np.stack([rows, wilson_half_width(passes, rows), low, high])
    names = ("median_rollouts", "half_width", "low", "high")
    return dict(zip(names, np.median(each, axis=1).tolist(), strict=True))


def _select_sft(
    rollouts: Rollouts,
    *,
    min_reward: float | None = None,
    target: int | None = None,
    seed: int = 0,
) -> Selection:
    used = rollouts.reward[rollouts.scored]
    cut = pass_cut(used, min_reward, "min_reward", 1.0)
    fate = gates.sft_gates(rollouts, min_reward=cut, target=target, seed=seed)
    fates = count_fates(fate, SFT_FATES)
    candidates = fate >= SFT_FATES.index("same_task")
    kept = fate == SFT_FATES.index("kept")
    report = {
        "mode": "sft",
        "rows": len(rollouts),
        "tasks": rollouts.n_tasks,
        "kept": fates["kept"],
        "row_fates": fates,
        "eligible": len(np.unique(rollouts.task_codes[candidates])),
        "candidates": int(candidates.sum()),
        "min_reward": cut,
        "not_passing": fates["not_passing"],
        "incomplete": fates["incomplete"],
        "unscored": fates["unscored"],
        "distinct_behaviors": _distinct_behaviors(rollouts, candidates),
        "behaviors_covered": _distinct_behaviors(rollouts, kept),
        "completions_per_task": _completions(rollouts),
        "pass_filter": bool(used.size and np.isin(used, (0.0, 1.0)).all()),
        "unscored_reasons": rollouts.unscored_reasons(),
        "warnings": [],
        "notes": remarks.sft_notes(rollouts, kept, cut, min_reward is not None),
    }
    return Selection("sft", rollouts, fate, SFT_FATES, report)


def _distinct_behaviors(rollouts: Rollouts, rows: npt.NDArray[np.bool_]) -> int | None:
    """Count the behaviours among some rows; None where the file does not tell."""
    if "behavior" not in rollouts.table:
        return None
    return len(np.unique(gates.behaviors(rollouts)[rows]))


def _completions(rollouts: Rollouts) -> dict[str, float | int | None]:
    """Count the scored completions a pick is made from, per task that has any."""
    per_task = np.bincount(rollouts.task_codes[rollouts.scored], minlength=rollouts.n_tasks)
    per_task = per_task[per_task > 0]
    if not per_task.size:
        return {"mean": None, "median": None, "max": None}
    return {
        "mean": float(per_task.mean()),
        "median": float(np.median(per_task)),
        "max": int(per_task.max()),
    }
