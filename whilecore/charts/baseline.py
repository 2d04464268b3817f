"""Pushes as lengths: every try stands at its reward, and its bar runs there from the average.

A bar that goes up is a push towards the try, one that goes down a push away from it. Where all
tries agree they stand on the line, and there is no bar to draw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.groups import advantages

SLOTS: Final = 8
LEFT, RIGHT = -1.0, 1.35  # columns for the words beside the tries
ROW: Final = 1.95  # distance between two rows of tries, in units of reward
HEIGHT: Final = 215

Floats = npt.NDArray[np.float64]


@spec.once
def picture(slots: int = SLOTS, rows: int = 1) -> ChartType:
    """Return the chart; it reads ``tries``, ``lines``, ``words`` and ``answer``.

    Args:
        slots: Columns for tries.
        rows: Rows of tries, one above the other.
    """
    x = alt.X("x:Q", scale=alt.Scale(domain=[LEFT, slots + RIGHT], nice=False), axis=None)
    top = (rows - 1) * ROW + 1.42
    y = alt.Y("y:Q", scale=alt.Scale(domain=[-0.42, top], nice=False, zero=False), axis=None)
    tries = alt.Chart(alt.NamedData("tries")).encode(x=x)
    levels = (
        alt.Chart(alt.NamedData("levels"))
        .mark_rule(color=theme.GRID)
        .encode(x=x, x2="x2:Q", y=y)
    )  # fmt: skip
    at = x.copy(deep=True)
    at.shorthand = "left:Q"
    bars = tries.mark_rect(opacity=0.38).encode(
        x=at, x2="right:Q", y=y, y2="from:Q", color=marks.colour()
    )
    fitting = alt.value(alt.ExprRef("width < 420 ? datum.short : datum.push"))
    font = alt.ExprRef("width < 340 ? 9 : width < 420 ? 10.5 : 12")
    said: Any = {"fontSize": font, "fontWeight": "bold", "color": theme.INK}
    above = tries.transform_filter("datum.up === 1").mark_text(baseline="bottom", dy=-12, **said)
    below = tries.transform_filter("datum.up === 0").mark_text(baseline="top", dy=12, **said)
    lines = alt.Chart(alt.NamedData("lines")).encode(x=x, y=y)
    line = lines.mark_rule(color=theme.INK, strokeWidth=2).encode(x2="x2:Q")
    words = alt.Chart(alt.NamedData("words")).encode(x=x, y=y, text="words:N")
    size = alt.ExprRef("width < 420 ? 10.5 : 12")
    beside: Any = {"fontSize": size, "lineBreak": "\n", "lineHeight": 13, "baseline": "middle"}
    left = words.transform_filter("datum.strong === 0").mark_text(
        align="left", color=theme.MUTED, **beside
    )
    right = words.transform_filter("datum.strong === 1").mark_text(
        align="left", color=theme.INK, fontWeight="bold", **beside
    )
    answer = alt.Chart(alt.NamedData("answer")).encode(x=x, y=y)
    ring = answer.mark_point(
        shape="circle", size=620, filled=False, strokeWidth=2, strokeDash=[4, 3], color=theme.INK
    )
    you = answer.mark_text(
        fontSize=size, fontStyle="italic", color=theme.INK, align="left", dx=17, dy=1
    ).encode(text="said:N")
    reach = tries.mark_rect(fillOpacity=0, cursor="pointer").encode(x=at, x2="right:Q")
    return alt.layer(
        levels,
        bars,
        line,
        marks.layer("tries", x, y, side=f"min(17, 0.5 * width / {slots - LEFT + RIGHT})"),
        above.encode(y=y, text=fitting),
        below.encode(y=y, text=fitting),
        left,
        right,
        ring,
        you,
        reach,
    ).properties(
        height=HEIGHT * (0.42 + top) / 1.84,
        width="container",
        description="Tries at their reward, with a bar from the average to each",
    )


def push(
    rewards: Sequence[int],
    revealed: bool,
    answer: Sequence[int] = (),
) -> dict[str, Any]:
    """Return what the picture shows of one group.

    Args:
        rewards: 1 for each pass and 0 for each fail, two or more.
        revealed: Whether average and pushes may be shown; without it neither is in what is
            returned.
        answer: Numbers (from 0) of the tries the learner named, ringed on the chart.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    r = np.asarray(rewards, np.float64)
    pushes = advantages(r)
    ones = np.arange(len(r))
    drawn = laid_out(r, pushes, float(r.mean()), ones, 0.0, revealed)
    table: dict[str, Any] = {"try": [f"{i + 1}" for i in ones], "reward": r.astype(int)}
    if revealed:
        table["push"] = [signed(one, 3) for one in pushes]
    lines = {"x": [-0.05], "x2": [len(r) + 0.05], "y": [r.mean()]}
    beside: list[tuple[float, float, str, int]] = [
        (LEFT, 1.0, "pass", 0),
        (LEFT, 0.0, "fail", 0),
    ]
    if revealed:
        beside.append((len(r) + 0.15, float(r.mean()), f"average\n{r.mean():.3g}", 1))
    ringed = [i for i in answer if i < len(r)] if revealed else []
    said = ["" for _ in ringed]
    if said:
        said[-1] = "you"
    return {
        "title": _title(r, pushes, revealed),
        "summary": _summary(r, pushes, revealed),
        "table": table,
        "levels": {"x": [-0.05] * 2, "x2": [SLOTS] * 2, "y": [0.0, 1.0]},
        "tries": drawn,
        "lines": lines if revealed else {"x": [], "x2": [], "y": []},
        "words": dict(zip(("x", "y", "words", "strong"), zip(*beside, strict=True), strict=True)),
        "answer": {"x": [i + 0.5 for i in ringed], "y": [r[i] for i in ringed], "said": said},
    }


def laid_out(
    rewards: Floats, pushes: Floats, average: float, place: Any, height: float, revealed: bool
) -> dict[str, Any]:
    """Return the columns of ``tries`` for some tries in one row.

    Args:
        rewards: Shape (tries,).
        pushes: Shape (tries,); exactly 0 draws an outline with the sign of no contrast.
        average: Where the bars start.
        place: Column of each try, whole numbers from 0.
        height: Reward 0 stands at this height.
        revealed: Whether bars and pushes may be shown.
    """
    n = len(rewards)
    silent = pushes == 0
    blank = np.full(n, "", dtype=object)
    look = marks.LOOKS["unanimous"]
    told = revealed and not silent.all()
    middle = np.asarray(place) + 0.5
    return {
        "x": middle,
        "left": middle - 0.36,
        "right": middle + 0.36,
        "y": height + rewards,
        "from": height + (np.full(n, average) if told else rewards),
        "up": (rewards > average if told else rewards > 0.5).astype(np.int64),
        "push": np.array([signed(p, 3) for p in pushes], dtype=object) if revealed else blank,
        "short": np.array([_short(p) for p in pushes], dtype=object) if revealed else blank,
        "shape": marks.SHAPES[(rewards >= 0.5).astype(np.int64)],
        "full": np.where(silent & revealed, 0, 1),
        "sign": np.where(silent & revealed, look.sign, "").astype(object),
        "link": np.where(silent & revealed, look.link, "").astype(object),
        "key": np.array([str(i + 1) for i in np.asarray(place)], dtype=object),
    }


def signed(push: float, digits: int) -> str:
    """Return a push in words: at least two digits behind the point, at most as many as told.

    A half is rounded away from 0, as readers do. What is smaller than the last digit keeps two
    digits of its own.

    >>> signed(0.25, 3), signed(-0.625, 2), signed(0.0, 3), signed(0.00075, 3)
    ('+0.25', '−0.63', '0', '+0.00075')
    """
    if push == 0:
        return "0"
    if abs(push) < 10**-digits - 1e-12:
        digits = 1 - math.floor(math.log10(abs(push)))
    text = f"{abs(push) + 1e-9:.{digits}f}"
    while text.endswith("0") and len(text.partition(".")[2]) > 2:
        text = text[:-1]
    return ("+" if push > 0 else "−") + text


def _short(push: float) -> str:
    """Return a push for narrow columns, without the 0 before the point."""
    return signed(push, 2).replace("0.", ".")


def _title(r: Floats, pushes: Floats, revealed: bool) -> str:
    passes, k = int(r.sum()), len(r)
    if not revealed:
        return f"{passes} of {k} tries pass"
    if passes in (0, k):
        return f"All {k} tries {'pass' if passes else 'fail'}: no push at all"
    strongest = pushes[np.abs(pushes).argmax()]
    if 2 * passes == k:
        return f"{passes} of {k} tries pass: every push is {abs(strongest):.3g} long"
    rare = ("pass" if strongest > 0 else "fail"), int(min(passes, k - passes))
    which = f"the lone {rare[0]}" if rare[1] == 1 else f"the {rare[1]} that {rare[0]}"
    return f"{passes} of {k} tries pass: {which} get{'s' * (rare[1] == 1)} {signed(strongest, 3)}"


def _summary(r: Floats, pushes: Floats, revealed: bool) -> str:
    passes, k = int(r.sum()), len(r)
    if not revealed:
        return f"{passes} of {k} tries pass. The pushes are shown after you answer or skip."
    if passes in (0, k):
        return f"All {k} rewards are {r[0]:.0f}, and so is their average: every push is 0."
    return (
        f"The average reward of {k} tries is {r.mean():.3g}. Each pass is pushed by "
        f"{signed(pushes.max(), 3)}, each fail by {signed(pushes.min(), 3)}; the pushes sum to 0."
    )
