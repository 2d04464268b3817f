"""Correlations of shuffled rewards piling up around zero, the floor, and the observed one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.scatter import signed
from whilecore.reward_scan import Shuffles, label

HEIGHT: Final = 250
WIDTH: Final = 0.05  # of a bin of r
LOWEST: Final = 16  # marks that the tallest pile has room for before it shrinks
TOP: Final = 0.84  # share of the height that piles may take


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``dots``, ``floor``, ``zero`` and ``seen``."""
    axis = alt.Axis(values=[-1, -0.5, 0, 0.5, 1], format="+.1f", title="correlation within tasks")
    x = alt.X("x:Q", scale=alt.Scale(domain=[-1.05, 1.05], nice=False), axis=axis)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[0, 1], nice=False), axis=None)
    floor = alt.Chart(alt.NamedData("floor")).mark_rect(color=theme.BAND).encode(x=x, x2="x2:Q")
    zero = alt.Chart(alt.NamedData("zero")).mark_rule(color=theme.MUTED).encode(x=x)
    room = f"min({WIDTH} * width / 2.1, {TOP} * {HEIGHT} / datum.tall)"
    dots = (
        alt.Chart(alt.NamedData("dots"))
        .mark_point(shape="circle", size=alt.ExprRef(f"0.7 * pow({room}, 2)"), strokeWidth=1)
        .encode(
            x=x,
            y=y,
            stroke=alt.value(theme.INK),
            fill=alt.when("datum.last === 1")
            .then(alt.value(theme.INK))
            .otherwise(alt.value(theme.SURFACE)),
        )
    )
    seen = alt.Chart(alt.NamedData("seen")).encode(x=x)
    colour = (
        alt.when("datum.clears === 1").then(alt.value(theme.ALERT)).otherwise(alt.value(theme.INK))
    )
    line = seen.mark_rule(strokeWidth=2, strokeDash=[5, 3]).encode(stroke=colour)
    mark = seen.mark_point(size=130, strokeWidth=1.5, fillOpacity=1).encode(
        y=alt.YDatum(0.92, axis=None),
        shape=alt.when("datum.clears === 1")
        .then(alt.value("triangle-up"))
        .otherwise(alt.value("circle")),
        fill=colour,
        stroke=colour,
    )
    return alt.layer(floor, zero, dots, line, mark).properties(
        height=HEIGHT,
        width="container",
        description="Correlations after shuffling rewards within tasks, with the noise floor",
    )


def push(
    shuffled: Shuffles | None,
    drawn: int,
    feature: str,
    found: Mapping[str, Any],
    revealed: bool,
    about: str,
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        shuffled: The feature's shuffles; None where its correlation is undefined.
        drawn: How many of them are drawn.
        feature: A column.
        found: What the scan says of the feature: ``within``, ``floor``, ``clears``.
        revealed: Whether the observed correlation and the floor may be shown.
        about: Rows and seed in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    n = 0 if shuffled is None or not revealed else min(drawn, len(shuffled.r))
    r = np.zeros(0) if shuffled is None else shuffled.r[:n]
    bins = np.round(r / WIDTH).astype(np.int64)
    height = np.zeros(n, np.int64)
    for one in np.unique(bins):
        height[bins == one] = np.arange((bins == one).sum())
    tall = max(LOWEST, int(height.max(initial=0)) + 1)
    floor, within = (found["floor"], found["within"]) if revealed else (None, None)
    return {
        "title": _title(feature, found, r, revealed, about),
        "summary": _summary(found, r, revealed),
        "table": _table(r, found, revealed),
        "zero": {"x": [0]},
        "floor": {"x": [-floor], "x2": [floor]} if floor is not None else {"x": [], "x2": []},
        "dots": {
            "x": bins * WIDTH,
            "y": TOP * (height + 0.5) / tall,
            "tall": np.full(n, tall),
            "last": (np.arange(n) == n - 1).astype(np.int64),
        },
        "seen": {"x": [within], "clears": [int(found["clears"])]}
        if within is not None
        else {"x": [], "clears": []},
    }


def _reached(found: Mapping[str, Any], r: Any) -> int:
    """Count the shuffles at least as far from zero as the observed correlation."""
    return int((np.abs(r) >= abs(found["within"]) - 1e-12).sum())


def _title(feature: str, found: Mapping[str, Any], r: Any, revealed: bool, about: str) -> str:
    name = label(feature)
    if not revealed:
        return f"What luck makes of {name}: answer or skip to uncover"
    if found["within"] is None:
        return f"{name.capitalize()} has no correlation inside tasks ({about})"
    if not len(r):
        return f"{name.capitalize()}: r = {signed(found['within'])}; shuffle to see luck ({about})"
    return (
        f"{_reached(found, r)} of {len(r)} shuffles reach r = {signed(found['within'])} of {name} "
        f"({about})"
    )


def _summary(found: Mapping[str, Any], r: Any, revealed: bool) -> str:
    if not revealed or found["within"] is None:
        return "No correlation is shown."
    if found["floor"] is None:
        return f"Observed r = {signed(found['within'])}; there is no noise floor for these rows."
    side = "beyond" if found["clears"] else "inside"
    drawn = f" {len(r)} shuffles are drawn." if len(r) else ""
    return (
        f"Observed r = {signed(found['within'])} lies {side} the noise floor of "
        f"{found['floor']:.2f}, which 95 of 100 shuffles do not pass with any feature.{drawn}"
    )


def _table(r: Any, found: Mapping[str, Any], revealed: bool) -> dict[str, Any]:
    if not revealed:
        return {"what": [], "value": []}
    spread = np.quantile(r, [0.025, 0.5, 0.975]).round(2).tolist() if len(r) else [None] * 3
    values: list[tuple[str, float | None]] = [
        ("observed", found["within"]),
        ("noise floor", found["floor"]),
        ("shuffles drawn", float(len(r))),
        ("2.5 % of them lie below", spread[0]),
        ("half of them lie below", spread[1]),
        ("97.5 % of them lie below", spread[2]),
    ]
    return {
        "what": [name for name, _ in values],
        "value": [None if one is None else round(one, 2) for _, one in values],
    }
