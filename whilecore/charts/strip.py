"""The band strip: where a few tries put a task, and where it truly is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.charts.odds import per_cent, span
from whilecore.filing import Filing, keeps, truly_inside
from whilecore.gates import RL_FATES
from whilecore.intervals import wilson
from whilecore.selection import Selection
from whilecore.texts import counted

HEIGHT: Final = 270
MOST_TASKS: Final = 64
FIRMNESS: Final = "lit !== '' && lit !== 'difficulty' && datum.link !== lit"


@dataclass(frozen=True)
class Seen:
    """Tasks as their tries measured them; arrays of one length.

    Attributes:
        labels: Names of the tasks.
        passes: Passes per task.
        rows: Tries per task, at least 1.
        kept: Whether the task is kept.
        links: What each task's dot lights up with.
        band: Pass rates (low, high).
        true: True pass rates, None where nobody knows them.
        endings: What became of each task in words, for the table.
    """

    labels: npt.NDArray[np.object_]
    passes: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    kept: npt.NDArray[np.bool_]
    links: npt.NDArray[np.object_]
    band: tuple[float, float]
    true: npt.NDArray[np.float64] | None = None
    endings: tuple[str, ...] = ()

    @property
    def rate(self) -> npt.NDArray[np.float64]:
        """Measured pass rate per task."""
        return np.asarray(self.passes / self.rows)

    @property
    def tries(self) -> int:
        """The commonest number of tries."""
        return int(np.bincount(self.rows).argmax()) if len(self.rows) else 1

    @property
    def misfiled(self) -> int:
        """Tasks on the other side of an edge than their true rate."""
        if self.true is None:
            return 0
        kept = keeps(self.passes, self.rows, self.band)
        return int((kept != truly_inside(self.true, self.band)).sum())


@spec.once
def picture(height: int = HEIGHT, tally: bool = False) -> ChartType:
    """Return the chart; it reads ``band``, ``ticks``, ``tasks`` and ``truth``.

    Args:
        height: Pixels for the tasks.
        tally: Whether "3/4" stands before each task.
    """
    axis = alt.Axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], title="pass rate", tickSize=0)
    left = -0.15 if tally else -0.02
    x = alt.X("x:Q", scale=alt.Scale(domain=[left, 1.02], nice=False, zero=False), axis=axis)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[1, -0.09], nice=False, zero=False), axis=None)
    band = (
        alt.Chart(alt.NamedData("band"))
        .mark_rect(color=theme.BAND)
        .encode(x=x, x2="x2:Q", opacity=marks.fade(away=0.5))
    )
    edges = (
        alt.Chart(alt.NamedData("band"))
        .mark_rule(color=theme.MUTED, strokeDash=[4, 3])
        .encode(x=alt.X("edge:Q", axis=axis))
    )
    ticks = (
        alt.Chart(alt.NamedData("ticks"))
        .mark_tick(thickness=2, size=9, color=theme.INK)
        .encode(x=x, y=alt.YDatum(-0.05, axis=None))
    )
    layers = [band, edges, ticks, *_tasks(x, y, axis, tally)]
    return alt.layer(*layers).properties(
        height=height,
        width="container",
        description="Strip of tasks by measured pass rate, with the band and the true rates",
    )


def _tasks(x: alt.X, y: alt.Y, axis: alt.Axis, tally: bool) -> list[ChartType]:
    """Return the layers of the tasks: plausible true rates, tally, true rate, measured rate."""
    tasks = alt.Chart(alt.NamedData("tasks")).encode(y=y)
    plausible = tasks.mark_rule(
        color=theme.TRUTH, strokeWidth=alt.ExprRef("datum.size > 60 ? 9 : 3")
    ).encode(
        x=alt.X("low:Q", axis=axis),
        x2="high:Q",
        opacity=alt.when(FIRMNESS).then(alt.value(0.08)).otherwise(alt.value(0.24)),
    )
    dots = tasks.mark_point(shape="circle", size=alt.ExprRef("datum.size"), strokeWidth=1.5).encode(
        x=x,
        fill=alt.value(theme.INK),
        stroke=alt.value(theme.INK),
        fillOpacity=alt.when("datum.full === 1").then(alt.value(1)).otherwise(alt.value(0)),
        opacity=marks.fade(),
    )
    truth = (
        alt.Chart(alt.NamedData("truth"))
        .mark_point(shape="diamond", filled=False, size=70, strokeWidth=1.8)
        .encode(x=x, y=y, stroke=alt.value(theme.TRUTH))
    )
    if not tally:
        return [plausible, truth, dots]
    words = tasks.mark_text(
        align="right", fontSize=alt.ExprRef("width < 420 ? 10 : 12"), color=theme.MUTED
    ).encode(x=alt.XDatum(-0.045), text="tally:N")
    return [plausible, words, truth, dots]


def push(selection: Selection, revealed: bool, about: str, truth: bool) -> dict[str, Any]:
    """Return what the picture shows of a selection.

    Args:
        selection: An RL selection.
        revealed: Whether it may be told which tasks are kept.
        about: Seed and source in words, for the title.
        truth: Whether the true rates are asked for; they exist only in simulated runs.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    pushed = show(seen(selection), revealed, about, truth)
    pushed["ticks"]["link"] = ["difficulty"] * len(pushed["ticks"]["x"])
    if revealed:
        report = selection.report
        pushed["summary"] = (
            f"{pushed['summary'].removesuffix('.')}; the band drops {report['too_easy_groups']} "
            f"as too easy and {report['too_hard_groups']} as too hard."
        )
    return pushed


def seen(selection: Selection) -> Seen:
    """Return the tasks of an RL selection that have a scored try."""
    assert selection.gates is not None, "the strip shows an RL selection"
    measured = selection.gates.measured
    tasks = np.flatnonzero(measured.rows > 0)
    group, true = selection.gates.group[tasks], true_rates(selection)
    return Seen(
        labels=selection.source.task_labels[tasks],
        passes=measured.passes[tasks],
        rows=measured.rows[tasks],
        kept=group == marks.KEPT,
        links=np.where(group < 0, "row_gates", marks.LINKS[np.maximum(group, 0)]),
        band=selection.report["band"],
        true=None if true is None else true[tasks],
        endings=tuple(RL_FATES[one].replace("_", " ") if one >= 0 else "emptied" for one in group),
    )


def filed(tasks: Filing) -> Seen:
    """Return the tasks of a filing, each linked by its number: "task0", "task1", ..."""
    endings = np.where(tasks.kept, "kept", np.where(tasks.mixed, "outside the band", "all agree"))
    return Seen(
        labels=tasks.labels,
        passes=tasks.passes,
        rows=tasks.rows,
        kept=tasks.kept,
        links=np.array([f"task{n}" for n in range(len(tasks.labels))], dtype=object),
        band=tasks.band,
        true=tasks.true,
        endings=tuple(endings.tolist()),
    )


def show(tasks: Seen, revealed: bool, about: str, truth: bool, band: bool = True) -> dict[str, Any]:
    """Return what the picture shows of some tasks.

    Args:
        tasks: The tasks; at most 64 are drawn.
        revealed: Whether it may be told which of them are kept.
        about: Seed and source in words, for the title.
        truth: Whether the true rates are asked for.
        band: Whether the band is drawn.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    n = min(len(tasks.rows), MOST_TASKS)
    low, high = wilson(tasks.passes[:n], tasks.rows[:n])
    y = (np.arange(n) + 0.5) / max(n, 1)
    edges = list(tasks.band) if band else []
    known = truth and tasks.true is not None
    return {
        "title": _title(tasks, about + _part(tasks, n), truth, revealed),
        "summary": _summary(tasks, truth, band),
        "table": _table(tasks, truth, revealed, n),
        "band": {
            "x": edges,
            "x2": edges[1:] * 2,
            "edge": edges,
            "link": ["band"] * len(edges),
        },
        "ticks": {"x": np.arange(tasks.tries + 1) / tasks.tries},
        "tasks": {
            "x": tasks.rate[:n],
            "y": y,
            "low": low,
            "high": high,
            "full": tasks.kept[:n].astype(np.int64) if revealed else np.ones(n, np.int64),
            "size": np.full(n, 75 if n <= 24 else 40),
            "link": tasks.links[:n] if revealed else np.full(n, "", dtype=object),
            "tally": [f"{c}/{k}" for c, k in zip(tasks.passes[:n], tasks.rows[:n], strict=True)],
        },
        "truth": (
            {"x": tasks.true[:n], "y": y} if known and tasks.true is not None
            else {"x": [], "y": []}
        ),
    }  # fmt: skip


def true_rates(selection: Selection) -> Any:
    """Return the true pass rate of every task, or None where nobody knows it.

    The agent's rates are those of the answer key. A judge that read any row otherwise has rates of
    its own, which are not known.
    """
    source, table = selection.source, selection.source.table
    if "true_pass_rate" not in table:
        return None
    if "mistake" in table:
        honest = table["mistake"][source.scored] == ""
        if (source.reward[source.scored] != honest).any():
            return None
    if table.kind("true_pass_rate") not in "iuf":  # a file may mean something else by it
        return None
    out = np.full(selection.source.n_tasks, np.nan)
    out[selection.source.task_codes] = table.floats("true_pass_rate")
    return out if ((out >= 0) & (out <= 1)).all() else None


def _part(tasks: Seen, n: int) -> str:
    """Say which part of the tasks is drawn, where it is not all of them."""
    return f"; first {n} of {len(tasks.rows):,} tasks drawn" if len(tasks.rows) > n else ""


def _title(tasks: Seen, about: str, truth: bool, revealed: bool) -> str:
    if not len(tasks.rows):
        return f"No task has a scored try ({about})"
    rate, true, n = tasks.rate, tasks.true, len(tasks.rows)
    spread = f"from {span(rate.min(), rate.max())}"
    if truth and true is not None and np.ptp(true) < 1e-9:
        where = f"{per_cent(true[0])} {spread}"
        return f"{tasks.tries} tries put tasks that are all truly at {where} ({about})"
    if truth and true is not None and revealed:
        return (
            f"{tasks.tries} tries put {tasks.misfiled} of {n:,} tasks on the wrong side ({about})"
        )
    put = f"{counted(tasks.tries, 'try', 'tries')} put{'s' * (tasks.tries == 1)}"
    return f"{put} {counted(n, 'task')} {spread} ({about})"


def _summary(tasks: Seen, truth: bool, band: bool) -> str:
    words = [f"{counted(len(tasks.rows), 'task')} by measured pass rate"]
    if band:
        words.append(f"the band runs from {span(*tasks.band)}")
    if truth and tasks.true is not None:
        low, high = wilson(tasks.passes, tasks.rows)
        held = int(((low <= tasks.true) & (tasks.true <= high)).sum())
        words.append(f"{held} true rates lie among the plausible ones of their task")
        if band:
            words.append(f"{tasks.misfiled} tasks lie on the other side of an edge than their "
                         "true rate")  # fmt: skip
    return "; ".join(words) + "."


def _table(tasks: Seen, truth: bool, revealed: bool, n: int) -> dict[str, Any]:
    low, high = wilson(tasks.passes[:n], tasks.rows[:n])
    table: dict[str, Any] = {
        "task": [str(label) for label in tasks.labels[:n]],
        "measured": np.round(tasks.rate[:n], 3),
        "low (95 %)": np.round(low, 3),
        "high (95 %)": np.round(high, 3),
    }
    if truth and tasks.true is not None:
        table["true"] = np.round(tasks.true[:n], 3)
    if revealed and tasks.endings:
        table["ending"] = tasks.endings[:n]
    return table
