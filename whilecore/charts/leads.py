"""How far each pool ends over *all*, with its interval, under several ways of comparing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.learning import LOOKS

HEIGHT: Final = 320
POOLS: Final = tuple(pool for pool in LOOKS if pool != "all")
LANES: Final = 4
MATCHED: Final = 2  # the lane of matched steps

Lead = tuple[float, float, float]


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``leads``, ``lanes`` and ``answer``."""
    scale = alt.Scale(domain=[-0.08, 0.08], nice=False)
    x = alt.X(
        "x:Q",
        scale=scale,
        axis=alt.Axis(title="end of the run, minus that of “all”", format="+.2f", tickCount=5),
    )
    y = alt.Y("y:Q", scale=alt.Scale(domain=[LANES, 0], nice=False, zero=False), axis=None)
    low = x.copy(deep=True)
    low.shorthand = "low:Q"
    zero = alt.Chart(alt.NamedData("lanes")).mark_rule(color=theme.INK, strokeWidth=1)
    words = alt.Chart(alt.NamedData("lanes")).mark_text(
        align="left",
        fontWeight="bold",
        color=theme.INK,
        fontSize=alt.ExprRef("width < 420 ? 10.5 : 12"),
    )
    layers: list[Any] = [
        zero.encode(x=alt.X("zero:Q", scale=scale)),
        words.encode(y=y, x=alt.value(2), text="said:N"),
    ]
    for pool in POOLS:
        look = LOOKS[pool]
        some = alt.Chart(alt.NamedData("leads")).transform_filter(f"datum.pool === '{pool}'")
        layers += [
            some.mark_rule(color=look.colour, strokeWidth=2.5, clip=True).encode(
                x=low, x2="high:Q", y=y
            ),
            some.mark_point(shape=look.shape, size=80, color=look.colour).encode(x=x, y=y),
        ]
    said = alt.Chart(alt.NamedData("answer")).encode(x=x, y=y)
    layers += [
        said.mark_point(shape="circle", size=200, filled=False, stroke=theme.INK, strokeWidth=2),
        said.mark_text(align="left", dx=12, color=theme.INK, fontStyle="italic").encode(
            text="said:N"
        ),
    ]
    return alt.layer(*layers).properties(
        height=HEIGHT,
        width="container",
        description="Difference of each pool from all tasks, with 95 % intervals",
    )


def push(
    lanes: Mapping[str, Mapping[str, Lead]],
    revealed: bool,
    about: str,
    answer: float | None = None,
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        lanes: For each way of comparing (in words, four of them), for each of ``POOLS`` its mean
            difference from *all* and the ends of its 95 % interval.
        revealed: Whether it may be shown.
        about: Worlds and seed in words, for the title.
        answer: The lead of *middle re-measured* with matched steps as the learner sees it.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    if not revealed:
        return {
            "title": "Leads over “all”: answer or skip to uncover",
            "summary": "The leads are shown after you answer or skip.",
            "table": {"compared at": []},
            "leads": {"x": [], "y": [], "low": [], "high": [], "pool": []},
            "lanes": {"y": [], "zero": [], "said": []},
            "answer": {"x": [], "y": [], "said": []},
        }
    flat = [
        (at + 0.36 + 0.2 * place, pool, *lanes[lane][pool])
        for at, lane in enumerate(lanes)
        for place, pool in enumerate(POOLS)
    ]
    y, pool, x, low, high = (list(column) for column in zip(*flat, strict=True))
    clear = sum(one > 0 or two < 0 for one, two in zip(low, high, strict=True))
    table: dict[str, Any] = {"compared at": list(lanes)}
    for name in POOLS:
        table[name] = [
            f"{lane[name][0]:+.3f} [{lane[name][1]:+.3f}..{lane[name][2]:+.3f}]"
            for lane in lanes.values()
        ]
    return {
        "title": f"{clear} of {len(flat)} leads over “all” have an interval clear of 0 ({about})",
        "summary": "Lead over “all” at the end: "
        + "; ".join(
            f"{lane}: " + ", ".join(f"{name} {of[name][0]:+.3f}" for name in POOLS)
            for lane, of in lanes.items()
        ),
        "table": table,
        "leads": {
            "x": np.round(x, 4),
            "y": np.round(y, 2),
            "low": np.round(low, 4),
            "high": np.round(high, 4),
            "pool": pool,
        },
        "lanes": {
            "y": np.arange(len(lanes)) + 0.14,
            "zero": np.zeros(len(lanes)),
            "said": list(lanes),
        },
        "answer": {"x": [], "y": [], "said": []}
        if answer is None
        else {"x": [round(answer, 4)], "y": [MATCHED + 0.56], "said": ["you"]},
    }
