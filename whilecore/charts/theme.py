"""Colours and shapes of every chart, for light and dark pages alike.

A page can turn dark while a chart is on it. So no colour is fixed when a chart is built: each is
an expression on the parameter ``dark``, which ``LiveChart`` adds to every chart and keeps equal
to the page. Shape always doubles colour: a pass is a filled circle, a fail a square.
"""

from __future__ import annotations

from typing import Any, Final

import altair as alt

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def by_theme(light: str, dark: str) -> alt.ExprRef:
    """Return a colour that follows the page.

    Args:
        light: CSS colour on a light page.
        dark: CSS colour on a dark page.

    >>> by_theme("black", "white").to_dict()
    {'expr': "dark ? 'white' : 'black'"}
    """
    return alt.ExprRef(f"dark ? '{dark}' : '{light}'")


PASS_LIGHT: Final = "#0072B2"
PASS_DARK: Final = "#56B4E9"
FAIL_LIGHT: Final = "#D55E00"
FAIL_DARK: Final = "#F5935A"

PASS: Final = by_theme(PASS_LIGHT, PASS_DARK)
FAIL: Final = by_theme(FAIL_LIGHT, FAIL_DARK)
INK: Final = by_theme("#1C2024", "#ECEEF0")
MUTED: Final = by_theme("#5A6169", "#A6ADB5")
GRID: Final = by_theme("#E3E6EA", "#33393F")
BAND: Final = by_theme("#E4EEF6", "#22384A")
TRUTH: Final = by_theme("#9A3E8C", "#E08BD0")
ALERT: Final = by_theme("#B3261E", "#FF8A80")
SURFACE: Final = by_theme("#FFFFFF", "#181C1A")

PASS_SHAPE: Final = "circle"
FAIL_SHAPE: Final = "square"

LIT: Final = "(lit !== '' && datum.link === lit)"
"""Test on a mark: what the reader points at elsewhere on the page belongs to this mark."""

UNLIT: Final = "(lit !== '' && datum.link !== lit)"
"""Test on a mark: the reader points at something that is not this mark."""


def config() -> dict[str, Any]:
    """Return the base configuration that every chart starts from.

    Returns:
        A fresh Vega-Lite ``config``: no background, no frame, text and lines that follow the page.
    """
    ink, muted, grid = INK.to_dict(), MUTED.to_dict(), GRID.to_dict()
    text = {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12}
    return {
        "background": None,
        "font": FONT,
        # The canvas is one image to a screen reader; no need to describe each mark on each move.
        "aria": False,
        "view": {"stroke": None},
        "axis": {
            **text,
            "grid": False,
            "titleFontWeight": "normal",
            "domainColor": muted,
            "tickColor": muted,
            "gridColor": grid,
        },
        "legend": {**text, "titleFontWeight": "normal"},
        "header": {**text, "titleFontWeight": "normal"},
        "title": {"color": ink, "subtitleColor": muted, "fontSize": 13, "anchor": "start"},
        "text": {"color": ink, "fontSize": 12},
        "rule": {"color": muted},
        "tick": {"color": muted},
        "line": {"color": ink},
        "point": {"color": ink, "filled": True, "opacity": 1},
        "bar": {"color": muted},
    }
