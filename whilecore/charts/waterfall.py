"""The unit waterfall: every row a mark, taken out of the wall by the gate that drops it."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.gates import RL_FATES
from whilecore.selection import Selection

HEIGHT: Final = 240
MOST: Final = 128  # marks in the first column; beyond that one mark stands for several rows
STEPS: Final = (
    ("drawn", "drawn", ()),
    ("row gates", "row\ngates", ("leak", "unscored", "incomplete", "truncated")),
    ("copies", "copies", ("duplicate",)),
    ("all agree", "all\nagree", ("unanimous",)),
    ("band", "outside\nband", ("too_easy", "too_hard")),
    ("kept", "kept", ("kept", "over_target")),
)
STEP_LINKS: Final = ("", "row_gates", "duplicate", "unanimous", "band", "kept")
TAKEN_LAST_FIRST: Final = (
    "kept", "over_target", "too_hard", "too_easy", "unanimous", "duplicate",
    "truncated", "incomplete", "unscored", "leak",
)  # fmt: skip
COLUMN: Final = 0.82  # share of a step's width that its marks take


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``bricks``, ``steps``, ``levels`` and ``answer``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, len(STEPS)], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[-0.16, 1.12], nice=False, zero=False), axis=None)
    side = (
        f"0.84 * min({COLUMN} * width / {len(STEPS)} / datum.across, "
        f"{HEIGHT} / 1.28 / datum.courses)"
    )
    bricks = marks.layer("bricks", x, y, side=f"min(13, {side})")
    levels = (
        alt.Chart(alt.NamedData("levels"))
        .mark_rule(strokeDash=[2, 3], color=theme.MUTED)
        .encode(x=x, x2="x2:Q", y=y)
    )
    steps = alt.Chart(alt.NamedData("steps")).encode(x=x, opacity=marks.fade(away=0.35))
    font = alt.ExprRef("width < 420 ? 11 : 13")
    count = steps.mark_text(baseline="bottom", fontSize=font, fontWeight="bold", dy=-3).encode(
        y=y, text="count:N"
    )
    name = steps.mark_text(baseline="top", fontSize=font, lineHeight=14, lineBreak="\n").encode(
        y=alt.YDatum(-0.02, axis=None), text="name:N"
    )
    answer = alt.Chart(alt.NamedData("answer")).encode(y=y)
    line = answer.mark_rule(strokeDash=[6, 3], strokeWidth=2, color=theme.INK).encode(
        x=alt.XDatum(len(STEPS) - 1, axis=None), x2=alt.X2Datum(len(STEPS))
    )
    words: Any = {"align": "right", "dx": -4, "fontSize": font, "fontStyle": "italic"}
    at = alt.XDatum(len(STEPS) - 1, axis=None)
    halo = answer.mark_text(stroke=theme.SURFACE, strokeWidth=4, **words).encode(
        x=at, text="said:N"
    )
    said = answer.mark_text(**words).encode(x=at, text="said:N")
    behind = steps.mark_text(
        baseline="bottom", fontSize=font, fontWeight="bold", dy=-3, stroke=theme.SURFACE,
        strokeWidth=5,
    ).encode(y=y, text="count:N")  # fmt: skip
    layers = [levels, bricks, line, halo, said, behind, count, name]
    return alt.layer(*layers).properties(
        height=HEIGHT,
        width="container",
        description="Waterfall of rows: drawn, then what each gate takes, then what is kept",
    )


def push(selection: Selection, revealed: bool, about: str, answer: int | None) -> dict[str, Any]:
    """Return what the picture shows of a selection.

    Args:
        selection: An RL selection.
        revealed: Whether the gates may be shown; without it only the first column is.
        about: Seed and source in words, for the title.
        answer: What the learner predicted, drawn in the last column; None for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    report = selection.report
    total = report["rows"]
    if _unit(total) > 1:
        about = f"{about}; one mark for {_unit(total):,} rows"
    taken = [sum(report["row_fates"][name] for name in names) for _, _, names in STEPS]
    taken[0] = total
    after = total - np.cumsum([0, *taken[1:-1]])  # rows left after each step but the last
    return {
        "title": _title(selection, revealed, about),
        "summary": _summary(selection, revealed, taken),
        "table": _table(taken, after, revealed),
        "bricks": _bricks(selection, revealed),
        "steps": _steps(taken, after, total, revealed),
        "levels": _levels(after, total) if revealed else {"x": [], "x2": [], "y": []},
        "answer": _answer(answer, total, revealed),
    }


def _bricks(selection: Selection, revealed: bool) -> dict[str, Any]:
    """Stack the rows, what goes last at the bottom; a gate takes a slice of the wall."""
    order_of = np.array([TAKEN_LAST_FIRST.index(name) for name in RL_FATES])
    verdict = marks.verdicts(selection)
    rank = order_of[selection.fate] if revealed else np.zeros(len(verdict), np.int64)
    wall = np.lexsort((verdict, rank))
    wall = wall[:: _unit(len(wall))]
    across = max(3, int(np.ceil(np.sqrt(0.38 * len(wall)))))
    courses = max(1, -(-len(wall) // across))
    step_of = np.zeros(len(RL_FATES), np.int64)
    for step, (_, _, names) in enumerate(STEPS):
        for name in names:
            step_of[RL_FATES.index(name)] = step
    place = np.arange(len(wall))
    first = np.zeros(len(wall), np.int64)
    steps = np.concatenate([first, step_of[selection.fate[wall]]]) if revealed else first
    twice = np.concatenate([place, place]) if revealed else place
    look = marks.columns(selection, wall[twice], revealed)
    return {
        "x": steps + (1 - COLUMN) / 2 + COLUMN * (twice % across + 0.5) / across,
        "y": (twice // across + 0.5) * across / max(len(wall), 1),
        "across": np.full(len(twice), across),
        "courses": np.full(len(twice), courses),
    } | look


def _steps(taken: list[int], after: Any, total: int, revealed: bool) -> dict[str, Any]:
    """Return a column's heading count, its place and its name."""
    tops = [total, *after[:-1], taken[-1]]
    counts = [f"{total:,}", *(f"−{n:,}" if n else "0" for n in taken[1:-1]), f"{taken[-1]:,}"]
    return {
        "x": np.arange(len(STEPS)) + 0.5,
        "y": [top / max(total, 1) for top in tops] if revealed else [1.0] + [0.0] * 5,
        "count": counts if revealed else [counts[0]] + ["?"] * (len(STEPS) - 1),
        "name": [lines for _, lines, _ in STEPS],
        "link": list(STEP_LINKS) if revealed else [""] * len(STEPS),
    }


def _levels(after: Any, total: int) -> dict[str, Any]:
    """Return the lines that carry a level from one column to the next."""
    edges = np.arange(1, len(STEPS))
    return {
        "x": edges - (1 - COLUMN) / 2 - COLUMN,
        "x2": edges + (1 - COLUMN) / 2 + COLUMN,
        "y": after / max(total, 1),
    }


def _answer(answer: int | None, total: int, revealed: bool) -> dict[str, Any]:
    if answer is None or not revealed or not total:
        return {"y": [], "said": []}
    return {"y": [min(answer / total, 1.05)], "said": [f"you: {answer:,}"]}


def _unit(total: int) -> int:
    return max(1, -(-total // MOST))


def _title(selection: Selection, revealed: bool, about: str) -> str:
    report = selection.report
    if not revealed:
        return f"Where {report['rows']:,} rows go: answer or skip to uncover ({about})"
    fates = {name: sum(report["row_fates"][one] for one in names) for name, _, names in STEPS[1:-1]}
    largest = max(fates, key=lambda name: fates[name])
    words = {"row gates": "the row gates take", "copies": "copies take", "all agree":
             "tasks whose tries agree take", "band": "the band takes"}  # fmt: skip
    if not fates[largest]:
        return f"Nothing is dropped: all {report['rows']:,} rows stay ({about})"
    most = f"{fates[largest]:,} of {report['rows']:,} rows"
    return f"{words[largest].capitalize()} most: {most} ({about})"


def _summary(selection: Selection, revealed: bool, taken: list[int]) -> str:
    total = selection.report["rows"]
    each = _unit(total)
    scale = "" if each == 1 else f" One mark stands for {each:,} rows."
    if not revealed:
        return f"{total:,} rows are drawn; what each gate takes is shown after you answer.{scale}"
    parts = " − ".join(f"{n:,}" for n in taken[1:-1])
    return (
        f"{total:,} − {parts} = {taken[-1]:,}: rows drawn, minus row gates, copies, tasks whose "
        f"tries agree, and the band.{scale}"
    )


def _table(taken: list[int], after: Any, revealed: bool) -> dict[str, Any]:
    names = [name for name, _, _ in STEPS]
    if not revealed:
        return {"step": names[:1], "rows": taken[:1]}
    return {
        "step": names,
        "rows": [taken[0], *(-n for n in taken[1:-1]), taken[-1]],
        "left": [*after.tolist(), taken[-1]],
    }
