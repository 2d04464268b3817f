"""Four recipes for the push, side by side, on one group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.charts.baseline import signed
from whilecore.groups import advantages

Floats = npt.NDArray[np.float64]
WIDEST: Final = 4.3  # pushes reach √7 = 2.65 with 8 tries; the rest is room for words
PITCH: Final = 56


@dataclass(frozen=True)
class Recipe:
    """One way to turn rewards into pushes; the arguments of ``groups.advantages``.

    Attributes:
        words: Its name on the chart.
        how: Centred, divided by the spread, or against the others.
        ddof: 0 for the population spread, 1 for the sample spread.
    """

    words: str
    how: Literal["centred", "spread", "leave_one_out"]
    ddof: Literal[0, 1] = 0

    def pushes(self, rewards: npt.ArrayLike) -> Floats:
        """Return the push on each try of one group."""
        return advantages(rewards, how=self.how, ddof=self.ddof)


RECIPES: Final = (
    Recipe("reward − average", "centred"),
    Recipe("reward − average of the others", "leave_one_out"),
    Recipe("(reward − average) ÷ spread (population)", "spread"),
    Recipe("(reward − average) ÷ spread (sample)", "spread", 1),
)


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``pushes``, ``recipes`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[-WIDEST, WIDEST], nice=False),
        axis=alt.Axis(values=[-2, -1, 0, 1, 2], title="push", tickSize=4, format="+d"),
    )
    y = alt.Y(
        "y:Q", scale=alt.Scale(domain=[len(RECIPES), 0], nice=False, zero=False), axis=None
    )  # fmt: skip
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    pushes = alt.Chart(alt.NamedData("pushes")).encode(y=y)
    bars = pushes.mark_bar(height=11, opacity=0.38).encode(
        x=x, x2=alt.X2Datum(0), color=marks.colour()
    )
    zero = (
        alt.Chart(alt.NamedData("recipes"))
        .mark_rule(color=theme.MUTED)
        .encode(x=alt.XDatum(0), y=alt.Y("middle:Q", axis=None), y2="bottom:Q")
    )
    more = pushes.transform_filter("datum.x >= 0").mark_text(
        align="left", dx=11, fontSize=font, fontWeight="bold", color=theme.INK
    )
    less = pushes.transform_filter("datum.x < 0").mark_text(
        align="right", dx=-11, fontSize=font, fontWeight="bold", color=theme.INK
    )
    recipes = alt.Chart(alt.NamedData("recipes")).encode(y=alt.Y("top:Q", axis=None))
    name = recipes.mark_text(
        align="left", baseline="top", dy=6, fontSize=font, color=theme.INK
    ).encode(x=alt.XDatum(-WIDEST), text="name:N")
    total = recipes.mark_text(
        align="right", baseline="top", dy=6, fontSize=font, color=theme.INK
    ).encode(x=alt.XDatum(WIDEST), text="total:N")
    answer = alt.Chart(alt.NamedData("answer"))
    tick = answer.mark_rule(strokeDash=[5, 3], strokeWidth=2, color=theme.INK).encode(
        x=x, y=alt.Y("top:Q", axis=None), y2="bottom:Q"
    )
    you = answer.mark_text(
        align="left", dx=4, baseline="bottom", fontSize=font, fontStyle="italic", color=theme.INK
    ).encode(x=x, y=alt.Y("bottom:Q", axis=None), text="said:N")
    return alt.layer(
        zero,
        bars,
        marks.layer("pushes", x, y, side="12"),
        more.encode(x=x, text="words:N"),
        less.encode(x=x, text="words:N"),
        name,
        total,
        tick,
        you,
    ).properties(
        height=PITCH * len(RECIPES),
        width="container",
        description="The pushes of one group under four recipes",
    )


def push(
    rewards: Sequence[float], about: str, revealed: bool, answer: float | None = None
) -> dict[str, Any]:
    """Return what the picture shows of one group.

    Args:
        rewards: Of any size; equal ones are drawn as one bar.
        about: The group in words, for the title.
        revealed: Whether pushes may be shown.
        answer: The push the learner expected after division by the population spread.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    r = np.asarray(rewards, np.float64)
    values, counts = np.unique(r, return_counts=True)
    tops = np.arange(len(RECIPES), dtype=np.float64)
    frame = {
        "top": tops + 0.04,
        "middle": tops + 0.38,
        "bottom": tops + 0.96,
        "name": [one.words for one in RECIPES],
    }
    if not revealed:
        return {
            "title": f"Four recipes on {about}: answer or skip to see",
            "summary": "The pushes are shown after you answer or skip.",
            "table": {"recipe": frame["name"]},
            "pushes": {name: [] for name in ("x", "y", "words", "shape", "full", "sign", "link")},
            "recipes": frame | {"total": [""] * len(RECIPES)},
            "answer": {"x": [], "top": [], "bottom": [], "said": []},
        }
    pushes = np.array([one.pushes(r) for one in RECIPES])
    each = np.array([[row[r == value][0] for value in values] for row in pushes])
    totals = np.abs(pushes).sum(1)
    silent = len(values) == 1
    look = marks.LOOKS["unanimous"]
    flat = len(RECIPES) * len(values)
    drawn = {
        "x": each.ravel(),
        "y": np.repeat(tops + 0.62, len(values)),
        "words": [
            f"{n} × {signed(p, 2)}" for row in each for n, p in zip(counts, row, strict=True)
        ],
        "shape": np.tile(marks.SHAPES[(values >= 0.5).astype(np.int64)], len(RECIPES)),
        "full": np.full(flat, 0 if silent else 1),
        "sign": np.full(flat, look.sign if silent else "", dtype=object),
        "link": np.full(flat, look.link if silent else "", dtype=object),
    }
    place = RECIPES.index(next(one for one in RECIPES if one.how == "spread"))
    guess = [] if answer is None else [answer]
    return {
        "title": title(r, about),
        "summary": _summary(each, counts, totals),
        "table": {
            "recipe": frame["name"],
            "largest push": [signed(one, 2) for one in each.max(1)],
            "smallest push": [signed(one, 2) for one in each.min(1)],
            "sum": np.round(pushes.sum(1), 9) + 0.0,
            "total size": [f"{one:.3g}" for one in totals],
        },
        "pushes": drawn,
        "recipes": frame | {"total": [f"total {one:.3g}" for one in totals]},
        "answer": {
            "x": guess,
            "top": [tops[place] + 0.42 for _ in guess],
            "bottom": [tops[place] + 0.98 for _ in guess],
            "said": [f"you: {signed(one, 3)}" for one in guess],
        },
    }  # fmt: skip


def growth(rewards: npt.ArrayLike) -> float:
    """Return how many times as long the pushes are after division by the population spread.

    Returns:
        Σ|A ÷ spread| / Σ|A|, which is 1/σ; NaN for a group that agrees.

    >>> round(growth([1, 1, 1, 0]), 2), growth([1, 1, 0, 0])
    (2.31, 2.0)
    """
    centred = np.abs(advantages(rewards)).sum()
    divided = np.abs(advantages(rewards, how="spread")).sum()
    return float(divided / centred) if centred else float("nan")


def title(rewards: Floats, about: str) -> str:
    """Return the finding: how much the division lengthens the pushes."""
    times = growth(rewards)
    if np.isnan(times):
        return f"No recipe pushes a group that agrees ({about})"
    factor = f"{times:.3g}" if times < 1000 else f"{times:,.0f}"
    return f"Divided by the spread: every push ×{factor} ({about})"


def _summary(each: Floats, counts: Any, totals: Floats) -> str:
    parts = [
        f"{one.words}: "
        + " and ".join(f"{n} × {signed(p, 3)}" for n, p in zip(counts, row, strict=True))
        for one, row in zip(RECIPES, each, strict=True)
    ]
    return f"{'; '.join(parts)}. Totals: {', '.join(f'{one:.3g}' for one in totals)}."
