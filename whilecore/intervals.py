"""pass@1, pass@k, pass^k and headroom over tasks, each with its interval and the n it stands on.

The task is the unit: rollouts of one task share its difficulty, so 64 rows of 16 tasks are not 64
independent coins. Every interval here is one rule, `task_interval`, and every rule here has its
coverage measured in ``tests/bench/bench_intervals.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from whilecore.student_t import t_quantile

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]
Interval: TypeAlias = tuple[float, float]

Z95: Final = 1.959963984540054  # the 97.5 % point of the normal distribution


def wilson(passes: npt.ArrayLike, n: npt.ArrayLike, z: float = Z95) -> tuple[Floats, Floats]:
    """Return Wilson's interval for one rate measured on n independent tries.

    (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n), with p = passes/n.

    Args:
        passes: Number of passes, 0 to n; any shape that broadcasts with n.
        n: Number of tries.
        z: Quantile that sets the level; 1.96 gives 95 %.

    Returns:
        Lower and upper end, float64 arrays of the broadcast shape, 0 ≤ low ≤ p ≤ high ≤ 1.

    Raises:
        ValueError: If some passes are below 0 or above n.

    Convention:
        n = 0 says nothing and gives NaN. 4 of 4 gives 0.51 to 1, never a width of zero.

    Source:
        Wilson 1927. For one task; over tasks use `task_interval`.

    >>> low, high = wilson(3, 4)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.301 to 0.954
    """
    counts, tries = np.broadcast_arrays(np.asarray(passes, float), np.asarray(n, float))
    if ((counts < 0) | (counts > tries)).any():
        raise ValueError(f"passes must lie between 0 and n, got passes={passes!r} and n={n!r}")
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = counts / tries
        pull = z * z / tries
        middle = (rate + pull / 2) / (1 + pull)
        half = np.sqrt(pull * (rate * (1 - rate) + pull / 4)) / (1 + pull)
        low = np.where(counts == 0, 0.0 * rate, middle - half)  # exact ends: no 1e-17, no 0.9…9
        high = np.where(counts == tries, rate, middle + half)
    return low, high


def wilson_half_width(passes: npt.ArrayLike, n: npt.ArrayLike, z: float = Z95) -> Floats:
    """Return half the width of Wilson's interval: how firmly n tries say a rate.

    >>> print(f"{wilson_half_width(3, 4):.3f} at 4 tries, {wilson_half_width(12, 16):.3f} at 16")
    0.327 at 4 tries, 0.197 at 16
    """
    low, high = wilson(passes, n, z)
    return np.asarray((high - low) / 2)


def pass_at_k(n: npt.ArrayLike, c: npt.ArrayLike, k: npt.ArrayLike) -> Floats:
    """Return the unbiased estimate that at least one of k tries passes.

    pass@k = 1 − C(n−c, k) / C(n, k) = 1 − Π_{j<k} (n−c−j)/(n−j).

    Args:
        n: Scored tries of a task; any shapes that broadcast.
        c: Passes among them, 0 to n.
        k: Tries asked about, at least 1.

    Returns:
        float64 array of the broadcast shape, 0 to 1.

    Raises:
        ValueError: For k below 1, or c outside 0 to n.

    Convention:
        The combinatorial (unbiased) estimator, undefined (NaN) where n < k. The plug-in
        1 − (1 − c/n)^k is defined there but is biased low.

    Source:
        Chen et al. 2021, arXiv 2107.03374 §2.1; a product in place of binomial coefficients, so
        that large n does not overflow.

    >>> print(pass_at_k(4, [0, 1, 2, 4], 2))
    [0.         0.5        0.83333333 1.        ]
    """
    tries, passes, draws = _checked(n, c, k)
    return np.asarray(1 - _all_from(tries - passes, tries, draws))


def pass_pow_k(n: npt.ArrayLike, c: npt.ArrayLike, k: npt.ArrayLike) -> Floats:
    """Return the unbiased estimate that all of k tries pass.

    pass^k = C(c, k) / C(n, k) = Π_{j<k} (c−j)/(n−j).

    Args:
        n: Scored tries of a task; any shapes that broadcast.
        c: Passes among them, 0 to n.
        k: Tries asked about, at least 1.

    Returns:
        float64 array of the broadcast shape, 0 to 1.

    Raises:
        ValueError: For k below 1, or c outside 0 to n.

    Convention:
        The combinatorial (unbiased) estimator, undefined (NaN) where n < k. The plug-in (c/n)^k is
        defined there but is biased high: 3 of 4 gives 0.5625 for k = 2 where this gives 0.5.

    Source:
        τ-bench, arXiv 2406.12045.

    >>> print(pass_pow_k(4, 3, [1, 2, 4, 8]))
    [0.75 0.5  0.    nan]
    """
    tries, passes, draws = _checked(n, c, k)
    return _all_from(passes, tries, draws)


def _checked(n: npt.ArrayLike, c: npt.ArrayLike, k: npt.ArrayLike) -> list[Counts]:
    """Return n, c and k as whole-number arrays of one shape."""
    arrays = [np.asarray(value) for value in (n, c, k)]
    if any(a.dtype.kind not in "iub" and not (a == np.floor(a)).all() for a in arrays):
        raise ValueError(f"n, c and k must be whole numbers, got n={n!r}, c={c!r}, k={k!r}")
    tries, passes, draws = np.broadcast_arrays(*(a.astype(np.int64) for a in arrays))
    if (draws < 1).any():
        raise ValueError(f"k must be at least 1, got {k!r}; it counts the tries asked about")
    if ((passes < 0) | (passes > tries)).any():
        raise ValueError(f"c must lie between 0 and n, got c={c!r} and n={n!r}")
    return [tries, passes, draws]


def _all_from(marked: Counts, tries: Counts, draws: Counts) -> Floats:
    """Return C(marked, draws) / C(tries, draws): that all draws come from the marked tries."""
    j = np.arange(draws.max(initial=0))
    top = np.maximum(marked[..., None] - j, 0)
    bottom = np.maximum(tries[..., None] - j, 1)
    share = np.prod(top / bottom, axis=-1, where=j < draws[..., None])
    return np.where(draws > tries, np.nan, share)


def task_interval(values: Floats, sets: npt.ArrayLike, top: float = 1.0) -> Interval | None:
    """Return a 95 % interval for the mean of one value per task.

    m̃ = (m·nₑ + t²/2) / (nₑ + t²);  m̃ ± t·√(m̃(1−m̃) / (nₑ + t²)), cut to [0, 1], where m is the mean
    over T tasks, t the 97.5 % point of Student's t with T−1 degrees of freedom, and
    nₑ = m(1−m)·T/s² the number of independent coins that would scatter as the tasks do (s² the
    variance over tasks), held between T and T²/Σ(1/setsᵢ).

    Args:
        values: One number per task, 0 to ``top``, shape (T,).
        sets: How many separate sets of rollouts each value averages, at least 1: its scored
            rollouts for a pass rate, ⌊nᵢ/k⌋ for a k-way number. Shape (T,) or one number.
        top: Largest value a task can have.

    Returns:
        (low, high) with 0 ≤ low ≤ m ≤ high ≤ top and low < high, or None under 2 tasks.

    Convention:
        Tasks that all agree say nothing of the spread, not that there is none: nₑ is then its upper
        bound, and the width stays above zero. T²/Σ(1/setsᵢ) is Σsetsᵢ where all are equal; with
        uneven groups Σsetsᵢ would count the rows of one large group as if they told of all tasks.

    Source:
        Agresti and Coull 1998, with an effective n. Wilson's interval has the same centre and is
        shorter; with one 0/1 value per task near 0 or 1 its coverage falls below 90 %.

    >>> low, high = task_interval(np.array([1.0, 1.0, 1.0, 1.0]), 4)
    >>> print(f"{low:.2f} to {high:.2f}")
    0.56 to 1.00
    """
    tasks = len(values)
    if tasks < 2:
        return None
    mean = min(float(values.sum()) / tasks / top, 1.0)
    away = values / top - mean
    spread = float((away * away).sum()) / (tasks - 1)
    most = tasks**2 / float(np.broadcast_to(1 / np.asarray(sets, float), tasks).sum())
    coins = mean * (1 - mean) * tasks / spread if spread > 0 else most
    n = min(max(coins, tasks), most)
    t = t_quantile(0.975, tasks - 1)
    middle = (mean * n + t * t / 2) / (n + t * t)
    half = t * math.sqrt(middle * (1 - middle) / (n + t * t))
    low, high = max(middle - half, 0.0), min(middle + half, 1.0)
    return min(low, mean) * top, max(high, mean) * top


@dataclass(frozen=True)
class PassAt:
    """What a run says of the agent: pass@1, pass^k, pass@k and headroom over its tasks.

    Convention:
        ``pass_at_1`` is the mean over tasks of the task's pass rate; ``pooled`` is passes over
        rows. They differ when groups are uneven: one mixed group of 3 beside passing groups of 8
        and 4 gives 0.889 and 0.933. ``headroom`` is pass@k − pass@1 on the tasks that have both.
        Undefined numbers are NaN, missing intervals None, both printed n/a; ``reason`` says why.
    """

    pass_at_1: float
    pass_at_1_interval: Interval | None
    pass_pow_k: float
    pass_pow_k_interval: Interval | None
    pass_at_k: float
    pass_at_k_interval: Interval | None
    headroom: float
    headroom_interval: Interval | None
    k: int | None
    pooled: float
    rows: int  # scored rollouts
    n_tasks: int  # tasks with a scored rollout: what pass@1 stands on
    n_tasks_k: int  # tasks with k scored rollouts: what the k-way numbers stand on
    left_out: int  # tasks with fewer than k scored rollouts, those with none among them
    unscored_tasks: int  # tasks with no scored rollout
    reason: str

    def __str__(self) -> str:
        """Return one line: every number with its interval, then what it stands on."""
        k = "k" if self.k is None else self.k
        parts = [
            _shown("pass@1", self.pass_at_1, self.pass_at_1_interval),
            _shown(f"pass^{k}", self.pass_pow_k, self.pass_pow_k_interval),
            _shown(f"pass@{k}", self.pass_at_k, self.pass_at_k_interval),
            _shown("headroom", self.headroom, self.headroom_interval),
        ]
        stands = [f"{_groups(self.n_tasks)}, k={'n/a' if self.k is None else k}"]
        if self.unscored_tasks:
            stands.append(f"{_groups(self.unscored_tasks)} with no scored rollout left out")
        if few := self.left_out - self.unscored_tasks:
            stands.append(
                f"{_groups(few)} with fewer than {k} scored left out of the k-way numbers"
            )
        if self.reason:
            stands.append(self.reason)
        return f"{' | '.join(parts)} ({'; '.join(stands)})"


def _shown(name: str, value: float, interval: Interval | None) -> str:
    if math.isnan(value):
        return f"{name} n/a"
    ends = "n/a" if interval is None else f"{interval[0]:.2f}..{interval[1]:.2f}"
    return f"{name} {value:.2f} [{ends}]"


def _groups(count: int) -> str:
    return f"{count} group" if count == 1 else f"{count} groups"


def pass_at(
    task_codes: npt.NDArray[Any],
    passes: npt.NDArray[Any],
    scored: npt.NDArray[Any],
    n_tasks: int,
    k: int | None = None,
) -> PassAt:
    r"""Return pass@1, pass^k, pass@k and headroom of a table of rollouts.

    Args:
        task_codes: Task of each row, 0 to n_tasks − 1, shape (rows,).
        passes: Whether the row passed, bool, shape (rows,); read on scored rows only.
        scored: Whether the row has a usable reward, bool, shape (rows,).
        n_tasks: Number of tasks in the table, those without a scored row among them.
        k: Tries asked about; the commonest scored group size unless given (of two, the larger).

    Returns:
        A `PassAt`, which prints itself. The order of the rows changes nothing.

    Raises:
        ValueError: For arrays of different lengths, or k below 1.

    >>> codes = np.repeat([0, 1, 2], 4)
    >>> passed = np.array([1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0], dtype=bool)
    >>> print(str(pass_at(codes, passed, np.full(12, True), 3)).replace(" | ", "\n"))
    pass@1 0.67 [0.09..0.98]
    pass^4 0.33 [0.01..0.94]
    pass@4 1.00 [0.11..1.00]
    headroom 0.33 [0.02..0.72] (3 groups, k=4)
    """
    codes, passed, kept = np.asarray(task_codes), np.asarray(passes), np.asarray(scored, bool)
    if not codes.shape == passed.shape == kept.shape:
        raise ValueError(
            "task_codes, passes and scored must hold one entry per row, got shapes "
            f"{codes.shape}, {passed.shape} and {kept.shape}"
        )
    n = np.bincount(codes[kept], minlength=n_tasks)
    c = np.bincount(codes[kept & passed.astype(bool)], minlength=n_tasks)
    return pass_at_counts(n, c, k)


def pass_at_counts(n: Counts, c: Counts, k: int | None = None) -> PassAt:
    """Return the same as `pass_at` from n scored rollouts and c passes per task, shape (tasks,)."""
    if k is not None and (k < 1 or k != int(k)):
        raise ValueError(
            f"k must be a whole number of at least 1, got {k!r}; leave it out for the commonest "
            "group size"
        )
    order = np.lexsort((c, n))  # sums in a fixed order: shuffled rows give the same last digit
    order = order[np.searchsorted(n[order], 1) :]
    unscored = len(n) - len(order)
    n, c = n[order], c[order]
    if k is None and len(n):
        sizes = np.bincount(n)
        k = len(sizes) - 1 - int(np.argmax(sizes[::-1]))
    first = len(n) if k is None else int(np.searchsorted(n, k))
    rate = c / n
    at_k, pow_k, headroom = _k_way(n[first:], c[first:], k or 1)
    sets = n[first:] // (k or 1)
    room = 1 - 1 / (k or 1)  # pass@k ≤ k·c/n, so no task has more headroom than 1 − 1/k
    return PassAt(
        pass_at_1=_mean(rate),
        pass_at_1_interval=task_interval(rate, n),
        pass_pow_k=_mean(pow_k),
        pass_pow_k_interval=task_interval(pow_k, sets),
        pass_at_k=_mean(at_k),
        pass_at_k_interval=task_interval(at_k, sets),
        headroom=_mean(headroom),
        headroom_interval=task_interval(headroom, sets, room) if room else None,
        k=k,
        pooled=int(c.sum()) / int(n.sum()) if len(n) else math.nan,
        rows=int(n.sum()),
        n_tasks=len(n),
        n_tasks_k=len(n) - first,
        left_out=unscored + first,
        unscored_tasks=unscored,
        reason=_why_missing(len(n), len(n) - first, k),
    )


def _k_way(n: Counts, c: Counts, k: int) -> tuple[Floats, Floats, Floats]:
    """Return pass@k, pass^k and headroom of each task; every n is at least k."""
    rate, pow_k = c / n, pass_pow_k(n, c, k)
    at_k = np.maximum(pass_at_k(n, c, k), rate)  # k tries pass no less often than one: rounding
    return at_k, pow_k, at_k - rate


def _mean(values: Floats) -> float:
    return float(values.sum()) / len(values) if len(values) else math.nan


def _why_missing(tasks: int, tasks_k: int, k: int | None) -> str:
    """Return why a number or an interval is missing, or an empty text."""
    if k is None:
        return "no rollout is scored"
    if tasks < 2:
        return f"an interval over tasks needs at least 2 scored tasks, got {tasks}"
    if tasks_k < 2:
        return f"the {k}-way intervals need at least 2 tasks with {k} scored, got {tasks_k}"
    return "at k=1 headroom is 0 by definition" if k == 1 else ""
