"""The band strip: where four tries put a task, and where it truly is."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import marks, theme
from whilecore.gates import RL_FATES
from whilecore.intervals import wilson
from whilecore.selection import Selection

HEIGHT: Final = 270
MOST_TASKS: Final = 64


def picture() -> ChartType:
    """Return the chart; it reads ``band``, ``ticks``, ``tasks`` and ``truth``."""
    axis = alt.Axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], title="pass rate", tickSize=0)
    x = alt.X("x:Q", scale=alt.Scale(domain=[-0.02, 1.02], nice=False), axis=axis)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[1, -0.09], nice=False, zero=False), axis=None)
    band = (
        alt.Chart(alt.NamedData("band"))
        .mark_rect(color=theme.BAND)
        .encode(x=x, x2="x2:Q", opacity=marks.fade(away=0.5))
    )
    edges = (
        alt.Chart(alt.NamedData("band"))
        .mark_rule(color=theme.MUTED, strokeDash=[4, 3])
        .encode(x=alt.X("edge:Q", axis=axis))
    )
    ticks = (
        alt.Chart(alt.NamedData("ticks"))
        .mark_tick(thickness=2, size=9, color=theme.INK)
        .encode(x=x, y=alt.YDatum(-0.05, axis=None))
    )
    tasks = alt.Chart(alt.NamedData("tasks")).encode(y=y)
    unsure = tasks.mark_rule(color=theme.MUTED, strokeWidth=1.5).encode(
        x=alt.X("low:Q", axis=axis),
        x2="high:Q",
        opacity=alt.when("lit !== '' && lit !== 'difficulty'")
        .then(alt.value(0.12))
        .otherwise(alt.value(0.55)),
    )
    dots = tasks.mark_point(shape="circle", size=alt.ExprRef("datum.size"), strokeWidth=1.5).encode(
        x=x,
        fill=alt.value(theme.INK),
        stroke=alt.value(theme.INK),
        fillOpacity=alt.when("datum.full === 1").then(alt.value(1)).otherwise(alt.value(0)),
        opacity=marks.fade(),
    )
    truth = (
        alt.Chart(alt.NamedData("truth"))
        .mark_point(shape="diamond", filled=False, size=70, strokeWidth=1.8)
        .encode(x=x, y=y, stroke=alt.value(theme.TRUTH))
    )
    return alt.layer(band, edges, ticks, unsure, truth, dots).properties(
        height=HEIGHT,
        width="container",
        description="Strip of tasks by measured pass rate, with the band and the true rates",
    )


def push(selection: Selection, revealed: bool, about: str, truth: bool) -> dict[str, Any]:
    """Return what the picture shows of a selection.

    Args:
        selection: An RL selection.
        revealed: Whether it may be told which tasks are kept.
        about: Seed and source in words, for the title.
        truth: Whether the true rates are asked for; they exist only in simulated runs.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    assert selection.gates is not None, "the strip shows an RL selection"
    measured = selection.gates.measured
    tasks = np.flatnonzero(measured.rows > 0)[:MOST_TASKS]
    rate = measured.rate[tasks]
    low, high = wilson(measured.passes[tasks], measured.rows[tasks])
    y = (np.arange(len(tasks)) + 0.5) / max(len(tasks), 1)
    group = selection.gates.group[tasks]
    kept = group == marks.KEPT
    true = true_rates(selection)
    edge_low, edge_high = selection.report["band"]
    repeats = int(np.bincount(measured.rows[measured.rows > 0]).argmax()) if len(tasks) else 1
    links = np.where(group < 0, "row_gates", marks.LINKS[np.maximum(group, 0)])
    blank = np.full(len(tasks), "", dtype=object)
    drawn = {"x": true[tasks], "y": y} if truth and true is not None else {"x": [], "y": []}
    return {
        "title": _title(selection, rate, true, repeats, about, truth),
        "summary": _summary(selection, rate, true, tasks, revealed, truth),
        "table": _table(selection, tasks, true if truth else None, revealed),
        "band": {
            "x": [edge_low, edge_high],
            "x2": [edge_high, edge_high],
            "edge": [edge_low, edge_high],
            "link": ["band", "band"],
        },
        "ticks": {"x": np.arange(repeats + 1) / repeats},
        "tasks": {
            "x": rate,
            "y": y,
            "low": low,
            "high": high,
            "full": np.where(kept, 1, 0) if revealed else np.ones(len(tasks), np.int64),
            "size": np.full(len(tasks), 75 if len(tasks) <= 24 else 40),
            "link": links if revealed else blank,
        },
        "truth": drawn,
    }


def true_rates(selection: Selection) -> Any:
    """Return the true pass rate of every task, or None where nobody knows it."""
    frame = selection.source.frame
    if "true_pass_rate" not in frame.columns:
        return None
    out = np.full(selection.source.n_tasks, np.nan)
    out[selection.source.task_codes] = frame["true_pass_rate"].to_numpy(np.float64)
    return None if np.isnan(out).any() else out


def _title(
    selection: Selection, rate: Any, true: Any, repeats: int, about: str, truth: bool
) -> str:
    if not len(rate):
        return f"No task has a scored try ({about})"
    spread = f"from {rate.min():.0%} to {rate.max():.0%}"
    if truth and true is not None and np.ptp(true) < 1e-9:
        return f"{repeats} tries put tasks that are all truly at {true[0]:.0%} {spread} ({about})"
    return f"{repeats} tries put {len(rate)} tasks {spread} ({about})"


def misfiled(selection: Selection, true: Any) -> int:
    """Count tasks whose measured rate lies on the other side of a band edge than the true one."""
    assert selection.gates is not None, "the strip shows an RL selection"
    low, high = selection.report["band"]
    measured = selection.gates.measured
    has = measured.rows > 0
    inside = (measured.rate >= low - 1e-12) & (measured.rate <= high + 1e-12)
    truly = (true >= low - 1e-12) & (true <= high + 1e-12)
    return int((has & (inside != truly)).sum())


def _summary(
    selection: Selection, rate: Any, true: Any, tasks: Any, revealed: bool, truth: bool
) -> str:
    low, high = selection.report["band"]
    words = [
        f"{len(tasks)} tasks by measured pass rate; the band runs from {low:.0%} to {high:.0%}"
    ]
    if truth and true is not None:
        words.append(f"{misfiled(selection, true)} tasks lie on the other side of an edge than "
                     "their true rate")  # fmt: skip
    if revealed:
        report = selection.report
        words.append(
            f"the band drops {report['too_easy_groups']} as too easy and "
            f"{report['too_hard_groups']} as too hard"
        )
    return "; ".join(words) + "."


def _table(selection: Selection, tasks: Any, true: Any, revealed: bool) -> dict[str, Any]:
    assert selection.gates is not None, "the strip shows an RL selection"
    measured = selection.gates.measured
    low, high = wilson(measured.passes[tasks], measured.rows[tasks])
    table: dict[str, Any] = {
        "task": [str(selection.source.task_labels[task]) for task in tasks],
        "measured": np.round(measured.rate[tasks], 3),
        "low (95 %)": np.round(low, 3),
        "high (95 %)": np.round(high, 3),
    }
    if true is not None:
        table["true"] = np.round(true[tasks], 3)
    if revealed:
        group = selection.gates.group[tasks]
        table["ending"] = [RL_FATES[one].replace("_", " ") if one >= 0 else "emptied"
                           for one in group]  # fmt: skip
    return table
