"""Completions of each task by score, the pick ringed; and the picks' true quality by score."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.charts.odds import per_cent
from whilecore.rejection import Rejection

TASKS: Final = 12
LOW, HIGH = -5.5, 7.0
MARGIN: Final = -7.6
HEIGHT: Final = 350
QUALITY_HEIGHT: Final = 210

Floats = npt.NDArray[np.float64]


def _score(axis: alt.Axis | None) -> alt.X:
    return alt.X("x:Q", scale=alt.Scale(domain=[MARGIN, HIGH], nice=False), axis=axis)


@spec.once
def picture() -> ChartType:
    """Return the strip; it reads ``tries``, ``rings``, ``tasks`` and ``mark``."""
    x = _score(
        alt.Axis(values=[-4, -2, 0, 2, 4, 6], format="d", title="what the judge sees, in spreads")
    )
    y = alt.Y("y:Q", scale=alt.Scale(domain=[TASKS, 0], nice=False, zero=False), axis=None)
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    mark = (
        alt.Chart(alt.NamedData("mark"))
        .mark_rule(color=theme.INK, strokeDash=[4, 3], strokeWidth=1.5)
        .encode(x=x)
    )
    tasks = alt.Chart(alt.NamedData("tasks")).encode(y=y)
    low = x.copy(deep=True)
    low.shorthand = "low:Q"
    lanes = tasks.mark_rule(color=theme.GRID, strokeWidth=1).encode(x=low, x2="high:Q")
    names = tasks.mark_text(align="right", fontSize=font, color=theme.MUTED).encode(
        x=alt.XDatum(LOW - 0.25), text="said:N"
    )
    tries = marks.layer("tries", x, y, side="width < 420 ? 6.5 : 9")
    rings = (
        alt.Chart(alt.NamedData("rings"))
        .mark_point(shape="circle", filled=False, strokeWidth=2, stroke=theme.INK)
        .encode(x=x, y=y, size=alt.value(190), opacity=alt.value(1))
    )
    return alt.layer(lanes, mark, names, tries, rings).properties(
        height=HEIGHT,
        width="container",
        description="Completions of twelve tasks by what the judge sees, the picks ringed",
    )


@spec.once
def quality() -> ChartType:
    """Return the picks' true quality against their score; it reads ``picks`` and ``line``."""
    x = _score(
        alt.Axis(values=[-4, -2, 0, 2, 4, 6], format="d", title="what the judge sees, in spreads")
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[-4.5, 5.5], nice=False),
        axis=alt.Axis(values=[-4, -2, 0, 2, 4], title="true quality", grid=True),
    )
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    line = alt.Chart(alt.NamedData("line")).encode(x=x, y=y)
    equal = line.mark_line(color=theme.MUTED, strokeWidth=1.5, strokeDash=[5, 4], clip=True)
    name = (
        line.transform_filter("datum.said !== ''")
        .mark_text(align="left", dx=9, dy=4, fontSize=font, color=theme.MUTED)
        .encode(text="said:N")
    )
    level = (
        alt.Chart(alt.NamedData("line"))
        .mark_rule(color=theme.INK, strokeWidth=1.2)
        .encode(y=alt.YDatum(0))
    )
    picks = alt.Chart(alt.NamedData("picks")).encode(x=x, y=y)
    gap = picks.mark_rule(color=theme.MUTED, strokeWidth=1.2).encode(y2="seen:Q")
    dots = marks.layer("picks", x, y, side="10")
    return alt.layer(level, equal, gap, name, dots).properties(
        height=QUALITY_HEIGHT,
        width="container",
        description="True quality of the picks against what the judge sees of them",
    )


def push(run: Rejection, rates: Floats, rule: str, revealed: bool, about: str) -> dict[str, Any]:
    """Return what the strip shows.

    Args:
        run: Completions, as a graded judge sees them, and picks.
        rates: True pass rates.
        rule: Whose picks are ringed.
        revealed: Whether picks may be shown.
        about: Completions, noise and seed in words.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    seen = run.score
    tasks, n = seen.shape
    pick = run.picks[rule] if revealed else np.full(tasks, -1)
    kept = np.flatnonzero(pick >= 0)
    task = np.repeat(np.arange(tasks), n)
    lift = 0.5 * ((np.tile(np.arange(n), tasks) * 0.618) % 1 - 0.5)  # so that few marks cover
    x, y = np.clip(seen, LOW, HIGH).round(3), np.round(task + 0.5 + lift, 3).reshape(tasks, n)
    picked = np.arange(n) == pick[:, None]
    return {
        "title": _title(run, kept, rule, revealed, about),
        "summary": f"{tasks} tasks with {n} completions each; the judge passes "
        f"{int(run.passed.sum())} of {tasks * n}, {int((run.quality >= 0).sum())} are right."
        + (f" {len(kept)} tasks have a pick." if revealed else ""),
        "table": _table(run, rates, pick, revealed),
        "tries": {
            "x": x.ravel(),
            "y": y.ravel(),
            "shape": marks.SHAPES[(run.quality >= 0).astype(np.int64).ravel()],
            "full": (picked.ravel() if revealed else np.ones(tasks * n)).astype(np.int64),
            "sign": np.full(tasks * n, "", dtype=object),
            "link": np.full(tasks * n, "", dtype=object),
        },
        "rings": {"x": x[kept, pick[kept]], "y": y[kept, pick[kept]]},
        "tasks": {
            "y": np.arange(tasks) + 0.5,
            "low": np.full(tasks, LOW),
            "high": np.full(tasks, HIGH),
            "said": [per_cent(p) for p in rates],
        },
        "mark": {"x": [0.0]},
    }


def push_quality(run: Rejection, rule: str, revealed: bool, about: str) -> dict[str, Any]:
    """Return what the picture of the picks' true quality shows; arguments as for ``push``."""
    pick = run.picks[rule]
    kept = np.flatnonzero(pick >= 0) if revealed else np.zeros(0, np.int64)
    x, y = run.score[kept, pick[kept]], run.quality[kept, pick[kept]]
    shown = np.clip(x, LOW, HIGH).round(3)
    return {
        "title": _quality_title(x, y, revealed, about),
        "summary": "Each pick's true quality against what the judge saw of it; on the dashed line "
        "the judge saw it as it is." if revealed else "Shown after you answer or skip.",
        "table": {
            "pick": [f"task {at + 1}" for at in kept],
            "seen": x.round(2),
            "true": y.round(2),
        },
        "picks": {
            "x": shown,
            "y": y.round(3),
            "seen": np.clip(x, -4.5, 5.5).round(3),
            "shape": marks.SHAPES[(y >= 0).astype(np.int64)],
            "full": np.ones(len(kept), np.int64),
            "sign": np.full(len(kept), "", dtype=object),
            "link": np.full(len(kept), "", dtype=object),
        },
        "line": {"x": [-4.5, -3.0, 5.5], "y": [-4.5, -3.0, 5.5], "said": ["", "as seen", ""]},
    }  # fmt: skip


def _title(run: Rejection, kept: Any, rule: str, revealed: bool, about: str) -> str:
    tasks = len(run.quality)
    if not revealed:
        return f"{tasks} tasks: answer or skip to see the picks ({about})"
    right = int((run.quality[kept, run.picks[rule][kept]] >= 0).sum())
    return f"{len(kept)} of {tasks} tasks give a reply to copy, {right} of them right ({about})"


def _quality_title(x: Floats, y: Floats, revealed: bool, about: str) -> str:
    if not revealed:
        return f"Are the picks as good as they look? Answer or skip to see ({about})"
    if not len(x):
        return f"No task has a pick ({about})"
    return f"The picks look {x.mean():+.1f} and are {y.mean():+.1f} on average ({about})".replace(
        "-", "−"
    )


def _table(run: Rejection, rates: Floats, pick: Any, revealed: bool) -> dict[str, Any]:
    table: dict[str, Any] = {
        "true rate": [per_cent(p) for p in rates],
        "right": (run.quality >= 0).sum(1),
        "passed": run.passed.sum(1),
    }
    if revealed:
        at = np.arange(len(pick)), pick
        table["pick seen as"] = np.where(pick >= 0, run.score[at].round(2), np.nan)
        table["pick's quality"] = np.where(pick >= 0, run.quality[at].round(2), np.nan)
    return table
