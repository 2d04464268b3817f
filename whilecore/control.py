"""The equal-size random pick that a selection has to beat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from whilecore.gates import row_gates
from whilecore.rollouts import Rollouts
from whilecore.selection import Selection
from whilecore.streams import check_seed, label_keys, uniform

Ints = npt.NDArray[np.int64]


def control_tasks(selection: Selection, seed: int = 0) -> Ints:
    """Draw as many tasks as a selection kept, from all tasks with a row that could be used.

    Args:
        selection: An RL or SFT selection.
        seed: For the draw. The order of the rows does not change it.

    Returns:
        Codes of the tasks drawn, in drawing order.

    Convention:
        A row that leaks, is cut or has no reward is in no training set, drawn or selected. The
        task alone decides: a control may hold selected tasks, as a random pick does.
    """
    check_seed(seed)
    source = selection.source
    kept = len(np.unique(source.task_codes[selection.kept]))
    return _order(source, seed)[:kept]


def control_rows(selection: Selection, seed: int = 0) -> Ints:
    """Draw as many rows as a selection kept.

    RL: whole tasks in a random order, until there are as many rows; the last task is cut to fit.
    SFT: one random row of each of as many random tasks.

    Args:
        selection: An RL or SFT selection.
        seed: For the draw.

    Returns:
        Positions of the rows drawn, in row order.
    """
    check_seed(seed)
    source, size = selection.source, len(selection)
    usable = np.flatnonzero(row_gates(source) < 0)
    codes = source.task_codes[usable]
    place = np.full(source.n_tasks, source.n_tasks, np.int64)
    order = _order(source, seed)
    place[order] = np.arange(len(order))
    keys = label_keys(source.task_labels)[codes] if usable.size else codes
    draws = uniform(seed, "control", keys, source.reply_hashes[usable])
    ranked = np.lexsort((source.table["rollout"][usable], draws, place[codes]))
    if selection.mode == "sft":
        first = np.ones(len(ranked), np.bool_)
        first[1:] = np.diff(codes[ranked]) != 0
        ranked = ranked[first]
    return np.sort(usable[ranked[:size]])


def _order(source: Rollouts, seed: int) -> Ints:
    """Return the tasks that have a usable row, in random order."""
    tasks = np.unique(source.task_codes[row_gates(source) < 0])
    if not tasks.size:
        return tasks
    draws = uniform(seed, "control", label_keys(source.task_labels[tasks]))
    return np.asarray(tasks[np.argsort(draws, kind="stable")])
