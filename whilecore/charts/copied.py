"""Tries stacked by task, the rows SFT copies filled, and how many they are."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.gates import SFT_FATES
from whilecore.selection import Selection

HEIGHT: Final = 210
TASKS: Final = 16
TALL: Final = 4
LANE: Final = 5.0
KEPT: Final = SFT_FATES.index("kept")


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``tries``, ``meter`` and ``answer``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, TASKS], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[6.6, -0.1], nice=False, zero=False), axis=None)
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    tries = marks.layer("tries", x, y, side="min(17, 0.78 * width / 16)")
    meter = alt.Chart(alt.NamedData("meter"))
    low, zero = _other(y, "top"), _other(x, "zero")
    track = meter.mark_rect(fill=theme.BAND, cornerRadius=3).encode(
        x=zero, x2="all:Q", y=low, y2="bottom:Q"
    )
    filled = meter.mark_rect(fill=theme.INK, cornerRadius=3).encode(
        x=zero, x2="x2:Q", y=low, y2="bottom:Q"
    )
    said = meter.mark_text(align="left", fontSize=font, color=theme.INK, fontWeight="bold").encode(
        x=alt.XDatum(0.05, axis=None), y=alt.YDatum(LANE + 1.0, axis=None), text="said:N"
    )
    answer = alt.Chart(alt.NamedData("answer"))
    mine = answer.mark_rule(color=theme.ALERT, strokeWidth=2.5, strokeDash=[5, 3]).encode(
        x=x, y=low, y2="bottom:Q"
    )
    you = answer.mark_text(
        align=alt.ExprRef("datum.x > 8 ? 'right' : 'left'"), fontSize=font, fontStyle="italic",
        color=theme.INK,
    ).encode(x=x, y=alt.YDatum(LANE + 1.0, axis=None), text="said:N")  # fmt: skip
    return alt.layer(track, filled, mine, tries, said, you).properties(
        height=HEIGHT,
        width="container",
        description="Tries stacked by task, with the rows that SFT copies",
    )


def _other(channel: Any, name: str) -> Any:
    """Return an encoding that reads another column on the same scale."""
    copy = channel.copy(deep=True)
    copy.shorthand = f"{name}:Q"
    return copy


def push(selection: Selection, revealed: bool, about: str, answer: float | None) -> dict[str, Any]:
    """Return what the picture shows of an SFT selection.

    Args:
        selection: An SFT selection of at most 16 tasks of 4 rows.
        revealed: Whether it may be told which rows are kept.
        about: Where the rows are from, for the title.
        answer: What the learner predicted; None for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    passed = selection.source.reward >= selection.report["min_reward"]
    kept = selection.fate == KEPT
    codes = selection.source.task_codes
    order = np.lexsort((~kept, ~passed, codes))  # passes below, the one kept at the bottom
    at = np.arange(len(order)) - np.searchsorted(codes[order], codes[order])
    n, total, rows = int(kept.sum()), int(passed.sum()), len(kept)
    mine = [answer] if revealed and answer is not None else []
    full = np.where(kept | (not revealed), 1, 0)
    sign = np.where(passed & ~kept & revealed, "·", "").astype(object)
    if not revealed:
        order = np.lexsort((np.arange(rows), ~passed, codes))  # the order tells no choice
    return {
        "title": f"SFT copies {n} of {rows} rows: one of the passes of each task ({about})"
        if revealed
        else f"{rows} rows, {total} of them passes ({about})",
        "summary": f"{total} of {rows} rows pass"
        + (f"; SFT keeps {n}, one per task." if revealed else "; what is kept is shown later."),
        "table": _table(selection, passed, kept, revealed),
        "tries": {
            "x": codes[order] + 0.5,
            "y": TALL - at - 0.5,
            "shape": marks.SHAPES[passed[order].astype(np.int64)],
            "full": full[order],
            "sign": sign[order],
            "link": np.full(rows, "", dtype=object),
        },
        "meter": {
            "zero": [0],
            "all": [TASKS],
            "x2": [n * TASKS / rows if revealed else 0.0],
            "top": [LANE - 0.2],
            "bottom": [LANE + 0.5],
            "said": [f"SFT keeps {n} of {rows}" if revealed else f"SFT keeps … of {rows}"],
        },
        "answer": {
            "x": [answer * TASKS / rows for answer in mine],
            "top": [LANE - 0.4 for _ in mine],
            "bottom": [LANE + 0.75 for _ in mine],
            "said": [f"you: {answer:.0f}" for answer in mine],
        },
    }


def _table(selection: Selection, passed: Any, kept: Any, revealed: bool) -> dict[str, Any]:
    """Return per task its tries, its passes and, once told, what is copied."""
    codes, n = selection.source.task_codes, selection.source.n_tasks
    table: dict[str, Any] = {
        "task": [str(one) for one in selection.source.task_labels],
        "tries": np.bincount(codes, minlength=n),
        "passes": np.bincount(codes[passed], minlength=n),
    }
    if revealed:
        table["copied"] = np.bincount(codes[kept], minlength=n)
    return table
