"""How likely a batch is full by a limit on draws, for a hard and a hopeless pool of tasks."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import per_cent
from whilecore.refill import chance_full, expected_draws, live_share

HEIGHT: Final = 240
RATES: Final = (0.02, 0.002)
K, BATCH, LIMIT = 8, 32, 10
LIMITS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 30, 40, 45, 50, 55, 60, 65, 70, 75, 80,
                 90, 100)  # fmt: skip


@lru_cache(maxsize=1)
def chances() -> tuple[tuple[float, ...], ...]:
    """Return for each rate the chance of a full batch at each limit; a pure function."""
    return tuple(
        tuple(chance_full(float(live_share(rate, K)), BATCH, limit) for limit in LIMITS)
        for rate in RATES
    )


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``curves``, ``names``, ``limit`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=[1, 115], nice=False),
        axis=alt.Axis(values=[1, 2, 5, 10, 20, 50, 100], format="d", title="draws allowed"),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[0, 1.1], nice=False),
        axis=alt.Axis(
            format="%", values=[0, 0.25, 0.5, 0.75, 1], grid=True, title="chance of a full batch"
        ),
    )
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    curves = (
        alt.Chart(alt.NamedData("curves"))
        .mark_line(strokeWidth=2.5, color=theme.INK)
        .encode(x=x, y=y, detail="rate:N", strokeDash=alt.StrokeDash("rate:N", legend=None))
    )
    names = (
        alt.Chart(alt.NamedData("names"))
        .mark_text(align="right", dx=-8, fontSize=font, color=theme.INK, lineBreak="|")
        .encode(x=x, y=y, text="said:N")
    )
    limit = alt.Chart(alt.NamedData("limit"))
    rule = limit.mark_rule(color=theme.MUTED, strokeWidth=1.5).encode(x=x)
    word = limit.mark_text(align="left", dx=5, fontSize=font, color=theme.MUTED).encode(
        x=x, y=alt.YDatum(1.05), text="said:N"
    )
    answer = alt.Chart(alt.NamedData("answer"))
    mine = answer.mark_rule(color=theme.ALERT, strokeWidth=2, strokeDash=[5, 3]).encode(y=y)
    you = answer.mark_text(
        align="left", dx=4, dy=-7, fontSize=font, fontStyle="italic", color=theme.INK
    ).encode(x=alt.XDatum(1), y=y, text="said:N")
    return alt.layer(rule, mine, curves, names, word, you).properties(
        height=HEIGHT,
        width="container",
        description="Chance that a batch is full against the draws allowed",
    )


def push(revealed: bool, answer: float | None) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        revealed: Whether chances may be shown.
        answer: The chance the learner predicted; None for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    limit = {"x": [LIMIT], "said": [f"limit {LIMIT}"]}
    if not revealed:
        return {
            "title": f"A batch of {BATCH}, {K} tries, at most {LIMIT} draws: answer or skip to see",
            "summary": "The chances are shown after you answer or skip.",
            "table": {"draws": []},
            "curves": {"x": [], "y": [], "rate": []},
            "names": {"x": [], "y": [], "said": []},
            "limit": limit,
            "answer": {"y": [], "said": []},
        }
    lines = chances()
    need = [float(expected_draws(live_share(rate, K))) for rate in RATES]
    at = [line[LIMITS.index(LIMIT)] for line in lines]
    names = [per_cent(rate, 1) if rate < 0.01 else per_cent(rate) for rate in RATES]
    return {
        "title": f"Tasks at {names[0]} fill a batch of {BATCH} within {LIMIT} draws "
        f"{per_cent(at[0], 1)} of the time, tasks at {names[1]} practically never ({K} tries)",
        "summary": "; ".join(
            f"at {name} it takes {draws:.1f} draws on average"
            for name, draws in zip(names, need, strict=True)
        ) + ".",
        "table": {"draws": [str(one) for one in LIMITS]}
        | {f"at {name}": np.round(line, 4) for name, line in zip(names, lines, strict=True)},
        "curves": {
            "x": LIMITS * 2,
            "y": np.concatenate(lines).round(5),
            "rate": np.repeat(RATES, len(LIMITS)),
        },
        "names": {
            "x": need,
            "y": [0.64, 0.64],
            "said": [f"{n}:|{d:.1f} draws" for n, d in zip(names, need, strict=True)],
        },
        "limit": limit,
        "answer": {
            "y": [] if answer is None else [answer],
            "said": [] if answer is None else [f"you: {per_cent(answer)}"],
        },
    }  # fmt: skip
