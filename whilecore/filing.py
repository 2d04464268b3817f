"""Where a few tries file a task, in the band or out of it, and where it truly belongs.

The band is a rule about true pass rates. It is applied to measured ones, of which k tries can show
only k + 1. Here is what that costs: tasks on the wrong side of an edge, and contrast thrown
away, each beside what as many tasks dropped at random would cost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from whilecore.band import band_edges, below
from whilecore.streams import uniform

if TYPE_CHECKING:
    from whilecore.agent import SeededAgent
    from whilecore.rollouts import Rollouts

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def keeps(passes: npt.ArrayLike, rows: npt.ArrayLike, band: Any) -> Bools:
    """Tell which tasks are kept: 0 < passes < rows and low ≤ passes/rows ≤ high.

    Args:
        passes: Passes per task, whole numbers; any shape that broadcasts with ``rows``.
        rows: Scored tries per task.
        band: Pass rates (low, high).

    Returns:
        True where the task is kept. Edges are kept, compared as exact fractions.

    >>> keeps(np.arange(5), 4, (0.2, 0.8)).tolist()
    [False, True, True, True, False]
    """
    low, high = band_edges(band)
    c, k = np.broadcast_arrays(np.asarray(passes, np.int64), np.asarray(rows, np.int64))
    flat_c, flat_k = c.ravel(), k.ravel()
    inside = ~below(flat_c, flat_k, low) & ~below(flat_k - flat_c, flat_k, 1 - high)
    return np.asarray(inside.reshape(c.shape) & (c > 0) & (c < k))


def truly_inside(rates: npt.ArrayLike, band: Any) -> Bools:
    """Tell which true pass rates lie in the band; a rate within 1e-12 of an edge does."""
    low, high = (float(edge) for edge in band_edges(band))
    p = np.asarray(rates, np.float64)
    return np.asarray((p >= low - 1e-12) & (p <= high + 1e-12))


def signal(k: int) -> Floats:
    """Return what a group of k tries with c passes can push: c(k − c)/k² for c = 0..k.

    The population variance of its rewards, and so the mean of (push · reward) over its tries.

    >>> signal(4).tolist()
    [0.0, 0.1875, 0.25, 0.1875, 0.0]
    """
    c = np.arange(_tries(k) + 1)
    return np.asarray(c * (k - c) / k**2)


@dataclass(frozen=True)
class BandCost:
    """What the band costs where every number of passes is equally likely.

    Attributes:
        tries: k.
        mixed: Outcomes with contrast: k − 1 of the k + 1.
        dropped: How many of them the band drops.
        signal: Share of the within-group variance that these hold, in [0, 1].
        at_random: The share that as many outcomes picked at random hold on average.
    """

    tries: int
    mixed: int
    dropped: int
    signal: float
    at_random: float


def band_cost(k: int, band: Any = (0.2, 0.8)) -> BandCost:
    """Count the mixed outcomes of k tries that the band drops, and the signal in them.

    Args:
        k: Tries per task, at least 2.
        band: Pass rates (low, high).

    Convention:
        Every count of passes from 0 to k weighs the same, as it does where true rates are spread
        evenly over 0 to 1.

    >>> cost = band_cost(8)
    >>> cost.dropped, cost.mixed, round(cost.signal, 3), round(cost.at_random, 3)
    (2, 7, 0.167, 0.286)
    """
    if k < 2:
        raise ValueError(f"k must be at least 2, got {k!r}; one try has no contrast to lose")
    held = signal(k)
    gone = ~keeps(np.arange(k + 1), k, band)
    gone[[0, k]] = False
    dropped = int(gone.sum())
    return BandCost(k, k - 1, dropped, float(held[gone].sum() / held.sum()), dropped / (k - 1))


def misfiled_chance(rates: npt.ArrayLike, k: int, band: Any = (0.2, 0.8)) -> Floats:
    """Return the chance that k tries file a task on the wrong side: kept ≠ truly inside.

    P(c of k) = C(k, c) pᶜ (1 − p)ᵏ⁻ᶜ, summed over the counts that file the task wrongly.

    Args:
        rates: True pass rates in [0, 1], any shape.
        k: Tries per task.
        band: Pass rates (low, high).

    >>> misfiled_chance([0.5, 0.9], 4).round(4).tolist()  # 1/16 + 1/16; 1 − .9⁴ − .1⁴
    [0.125, 0.3438]
    """
    p = np.asarray(rates, np.float64)[..., None]
    c = np.arange(_tries(k) + 1)
    kept = ((_ways(k) * p**c * (1 - p) ** (k - c)) * keeps(c, k, band)).sum(axis=-1)
    return np.asarray(np.where(truly_inside(rates, band), 1 - kept, kept))


def misfiled_share(k: int, band: Any = (0.2, 0.8)) -> float:
    """Return the share of tasks misfiled by k tries where true rates are spread evenly over 0 to 1.

    ∫₀¹ P(kept ≠ truly inside | p) dp, exact by
    ∫₀ˣ C(k, c) pᶜ (1 − p)ᵏ⁻ᶜ dp = P(Bin(k + 1, x) > c) / (k + 1).

    Args:
        k: Tries per task.
        band: Pass rates (low, high).

    >>> [round(misfiled_share(k), 3) for k in (4, 8, 16, 32, 64)]
    [0.262, 0.209, 0.165, 0.112, 0.079]
    """
    low, high = (float(edge) for edge in band_edges(band))
    inside = _mass_up_to(_tries(k), high) - _mass_up_to(k, low)
    kept = keeps(np.arange(k + 1), k, band)
    return float(np.where(kept, 1 / (k + 1) - inside, inside).sum())


def _mass_up_to(k: int, x: float) -> Floats:
    """Return ∫₀ˣ P(c of k | p) dp for c = 0..k."""
    j = np.arange(k + 2)
    chance = _ways(k + 1) * x**j * (1 - x) ** (k + 1 - j)
    return np.asarray(np.cumsum(chance[::-1])[::-1][1:] / (k + 1))


def _ways(k: int) -> Floats:
    """Return C(k, c) for c = 0..k."""
    return np.array([math.comb(k, c) for c in range(k + 1)], np.float64)


def _tries(k: Any) -> int:
    """Check a number of tries; beyond 1,000 the binomials leave float64."""
    whole = isinstance(k, int | np.integer) and not isinstance(k, bool)
    if not whole or not 1 <= k <= 1000:
        raise ValueError(f"k must be a whole number of tries from 1 to 1,000, got {k!r}")
    return int(k)


@dataclass(frozen=True)
class Filing:
    """Tasks as their tries file them, beside where they truly belong; arrays of one length.

    Attributes:
        labels: Names of the tasks.
        passes: Passes per task.
        rows: Scored tries per task.
        true: True pass rate per task.
        band: Pass rates (low, high).
    """

    labels: npt.NDArray[np.object_]
    passes: Ints
    rows: Ints
    true: Floats
    band: tuple[float, float]

    @property
    def kept(self) -> Bools:
        """Tasks with contrast whose measured rate lies in the band."""
        return keeps(self.passes, self.rows, self.band)

    @property
    def mixed(self) -> Bools:
        """Tasks with a pass and a fail."""
        return np.asarray((self.passes > 0) & (self.passes < self.rows))

    @property
    def dropped(self) -> Bools:
        """Mixed tasks that the band drops: what it does beyond unanimity."""
        return self.mixed & ~self.kept

    @property
    def truly(self) -> Bools:
        """Tasks whose true rate lies in the band."""
        return truly_inside(self.true, self.band)

    @property
    def misfiled(self) -> Bools:
        """Tasks that are kept and should not be, or should be and are not."""
        return np.asarray(self.kept != self.truly)


def filed(rollouts: Rollouts, band: Any = (0.2, 0.8)) -> Filing:
    """File the tasks of a simulated, graded run by 0/1 rewards.

    Args:
        rollouts: Scored rollouts with a column ``true_pass_rate``.
        band: Pass rates (low, high).

    Returns:
        One entry per task, in the order of ``rollouts.task_labels``.

    Raises:
        ValueError: If nobody knows the true rates.

    Convention:
        Only unanimity and the band are looked at: no row gate, no copies. So this counts what few
        tries do to the band, and nothing else.
    """
    if "true_pass_rate" not in rollouts.table:
        raise ValueError(
            "filing needs the column true_pass_rate, which only simulated runs have; simulate a "
            "run, or use select(mode='rl') to see what the gates do to yours"
        )
    n, scored = rollouts.n_tasks, rollouts.scored
    codes = rollouts.task_codes
    passed = scored & (np.nan_to_num(rollouts.reward) >= 0.5)
    true = np.full(n, np.nan)
    true[codes] = rollouts.table.floats("true_pass_rate")
    low, high = band_edges(band)
    return Filing(
        labels=rollouts.task_labels,
        passes=np.bincount(codes[passed], minlength=n),
        rows=np.bincount(codes[scored], minlength=n),
        true=true,
        band=(float(low), float(high)),
    )


def passes_so_far(agent: SeededAgent, seed: int, n_tasks: int, most: int) -> Ints:
    """Return the passes among a task's first 1, 2, ... tries, as ``simulate`` would draw them.

    Args:
        agent: From ``seeded_agent``.
        seed: Whole number of at least 0.
        n_tasks: Tasks.
        most: Tries per task.

    Returns:
        Whole numbers of shape (n_tasks, most); column k − 1 is what the answer key passes of k
        tries. No text is written, so this is quick enough for a hundred seeds.
    """
    rates = agent.true_pass_rates(seed, n_tasks)
    draws = uniform(seed, "agent", np.arange(n_tasks)[:, None], np.arange(most)[None, :])
    return np.cumsum(draws < rates[:, None], axis=1)


def random_pick(among: Bools, size: int, seed: int, draws: int = 1) -> Bools:
    """Pick as many as a rule picked, at random: the equal-size control of the rule.

    Args:
        among: What may be picked, shape (n,).
        size: How many are picked.
        seed: Whole number of at least 0.
        draws: How many such picks to make; the first is the same whatever their number.

    Returns:
        Bools of shape (draws, n), ``size`` of them True in every row.

    Raises:
        ValueError: If there are fewer to pick from.

    >>> pick = random_pick(np.array([True, False, True, True]), 2, seed=0)
    >>> int(pick.sum()), bool(pick[0, 1])
    (2, False)
    """
    open_to = np.asarray(among, np.bool_)
    if not 0 <= size <= open_to.sum():
        raise ValueError(f"size must be 0 to the {int(open_to.sum())} allowed, got {size}")
    luck = uniform(seed, "control", np.arange(draws)[:, None], np.arange(len(open_to))[None, :])
    order = np.argsort(np.where(open_to, luck, 2.0), axis=1, kind="stable")
    picked = np.zeros((draws, len(open_to)), np.bool_)
    np.put_along_axis(picked, order[:, :size], True, axis=1)
    return picked
