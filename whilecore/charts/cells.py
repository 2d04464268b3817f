"""Two by two: kept or dropped, truly in the band or out; a random pick beside the band."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.filing import Filing, random_pick

HEIGHT: Final = 290
ACROSS: Final = 4  # marks side by side in a cell
MARGIN: Final = 0.1
PANEL: Final = 2.3  # where the second panel starts
LEFT, RIGHT = -0.72, 4.32
TOP, BOTTOM = -0.62, 2.72
ASKED: Final = (2.2, 2.5)  # lines for what the band alone drops, and for what the learner said
CONTROLS: Final = 100
MOST: Final = 16  # tasks drawn

Bools = npt.NDArray[np.bool_]


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``frames``, ``units``, ``words`` and ``answer``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[LEFT, RIGHT], nice=False, zero=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[BOTTOM, TOP], nice=False, zero=False), axis=None)
    frames = (
        alt.Chart(alt.NamedData("frames"))
        .mark_rect(stroke=theme.GRID, strokeWidth=1)
        .encode(
            x=x,
            x2="x2:Q",
            y=y,
            y2="y2:Q",
            fill=alt.when("datum.right === 1")
            .then(alt.value(theme.BAND))
            .otherwise(alt.value("transparent")),
        )
    )
    side = f"min(12, 0.14 * width / {RIGHT - LEFT})"
    units = alt.Chart(alt.NamedData("units")).encode(x=x, y=y, opacity=marks.fade())
    colour = (
        alt.when("datum.wrong === 1").then(alt.value(theme.ALERT)).otherwise(alt.value(theme.INK))
    )
    dots = units.mark_point(
        size=alt.ExprRef(f"pow({side}, 2) * (datum.wrong === 1 ? 1.05 : 0.85)"), strokeWidth=1.5
    ).encode(
        shape=alt.Shape("shape:N", scale=None),
        fill=colour,
        stroke=colour,
        fillOpacity=alt.when("datum.full === 1").then(alt.value(1)).otherwise(alt.value(0)),
    )
    return alt.layer(frames, dots, *_words(x, y), *_answer(x, y, side)).properties(
        height=HEIGHT,
        width="container",
        description="Tasks kept and dropped, by where they truly belong; band and random pick",
    )


def _words(x: alt.X, y: alt.Y) -> list[ChartType]:
    """Return the layers of text: headings, row names and counts."""
    words = alt.Chart(alt.NamedData("words")).encode(x=x, y=y, text="text:N")
    font = "(width < 420 ? 10.5 : 12.5)"
    out: list[ChartType] = []
    for align in ("left", "right", "center"):
        mine = words.transform_filter(f"datum.align === '{align}'")
        out.append(
            mine.mark_text(
                align=align,
                lineBreak="\n",
                lineHeight=13,
                fontSize=alt.ExprRef(f"{font} + (datum.bold === 1 ? 1 : 0)"),
                fontWeight=alt.ExprRef("datum.bold === 1 ? 'bold' : 'normal'"),
                color=theme.INK,
            )
        )
    return out


def _answer(x: alt.X, y: alt.Y, side: str) -> list[ChartType]:
    """Return the layers of what the band alone drops, and of what the learner said."""
    base = alt.Chart(alt.NamedData("answer")).encode(x=x, y=y)
    marks_of = base.transform_filter("datum.text === ''").mark_point(
        shape="square", size=alt.ExprRef(f"pow({side}, 2) * 0.8"), strokeWidth=1.5
    )
    dash = alt.when("datum.said === 1").then(alt.value([2, 2])).otherwise(alt.value([1, 0]))
    font = alt.ExprRef("width < 420 ? 10.5 : 12.5")
    return [
        marks_of.encode(
            stroke=alt.value(theme.INK), fill=alt.value("transparent"), strokeDash=dash
        ),
        base.mark_text(align="left", fontSize=font, color=theme.INK).encode(text="text:N"),
    ]


def push(
    tasks: Filing, revealed: bool, truth: bool, seed: int, about: str, answer: int | None = None
) -> dict[str, Any]:
    """Return what the picture shows of a filing.

    Args:
        tasks: The tasks; at most 16 are drawn.
        revealed: Whether it may be told which of them are kept.
        truth: Whether the true rates are asked for.
        seed: For the random pick.
        about: Seed and source in words, for the title.
        answer: How many mixed tasks the learner said the band drops; None for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``. The random pick takes as many of the mixed tasks
        as the band keeps; the one drawn is the first of 100.
    """
    if not revealed:
        return {
            "title": "What the band keeps: answer or skip to uncover",
            "summary": "Which tasks are kept is shown after you answer or skip.",
            "table": {"what": [], "the band": [], "random picks, mean of 100": []},
            "frames": _frames(False),
            "units": {name: [] for name in ("x", "y", "shape", "full", "wrong", "link")},
            "words": _headings(False),
            "answer": {name: [] for name in ("x", "y", "text", "said")},
        }
    picks = random_pick(tasks.mixed, int(tasks.kept.sum()), seed, CONTROLS)
    return {
        "title": _title(tasks, picks, truth, about),
        "summary": _summary(tasks, picks, truth),
        "table": _table(tasks, picks, truth),
        "frames": _frames(truth),
        "units": _joined(
            _units(tasks, tasks.kept, truth, 0.0), _units(tasks, picks[0], truth, PANEL)
        ),
        "words": _joined(
            _headings(truth), _counts(tasks, tasks.kept, truth, 0.0),
            _counts(tasks, picks[0], truth, PANEL),
        ),
        "answer": _lane(int(tasks.dropped.sum()), answer),
    }  # fmt: skip


def misfiled_at_random(tasks: Filing, seed: int) -> float:
    """Return how many tasks an equal-size random pick of mixed tasks misfiles, mean of 100."""
    picks = random_pick(tasks.mixed, int(tasks.kept.sum()), seed, CONTROLS)
    return float((picks != tasks.truly).sum(axis=1).mean())


def _units(tasks: Filing, kept: Bools, truth: bool, left: float) -> dict[str, Any]:
    """Return a mark per task in the cell it falls into."""
    n = min(len(kept), MOST)
    kept, truly = kept[:n], tasks.truly[:n]
    cell = kept.astype(np.int64) + 2 * (~truly).astype(np.int64) * truth
    place = np.zeros(n, np.int64)
    for one in range(4):
        place[cell == one] = np.arange((cell == one).sum())
    wrong = (kept != truly) & truth
    row = np.where(truly, 0.0, 1.0) if truth else np.full(n, 0.5)
    pitch = (1 - 2 * MARGIN) / ACROSS
    return {
        "x": left + kept + 0.06 + 0.155 * (place % ACROSS + 0.5),
        "y": row + MARGIN + pitch * (place // ACROSS + 0.5),
        "shape": np.where(wrong, "triangle-up", "circle").astype(object),
        "full": kept.astype(np.int64),
        "wrong": wrong.astype(np.int64),
        "link": np.array([f"task{task}" for task in range(n)], dtype=object),
    }


def _frames(truth: bool) -> dict[str, Any]:
    """Return the cells; with the truth known, those where a task belongs are shaded."""
    rows = ((0.0, 1.0), (1.0, 2.0)) if truth else ((0.0, 2.0),)
    cells = [
        (left + column, row, bottom, int(truth and (column == 1) == (row == 0.0)))
        for left in (0.0, PANEL)
        for column in (0, 1)
        for row, bottom in rows
    ]
    return {
        "x": [x for x, *_ in cells],
        "x2": [x + 1 for x, *_ in cells],
        "y": [y for _, y, *_ in cells],
        "y2": [y2 for *_, y2, _ in cells],
        "right": [right for *_, right in cells],
    }


def _headings(truth: bool) -> dict[str, Any]:
    """Return the names of panels, columns and rows."""
    rows: list[tuple[float, float, str, str, int]] = [
        (1.0, -0.46, "the band", "center", 1),
        (PANEL + 1.0, -0.46, "random, as many", "center", 1),
    ]
    for left in (0.5, PANEL + 0.5):
        rows += [(left, -0.14, "dropped", "center", 0), (left + 1, -0.14, "kept", "center", 0)]
    if truth:
        rows += [(-0.06, 0.5, "truly\nin", "right", 0), (-0.06, 1.5, "truly\nout", "right", 0)]
    return _texts(rows)


def _counts(tasks: Filing, kept: Bools, truth: bool, left: float) -> dict[str, Any]:
    """Return the number of tasks in each cell."""
    cells = (
        [(column, row, int(((kept == column) & (tasks.truly == (row == 0))).sum()))
         for column in (0, 1) for row in (0, 1)]
        if truth
        else [(column, 0.5, int((kept == column).sum())) for column in (0, 1)]
    )  # fmt: skip
    return _texts([(left + x + 0.95, y + 0.16, str(n), "right", 1) for x, y, n in cells])


def _texts(rows: list[tuple[float, float, str, str, int]]) -> dict[str, Any]:
    """Return texts as columns."""
    names = ("x", "y", "text", "align", "bold")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _lane(dropped: int, answer: int | None) -> dict[str, Any]:
    """Return the two lines under the cells: what the band drops of the mixed, and the answer."""
    rows: list[tuple[float, float, str, int]] = []
    lines = [(ASKED[0], f"mixed tasks the band drops: {dropped}", dropped, 0)]
    if answer is not None:
        lines.append((ASKED[1], f"you said: {answer}", answer, 1))
    for y, text, count, said in lines:
        rows.append((LEFT, y, text, said))
        rows += [(PANEL + 0.08 + 0.16 * at, y, "", said) for at in range(min(count, MOST))]
    names = ("x", "y", "text", "said")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _joined(*parts: dict[str, Any]) -> dict[str, Any]:
    """Put columns under each other."""
    return {name: [value for part in parts for value in part[name]] for name in parts[0]}


def _tries(tasks: Filing) -> int:
    return int(np.bincount(tasks.rows).argmax()) if len(tasks.rows) else 0


def _title(tasks: Filing, picks: Bools, truth: bool, about: str) -> str:
    n, kept, k = len(tasks.rows), int(tasks.kept.sum()), _tries(tasks)
    if not truth:
        return (
            f"{kept} of {n} tasks kept; of {int(tasks.mixed.sum())} mixed ones the band drops "
            f"{int(tasks.dropped.sum())} ({k} tries, {about})"
        )
    wrong, luck = int(tasks.misfiled.sum()), float((picks != tasks.truly).sum(axis=1).mean())
    return f"The band misfiles {wrong} of {n} tasks, a random pick {luck:.1f} ({k} tries, {about})"


def _summary(tasks: Filing, picks: Bools, truth: bool) -> str:
    silent = int((~tasks.mixed).sum())
    words = (
        f"{silent} tasks have tries that all agree, the band drops {int(tasks.dropped.sum())} "
        f"more, {int(tasks.kept.sum())} are kept"
    )
    if not truth:
        return f"{words}."
    luck = (picks & tasks.truly).sum(axis=1).mean()
    return (
        f"{words}; {int((tasks.kept & tasks.truly).sum())} of the kept ones truly lie in the band, "
        f"against {luck:.1f} on average if as many of the mixed ones are picked at random."
    )


def _table(tasks: Filing, picks: Bools, truth: bool) -> dict[str, Any]:
    cells = [("kept", tasks.kept, picks), ("dropped", ~tasks.kept, ~picks)]
    if truth:
        cells = [
            (f"{name}, truly {'in' if inside else 'out'}", band & (tasks.truly == inside),
             luck & (tasks.truly == inside))
            for name, band, luck in cells
            for inside in (True, False)
        ]  # fmt: skip
    return {
        "what": [name for name, *_ in cells],
        "the band": [int(band.sum()) for _, band, _ in cells],
        "random picks, mean of 100": [round(float(luck.sum(axis=1).mean()), 1)
                                      for *_, luck in cells],
    }  # fmt: skip
