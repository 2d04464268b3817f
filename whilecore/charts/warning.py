"""Early warning: how the reward follows length within tasks, step by step, and its noise floor."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import spec, theme

HEIGHT: Final = 170

Floats = npt.NDArray[np.float64]


@spec.once
def picture(steps: int = 60) -> ChartType:
    """Return the chart; it reads ``floor`` and ``steps``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, steps], nice=False),
        axis=alt.Axis(title="training step", tickCount=6),
    )
    scale = alt.Scale(domain=[-1, 1], nice=False)
    y = alt.Y("y:Q", scale=scale, axis=alt.Axis(format="+.1f", tickCount=5, title=None))
    low = y.copy(deep=True)
    low.shorthand = "low:Q"
    floor = (
        alt.Chart(alt.NamedData("floor"))
        .mark_area(color=theme.BAND, interpolate="step", clip=True)
        .encode(x=x, y=low, y2="high:Q")
    )
    zero = alt.Chart(alt.NamedData("floor")).mark_line(color=theme.MUTED, strokeWidth=1)
    dots = alt.Chart(alt.NamedData("steps")).encode(x=x, y=y)
    quiet = dots.transform_filter("datum.clears === 0").mark_point(
        shape="circle", size=26, fill=theme.SURFACE, stroke=theme.MUTED, strokeWidth=1.3
    )
    loud = dots.transform_filter("datum.clears === 1").mark_point(
        shape="triangle-up", size=48, color=theme.ALERT
    )
    return alt.layer(
        floor, zero.encode(x=x, y=alt.Y("zero:Q", scale=scale)), quiet, loud
    ).properties(
        height=HEIGHT,
        width="container",
        description="Correlation of reward and length within tasks at each step, and its floor",
    )


def push(r: Floats, floor: Floats, revealed: bool, about: str) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        r: Correlation within tasks at each step, shape (steps,); NaN where undefined.
        floor: Its noise floor, same shape.
        revealed: Whether it may be shown.
        about: Settings and seed in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    step = np.arange(1, len(r) + 1)
    there = np.isfinite(r) & revealed
    clears = np.abs(r) > floor
    at = step[there]
    title = "Reward and length: answer or skip to uncover"
    summary = "The correlation of reward and length is shown after you answer or skip."
    if revealed:
        up, down = int((there & clears & (r > 0)).sum()), int((there & clears & (r < 0)).sum())
        title = f"Longer is paid more, over the floor, in {up} of {len(r)} steps ({about})"
        summary = (
            f"Within-task correlation of reward and length: over the noise floor in {up} of "
            f"{len(r)} steps, under its mirror in {down}, undefined in {int((~there).sum())}."
        )
    every = [one for one in range(0, len(r), 10) if there[one]]
    return {
        "title": title,
        "summary": summary,
        "table": {
            "step": [str(one + 1) for one in every],
            "correlation": np.round(r[every], 2),
            "floor": np.round(floor[every], 2),
        },
        "floor": {
            "x": at,
            "low": -np.round(floor[there], 3),
            "high": np.round(floor[there], 3),
            "zero": np.zeros(len(at)),
        },
        "steps": {"x": at, "y": np.round(r[there], 3), "clears": clears[there].astype(int)},
    }
