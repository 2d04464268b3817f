"""The judges side by side: how much of the rows each of them leaves for training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import per_cent

STEP: Final = 34


@dataclass(frozen=True)
class Bench:
    """What one judge does to one run.

    Attributes:
        name: The judge in words.
        agreement: Share of the verdicts that are the answer key's, in [0, 1].
        rows: Rows of the run.
        passed: Rows that pass.
        kept: Rows the RL selection keeps.
        flagged: Features whose correlation clears the noise floor, in words.
        mistakes: Planted mistakes among the SFT picks.
        picks: SFT picks.
        conflicts: Copies whose reward differs from that of the first of their text.
        copies: Copies removed.
    """

    name: str
    agreement: float
    rows: int
    passed: int
    kept: int
    flagged: tuple[str, ...]
    mistakes: int
    picks: int
    conflicts: int
    copies: int


@spec.once
def picture(judges: int) -> ChartType:
    """Return the chart for so many judges; it reads ``judges`` and ``answer``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[-0.6, 1.02], nice=False, zero=False),
        axis=alt.Axis(
            format="%", values=[0, 0.25, 0.5, 0.75, 1], title="rows kept, of the rows judged",
            grid=True, domain=False,
        ),
    )  # fmt: skip
    y = alt.Y("y:Q", scale=alt.Scale(domain=[judges, 0], nice=False, zero=False), axis=None)
    rows = alt.Chart(alt.NamedData("judges")).encode(y=y)
    font = alt.ExprRef("width < 420 ? 10.5 : 13")
    bold = alt.ExprRef("datum.now === 1 ? 'bold' : 'normal'")
    names = rows.mark_text(align="right", fontSize=font, fontWeight=bold, color=theme.INK).encode(
        x=alt.XDatum(-0.03), text="name:N"
    )
    colour = (
        alt.when("datum.flagged === 1").then(alt.value(theme.ALERT)).otherwise(alt.value(theme.INK))
    )
    stems = rows.mark_rule(strokeWidth=2).encode(x=x, x2=alt.X2Datum(0), stroke=colour)
    dots = rows.mark_point(size=110, strokeWidth=1.5, fillOpacity=1).encode(
        x=x,
        shape=alt.when("datum.flagged === 1")
        .then(alt.value("triangle-up"))
        .otherwise(alt.value("circle")),
        fill=colour,
        stroke=colour,
    )
    counts = rows.mark_text(align="left", dx=11, fontSize=font, color=theme.INK).encode(
        x=x, text="text:N"
    )
    answer = alt.Chart(alt.NamedData("answer")).encode(x=x, y=y)
    guess = answer.mark_point(size=170, strokeWidth=1.8, strokeDash=[3, 2], filled=False).encode(
        stroke=alt.value(theme.INK),
        shape=alt.when("datum.flagged === 1")
        .then(alt.value("triangle-up"))
        .otherwise(alt.value("circle")),
    )
    look: Any = {"dy": 13, "fontSize": font, "fontStyle": "italic", "color": theme.INK}
    left, right = look | {"align": "left", "dx": 11}, look | {"align": "right", "dx": -11}
    said = [
        answer.transform_filter(f"datum.x {half}").mark_text(**place).encode(text="text:N")
        for half, place in (("<= 0.5", left), ("> 0.5", right))
    ]
    return alt.layer(names, stems, dots, counts, guess, *said).properties(
        height=STEP * judges,
        width="container",
        description="Share of the rows that each judge leaves for training",
    )


def push(
    judges: Sequence[Bench],
    revealed: bool,
    about: str,
    now: str = "",
    answer: tuple[str, int, bool] | None = None,
) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        judges: The judges.
        revealed: Whether their counts may be shown.
        about: Rows and seed in words, for the title.
        now: Name of the judge at work; "" where it is hidden.
        answer: The judge asked about, the rows the learner said are kept, whether with a warning.

    Returns:
        Keyword arguments for ``LiveChart.push``. A triangle: some feature clears the noise floor.
    """
    shown = judges if revealed else ()
    return {
        "title": _title(judges, revealed, about),
        "summary": _summary(judges, revealed),
        "table": _table(shown),
        "judges": {
            "name": [one.name for one in judges],
            "y": [at + 0.5 for at in range(len(judges))],
            "x": [one.kept / max(one.rows, 1) for one in shown] or [0.0] * len(judges),
            "text": [str(one.kept) for one in shown] or ["?"] * len(judges),
            "flagged": [int(bool(one.flagged)) for one in shown] or [0] * len(judges),
            "now": [int(one.name == now) for one in judges],
        },
        "answer": _answer(judges, answer) if revealed else {name: [] for name in ANSWER},
    }


ANSWER: Final = ("x", "y", "text", "flagged")


def _answer(judges: Sequence[Bench], answer: tuple[str, int, bool] | None) -> dict[str, Any]:
    """Return the learner's mark on the line of the judge asked about."""
    names = [one.name for one in judges]
    if answer is None or answer[0] not in names:
        return {name: [] for name in ANSWER}
    name, kept, warned = answer
    at = names.index(name)
    warning = "a warning" if warned else "no warning"
    return {
        "x": [kept / max(judges[at].rows, 1)],
        "y": [at + 0.5],
        "text": [f"you: {kept}, {warning}"],
        "flagged": [int(warned)],
    }


def _title(judges: Sequence[Bench], revealed: bool, about: str) -> str:
    if not revealed:
        return "What each judge leaves: answer or skip to uncover"
    most = max(one.kept for one in judges)
    *others, last = (one.name for one in judges if one.kept == most)
    names = f"{', '.join(others)} and {last} leave" if others else f"{last} leaves"
    return f"{names[0].upper()}{names[1:]} most, {most} of {judges[0].rows} rows ({about})"


def _summary(judges: Sequence[Bench], revealed: bool) -> str:
    if not revealed:
        return "The rows kept by each judge are shown after you answer or skip."
    parts = [
        f"{one.name} {one.kept}"
        + (f" with {' and '.join(one.flagged)} flagged" * bool(one.flagged))
        for one in judges
    ]
    return f"Rows kept of {judges[0].rows}: {'; '.join(parts)}."


def _table(judges: Sequence[Bench]) -> dict[str, Any]:
    return {
        "judge": [one.name for one in judges],
        "agrees with the key": [per_cent(one.agreement) for one in judges],
        "RL rows kept": [one.kept for one in judges],
        "flagged": [", ".join(one.flagged) or "none" for one in judges],
        "mistakes in SFT": [f"{one.mistakes} of {one.picks}" for one in judges],
        "copies judged differently": [f"{one.conflicts} of {one.copies}" for one in judges],
    }
