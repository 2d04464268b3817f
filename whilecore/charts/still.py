"""A chart as a still picture: an SVG that follows a light or a dark page by itself."""

from __future__ import annotations

import json
import re
from typing import Any

import altair as alt
import numpy as np
import vl_convert

from whilecore.charts import spec, theme


def svg(chart: spec.Compiled, pushed: dict[str, Any], width: int = 560) -> str:
    """Return a chart with its data as SVG.

    Args:
        chart: A chart of the lessons.
        pushed: What its ``push`` returns; title, summary and table are left out.
        width: Pixels.

    Returns:
        SVG text. Light colours stand in it; a style rule turns each into its dark partner where
        the reader's system is dark.
    """
    vega = json.loads(spec.compiled(chart).vega)
    for signal in vega["signals"]:
        if signal["name"] == "width":
            vega["signals"].remove(signal)
            break
    vega["width"] = width
    for one in vega["data"]:
        if one["name"] in pushed:
            one["values"] = _rows(pushed[one["name"]])
    return _following(vl_convert.vega_to_svg(vega))


def _rows(columns: dict[str, Any]) -> list[dict[str, Any]]:
    """Turn columns into rows of plain values."""
    lists = {name: np.asarray(column).tolist() for name, column in columns.items()}
    count = len(next(iter(lists.values()), []))
    return [{name: values[at] for name, values in lists.items()} for at in range(count)]


def _following(text: str) -> str:
    """Add a rule per theme colour for dark pages."""
    pairs = {}
    for value in vars(theme).values():
        words = value.expr if isinstance(value, alt.ExprRef) else ""
        found = re.match(r"dark \? '(#\w+)' : '(#\w+)'", str(words))
        if found:
            pairs[found[2].lower()] = found[1].lower()
    text = re.sub(r'="(#[0-9A-Fa-f]{6})"', lambda m: f'="{m[1].lower()}"', text)
    rules = "".join(
        f'[{kind}="{light}"]{{{kind}:{dark}}}'
        for light, dark in sorted(pairs.items())
        for kind in ("fill", "stroke")
        if f'{kind}="{light}"' in text
    )
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    return re.sub(r"(<svg[^>]*>)", lambda m: m[1] + style, text, count=1)
