"""What the reward tracks: its correlation with a feature inside a task, against a noise floor.

Pooled over a file, a correlation mixes two things: hard tasks have longer replies and lower
rewards, whatever the judge likes. Centred by task, only the judge's taste is left. Whether that
taste is more than luck is asked of the rows themselves: shuffle the rewards within each task, many
times, and see how large the largest correlation gets when there is nothing to find.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.noise_floor import (
    MANY_ROWS,
    MIN_ROWS,
    Centred,
    by_task,
    noise_floor,
    shuffled_places,
)

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

SCANNED: Final = (
    "reply_chars", "boilerplate", "hedging", "sycophancy", "apology", "refusal", "ignored_failure"
)  # fmt: skip
LABELS: Final = {
    "reply_chars": "reply length", "reply_words": "reply words", "tool_calls": "tool calls",
    "assistant_turns": "assistant turns", "ignored_failure": "ignored failure",
}  # fmt: skip
SHUFFLES: Final = 999
ALMOST: Final = 1e-9


@dataclass(frozen=True)
class RewardScan:
    """The scan of one row set.

    Attributes:
        correlations: Per feature ``{pooled, within, floor, clears, rows, groups}``. A value that
            is undefined is None.
        floor: The noise floor of the largest |within|, None where it cannot be drawn.
        why_no_floor: "" or the reason there is no floor and so no warning.
        undefined: Per feature without a value within tasks, the reason.
        rows: Rows scanned.
        groups: Tasks among them.
    """

    correlations: dict[str, dict[str, Any]]
    floor: float | None
    why_no_floor: str
    undefined: dict[str, str]
    rows: int
    groups: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence per feature whose within-task correlation is over the floor."""
        return tuple(
            f"the reward {'rises' if one['within'] > 0 else 'falls'} with {label(name)} within a "
            f"task (r {one['within']:+.2f}, noise floor {one['floor']:.2f}, {one['rows']} kept "
            f"rows in {one['groups']} tasks); look at the judge before you train"
            for name, one in self.correlations.items()
            if one["clears"]
        )


def label(feature: str) -> str:
    """Return a feature's name in words."""
    return LABELS.get(feature, feature)


def scan(
    rollouts: Rollouts,
    rows: npt.ArrayLike,
    *,
    features: Sequence[str] = (),
    seed: int = 0,
    shuffles: int = SHUFFLES,
) -> RewardScan:
    """Correlate the reward with every feature of the rows, within tasks and pooled.

    within: r = ΣSxy / √(ΣSxx · ΣSyy), sums of squares about each task's mean
    pooled: the same with the mean of all rows
    floor:  the value of rank ⌈0.95·(B+1)⌉ among B shuffles of the rewards within their tasks, of
            the largest |r| over the features that vary within some task

    Args:
        rollouts: The scored rollouts.
        rows: Positions of the rows to scan; scored, copies removed.
        features: Further numeric columns to scan beside ``SCANNED``.
        seed: For the shuffles.
        shuffles: B, at least 999.

    Returns:
        The correlations and the floor they are measured against.

    Raises:
        ValueError: If a named feature is no numeric column, or B is under 999.

    Convention:
        A feature that never varies within a task is undefined, not 0; so is one that some row
        does not have. Under 3 rows in tasks that can say anything, r would be ±1 by construction
        and is undefined too. Under 3 tasks with mixed rewards there is no floor and no warning.
        Over 4,000 rows the floor is drawn from the normal limit of the shuffles,
        cov = Σ Sxx·Syy/(n−1) over tasks.

    Source:
        Fisher's permutation test, with the maximum over features of Westfall and Young 1993.
    """
    if shuffles < SHUFFLES:
        raise ValueError(f"shuffles must be at least {SHUFFLES}, got {shuffles}")
    index = np.asarray(rows, np.int64)
    names = _names(rollouts, features)
    x = _features(rollouts, names, index)
    y = rollouts.reward[index]
    missing = (~np.isfinite(x)).sum(axis=1)
    x[missing > 0] = 0.0
    order, starts = by_task(x, y, rollouts.task_codes[index], rollouts.task_labels)
    within = Centred(x, y, order, starts)
    observed = within.correlations()
    floor, why = noise_floor(within, observed, seed, shuffles)
    pooled = Centred(x, y, order, starts[:1]).correlations()  # all rows as one task
    groups = len(within.rows)
    table = {
        name: {
            "pooled": _number(pooled[place]),
            "within": _number(observed[place]),
            "floor": floor if np.isfinite(observed[place]) else None,
            "clears": bool(floor is not None and abs(observed[place]) > floor + ALMOST),
            "rows": len(index),
            "groups": groups,
        }
        for place, name in enumerate(names)
    }
    undefined = {
        name: _why_undefined(within, int(missing[place]))
        for place, name in enumerate(names)
        if not np.isfinite(observed[place])
    }
    return RewardScan(table, floor, why, undefined, len(index), groups)


@dataclass(frozen=True)
class Shuffles:
    """One feature against rewards shuffled within tasks: the shuffles that the floor is drawn from.

    Attributes:
        rows: Positions of the rows scanned, task beside task; the arrays below follow them.
        places: Whose reward each row gets, positions within ``rows``, shape (shuffles, rows).
        r: Correlation within tasks after each shuffle, shape (shuffles,).
        observed: Correlation within tasks as judged.
    """

    rows: Ints
    places: Ints
    r: Floats
    observed: float


def shuffle_feature(
    rollouts: Rollouts,
    rows: npt.ArrayLike,
    feature: str,
    *,
    seed: int = 0,
    shuffles: int = SHUFFLES,
) -> Shuffles | None:
    """Shuffle the rewards within tasks and correlate one feature with them each time.

    Args:
        rollouts: The scored rollouts.
        rows: Positions of the rows, as for ``scan``.
        feature: A scanned or any numeric column.
        seed: For the shuffles; those of ``scan`` with the same rows and seed.
        shuffles: How many.

    Returns:
        The shuffles, or None where the correlation is undefined or the rows are too many to be
        shuffled (over 4,000, where ``scan`` takes the normal limit).

    Raises:
        ValueError: If the feature is no numeric column.
    """
    index = np.asarray(rows, np.int64)
    names = _names(rollouts, () if feature in SCANNED and feature in rollouts.table else (feature,))
    x = _features(rollouts, names, index)
    missing = np.asarray((~np.isfinite(x)).any(axis=1))
    x[missing] = 0.0
    y = rollouts.reward[index]
    order, starts = by_task(x, y, rollouts.task_codes[index], rollouts.task_labels)
    within = Centred(x, y, order, starts)
    at = names.index(feature)
    observed = float(within.correlations()[at])
    if missing[at] or not np.isfinite(observed) or len(index) > MANY_ROWS:
        return None
    places = shuffled_places(within, seed, shuffles)
    scale = np.sqrt(within.sxx[at] * within.syy)
    r = np.asarray(within.y[places] @ within.x[at] / scale)
    return Shuffles(index[order], places, r, observed)


def _why_undefined(within: Centred, missing: int) -> str:
    """Say why a feature has no correlation within tasks."""
    if missing:
        return f"missing in {missing} of {within.rows.sum()} rows"
    if within.informative < MIN_ROWS:
        return f"{within.informative} rows in tasks with mixed rewards; r needs {MIN_ROWS}"
    return "never varies within a task"


def _names(rollouts: Rollouts, features: Sequence[str]) -> list[str]:
    """Return the features to scan: the usual ones the table has, and those asked for."""
    table = rollouts.table
    if isinstance(features, str) or not isinstance(features, Iterable):
        raise ValueError(
            f"features must be a list of column names, got {features!r}; write features=[name]"
        )
    asked = list(features)
    for name in asked:
        if name not in table or name == "reward" or not table.is_numeric(name):
            have = [one for one in table.names if one != "reward" and table.is_numeric(one)]
            raise ValueError(
                f"features must name numeric columns, got {name!r}; allowed: {', '.join(have)}"
            )
    return list(dict.fromkeys([*(name for name in SCANNED if name in table), *asked]))


def _features(rollouts: Rollouts, names: Sequence[str], rows: Ints) -> Floats:
    """Return features of some rows, shape (features, rows), NaN where one is missing."""
    out = np.empty((len(names), len(rows)))
    for place, name in enumerate(names):
        out[place] = rollouts.table.floats(name)[rows]
    return out


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
