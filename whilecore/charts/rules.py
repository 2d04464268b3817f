"""How good the replies are that each rule picks, on the same tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import per_cent

HEIGHT: Final = 240
DOMAIN: Final = (-0.6, 2.9)


@dataclass(frozen=True)
class Mean:
    """Mean true quality of one rule's picks.

    Attributes:
        words: The rule in words.
        mean: In spreads of the quality within a task.
        half: Half the width of its 95 % interval.
        right: Share of picks that are right.
    """

    words: str
    mean: float
    half: float
    right: float


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``rules`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=list(DOMAIN), nice=False),
        axis=alt.Axis(
            values=[0, 1, 2], format="d", grid=True, title="mean true quality of the picks, spreads"
        ),
    )
    y = alt.Y("y:Q", scale=alt.Scale(domain=[4.1, -0.1], nice=False, zero=False), axis=None)
    font = alt.ExprRef("width < 420 ? 11 : 12")
    rules = alt.Chart(alt.NamedData("rules")).encode(y=y)
    names = rules.mark_text(align="left", dy=-17, fontSize=font, color=theme.INK).encode(
        x=alt.XDatum(DOMAIN[0] + 0.03), text="words:N"
    )
    spans = rules.mark_rule(strokeWidth=6, color=theme.MUTED, opacity=0.6).encode(
        x=alt.X("low:Q", scale=alt.Scale(domain=list(DOMAIN), nice=False)), x2="high:Q"
    )
    dots = rules.mark_point(shape="circle", size=80).encode(x=x, fill=alt.value(theme.INK))
    said = rules.mark_text(
        align="left", dx=12, fontSize=font, fontWeight="bold", color=theme.INK
    ).encode(x=x, text="said:N")
    answer = alt.Chart(alt.NamedData("answer")).encode(x=x, y=y)
    mine = answer.mark_rule(color=theme.ALERT, strokeWidth=2.5, strokeDash=[5, 3]).encode(y2="y2:Q")
    end = y.copy(deep=True)
    end.shorthand = "y2:Q"
    you = answer.mark_text(
        align=alt.ExprRef("datum.x > 1.6 ? 'right' : 'left'"),
        dx=alt.ExprRef("datum.x > 1.6 ? -5 : 5"),
        fontSize=font,
        fontStyle="italic",
        color=theme.INK,
    ).encode(y=end, text="said:N")
    return alt.layer(names, spans, mine, dots, said, you).properties(
        height=HEIGHT,
        width="container",
        description="Mean true quality of the picks of four rules, with 95 % intervals",
    )


def push(
    rules: Sequence[Mean], tasks: int, revealed: bool, about: str, answer: float | None
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        rules: Four rules; the second is *best of n* with a judge that says only pass or fail, the
            third a random pick among the passes.
        tasks: Tasks that all four are measured on.
        revealed: Whether means may be shown.
        about: Completions, noise and seed in words.
        answer: How far above the third rule the learner put the second; None for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    y = [at + 0.6 for at in range(len(rules))]
    words = [one.words for one in rules]
    if not revealed:
        return {
            "title": f"Four rules, {tasks} tasks: answer or skip to compare ({about})",
            "summary": "How good the picks of each rule are is shown after you answer or skip.",
            "table": {"rule": words},
            "rules": {"y": y, "words": words, "x": [None] * 4, "low": [None] * 4,
                      "high": [None] * 4, "said": [""] * 4},
            "answer": {"x": [], "y": [], "y2": [], "said": []},
        }  # fmt: skip
    gap = rules[1].mean - rules[2].mean
    at = [] if answer is None else [min(rules[2].mean + answer, DOMAIN[1])]
    return {
        "title": f"Best of n minus a random pass: {_signed(gap)} if the judge says pass or fail, "
        f"{_signed(rules[0].mean - rules[2].mean)} if it grades ({tasks:,} tasks, {about})",
        "summary": "Mean true quality of the picks: "
        + "; ".join(f"{one.words} {_signed(one.mean)} ± {one.half:.2f}" for one in rules) + ".",
        "table": {
            "rule": words,
            "mean quality": [_signed(one.mean) for one in rules],
            "± (95 %)": [f"{one.half:.2f}" for one in rules],
            "right": [per_cent(one.right) for one in rules],
        },
        "rules": {
            "y": y,
            "words": words,
            "x": [one.mean for one in rules],
            "low": [one.mean - one.half for one in rules],
            "high": [one.mean + one.half for one in rules],
            "said": [_signed(one.mean) for one in rules],
        },
        "answer": {
            "x": at,
            "y": [1.42] * len(at),
            "y2": [2.05] * len(at),
            "said": [f"you: {_signed(answer or 0)}"] * len(at),
        },
    }  # fmt: skip


def _signed(value: float) -> str:
    """Return a number with its sign, without "−0.00"."""
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", "−")
