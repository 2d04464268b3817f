"""Two tasks, pushed from an average each and from one average of the whole batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from whilecore.charts import baseline
from whilecore.charts.baseline import laid_out, signed
from whilecore.charts.spec import Compiled
from whilecore.groups import advantages

TRIES: Final = 4
GAP: Final = 1
SLOTS: Final = 2 * TRIES + GAP


def picture() -> Compiled:
    """Return the chart: the row of each task's own average above, the row of the batch's below."""
    return baseline.picture(SLOTS, rows=2)


def batch_pushes(rewards: Sequence[Sequence[int]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return reward minus the average of all tries of all tasks: the variant not to use.

    It is ``advantages`` with every try in one group.

    >>> batch_pushes([[1, 1, 1, 1], [1, 0, 0, 0]]).sum(1).tolist()
    [1.5, -1.5]
    """
    table = np.asarray(rewards, np.float64)
    return advantages(table.ravel()).reshape(table.shape)


def push(
    rewards: Sequence[Sequence[int]], own: bool, batch: bool, answer: str = ""
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        rewards: Of two tasks, ``TRIES`` each.
        own: Whether the pushes from each task's own average may be shown.
        batch: Whether those from the batch's average may be shown.
        answer: What the learner said the batch's average does to the left task, in a word or two.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    table = np.asarray(rewards, np.float64)
    by_task, by_batch = advantages(table), batch_pushes(rewards)
    means = table.mean(1)
    starts = np.array([0, TRIES + GAP])
    parts = []
    for row, (pushes, told) in enumerate(((by_task, own), (by_batch, batch))):
        height = baseline.ROW * (1 - row)
        for task, start in enumerate(starts):
            average = means[task] if row == 0 else table.mean()
            part = laid_out(
                table[task], pushes[task], average, start + np.arange(TRIES), height, told
            )
            parts.append(part | {"key": np.full(TRIES, None)})
    tries = {name: np.concatenate([np.asarray(one[name]) for one in parts]) for name in parts[0]}
    return {
        "title": _title(table, by_batch, batch),
        "summary": _summary(by_task, by_batch, own, batch),
        "table": _table(table, by_task, by_batch, own, batch),
        "levels": {
            "x": [-0.05] * 4, "x2": [SLOTS + 0.05] * 4,
            "y": [0.0, 1.0, baseline.ROW, baseline.ROW + 1],
        },
        "tries": tries,
        "lines": _lines(means, table.mean(), starts, own, batch),
        "words": _words(by_task, by_batch, starts, own, batch),
        "answer": _answer(table[0], answer if batch else ""),
    }  # fmt: skip


def _answer(left: Any, answer: str) -> dict[str, Any]:
    """Ring the left task's tries in the lower row and write the learner's answer beside them."""
    n = TRIES if answer else 0
    said = ["" for _ in range(n)]
    said[-1:] = [f"you: {answer}" for _ in range(min(n, 1))]
    return {"x": [at + 0.5 for at in range(n)], "y": left[:n], "said": said}


def _lines(means: Any, mean: float, starts: Any, own: bool, batch: bool) -> dict[str, Any]:
    lines: dict[str, list[float]] = {"x": [], "x2": [], "y": []}
    if own:
        lines["x"] += [start - 0.05 for start in starts]
        lines["x2"] += [start + TRIES + 0.05 for start in starts]
        lines["y"] += [baseline.ROW + one for one in means]
    if batch:
        lines["x"].append(-0.05)
        lines["x2"].append(SLOTS + 0.05)
        lines["y"].append(mean)
    return lines


def _words(by_task: Any, by_batch: Any, starts: Any, own: bool, batch: bool) -> dict[str, Any]:
    """Return the row's names at the left and the sums over each task's tries."""
    out: dict[str, list[Any]] = {"x": [], "y": [], "words": [], "strong": []}

    def add(x: float, y: float, words: str, strong: int) -> None:
        for name, value in zip(out, (x, y, words, strong), strict=True):
            out[name].append(value)

    add(baseline.LEFT, baseline.ROW + 0.5, "own\naverage", 0)
    add(baseline.LEFT, 0.5, "batch\naverage", 0)
    for height, pushes, told in ((baseline.ROW, by_task, own), (0.0, by_batch, batch)):
        for start, row in zip(starts, pushes, strict=True):
            if told:
                add(start + TRIES + 0.12, height + 0.5, f"sum\n{signed(row.sum(), 2)}", 1)
    return out


def _title(table: Any, by_batch: Any, batch: bool) -> str:
    passes = table.sum(1).astype(int)
    both = f"{passes[0]} of {TRIES} and {passes[1]} of {TRIES} pass"
    if not batch:
        return f"Two tasks, {both}"
    first = by_batch[0].sum()
    if abs(first) < 1e-9:
        return f"{both}: equally hard tasks, so one average for both changes nothing"
    side = "easier" if first > 0 else "harder"
    way = "up" if first > 0 else "down"
    return f"{both}: one average for both pushes the {side} task {way} by {abs(first):.3g} in all"


def _summary(by_task: Any, by_batch: Any, own: bool, batch: bool) -> str:
    def told(pushes: Any) -> str:
        return " and ".join(", ".join(signed(one, 3) for one in row) for row in pushes)

    parts = []
    if own:
        parts.append(f"Pushes from each task's own average: {told(by_task)}; each task sums to 0.")
    if batch:
        sums = " and ".join(signed(row.sum(), 3) for row in by_batch)
        parts.append(f"Pushes from the batch's average: {told(by_batch)}; the tasks sum to {sums}.")
    else:
        parts.append("The pushes from the batch's average are shown after you answer or skip.")
    return " ".join(parts)


def _table(table: Any, by_task: Any, by_batch: Any, own: bool, batch: bool) -> dict[str, Any]:
    names = [f"{task}, try {at + 1}" for task in ("left", "right") for at in range(TRIES)]
    columns: dict[str, Any] = {"try": names, "reward": table.ravel().astype(int)}
    if own:
        columns["push, own average"] = [signed(one, 3) for one in by_task.ravel()]
    if batch:
        columns["push, batch average"] = [signed(one, 3) for one in by_batch.ravel()]
    return columns
