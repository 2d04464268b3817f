"""Tasks counted in columns: by how many tries they have, or by how many of them pass.

However many tasks there are, the picture has at most twelve columns of at most five parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.selection import Selection

HEIGHT: Final = 200
SLOTS: Final = 12
RATES: Final = ("0", *(f"{low}–{low + 10}" for low in range(0, 100, 10)), "100")
FROM: Final = ("0", ">0", *(f"{low}+" for low in range(10, 100, 10)), "100")  # fit on a phone
PARTS: Final = ("kept", "unanimous", "band", "row_gates", "over_target")
SIGNS: Final = {"kept": "", "unanimous": "–", "band": "↕", "row_gates": "×", "over_target": "·"}
WORDS: Final = {
    "kept": "kept", "unanimous": "all agree", "band": "outside the band",
    "row_gates": "no row left", "over_target": "over the target",
}  # fmt: skip


@spec.once
def picture(axis: str) -> ChartType:
    """Return the chart; it reads ``parts`` and ``columns``.

    Args:
        axis: What the columns stand for, with its unit.
    """
    across = alt.Scale(domain=[0, SLOTS], nice=False, zero=False)
    up = alt.Scale(domain=[0, 1.14], nice=False, zero=False)
    line = alt.Axis(title=axis, labels=False, ticks=False, domain=True, titlePadding=20)
    x, y = alt.X("x:Q", scale=across, axis=line), alt.Y("y:Q", scale=up, axis=None)
    parts = alt.Chart(alt.NamedData("parts")).encode(opacity=marks.fade())
    bars = parts.mark_rect(strokeWidth=1.5, stroke=theme.INK).encode(
        x=alt.X("low:Q", scale=across, axis=line),
        x2="high:Q",
        y=y,
        y2="y2:Q",
        fill=alt.value(theme.INK),
        fillOpacity=alt.when("datum.full === 1").then(alt.value(0.85)).otherwise(alt.value(0)),
    )
    font = alt.ExprRef("width < 420 ? 9 : 12")
    signs = parts.mark_text(fontWeight="bold", fontSize=font, color=theme.INK).encode(
        x=x, y=alt.Y("middle:Q", scale=up, axis=None), text="sign:N"
    )
    columns = alt.Chart(alt.NamedData("columns")).encode(x=x)
    counts = columns.mark_text(baseline="bottom", dy=-3, fontSize=font, color=theme.INK).encode(
        y=y, text="count:N"
    )
    names = columns.mark_text(baseline="top", dy=5, fontSize=font, color=theme.MUTED).encode(
        y=alt.YDatum(0, axis=None), text="name:N"
    )
    return alt.layer(bars, signs, counts, names).properties(
        height=HEIGHT,
        width="container",
        description="Tasks counted in columns",
    )


def sizes(groups: Mapping[int, int], about: str) -> dict[str, Any]:
    """Return the picture of how many tries the tasks have.

    Args:
        groups: Tasks by number of tries.
        about: Which rows, in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``. Over twelve different sizes are put together by
        doubling: 1, 2, 3 to 4, 5 to 8, ..., and the last column is open.
    """
    names, counts = _by_size(groups)
    tasks = sum(groups.values())
    common = max(groups, key=lambda size: (groups[size], size)) if groups else 0
    title = (
        f"{groups[common]:,} of {tasks:,} tasks have {_tries(common)} ({about})" if groups
        else f"No tasks yet ({about})"
    )  # fmt: skip
    lone = groups.get(1, 0)
    return {
        "title": title,
        "summary": f"{tasks:,} tasks by number of tries; {lone:,} of them hold a single try, with "
        "nothing to compare it with.",
        "table": {"tries": names, "tasks": counts},
        **_stacked(names, np.array(counts, np.int64).reshape(-1, 1), ("",)),
    }


def _by_size(groups: Mapping[int, int]) -> tuple[list[str], list[int]]:
    """Return names and counts of at most twelve columns."""
    if len(groups) <= SLOTS:
        return [str(size) for size in sorted(groups)], [groups[size] for size in sorted(groups)]
    names = ["1", "2", *(f"≤{2**n}" for n in range(2, SLOTS - 1)), f">{2 ** (SLOTS - 2)}"]
    counts = [0] * SLOTS
    for size, many in groups.items():
        counts[min(max(size - 1, 0).bit_length(), SLOTS - 1)] += many
    return names, counts


def _tries(size: int) -> str:
    return "1 try" if size == 1 else f"{size:,} tries"


def rates(selection: Selection, revealed: bool, about: str) -> dict[str, Any]:
    """Return the picture of how often the tasks pass, and what became of them.

    Args:
        selection: An RL selection.
        revealed: Whether it may be told which tasks are kept.
        about: Which rows, in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``. Tasks that never or always pass have a column of
        their own; the others stand in steps of 10 %, an edge in the step above it.
    """
    assert selection.gates is not None, "the picture shows an RL selection"
    measured, group = selection.gates.measured, selection.gates.group
    has = measured.rows > 0
    slot = _slots(measured.passes[has], measured.rows[has])
    links = np.where(group < 0, "row_gates", marks.LINKS[np.maximum(group, 0)])[has]
    kinds = PARTS if revealed else ("",)
    table = np.array(
        [np.bincount(slot[(links == kind) | (not revealed)], minlength=SLOTS) for kind in kinds]
    ).T
    shown = {WORDS[kind]: table[:, at] for at, kind in enumerate(PARTS)} if revealed else {}
    n, silent = int(has.sum()), int(table[[0, -1]].sum())
    return {
        "title": f"{silent:,} of {n:,} tasks pass never or always ({about})",
        "summary": _summary(table, n, silent, revealed),
        "table": {"pass rate, %": RATES, "tasks": table.sum(axis=1), **shown},
        **_stacked(FROM, table, kinds),
    }


def _slots(passes: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the column of each task, by whole numbers: no rate falls off an edge by rounding."""
    inner = 1 + 10 * passes // rows
    return np.where(passes == 0, 0, np.where(passes == rows, SLOTS - 1, inner))


def _summary(table: npt.NDArray[np.int64], n: int, silent: int, revealed: bool) -> str:
    start = f"{n:,} tasks by measured pass rate; {silent:,} pass never or always."
    if not revealed:
        return start
    told = ", ".join(
        f"{int(total):,} {WORDS[kind]}"
        for kind, total in zip(PARTS, table.sum(axis=0), strict=True)
        if total
    )
    return f"{start} Of all: {told or 'none'}."


def _stacked(
    names: Sequence[str], table: npt.NDArray[np.int64], kinds: Sequence[str]
) -> dict[str, Any]:
    """Return the marks of columns made of parts, the first part at the bottom."""
    total = table.sum(axis=1)
    most = max(int(total.max()), 1) if total.size else 1
    top = np.cumsum(table, axis=1) / most
    column, part = np.nonzero(table)
    high, low = top[column, part], top[column, part] - table[column, part] / most
    pad = (SLOTS - len(names)) / 2
    signs = np.array([SIGNS.get(kind, "") for kind in kinds], dtype=object)
    full = np.array([kind in ("", "kept") for kind in kinds], np.int64)
    used = np.flatnonzero(total)
    return {
        "parts": {
            "x": column + pad + 0.5,
            "low": column + pad + 0.12,
            "high": column + pad + 0.88,
            "y": low,
            "y2": high,
            "middle": (low + high) / 2,
            "full": full[part],
            "sign": np.where(high - low > 0.07, signs[part], ""),
            "link": np.array(kinds, dtype=object)[part],
        },
        "columns": {
            "x": np.arange(len(names)) + pad + 0.5,
            "y": total / most,
            "name": list(names),
            "count": [f"{total[at]:,}" if at in used else "" for at in range(len(names))],
        },
    }
