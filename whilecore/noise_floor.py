"""How large a correlation luck alone makes: shuffle the rewards within each task and look.

The largest |r| over all features of a shuffle is what a warning must beat, so that scanning seven
features is not seven chances of a false alarm.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from whilecore.streams import generator, label_keys

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

MANY_ROWS: Final = 4000
KEPT_ROWS: Final = 1024
"""Orders for so many rows are kept for the next scan: 2 MB at most, 64 of them."""
NORMAL_DRAWS: Final = 9999
MIN_MIXED_TASKS: Final = 3
MIN_ROWS: Final = 3
MIN_DEALS: Final = 40
"""Of fewer deals of the rewards, the largest |r| and its mirror image are over 5 % already."""


def by_task(
    x: Floats, y: Floats, codes: Ints, labels: npt.NDArray[np.object_]
) -> tuple[Ints, Ints]:
    """Return an order that puts task beside task, and where each of them starts.

    Up to ``MANY_ROWS`` rows it depends on labels and values alone, so that the order of the file
    changes no shuffle.
    """
    if len(y) > MANY_ROWS:
        order = np.argsort(codes, kind="stable")
    else:
        used, place = np.unique(codes, return_inverse=True)
        order = np.lexsort((y, *x, codes, label_keys(labels[used])[place]))
    return order, np.flatnonzero(np.diff(codes[order], prepend=-1))


class Centred:
    """Features and rewards about the mean of their task; rows lie task beside task."""

    def __init__(self, x: Floats, y: Floats, order: Ints, starts: Ints) -> None:
        """Centre features x of shape (features, rows) and rewards y, put in order first."""
        self.starts = starts
        self.rows = np.diff(starts, append=len(y))
        x, y = x[:, order], y[order]
        self.mixed = self._spread(y)
        self.moving = self.mixed & self._spread(x).any(axis=0)  # where a shuffle can change r
        self.informative = int(self.rows[self.mixed].sum())
        self.varies = np.any(self._spread(x) & self.mixed, axis=1)
        self.y = np.where(np.repeat(self.mixed, self.rows), self._about_mean(y), 0.0)
        self.x = np.where(self.varies[:, None], self._about_mean(x), 0.0)
        self.sxx = (self.x**2).sum(axis=1)
        self.syy = float((self.y**2).sum())

    def _spread(self, values: Floats) -> Bools:
        """Tell which tasks hold two different values, compared as given."""
        if not values.shape[-1]:
            return np.zeros((*values.shape[:-1], 0), np.bool_)
        lowest = np.minimum.reduceat(values, self.starts, axis=-1)
        return np.asarray(lowest != np.maximum.reduceat(values, self.starts, axis=-1))

    def _about_mean(self, values: Floats) -> Floats:
        """Centre by task, scaled to at most 1: r does not see the scale, squares overflow."""
        if not values.size:
            return values
        values = values / _largest(values)
        means = np.add.reduceat(values, self.starts, axis=-1) / self.rows
        centred = values - np.repeat(means, self.rows, axis=-1)
        return np.asarray(centred / _largest(centred))

    def correlations(self) -> Floats:
        """Return r within tasks per feature, NaN where undefined."""
        if self.informative < MIN_ROWS:
            return np.full(len(self.x), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            r = (self.x @ self.y) / np.sqrt(self.sxx * self.syy)
        return np.asarray(np.where(self.varies, np.clip(r, -1, 1), np.nan))


def _largest(values: Floats) -> Floats:
    """Return the largest size along the rows, 1 where all are 0."""
    size = np.abs(values).max(axis=-1, keepdims=True)
    return np.where(size == 0, 1.0, size)


def noise_floor(
    within: Centred, observed: Floats, seed: int, shuffles: int
) -> tuple[float | None, str]:
    """Return the noise floor, or why there is none.

    Args:
        within: The rows.
        observed: r within tasks per feature, NaN where undefined.
        seed: For the shuffles.
        shuffles: How many.

    Convention:
        No floor under 3 tasks with mixed rewards, nor where the rewards can be dealt out in fewer
        than 40 ways: two of them (the best and its mirror image) are then over 5 % of all, so no
        correlation, however strong, could clear a 95 % floor. Three tasks of two rows have 8.
    """
    defined = np.isfinite(observed)
    mixed = int(within.mixed.sum())
    if mixed < MIN_MIXED_TASKS:
        tasks = "task has" if mixed == 1 else "tasks have"
        return None, f"{mixed} {tasks} mixed rewards; a noise floor needs {MIN_MIXED_TASKS}"
    if not defined.any():
        return None, "no feature varies within a task with mixed rewards"
    moving = int(within.moving.sum())
    if (ways := deals(within)) < MIN_DEALS:
        tasks = "task" if moving == 1 else "tasks"
        return None, (
            f"too few to tell: the rewards of {moving} {tasks} can be dealt out in {ways:.0f} "
            f"ways, and a 95 % floor needs {MIN_DEALS}"
        )
    scale = np.sqrt(within.sxx[defined] * within.syy)
    if len(within.y) > MANY_ROWS:
        sums = _normal_sums(within, defined, seed)
    else:
        sums = _shuffled_sums(within, defined, seed, shuffles)
    largest = np.sort(np.abs(sums / scale).max(axis=1))
    rank = int(np.ceil(0.95 * (len(largest) + 1)))
    return float(largest[rank - 1]), ""


def deals(within: Centred) -> float:
    """Return in how many ways the rewards can be dealt out within their tasks.

    Π n! / Π m! over the tasks in which a shuffle can change r, with n the rows of a task and m the
    rows of each different reward in it (for rewards of 0 and 1 the binomial of rows over passes),
    added up as logarithms; infinite where it is too large to be told.

    >>> import numpy as np
    >>> codes = np.repeat([0, 1, 2], 2)  # three tasks of two rows: 2³
    >>> order, starts = np.arange(6), np.arange(0, 6, 2)
    >>> rewards, lengths = np.array([0.0, 1] * 3), np.arange(6.0)[None, :]
    >>> round(deals(Centred(lengths, rewards, order, starts)))
    8
    """
    tasks = np.flatnonzero(within.moving)
    if len(tasks) >= np.log2(MIN_DEALS):  # every one of them has two at least
        return np.inf
    total = 0.0
    for task in tasks.tolist():
        start, n = within.starts[task], within.rows[task]
        _, equal = np.unique(within.y[start : start + n], return_counts=True)
        total += math.lgamma(n + 1) - sum(math.lgamma(m + 1) for m in equal.tolist())
    return math.exp(total) if total < 700 else math.inf


def _shuffled_sums(within: Centred, defined: Bools, seed: int, shuffles: int) -> Floats:
    """Shuffle rewards within tasks, all tasks of one size at once: shape (shuffles, features)."""
    x = within.x[defined]
    sums = np.zeros((shuffles, len(x)))
    for size in np.unique(within.rows[within.mixed]).tolist():
        starts = within.starts[within.mixed & (within.rows == size)]
        places = starts[:, None] + np.arange(size)
        orders = _orders(seed, size, len(starts), shuffles)
        shuffled = within.y[places].ravel()[orders]
        sums += np.matmul(shuffled, x[:, places].transpose(1, 2, 0)).sum(axis=0)
    return sums


def shuffled_places(within: Centred, seed: int, shuffles: int) -> Ints:
    """Return whose reward each row gets in each shuffle of the noise floor.

    Args:
        within: The rows, task beside task.
        seed: For the shuffles.
        shuffles: How many.

    Returns:
        Positions of shape (shuffles, rows); in every shuffle a task's rows swap among themselves.
        A task whose rewards agree stays as it is.
    """
    places = np.tile(np.arange(len(within.y)), (shuffles, 1))
    for size in np.unique(within.rows[within.mixed]).tolist():
        starts = within.starts[within.mixed & (within.rows == size)]
        mine = (starts[:, None] + np.arange(size)).ravel()
        orders = _orders(seed, size, len(starts), shuffles)
        places[:, mine] = mine[orders.transpose(1, 0, 2).reshape(shuffles, -1)]
    return places


def _orders(seed: int, size: int, tasks: int, shuffles: int) -> npt.NDArray[np.int16]:
    """Return orders of the rows of ``tasks`` tasks of one size: shape (tasks, shuffles, size).

    A task's orders depend on its place among those of its size, not on how many there are: a
    slider that adds a task reshuffles nobody, and orders once drawn can be kept.
    """
    rounded = 1 << (tasks - 1).bit_length()
    if rounded * size > KEPT_ROWS:
        return _draw_orders(seed, size, tasks, shuffles)
    return _kept_orders(seed, size, rounded, shuffles)[:tasks]


def _draw_orders(seed: int, size: int, tasks: int, shuffles: int) -> npt.NDArray[np.int16]:
    """Draw the orders, task after task; entry [t, b, j] is a place in the rows of all tasks."""
    orders = np.empty((tasks, shuffles, size), np.int16)
    orders[...] = np.arange(size)
    generator(seed, "shuffles", size).permuted(orders, axis=2, out=orders)
    orders += (size * np.arange(tasks, dtype=np.int16))[:, None, None]
    return orders


_kept_orders = lru_cache(maxsize=64)(_draw_orders)


def _normal_sums(within: Centred, defined: Bools, seed: int) -> Floats:
    """Draw the sums from the normal limit of the shuffles: shape (draws, features)."""
    x = within.x[defined]
    share = np.add.reduceat(within.y**2, within.starts) / np.maximum(within.rows - 1, 1)
    covariance = (x * np.repeat(share, within.rows)) @ x.T
    spread, axes = np.linalg.eigh(covariance)
    root = (axes * np.sqrt(np.clip(spread, 0, None))) @ axes.T  # the symmetric one has no signs
    draws = generator(seed, "shuffles").standard_normal((NORMAL_DRAWS, len(x)))
    return np.asarray(draws @ root)
