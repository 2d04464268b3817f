"""True rate against the judge's reward: where runs with a stronger pull to the start stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import spec, theme

HEIGHT: Final = 280
LOW: Final = 0.3

Floats = npt.NDArray[np.float64]
Paths = Mapping[float, tuple[Floats, Floats]]


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``paths``, ``ends``, ``start``, ``now`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0.2, 1], nice=False),
        axis=alt.Axis(title="the judge's reward", tickCount=5, format=".1f"),
    )
    scale = alt.Scale(domain=[LOW, 0.9], nice=False, zero=False)
    y = alt.Y("y:Q", scale=scale, axis=alt.Axis(title="true rate", format="%", grid=True))

    def named(data: str) -> alt.Chart:
        return alt.Chart(alt.NamedData(data)).encode(x=x, y=y)

    paths = named("paths").mark_line(color=theme.TRUTH, strokeWidth=1.6, opacity=0.8, clip=True)
    ends = named("ends").mark_point(
        shape="circle", size=80, fill=theme.SURFACE, stroke=theme.TRUTH, strokeWidth=2
    )
    start = named("start").mark_point(shape="square", size=70, color=theme.INK)
    now = named("now")
    mine = now.mark_point(shape="diamond", size=150, color=theme.ALERT)
    words = now.mark_text(
        align=alt.ExprRef("datum.x > 0.8 ? 'right' : 'left'"),
        dx=alt.ExprRef("datum.x > 0.8 ? -8 : 8"),
        dy=alt.ExprRef("datum.x > 0.8 ? 16 : -12"),
        fontWeight="bold",
        color=theme.INK,
    ).encode(text="said:N")
    order = alt.Order("step:Q")
    said = named("answer")
    ring = said.mark_point(shape="circle", size=170, filled=False, stroke=theme.INK, strokeWidth=2)
    you = said.mark_text(align="left", dx=12, color=theme.INK, fontStyle="italic")
    layers = [paths.encode(detail="pull:N", order=order), ends, start, mine, words, ring]
    layers.append(you.encode(text="said:N"))
    return alt.layer(*layers).properties(
        height=HEIGHT,
        width="container",
        description="True rate against the judge's reward, for several pulls to the start",
    )


def push(
    paths: Paths,
    pull: float,
    mine: tuple[Floats, Floats],
    revealed: bool,
    about: str,
    answer: float | None = None,
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        paths: For each of some pulls β the judge's reward and the true rate after each step; 0 is
            among them.
        pull: The pull set by the learner.
        mine: Reward and true rate under it.
        revealed: Whether it may be shown.
        about: Settings in words, for the title.
        answer: How far over the run without a pull the learner puts a pulled one at the same
            reward; None without an answer.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    if not revealed:
        none: dict[str, Any] = {"x": [], "y": []}
        return {
            "title": "True rate against reward: answer or skip to uncover",
            "summary": "The runs are shown after you answer or skip.",
            "table": {"pull": [], "reward at the end": [], "true rate at the end": []},
            "paths": {**none, "step": [], "pull": []},
            "ends": none,
            "start": none,
            "now": {**none, "said": []},
            "answer": {**none, "said": []},
        }
    ends = np.array([[reward[-1], truth[-1]] for reward, truth in paths.values()])
    off = furthest_off(paths)
    reward, truth = mine
    held = ends[len(ends) // 2]
    said = np.empty((0, 2)) if answer is None else held[None] + [[0.0, answer]]
    return {
        "title": f"With a pull of {pull:.2f} the run ends at reward {reward[-1]:.2f}, true rate "
        f"{truth[-1]:.2f} ({about})",
        "summary": f"True rate against reward under {len(paths)} pulls: at the same reward the "
        f"paths differ by at most {off:.3f}; the stronger the pull, the nearer to the start the "
        "run ends.",
        "table": {
            "pull": [f"{one:.2f}" for one in paths],
            "reward at the end": np.round(ends[:, 0], 3),
            "true rate at the end": np.round(ends[:, 1], 3),
        },
        "paths": {
            "x": np.round(np.concatenate([one for one, _ in paths.values()]), 4),
            "y": np.round(np.concatenate([one for _, one in paths.values()]), 4),
            "step": np.concatenate([np.arange(len(one)) for one, _ in paths.values()]),
            "pull": np.repeat(list(paths), [len(one) for one, _ in paths.values()]),
        },
        "ends": {"x": np.round(ends[:, 0], 4), "y": np.round(ends[:, 1], 4)},
        "start": {"x": [round(float(reward[0]), 4)], "y": [round(float(truth[0]), 4)]},
        "now": {
            "x": [round(float(reward[-1]), 4)],
            "y": [round(float(truth[-1]), 4)],
            "said": [f"yours, {pull:.2f}"],
        },
        "answer": {
            "x": np.round(said[:, 0], 4),
            "y": np.round(said[:, 1], 4),
            "said": ["you"] * len(said),
        },
    }


def furthest_off(paths: Paths) -> float:
    """Return how far, at the same reward, the true rate of any path is from the one without pull.

    Only the stretch of a path on which its reward has not yet turned is compared.
    """
    reward, truth = paths[0.0]
    rising = np.maximum.accumulate(reward)
    off = 0.0
    for mine, true in paths.values():
        keep = (mine >= reward[0]) & (mine <= rising[-1])
        gap = np.abs(np.interp(mine[keep], rising, truth) - true[keep])
        off = max(off, float(gap.max(initial=0.0)))
    return off
