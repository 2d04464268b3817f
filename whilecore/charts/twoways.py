"""Rows kept against tries per task, with the band measured in two ways on the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import spec, theme

HEIGHT: Final = 260
TRIES: Final = (2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32)
ROWS: Final = 512
WORDS: Final = {"scored": "all scored tries", "surviving": "what survives"}
CLAIMS: Final = ("more", "about as many", "fewer")


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``kept``, ``now`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[1.5, 36], nice=False, zero=False),
        axis=alt.Axis(values=[2, 4, 8, 12, 16, 20, 24, 28, 32], title="tries per task, k"),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[-12, ROWS], nice=False, zero=False),
        axis=alt.Axis(values=[0, 100, 200, 300, 400, 500], title="rows kept", grid=True),
    )
    kept = alt.Chart(alt.NamedData("kept")).encode(x=x, y=y)
    layers: list[ChartType] = [
        alt.Chart(alt.NamedData("now")).mark_rule(color=theme.MUTED).encode(x=x)
    ]
    font = alt.ExprRef("width < 420 ? 10 : 12")
    for how, colour, shape, dash in (
        ("scored", theme.INK, "circle", [1, 0]),
        ("surviving", theme.ALERT, "triangle-down", [5, 3]),
    ):
        mine = kept.transform_filter(f"datum.how === '{how}'")
        layers += [
            mine.mark_line(color=colour, strokeWidth=2, strokeDash=dash),
            mine.mark_point(shape=shape, size=42, fill=colour, stroke=colour),
            mine.transform_filter("datum.text !== ''")
            .mark_text(align="left", dx=8, fontSize=font, color=colour)
            .encode(text="text:N"),
        ]
    answer = alt.Chart(alt.NamedData("answer")).encode(x=x, y=y)
    layers += [
        answer.mark_line(color=theme.INK, strokeDash=[2, 4], strokeWidth=2),
        answer.transform_filter("datum.text !== ''")
        .mark_text(align="right", dy=-10, fontSize=font, fontStyle="italic", color=theme.INK)
        .encode(text="text:N"),
    ]
    return alt.layer(*layers).properties(
        height=HEIGHT,
        width="container",
        description="Rows kept against tries per task, band measured in two ways",
    )


def push(
    kept: Mapping[str, npt.NDArray[Any]], k: int, revealed: bool, about: str, answer: str = ""
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        kept: Rows kept at each of ``TRIES``, from ``survivors.kept_by_tries``.
        k: Tries per task now.
        revealed: Whether the rows kept on survivors may be shown.
        about: Variety and seed in words, for the title.
        answer: What the learner said the rows do, one of ``CLAIMS``; "" for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    shown = ("scored", "surviving") if revealed else ("scored",)
    table: dict[str, Any] = {"tries per task": TRIES}
    return {
        "title": _title(kept, revealed, about),
        "summary": _summary(kept, revealed),
        "table": table | {f"kept, on {WORDS[how]}": kept[how] for how in shown},
        "kept": {
            "x": [*TRIES] * len(shown),
            "y": [int(rows) for how in shown for rows in kept[how]],
            "how": [how for how in shown for _ in TRIES],
            "text": [
                str(kept[how][-1]) if tries == TRIES[-1] else "" for how in shown for tries in TRIES
            ],
        },
        "now": {"x": [k]},
        "answer": _answer(kept["surviving"], answer if revealed else ""),
    }


def _answer(kept: Sequence[int] | npt.NDArray[Any], answer: str) -> dict[str, Any]:
    """Draw what was said: from the rows at 4 tries to eight times as many, as many, or none."""
    if answer not in CLAIMS:
        return {"x": [], "y": [], "text": []}
    start = int(kept[TRIES.index(4)])
    end = {"more": min(8 * start, ROWS), "about as many": start, "fewer": 0}[answer]
    return {"x": [4, 32], "y": [start, end], "text": ["", f"you: {answer}"]}


def _title(kept: Mapping[str, npt.NDArray[Any]], revealed: bool, about: str) -> str:
    at = TRIES.index(4)
    scored = f"{kept['scored'][at]} → {kept['scored'][-1]}"
    if not revealed:
        return f"Rows kept from 4 to 32 tries, band on all scored tries: {scored} ({about})"
    return (
        f"From 4 to 32 tries the rows kept go {scored} on all tries, "
        f"{kept['surviving'][at]} → {kept['surviving'][-1]} on what survives ({about})"
    )


def _summary(kept: Mapping[str, npt.NDArray[Any]], revealed: bool) -> str:
    shown = ("scored", "surviving") if revealed else ("scored",)
    parts = [
        f"on {WORDS[how]} "
        + ", ".join(f"{kept[how][TRIES.index(k)]} at {k}" for k in (4, 8, 16, 32))
        for how in shown
    ]
    return f"Rows kept by tries per task, band measured {'; '.join(parts)}."
