"""A hundred seeds: how far one run may lie from what chance predicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import half_up, tenths

HEIGHT: Final = 130
TALLEST: Final = 16  # seeds; a taller bar is cut off there
TOTAL: Final = 100


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``seeds``, ``now``, ``expected`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[-1.5, TOTAL + 1.5], nice=False),
        axis=alt.Axis(values=[0, 20, 40, 60, 80, 100], title=f"groups that agree, of {TOTAL}"),
    )
    counts = alt.Axis(values=[0, 5, 10, 15], title="seeds", titleAnchor="start", grid=False)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[0, TALLEST + 5], nice=False), axis=counts)
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    left = x.copy(deep=True)
    left.shorthand = "left:Q"
    seeds = (
        alt.Chart(alt.NamedData("seeds"))
        .mark_rect(color=theme.MUTED, opacity=0.75)
        .encode(x=left, x2="right:Q", y=y, y2=alt.Y2Datum(0))
    )
    now = (
        alt.Chart(alt.NamedData("now"))
        .mark_point(shape="circle", size=75, strokeWidth=1.5)
        .encode(x=x, y=y, fill=alt.value(theme.INK), stroke=alt.value(theme.SURFACE))
    )
    expected = alt.Chart(alt.NamedData("expected"))
    line = expected.mark_rule(color=theme.INK, strokeWidth=2).encode(x=x)
    name = expected.mark_text(
        align=alt.ExprRef("datum.x > 50 ? 'right' : 'left'"),
        dx=alt.ExprRef("datum.x > 50 ? -5 : 5"),
        fontSize=font,
        color=theme.INK,
    ).encode(x=x, y=alt.YDatum(TALLEST + 4.2, axis=counts), text="said:N")
    answer = alt.Chart(alt.NamedData("answer"))
    mine = answer.mark_rule(color=theme.INK, strokeWidth=2, strokeDash=[5, 3]).encode(x=x)
    you = answer.mark_text(
        align=alt.ExprRef("datum.x > 50 ? 'right' : 'left'"),
        dx=alt.ExprRef("datum.x > 50 ? -5 : 5"),
        fontSize=font,
        fontStyle="italic",
        color=theme.INK,
    ).encode(x=x, y=alt.YDatum(TALLEST + 1.4, axis=counts), text="said:N")
    return alt.layer(seeds, line, mine, now, name, you).properties(
        height=HEIGHT,
        width="container",
        description="Groups that agree under each of a hundred seeds, and what chance predicts",
    )


def push(
    counts: Sequence[int],
    seen: int,
    expected: float,
    revealed: bool,
    about: str,
    answer: int | None = None,
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        counts: Groups that agree, under each seed.
        seen: The same under the seed shown elsewhere on the page.
        expected: What chance predicts.
        revealed: Whether any of it may be shown.
        about: Rate and tries in words, for the title.
        answer: What the learner predicted; None for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    if not revealed:
        return {
            "title": f"{len(counts)} seeds: answer or skip to see ({about})",
            "summary": "How the number differs from seed to seed is shown after you answer.",
            "table": {"seeds": [len(counts)]},
            "seeds": {"left": [], "right": [], "y": []},
            "now": {"x": [], "y": []},
            "expected": {"x": [], "said": []},
            "answer": {"x": [], "said": []},
        }
    low, high = min(counts), max(counts)
    chance, mean = tenths(expected), half_up(float(np.mean(counts)), 1)
    values, number = np.unique(counts, return_counts=True)
    return {
        "title": f"Over {len(counts)} seeds {low} to {high} of {TOTAL} groups agree; chance "
        f"predicts {chance} ({about})",
        "summary": f"Under {len(counts)} seeds the number of groups that agree runs from {low} to "
        f"{high}, {mean} on average; chance predicts {chance}. The run above has {seen}.",
        "table": {"groups that agree": [str(v) for v in values], "seeds": number},
        "seeds": {
            "left": values - 0.46,
            "right": values + 0.46,
            "y": np.minimum(number, TALLEST),
        },
        "now": {"x": [seen], "y": [0.0]},
        "expected": {"x": [expected], "said": [f"chance: {chance}"]},
        "answer": {
            "x": [] if answer is None else [answer],
            "said": [] if answer is None else [f"you: {answer}"],
        },
    }
