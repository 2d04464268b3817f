"""Two published forms of true reward against distance: d(α − βd) and d(α − β log d)."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.overoptimise import (
    best_of_n_kl,
    gold_best_of_n,
    gold_rl,
    peak_best_of_n,
    peak_rl,
)

HEIGHT: Final = 280
FURTHEST: Final = 8.0
FROM: Final = 1.0  # the form for RL is not meant for distances near 0


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``picks``, ``trained``, ``peaks`` and ``now``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, FURTHEST], nice=False),
        axis=alt.Axis(title="distance from the start, d = √KL", tickCount=8),
    )
    scale = alt.Scale(domain=[0, 1.8], nice=False)
    y = alt.Y("y:Q", scale=scale, axis=alt.Axis(title="true reward gained", tickCount=4, grid=True))

    def named(data: str) -> alt.Chart:
        return alt.Chart(alt.NamedData(data)).encode(x=x, y=y)

    picks = named("picks").mark_line(color=theme.INK, strokeDash=[4, 3], strokeWidth=2, clip=True)
    trained = named("trained").mark_line(color=theme.TRUTH, strokeWidth=2.5, clip=True)
    peaks = named("peaks")
    dots = peaks.mark_point(shape="circle", size=60, fill=theme.SURFACE, stroke=theme.INK)
    words = peaks.mark_text(dy=-13, color=theme.INK).encode(text="said:N")
    now = named("now").mark_point(shape="square", size=130, color=theme.ALERT)
    return alt.layer(picks, trained, dots, words, now).properties(
        height=HEIGHT,
        width="container",
        description="Two fitted forms of true reward against distance from the start",
    )


def push(n: int, alpha: float, beta: float, revealed: bool) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        n: Draws of best-of-n; marked where it can be at most, √(log n − (n−1)/n).
        alpha: α of both forms.
        beta: β of both forms.
        revealed: Whether it may be shown.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    if not revealed:
        none: dict[str, Any] = {"x": [], "y": []}
        return {
            "title": "Two published forms: answer or skip to uncover",
            "summary": "Both are shown after you answer or skip.",
            "table": {"d": [], "best-of-n": [], "RL": []},
            "picks": none,
            "trained": none,
            "peaks": {**none, "said": []},
            "now": none,
        }
    d = np.linspace(0, FURTHEST, 81)
    far = d[d >= FROM]
    here = float(np.sqrt(best_of_n_kl(n)))
    gained = float(gold_best_of_n(here, alpha, beta))
    tops = peak_best_of_n(alpha, beta), peak_rl(alpha, beta)
    whole = np.arange(1, int(FURTHEST) + 1)
    return {
        "title": f"The forms peak at d = {tops[0][0]:.2f} (best-of-n) and {tops[1][0]:.2f} (RL), "
        f"with α = {alpha:g} and β = {beta:g}; nothing drawn at random",
        "summary": f"Best of {n} is at most {here:.2f} from the start, where its form says "
        f"{gained:.2f}. Both forms rise, peak and fall; RL's is drawn from d = {FROM:g}.",
        "table": {
            "d": [str(one) for one in whole],
            "best-of-n": np.round(gold_best_of_n(whole, alpha, beta), 2),
            "RL": np.round(gold_rl(whole, alpha, beta), 2),
        },
        "picks": {"x": np.round(d, 2), "y": np.round(gold_best_of_n(d, alpha, beta), 4)},
        "trained": {"x": np.round(far, 2), "y": np.round(gold_rl(far, alpha, beta), 4)},
        "peaks": {
            "x": [one[0] for one in tops],
            "y": [one[1] for one in tops],
            "said": ["best-of-n", "RL"],
        },
        "now": {"x": [here], "y": [gained]},
    }
