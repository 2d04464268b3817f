"""How many tasks a number of tries puts on the wrong side of the band."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.charts.odds import per_cent, span
from whilecore.filing import Filing, misfiled_share

HEIGHT: Final = 230
MOST_TRIES: Final = 64
TRIES: Final = np.arange(2, MOST_TRIES + 1)
NAMED: Final = (4, 8, 16, 32, 64)


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``even``, ``seeds``, ``named`` and ``now``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", base=2, domain=[1.9, 68], nice=False),
        axis=alt.Axis(values=[2, 4, 8, 16, 32, 64], title="tries per task, k"),
    )
    scale = alt.Scale(domain=[0, 0.6], nice=False)
    axis = alt.Axis(format="%", title="tasks misfiled", tickCount=6, grid=True)
    y = alt.Y("y:Q", scale=scale, axis=axis)
    seeds = alt.Chart(alt.NamedData("seeds")).encode(x=x)
    spread = seeds.mark_area(color=theme.BAND, clip=True).encode(
        y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q"
    )
    mean = seeds.mark_line(color=theme.INK, strokeWidth=2, clip=True).encode(y=y)
    even = (
        alt.Chart(alt.NamedData("even"))
        .mark_line(color=theme.MUTED, strokeDash=[5, 4], strokeWidth=1.8)
        .encode(x=x, y=y)
    )
    named = alt.Chart(alt.NamedData("named")).encode(x=x, y=y)
    points = named.mark_point(shape="circle", size=26, fill=theme.SURFACE, stroke=theme.MUTED)
    words = named.mark_text(
        dy=13, align="right", dx=2, fontSize=alt.ExprRef("width < 420 ? 10 : 12"), color=theme.INK
    ).encode(text="text:N")
    now = alt.Chart(alt.NamedData("now")).encode(x=x)
    here = now.mark_rule(color=theme.MUTED, strokeWidth=1)
    dot = (
        now.transform_filter("isValid(datum.y)")
        .mark_point(shape="diamond", size=110, strokeWidth=2)
        .encode(
            y=y,
            stroke=alt.value(theme.ALERT),
            fill=alt.value(theme.ALERT),
            opacity=marks.fade(),
        )
    )
    return alt.layer(spread, here, even, mean, points, words, dot).properties(
        height=HEIGHT,
        width="container",
        description="Share of tasks on the wrong side of the band against tries per task",
    )


def push(
    tasks: Filing,
    k: int,
    runs: npt.NDArray[np.float64],
    revealed: bool,
    truth: bool,
    about: str,
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        tasks: The tasks of this run.
        k: Tries per task now.
        runs: Misfiled shares of many runs, shape (seeds, 63): one for each of 2 to 64 tries.
        revealed: Whether the shares may be shown.
        truth: Whether this run's true rates are asked for; its dot needs them.
        about: Agent and seed in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``: dashed, the exact share where true rates are
        spread evenly over 0 to 1; line and shade, mean and middle 95 % of the runs; diamond, this
        run.
    """
    if not revealed:
        return {
            "title": "How many tasks are misfiled: answer or skip to uncover",
            "summary": "The shares are shown after you answer or skip.",
            "table": {"tries": [], "evenly spread rates": [], "this agent, 100 seeds": []},
            "even": {"x": [], "y": []},
            "seeds": {"x": [], "y": [], "low": [], "high": []},
            "named": {"x": [], "y": [], "text": []},
            "now": {"x": [], "y": []},
        }
    even = even_shares(tasks.band)
    low, high = np.quantile(runs, [0.025, 0.975], axis=0)
    at = [k - 2 for k in NAMED]
    share = float(tasks.misfiled.mean()) if truth else None
    return {
        "title": _title(tasks, k, runs, truth, about),
        "summary": _summary(tasks.band, even, runs),
        "table": {
            "tries": TRIES,
            "evenly spread rates": np.round(even, 3),
            "this agent, 100 seeds": np.round(runs.mean(axis=0), 3),
        },
        "even": {"x": TRIES, "y": even},
        "seeds": {"x": TRIES, "y": runs.mean(axis=0), "low": low, "high": high},
        "named": {"x": NAMED, "y": even[at], "text": [percent(one) for one in even[at]]},
        "now": {"x": [k], "y": [share]},
    }


@lru_cache(maxsize=512)
def even_shares(band: tuple[float, float]) -> npt.NDArray[np.float64]:
    """Return the exact misfiled share of 2 to 64 tries, rates spread evenly; a pure function."""
    return np.array([misfiled_share(int(k), band) for k in TRIES])


def percent(share: float) -> str:
    """Return a share with a decimal only where it is needed.

    >>> percent(0.262), percent(0.16453)
    ('26 %', '16.5 %')
    """
    rounded = round(100 * share, 1)
    return f"{rounded:.0f} %" if abs(rounded - round(rounded)) <= 0.2 else f"{rounded:.1f} %"


def _title(tasks: Filing, k: int, runs: npt.NDArray[np.float64], truth: bool, about: str) -> str:
    mean = runs[:, k - 2].mean()
    here = f", {per_cent(tasks.misfiled.mean())} in this run" if truth else ""
    return f"{k} tries misfile {per_cent(mean)} of tasks on average{here} ({about}; 100 seeds)"


def _summary(
    band: tuple[float, float],
    even: npt.NDArray[np.float64],
    runs: npt.NDArray[np.float64],
) -> str:
    parts = ", ".join(f"{percent(even[k - 2])} at {k}" for k in NAMED)
    mine = ", ".join(f"{per_cent(runs[:, k - 2].mean())} at {k}" for k in NAMED)
    return (
        f"With true rates spread evenly and a band from {span(*band)}, "
        f"tries misfile {parts}. This agent's mean over 100 seeds: {mine}."
    )
