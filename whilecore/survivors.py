"""What is left of a task's pass rate once its copies are gone, and what the band makes of either.

Copies carry probability. Eleven identical passes among sixteen tries are eleven passes; with the
copies removed, one of six. Measured on what survives, the band files such a task as too hard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from whilecore.asks import draw_asks
from whilecore.band import band_edges, below
from whilecore.gates import MEASURE_ON, RL_FATES, rl_gates
from whilecore.replies import LEAK, kind_of, same_words
from whilecore.rollouts import Rollouts
from whilecore.subjects import subject_of

if TYPE_CHECKING:
    from whilecore.agent import SeededAgent

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Shift:
    """Pass rates of the same tasks on all scored tries and on the survivors; arrays per task.

    Attributes:
        labels: Names of the tasks.
        passes_before: Passes among all scored tries.
        rows_before: Scored tries.
        passes_after: Passes among the tries that the row gates and the copies gate left.
        rows_after: Tries left.
        band: Pass rates (low, high).
    """

    labels: npt.NDArray[np.object_]
    passes_before: Ints
    rows_before: Ints
    passes_after: Ints
    rows_after: Ints
    band: tuple[float, float]

    @property
    def before(self) -> Floats:
        """Rate on all scored tries, NaN where there is none."""
        return _rate(self.passes_before, self.rows_before)

    @property
    def after(self) -> Floats:
        """Rate on the survivors, NaN where there is none."""
        return _rate(self.passes_after, self.rows_after)

    @property
    def crossed(self) -> Bools:
        """Tasks that lie on different sides of a band edge before and after."""
        before = _inside(self.passes_before, self.rows_before, self.band)
        after = _inside(self.passes_after, self.rows_after, self.band)
        return np.asarray((before != after) & (self.rows_before > 0) & (self.rows_after > 0))

    @property
    def entered(self) -> Bools:
        """Tasks that crossed and lie inside the band afterwards."""
        return self.crossed & _inside(self.passes_after, self.rows_after, self.band)


def shift(rollouts: Rollouts, band: Any = (0.2, 0.8)) -> Shift:
    """Measure every task before and after its copies are removed.

    Args:
        rollouts: Scored rollouts with 0/1 rewards.
        band: Pass rates (low, high).

    Convention:
        "After" is what the row gates leave as well: a try that recites the answer key is gone
        there, copy or not.
    """
    gates = rl_gates(rollouts, band=band, measure_on="surviving")
    low, high = band_edges(band)
    return Shift(
        labels=rollouts.task_labels,
        passes_before=gates.scored.passes,
        rows_before=gates.scored.rows,
        passes_after=gates.measured.passes,
        rows_after=gates.measured.rows,
        band=(float(low), float(high)),
    )


def first_tries(rollouts: Rollouts, k: int) -> Rollouts:
    """Return the first k tries of every task, in row order.

    >>> from whilecore.readers import printed_run
    >>> len(first_tries(printed_run(), 2))
    32
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k!r}; it counts the tries kept per task")
    codes = rollouts.task_codes
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes, minlength=rollouts.n_tasks)
    place = np.empty(len(codes), np.int64)
    place[order] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rollouts if k >= counts.max(initial=0) else rollouts.take(np.flatnonzero(place < k))


def kept_by_tries(
    rollouts: Rollouts, tries: Sequence[int], band: Any = (0.2, 0.8)
) -> dict[str, Ints]:
    """Count the rows kept of the first 2, 4, ... tries per task, by both ways of measuring.

    Args:
        rollouts: Scored rollouts with the most tries asked about.
        tries: Numbers of tries per task.
        band: Pass rates (low, high).

    Returns:
        For each of ``gates.MEASURE_ON`` the rows kept, in the order of ``tries``. Both ways see
        the same rows, copies removed.
    """
    kept = RL_FATES.index("kept")
    parts = [first_tries(rollouts, k) for k in tries]
    return {
        how: np.array(
            [int((rl_gates(part, band=band, measure_on=how).fate == kept).sum()) for part in parts],
            np.int64,
        )
        for how in MEASURE_ON
    }


def many_seeds(agent: SeededAgent, seeds: int, n_tasks: int, repeats: int) -> Rollouts:
    """Return the runs of seeds 0, 1, ... under the answer key as one table, without any text.

    Gates look at one task at a time, so a hundred runs under each other are gated at once. Nothing
    is written that the gates do not read, which is what makes a hundred seeds quick.

    Args:
        agent: From ``seeded_agent``.
        seeds: Number of seeds.
        n_tasks: Tasks of each run.
        repeats: Tries per task.

    Returns:
        Scored rollouts with ``rollout``, ``reward`` and ``leak``; task i of seed s is number
        s · n_tasks + i. Rewards, leaks and copies are those of ``simulate`` and ``answer_key``.
    """
    task = np.repeat(np.arange(n_tasks), repeats)
    rollout = np.tile(np.arange(repeats), n_tasks)
    subjects = tuple(subject_of(one) for one in agent.tools)
    mistakes, keys = [], []
    for seed in range(seeds):
        case = draw_asks(subjects, seed, n_tasks).case[task]
        rates = agent.true_pass_rates(seed, n_tasks)[task]
        mistakes.append(agent.mistakes(seed, task, rollout, rates, case))
        keys.append(same_words(mistakes[-1], agent.wordings(seed, task, rollout)))
    mistake = np.concatenate(mistakes)
    labels = np.arange(seeds * n_tasks).astype(str).astype(object)
    codes = np.repeat(np.arange(seeds * n_tasks), repeats)
    columns = {
        "task": labels[codes],
        "rollout": np.tile(rollout, seeds),
        "reward": (mistake == 0).astype(np.float64),
        "leak": kind_of(mistake) == LEAK,
    }
    return Rollouts.trusted(
        columns, task_codes=codes, task_labels=labels, reply_codes=np.concatenate(keys)
    )


def _rate(passes: Ints, rows: Ints) -> Floats:
    """Return passes/rows, NaN without rows."""
    return np.asarray(passes / np.where(rows > 0, rows, np.nan))


def _inside(passes: Ints, rows: Ints, band: Any) -> Bools:
    """Tell whose rate lies in the band, edges included."""
    low, high = band_edges(band)
    return np.asarray(~below(passes, rows, low) & ~below(rows - passes, rows, 1 - high))
