"""Every task's pass rate before and after its copies go, as a line that crosses the band or not."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.charts.odds import per_cent, span
from whilecore.survivors import Shift

HEIGHT: Final = 300
APART: Final = 0.055  # numbers of tasks that stand closer would print over each other
ENDS: Final = ("all scored tries", "copies removed")


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``band``, ``lines``, ``ends`` and ``heads``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[-0.32, 1.32], nice=False, zero=False), axis=None)
    scale = alt.Scale(domain=[-0.03, 1.1], nice=False, zero=False)
    axis = alt.Axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], title="pass rate", tickSize=0)
    y = alt.Y("y:Q", scale=scale, axis=axis)
    band = (
        alt.Chart(alt.NamedData("band"))
        .mark_rect(color=theme.BAND)
        .encode(y=y, y2="y2:Q", opacity=marks.fade(away=0.6))
    )
    colour = (
        alt.when("datum.crossed === 1")
        .then(alt.value(theme.ALERT))
        .otherwise(alt.value(theme.MUTED))
    )
    lines = (
        alt.Chart(alt.NamedData("lines"))
        .mark_rule(strokeCap="round")
        .encode(
            x=x,
            x2="x2:Q",
            y=y,
            y2="y2:Q",
            stroke=colour,
            strokeWidth=alt.StrokeWidth("width:Q", scale=None),
            strokeDash=alt.when("datum.crossed === 1")
            .then(alt.value([1, 0]))
            .otherwise(alt.value([5, 4])),
            opacity=marks.fade(),
        )
    )
    ends = alt.Chart(alt.NamedData("ends")).encode(x=x, y=y, opacity=marks.fade())
    dots = ends.mark_point(strokeWidth=1.5, fillOpacity=1).encode(
        shape=alt.Shape("shape:N", scale=None),
        size=alt.Size("size:Q", scale=None),
        fill=colour,
        stroke=colour,
    )
    font = alt.ExprRef("width < 420 ? 10.5 : 12.5")
    words: list[ChartType] = [
        ends.transform_filter(f"datum.x === {end}")
        .mark_text(align="left" if end else "right", dx=9 if end else -9, fontSize=font,
                   color=theme.INK)
        .encode(text="text:N")
        for end in (0, 1)
    ]  # fmt: skip
    heads = (
        alt.Chart(alt.NamedData("heads"))
        .mark_text(fontSize=font, fontWeight="bold", color=theme.INK)
        .encode(x=x, y=y, text="text:N")
    )
    return alt.layer(band, lines, dots, *words, heads).properties(
        height=HEIGHT,
        width="container",
        description="Pass rate of each task on all scored tries and with its copies removed",
    )


def push(moved: Shift, revealed: bool, about: str) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        moved: The tasks' rates before and after.
        revealed: Whether the rates after may be shown.
        about: Tries, variety and seed in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``. Tasks with the same two rates share a line, which
        is as wide as they are many.
    """
    has = (moved.rows_before > 0) & (moved.rows_after > 0)
    before, after = moved.before[has], moved.after[has]
    pairs, counts = np.unique(np.stack([before, after], axis=1), axis=0, return_counts=True)
    crossed = np.array(
        [moved.crossed[has][(before == a) & (after == b)].any() for a, b in pairs], np.int64
    )
    low, high = moved.band
    shown = revealed and len(pairs) > 0
    return {
        "title": _title(moved, revealed, about),
        "summary": _summary(moved, revealed),
        "table": _table(moved, revealed),
        "band": {"y": [low], "y2": [high], "link": ["band"]},
        "heads": {
            "x": [0, 1],
            "y": [1.07, 1.07],
            "text": [ENDS[0], ENDS[1] if revealed else "copies removed: ?"],
        },
        "lines": {
            "x": np.zeros(len(pairs)),
            "x2": np.ones(len(pairs)),
            "y": pairs[:, 0],
            "y2": pairs[:, 1],
            "width": 1.2 + 0.9 * counts,
            "crossed": crossed,
            "link": [""] * len(pairs),
        }
        if shown
        else {name: [] for name in ("x", "x2", "y", "y2", "width", "crossed", "link")},
        "ends": _ends(before, pairs, counts, crossed, revealed),
    }


def _ends(before: Any, pairs: Any, counts: Any, crossed: Any, revealed: bool) -> dict[str, Any]:
    """Return the marks at both ends, with the number of tasks beside each."""
    rows: list[tuple[int, float, str, float, int, str]] = []
    said = -1.0
    for rate, many in zip(*np.unique(before, return_counts=True), strict=True):
        crowded = rate - said < APART
        said = said if crowded else float(rate)
        text = "" if crowded else f"{many}×"
        rows.append((0, float(rate), "circle", 40.0 + 12 * many, 0, text))
    said = -1.0
    if revealed:
        for rate in np.unique(pairs[:, 1]):
            mine = pairs[:, 1] == rate
            over, many = bool(crossed[mine].any()), int(counts[mine].sum())
            shape = "triangle-down" if over else "circle"
            crowded = rate - said < APART
            said = said if crowded else float(rate)
            text = "" if crowded else f"×{many}"
            rows.append((1, float(rate), shape, 40.0 + 12 * many, int(over), text))
    names = ("x", "y", "shape", "size", "crossed", "text")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _title(moved: Shift, revealed: bool, about: str) -> str:
    n = len(moved.labels)
    if not revealed:
        return f"Pass rates on all scored tries ({about})"
    many = int(moved.crossed.sum())
    if not many:
        return f"Removing copies moves no task across the band ({about})"
    return f"Removing copies moves {many} of {n} tasks across a band edge ({about})"


def _summary(moved: Shift, revealed: bool) -> str:
    before = float(np.nanmean(moved.before)) if (moved.rows_before > 0).any() else np.nan
    if not revealed:
        return f"Mean pass rate over tasks on all scored tries: {per_cent(before)}."
    after = float(np.nanmean(moved.after)) if (moved.rows_after > 0).any() else np.nan
    return (
        f"The mean pass rate over tasks is {per_cent(before)} on all scored tries and "
        f"{per_cent(after)} with the copies removed; {int(moved.crossed.sum())} tasks cross an "
        f"edge of the band from {span(*moved.band)}."
    )


def _table(moved: Shift, revealed: bool) -> dict[str, Any]:
    def ratio(passes: Any, rows: Any) -> list[str]:
        return [f"{c}/{k}" for c, k in zip(passes, rows, strict=True)]

    table: dict[str, Any] = {
        "task": [str(label) for label in moved.labels],
        ENDS[0]: ratio(moved.passes_before, moved.rows_before),
    }
    if revealed:
        table[ENDS[1]] = ratio(moved.passes_after, moved.rows_after)
        table["crosses the band"] = ["yes" if one else "no" for one in moved.crossed]
    return table
