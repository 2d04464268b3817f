"""Feature against reward, as pooled over the file and about the mean of each task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.groups import centre
from whilecore.reward_scan import Shuffles, label
from whilecore.rollouts import Rollouts

HEIGHT: Final = 250
LONGEST: Final = 450.0  # characters at the right end of the pooled picture
AWAY: Final = 90.0  # characters at the right end of the centred one
PLASTIC: Final = (0.7548776662466927, 0.5698402909980532)
"""Steps that fill a square evenly: where marks that would cover each other are moved to."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """How a feature is laid out from left to right, 0 to 1."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    jitter: float = 0.0

    def place(self, values: Floats) -> Floats:
        """Return where values stand, cut off at the ends."""
        return np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0)


def axis_of(feature: str, centred: bool) -> Axis:
    """Return the fixed axis of a feature: characters, or no and yes."""
    if feature == "reply_chars":
        if centred:
            ticks = ((-50.0, "−50"), (0.0, "task's mean"), (50.0, "+50"))
            return Axis(-AWAY, AWAY, ticks)
        return Axis(0.0, LONGEST, ((0.0, "0"), (100.0, "100"), (200.0, "200"), (300.0, "300"),
                                   (400.0, "400")))  # fmt: skip
    if centred:
        return Axis(-1.2, 1.2, ((-1.0, "−1"), (0.0, "task's mean"), (1.0, "+1")), 0.06)
    return Axis(-0.6, 1.6, ((0.0, "no"), (1.0, "yes")), 0.5)


@spec.once
def picture(centred: bool) -> ChartType:
    """Return the chart; it reads ``dots``, ``line``, ``tasks``, ``ticks`` and ``swapped``."""
    x = alt.X("x:Q", scale=alt.Scale(domain=[-0.03, 1.03], nice=False, zero=False), axis=None)
    ends = [-1.34, 1.15] if centred else [-0.42, 1.25]
    labels = "datum.value === 0 ? 'task mean' : format(datum.value, '+.1f')"
    axis = (
        alt.Axis(values=[-1, -0.5, 0, 0.5, 1], labelExpr=labels, title="reward", grid=True)
        if centred
        else alt.Axis(values=[0, 1], labelExpr="datum.value ? 'pass' : 'fail'", title=None)
    )
    y = alt.Y("y:Q", scale=alt.Scale(domain=ends, nice=False, zero=False), axis=axis)
    ticks = alt.Chart(alt.NamedData("ticks")).encode(x=x)
    low = -1.15 if centred else -0.27
    rules = ticks.mark_rule(color=theme.GRID).encode(y=alt.YDatum(low), y2=alt.Y2Datum(ends[1]))
    names = ticks.mark_text(
        baseline="top", fontSize=alt.ExprRef("width < 300 ? 10 : 12"), color=theme.INK
    ).encode(y=alt.YDatum(low - 0.02), text="text:N")
    swapped = (
        alt.Chart(alt.NamedData("swapped"))
        .mark_point(shape="diamond", size=38, strokeWidth=1.2, filled=False)
        .encode(x=x, y=y, stroke=alt.value(theme.MUTED))
    )
    dots = (
        alt.Chart(alt.NamedData("dots"))
        .mark_point(size=42, strokeWidth=1)
        .encode(
            x=x,
            y=y,
            shape=alt.Shape("shape:N", scale=None),
            fill=marks.colour(),
            stroke=marks.colour(),
            fillOpacity=alt.value(0.55),
            opacity=marks.fade(),
        )
    )
    tasks = (
        alt.Chart(alt.NamedData("tasks"))
        .mark_rule(strokeWidth=1.2, color=theme.INK)
        .encode(x=x, x2="x2:Q", y=y, y2="y2:Q", opacity=marks.fade(0.75))
    )
    line = (
        alt.Chart(alt.NamedData("line"))
        .mark_rule(strokeWidth=2.6, strokeDash=[1, 0] if centred else [7, 4])
        .encode(x=x, x2="x2:Q", y=y, y2="y2:Q", stroke=alt.value(theme.ALERT))
    )
    return alt.layer(rules, names, swapped, dots, tasks, line).properties(
        height=HEIGHT,
        width="container",
        description="Feature against reward, "
        + ("about the mean of each task" if centred else "pooled over the rows"),
    )


def push(
    rollouts: Rollouts,
    rows: npt.NDArray[np.int64],
    feature: str,
    found: Mapping[str, Any],
    centred: bool,
    about: str,
    shuffled: Shuffles | None = None,
    drawn: int = 0,
) -> dict[str, Any]:
    """Return what one of the two pictures shows.

    Args:
        rollouts: The scored rollouts.
        rows: Positions of the rows that were scanned.
        feature: A column.
        found: What the scan says of the feature: ``pooled``, ``within`` and more.
        centred: About the task means, or pooled.
        about: Rows and seed in words, for the title.
        shuffled: The feature's shuffles; drawn in the centred picture only.
        drawn: How many shuffles were drawn; the last of them is shown.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    values = rollouts.table.floats(feature)[rows]
    reward, codes = rollouts.reward[rows], rollouts.task_codes[rows]
    x_in = centre(values, codes, rollouts.n_tasks)
    y_in = centre(reward, codes, rollouts.n_tasks)
    axis = axis_of(feature, centred)
    x, y = (x_in, y_in) if centred else (values, reward)
    r = found["within"] if centred else found["pooled"]
    aside, up = _jitter(len(rows))
    swaps = (
        _swapped(rollouts, shuffled, feature, drawn, axis)
        if centred and shuffled is not None and drawn
        else {"x": [], "y": []}
    )
    return {
        "title": _title(feature, r, centred, about),
        "summary": _summary(feature, r, centred, len(rows)),
        "table": _table(rollouts, rows, feature, x, y, centred),
        "ticks": {
            "x": axis.place(np.array([at for at, _ in axis.ticks])),
            "text": [text for _, text in axis.ticks],
        },
        "dots": {
            "x": axis.place(x + axis.jitter * aside),
            "y": y + (0.06 if centred else 0.24) * up,
            "shape": marks.SHAPES[(reward >= 0.5).astype(np.int64)],
            "link": np.array([f"task{task}" for task in codes], dtype=object),
        },
        "tasks": _task_lines(values, reward, codes, x_in, y_in, axis, found["within"])
        if not centred
        else {name: [] for name in LINE},
        "line": _line(x, y, r, axis),
        "swapped": swaps,
    }


LINE: Final = ("x", "x2", "y", "y2", "link")


def blank(centred: bool) -> dict[str, Any]:
    """Return what the picture shows before the answer: nothing."""
    return {
        "title": f"{'Inside the tasks' if centred else 'Pooled'}: answer or skip to uncover",
        "summary": "The rows of this judge are shown after you answer or skip.",
        "table": {"task": []},
        "ticks": {"x": [], "text": []},
        "dots": {name: [] for name in ("x", "y", "shape", "link")},
        "tasks": {name: [] for name in LINE},
        "line": {name: [] for name in LINE[:-1]},
        "swapped": {"x": [], "y": []},
    }


def _jitter(n: int) -> tuple[Floats, Floats]:
    """Return two even spreads over −0.5 to 0.5, the same for the same n."""
    steps = np.arange(n, dtype=np.float64)
    across, up = PLASTIC
    return np.asarray(steps * across % 1 - 0.5), np.asarray(steps * up % 1 - 0.5)


def _slope(x: Floats, y: Floats, r: float | None) -> float | None:
    """Return the slope of the least-squares line: r·sy/sx."""
    if r is None or len(x) < 2 or not x.std():
        return None
    return float(r * y.std() / x.std())


def _line(x: Floats, y: Floats, r: float | None, axis: Axis) -> dict[str, Any]:
    """Return the least-squares line over the range of the rows."""
    slope = _slope(x, y, r)
    if slope is None:
        return {name: [] for name in LINE[:-1]}
    ends = np.array([x.min(), x.max()])
    heights = y.mean() + slope * (ends - x.mean())
    left, right = axis.place(ends)
    return {"x": [left], "x2": [right], "y": [heights[0]], "y2": [heights[1]]}


def _task_lines(
    values: Floats,
    reward: Floats,
    codes: npt.NDArray[np.int64],
    x_in: Floats,
    y_in: Floats,
    axis: Axis,
    within: float | None,
) -> dict[str, Any]:
    """Return a short line per task, with the common slope inside tasks."""
    slope = _slope(x_in, y_in, within)
    if slope is None:
        return {name: [] for name in LINE}
    rows: list[tuple[float, float, float, float, str]] = []
    for task in np.unique(codes):
        mine = codes == task
        low, high = values[mine].min(), values[mine].max()
        if low == high:
            continue
        middle, height = values[mine].mean(), reward[mine].mean()
        left, right = axis.place(np.array([low, high]))
        ends = height + slope * (np.array([low, high]) - middle)
        rows.append((left, right, ends[0], ends[1], f"task{task}"))
    return {name: [row[at] for row in rows] for at, name in enumerate(LINE)}


def _swapped(
    rollouts: Rollouts, shuffled: Shuffles, feature: str, drawn: int, axis: Axis
) -> dict[str, Any]:
    """Return the rows with the rewards of the last shuffle drawn."""
    codes = rollouts.task_codes[shuffled.rows]
    values = rollouts.table.floats(feature)[shuffled.rows]
    reward = rollouts.reward[shuffled.rows][shuffled.places[min(drawn, len(shuffled.r)) - 1]]
    aside, _ = _jitter(len(codes))
    return {
        "x": axis.place(centre(values, codes, rollouts.n_tasks) + axis.jitter * aside),
        "y": centre(reward, codes, rollouts.n_tasks),
    }


def signed(r: float | None) -> str:
    """Return a correlation in words: "+0.58", or "undefined"."""
    return "undefined" if r is None else f"{r:+.2f}".replace("-", "−")


def _title(feature: str, r: float | None, centred: bool, about: str) -> str:
    where = "inside tasks" if centred else "pooled"
    return f"{label(feature).capitalize()}, {where}: r = {signed(r)} ({about})"


def _summary(feature: str, r: float | None, centred: bool, rows: int) -> str:
    where = "about the mean of their task" if centred else "pooled"
    if r is None:
        return f"The correlation of {label(feature)} with the reward, {where}, is undefined."
    verb = "rises" if r > 0 else "falls"
    return f"Over {rows} rows {where}, the reward {verb} with {label(feature)}: r = {signed(r)}."


def _table(
    rollouts: Rollouts,
    rows: npt.NDArray[np.int64],
    feature: str,
    x: Floats,
    y: Floats,
    centred: bool,
) -> dict[str, Any]:
    names = np.array([str(name) for name in rollouts.task_labels], dtype=object)
    about = " minus task mean" if centred else ""
    return {
        "task": names[rollouts.task_codes[rows]],
        f"{label(feature)}{about}": np.round(x, 1),
        f"reward{about}": np.round(y, 2),
    }
