"""What one live group costs in rollouts, by true pass rate and number of tries."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import numpy as np
from altair.typing import ChartType

from whilecore.charts import spec, theme
from whilecore.charts.odds import per_cent
from whilecore.refill import rollouts_per_live_group

HEIGHT: Final = 260
RATES: Final = np.arange(1, 100) / 100
TRIES: Final = (4, 8, 16)
MOST: Final = 200.0


@spec.once
def picture() -> ChartType:
    """Return the chart; it reads ``curves``, ``names``, ``points``."""
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1], title="true pass rate"),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(type="log", domain=[2, MOST], nice=False),
        axis=alt.Axis(
            values=[2, 5, 10, 20, 50, 100, 200], format="d", grid=True,
            title="rollouts per live group",
        ),
    )  # fmt: skip
    font = alt.ExprRef("width < 420 ? 10.5 : 12")
    curves = (
        alt.Chart(alt.NamedData("curves"))
        .mark_line(clip=True)
        .encode(
            x=x,
            y=y,
            detail="k:N",
            strokeWidth=alt.when("datum.now === 1").then(alt.value(3)).otherwise(alt.value(1.5)),
            color=alt.when("datum.now === 1")
            .then(alt.value(theme.INK))
            .otherwise(alt.value(theme.MUTED)),
        )
    )
    names = alt.Chart(alt.NamedData("names")).encode(x=x, y=y, text="said:N")
    halo = names.mark_text(dy=-8, fontSize=font, stroke=theme.SURFACE, strokeWidth=4)
    said = names.mark_text(dy=-8, fontSize=font, color=theme.INK)
    points = alt.Chart(alt.NamedData("points")).encode(x=x, y=y)
    dot = points.mark_point(shape="diamond", size=120, fill=theme.ALERT, stroke=theme.ALERT)
    return alt.layer(curves, halo, said, dot).properties(
        height=HEIGHT,
        width="container",
        description="Rollouts per live group against the true pass rate, for several tries",
    )


def push(rate: float, k: int, revealed: bool) -> dict[str, Any]:
    """Return what the picture shows.

    Args:
        rate: True pass rate now, 0 to 1.
        k: Tries now.
        revealed: Whether costs may be shown.

    Returns:
        Keyword arguments for ``LiveChart.push``.
    """
    if not revealed:
        return {
            "title": "What a live group costs: answer or skip to see",
            "summary": "The costs are shown after you answer or skip.",
            "table": {"true rate": []},
            "curves": {"x": [], "y": [], "k": [], "now": []},
            "names": {"x": [], "y": [], "said": []},
            "points": {"x": [], "y": []},
        }
    lines = sorted({*TRIES, k})
    costs = {n: rollouts_per_live_group(RATES, n) for n in lines}
    here = float(rollouts_per_live_group(rate, k))
    inside = [here] if here <= MOST else []
    named = [n for n in lines if n == k or abs(n - k) > 1]  # no two names on one spot
    return {
        "title": _title(rate, k, here),
        "summary": f"At {per_cent(rate)} a live group costs "
        + ", ".join(
            f"{_cost(float(rollouts_per_live_group(rate, n)))} rollouts with {n} tries"
            for n in lines
        )
        + ".",
        "table": {"true rate": [per_cent(p) for p in RATES[4::5]]}
        | {f"{n} tries": [_cost(float(one)) for one in costs[n][4::5]] for n in lines},
        "curves": {
            "x": np.tile(RATES, len(lines)),
            "y": np.concatenate([np.minimum(costs[n], 10 * MOST).round(3) for n in lines]),
            "k": np.repeat(lines, len(RATES)),
            "now": np.repeat([int(n == k) for n in lines], len(RATES)),
        },
        "names": {
            "x": [0.5] * len(named),
            "y": [float(rollouts_per_live_group(0.5, n)) for n in named],
            "said": [f"{n} tries" for n in named],
        },
        "points": {"x": [rate for _ in inside], "y": inside},
    }


def _cost(rollouts: float) -> str:
    return f"{rollouts:,.1f}" if np.isfinite(rollouts) else "∞"


def _title(rate: float, k: int, here: float) -> str:
    if not np.isfinite(here):
        return f"At {per_cent(rate)} no group is ever live, whatever it costs"
    return f"At {per_cent(rate)} a live group of {k} tries costs {here:,.1f} rollouts"
