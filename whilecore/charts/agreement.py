"""How often all tries agree, against what the tasks' true rates predict."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import marks, spec, theme
from whilecore.charts.strip import true_rates
from whilecore.groups import unanimous_probability
from whilecore.selection import Selection
from whilecore.texts import counted

HEIGHT: Final = 230
MOST_MOST_EXACT: Final = 256  # tasks up to which the shade is exact
MOST_TRIES: Final = 32
MOST_EXACT: Final = 256  # tasks up to which the shade is exact
TRIES: Final = np.arange(2, MOST_TRIES + 1)


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``theory``, ``plugin``, ``trail`` and ``now``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[1.5, MOST_TRIES + 0.5], nice=False, zero=False),
        axis=alt.Axis(values=[2, 4, 8, 12, 16, 20, 24, 28, 32], title="tries per task, k"),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(format="%", title="tasks whose tries all agree", tickCount=5, grid=True),
    )
    theory = alt.Chart(alt.NamedData("theory")).encode(x=x)
    expected = theory.mark_area(color=theme.BAND).encode(y=y.copy(deep=True), y2="high:Q")
    expected.encoding.y.shorthand = "low:Q"
    line = theory.mark_line(color=theme.INK, strokeWidth=2).encode(y=y)
    plugin = (
        alt.Chart(alt.NamedData("plugin"))
        .mark_line(color=theme.MUTED, strokeDash=[5, 4])
        .encode(x=x, y=y)
    )
    trail = (
        alt.Chart(alt.NamedData("trail"))
        .mark_line(color=theme.PASS, strokeWidth=1.5, interpolate="step-after", opacity=0.8)
        .encode(x=x, y=y)
    )
    now = (
        alt.Chart(alt.NamedData("now"))
        .mark_point(shape="circle", size=90, strokeWidth=2)
        .encode(
            x=x,
            y=y,
            stroke=alt.value(theme.PASS),
            fill=alt.value(theme.PASS),
            fillOpacity=alt.when("datum.full === 1").then(alt.value(1)).otherwise(alt.value(0)),
            opacity=marks.fade(),
        )
    )
    return alt.layer(expected, plugin, line, trail, now).properties(
        height=HEIGHT,
        width="container",
        description="Share of unanimous tasks against tries per task, seen and predicted",
    )


def push(selection: Selection, revealed: bool, about: str) -> dict[str, Any]:
    """Return what the picture shows of a selection.

    Args:
        selection: An RL selection.
        revealed: Whether the share after the gates may be shown.
        about: Seed and source in words, for the title.

    Returns:
        Keyword arguments for ``LiveChart.push``. The line averages pᵏ + (1−p)ᵏ over the tasks'
        true rates; the shade holds 95 of 100 draws of as many tasks; the dashed line puts the mean
        measured rate in instead.
    """
    assert selection.gates is not None, "the picture shows an RL selection"
    scored = selection.gates.scored
    has = scored.rows > 0
    n = int(has.sum())
    true = true_rates(selection)
    mean = float(scored.rate[has].mean()) if n else np.nan
    tries = int(np.bincount(scored.rows[has]).argmax()) if n else 0
    seen = int((scored.unanimous & (scored.rows > 1)).sum())
    gated = sum(selection.report["unanimous_groups"].values())
    naive = unanimous_probability(mean, TRIES) if n else np.full(len(TRIES), np.nan)
    expected = _expected(true) if true is not None and n else naive
    at = min(max(tries, 2), MOST_TRIES)
    shaded = true is not None and n
    low, high = _likely(true[has], n) if shaded else (expected, expected)
    trail = _trail(selection)
    now = {"x": [at], "y": [seen / max(n, 1)], "full": [1], "link": ["unanimous"]}
    if revealed:
        now = {"x": [at, at], "y": [seen / max(n, 1), gated / max(n, 1)], "full": [1, 0],
               "link": ["unanimous", "unanimous"]}  # fmt: skip
    predicted = float(expected[at - 2]) * n
    return {
        "title": _title(seen, n, at, predicted, true is not None, about),
        "summary": _summary(seen, gated, n, at, predicted, mean, true is not None, revealed),
        "table": {
            "tries per task": TRIES,
            "predicted share": np.round(expected, 3),
            "with the mean rate": np.round(naive, 3),
            "seen": [round(trail["y"][k], 3) if k < len(trail["y"]) else None
                     for k in range(len(TRIES))],
        },
        "theory": {"x": TRIES, "y": expected, "low": low, "high": high},
        "plugin": {"x": TRIES, "y": naive},
        "trail": trail,
        "now": now,
    }  # fmt: skip


def _expected(true: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Average the chance of agreement over tasks, for every number of tries."""
    rates, counts = np.unique(true, return_counts=True)
    chance = unanimous_probability(rates[:, None], TRIES[None, :])
    return np.asarray(counts @ chance / counts.sum())


def _likely(true: npt.NDArray[np.float64], n: int) -> tuple[Any, Any]:
    """Return the range that holds the seen share in 95 of 100 runs, for every number of tries."""
    if n > MOST_EXACT:  # so many tasks make the count normal
        chance = unanimous_probability(true[:, None], TRIES[None, :])
        half = 1.96 * np.sqrt((chance * (1 - chance)).sum(axis=0)) / n
        return chance.mean(axis=0) - half, chance.mean(axis=0) + half
    return _likely_cached(tuple(np.sort(true).tolist()), n)


@lru_cache(maxsize=256)
def _likely_cached(true: tuple[float, ...], n: int) -> tuple[Any, Any]:
    """Convolve the tasks' chances into the exact distribution of the count; a pure function."""
    chance = unanimous_probability(np.array(true)[:, None], TRIES[None, :])
    ways = np.zeros((n + 1, len(TRIES)))
    ways[0] = 1.0
    for one in chance[:n]:
        ways[1:] = ways[1:] * (1 - one) + ways[:-1] * one
        ways[0] *= 1 - one
    total = np.cumsum(ways, axis=0)
    low = (total < 0.025).sum(axis=0) / max(n, 1)
    high = (total < 0.975).sum(axis=0) / max(n, 1)
    return low, high


def _trail(selection: Selection) -> dict[str, Any]:
    """Return the share of tasks whose first 2, 3, ... scored tries all agree."""
    rollouts = selection.source
    use = np.flatnonzero(rollouts.scored)
    order = use[np.argsort(rollouts.task_codes[use], kind="stable")]
    codes, counts = np.unique(rollouts.task_codes[order], return_counts=True)
    if not len(codes) or counts.min() < 2:
        return {"x": [], "y": []}
    tries = int(min(counts.min(), MOST_TRIES))
    starts = np.cumsum(counts) - counts
    table = rollouts.reward[order][starts[:, None] + np.arange(tries)]
    agree = (table == table[:, :1]).cumprod(axis=1).mean(axis=0)[1:]
    return {"x": np.arange(2, tries + 1), "y": agree}


def _title(seen: int, n: int, k: int, predicted: float, known: bool, about: str) -> str:
    if not n:
        return f"No task has a scored try ({about})"
    source = "true rates predict" if known else "the mean rate predicts"
    agree = f"{seen:,} of {counted(n, 'task')} agree{'s' * (n == 1)} in all {k} tries"
    return f"{agree}; {source} {predicted:,.1f} ({about})"


def _summary(
    seen: int,
    gated: int,
    n: int,
    k: int,
    predicted: float,
    mean: float,
    known: bool,
    revealed: bool,
) -> str:
    verb = "has" if gated == 1 else "have"
    after = f" After the gates {gated:,} {verb} no contrast left." if revealed else ""
    if not n:
        return "No task has a scored try."
    naive = float(unanimous_probability(mean, k)) * n
    by = (
        f"The tasks' true rates predict {predicted:,.1f}, the mean measured rate {naive:,.1f}."
        if known
        else f"The mean measured rate predicts {naive:,.1f}; true rates are not known here."
    )
    return (
        f"With {k} tries, {seen:,} of {counted(n, 'task')} agree{'s' * (n == 1)} throughout. "
        f"{by}{after}"
    )
