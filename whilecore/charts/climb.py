"""The judge's reward, the true rate and the share of long replies, step by step."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.curves import Training

HEIGHT: Final = 300
NAMED: Final = 10  # a mark every so many steps

Floats = npt.NDArray[np.float64]


@spec.once
def picture(steps: int = 60) -> ChartType:
    """Return the chart; it reads ``runs``, ``reward``, ``truth``, ``longer`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, steps], nice=False),
        axis=alt.Axis(title="training step", tickCount=6),
    )
    scale = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("y:Q", scale=scale, axis=alt.Axis(format="%", tickCount=5, title=None, grid=True))

    def lines(data: str, **look: Any) -> Any:
        return alt.Chart(alt.NamedData(data)).mark_line(clip=True, **look).encode(x=x, y=y)

    def marks(data: str, **look: Any) -> Any:
        dots = alt.Chart(alt.NamedData(data)).transform_filter(f"datum.x % {NAMED} === 0")
        return dots.mark_point(size=55, **look).encode(x=x, y=y)

    runs = lines("runs", color=theme.TRUTH, strokeWidth=1, opacity=0.3).encode(detail="run:N")
    longer = lines("longer", color=theme.MUTED, strokeDash=[1, 4], strokeWidth=2, strokeCap="round")
    reward = lines("reward", color=theme.INK, strokeDash=[7, 4], strokeWidth=2)
    truth = lines("truth", color=theme.TRUTH, strokeWidth=3)
    answer = lines("answer", color=theme.ALERT, strokeDash=[3, 3], strokeWidth=2)
    said = (
        alt.Chart(alt.NamedData("answer"))
        .transform_filter(f"datum.x === {steps}")
        .mark_text(align="right", baseline="bottom", dy=-5, color=theme.ALERT, fontWeight="bold")
        .encode(x=x, y=y, text="said:N")
    )
    layers = [runs, longer, reward, marks("reward", shape="square", color=theme.INK)]
    layers += [truth, marks("truth", shape="circle", color=theme.TRUTH), answer, said]
    return alt.layer(*layers).properties(
        height=HEIGHT,
        width="container",
        description="The judge's reward and the true rate against training steps",
    )


def push(
    runs: Training, exact: Training, revealed: bool, about: str, answer: Floats | None = None
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        runs: Sampled runs.
        exact: The same training with every group replaced by its expectation, one run.
        revealed: Whether the truth, and what replies are long, may be shown.
        about: The settings in words, for the title.
        answer: The curve the learner chose, one value per step from 0 on.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    step = np.arange(exact.plan.steps + 1)
    none: dict[str, Any] = {"x": [], "y": []}
    shown: dict[str, Any] = {
        "title": _title(runs, exact, revealed, about),
        "summary": _summary(exact, revealed),
        "table": _table(exact, revealed),
        "reward": _line(exact.proxy[0]),
        "runs": {**none, "run": []},
        "truth": none,
        "longer": none,
        "answer": {**none, "said": []},
    }
    if not revealed:
        return shown
    count = len(runs.held_out)
    shown["truth"], shown["longer"] = _line(exact.held_out[0]), _line(exact.long_share[0])
    shown["runs"] = {
        "x": np.tile(step, count),
        "y": np.round(runs.held_out.ravel(), 4),
        "run": np.repeat(np.arange(count), len(step)),
    }
    if answer is not None:
        shown["answer"] = {**_line(answer), "said": ["you"] * len(step)}
    return shown


def _line(values: Floats) -> dict[str, Any]:
    return {"x": np.arange(len(values)), "y": np.round(values, 4)}


def _table(exact: Training, revealed: bool) -> dict[str, Any]:
    """Return every tenth step, and the peak of the true rate."""
    steps = np.arange(0, exact.plan.steps + 1, NAMED)
    if revealed:
        steps = np.union1d(steps, [exact.held_out[0].argmax()])
    table: dict[str, Any] = {
        "step": [str(one) for one in steps],
        "judge's reward": np.round(exact.proxy[0, steps], 3),
    }
    if revealed:
        table["true rate"] = np.round(exact.held_out[0, steps], 3)
        table["long replies"] = np.round(exact.long_share[0, steps], 3)
    return table


def _title(runs: Training, exact: Training, revealed: bool, about: str) -> str:
    old, new = exact.proxy[0, [0, -1]]
    said = f"The reward goes from {old:.2f} to {new:.2f}"
    if revealed:
        old, new = exact.held_out[0, [0, -1]]
        said += f", the true rate from {old:.2f} to {new:.2f}"
    plan = runs.plan
    return f"{said} ({about}; {plan.runs} runs, seed {plan.seed})"


def _summary(exact: Training, revealed: bool) -> str:
    old, new = exact.proxy[0, [0, -1]]
    said = f"Over {exact.plan.steps} steps the judge's mean reward goes from {old:.2f} to {new:.2f}"
    if not revealed:
        return f"{said}; the true rate is shown after you answer or skip."
    truth, longer = exact.held_out[0], exact.long_share[0]
    return (
        f"{said}, the true rate from {truth[0]:.2f} over {truth.max():.2f} at step "
        f"{truth.argmax()} to {truth[-1]:.2f}, the share of long replies from {longer[0]:.2f} to "
        f"{longer[-1]:.2f}."
    )
