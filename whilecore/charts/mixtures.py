"""Two pools of tasks with one mean: the spread-out one agrees more often.

The chance of agreement is a curve that sags in the middle. A pool of two kinds of task lies on the
chord between them, above the curve at their mean.
"""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import per_cent, tenths
from whilecore.groups import unanimous_probability

HEIGHT: Final = 250
RATES: Final = np.linspace(0, 1, 51)
MEAN: Final = 0.5
BELOW: Final = -0.09  # between the line of 0 and the axis: a rate, and no chance yet


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``curve``, ``pool``, ``chord``, ``points`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[-0.02, 1.02], nice=False),
        axis=alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1], title="true pass rate of a task"),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[-0.13, 1.06], nice=False),
        axis=alt.Axis(
            format="%", values=[0, 0.25, 0.5, 0.75, 1], title="groups that agree", grid=True
        ),
    )
    low = y.copy(deep=True)
    low.shorthand = "low:Q"
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    curve = (
        alt.Chart(alt.NamedData("curve")).mark_line(color=theme.INK, strokeWidth=2).encode(x=x, y=y)
    )
    chord = (
        alt.Chart(alt.NamedData("chord"))
        .mark_rule(color=theme.TRUTH, strokeDash=[5, 4], strokeWidth=1.5)
        .encode(x=x, x2="x2:Q", y=y)
    )
    gap = (
        alt.Chart(alt.NamedData("chord"))
        .mark_rule(color=theme.MUTED, strokeWidth=1.5)
        .encode(x=alt.XDatum(MEAN), y=low, y2="y:Q")
    )
    pool = (
        alt.Chart(alt.NamedData("pool"))
        .mark_point(shape="diamond", size=130, filled=False, strokeWidth=2)
        .encode(x=x, y=y, stroke=alt.value(theme.TRUTH), fill=alt.value(theme.SURFACE))
    )
    points = alt.Chart(alt.NamedData("points")).encode(x=x, y=y)
    dots = points.mark_point(shape="circle", size=95, strokeWidth=2).encode(
        stroke=alt.value(theme.INK),
        fill=alt.when("datum.full === 1")
        .then(alt.value(theme.INK))
        .otherwise(alt.value(theme.SURFACE)),
    )
    words: Any = {
        "align": "left",
        "dx": 8,
        "dy": alt.ExprRef("datum.full === 1 ? -12 : 13"),
        "fontSize": font,
    }
    halo = points.mark_text(stroke=theme.SURFACE, strokeWidth=4, **words).encode(text="said:N")
    said = points.mark_text(color=theme.INK, fontWeight="bold", **words).encode(text="said:N")
    answer = alt.Chart(alt.NamedData("answer"))
    mine = answer.mark_rule(strokeDash=[6, 3], strokeWidth=2, color=theme.INK).encode(y=y)
    you = answer.mark_text(
        align="left", baseline="bottom", dx=4, dy=-3, fontSize=font, fontStyle="italic",
        color=theme.INK,
    ).encode(x=alt.XDatum(0), y=y, text="said:N")  # fmt: skip
    return alt.layer(curve, chord, gap, mine, pool, dots, halo, said, you).properties(
        height=HEIGHT,
        width="container",
        description="Chance of agreement against the true rate, with a pool of two kinds of task",
    )


def push(
    spread: float, repeats: int, revealed: bool, answer: float | None = None
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        spread: Half the tasks lie this far below ``MEAN``, half as far above; 0 to 0.5.
        repeats: Tries per group.
        revealed: Whether chances may be shown; without it only the tasks' rates are.
        answer: The share the learner predicted, 0 to 1.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    low, high = round(MEAN - spread, 9), round(MEAN + spread, 9)
    true = float(unanimous_probability([low, high], repeats).mean())
    plugged = float(unanimous_probability(MEAN, repeats))
    rates = (
        f"Half the tasks at {per_cent(low)}, half at {per_cent(high)}"
        if spread
        else "All tasks at 50 %"
    )
    if not revealed:
        none: dict[str, Any] = {"x": [], "y": []}
        return {
            "title": f"{rates}: answer or skip to see how many groups agree",
            "summary": f"{rates}, 50 % on average. What that does is shown after you answer.",
            "table": {"pool": ["all at 50 %", "spread out"], "mean rate": ["50 %", "50 %"]},
            "curve": none,
            "pool": {"x": [low, high], "y": [BELOW, BELOW]},
            "chord": none | {"x2": [], "low": []},
            "points": none | {"said": [], "full": []},
            "answer": {"y": [], "said": []},
        }
    told, mean = (f"{tenths(100 * one)}\N{NO-BREAK SPACE}%" for one in (true, plugged))
    short = f"{tenths(100 * plugged, '<')}\N{NO-BREAK SPACE}%"
    ends = [true, true]  # a rate and its mirror agree equally often
    return {
        "title": f"{rates}: {told} of groups agree; the mean rate would predict "
        f"{mean} ({repeats} tries)",
        "summary": f"With {repeats} tries, tasks at 50 % agree {mean} of the time. "
        f"{rates}: {told}, although the mean rate is the same.",
        "table": {
            "pool": ["all at 50 %", "spread out"],
            "mean rate": ["50 %", "50 %"],
            "groups that agree": [mean, told],
        },
        "curve": {"x": RATES, "y": np.round(unanimous_probability(RATES, repeats), 4)},
        "pool": {"x": [low, high], "y": ends},
        "chord": {"x": [low], "x2": [high], "y": [true], "low": [plugged]},
        "points": {
            "x": [MEAN, MEAN],
            "y": [plugged, true],
            "said": [f"mean rate: {short}", f"the pool: {told}"],
            "full": [0, 1],
        },
        "answer": {
            "y": [] if answer is None else [answer],
            "said": [] if answer is None else [f"you: {per_cent(answer)}"],
        },
    }
