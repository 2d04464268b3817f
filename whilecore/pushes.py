"""The push a group gives to each behaviour: as drawn, and as expected.

A group of k tries is a count of each behaviour. The update of a logit sums, over the tries, their
advantage times the score ∇log π; all that needs is w_b = (tries of behaviour b)·A_b/k.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from whilecore.groups import ADVANTAGES

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def group_pushes(counts: npt.ArrayLike, rewards: npt.ArrayLike, how: str = "centred") -> Floats:
    """Return the push of a group on each of its behaviours.

    w_b = c_b·A_b / k,  with A_b = r_b − r̄ (centred), (r_b − r̄)/σ (spread) or
    k/(k−1)·(r_b − r̄) (leave_one_out)

    Args:
        counts: Tries of each behaviour, whole numbers, shape (behaviours, ...).
        rewards: What the judge pays for each behaviour, shape (behaviours,).
        how: One of ``groups.ADVANTAGES``.

    Returns:
        float64, shape of ``counts``. Sums to zero over the behaviours, up to rounding; exactly 0
        for a silent group, one whose tries all got the same reward.

    Raises:
        ValueError: If there are not at least two tries per group, or for an unknown ``how``.

    Convention:
        σ is the population spread, ε is 0, a silent group gets 0: see `groups.advantages`, which
        does the same try by try.

    >>> group_pushes([3, 1], [1, 0])  # three passes at +0.25, one fail at −0.75, over 4
    array([ 0.1875, -0.1875])
    """
    table, pay, k = _checked(counts, rewards, how)
    away = pay - (pay * table).sum(0) / k
    push = table * away / k
    with np.errstate(divide="ignore", invalid="ignore"):
        if how == "spread":
            push = push / np.sqrt((push * away).sum(0))
        elif how == "leave_one_out":
            push = push * (k / (k - 1))
        return np.where(live_groups(table, pay), push, 0.0)


def live_groups(counts: npt.ArrayLike, rewards: npt.ArrayLike) -> Bools:
    """Tell which groups hold at least two different rewards.

    >>> live_groups([[3, 4], [1, 0]], [1, 0])
    array([ True, False])
    """
    table, pay = np.asarray(counts), np.asarray(rewards, np.float64)
    pay = pay.reshape(-1, *(1,) * (table.ndim - 1))
    present = table > 0
    low = np.where(present, pay, np.inf).min(0)
    return np.asarray(low < np.where(present, pay, -np.inf).max(0))


def live_chance(chances: npt.ArrayLike, rewards: npt.ArrayLike, k: int) -> Floats:
    """Return the chance that k tries do not all get the same reward.

    1 − Σ_levels P(level)ᵏ, where a level is one value of the reward.

    >>> round(float(live_chance([0.65, 0.35], [1, 0], 4)), 3)
    0.806
    """
    pi, pay = np.asarray(chances, np.float64), np.asarray(rewards, np.float64)
    silent = np.zeros(pi.shape[1:])
    for level in sorted(set(pay.tolist())):
        silent += _power(pi[pay == level].sum(0), k)
    return np.asarray(1 - silent)


def _power(x: Floats, k: int) -> Floats:
    """Return xᵏ by squaring: for whole k several times faster than ``x**k`` on arrays."""
    if k == 1:
        return x
    half = _power(x, k // 2)
    return half * half * x if k % 2 else half * half


def expected_pushes(
    chances: npt.ArrayLike, rewards: npt.ArrayLike, k: int, how: str = "centred"
) -> Floats:
    """Return the mean of `group_pushes` over groups of k independent tries: no sampling.

    centred:        E w_b = (k−1)/k · π_b·(r_b − Σ π·r)
    leave_one_out:  E w_b = π_b·(r_b − Σ π·r)
    spread:         the sum over all ways to draw the group

    Args:
        chances: Chance of each behaviour, shape (behaviours, ...), summing to 1.
        rewards: What the judge pays for each, shape (behaviours,).
        k: Tries per group, at least 2.
        how: One of ``groups.ADVANTAGES``.

    Returns:
        float64, shape of ``chances``. With right and wrong paid 1 and 0 the centred push on right
        is p(1−p)(k−1)/k, the expected variance of the group.

    Raises:
        ValueError: For k below 2 or an unknown ``how``.

    Convention:
        The spread's sum has C(k + behaviours − 1, behaviours − 1) terms: k + 1 for two behaviours,
        but 6,545 for four at k = 32.

    >>> expected_pushes([0.65, 0.35], [1, 0], 4)  # .65·.35·3/4 = .1706
    array([ 0.170625, -0.170625])
    """
    if k < 2 or k != int(k):
        raise ValueError(f"k must be a whole number of at least 2, got {k!r}; {ALONE}")
    _check_how(how)
    pi, pay = np.asarray(chances, np.float64), np.asarray(rewards, np.float64)
    if how != "spread":
        each = pay.reshape(-1, *(1,) * (pi.ndim - 1))
        push = pi * (each - (each * pi).sum(0))
        push *= (k - 1) / k if how == "centred" else 1.0
        return np.asarray(push)
    ways, log_number = _compositions(int(k), len(pi))
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(pi), -1e300)  # an impossible behaviour drawn 0 times counts 0
    odds = np.exp(np.tensordot(ways.T, logs, 1).T + log_number)
    return np.asarray(np.tensordot(group_pushes(ways, pay, how), odds.T, 1))


ALONE = "a lone rollout has no siblings to be compared with"


@lru_cache(maxsize=64)
def _compositions(k: int, parts: int) -> tuple[Floats, Floats]:
    """Return all ways to split k tries over behaviours, and the log of how often each arises."""
    grid = np.indices((k + 1,) * (parts - 1)).reshape(parts - 1, -1)
    grid = grid[:, grid.sum(0) <= k]
    ways = np.vstack([grid, k - grid.sum(0)]).astype(np.float64)
    log_factorial = np.array([math.lgamma(n + 1) for n in range(k + 1)])
    return ways, log_factorial[k] - log_factorial[ways.astype(np.int64)].sum(0)


@lru_cache(maxsize=64)
def push_table(pay: tuple[float, ...], k: int, how: str) -> tuple[Floats, Bools]:
    """Return the pushes of every group of k tries, to look up in place of computing them again.

    Args:
        pay: Reward of each behaviour.
        k: Tries per group.
        how: One of ``groups.ADVANTAGES``.

    Returns:
        Pushes, shape (behaviours, (k+1)^(behaviours−1)), and whether the group is live. A group
        stands at Σ_j n_j·(k+1)^j, where n_j is how many tries fell on behaviours 0 to j,
        j = 0 .. behaviours − 2. Entries that no group has are 0.
    """
    below = np.indices((k + 1,) * (len(pay) - 1)).reshape(len(pay) - 1, -1)[::-1]
    counts = np.diff(below, axis=0, prepend=0, append=k)
    possible = (counts >= 0).all(0)
    pushes, live = np.zeros(counts.shape), np.zeros(counts.shape[1], np.bool_)
    pushes[:, possible] = group_pushes(counts[:, possible], pay, how)
    live[possible] = live_groups(counts[:, possible], pay)
    pushes.flags.writeable = live.flags.writeable = False
    return pushes, live


def _check_how(how: str) -> None:
    if how not in ADVANTAGES:
        raise ValueError(f"how must be one of {', '.join(ADVANTAGES)}, got {how!r}")


def _checked(
    counts: npt.ArrayLike, rewards: npt.ArrayLike, how: str
) -> tuple[Floats, Floats, Floats]:
    """Check and return counts, rewards and the size of each group."""
    _check_how(how)
    table, pay = np.asarray(counts, np.float64), np.asarray(rewards, np.float64)
    if table.shape[:1] != pay.shape:
        raise ValueError(
            "counts must hold one row per reward, shape (behaviours, ...), got shapes "
            f"{table.shape} and {pay.shape}"
        )
    pay = pay.reshape(-1, *(1,) * (table.ndim - 1))
    k = table.sum(0)
    if not (k >= 2).all():
        raise ValueError(f"every group must hold at least 2 tries, got {k.min():g}; {ALONE}")
    return table, pay, k
