"""What a reader of the numbers must know about the rows before believing them.

A remark is no warning: it names a property of the file (a cut, an outage, empty replies) and how
many rows it concerns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from whilecore.gates import RL_FATES, RLGates
from whilecore.groups import Groups, count_groups
from whilecore.rewards import signed

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

Bools = npt.NDArray[np.bool_]

REFERENCES: Final = ("reference", "answer", "gold", "ground_truth")


def rl_notes(rollouts: Rollouts, decided: RLGates, cut: float, asked: bool) -> list[str]:
    """Return the remarks on an RL selection."""
    empty = _empty_replies(rollouts, cut)
    flagged = [f"empty reply with a pass: {int(empty.sum())} rows; look at the judge"]
    return [
        *_notes(rollouts, cut, asked, decided.scored),
        *(flagged if empty.any() else []),
        *_still_spread(decided, cut),
    ]


def sft_notes(rollouts: Rollouts, kept: Bools, cut: float, asked: bool) -> list[str]:
    """Return the remarks on an SFT selection."""
    scored = count_groups(
        rollouts.task_codes, rollouts.reward, rollouts.scored, rollouts.n_tasks, cut
    )
    empty = _empty_replies(rollouts, cut)
    flagged = [
        f"empty reply with a pass: {int(empty.sum())} rows, {int((empty & kept).sum())} of them "
        "kept; look at the judge"
    ]
    return [*_notes(rollouts, cut, asked, scored), *(flagged if empty.any() else [])]


def _notes(rollouts: Rollouts, cut: float, asked: bool, scored: Groups) -> list[str]:
    """Return the remarks both modes make."""
    notes = [_scale(rollouts, cut, asked), _withheld(rollouts, cut)]
    notes += [_empty_references(rollouts, scored)]
    return [*rollouts.notes, *(one for one in notes if one)]


def _scale(rollouts: Rollouts, cut: float, asked: bool) -> str:
    """Name the cut as soon as rewards are not only 0 and 1."""
    used = rollouts.reward[rollouts.scored]
    if signed(used) and not asked:
        return "rewards are -1 and 1: a pass is 1, and pass rate = (mean reward + 1) / 2"
    if used.size and not ((used == 0) | (used == 1)).all():
        return f"rewards are not only 0 and 1: a pass is a reward of at least {cut:g}"
    return ""


def _withheld(rollouts: Rollouts, cut: float) -> str:
    """Count the passes both ways where a reward stands beside an error or a failed judge."""
    finite = np.isfinite(rollouts.reward)
    withheld = int((finite & ~rollouts.scored).sum())
    if not withheld:
        return ""
    passes = rollouts.reward >= cut
    return (
        f"{withheld} rows carry a reward beside an error or a failed judge and count as unscored; "
        f"counted as given, {int(passes.sum())} of {int(finite.sum())} would pass instead of "
        f"{int((passes & rollouts.scored).sum())} of {int(rollouts.scored.sum())}"
    )


def _empty_replies(rollouts: Rollouts, cut: float) -> Bools:
    """Mark replies without a word and without a tool call that pass: a judge's blind spot."""
    table = rollouts.table
    if "reply" not in table or table.is_code("reply"):
        return np.zeros(len(rollouts), np.bool_)
    empty = np.asarray(table["reply"] == "", np.bool_)
    if "reply_words" in table:  # white space alone says nothing either
        empty |= table.floats("reply_words") == 0
    if "tool_calls" in table:
        empty &= ~(table.floats("tool_calls") > 0)
    return empty & rollouts.scored & (rollouts.reward >= cut)


def _empty_references(rollouts: Rollouts, scored: Groups) -> str:
    """Count the tasks that pass throughout and whose reference answer is empty."""
    name = next((one for one in REFERENCES if one in rollouts.table), None)
    if name is None:
        return ""
    given = rollouts.frame[name]
    blank = given.isna().to_numpy(np.bool_) | (given.astype(object) == "").to_numpy(np.bool_)
    filled = np.bincount(rollouts.task_codes[~blank], minlength=rollouts.n_tasks)
    hit = (filled == 0) & (scored.rows > 0) & (scored.passes == scored.rows)
    if not hit.any():
        return ""
    return (
        f"all-pass groups with an empty reference (column {name!r}): {int(hit.sum())}, "
        f"{int(scored.rows[hit].sum())} rows; their passes are not verified"
    )


def _still_spread(decided: RLGates, cut: float) -> list[str]:
    """Say how many groups left by the band pass or fail throughout and still have a spread."""
    band = np.isin(decided.group, (RL_FATES.index("too_easy"), RL_FATES.index("too_hard")))
    rate = decided.measured.rate
    hit = int((band & ((rate == 0) | (rate == 1))).sum())
    if not hit:
        return []
    return [
        f"{hit} of the groups outside the band pass or fail throughout at {cut:g} and still have a "
        "spread of rewards: divided by its spread, even a small difference becomes a full push"
    ]
