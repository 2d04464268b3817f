"""Tries as cards, stacked where their text is the same: what the copies gate takes."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.gates import RL_FATES
from whilecore.selection import Selection

TASKS: Final = 16
TRIES: Final = 32
PITCH: Final = 18  # pixels from task to task
FAN: Final = 0.42  # how far a copy sticks out from under the card before it
LEFT, RIGHT = -6.4, 32.6
LANES: Final = (17.1, 18.3)
MOST: Final = 28  # marks in a lane; beyond that one mark stands for several copies
CLAIMS: Final = ("passes", "fails", "both, about evenly")
LEAK, COPY = RL_FATES.index("leak"), RL_FATES.index("duplicate")


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``cards``, ``tasks`` and ``lanes``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[LEFT, RIGHT], nice=False, zero=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[19, -0.2], nice=False, zero=False), axis=None)
    side = f"min(12, 0.92 * width / {RIGHT - LEFT})"
    small = alt.ExprRef("width < 420 ? 9.5 : 12")
    tasks = alt.Chart(alt.NamedData("tasks")).encode(y=y, text="text:N")
    names = tasks.mark_text(align="right", fontSize=small, color=theme.MUTED).encode(
        x=alt.XDatum(-0.5, axis=None)
    )
    lanes = alt.Chart(alt.NamedData("lanes")).encode(x=x, y=y)
    dash = alt.when("datum.said === 1").then(alt.value([2, 2])).otherwise(alt.value([1, 0]))
    claimed = lanes.transform_filter("datum.text === ''").mark_point(
        size=alt.ExprRef(f"0.8 * pow({side}, 2)"), strokeWidth=1.5
    )
    words = lanes.transform_filter("datum.text !== ''").mark_text(
        align="left", fontSize=small, color=theme.INK
    )
    claims = claimed.encode(
        shape=alt.Shape("shape:N", scale=None),
        stroke=marks.colour(),
        fill=alt.value("transparent"),
        strokeDash=dash,
    )
    layers = [*_cards(x, y, side), names, claims, words.encode(text="text:N")]
    return alt.layer(*layers).properties(
        height=PITCH * 19,
        width="container",
        description="Tasks in rows, their tries as cards; copies lie fanned under the first",
    )


def _cards(x: alt.X, y: alt.Y, side: str) -> list[ChartType]:
    """Return the layers of the cards: filled stays, an outline goes."""
    cards = alt.Chart(alt.NamedData("cards")).encode(x=x, y=y, opacity=marks.fade())
    dots = cards.mark_point(
        size=alt.ExprRef(f"pow({side}, 2) * (datum.shape === 'circle' ? 0.9 : 0.82)"),
        strokeWidth=1.4,
    ).encode(
        shape=alt.Shape("shape:N", scale=None),
        stroke=marks.colour(),
        fill=alt.when("datum.full === 0")
        .then(alt.value(theme.SURFACE))
        .when("datum.shape === 'circle'")
        .then(alt.value(theme.PASS))
        .otherwise(alt.value(theme.FAIL)),
    )
    signs = cards.mark_text(
        fontSize=alt.ExprRef(f"0.9 * ({side})"), fontWeight="bold", baseline="middle"
    ).encode(text="sign:N", color=marks.colour())
    return [dots, signs]


def push(selection: Selection, revealed: bool, about: str, answer: str = "") -> dict[str, Any]:
    """Return what the picture shows of an RL selection.

    Args:
        selection: At most 16 tasks of 32 tries are drawn.
        revealed: Whether it may be told which tries are copies.
        about: Variety and seed in words, for the title.
        answer: What the learner said the copies are, one of ``CLAIMS``; "" for nothing.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    rollouts = selection.source
    place = _places(rollouts.task_codes)
    shown = np.flatnonzero((rollouts.task_codes < TASKS) & (place < TRIES))
    passed = marks.verdicts(selection)
    rows = np.bincount(rollouts.task_codes, minlength=rollouts.n_tasks)[:TASKS]
    passes = np.bincount(rollouts.task_codes[passed == 1], minlength=rollouts.n_tasks)[:TASKS]
    return {
        "title": _title(selection, revealed, about),
        "summary": _summary(selection, revealed),
        "table": _table(selection, rows, passes, revealed),
        "cards": _fanned(selection, shown) if revealed else _in_order(selection, shown, place),
        "tasks": {
            "y": np.arange(len(rows)) + 0.5,
            "text": [f"{c}/{n}" for c, n in zip(passes, rows, strict=True)],
        },
        "lanes": _lanes(selection, answer) if revealed else {name: [] for name in LANE},
    }


def copies(selection: Selection) -> tuple[int, int]:
    """Return how many of the copies that are removed are passes, and how many are fails."""
    passed = marks.verdicts(selection)[selection.fate == COPY]
    return int((passed == 1).sum()), int((passed == 0).sum())


LANE: Final = ("x", "y", "text", "shape", "said")


def _places(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Number the entries of each code in order, from 0: tries of a task, cards of a stack."""
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes)
    out = np.empty(len(codes), np.int64)
    out[order] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return out


def _in_order(selection: Selection, shown: Any, place: Any) -> dict[str, Any]:
    """Lay the tries out as drawn; nothing says which of them are alike."""
    return {
        "x": place[shown] + 0.5,
        "y": selection.source.task_codes[shown] + 0.5,
        "shape": marks.SHAPES[marks.verdicts(selection)[shown]],
        "full": np.ones(len(shown), np.int64),
        "sign": np.full(len(shown), "", dtype=object),
        "link": np.full(len(shown), "", dtype=object),
    }


def _fanned(selection: Selection, shown: Any) -> dict[str, Any]:
    """Stack what is alike: the first card in front, its copies fanned out behind it."""
    rollouts, fate = selection.source, selection.fate
    task, reply = rollouts.task_codes[shown], rollouts.reply_codes[shown]
    of, first = pd.factorize(task * (int(reply.max(initial=0)) + 1) + reply)
    depth = _places(of)
    size = np.bincount(of, minlength=len(first))
    width = 1 + FAN * (size - 1)
    owner = first // (int(reply.max(initial=0)) + 1)
    start = np.zeros(len(first))
    for one in np.unique(owner):
        mine = owner == one
        start[mine] = np.cumsum(width[mine]) - width[mine]
    back_to_front = np.argsort(-depth, kind="stable")
    rows = shown[back_to_front]
    dropped = np.isin(fate[rows], (COPY, LEAK))
    return {
        "x": (start[of] + 0.5 + FAN * depth)[back_to_front],
        "y": rollouts.task_codes[rows] + 0.5,
        "shape": marks.SHAPES[marks.verdicts(selection)[rows]],
        "full": (~dropped).astype(np.int64),
        "sign": np.where(fate[rows] == LEAK, "×", "").astype(object),
        "link": np.array([f"task{task}" for task in rollouts.task_codes[rows]], dtype=object),
    }


def _lanes(selection: Selection, answer: str) -> dict[str, Any]:
    """Lay out the copies by verdict, and under them what the learner said they are."""
    passes, fails = copies(selection)
    total = passes + fails
    unit = max(1, -(-total // MOST))
    claim = {"passes": total, "fails": 0, "both, about evenly": total // 2}
    lines = [(LANES[0], "copies", passes, fails, 0)]
    if answer in claim:
        lines.append((LANES[1], "you said", claim[answer], total - claim[answer], 1))
    rows: list[tuple[float, float, str, str, int]] = []
    for y, text, circles, squares, said in lines:
        rows.append((LEFT, y, text, "", said))
        shapes = ["circle"] * round(circles / unit) + ["square"] * -(-squares // unit)
        rows += [(0.5 + at, y, "", shape, said) for at, shape in enumerate(shapes)]
    return {name: [row[at] for row in rows] for at, name in enumerate(LANE)}


def _title(selection: Selection, revealed: bool, about: str) -> str:
    total = len(selection.fate)
    if not revealed:
        passed = int((marks.verdicts(selection) == 1).sum())
        return f"{passed} of {total} tries pass ({about})"
    passes, fails = copies(selection)
    if not passes + fails:
        return f"No copy among {total} tries ({about})"
    return f"{passes + fails} of {total} tries are copies: {passes} passes, {fails} fails ({about})"


def _summary(selection: Selection, revealed: bool) -> str:
    tasks = selection.report["tasks"]
    if not revealed:
        return f"{tasks} tasks in rows, their tries as drawn; a circle is a pass, a square a fail."
    passes, fails = copies(selection)
    tasks_hit = selection.report["duplicate_tasks"]
    return (
        f"{passes + fails} copies in {tasks_hit} of {tasks} tasks lie under the first card of the "
        f"same text: {passes} passes and {fails} fails."
    )


def _table(selection: Selection, rows: Any, passes: Any, revealed: bool) -> dict[str, Any]:
    labels = [str(label) for label in selection.source.task_labels[: len(rows)]]
    table: dict[str, Any] = {"task": labels, "tries": rows, "passes": passes}
    if revealed:
        n, codes = selection.source.n_tasks, selection.source.task_codes
        copy, passed = selection.fate == COPY, marks.verdicts(selection) == 1
        table["copies"] = np.bincount(codes[copy], minlength=n)[: len(rows)]
        table["passing copies"] = np.bincount(codes[copy & passed], minlength=n)[: len(rows)]
    return table
