"""A few printed correlations, and which of them stand out from shuffled rewards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.scatter import signed

STEP: Final = 52


@dataclass(frozen=True)
class Claim:
    """One printed correlation.

    Attributes:
        words: What is correlated, such as "hedging".
        rows: Rows it was computed on.
        within: Its value within tasks.
        floor: The noise floor of its rows.
    """

    words: str
    rows: int
    within: float
    floor: float

    @property
    def label(self) -> str:
        """Return it as printed: "hedging −0.51 on 29 rows"."""
        return f"{self.words} {signed(self.within)} on {self.rows} rows"

    @property
    def clears(self) -> bool:
        """Return whether it lies beyond its floor."""
        return abs(self.within) > self.floor


@spec.once
def picture(many: int = 3) -> ChartType:
    """Return the chart for so many claims; it reads ``claims``, ``floors`` and ``zero``."""
    axis = alt.Axis(
        values=[-1, -0.5, 0, 0.5, 1], format="+.1f", title="correlation within tasks", grid=True
    )
    x = alt.X("x:Q", scale=alt.Scale(domain=[-1.04, 1.04], nice=False), axis=axis)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[many, 0], nice=False, zero=False), axis=None)
    floors = (
        alt.Chart(alt.NamedData("floors"))
        .mark_rect(color=theme.BAND)
        .encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
    )
    zero = alt.Chart(alt.NamedData("zero")).mark_rule(color=theme.MUTED).encode(x=x)
    claims = alt.Chart(alt.NamedData("claims")).encode(y=y)
    colour = (
        alt.when("datum.clears === 1").then(alt.value(theme.ALERT)).otherwise(alt.value(theme.INK))
    )
    dots = claims.mark_point(size=120, strokeWidth=1.5, fillOpacity=1).encode(
        x=x,
        shape=alt.when("datum.clears === 1")
        .then(alt.value("triangle-up"))
        .otherwise(alt.value("circle")),
        fill=colour,
        stroke=colour,
    )
    font = alt.ExprRef("width < 420 ? 11 : 13")
    words = claims.mark_text(align="left", dy=-17, fontSize=font, color=theme.INK).encode(
        x=alt.XDatum(-1.02), text="label:N"
    )
    said = claims.mark_text(
        align="right", dy=-17, fontSize=font, fontStyle="italic", fontWeight="bold", color=theme.INK
    ).encode(x=alt.XDatum(1.02), text="said:N")
    return alt.layer(floors, zero, dots, words, said).properties(
        height=STEP * many,
        width="container",
        description="Printed correlations, each with the noise floor of its own rows",
    )


def push(claims: Sequence[Claim], revealed: bool, answer: str = "") -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        claims: The printed correlations.
        revealed: Whether the floors may be shown.
        answer: Label of the claim the learner chose; "" for none.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    places = range(len(claims))
    clears = [int(one.clears and revealed) for one in claims]
    table: dict[str, Any] = {
        "correlation": [one.words for one in claims],
        "rows": [one.rows for one in claims],
        "within tasks": [round(one.within, 2) for one in claims],
    }
    if revealed:
        table["noise floor"] = [round(one.floor, 2) for one in claims]
    return {
        "title": _title(claims, revealed),
        "summary": "; ".join(
            f"{one.label}, floor {one.floor:.2f}" if revealed else one.label for one in claims
        )
        + ".",
        "table": table,
        "zero": {"x": [0]},
        "floors": {
            "x": [-one.floor for one in claims],
            "x2": [one.floor for one in claims],
            "y": [at + 0.42 for at in places],
            "y2": [at + 0.94 for at in places],
        }
        if revealed
        else {name: [] for name in ("x", "x2", "y", "y2")},
        "claims": {
            "x": [one.within for one in claims],
            "y": [at + 0.68 for at in places],
            "label": [one.label for one in claims],
            "clears": clears,
            "said": ["you" if revealed and answer == one.label else "" for one in claims],
        },
    }


def _title(claims: Sequence[Claim], revealed: bool) -> str:
    if not revealed:
        return "Three correlations as a report prints them"
    over = [one.words for one in claims if one.clears]
    return f"{len(over)} of {len(claims)} clears the floor of its own rows: {', '.join(over)}"
