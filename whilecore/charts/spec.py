"""From an Altair chart to the Vega specification that a browser keeps alive.

Compiling here instead of in the browser saves each visitor the work: a specification is compiled
once per process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from typing import Any, ParamSpec, cast

import vl_convert
from altair.typing import ChartType

from whilecore.charts import runtime, theme

P = ParamSpec("P")


@dataclass(frozen=True)
class Compiled:
    """A Vega specification and what the widget must know about it."""

    vega: str
    """The specification as JSON."""
    datasets: tuple[str, ...]
    """Names of the data that the chart expects to be given."""
    height: int
    """Pixels the picture takes without rows, axes included."""
    fluid: bool
    """Whether its width follows the container."""


def once(picture: Callable[P, ChartType]) -> Callable[P, Compiled]:
    """Let a function that makes a chart do so once per process for each choice of arguments.

    Altair takes 0.1 to 0.3 s to make one of the lessons' charts and to check it against its schema;
    half of that are the checks. So a chart is made for the first visitor only and not checked then:
    a test checks it, through ``picture.__wrapped__``, the function itself.
    """

    @wraps(picture)
    @cache
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Compiled:
        return _of(picture(*args, **kwargs).to_dict(validate=False))

    return cast(Callable[P, Compiled], drawn)


def compiled(chart: ChartType | Compiled) -> Compiled:
    """Compile an Altair chart to Vega, with the page's theme and links.

    Adds the parameters ``dark`` and ``lit``, the base configuration of ``theme.config`` (what the
    chart configures itself wins) and, where the chart sets no width, that of its container.

    Args:
        chart: An Altair chart that reads ``alt.NamedData``, or one that is compiled already.

    Returns:
        The compiled chart; equal charts are compiled once.

    Raises:
        ValueError: The chart reads no named data, so it could never change.
    """
    return chart if isinstance(chart, Compiled) else _of(chart.to_dict())


def _of(lite: dict[str, Any]) -> Compiled:
    """Compile a Vega-Lite specification as Altair writes it."""
    return _compiled(json.dumps(_prepared(lite), sort_keys=True))


def _prepared(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a Vega-Lite specification with base configuration, parameters and width."""
    spec = dict(spec)
    # Altair puts its own default sizes into every chart's configuration; here a theme sets none.
    spec["config"] = _merged(theme.config(), spec.get("config") or {})
    given = {one["name"] for one in spec.get("params", [])}
    added: list[dict[str, Any]] = [{"name": "dark", "value": False}, {"name": "lit", "value": ""}]
    spec["params"] = [*spec.get("params", []), *(one for one in added if one["name"] not in given)]
    single = not {"hconcat", "vconcat", "concat", "facet", "repeat", "spec"} & spec.keys()
    if single and "width" not in spec:
        spec["width"] = "container"
    return spec


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return two nested mappings as one; the second wins."""
    out = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = _merged(out[key], value) if both else value
    return out


@lru_cache(maxsize=256)
def _compiled(text: str) -> Compiled:
    """Compile one specification, given as JSON."""
    lite = json.loads(text)
    vega: dict[str, Any] = vl_convert.vegalite_to_vega(lite, vl_version=runtime.VEGA_LITE)
    datasets = tuple(
        one["name"] for one in vega.get("data", []) if not one.keys() & {"source", "values", "url"}
    )
    if not datasets:
        raise ValueError(
            "a live chart must read named data, got a chart with none; start it with "
            'alt.Chart(alt.NamedData("rows"))'
        )
    size = re.search(r'<svg[^>]*\sheight="([\d.]+)"', vl_convert.vega_to_svg(vega))
    return Compiled(
        vega=json.dumps(vega, separators=(",", ":")),
        datasets=datasets,
        height=round(float(size.group(1))) if size else 0,
        fluid=lite.get("width") == "container",
    )
