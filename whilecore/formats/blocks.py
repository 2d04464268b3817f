"""A task that was drawn twice: two groups where a file keeps them apart, a remark where not."""

from __future__ import annotations

import numpy as np

from whilecore.formats.keys import Key
from whilecore.formats.tables import Table


def blocks(table: Table, key: Key) -> Key:
    """Split a group that stands in several blocks of the commonest size: it was drawn twice."""
    codes = key.codes
    if not len(codes):
        return key
    starts = np.r_[True, codes[1:] != codes[:-1]]
    run = np.cumsum(starts) - 1
    of_run = codes[starts]
    lengths = np.bincount(run)
    groups = np.bincount(of_run[of_run >= 0], minlength=len(key.labels))
    size = int(np.bincount(lengths).argmax())
    again = np.flatnonzero(groups > 1)
    split = size > 1 and bool((lengths[np.isin(of_run, again)] == size).all())
    if not again.size or not split:
        return key
    order = np.argsort(of_run, kind="stable")
    first = np.r_[0, np.cumsum(np.bincount(of_run))[:-1]]
    nth = np.empty(len(of_run), np.int64)
    nth[order] = np.arange(len(of_run)) - first[of_run[order]]
    labels = np.array([key.labels[code] + (f" · block {n + 1}" if n else "")
                       for code, n in zip(of_run, nth, strict=True)], object)  # fmt: skip
    table.notes.append(f"{again.size} prompts were drawn more than once in a step; each block of "
                       f"{size} rows is a group")  # fmt: skip
    return Key(run.astype(np.int64), labels, key.name)


def drawn_twice(key: Key) -> str:
    """Say which groups are a multiple of the usual size: two draws, or two steps, in one group."""
    sizes = key.sizes
    if not sizes:
        return ""
    usual = max(sizes, key=lambda size: (sizes[size], -size))
    twice = sum(n for size, n in sizes.items() if size > usual and size % usual == 0)
    if usual < 2 or not twice or sizes[usual] * 2 <= sum(sizes.values()):
        return ""
    return (
        f"{twice} tasks have a multiple of the usual {usual} rows: the same task may have been "
        "drawn twice, or rows of several training steps may stand in one file without a step column"
    )
