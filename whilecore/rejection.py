"""Rejection sampling: what SFT copies when it keeps one completion per task.

Best of n is a choice only if the judge ranks. With a 0/1 judge all passes tie, so the best of n is
a random pick among the passes: a filter. A random pick among all completions is its control.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

from whilecore.gates import choice
from whilecore.streams import check_seed, uniform
from whilecore.world import standard_normal

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

JUDGES: Final = ("pass or fail", "graded")
RULES: Final = ("best of n", "random pass", "random of all")
STORED: Final = 50_000  # completions whose draws are kept


def at_least_one(p: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Return the chance that at least one of n completions passes: 1 − (1−p)ⁿ.

    Args:
        p: True pass rate, in [0, 1]; any shape.
        n: Completions, whole numbers of at least 0; broadcasts with ``p``.

    Returns:
        float64 of the broadcast shape, in [0, 1].

    Raises:
        ValueError: If p leaves [0, 1] or n is below 0.

    Convention:
        For a known p. Put a *measured* rate in and the result is biased low: see
        `intervals.pass_at_k`.

    >>> print(at_least_one(0.1, [4, 10, 16, 30]).round(2))
    [0.34 0.65 0.81 0.96]
    """
    rate, draws = np.asarray(p, np.float64), np.asarray(n, np.float64)
    if not ((rate >= 0) & (rate <= 1)).all():
        raise ValueError(f"p must lie in [0, 1], got {p!r}")
    if not ((draws >= 0) & (draws == np.floor(draws))).all():
        raise ValueError(f"n must be a whole number of at least 0, got {n!r}")
    return np.asarray(1 - (1 - rate) ** draws)


def right_among_passes(p: npt.ArrayLike, flip: npt.ArrayLike) -> Floats:
    """Return the share of right completions among those a judge passes.

    p·(1−f) / (p·(1−f) + (1−p)·f)

    Args:
        p: True pass rate, in [0, 1]; any shape.
        flip: f, the share of verdicts the judge gets wrong, in [0, 1]; broadcasts with ``p``.

    Returns:
        float64 of the broadcast shape; NaN where nothing passes.

    Convention:
        The judge errs alike on right and wrong completions. On hard tasks most passes are then
        wrong: p = 0.1 and f = 0.1 give a half.

    Source:
        Bayes' rule.

    >>> print(right_among_passes([0.1, 0.5, 0.9], 0.1).round(2))
    [0.5  0.9  0.99]
    """
    rate, wrong = np.asarray(p, np.float64), np.asarray(flip, np.float64)
    if not ((rate >= 0) & (rate <= 1)).all() or not ((wrong >= 0) & (wrong <= 1)).all():
        raise ValueError(f"p and flip must lie in [0, 1], got {p!r} and {flip!r}")
    right = rate * (1 - wrong)
    passed = right + (1 - rate) * wrong
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(passed > 0, right / np.where(passed > 0, passed, 1.0), np.nan)


def expected_best(n: int, noise: float = 0.0) -> float:
    """Return how much better the best of n is than a random one, in spreads of the quality.

    E max(z₁..zₙ) / √(1 + noise²),  z standard normal

    Args:
        n: Completions, at least 1.
        noise: Spread of the judge's error, in spreads of the quality, at least 0.

    Returns:
        0 for n = 1; grows slower and slower with n.

    Raises:
        ValueError: For n below 1 or noise below 0.

    Source:
        The mean of the largest of n normals (numerically); the regression of quality on score.

    >>> [round(expected_best(n), 2) for n in (2, 4, 10, 30)]
    [0.56, 1.03, 1.54, 2.04]
    """
    if n < 1 or n != int(n):
        raise ValueError(f"n must be a whole number of at least 1, got {n!r}")
    if not 0 <= noise < np.inf:
        raise ValueError(f"noise must be a number of at least 0, got {noise!r}")
    return _largest(int(n)) / float(np.sqrt(1 + noise**2))


@lru_cache(maxsize=256)
def _largest(n: int) -> float:
    """Return E max of n standard normals: ∫ x·n·φ(x)·Φ(x)ⁿ⁻¹ dx."""
    if n == 1:
        return 0.0
    x = np.linspace(-9, 9, 3601)
    normal = NormalDist()
    upto = np.array([normal.cdf(point) for point in x.tolist()]) ** n
    return float(9 - (upto.sum() - upto[-1] / 2) * (x[1] - x[0]))  # E X = 9 − ∫ P(X ≤ x) dx


@dataclass(frozen=True)
class Rejection:
    """Completions of each task, how the judge saw them, and what each rule picked.

    Attributes:
        quality: True quality, 0 and above is right, shape (tasks, n).
        score: What the judge says: 0 or 1, or a grade, shape (tasks, n).
        passed: Whether the judge passes it, shape (tasks, n).
        picks: Per rule, the completion picked of each task, shape (tasks,); −1 for none.
        judge: One of ``JUDGES``.
    """

    quality: Floats = field(repr=False)
    score: Floats = field(repr=False)
    passed: Bools = field(repr=False)
    picks: dict[str, Ints] = field(repr=False)
    judge: str

    @property
    def kept(self) -> int:
        """Tasks with a pass among their completions: what *best of n* and *random pass* keep."""
        return int(self.passed.any(1).sum())

    def right(self, rule: str, *, kept_tasks: bool = False) -> float:
        """Share of a rule's picks that are right; NaN if it picked none.

        Args:
            rule: One of ``RULES``.
            kept_tasks: Only on the tasks that have a pass, so that rules meet on the same tasks.
        """
        return self._mean(rule, (self.quality >= 0).astype(np.float64), kept_tasks)

    def mean_quality(self, rule: str, *, kept_tasks: bool = False) -> float:
        """Mean true quality of a rule's picks, in spreads; arguments as for ``right``."""
        return self._mean(rule, self.quality, kept_tasks)

    def _mean(self, rule: str, values: Floats, kept_tasks: bool) -> float:
        pick = self.picks[choice(rule, RULES, "rule")]
        tasks = np.flatnonzero((pick >= 0) & (self.passed.any(1) | (not kept_tasks)))
        return float(values[tasks, pick[tasks]].mean()) if tasks.size else float("nan")

    def __str__(self) -> str:
        """Return one line per rule, and what the rules did."""
        tasks, n = self.quality.shape
        lines = [f"{tasks} tasks, {n} completions each, judge: {self.judge}"]
        for rule, pick in self.picks.items():
            lines.append(
                f"{rule}: {int((pick >= 0).sum())} kept, {self.right(rule):.2f} right, "
                f"quality {self.mean_quality(rule):+.2f}"
            )
        if self.judge == JUDGES[0]:
            lines.append("all passes tie, so best of n is a random pick among the passes")
        return "\n".join(lines)


def rejection_sample(
    rates: npt.ArrayLike, n: int = 10, *, noise: float = 0.0, judge: str = "graded", seed: int = 0
) -> Rejection:
    """Draw n completions of each task, judge them, and pick one by each rule.

    quality = Φ⁻¹(p) + z is right from 0 up;  the judge sees quality + noise·z′, a pass from 0 up

    Args:
        rates: True pass rate of each task, strictly between 0 and 1, shape (tasks,).
        n: Completions per task, at least 1.
        noise: Spread of the judge's error, in spreads of the quality within a task.
        judge: "graded" scores by what it sees; "pass or fail" only says whether it passes.
        seed: Whole number of at least 0.

    Returns:
        The completions and the picks. More completions, tasks or noise leave the draws as they
        were.

    Raises:
        ValueError: For a rate of 0 or 1, a count below 1, noise below 0, an unknown judge.

    Convention:
        *best of n* takes the best score among the passes, ties by a draw; *random pass* any of the
        passes; both leave a task without a pass. *random of all* takes any completion of every
        task. Before two rules are compared, the tasks they kept must be: the filter drops hard
        tasks, which lifts its mean by itself.

    Source:
        Yuan et al. 2023, arXiv:2308.01825 (filter by a 0/1 check); Llama 3, arXiv:2407.21783 §4.2.2
        (best of 10 to 30 by a reward model). The normal qualities are ours.

    >>> print(rejection_sample([0.3, 0.65, 0.9], n=10, judge="pass or fail").picks["best of n"])
    [2 7 4]
    """
    p = np.atleast_1d(np.asarray(rates, np.float64))
    if p.ndim != 1 or not ((p > 0) & (p < 1)).all():
        raise ValueError(f"rates must lie strictly between 0 and 1, one per task, got {rates!r}")
    expected_best(n, noise)  # checks both
    choice(judge, JUDGES, "judge")
    check_seed(seed)
    own, error, ties, among_passes, among_all = _draws(seed, len(p), int(n))
    distinct, place = np.unique(p, return_inverse=True)
    centre = np.array([NormalDist().inv_cdf(rate) for rate in distinct.tolist()])[place]
    quality = centre[:, None] + own
    seen = quality + noise * error
    passed = seen >= 0
    score = seen if judge == "graded" else passed.astype(np.float64)
    first = np.where(passed, score, -np.inf)
    best = np.where(first == first.max(1, keepdims=True), ties, -1.0).argmax(1)
    some = passed.any(1)
    picks = {
        "best of n": np.where(some, best, -1),
        "random pass": np.where(some, np.where(passed, among_passes, -1.0).argmax(1), -1),
        "random of all": among_all.argmax(1),
    }
    return Rejection(quality, score, passed, picks, judge)


def _draws(seed: int, tasks: int, n: int) -> tuple[Floats, ...]:
    """Return all draws for n completions of each task, those of a small sample from the store."""
    room = 1 << (n - 1).bit_length()  # one table serves every n up to a power of two
    if tasks * room > STORED:
        return _drawn(seed, tasks, n)
    return tuple(draws[:, :n] for draws in _stored(seed, tasks, room))


@lru_cache(maxsize=16)
def _stored(seed: int, tasks: int, n: int) -> tuple[Floats, ...]:
    """Keep the draws: another n, noise or judge makes something else of the same ones."""
    return _drawn(seed, tasks, n)


def _drawn(seed: int, tasks: int, n: int) -> tuple[Floats, ...]:
    """Draw: qualities, the judge's errors, and lots for ties, among passes and among all."""
    task, one = np.arange(tasks)[:, None], np.arange(n)
    return (
        standard_normal(seed, "agent", task, one, 0),
        standard_normal(seed, "flips", task, one, 0),
        uniform(seed, "ties", task, one),
        uniform(seed, "control", task, one),
        uniform(seed, "control", task, one, 1),
    )
