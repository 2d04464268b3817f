"""Two lanes of groups in the order drawn, each until its batch is full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import per_cent
from whilecore.refill import Fill

HEIGHT: Final = 270
ROWS: Final = 8
COLUMNS: Final = 40
TALL: Final = 11.5  # of a lane: its words, its rows, and some air
FIRST: Final = 1.9  # where the rows of a lane begin


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``groups``, ``lanes``, ``ends`` and ``answer``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, COLUMNS], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[2 * TALL, 0], nice=False, zero=False), axis=None)
    top = y.copy(deep=True)
    top.shorthand = "top:Q"
    font = alt.ExprRef("width < 420 ? 11 : 13")
    side = f"min(10, 0.8 * width / {COLUMNS})"
    groups = (
        alt.Chart(alt.NamedData("groups"))
        .mark_point(
            size=alt.ExprRef(f"pow({side}, 2) * (datum.shape === 'stroke' ? 0.7 : 0.85)"),
            strokeWidth=alt.ExprRef("width < 420 ? 1.2 : 1.6"),
        )
        .encode(
            x=x,
            y=y,
            shape=alt.Shape("shape:N", scale=None),
            stroke=alt.when("datum.full === 1")
            .then(alt.value(theme.INK))
            .otherwise(alt.value(theme.MUTED)),
            fill=alt.value(theme.INK),
            fillOpacity=alt.when("datum.full === 1").then(alt.value(1)).otherwise(alt.value(0)),
        )
    )
    words = (
        alt.Chart(alt.NamedData("lanes"))
        .mark_text(align="left", fontSize=font, color=theme.INK, fontWeight="bold")
        .encode(x=x, y=y, text="said:N")
    )
    ends = alt.Chart(alt.NamedData("ends")).mark_rule(strokeWidth=2.5, color=theme.INK)
    full = ends.encode(x=x, y=top, y2="bottom:Q")
    answer = alt.Chart(alt.NamedData("answer"))
    mine = answer.mark_rule(color=theme.ALERT, strokeWidth=2.5, strokeDash=[5, 3]).encode(
        x=x, y=top, y2="bottom:Q"
    )
    you = answer.mark_text(
        align=alt.ExprRef(f"datum.x > {COLUMNS // 2} ? 'right' : 'left'"),
        dx=alt.ExprRef(f"datum.x > {COLUMNS // 2} ? -5 : 5"),
        fontSize=font,
        fontStyle="italic",
        color=theme.INK,
    ).encode(x=x, y=y, text="said:N")
    return alt.layer(groups, full, mine, words, you).properties(
        height=HEIGHT,
        width="container",
        description="Groups in the order drawn at two pass rates, until a batch is full",
    )


def push(
    fills: Sequence[Fill], rates: Sequence[float], revealed: bool, about: str, answer: float | None
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        fills: Two batches being filled, of at most 320 groups each.
        rates: Their true pass rates.
        revealed: Whether the second lane may be shown.
        about: Tries, batch and seed in words.
        answer: How many times the first lane's rollouts the learner gave the second.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    shown = list(fills) if revealed else list(fills[:1])
    parts = [_lane(at, fill) for at, fill in enumerate(shown)]
    names = [per_cent(rate) for rate in rates]
    said = [f"{name}: {_said(fill)}" for name, fill in zip(names, shown, strict=False)]
    if not revealed:
        said.append(f"{names[1]}: answer or skip to see")
    tops = [FIRST + at * TALL - 0.6 for at in range(len(shown))]
    mine = [answer] if revealed and answer is not None else []
    return {
        "title": _title(fills, names, revealed, about),
        "summary": "; ".join(said) + ".",
        "table": _table(shown, names[: len(shown)]),
        "groups": {
            name: np.concatenate([part[name] for part in parts])
            for name in ("x", "y", "shape", "full")
        },
        "lanes": {"x": [0, 0], "y": [0.8, 0.8 + TALL], "said": said},
        "ends": {
            "x": [_columns(len(fill.task)) for fill in shown],
            "top": tops,
            "bottom": [top + ROWS + 0.2 for top in tops],
        },
        "answer": {
            "x": [min(COLUMNS, answer * len(fills[0].task) / ROWS) for answer in mine],
            "y": [FIRST + TALL + ROWS + 0.3 for _ in mine],
            "top": [FIRST + TALL - 0.6 for _ in mine],
            "bottom": [FIRST + TALL + ROWS for _ in mine],
            "said": [f"you: {answer:g}×" for answer in mine],
        },
    }


def _columns(groups: int) -> float:
    return float(np.ceil(groups / ROWS))


def _lane(at: int, fill: Fill) -> dict[str, Any]:
    """Return the groups of one lane, column by column in the order drawn."""
    order = np.arange(len(fill.task))
    return {
        "x": order // ROWS + 0.5,
        "y": order % ROWS + FIRST + at * TALL,
        "shape": np.where(fill.live, "circle", "stroke").astype(object),
        "full": fill.used.astype(np.int64),
    }


def _said(fill: Fill) -> str:
    """Return how a batch ended, in words."""
    if fill.full:
        return f"full after {fill.rollouts:,} rollouts"
    return f"not full, {int(fill.used.sum())} of {fill.batch} after {fill.rollouts:,} rollouts"


def _title(fills: Sequence[Fill], names: Sequence[str], revealed: bool, about: str) -> str:
    if not revealed:
        return f"A batch at {names[0]}: {_said(fills[0])} ({about})"
    first, second = fills
    if not second.full:
        return f"At {names[1]} the batch is {_said(second)} ({about})"
    ratio = second.rollouts / first.rollouts
    return (
        f"The same batch costs {second.rollouts:,} rollouts at {names[1]}, {first.rollouts:,} at "
        f"{names[0]}: {ratio:.1f} times as many ({about})"
    )


def _table(fills: Sequence[Fill], names: Sequence[str]) -> dict[str, Any]:
    return {
        "true rate": names,
        "groups drawn": [len(fill.task) for fill in fills],
        "silent": [int((~fill.live).sum()) for fill in fills],
        "in the batch": [int(fill.used.sum()) for fill in fills],
        "rollouts": [fill.rollouts for fill in fills],
    }
