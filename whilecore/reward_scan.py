"""What the reward tracks: its correlation with a feature inside a task, against a noise floor.

Pooled over a file, a correlation mixes two things: hard tasks have longer replies and lower
rewards, whatever the judge likes. Centred by task, only the judge's taste is left. Whether that
taste is more than luck is asked of the rows themselves: shuffle the rewards within each task, many
times, and see how large the largest correlation gets when there is nothing to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.groups import centre, count_groups
from whilecore.streams import generator

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SCANNED: Final = (
    "reply_chars", "boilerplate", "hedging", "sycophancy", "apology", "refusal", "ignored_failure"
)  # fmt: skip
LABELS: Final = {
    "reply_chars": "reply length", "reply_words": "reply words", "tool_calls": "tool calls",
    "assistant_turns": "assistant turns", "ignored_failure": "ignored failure",
}  # fmt: skip
SHUFFLES: Final = 999
MANY_ROWS: Final = 4000
NORMAL_DRAWS: Final = 9999
MIN_MIXED_TASKS: Final = 3
MIN_ROWS: Final = 3
ALMOST: Final = 1e-9


@dataclass(frozen=True)
class RewardScan:
    """The scan of one row set.

    Attributes:
        correlations: Per feature ``{pooled, within, floor, clears, rows, groups}``. A value that
            is undefined is None.
        floor: The noise floor of the largest |within|, None where it cannot be drawn.
        why_no_floor: "" or the reason there is no floor and so no warning.
        rows: Rows scanned.
        groups: Tasks among them.
    """

    correlations: dict[str, dict[str, Any]]
    floor: float | None
    why_no_floor: str
    rows: int
    groups: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence per feature whose within-task correlation is over the floor."""
        return tuple(
            f"the reward {'rises' if one['within'] > 0 else 'falls'} with {label(name)} within a "
            f"task (r {one['within']:+.2f}, noise floor {one['floor']:.2f}, {one['rows']} kept rows "
            f"in {one['groups']} tasks); look at the judge before you train"
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
        A feature that never varies within a task is undefined, not 0. Under 3 rows in tasks that
        can say anything, r would be ±1 by construction and is undefined too. Under 3 tasks with
        mixed rewards there is no floor and no warning. Over 4,000 rows the floor is drawn from the
        normal limit of the shuffles, cov = Σ Sxx·Syy/(n−1) over tasks.

    Source:
        Fisher's permutation test, with the maximum over features of Westfall and Young 1993.
    """
    if shuffles < SHUFFLES:
        raise ValueError(f"shuffles must be at least {SHUFFLES}, got {shuffles}")
    index = np.asarray(rows, np.int64)
    names = _names(rollouts, features)
    y = rollouts.reward[index]
    x = np.array([_values(rollouts, name)[index] for name in names]).reshape(len(names), len(index))
    used, codes = np.unique(rollouts.task_codes[index], return_inverse=True)
    within = _Within(x, y, codes.astype(np.int64), len(used), rollouts.task_labels[used])
    observed = within.correlations()
    floor, why = _floor(within, observed, seed, shuffles)
    pooled = _pooled(x, y)
    table = {
        name: {
            "pooled": _number(pooled[place]),
            "within": _number(observed[place]),
            "floor": floor if np.isfinite(observed[place]) else None,
            "clears": bool(floor is not None and abs(observed[place]) > floor + ALMOST),
            "rows": len(index),
            "groups": len(used),
        }
        for place, name in enumerate(names)
    }
    return RewardScan(table, floor, why, len(index), len(used))


def _names(rollouts: Rollouts, features: Sequence[str]) -> list[str]:
    """Return the features to scan: the usual ones the table has, and those asked for."""
    if isinstance(features, str):
        raise ValueError(f"features must be a list of column names, got the text {features!r}")
    columns = rollouts.frame.columns
    for name in features:
        numeric = name in columns and rollouts.frame[name].dtype.kind in "iufb"
        if not numeric:
            have = [str(one) for one in columns if rollouts.frame[one].dtype.kind in "iufb"]
            raise ValueError(
                f"features must name numeric columns, got {name!r}; allowed: {', '.join(have)}"
            )
    return list(dict.fromkeys([*(n for n in SCANNED if n in columns), *features]))


def _values(rollouts: Rollouts, name: str) -> Floats:
    return rollouts.frame[name].to_numpy(np.float64)


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


class _Within:
    """Features and rewards centred by task, in an order that does not depend on the row order."""

    def __init__(
        self, x: Floats, y: Floats, codes: Ints, n_tasks: int, labels: npt.NDArray[np.object_]
    ) -> None:
        rank = np.empty(n_tasks, np.int64)
        rank[np.argsort(labels.astype(str), kind="stable")] = np.arange(n_tasks)
        codes = rank[codes]
        order = np.lexsort((y, *x, codes))
        self.codes, self.n_tasks = codes[order], n_tasks
        self.raw_y = y[order]
        self.rows = np.bincount(self.codes, minlength=n_tasks)
        self.y = centre(self.raw_y, self.codes, n_tasks)
        self.x = np.array([centre(one, self.codes, n_tasks) for one in x[:, order]])
        self.x = self.x.reshape(x.shape)
        counts = count_groups(self.codes, self.raw_y, np.ones(len(y), np.bool_), n_tasks)
        self.mixed = counts.mixed
        self.y[~self.mixed[self.codes]] = 0.0
        self.varies = np.array([self._varies(one) for one in x[:, order]], np.bool_)
        self.x[~self.varies] = 0.0
        self.sxx = (self.x**2).sum(axis=1)
        self.syy = float((self.y**2).sum())

    def _varies(self, raw: Floats) -> bool:
        """A feature varies if two rows of one mixed task differ in it, compared as given."""
        same_task = self.codes[1:] == self.codes[:-1]
        order = np.lexsort((raw, self.codes))
        differs = np.diff(raw[order]) != 0
        return bool((differs & same_task & self.mixed[self.codes[1:]]).any())

    def correlations(self) -> Floats:
        """Return r within tasks per feature, NaN where undefined."""
        informative = int(self.rows[self.mixed].sum())
        if informative < MIN_ROWS or not self.varies.any():
            return np.full(len(self.x), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            r = (self.x @ self.y) / np.sqrt(self.sxx * self.syy)
        return np.asarray(np.where(self.varies, np.clip(r, -1, 1), np.nan))


def _floor(
    within: _Within, observed: Floats, seed: int, shuffles: int
) -> tuple[float | None, str]:
    """Return the noise floor, or why there is none."""
    defined = np.isfinite(observed)
    mixed = int(within.mixed.sum())
    if mixed < MIN_MIXED_TASKS:
        tasks = "task has" if mixed == 1 else "tasks have"
        return None, f"{mixed} {tasks} mixed rewards; a noise floor needs {MIN_MIXED_TASKS}"
    if not defined.any():
        return None, "no feature varies within a task with mixed rewards"
    scale = np.sqrt(within.sxx[defined] * within.syy)
    rng = generator(seed, "shuffles")
    if len(within.y) > MANY_ROWS:
        sums = _normal_sums(within, defined, rng)
    else:
        sums = _shuffled_sums(within, defined, rng, shuffles)
    largest = np.sort(np.abs(sums / scale).max(axis=1))
    rank = int(np.ceil(0.95 * (len(largest) + 1)))
    return float(largest[rank - 1]), ""


def _shuffled_sums(
    within: _Within, defined: npt.NDArray[np.bool_], rng: np.random.Generator, shuffles: int
) -> Floats:
    """Shuffle rewards within tasks, all tasks of one size at once: shape (shuffles, features)."""
    x = within.x[defined]
    sums = np.zeros((shuffles, len(x)))
    starts = np.cumsum(within.rows) - within.rows
    for size in np.unique(within.rows[within.mixed]):
        tasks = np.flatnonzero(within.mixed & (within.rows == size))
        places = starts[tasks][:, None] + np.arange(size)
        tiled = np.broadcast_to(within.y[places], (shuffles, *places.shape)).copy()
        shuffled = rng.permuted(tiled, axis=2).reshape(shuffles, -1)
        sums += shuffled @ x[:, places.ravel()].T
    return sums


def _normal_sums(
    within: _Within, defined: npt.NDArray[np.bool_], rng: np.random.Generator
) -> Floats:
    """Draw the sums from the normal limit of the shuffles: shape (draws, features)."""
    x = within.x[defined]
    syy = np.bincount(within.codes, weights=within.y**2, minlength=within.n_tasks)
    share = syy / np.maximum(within.rows - 1, 1)
    covariance = (x * share[within.codes]) @ x.T
    spread, axes = np.linalg.eigh(covariance)
    draws = rng.standard_normal((NORMAL_DRAWS, len(x)))
    return np.asarray(draws @ (axes * np.sqrt(np.clip(spread, 0, None))).T)


def _pooled(x: Floats, y: Floats) -> Floats:
    """Return r over all rows at once, NaN where a side is constant or rows are under 3."""
    out = np.full(len(x), np.nan)
    if y.size < MIN_ROWS or y.min() == y.max():
        return out
    dy = y - y.mean()
    varies = x.min(axis=1) != x.max(axis=1)
    dx = x[varies] - x[varies].mean(axis=1, keepdims=True)
    out[varies] = (dx @ dy) / np.sqrt((dx**2).sum(axis=1) * (dy**2).sum())
    return out
