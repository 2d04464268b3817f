"""The chance that a task gives anything to copy, by the number of completions."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import per_cent
from whilecore.rejection import at_least_one

HEIGHT: Final = 240
MOST: Final = 30
ADVISED: Final = (10, 30)
RATES: Final = (0.03, 0.1, 0.3, 0.65)
ASKED: Final = 0.1
NAMED: Final = (4, 10, 16, 30)


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads curves, points, names and the learner's answer."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, 33], nice=False),
        axis=alt.Axis(values=[1, 4, 10, 16, 20, 30], title="completions per task, n"),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[0, 1.09], nice=False),
        axis=alt.Axis(
            format="%", values=[0, 0.25, 0.5, 0.75, 1], grid=True, title="chance of a pass"
        ),
    )
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    band = alt.Chart(alt.NamedData("band")).mark_rect(fill=theme.BAND).encode(x=x, x2="x2:Q")
    curves = (
        alt.Chart(alt.NamedData("curves"))
        .mark_line(strokeWidth=2)
        .encode(
            x=x,
            y=y,
            detail="rate:N",
            color=alt.when("datum.asked === 1")
            .then(alt.value(theme.INK))
            .otherwise(alt.value(theme.MUTED)),
        )
    )
    names = (
        alt.Chart(alt.NamedData("names"))
        .mark_text(align="left", dx=4, fontSize=font, color=theme.INK)
        .encode(x=x, y=y, text="said:N")
    )
    points = alt.Chart(alt.NamedData("points")).encode(x=x, y=y)
    dots = points.mark_point(
        shape="circle", size=60, stroke=theme.INK, fill=theme.SURFACE, strokeWidth=2
    )
    said = points.mark_text(
        align="left", dx=5, dy=11, fontSize=font, fontWeight="bold", color=theme.INK
    ).encode(text="said:N")
    now = alt.Chart(alt.NamedData("now"))
    here = now.mark_rule(color=theme.INK, strokeWidth=1.2).encode(x=x)
    dot = now.transform_filter("isValid(datum.y)").mark_point(
        shape="diamond", size=120, fill=theme.ALERT, stroke=theme.ALERT
    ).encode(x=x, y=y)  # fmt: skip
    answer = alt.Chart(alt.NamedData("answer"))
    mine = answer.mark_rule(color=theme.ALERT, strokeWidth=2, strokeDash=[5, 3]).encode(y=y)
    you = answer.mark_text(
        align="left", dy=-7, fontSize=font, fontStyle="italic", color=theme.INK
    ).encode(x=alt.XDatum(15.5), y=y, text="said:N")
    return alt.layer(band, here, mine, curves, names, dots, said, dot, you).properties(
        height=HEIGHT,
        width="container",
        description="Chance of at least one pass against completions per task",
    )


def push(n: int, revealed: bool, answer: float | None) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        n: Completions now.
        revealed: Whether chances may be shown.
        answer: The chance the learner predicted for 10 completions; None for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    tries = np.arange(1, MOST + 1)
    chances = {rate: at_least_one(rate, tries) for rate in RATES}
    here = float(at_least_one(ASKED, n))
    band = {"x": [ADVISED[0]], "x2": [ADVISED[1]]}
    if not revealed:
        none: dict[str, Any] = {"x": [], "y": []}
        return {
            "title": "More completions, more passes: answer or skip to see how many more",
            "summary": "The chances are shown after you answer or skip.",
            "table": {"completions": []},
            "curves": none | {"rate": [], "asked": []},
            "names": none | {"said": []},
            "points": none | {"said": []},
            "now": {"x": [n], "y": [None]},
            "answer": {"y": [], "said": []},
            "band": band,
        }
    return {
        "title": f"With {n} completion{'s' if n > 1 else ''}, a task that passes "
        f"{per_cent(ASKED)} of its tries has a pass {per_cent(here)} of the time",
        "summary": f"At a true rate of {per_cent(ASKED)}: "
        + ", ".join(f"{per_cent(float(at_least_one(ASKED, k)))} with {k}" for k in NAMED) + ".",
        "table": {"completions": tries}
        | {f"at {per_cent(rate)}": chances[rate].round(3) for rate in RATES},
        "curves": {
            "x": np.tile(tries, len(RATES)),
            "y": np.concatenate([chances[rate].round(4) for rate in RATES]),
            "rate": np.repeat(RATES, MOST),
            "asked": np.repeat([int(rate == ASKED) for rate in RATES], MOST),
        },
        "names": {
            "x": [MOST, 23, 5.2, 1.0],
            "y": [float(chances[RATES[0]][-1]), 0.82, 0.77, 1.05],
            "said": [per_cent(rate) for rate in RATES],
        },
        "points": {
            "x": NAMED,
            "y": at_least_one(ASKED, NAMED),
            "said": [per_cent(float(one)) for one in at_least_one(ASKED, NAMED)],
        },
        "now": {"x": [n], "y": [here]},
        "answer": {
            "y": [] if answer is None else [answer],
            "said": [] if answer is None else [f"you: {per_cent(answer)}"],
        },
        "band": band,
    }  # fmt: skip
