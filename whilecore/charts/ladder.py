"""The ladder: for each number of tries the pass rates it can show, and those the band drops."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.charts.odds import per_cent, span
from whilecore.filing import band_cost, keeps, signal

HEIGHT: Final = 300
RUNGS: Final = tuple(range(2, 17))
GAP: Final = 0.8  # between the rungs and the rung of the present number of tries
LARGEST: Final = 95.0  # square pixels of the mark that holds most signal


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``band``, ``outcomes`` and ``rungs``."""
    axis = alt.Axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], title="measured pass rate",
                    tickSize=0)  # fmt: skip
    x = alt.X("x:Q", scale=alt.Scale(domain=[-0.16, 1.03], nice=False, zero=False), axis=axis)
    ends = [len(RUNGS) + GAP + 0.7, -0.7]
    y = alt.Y("y:Q", scale=alt.Scale(domain=ends, nice=False, zero=False), axis=None)
    band = (
        alt.Chart(alt.NamedData("band"))
        .mark_rect(color=theme.BAND)
        .encode(x=x, x2="x2:Q", opacity=marks.fade(away=0.5))
    )
    outcomes = alt.Chart(alt.NamedData("outcomes")).encode(x=x, y=y)
    colour = (
        alt.when("datum.lost === 1").then(alt.value(theme.ALERT)).otherwise(alt.value(theme.INK))
    )
    room = "pow(0.8 * width / 1.19 / datum.tries, 2)"  # marks of many tries must not overlap
    dots = outcomes.mark_point(
        strokeWidth=1.4, size=alt.ExprRef(f"min(datum.size, {room})")
    ).encode(
        shape=alt.Shape("shape:N", scale=None),
        fill=colour,
        stroke=colour,
        fillOpacity=alt.when("datum.full === 1").then(alt.value(1)).otherwise(alt.value(0)),
        strokeOpacity=alt.when("datum.mixed === 1").then(alt.value(1)).otherwise(alt.value(0.5)),
    )
    font = alt.ExprRef("(width < 420 ? 10 : 12) + (datum.bold === 1 ? 1 : 0)")
    rungs = (
        alt.Chart(alt.NamedData("rungs"))
        .mark_text(
            align="right",
            fontSize=font,
            fontWeight=alt.ExprRef("datum.bold === 1 ? 'bold' : 'normal'"),
            color=theme.INK,
        )
        .encode(x=alt.XDatum(-0.05), y=y, text="text:N")
    )
    return alt.layer(band, dots, rungs).properties(
        height=HEIGHT,
        width="container",
        description="Pass rates that 2 to 16 tries can show, and those outside the band",
    )


def push(k: int, band: tuple[float, float], revealed: bool) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        k: Tries per task now; they have a rung of their own at the bottom.
        band: Pass rates (low, high).
        revealed: Whether the band may be shown.

    Returns:
        Keyword arguments for ``LiveChart.push``. A mark's area is the signal c(k − c)/k² of a
        group with c passes of k.
    """
    if not revealed:
        return {
            "title": "What the band can drop: answer or skip to uncover",
            "summary": "The rates that each number of tries can show are drawn after you answer.",
            "table": {name: [] for name in _table(band)},
            "band": {"x": [], "x2": [], "link": []},
            "outcomes": {name: [] for name in OUTCOMES},
            "rungs": {"y": [], "text": [], "bold": []},
        }
    rungs = [_rung(tries, place, band) for place, tries in enumerate(RUNGS)]
    rungs.append(_rung(k, len(RUNGS) + GAP, band))
    return {
        "title": _title(k, band),
        "summary": _summary(k, band),
        "table": _table(band),
        "band": {"x": [band[0]], "x2": [band[1]], "link": ["band"]},
        "outcomes": {name: np.concatenate([one[name] for one in rungs]) for name in OUTCOMES},
        "rungs": {
            "y": [*range(len(RUNGS)), len(RUNGS) + GAP],
            "text": [f"k = {RUNGS[0]}", *(str(tries) for tries in RUNGS[1:]), f"now {k}"],
            "bold": [int(tries == k) for tries in RUNGS] + [1],
        },
    }


OUTCOMES: Final = ("x", "y", "shape", "size", "tries", "full", "lost", "mixed")


def _rung(k: int, y: float, band: tuple[float, float]) -> dict[str, Any]:
    """Return the outcomes of k tries as marks: a circle is kept, a square lost, a tick silent."""
    c = np.arange(k + 1)
    kept, mixed = keeps(c, k, band), (c > 0) & (c < k)
    lost = mixed & ~kept
    return {
        "x": c / k,
        "y": np.full(k + 1, y),
        "shape": np.where(lost, "square", np.where(mixed, "circle", "stroke")).astype(object),
        "size": np.where(mixed, np.maximum(LARGEST * 4 * signal(k), 9.0), 40.0),
        "tries": np.full(k + 1, k),
        "full": kept.astype(np.int64),
        "lost": lost.astype(np.int64),
        "mixed": mixed.astype(np.int64),
    }


def first_bite(band: tuple[float, float]) -> int | None:
    """Return the fewest tries, of up to 64, with which the band drops a mixed task."""
    return next((k for k in range(2, 65) if band_cost(k, band).dropped), None)


def _title(k: int, band: tuple[float, float]) -> str:
    cost, first = band_cost(k, band), first_bite(band)
    if cost.dropped:
        return (
            f"At {k} tries the band drops {cost.dropped} of {cost.mixed} mixed outcomes, "
            f"with {per_cent(cost.signal, 1)} of the signal"
        )
    if first is None:
        return f"At {k} tries the band drops nothing, and it never does"
    return f"At {k} tries the band drops nothing that agreement does not; it first does at {first}"


def _summary(k: int, band: tuple[float, float]) -> str:
    cost = band_cost(k, band)
    return (
        f"{k} tries can show {k + 1} pass rates, {cost.mixed} of them mixed. The band from "
        f"{span(*band)} drops {cost.dropped} of these, which hold "
        f"{per_cent(cost.signal, 1)} of the signal; as many at random would hold "
        f"{per_cent(cost.at_random, 1)}."
    )


@lru_cache(maxsize=512)
def _costs(band: tuple[float, float]) -> tuple[Any, ...]:
    """Return the cost of the band at the table's numbers of tries; a pure function."""
    return tuple(band_cost(k, band) for k in (*RUNGS, 32, 64))


def _table(band: tuple[float, float]) -> dict[str, Any]:
    costs = _costs(band)
    return {
        "tries": [one.tries for one in costs],
        "mixed outcomes": [one.mixed for one in costs],
        "the band drops": [one.dropped for one in costs],
        "signal in them, %": [round(100 * one.signal, 1) for one in costs],
        "as many at random, %": [round(100 * one.at_random, 1) for one in costs],
    }
