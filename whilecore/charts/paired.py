"""Before and after on the same tasks: each task's change, their mean with its interval."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.compare import Comparison

HEIGHT: Final = 300
TALLEST: Final = 24.0
MEAN_AT: Final = -2.5
TRUE_AT: Final = -5.0
FLOOR_AT: Final = -7.5


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``tasks``, ``mean``, ``floor`` and ``truth``."""
    scale = alt.Scale(domain=[-1.08, 1.08], nice=False)
    x = alt.X(
        "x:Q",
        scale=scale,
        axis=alt.Axis(title="pass rate after minus before", format="+.2f", tickCount=5),
    )
    y = alt.Y("y:Q", scale=alt.Scale(domain=[-9.5, TALLEST], nice=False), axis=None)
    low = x.copy(deep=True)
    low.shorthand = "low:Q"

    def named(data: str) -> Any:
        return alt.Chart(alt.NamedData(data)).encode(y=y)

    small = alt.ExprRef("width < 420 ? 10.5 : 12")
    zero = named("mean").mark_rule(color=theme.INK, strokeWidth=1, strokeDash=[3, 3])
    tasks = named("tasks").mark_point(
        shape="circle", size=alt.ExprRef("min(58, pow(width / 64, 2))"), color=theme.MUTED
    )
    span = named("mean").mark_rule(color=theme.INK, strokeWidth=3)
    dot = named("mean").mark_point(shape="square", size=110, color=theme.INK)
    floor = named("floor").mark_bar(height=12, color=theme.BAND, stroke=theme.MUTED)
    truth = named("truth").mark_point(
        shape="diamond", size=120, filled=False, stroke=theme.TRUTH, strokeWidth=2.5
    )
    words = alt.layer(
        *(
            named(data)
            .mark_text(align="left", color=theme.INK, fontSize=small)
            .encode(x=alt.value(2), text="said:N")
            for data in ("mean", "truth", "floor")
        )
    )
    return alt.layer(
        zero.encode(x=alt.X("zero:Q", scale=scale), y=alt.value(0), y2=alt.value(HEIGHT)),
        tasks.encode(x=x),
        floor.encode(x=low, x2="high:Q"),
        span.encode(x=low, x2="high:Q"),
        dot.encode(x=x),
        truth.encode(x=x),
        words,
    ).properties(
        height=HEIGHT,
        width="container",
        description="Change of each held-out task, their mean with its interval, and a noise floor",
    )


def push(shown: Comparison, true: float, floor: float, about: str) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        shown: The comparison; at least two tasks.
        true: True change of the mean on these tasks.
        floor: Difference that two runs of the same thing stay under 19 times out of 20.
        about: Steps, tries and seed in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    values, counts = np.unique(np.round(shown.differences, 6), return_counts=True)
    height = min(1.0, (TALLEST - 1) / counts.max())
    low, high = shown.interval or (np.nan, np.nan)
    verdict = shown.verdict
    ends = f"{shown.change:+.3f} [{low:+.3f}..{high:+.3f}]".replace("-", "−")
    return {
        "title": f"{verdict[0].upper()}{verdict[1:]}: {ends} on {len(shown.differences)} tasks "
        f"({about})",
        "summary": f"Paired change {ends}; {(shown.differences > 0).sum()} tasks rose, "
        f"{(shown.differences < 0).sum()} fell. Smallest change that would show: "
        f"{shown.smallest_change:.3f}. Noise floor {floor:.3f}."
        f" True change {true:+.3f}.",
        "table": {"change of a task": [f"{one:+.2f}" for one in values], "tasks": counts},
        "tasks": {
            "x": np.repeat(values, counts),
            "y": np.concatenate([(np.arange(count) + 0.7) * height for count in counts]),
        },
        "mean": {
            "x": [round(shown.change, 4)],
            "low": [low],
            "high": [high],
            "y": [MEAN_AT],
            "zero": [0],
            "said": ["mean"],
        },
        "floor": {"low": [-floor], "high": [floor], "y": [FLOOR_AT], "said": ["noise floor"]},
        "truth": {"x": [round(true, 4)], "y": [TRUE_AT], "said": ["true change"]},
    }
