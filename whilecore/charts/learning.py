"""Learning curves of four pools, as expected, over the thin lines of one pool's runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import per_cent
from whilecore.curves import Training

HEIGHT: Final = 320
FURTHEST: Final = 86
SAME: Final = 0.005  # ends nearer than this are called the same
NAMED: Final = 10  # a mark every so many steps

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Look:
    """How a pool is drawn: colour, shape of its marks, dashes of its line, and its sign in text."""

    colour: alt.ExprRef
    shape: str
    dash: tuple[int, int]
    sign: str


LOOKS: Final = {
    "all": Look(theme.INK, "circle", (1, 0), "●"),
    "middle once": Look(theme.FAIL, "square", (7, 4), "■"),
    "middle re-measured": Look(theme.PASS, "triangle-up", (1, 0), "▲"),
    "oracle": Look(theme.TRUTH, "diamond", (2, 3), "◆"),
}


@spec.once
def picture(low: float = 0.3, high: float = 1.0, y_title: str = "held-out true rate") -> ChartType:
    """Return the chart; it reads ``runs``, ``answer`` and one dataset per pool, ``pool0`` on.

    Args:
        low: Lower end of the y axis.
        high: Upper end.
        y_title: What is drawn.
    """
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, FURTHEST], nice=False),
        axis=alt.Axis(title="training steps, or rollouts / 128", values=list(range(0, 90, 20))),
    )
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    y = alt.Y("y:Q", scale=scale, axis=alt.Axis(title=y_title, format="%", tickCount=6, grid=True))
    order = alt.Order("step:Q")
    runs = alt.Chart(alt.NamedData("runs")).mark_line(strokeWidth=1, opacity=0.35, clip=True)
    colour = alt.value(theme.MUTED)
    layers: list[Any] = [runs.encode(x=x, y=y, detail="run:N", order=order, stroke=colour)]
    for at, look in enumerate(LOOKS.values()):
        line = alt.Chart(alt.NamedData(f"pool{at}")).encode(x=x, y=y)
        layers += [
            line.mark_line(
                color=look.colour, strokeDash=list(look.dash), strokeWidth=2.2, clip=True
            ).encode(order=order),
            line.transform_filter(f"datum.step % {NAMED} === 0").mark_point(
                shape=look.shape, size=52, color=look.colour, clip=True
            ),
        ]
    said = alt.Chart(alt.NamedData("answer")).encode(x=x, y=y)
    ring = said.mark_point(shape="circle", size=240, filled=False, stroke=theme.INK, strokeWidth=2)
    words = said.mark_text(align="left", dx=13, dy=3, color=theme.INK, fontStyle="italic")
    return alt.layer(*layers, ring, words.encode(text="said:N")).properties(
        height=HEIGHT, width="container", description=f"{y_title} of four pools of tasks"
    )


def push(
    expected: Mapping[str, Training],
    runs: Training,
    by: str,
    revealed: bool,
    about: str,
    answer: str = "",
    first: int = 0,
) -> dict[str, Any]:
    """Return what the learning curves show.

    Args:
        expected: Each pool's training with groups replaced by their expectation, many worlds.
        runs: Sampled runs of one pool, drawn thin.
        by: "steps" or "rollouts": what runs along the x axis.
        revealed: Whether the curves may be shown.
        about: The settings in words, for the title.
        answer: The pool the learner chose; "" draws none.
        first: Steps of the expected curves that may be shown before the answer.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    shown = _empty("Held-out true rate of four pools")
    lines = {
        pool: (_along(run, by).mean(0), run.held_out.mean(0)) for pool, run in expected.items()
    }
    if not revealed:
        return shown | _begun(lines, first, about) if first else shown
    many, step = len(runs.held_out), np.arange(runs.plan.steps + 1)
    ends = {pool: float(y[-1]) for pool, (_, y) in lines.items()}
    order = sorted(ends, key=lambda pool: -ends[pool])
    name = runs.plan.pool
    shown |= {f"pool{at}": _line(*lines[pool]) for at, pool in enumerate(LOOKS)}
    apart = ends[order[0]] - ends[order[-1]]
    found = f"“{order[0]}” ends highest, at {ends[order[0]]:.3f}; " + (
        f"“{name}” at {ends[name]:.3f}" if name != order[0] else f"last “{order[-1]}”"
    )
    if apart < SAME:
        found = f"All four end at {ends[name]:.2f}, within {apart:.3f} of each other"
    shown |= {
        "title": f"{found} ({about}; {many} worlds, seed {runs.plan.seed})",
        "summary": "Held-out true rate after the last step, as expected: "
        + ", ".join(f"{pool} {ends[pool]:.3f}" for pool in order)
        + f". Thin: {many} sampled runs of {name}, ending between {runs.held_out[:, -1].min():.3f} "
        f"and {runs.held_out[:, -1].max():.3f}.",
        "table": {
            "pool": order,
            "start": [round(float(lines[pool][1][0]), 3) for pool in order],
            "end": [round(ends[pool], 3) for pool in order],
            "rollouts": [round(float(expected[pool].rollouts[:, -1].mean())) for pool in order],
        },
        "runs": {
            "x": np.round(_along(runs, by).ravel(), 2),
            "y": np.round(runs.held_out.ravel(), 4),
            "step": np.tile(step, many),
            "run": np.repeat(np.arange(many), len(step)),
        },
    }
    if answer in lines:
        x, y = lines[answer]
        shown["answer"] = {"x": [round(float(x[-1]), 2)], "y": [round(float(y[-1]), 4)],
                           "said": ["you"]}  # fmt: skip
    return shown


def quiet(expected: Mapping[str, Training], by: str, revealed: bool, about: str) -> dict[str, Any]:
    """Return the share of silent groups of each pool, for a chart of the same kind."""
    shown = _empty("Share of silent groups")
    if not revealed:
        return shown
    ends = {}
    for at, (pool, run) in enumerate(expected.items()):
        drew = np.isfinite(run.silent)
        count = drew.sum(0)
        share = np.where(drew, run.silent, 0).sum(0) / np.maximum(count, 1)
        x = _along(run, by).mean(0)[1:]
        line = {"x": np.round(x, 2), "y": np.round(share, 4), "step": np.arange(1, len(x) + 1)}
        shown[f"pool{at}"] = {name: value[count > 0] for name, value in line.items()}
        ends[pool] = share[0], share[count > 0][-1]
    once = ends["middle once"]
    shown["title"] = (
        f"“middle once”: {per_cent(once[0])} of groups silent at first, {per_cent(once[1])} at "
        f"last ({about})"
    )
    shown["summary"] = "Share of groups whose tries all agree, first and last step: " + ", ".join(
        f"{pool} {per_cent(old)} and {per_cent(new)}" for pool, (old, new) in ends.items()
    )
    shown["table"] = {
        "pool": list(ends),
        "first step": [round(float(old), 3) for old, _ in ends.values()],
        "last step that drew": [round(float(new), 3) for _, new in ends.values()],
    }
    return shown


def _empty(what: str) -> dict[str, Any]:
    none: dict[str, Any] = {"x": [], "y": []}
    return {
        "title": f"{what}: answer or skip to uncover",
        "summary": f"{what} is shown after you answer or skip.",
        "table": {"pool": []},
        "runs": {**none, "step": [], "run": []},
        "answer": {**none, "said": []},
        **{f"pool{at}": {**none, "step": []} for at in range(len(LOOKS))},
    }


def _begun(lines: Mapping[str, tuple[Floats, Floats]], first: int, about: str) -> dict[str, Any]:
    """Return the first steps of the expected curves and nothing later."""
    heads = {pool: (x[: first + 1], y[: first + 1]) for pool, (x, y) in lines.items()}
    return {
        "title": f"The first {first} steps of four pools; the rest after the answer ({about})",
        "summary": f"Held-out true rate after {first} steps, as expected: "
        + ", ".join(f"{pool} {y[-1]:.2f}" for pool, (_, y) in heads.items())
        + ". The rest is shown after you answer or skip.",
        "table": {
            "pool": list(heads),
            f"step {first}": [round(float(y[-1]), 3) for _, y in heads.values()],
        },
        **{f"pool{at}": _line(*heads[pool]) for at, pool in enumerate(LOOKS)},
    }


def _along(run: Training, by: str) -> Floats:
    """Return where each step of each run stands: its number, or rollouts in batches of *all*."""
    if by == "steps":
        return np.broadcast_to(np.arange(run.plan.steps + 1.0), run.rollouts.shape)
    return np.asarray(run.rollouts / (run.plan.batch * run.plan.k))


def _line(x: Floats, y: Floats) -> dict[str, Any]:
    return {"x": np.round(x, 2), "y": np.round(y, 4), "step": np.arange(len(x))}
