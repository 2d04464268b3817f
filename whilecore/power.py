"""How many held-out tasks it takes to show a gain, and how much two equal runs differ by luck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import numpy as np

from whilecore.student_t import t_quantile

LEVEL: Final = 0.975  # upper end of a 95 % interval
LEAST: Final = 1e-9  # gain that is taken for one
POWER: Final = 0.8  # share of comparisons that show the change


def tasks_needed(gain: float, base: float, k: int = 1) -> int:
    """Return how many held-out tasks it takes to show a gain in 4 of 5 comparisons.

    ⌈(z₀.₉₇₅ + z₀.₈)²·[p(1−p) + q(1−q)] / (k·gain²)⌉,  p = base, q = base + gain

    Args:
        gain: Change of the pass rate to be shown, not 0; negative for a loss.
        base: Pass rate before, in [0, 1].
        k: Tries per task in each of the two runs, at least 1.

    Returns:
        Whole number of at least 2: under 2 tasks there is no interval.

    Raises:
        ValueError: For a gain of (nearly) 0, a rate outside [0, 1], or k below 1.

    Convention:
        Both runs try the same tasks, and every task moves alike, so that pairing leaves only the
        luck of the draw. Where tasks differ in how hard they are, that luck is smaller and fewer
        do; where they move by different amounts, more tries per task do not replace tasks.

    Source:
        Miller 2024, arXiv:2411.00640 §5 (power), for equal tasks.

    >>> tasks_needed(0.10, 0.6, k=4)
    89
    """
    if not 1 <= k < math.inf or k != int(k):
        raise ValueError(f"k must be a whole number of at least 1, got {k!r}")
    if not (0 <= base <= 1 and -1e-12 <= base + gain <= 1 + 1e-12):
        raise ValueError(
            f"base and base + gain must be pass rates in [0, 1], got {base!r} and "
            f"{base + gain!r}; ask for a gain that is possible"
        )
    if abs(gain) < LEAST:
        raise ValueError(
            f"gain must not be 0, or nearer to it than {LEAST:g}, got {gain!r}; no number of tasks "
            "shows that nothing moved"
        )
    q = min(max(base + gain, 0.0), 1.0)
    z = NormalDist().inv_cdf(LEVEL) + NormalDist().inv_cdf(POWER)
    needed = z**2 * (base * (1 - base) + q * (1 - q)) / (k * gain**2)
    return max(2, math.ceil(needed * (1 - 1e-12)))


def smallest_gain(tasks: int, base: float, k: int = 1) -> float:
    """Return the smallest gain that so many tasks show in 4 of 5 comparisons.

    The gain at which `tasks_needed` is ``tasks``; by halving.

    Returns:
        Above 0; NaN if even a rise to 1 would need more tasks.

    Raises:
        ValueError: For tasks below 2, a base outside [0, 1), or k below 1.

    >>> f"{smallest_gain(89, 0.6, k=4):.3f}"
    '0.100'
    """
    if not 2 <= tasks < math.inf or tasks != int(tasks):
        raise ValueError(f"tasks must be a whole number of at least 2, got {tasks!r}")
    if not 0 <= base < 1:
        raise ValueError(f"base must lie in [0, 1), got {base!r}; from 1 nothing rises")
    low, high = 0.0, 1.0 - base
    if tasks_needed(high, base, k) > tasks:
        return math.nan
    for _ in range(60):
        middle = (low + high) / 2
        if middle >= LEAST and tasks_needed(middle, base, k) <= tasks:
            high = middle
        else:
            low = middle
    return high


def noise_floor(scores: Sequence[float]) -> float:
    """Return the difference that two runs of the same thing stay under 19 times out of 20.

    t·s·√2, with s the standard deviation of R repeated runs and R − 1 degrees of freedom

    Args:
        scores: One score per repetition: same policy, same tasks, drawn afresh. At least 2.

    Returns:
        A difference, at least 0. Few repetitions make it large: t is 12.7 at 2, 2.3 at 10.

    Raises:
        ValueError: For fewer than 2 scores.

    Convention:
        It holds the luck of the tries alone, since the tasks are the same. That other tasks would
        have given another score is not in it; `compare` has both.

    >>> round(noise_floor([0.60, 0.62, 0.61, 0.65, 0.62]), 3)
    0.073
    """
    values = np.asarray(scores, np.float64)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(f"scores must be at least 2 numbers, one per repeated run, got {scores!r}")
    return t_quantile(LEVEL, len(values) - 1) * float(values.std(ddof=1)) * math.sqrt(2)
