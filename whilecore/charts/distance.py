"""True rate against distance from the start: a trained policy beside best-of-n."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.curves import Training
from whilecore.overoptimise import BestOfN

HEIGHT: Final = 280
NEAR: Final = 0.06  # names nearer than this would overlap


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``trained``, ``end`` and ``picks``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, 1.6], nice=False),
        axis=alt.Axis(title="distance from the start, d = √KL", tickCount=4, format=".1f"),
    )
    scale = alt.Scale(domain=[0.3, 1.05], nice=False, zero=False)
    axis = alt.Axis(title="true rate", format="%", values=[0.4, 0.6, 0.8, 1.0], grid=True)
    y = alt.Y("y:Q", scale=scale, axis=axis)

    def named(data: str) -> alt.Chart:
        return alt.Chart(alt.NamedData(data)).encode(x=x, y=y)

    trained = named("trained").mark_line(color=theme.TRUTH, strokeWidth=2.5, clip=True)
    end = named("end").mark_point(shape="circle", size=70, color=theme.TRUTH)
    picks = named("picks").encode(order=alt.Order("n:Q"))
    path = picks.mark_line(color=theme.INK, strokeDash=[4, 3], strokeWidth=1.4)
    plain = picks.transform_filter("datum.now === 0").mark_point(
        shape="square", size=60, fill=theme.SURFACE, stroke=theme.INK, strokeWidth=1.8
    )
    now = picks.transform_filter("datum.now === 1").mark_point(
        shape="square", size=150, color=theme.ALERT
    )
    words = picks.mark_text(dy=-15, color=theme.INK).encode(text="said:N")
    order = alt.Order("step:Q")
    return alt.layer(trained.encode(order=order), end, path, plain, now, words).properties(
        height=HEIGHT,
        width="container",
        description="True rate against distance from the start, for training and for best-of-n",
    )


def push(exact: Training, picks: BestOfN, n: int, revealed: bool, about: str) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        exact: The training as expected, one run.
        picks: Best-of-n of the same start under the same judge; n among its draws.
        n: The draws marked.
        revealed: Whether it may be shown.
        about: Settings in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    if not revealed:
        none: dict[str, Any] = {"x": [], "y": []}
        return {
            "title": "Training beside best-of-n: answer or skip to uncover",
            "summary": "Both are shown after you answer or skip.",
            "table": {"n": [], "reward": [], "true rate": [], "d": []},
            "trained": {**none, "step": []},
            "end": none,
            "picks": {**none, "n": [], "now": [], "said": []},
        }
    d, reached = np.sqrt(np.maximum(exact.kl[0], 0)), np.sqrt(np.maximum(picks.kl, 0))
    truth, at = exact.held_out[0], int(np.flatnonzero(picks.n == n)[0])
    return {
        "title": f"Best of {n}: true rate {picks.true_rate[at]:.2f} at d = {reached[at]:.2f}; "
        f"training ends at {truth[-1]:.2f}, d = {d[-1]:.2f} ({about}; exact)",
        "summary": f"Best-of-n goes from {picks.true_rate[0]:.2f} at n = 1 to "
        f"{picks.true_rate[-1]:.2f} at n = {picks.n[-1]}, lowest {picks.true_rate.min():.2f}; "
        f"training from {truth[0]:.2f} over {truth.max():.2f} to {truth[-1]:.2f}.",
        "table": {
            "n": [str(one) for one in picks.n],
            "reward": np.round(picks.proxy, 3),
            "true rate": np.round(picks.true_rate, 3),
            "d": np.round(reached, 3),
        },
        "trained": {"x": np.round(d, 4), "y": np.round(truth, 4), "step": np.arange(len(d))},
        "end": {"x": [round(float(d[-1]), 4)], "y": [round(float(truth[-1]), 4)]},
        "picks": {
            "x": np.round(reached, 4),
            "y": np.round(picks.true_rate, 4),
            "n": picks.n,
            "now": (picks.n == n).astype(int),
            "said": _names(reached, picks, n),
        },
    }


def _names(reached: npt.NDArray[np.float64], picks: BestOfN, n: int) -> list[str]:
    """Name each point by its draws, without those that would stand on a name already there."""
    placed: list[tuple[float, float]] = []
    names = [""] * len(reached)
    for at in sorted(range(len(names)), key=lambda one: (picks.n[one] != n, one)):
        x, y = float(reached[at]), float(picks.true_rate[at])
        if all(abs(x - one) > NEAR or abs(y - two) > NEAR for one, two in placed):
            placed.append((x, y))
            names[at] = str(picks.n[at])
    return names
