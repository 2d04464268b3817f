"""What a full batch of live groups costs: silent groups are thrown away and drawn again.

DAPO keeps a group only if some of its tries passed and some failed, and samples until the batch is
full. How long that takes depends on the true pass rate and on k; nothing promises that it ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore import pools
from whilecore.groups import unanimous_probability
from whilecore.streams import check_seed, uniform

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

AT_ONCE: Final = 320  # groups drawn in one go: fewer, larger arrays


def live_share(p: npt.ArrayLike, k: npt.ArrayLike) -> Floats:
    """Return the chance that k tries of one task do not all agree: 1 − pᵏ − (1−p)ᵏ.

    Args:
        p: True pass rate, in [0, 1]; any shape.
        k: Tries, whole number ≥ 1; broadcasts with ``p``.

    Returns:
        float64 of the broadcast shape, in [0, 1).

    Convention:
        Over several tasks average this, and only then divide: see `refill_factor`.

    >>> print(live_share([0.02, 0.002], 8).round(4))
    [0.1492 0.0159]
    """
    return np.asarray(1 - unanimous_probability(p, k))


def refill_factor(p: npt.ArrayLike, k: npt.ArrayLike) -> Floats:
    """Return the groups to draw for one live group: 1 / (1 − pᵏ − (1−p)ᵏ).

    Args:
        p: True pass rate, in [0, 1]; any shape.
        k: Tries, whole number ≥ 1; broadcasts with ``p``.

    Returns:
        float64 of the broadcast shape, at least 1; ∞ where no group is ever live (p of 0 or 1,
        k of 1).

    Convention:
        For one pass rate. Where groups come from tasks of different rates the factor is one over
        the mean live share, not the mean of the factors.

    Source:
        Yu et al. 2025 (DAPO), arXiv:2503.14476 eq. 11: 0 < passes < k. The mean of a geometric
        distribution.

    >>> print(refill_factor(0.95, [4, 8, 16]).round(2))
    [5.39 2.97 1.79]
    """
    with np.errstate(divide="ignore"):
        return np.asarray(1 / live_share(p, k))


def rollouts_per_live_group(p: npt.ArrayLike, k: npt.ArrayLike) -> Floats:
    """Return the rollouts one live group costs: k / (1 − pᵏ − (1−p)ᵏ).

    Convention:
        Smallest at k = 2 or k = 3, whatever p: a small group is cheap, not good. Its pass rate is
        known least.

    >>> print(rollouts_per_live_group(0.95, [4, 8, 16]).round(1))
    [21.6 23.8 28.6]
    """
    return np.asarray(np.asarray(k, np.float64) * refill_factor(p, k))


def expected_draws(share: npt.ArrayLike, batch: int = 1, per_draw: int | None = None) -> Floats:
    """Return how many draws fill a batch on average, if parts of a draw counted: B / (D·share).

    Args:
        share: Live share of the groups drawn, in [0, 1].
        batch: Live groups wanted, B.
        per_draw: Groups per draw, D; as many as the batch holds unless given.

    Returns:
        float64, the shape of ``share``; ∞ for a share of 0.

    Convention:
        Whole draws take up to one more. A limit on draws below this number is mostly reached:
        see `chance_full`.

    >>> print(expected_draws(live_share([0.02, 0.002], 8)).round(1))
    [ 6.7 62.9]
    """
    wanted, size = _sizes(batch, per_draw)
    with np.errstate(divide="ignore"):
        return np.asarray(wanted / size / np.asarray(share, np.float64))


def chance_full(share: float, batch: int, limit: int, per_draw: int | None = None) -> float:
    """Return the chance that a batch is full after at most so many draws.

    P(X ≥ B) for X binomial with limit·D tries and the live share as its rate

    Args:
        share: Live share of the groups drawn, in [0, 1].
        batch: Live groups wanted, B.
        limit: Draws allowed, at least 1.
        per_draw: Groups per draw, D; as many as the batch holds unless given.

    Returns:
        Probability in [0, 1].

    >>> f"{chance_full(0.1492, 32, 10):.3f} {chance_full(0.0159, 32, 10):.1e}"
    '0.996 3.6e-16'
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share must lie in [0, 1], got {share!r}")
    wanted, size = _sizes(batch, per_draw)
    odds = np.zeros(wanted + 1)  # of 0, 1, ... live groups so far; the last: full
    odds[0] = 1.0
    for _ in range(size * _whole(limit, "limit")):
        moved = share * odds[:-1]
        odds[:-1] -= moved
        odds[1:] += moved
    return float(odds[-1])


@dataclass(frozen=True)
class Fill:
    """One batch being filled. Arrays have one entry per group drawn, in the order drawn.

    Attributes:
        batch: Live groups wanted.
        limit: Draws allowed.
        k: Tries per group.
        draw: The draw a group came in, from 0.
        task: Its task.
        passes: How many of its k tries passed.
        live: Whether they did not all agree.
        used: Whether it is in the batch; live groups over the batch size are thrown away.
    """

    batch: int
    limit: int
    k: int
    draw: Ints = field(repr=False)
    task: Ints = field(repr=False)
    passes: Ints = field(repr=False)
    live: Bools = field(repr=False)
    used: Bools = field(repr=False)

    @property
    def draws(self) -> int:
        """Draws made."""
        return int(self.draw[-1]) + 1

    @property
    def full(self) -> bool:
        """Whether the batch is full."""
        return int(self.used.sum()) == self.batch

    @property
    def rollouts(self) -> int:
        """Rollouts spent, those of silent groups included."""
        return self.k * len(self.task)

    def __str__(self) -> str:
        """Return what it took, or that it was not enough."""
        used, groups = int(self.used.sum()), len(self.task)
        cost = f"{groups:,} groups, {self.rollouts:,} rollouts"
        times = f"{self.draws} draw" + "s" * (self.draws > 1)
        if self.full:
            return f"full: {used} live groups after {times} ({cost})"
        return (
            f"not full: {used} of {self.batch} live groups after {times}, the limit ({cost}); "
            "raise k, leave out tasks that always or never pass, or take a smaller batch"
        )


def fill_batch(
    rates: npt.ArrayLike,
    k: int = 8,
    batch: int = 32,
    *,
    per_draw: int | None = None,
    limit: int = 10,
    seed: int = 0,
) -> Fill:
    """Draw groups until a batch of live ones is full or the limit is reached.

    Args:
        rates: True pass rate of each task, shape (tasks,); each group is of a task drawn from
            them, with replacement.
        k: Tries per group, at least 2.
        batch: Live groups wanted.
        per_draw: Groups per draw; as many as the batch holds unless given.
        limit: Draws allowed.
        seed: Whole number of at least 0.

    Returns:
        Every group drawn. Raising k, the limit or the batch's size leaves the first groups'
        tasks and first tries as they were.

    Raises:
        ValueError: For rates outside [0, 1], or a count that is too small.

    Convention:
        A draw is made whole, as trainers do: the groups left over when the batch is full have
        been paid for. A batch that is not full is returned, and says so; trainers raise an error.

    Source:
        Yu et al. 2025 (DAPO), arXiv:2503.14476 §3.2 (dynamic sampling).

    >>> print(fill_batch([0.95], k=8, batch=32, seed=0))
    full: 32 live groups after 4 draws (128 groups, 1,024 rollouts)
    """
    p = np.atleast_1d(np.asarray(rates, np.float64))
    if p.ndim != 1 or not p.size or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"rates must be pass rates in [0, 1], one per task, got {rates!r}")
    if _whole(k, "k") < 2:
        raise ValueError(f"k must be at least 2, got {k}; a lone rollout agrees with itself")
    wanted, size = _sizes(batch, per_draw)
    check_seed(seed)
    parts: list[tuple[Ints, Ints, Bools]] = []
    most, drawn = size * _whole(limit, "limit"), 0
    first = size * -(-AT_ONCE // size)  # whole draws
    while drawn < most and sum(int(live.sum()) for _, _, live in parts) < wanted:
        more = min(most, max(2 * drawn, first))
        parts.append(_groups(p, k, np.arange(drawn, more), seed))
        drawn = more
    task = np.concatenate([part[0] for part in parts])
    passes = np.concatenate([part[1] for part in parts])
    live = np.concatenate([part[2] for part in parts])
    so_far = np.cumsum(live)
    end = size * (int(np.searchsorted(so_far, wanted)) // size + 1)  # the last draw is made whole
    used = live & (so_far <= wanted)
    draw = np.arange(min(end, most)) // size
    return Fill(wanted, limit, k, draw, task[:end], passes[:end], live[:end], used[:end])


def _groups(p: Floats, k: int, group: Ints, seed: int) -> tuple[Ints, Ints, Bools]:
    """Draw groups by their numbers: the task of each, its passes, and whether it is live."""
    task = (uniform(seed, "asks", pools.FILLING, group) * len(p)).astype(np.int64)
    tries = uniform(seed, "agent", pools.FILLING, group, np.arange(k)[:, None])
    passes = (tries < p[task]).sum(0)
    return task, passes, (passes > 0) & (passes < k)


def _sizes(batch: int, per_draw: int | None) -> tuple[int, int]:
    """Return the groups wanted and the groups per draw."""
    wanted = _whole(batch, "batch")
    return wanted, wanted if per_draw is None else _whole(per_draw, "per_draw")


def _whole(count: Any, name: str) -> int:
    """Check a count of groups, draws or tries."""
    if isinstance(count, bool) or count != int(count) or count < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {count!r}")
    return int(count)
