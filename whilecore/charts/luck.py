"""A hundred seeds: how far one run may lie from what chance predicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import theme

HEIGHT: Final = 130
TALLEST: Final = 16  # dots in a column; more are squeezed into the same height
TOTAL: Final = 100


def picture() -> ChartType:
    """Return the chart; it reads ``seeds``, ``expected`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[-1.5, TOTAL + 1.5], nice=False),
        axis=alt.Axis(values=[0, 20, 40, 60, 80, 100], title=f"groups that agree, of {TOTAL}"),
    )
    y = alt.Y("y:Q", scale=alt.Scale(domain=[0, TALLEST + 5], nice=False), axis=None)
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    seeds = (
        alt.Chart(alt.NamedData("seeds"))
        .mark_point(
            shape="circle",
            strokeWidth=1.2,
            size=alt.ExprRef("min(46, pow(0.93 * width / 103, 2)) * (datum.now === 1 ? 3.2 : 1)"),
        )
        .encode(
            x=x,
            y=y,
            fill=alt.when("datum.now === 1")
            .then(alt.value(theme.INK))
            .otherwise(alt.value(theme.MUTED)),
            stroke=alt.value(theme.SURFACE),
        )
    )
    expected = alt.Chart(alt.NamedData("expected"))
    line = expected.mark_rule(color=theme.INK, strokeWidth=2).encode(x=x)
    name = expected.mark_text(
        align=alt.ExprRef("datum.x > 50 ? 'right' : 'left'"),
        dx=alt.ExprRef("datum.x > 50 ? -5 : 5"),
        fontSize=font,
        color=theme.INK,
    ).encode(x=x, y=alt.YDatum(TALLEST + 4.2, axis=None), text="said:N")
    answer = alt.Chart(alt.NamedData("answer"))
    mine = answer.mark_rule(color=theme.INK, strokeWidth=2, strokeDash=[5, 3]).encode(x=x)
    you = answer.mark_text(
        align=alt.ExprRef("datum.x > 50 ? 'right' : 'left'"),
        dx=alt.ExprRef("datum.x > 50 ? -5 : 5"),
        fontSize=font,
        fontStyle="italic",
        color=theme.INK,
    ).encode(x=x, y=alt.YDatum(TALLEST + 1.4, axis=None), text="said:N")
    return alt.layer(line, mine, seeds, name, you).properties(
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
            "seeds": {"x": [], "y": [], "now": []},
            "expected": {"x": [], "said": []},
            "answer": {"x": [], "said": []},
        }
    low, high = min(counts), max(counts)
    values, number = np.unique(counts, return_counts=True)
    return {
        "title": f"Over {len(counts)} seeds {low} to {high} of {TOTAL} groups agree; chance "
        f"predicts {expected:.1f} ({about})",
        "summary": f"Under {len(counts)} seeds the number of groups that agree runs from {low} to "
        f"{high}, {np.mean(counts):.1f} on average; chance predicts {expected:.1f}. The run above "
        f"has {seen}.",
        "table": {"groups that agree": [str(v) for v in values], "seeds": number},
        "seeds": _stacked(counts, seen),
        "expected": {"x": [expected], "said": [f"chance: {expected:.1f}"]},
        "answer": {
            "x": [] if answer is None else [answer],
            "said": [] if answer is None else [f"you: {answer}"],
        },
    }


def _stacked(counts: Sequence[int], seen: int) -> dict[str, Any]:
    """Stack a dot per seed over its count, and the run shown elsewhere on the axis."""
    values = np.sort(np.asarray(counts))
    first = np.searchsorted(values, values)
    tall = np.bincount(values, minlength=TOTAL + 1)[values]
    rank = np.arange(len(values)) - first + 0.5
    return {
        "x": np.append(values, seen),
        "y": np.append(np.round(rank * np.minimum(1, TALLEST / tall), 3), 0.6),
        "now": np.append(np.zeros(len(values), np.int64), 1),
    }
