"""The grid: every task a row, every try a circle or a square, each with its fate."""

from __future__ import annotations

import os
from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.gates import CAUSES, RL_FATES
from whilecore.selection import Selection
from whilecore.texts import counted, shown

LANE: Final = 16  # tries in one line; a task has two lines where there are 16 tasks or fewer
LINES: Final = 32
PITCH: Final = 13  # pixels from line to line
LEFT, RIGHT = -9.4, 16.2  # x domain: label, tally and ending, then tries 0 to 16
LABEL: Final = -6.8  # where a task's label ends
LONGEST: Final = 60  # characters of a label that are sent; the picture has room for fewer
SHARED: Final = 4  # characters that all labels begin with, from which on they are left out
ENDINGS: Final = {
    "kept": "", "unanimous": "agree", "too_easy": "too easy", "too_hard": "too hard",
    "over_target": "cut",
}  # fmt: skip
LATE: Final = {"after_gates": "rest agree", "single": "one try"}


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``tries``, ``ghosts``, ``tasks`` and ``tallies``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[LEFT, RIGHT], nice=False, zero=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[LINES, 0], nice=False, zero=False), axis=None)
    step = f"(width / {RIGHT - LEFT})"
    ghosts = (
        alt.Chart(alt.NamedData("ghosts"))
        .mark_point(size=5, color=theme.MUTED, opacity=0.35, shape="circle")
        .encode(x=x, y=y)
    )
    tasks = alt.Chart(alt.NamedData("tasks")).encode(y=y, opacity=marks.fade(away=0.35))
    font = alt.ExprRef("width < 420 ? 9.5 : 12")
    label = tasks.mark_text(
        align="right",
        fontSize=font,
        color=theme.MUTED,
        limit=alt.ExprRef(f"{LABEL - LEFT} * {step}"),
    ).encode(x=alt.XDatum(LABEL, axis=None), text="label:N", tooltip="task:N")
    away = alt.when(f"{theme.UNLIT} && datum.fate !== lit")
    tally = (
        alt.Chart(alt.NamedData("tallies"))
        .mark_text(align="right", fontSize=font, color=theme.INK)
        .encode(
            x=alt.XDatum(-4.4, axis=None),
            y=y,
            text="tally:N",
            opacity=away.then(alt.value(0.35)).otherwise(alt.value(1)),
        )
    )
    ending = tasks.mark_text(align="left", fontSize=font, color=theme.MUTED).encode(
        x=alt.XDatum(-4.1, axis=None), text="ending:N"
    )
    tries = marks.layer("tries", x, y, side=f"min(11.5, 0.72 * {step})")
    return alt.layer(ghosts, label, tally, ending, tries).properties(
        height=LINES * PITCH,
        width="container",
        description="Grid of tasks and tries; a circle is a pass, a square a fail",
    )


def push(selection: Selection, revealed: bool, about: str) -> dict[str, Any]:
    """Return what the picture shows of a selection.

    Args:
        selection: An RL selection.
        revealed: Whether fates may be shown; without it none is in what is returned.
        about: Seed and source in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``. At most 32 tasks of 32 tries are drawn.
    """
    rollouts = selection.source
    lines = 2 if rollouts.n_tasks <= LINES // 2 else 1
    tasks = np.arange(min(rollouts.n_tasks, LINES // lines))
    place = _places(rollouts.task_codes)
    shown = np.flatnonzero((rollouts.task_codes < len(tasks)) & (place < LANE * lines))
    tries = {
        "x": place[shown] % LANE + 0.5,
        "y": rollouts.task_codes[shown] * lines + place[shown] // LANE + 0.5,
    } | marks.columns(selection, shown, revealed)
    rows = np.bincount(rollouts.task_codes, minlength=rollouts.n_tasks)[tasks]
    return {
        "title": _title(selection, revealed, f"{about}{_part(rollouts.n_tasks, rows, lines)}"),
        "summary": _summary(selection, revealed),
        "table": _table(selection, tasks, revealed),
        "tries": tries,
        "ghosts": _ghosts(rows, lines),
        "tasks": _task_rows(selection, tasks, lines, revealed),
        "tallies": _tallies(selection, tasks, lines, revealed),
    }


def short(labels: list[str]) -> list[str]:
    """Return labels for a narrow column: what all of them begin with is left out.

    >>> short(["ticket-0001", "ticket-0002"]), short(["a", "b"])
    (['…0001', '…0002'], ['a', 'b'])
    """
    lines = [shown(label, 400) for label in labels]
    common = os.path.commonprefix(lines) if len(lines) > 1 else ""
    while common and common[-1].isalnum():  # words and numbers stay whole
        common = common[:-1]
    if len(common) < SHARED:
        return [shown(line, LONGEST) for line in lines]
    return [shown(f"…{line[len(common) :]}", LONGEST) for line in lines]


def _part(tasks: int, rows: np.ndarray[Any, Any], lines: int) -> str:
    """Say which part of the rows is drawn, where it is not all of them."""
    said = f"; first {len(rows)} of {tasks:,} tasks drawn" if tasks > len(rows) else ""
    if len(rows) and rows.max() > LANE * lines:
        said += f"; first {LANE * lines} tries of each"
    return said


def _places(codes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Number the tries of each task in row order, from 0."""
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes)
    out = np.empty(len(codes), np.int64)
    out[order] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return out


def _ghosts(rows: np.ndarray[Any, Any], lines: int) -> dict[str, Any]:
    """Return a faint dot where a further try of a task would go."""
    task, place = np.nonzero(np.arange(LANE * lines)[None, :] >= rows[:, None])
    return {"x": place % LANE + 0.5, "y": task * lines + place // LANE + 0.5}


def _counts(selection: Selection) -> tuple[Any, Any, Any]:
    """Return per task: passes, scored tries, kept rows."""
    groups = selection.gates.scored if selection.gates else None
    assert groups is not None, "the grid shows an RL selection"
    codes = selection.source.task_codes[selection.kept]
    return groups.passes, groups.rows, np.bincount(codes, minlength=len(groups.rows))


def _ending(selection: Selection, task: int, kept: int) -> str:
    """Say in two words how a task ended."""
    group = selection.gates.group[task] if selection.gates else -1
    name = RL_FATES[group] if group >= 0 else "emptied"
    if name == "unanimous" and selection.gates:
        return LATE.get(CAUSES[selection.gates.cause[task]], ENDINGS[name])
    return f"kept {kept}" if name == "kept" else ENDINGS.get(name, "no row left")


def _task_rows(
    selection: Selection, tasks: np.ndarray[Any, Any], lines: int, revealed: bool
) -> dict[str, Any]:
    _, _, kept = _counts(selection)
    return {
        "y": tasks * lines + 0.5,
        "label": short([str(selection.source.task_labels[task]) for task in tasks]),
        "task": [shown(str(selection.source.task_labels[task]), 200) for task in tasks],
        "ending": [_ending(selection, task, kept[task]) if revealed else "" for task in tasks],
        "link": _task_links(selection, tasks, revealed),
    }


def _tallies(
    selection: Selection, tasks: np.ndarray[Any, Any], lines: int, revealed: bool
) -> dict[str, Any]:
    """Return passes of scored tries: what pass@1 and its relatives are made of."""
    passes, scored, _ = _counts(selection)
    return {
        "y": tasks * lines + 0.5,
        "tally": [f"{passes[task]}/{scored[task]}" for task in tasks],
        "link": ["pass_at"] * len(tasks),
        "fate": _task_links(selection, tasks, revealed),
    }


def _task_links(selection: Selection, tasks: np.ndarray[Any, Any], revealed: bool) -> list[str]:
    return [_task_link(selection, task) if revealed else "" for task in tasks]


def _task_link(selection: Selection, task: int) -> str:
    group = selection.gates.group[task] if selection.gates else -1
    return str(marks.LINKS[group]) if group >= 0 else "row_gates"


def _title(selection: Selection, revealed: bool, about: str) -> str:
    report = selection.report
    if revealed:
        return (
            f"{report['kept']:,} of {report['rows']:,} tries are left, in "
            f"{report['groups_kept']:,} of {counted(report['tasks'], 'task')} ({about})"
        )
    passes = int((marks.verdicts(selection) == 1).sum())
    return (
        f"{passes:,} of {report['rows']:,} tries pass, {counted(report['tasks'], 'task')} ({about})"
    )


def _summary(selection: Selection, revealed: bool) -> str:
    report = selection.report
    passes = int((marks.verdicts(selection) == 1).sum())
    start = (
        f"{report['tasks']} tasks in rows, their tries in columns; {passes} of {report['rows']} "
        "tries pass."
    )
    if not revealed:
        return f"{start} What happens to each is shown after you answer or skip."
    fates = report["row_fates"]
    gone = ", ".join(
        f"{count:,} {marks.LOOKS[name].said(count)}"
        for name, count in fates.items()
        if count and name != "kept"
    )
    return f"{start} {report['kept']} are kept; gone: {gone or 'none'}."


def _table(selection: Selection, tasks: np.ndarray[Any, Any], revealed: bool) -> dict[str, Any]:
    passes, scored, kept = _counts(selection)
    table: dict[str, Any] = {
        "task": [str(selection.source.task_labels[task]) for task in tasks],
        "passes": passes[tasks],
        "scored tries": scored[tasks],
    }
    if revealed:
        table["kept"] = kept[tasks]
        table["ending"] = [_ending(selection, task, kept[task]) for task in tasks]
    return table
