"""Columns that count the turns of one rollout, which must not be taken for training steps."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore.formats.tables import Column, Ints

AGREE: Final = 0.9


def runs(codes: Ints, column: Column) -> Ints | None:
    """Number the runs of a counter that counts up by one and starts over, inside each task.

    Args:
        codes: Task per row.
        column: The counter.

    Returns:
        One number per row, equal inside a run; None if the column does not count like that.
    """
    try:
        numbers: Column = pd.to_numeric(column, errors="coerce")
        counter = numbers.to_numpy(np.float64)
    except (OverflowError, TypeError):  # a whole number over 1.8e308, a list
        return None
    if not len(counter) or not np.isfinite(counter).all():
        return None
    order = np.argsort(codes, kind="stable")
    count, task = counter[order], codes[order]
    goes_on = np.r_[False, (count[1:] == count[:-1] + 1) & (task[1:] == task[:-1])]
    starts = count[~goes_on]
    if not (starts == starts.min()).all() or starts.min() not in (0, 1) or not goes_on.any():
        return None
    parts = np.empty(len(order), np.int64)
    parts[order] = np.cumsum(~goes_on) - 1
    return parts


def agreement(parts: Ints, reward: npt.NDArray[Any]) -> float:
    """Return the share of rollouts in several rows whose rewards fit one rollout.

    They fit if they are all the same, or all nothing but the last: then the end was graded. 1 if
    there is nothing to compare.
    """
    frame = pd.DataFrame({"part": parts, "reward": np.asarray(reward, np.float64)}).dropna()
    several = frame[frame.duplicated("part", keep=False)]
    if several.empty:
        return 1.0
    groups = several.groupby("part")["reward"]
    same = groups.nunique() == 1
    before = several[several.duplicated("part", keep="last")]
    at_the_end = before.groupby("part")["reward"].agg(lambda one: bool((one == 0).all()))
    return float((same | at_the_end.reindex(same.index, fill_value=False)).mean())


def differs_inside(parts: Ints, values: Ints) -> bool:
    """Tell whether a column has several values in most rollouts that stand in several rows.

    Args:
        parts: Rollout per row.
        values: The column's values, numbered.
    """
    frame = pd.DataFrame({"part": parts, "value": values})
    groups = frame.groupby("part")["value"]
    several = groups.count() > 1
    return bool(several.any()) and bool((groups.nunique()[several] > 1).mean() > 0.5)
