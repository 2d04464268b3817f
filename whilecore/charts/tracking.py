"""What the reward tracks: each feature's correlation, within tasks and pooled, and the floor."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.reward_scan import SCANNED, label
from whilecore.selection import Selection
from whilecore.texts import counted

STEP: Final = 30
AWAY: Final = "lit !== '' && lit !== 'scan' && datum.link !== lit"


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``floor`` and ``features``."""
    names = [label(name) for name in SCANNED]
    axis = alt.Axis(
        values=[-1, -0.5, 0, 0.5, 1], format="+.1f", title="correlation with the reward", grid=True
    )
    x = alt.X("x:Q", scale=alt.Scale(domain=[-1.04, 1.04], nice=False), axis=axis)
    y = alt.Y(
        "feature:N",
        sort=names,
        scale=alt.Scale(domain=names),
        axis=alt.Axis(title=None, ticks=False, domain=False, labelPadding=6, minExtent=104,
                      maxExtent=104),
    )  # fmt: skip
    floor = alt.Chart(alt.NamedData("floor")).mark_rect(color=theme.BAND).encode(x=x, x2="x2:Q")
    zero = alt.Chart(alt.NamedData("zero")).mark_rule(color=theme.MUTED).encode(x=x)
    rows = alt.Chart(alt.NamedData("features")).encode(y=y)
    link = rows.mark_rule(color=theme.MUTED).encode(
        x=alt.X("pooled:Q", axis=axis), x2="within:Q", opacity=_fade(0.6)
    )
    pooled = rows.mark_point(
        shape="circle", filled=False, size=70, strokeWidth=1.5, fill=theme.SURFACE
    ).encode(x=alt.X("pooled:Q", axis=axis), stroke=alt.value(theme.MUTED), opacity=_fade())
    within = rows.mark_point(shape="circle", size=95, strokeWidth=1.5).encode(
        x=alt.X("within:Q", axis=axis),
        fill=alt.when("datum.clears === 1")
        .then(alt.value(theme.ALERT))
        .otherwise(alt.value(theme.INK)),
        shape=alt.when("datum.clears === 1")
        .then(alt.value("triangle-up"))
        .otherwise(alt.value("circle")),
        opacity=_fade(),
    )
    undefined = rows.mark_text(align="left", dx=6, color=theme.MUTED, fontSize=11).encode(
        x=alt.XDatum(0), text="note:N", opacity=_fade()
    )
    return alt.layer(floor, zero, link, pooled, within, undefined).properties(
        height=STEP * len(names),
        width="container",
        description="Correlation of the reward with each feature, within tasks and pooled",
    )


def push(selection: Selection, about: str) -> dict[str, Any]:
    """Return what the picture shows of an RL selection that may be told.

    Returns:
        Keyword arguments for ``LiveChart.push``: a filled dot within tasks, a ring pooled, the
        noise floor shaded, a triangle for what clears it.
    """
    found = selection.report["correlations"]
    floor = selection.report["scanned"]["floor"]
    names = [name for name in SCANNED if name in found]
    missing = [name for name in SCANNED if name not in found]
    cells = [found[name] for name in names]
    return {
        "title": _title(selection, about),
        "summary": _summary(selection),
        "table": {
            "feature": [label(name) for name in names],
            "within tasks": [_round(one["within"]) for one in cells],
            "pooled": [_round(one["pooled"]) for one in cells],
            "noise floor": [_round(one["floor"]) for one in cells],
            "over the floor": ["yes" if one["clears"] else "no" for one in cells],
        },
        "zero": {"x": [0], "link": ["scan"]},
        "floor": (
            {"x": [-floor], "x2": [floor], "link": ["scan"]} if floor is not None
            else {"x": [], "x2": [], "link": []}
        ),
        "features": {
            "feature": [label(name) for name in names + missing],
            "within": [one["within"] for one in cells] + [None] * len(missing),
            "pooled": [one["pooled"] for one in cells] + [None] * len(missing),
            "clears": [int(one["clears"]) for one in cells] + [0] * len(missing),
            "note": ["undefined" if one["within"] is None else ""
                     for one in cells] + ["not in this file"] * len(missing),
            "link": [f"scan.{name}" for name in names + missing],
        },
    }  # fmt: skip


def blank() -> dict[str, Any]:
    """Return what the picture shows before the answer: axes, and nothing in them."""
    return {
        "title": "What the reward tracks: answer or skip to uncover",
        "summary": "The correlations are shown after you answer or skip.",
        "zero": {"x": [0]},
        "floor": {"x": [], "x2": []},
        "features": {
            name: [] for name in ("feature", "within", "pooled", "clears", "note", "link")
        },
    }


def _fade(resting: float = 1.0) -> Any:
    """Return the opacity of a feature's marks; the lines about all features light every one."""
    return alt.when(AWAY).then(alt.value(0.18)).otherwise(alt.value(resting))


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _title(selection: Selection, about: str) -> str:
    scanned, found = selection.report["scanned"], selection.report["correlations"]
    rows = f"{counted(scanned['rows'], 'kept row')}, {counted(scanned['groups'], 'task')}; {about}"
    over = [name for name, one in found.items() if one["clears"]]
    if scanned["floor"] is None:
        return f"No noise floor: {scanned['why_no_floor']} ({rows})"
    if not over:
        return f"Nothing clears the noise floor of {scanned['floor']:.2f} ({rows})"
    words = " and ".join(f"{label(name)} ({found[name]['within']:+.2f})" for name in over)
    verb = "clears" if len(over) == 1 else "clear"
    return (
        f"{words[0].upper()}{words[1:]} {verb} the noise floor of {scanned['floor']:.2f} ({rows})"
    )


def _summary(selection: Selection) -> str:
    found = selection.report["correlations"]
    defined = {name: one for name, one in found.items() if one["within"] is not None}
    if not defined:
        return "No feature varies within a task of the kept rows."
    top = max(defined, key=lambda name: abs(defined[name]["within"]))
    one = defined[top]
    pooled = "n/a" if one["pooled"] is None else f"{one['pooled']:+.2f}"
    return (
        f"Largest within tasks: {label(top)}, {one['within']:+.2f}; pooled over the same rows it "
        f"reads {pooled}."
    )
