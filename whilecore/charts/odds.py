"""How often all tries agree, for every true rate and every number of tries."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.groups import unanimous_probability

TRIES: Final = np.arange(2, 21)
RATES: Final = np.arange(50, 101, 5)  # per cent; a rate and its mirror agree equally often
PITCH: Final = 20
LEFT: Final = -1.0
TOP: Final = -0.1  # two lines of headings above the row of two tries


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``cells``, ``heads`` and ``now``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[LEFT, len(RATES)], nice=False), axis=None)
    bottom = float(TRIES[-1]) + 0.55
    y = alt.Y("y:Q", scale=alt.Scale(domain=[bottom, TOP], nice=False, zero=False), axis=None)
    left, top = x.copy(deep=True), y.copy(deep=True)
    left.shorthand, top.shorthand = "left:Q", "top:Q"
    box: dict[str, Any] = {"x": left, "x2": "right:Q", "y": top, "y2": "bottom:Q"}
    cells = alt.Chart(alt.NamedData("cells"))
    shade = cells.mark_rect(color=theme.MUTED).encode(
        **box, opacity=alt.value(alt.ExprRef("0.03 + 0.5 * datum.chance"))
    )
    font = alt.ExprRef("width < 420 ? 11 : 12.5")
    numbers = cells.mark_text(fontSize=font, color=theme.INK).encode(x=x, y=y, text="said:N")
    heads = alt.Chart(alt.NamedData("heads")).encode(x=x, y=y, text="said:N")
    strong = heads.transform_filter("datum.strong === 1").mark_text(
        fontSize=font, fontWeight="bold", color=theme.INK
    )
    faint = heads.transform_filter("datum.strong === 0").mark_text(fontSize=font, color=theme.MUTED)
    now = (
        alt.Chart(alt.NamedData("now"))
        .mark_rect(fillOpacity=0, stroke=theme.INK, strokeWidth=2.5, cornerRadius=3)
        .encode(**box)
    )
    return alt.layer(shade, numbers, strong, faint, now).properties(
        height=round(PITCH * (bottom - TOP)),
        width="container",
        description="Chance that all tries agree, by true pass rate and number of tries",
    )


def push(rate: float, repeats: int, revealed: bool) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        rate: True pass rate of the marked cell, in steps of 5 %.
        repeats: Its tries, 2 to 20.
        revealed: Whether the numbers may be shown.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    chance = unanimous_probability(RATES[None, :] / 100, TRIES[:, None])
    k, column = np.meshgrid(TRIES, np.arange(len(RATES)), indexing="ij")
    here = float(unanimous_probability(rate, repeats))
    at = round(abs(100 * rate - 50) / 5)
    flat = chance.ravel()
    table: dict[str, Any] = {"tries": [str(one) for one in TRIES]}
    if revealed:
        for i, percent in enumerate(RATES.tolist()):
            table[_both(percent)] = [tenths(100 * one, "<") for one in chance[:, i]]
    return {
        "title": _title(rate, repeats, here, revealed),
        "summary": _summary(rate, repeats, here, revealed),
        "table": table,
        "cells": {
            "x": column.ravel() + 0.5,
            "y": k.ravel(),
            "left": column.ravel() + 0.03,
            "right": column.ravel() + 0.97,
            "top": k.ravel() - 0.46,
            "bottom": k.ravel() + 0.46,
            "chance": np.round(flat, 4) if revealed else np.zeros(flat.size),
            "said": [percents(one) for one in flat] if revealed else ["?"] * flat.size,
        },
        "heads": _heads(),
        "now": {
            "left": [at + 0.03],
            "right": [at + 0.97],
            "top": [repeats - 0.46],
            "bottom": [repeats + 0.46],
        },
    }


def per_cent(share: float, digits: int = 0) -> str:
    """Return a share in per cent, a half rounded up, the sign kept on the number's line.

    >>> per_cent(0.1936, 1).split(), per_cent(0.125).split()
    (['19.4', '%'], ['13', '%'])
    """
    return f"{half_up(100 * share, digits)}\N{NO-BREAK SPACE}%"


def span(low: float, high: float) -> str:
    """Return two shares in per cent as one range.

    >>> span(0.2, 0.8).split()
    ['20', 'to', '80', '%']
    """
    return f"{half_up(100 * low)} to {per_cent(high)}"


def half_up(number: float, digits: int = 0) -> str:
    """Return a number that is not negative, a half rounded up as readers do.

    >>> half_up(12.5), half_up(50.5), half_up(31.75, 1)
    ('13', '51', '31.8')
    """
    return f"{number + 1e-9:.{digits}f}"


def tenths(number: float, under: str = "under ") -> str:
    """Return a number with one digit; what would read as 0.0 and is not is "under 0.1".

    >>> tenths(12.5), tenths(0.006), tenths(0.006, "<"), tenths(0)
    ('12.5', 'under 0.1', '<0.1', '0.0')
    """
    return f"{under}0.1" if 0 < number < 0.05 - 1e-9 else half_up(number, 1)


def percents(chance: float) -> str:
    """Return a chance in whole per cent, as it stands in a cell.

    >>> percents(0.19359), percents(0.125), percents(0.003), percents(1.0)
    ('19', '13', '<1', '100')
    """
    return "<1" if chance < 0.005 else half_up(100 * chance)


def _both(percent: int) -> str:
    """Return a rate and its mirror in words."""
    return "50 %" if percent == 50 else f"{percent} or {100 - percent} %"


def _heads() -> dict[str, Any]:
    """Return the headings: rates above the columns, their mirrors, tries left of the rows."""
    n = len(RATES)
    columns = np.arange(n) + 0.5
    rows = np.full(len(TRIES), LEFT / 2)
    return {
        "x": [*columns, *columns, *rows, LEFT / 2, LEFT / 2],
        "y": [*np.full(n, 0.35), *np.full(n, 1.1), *TRIES, 0.35, 1.1],
        "said": [
            *(str(one) for one in RATES),
            *(str(100 - one) if one != 50 else "" for one in RATES),
            *(str(one) for one in TRIES),
            "%",
            "or",
        ],
        "strong": [1] * n + [0] * n + [1] * len(TRIES) + [0, 0],
    }


def _title(rate: float, repeats: int, here: float, revealed: bool) -> str:
    if not revealed:
        return "All tries agree, in per cent: answer or skip to see"
    share = f"{tenths(100 * here)}\N{NO-BREAK SPACE}%"
    return f"At {per_cent(rate)}, {repeats} tries agree {share} of the time"


def _summary(rate: float, repeats: int, here: float, revealed: bool) -> str:
    if not revealed:
        return (
            "The chance of agreement for every rate and number of tries is shown after you answer."
        )
    return (
        f"Chance that all tries agree, for true pass rates from 50 to 100 % and their mirrors, and "
        f"{TRIES[0]} to {TRIES[-1]} tries. It falls with every further try and rises away from "
        f"50 %. Marked: {per_cent(rate)} and {repeats} tries, {tenths(100 * here)} %."
    )
