"""Which row leaves, at which gate, for which reason.

Gates run in order and every row ends with exactly one fate, so the fates of a selection add up to
its input. Gates look at one task at a time (only a target looks across), which is what lets a file
be selected in parts that hold whole tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore.band import band_edges, below
from whilecore.groups import Groups, count_groups
from whilecore.streams import label_keys, uniform

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]

RL_FATES: Final = (
    "leak", "unscored", "incomplete", "truncated", "duplicate", "unanimous",
    "too_easy", "too_hard", "over_target", "kept",
)  # fmt: skip
SFT_FATES: Final = (
    "leak", "unscored", "not_passing", "incomplete", "truncated",
    "same_task", "over_target", "kept",
)  # fmt: skip
CAUSES: Final = ("as_drawn", "after_gates", "single")
MEASURE_ON: Final = ("scored", "surviving")
DUPLICATES: Final = ("drop", "keep")


@dataclass(frozen=True)
class RLGates:
    """What the RL gates decided.

    Attributes:
        fate: int8 per row, an index into ``RL_FATES``.
        cause: int8 per task: index into ``CAUSES`` for a task dropped as unanimous, else -1.
        group: int8 per task, an index into ``RL_FATES``: the gate that ended the task ("kept",
            "unanimous", "too_easy", "too_hard", "over_target"), or -1 if row gates emptied it.
        first_copy: True for rows that are no later copy of a row that passed the row gates.
        conflicting: Copies whose reward differs from that of the copy before them that stayed.
        measured: Counts of the rows the band was measured on.
        scored: Counts of all scored rows, whatever the band was measured on.
    """

    fate: Codes
    cause: Codes
    group: Codes
    first_copy: Bools
    conflicting: int
    measured: Groups
    scored: Groups


def choice(value: Any, allowed: tuple[str, ...], name: str) -> str:
    """Return an option, or refuse it with the list of what is allowed."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    return str(value)


def rl_gates(
    rollouts: Rollouts,
    *,
    band: Any = (0.2, 0.8),
    measure_on: str = "scored",
    duplicates: str = "drop",
    pass_at_least: float = 0.5,
    target: int | None = None,
    seed: int = 0,
) -> RLGates:
    """Send every row through the gates in order: row gates, duplicate, unanimous, band, target.

    Args:
        rollouts: The scored rollouts.
        band: Pass rates (low, high); a task on an edge stays.
        measure_on: "scored": a task's pass rate is measured on all its scored rows. "surviving":
            on the rows left after the earlier gates, which misfiles tasks and is here to be
            compared with.
        duplicates: "drop" keeps the first copy in row order; "keep" turns the gate off.
        pass_at_least: A row passes at reward ≥ this.
        target: Stop taking whole groups, in a seeded order, once this many rows are there.
        seed: For the order of the target.

    Returns:
        One fate per row, one ending per task.

    Raises:
        ValueError: For an option that is not allowed.

    Convention:
        Contrast is "largest reward ≠ smallest, compared as given". A group of 0.95 and 0.98 has
        contrast and, passing throughout, is too easy.
    """
    low, high = band_edges(band)
    choice(measure_on, MEASURE_ON, "measure_on")
    choice(duplicates, DUPLICATES, "duplicates")
    codes, reward, n_tasks = rollouts.task_codes, rollouts.reward, rollouts.n_tasks
    fate = row_gates(rollouts)
    first_copy, conflicting = _first_copies(rollouts, fate < 0)
    if duplicates == "drop":
        fate[(fate < 0) & ~first_copy] = RL_FATES.index("duplicate")
    alive = fate < 0
    scored = count_groups(codes, reward, rollouts.scored, n_tasks, pass_at_least)
    left = count_groups(codes, reward, alive, n_tasks, pass_at_least)
    measured = scored if measure_on == "scored" else left

    group = np.full(n_tasks, -1, np.int8)
    group[left.rows > 0] = RL_FATES.index("kept")
    inside = left.mixed
    group[inside & below(measured.passes, measured.rows, low)] = RL_FATES.index("too_hard")
    above = below(measured.rows - measured.passes, measured.rows, 1 - high)
    group[inside & above] = RL_FATES.index("too_easy")
    group[left.unanimous] = RL_FATES.index("unanimous")
    _apply_target(rollouts, group, left.rows, target, seed)

    fate[alive] = group[codes[alive]]
    return RLGates(fate, _causes(left, scored), group, first_copy, conflicting, measured, scored)


def row_gates(rollouts: Rollouts) -> Codes:
    """Return -1 for rows alive after the row gates, else the index of the first that takes them."""
    fate = np.full(len(rollouts), -1, np.int8)
    fate[rollouts.flag("truncated")] = RL_FATES.index("truncated")
    fate[rollouts.flag("incomplete")] = RL_FATES.index("incomplete")
    fate[~rollouts.scored] = RL_FATES.index("unscored")
    fate[rollouts.flag("leak")] = RL_FATES.index("leak")
    return fate


def _first_copies(rollouts: Rollouts, alive: Bools) -> tuple[Bools, int]:
    """Mark the first living copy of every (task, reply); count later ones scored differently."""
    index = np.flatnonzero(alive)
    first = np.ones(len(rollouts), np.bool_)
    if not index.size:
        return first, 0
    replies = rollouts.reply_codes[index]
    if int(replies.max()) >= 2**31:  # codes from elsewhere: number them, or the product overflows
        replies = pd.factorize(replies)[0].astype(np.int64)
    key = rollouts.task_codes[index] * (int(replies.max()) + 1) + replies
    copies, uniques = pd.factorize(key)
    leader = np.empty(len(uniques), np.int64)
    leader[copies[::-1]] = index[::-1]
    first[index] = leader[copies] == index
    differs = rollouts.reward[index] != rollouts.reward[leader[copies]]
    return first, int(differs.sum())


def _causes(left: Groups, scored: Groups) -> Codes:
    """Say why a task whose living rows agree has no contrast."""
    cause = np.full(len(left.rows), -1, np.int8)
    cause[left.unanimous] = CAUSES.index("after_gates")
    cause[left.unanimous & scored.unanimous] = CAUSES.index("as_drawn")
    cause[left.unanimous & (scored.rows == 1)] = CAUSES.index("single")
    return cause


def check_target(target: int | None) -> None:
    """Refuse a target that is not a whole number of rows."""
    whole = isinstance(target, int | np.integer) and not isinstance(target, bool)
    if target is not None and (not whole or target < 1):
        raise ValueError(
            f"target must be a whole number of rows of at least 1, got {target!r}; leave it out "
            "to keep every row that passes the gates"
        )


def _apply_target(
    rollouts: Rollouts, group: Codes, rows: Ints, target: int | None, seed: int
) -> None:
    """Cut the kept groups to the first ones, in seeded order, that hold ``target`` rows."""
    check_target(target)
    if target is None:
        return
    kept = np.flatnonzero(group == RL_FATES.index("kept"))
    draws = uniform(seed, "target", label_keys(rollouts.task_labels[kept]))
    order = kept[np.argsort(draws, kind="stable")]
    before = np.cumsum(rows[order]) - rows[order]
    group[order[before >= target]] = RL_FATES.index("over_target")


def sft_gates(
    rollouts: Rollouts, *, min_reward: float = 1.0, target: int | None = None, seed: int = 0
) -> Codes:
    """Send every row through the SFT gates: one good completion per task is kept.

    In order: leak, unscored, not_passing (reward < ``min_reward``), incomplete, truncated,
    same_task (the best reward stays; ties by a draw keyed on task and reply, never by position),
    over_target (spread over distinct behaviours).

    Returns:
        int8 per row, an index into ``SFT_FATES``.

    Raises:
        ValueError: For a target that is no whole number of at least 1.
    """
    check_target(target)
    name = SFT_FATES.index
    fate = np.full(len(rollouts), name("kept"), np.int8)
    fate[rollouts.flag("truncated")] = name("truncated")
    fate[rollouts.flag("incomplete")] = name("incomplete")
    with np.errstate(invalid="ignore"):
        fate[rollouts.reward < min_reward] = name("not_passing")
    fate[~rollouts.scored] = name("unscored")
    fate[rollouts.flag("leak")] = name("leak")

    index = np.flatnonzero(fate == name("kept"))
    codes = rollouts.task_codes[index]
    task_keys = label_keys(rollouts.task_labels)[codes] if index.size else codes
    draws = uniform(seed, "ties", task_keys, rollouts.reply_hashes[index])
    order = np.lexsort((rollouts.table["rollout"][index], draws,
                        -rollouts.reward[index], codes))  # fmt: skip
    first = np.ones(index.size, np.bool_)
    first[1:] = np.diff(codes[order]) != 0
    fate[index[order[~first]]] = name("same_task")
    if target is not None:
        picks, luck = index[order[first]], draws[order[first]]
        fate[picks[_spread(behaviors(rollouts)[picks], luck) >= target]] = name("over_target")
    return fate


def _spread(behavior: Ints, luck: npt.NDArray[np.float64]) -> Ints:
    """Rank picks so that every behaviour gets its first before any gets its second."""
    order = np.lexsort((luck, behavior))
    counts = np.bincount(behavior) if behavior.size else np.zeros(0, np.int64)
    turn = np.empty(behavior.size, np.int64)
    turn[order] = np.arange(behavior.size) - (np.cumsum(counts) - counts)[behavior[order]]
    rank = np.empty(behavior.size, np.int64)
    rank[np.lexsort((luck, turn))] = np.arange(behavior.size)
    return rank


def behaviors(rollouts: Rollouts) -> Ints:
    """Number what was done, one code per distinct behaviour; all alike where it is not known."""
    if "behavior" not in rollouts.table:
        return np.zeros(len(rollouts), np.int64)
    return pd.factorize(rollouts.table["behavior"])[0].astype(np.int64)
