"""Did it move? Two runs on the same tasks, compared task by task, with an interval.

The difference of each task cancels how hard the task is; what is left is luck of the draw and what
changed. `tasks_needed` says before the run how many tasks it takes, `compare` says after it what
was shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore.clustered import clustered_error
from whilecore.intervals import Interval
from whilecore.power import LEVEL, POWER
from whilecore.rewards import pass_cut
from whilecore.rollouts import Rollouts
from whilecore.student_t import t_quantile
from whilecore.texts import shown

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NOT_SHOWN: Final = "not shown to have moved"
NAMED: Final = 5  # tasks named in a message


@dataclass(frozen=True)
class Comparison:
    """What moved between two runs on the same tasks. Prints itself.

    Attributes:
        before: Mean over tasks of the pass rate before.
        after: The same after.
        change: after − before.
        interval: 95 % interval of the change, None under 2 tasks or clusters.
        standard_error: Of the change; NaN where there is no interval.
        smallest_change: The change that as many tasks would show in 4 of 5 such comparisons; over
            1 where so few tasks would show none; NaN where there is no interval.
        tasks: Labels of the tasks compared, shape (tasks,), sorted.
        differences: Change of each of them, shape (tasks,).
        clusters: Number of clusters, None without.
        tries: Median scored tries per task, before and after.
        notes: Sentences on what was left out or looks odd.
    """

    before: float
    after: float
    change: float
    interval: Interval | None
    standard_error: float
    smallest_change: float
    tasks: npt.NDArray[np.object_] = field(repr=False)
    differences: Floats = field(repr=False)
    clusters: int | None
    tries: tuple[float, float]
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Literal["moved up", "moved down", "not shown to have moved"]:
        """What the interval says; one that touches zero, or is missing, shows nothing."""
        if self.interval is None or self.interval[0] <= 0 <= self.interval[1]:
            return "not shown to have moved"
        return "moved up" if self.change > 0 else "moved down"

    def __str__(self) -> str:
        """Return the rates, the change with its interval, the verdict, and the notes."""
        ends = "n/a" if self.interval is None else "{:+.3f}..{:+.3f}".format(*self.interval)
        paired = f"{len(self.tasks)} tasks"
        if self.clusters is not None:
            paired += f" in {self.clusters} clusters"
        tries = " and ".join(f"{count:g}" for count in dict.fromkeys(self.tries))
        rose, fell = int((self.differences > 0).sum()), int((self.differences < 0).sum())
        lines = [
            f"pass rate {self.before:.3f} → {self.after:.3f}, change {self.change:+.3f} [{ends}] "
            f"({paired}, paired, {tries} tries each)",
            f"{self.verdict}: {rose} rose, {fell} fell, {len(self.tasks) - rose - fell} the same",
        ]
        if self.interval is None:
            lines.append("an interval needs at least 2 tasks with scored tries in both runs")
        elif self.verdict == NOT_SHOWN and self.smallest_change > 1:
            lines.append(
                "so few tasks would have shown no change, however large, in 4 of 5 such comparisons"
            )
        elif self.verdict == NOT_SHOWN:
            lines.append(
                f"with these tasks a change of {self.smallest_change:.3f} would have been shown "
                "in 4 of 5 such comparisons; a smaller one may be there"
            )
        return "\n".join([*lines, *self.notes])


def compare(
    before: Rollouts, after: Rollouts, *, pass_at_least: float | None = None, cluster: str = ""
) -> Comparison:
    """Compare two runs on the same tasks, task by task.

    change = mean over T tasks of dᵢ = rateᵢ(after) − rateᵢ(before)
    change ± t·√(max(Σ(dᵢ − d̄)², 2u) / (T·(T−1))),  u = mean of (1/nᵢ + 1/mᵢ)/2 for n and m tries

    Args:
        before: Graded rollouts.
        after: Graded rollouts of the same tasks, by label. The tries may differ in number.
        pass_at_least: A rollout passes at reward ≥ this; 0.5 for rewards in [0, 1].
        cluster: Column that says which tasks belong together (passage, repository, ...); the
            error is then that of `clustered_error` and T−1 becomes clusters − 1.

    Returns:
        A `Comparison`. The order of the rows changes nothing.

    Raises:
        TypeError: If one is no `Rollouts`.
        ValueError: If the tasks differ, with the names of some, or there is one cluster.

    Convention:
        Each task counts once, however often it was tried. A task with no scored try on one side
        cannot be paired: it is left out and noted. 2u is the least the differences are taken to
        scatter, about two tries' worth of luck over all tasks: tasks that all stayed the same say
        that little moved, not that nothing could have. An interval that touches zero shows no
        change; it does not show that there is none.

        Measured in tests/bench/bench_compare.py. A change confined to a few tasks of many (a tenth
        of them breaks, the rest stay) is covered less often than the interval says.

    Source:
        Miller 2024, arXiv:2411.00640 (paired differences, clustered errors). Differs: Student's t
        in place of the normal, and a least scatter.

    >>> import pandas as pd
    >>> def run(rewards):
    ...     tasks = [f"t{i // 4}" for i in range(len(rewards))]
    ...     return Rollouts.from_frame(pd.DataFrame({"task": tasks, "reward": rewards}))
    >>> print(compare(run([1, 0, 0, 0] * 9), run([1, 1, 1, 0] * 9)))
    pass rate 0.250 → 0.750, change +0.500 [+0.308..+0.692] (9 tasks, paired, 4 tries each)
    moved up: 9 rose, 0 fell, 0 the same
    """
    for name, given in (("before", before), ("after", after)):
        if not isinstance(given, Rollouts):
            raise TypeError(
                f"{name} must be Rollouts, got {type(given).__name__}; build it with "
                "Rollouts.from_frame or read_rollouts"
            )
    labels, first, second = _same_tasks(before, after)
    used = np.concatenate([one.reward[one.scored] for one in (before, after)])
    cut = pass_cut(used, pass_at_least)
    (n, c), (m, d) = (_counts(run, order, cut) for run, order in ((before, first), (after, second)))
    paired = (n > 0) & (m > 0)
    codes = _clusters(before, first, cluster)[paired] if cluster else None
    notes = _notes(before, after, labels[~paired])
    n, c, m, d = n[paired], c[paired], m[paired], d[paired]
    return _compared(labels[paired], c / n, d / m, n, m, codes, notes)


def _compared(
    labels: npt.NDArray[np.object_],
    old: Floats,
    new: Floats,
    n: Ints,
    m: Ints,
    codes: Ints | None,
    notes: tuple[str, ...],
) -> Comparison:
    """Lay the numbers of a comparison out."""
    if not len(labels):
        raise ValueError(
            "at least one task must have scored tries in both runs, got none; grade both first"
        )
    differences = new - old
    unit = float((1 / n + 1 / m).mean()) / 2
    error, df = paired_error(differences, unit, codes)
    change = float(differences.mean())
    interval = None
    if df:
        half = t_quantile(LEVEL, df) * error
        interval = max(change - half, -1.0), min(change + half, 1.0)
    return Comparison(
        before=float(old.mean()),
        after=float(new.mean()),
        change=change,
        interval=interval,
        standard_error=error,
        smallest_change=(t_quantile(LEVEL, df) + t_quantile(POWER, df)) * error if df else math.nan,
        tasks=labels,
        differences=differences,
        clusters=None if codes is None else len(np.unique(codes)),
        tries=(float(np.median(n)), float(np.median(m))),
        notes=notes,
    )


def paired_error(
    differences: Floats, unit: float, clusters: Ints | None = None
) -> tuple[float, int]:
    """Return the standard error of a mean difference and its degrees of freedom; see `compare`.

    Args:
        differences: Change of each task, shape (tasks,).
        unit: What one try weighs: 1/k for k tries on both sides.
        clusters: Cluster of each task, whole numbers, shape (tasks,).

    Returns:
        (error, degrees of freedom); (NaN, 0) under 2 tasks.
    """
    tasks = len(differences)
    if tasks < 2:
        return math.nan, 0
    least = math.sqrt(2 * unit / (tasks - 1) / tasks)
    if clusters is None:
        return max(float(differences.std(ddof=1)) / math.sqrt(tasks), least), tasks - 1
    return max(clustered_error(differences, clusters), least), len(np.unique(clusters)) - 1


def _same_tasks(before: Rollouts, after: Rollouts) -> tuple[npt.NDArray[np.object_], Ints, Ints]:
    """Return the task labels in order, and where each run holds them; refuse different tasks."""
    old, new = (set(run.task_labels.tolist()) for run in (before, after))
    if old != new:
        parts = [
            f"only {name}: {_some(sorted(labels))}"
            for name, labels in (("before", old - new), ("after", new - old))
            if labels
        ]
        raise ValueError(
            f"before and after must hold the same tasks, got {'; '.join(parts)} ({len(old & new)} "
            "in both); try the missing ones, or keep the tasks both hold with take()"
        )
    first, second = (np.argsort(run.task_labels, kind="stable") for run in (before, after))
    return before.task_labels[first], first, second


def _some(labels: Sequence[Any]) -> str:
    """Name a few labels and count the rest."""
    named = ", ".join(shown(str(label), 40) for label in labels[:NAMED])
    return named + (f" and {len(labels) - NAMED} more" if len(labels) > NAMED else "")


def _counts(run: Rollouts, order: Ints, cut: float) -> tuple[Ints, Ints]:
    """Return scored tries and passes of each task, in order."""
    codes, scored = run.task_codes, run.scored
    n = np.bincount(codes[scored], minlength=run.n_tasks)
    c = np.bincount(codes[scored & (run.reward >= cut)], minlength=run.n_tasks)
    return n[order], c[order]


def _clusters(run: Rollouts, order: Ints, column: str) -> Ints:
    """Return the cluster of each task, in order."""
    if column not in run.frame:
        have = ", ".join(str(name) for name in run.frame.columns)
        raise ValueError(f"cluster must name a column of before, got {column!r}; it has {have}")
    values = pd.factorize(run.frame[column].astype(object))[0]
    low = np.full(run.n_tasks, values.max(initial=0))
    high = np.full(run.n_tasks, -1)
    np.minimum.at(low, run.task_codes, values)
    np.maximum.at(high, run.task_codes, values)
    bad = np.flatnonzero((low != high) | (low < 0))
    if bad.size:
        raise ValueError(
            f"every task must lie in one cluster, got several or none for "
            f"{_some(run.task_labels[bad].tolist())} in column {column!r}"
        )
    return np.asarray(low[order], np.int64)


def _notes(before: Rollouts, after: Rollouts, left_out: npt.NDArray[np.object_]) -> tuple[str, ...]:
    """Say what could not be paired, and where the same label stands over different texts."""
    notes = []
    if len(left_out):
        notes.append(f"left out, with no scored try in one of the runs: {_some(left_out.tolist())}")
    other = _other_texts(before, after)
    if len(other):
        notes.append(
            f"the text of {len(other)} tasks differs between the runs: {_some(other)}; the "
            "change holds that too"
        )
    return tuple(notes)


def _other_texts(before: Rollouts, after: Rollouts) -> list[Any]:
    """Return the tasks none of whose texts is in both runs, by label."""
    if "prompt" not in before.frame or "prompt" not in after.frame:
        return []
    runs = (before, after)
    rows = np.concatenate([run.frame["prompt"].to_numpy(object) for run in runs])
    codes, distinct = pd.factorize(rows, use_na_sentinel=False)
    texts = pd.factorize(np.array([*map(str, distinct), ""], object)[:-1])[0][codes]
    labels = np.unique(before.task_labels)
    places = [np.searchsorted(labels, run.task_labels)[run.task_codes] for run in runs]
    pairs = np.concatenate(places) * (int(texts.max(initial=0)) + 1) + texts
    old, new = np.split(pairs, [len(before)])
    shared = np.bincount(places[0][np.isin(old, new)], minlength=len(labels))
    return list(labels[shared == 0])
