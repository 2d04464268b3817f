"""A hundred groups of tries, ten by ten; those that agree are framed and emptied."""

from __future__ import annotations

import math
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme

ACROSS: Final = 10
HEIGHT: Final = 440
SHOWN_FIRST: Final = 10  # groups that may be seen before the answer

Bools = npt.NDArray[np.bool_]


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``tries``, ``frames`` and ``ghosts``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, ACROSS], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[ACROSS, 0], nice=False, zero=False), axis=None)
    left = x.copy(deep=True)
    left.shorthand = "left:Q"
    top = y.copy(deep=True)
    top.shorthand = "top:Q"
    frames = (
        alt.Chart(alt.NamedData("frames"))
        .mark_rect(cornerRadius=4, strokeWidth=1.6, stroke=theme.INK, fill=theme.BAND)
        .encode(x=left, x2="right:Q", y=top, y2="bottom:Q", opacity=marks.fade())
    )
    ghosts = (
        alt.Chart(alt.NamedData("ghosts"))
        .mark_point(size=5, color=theme.MUTED, opacity=0.35, shape="circle")
        .encode(x=x, y=y)
    )
    side = (
        f"0.86 * datum.inside * min(width / {ACROSS} / datum.columns, "
        f"{HEIGHT} / {ACROSS} / datum.lines)"
    )
    tries = marks.layer("tries", x, y, side=f"min(12, {side})")
    return alt.layer(frames, ghosts, tries).properties(
        height=HEIGHT,
        width="container",
        description="A hundred groups of tries, ten by ten; groups that agree are framed",
    )


def push(passed: Bools, revealed: bool, about: str) -> dict[str, Any]:
    """Return what the picture shows of some groups.

    Args:
        passed: Shape (groups, tries), true for a pass; at most 100 groups.
        revealed: Whether more than the first ``SHOWN_FIRST`` groups, and which of them agree, may
            be shown.
        about: Rate, tries and seed in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    n, k = passed.shape
    same = (passed == passed[:, :1]).all(1)
    all_pass, all_fail = same & passed[:, 0], same & ~passed[:, 0]
    shown = np.arange(n if revealed else min(n, SHOWN_FIRST))
    hidden = np.arange(len(shown), n)
    return {
        "title": _title(all_pass, all_fail, revealed, about),
        "summary": _summary(passed, all_pass, all_fail, revealed),
        "table": _table(passed, shown, revealed),
        "tries": _tries(passed, shown, all_pass, all_fail, revealed),
        "frames": _frames(np.flatnonzero(same & revealed), all_pass),
        "ghosts": {"x": hidden % ACROSS + 0.5, "y": hidden // ACROSS + 0.5},
    }


def _tries(
    passed: Bools, shown: Any, all_pass: Bools, all_fail: Bools, revealed: bool
) -> dict[str, Any]:
    """Lay the tries of each group out in a block inside its cell."""
    k = passed.shape[1]
    columns = max(2, math.isqrt(k))  # higher than wide, as the cells are on a phone
    lines = -(-k // columns)
    inside = min(0.84, 0.5 + 0.08 * columns)  # share of a cell that its marks take
    group = np.repeat(shown, k)
    at = np.tile(np.arange(k), len(shown))
    across = (at % columns + 0.5) / columns
    down = (at // columns + 0.5) / lines
    silent = (all_pass | all_fail)[group] & revealed
    link = np.where(all_pass, "all_pass", np.where(all_fail, "all_fail", "")).astype(object)
    sign = marks.LOOKS["unanimous"].sign if k <= 6 else ""  # beyond that too small to read
    return {
        "x": np.round(group % ACROSS + 0.5 + inside * (across - 0.5), 3),
        "y": np.round(group // ACROSS + 0.5 + inside * (down - 0.5), 3),
        "inside": np.full(len(group), round(inside, 2)),
        "columns": np.full(len(group), columns),
        "lines": np.full(len(group), lines),
        "shape": marks.SHAPES[passed[shown].ravel().astype(np.int64)],
        "full": np.where(silent, 0, 1),
        "sign": np.where(silent, sign, "").astype(object),
        "link": link[group] if revealed else np.full(len(group), "", dtype=object),
    }


def _frames(groups: Any, all_pass: Bools) -> dict[str, Any]:
    """Return a frame around each group that agrees."""
    x, y = groups % ACROSS, groups // ACROSS
    return {
        "left": x + 0.04,
        "right": x + 0.96,
        "top": y + 0.04,
        "bottom": y + 0.96,
        "link": np.where(all_pass[groups], "all_pass", "all_fail").astype(object),
    }


def _title(all_pass: Bools, all_fail: Bools, revealed: bool, about: str) -> str:
    n = len(all_pass)
    if not revealed:
        return f"The first {min(n, SHOWN_FIRST)} of {n} groups ({about})"
    good, bad = int(all_pass.sum()), int(all_fail.sum())
    return f"{good + bad} of {n} groups agree: {good} all pass, {bad} all fail ({about})"


def _summary(passed: Bools, all_pass: Bools, all_fail: Bools, revealed: bool) -> str:
    n, k = passed.shape
    if not revealed:
        return (
            f"{n} groups of {k} tries; the first {min(n, SHOWN_FIRST)} are shown, the rest after "
            "you answer or skip."
        )
    good, bad = int(all_pass.sum()), int(all_fail.sum())
    return (
        f"{n} groups of {k} tries: {good} pass throughout, {bad} fail throughout, "
        f"{n - good - bad} have both and can teach."
    )


def _table(passed: Bools, shown: Any, revealed: bool) -> dict[str, Any]:
    """Return the groups by their number of passes; before the answer, the first groups."""
    passes = passed.sum(1)
    if not revealed:
        return {"group": [str(i + 1) for i in shown], "passes": passes[shown]}
    k = passed.shape[1]
    return {
        "passes": [f"{c} of {k}" for c in range(k + 1)],
        "groups": np.bincount(passes, minlength=k + 1),
    }
