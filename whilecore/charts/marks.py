"""How one rollout looks, on every picture: shape and colour say pass or fail, filling says kept.

A pass is a circle, a fail a square, an unscored try a diamond. Filled means kept (or not told
yet); an outline with a sign means dropped, and the sign names the gate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
from altair.typing import ChartType

from whilecore.charts import theme
from whilecore.gates import RL_FATES
from whilecore.selection import Selection


@dataclass(frozen=True)
class Look:
    """How a fate is drawn and said.

    Attributes:
        sign: One character on a dropped mark.
        link: Key shared by the mark and its line in the printed report.
        words: The fate in words, for legends and tables: of one row.
        many: The same of several rows; empty where it is the same.
    """

    sign: str
    link: str
    words: str
    many: str = ""

    def said(self, count: int) -> str:
        """Return the fate in words behind a count of rows."""
        return self.words if count == 1 else self.many or self.words


LOOKS: Final = {
    "leak": Look("×", "row_gates", "leaks the answer key", "leak the answer key"),
    "unscored": Look("×", "row_gates", "not scored"),
    "incomplete": Look("×", "row_gates", "incomplete"),
    "truncated": Look("×", "row_gates", "cut off"),
    "duplicate": Look("=", "duplicate", "copy of an earlier try", "copies of an earlier try"),
    "unanimous": Look("–", "unanimous", "nothing to compare with"),
    "too_easy": Look("↑", "band", "task too easy", "in tasks too easy"),
    "too_hard": Look("↓", "band", "task too hard", "in tasks too hard"),
    "over_target": Look("·", "over_target", "over the target"),
    "kept": Look("", "kept", "kept"),
}
HIDDEN: Final = Look("", "", "")

SIGNS: Final = np.array([LOOKS[name].sign for name in RL_FATES], dtype=object)
LINKS: Final = np.array([LOOKS[name].link for name in RL_FATES], dtype=object)
WORDS: Final = np.array([LOOKS[name].words for name in RL_FATES], dtype=object)
KEPT: Final = RL_FATES.index("kept")
SHAPES: Final = np.array([theme.FAIL_SHAPE, theme.PASS_SHAPE, "diamond"], dtype=object)


def verdicts(selection: Selection) -> npt.NDArray[np.int64]:
    """Return per row 0 for a fail, 1 for a pass, 2 for not scored: an index into ``SHAPES``."""
    rollouts = selection.source
    with np.errstate(invalid="ignore"):
        passed = rollouts.reward >= selection.report["pass_at_least"]
    return np.where(rollouts.scored, passed.astype(np.int64), 2)


def columns(selection: Selection, rows: npt.ArrayLike, revealed: bool) -> dict[str, Any]:
    """Return what ``layer`` needs of the named rows; without a reveal no fate is among it."""
    at = np.asarray(rows)
    shape = SHAPES[verdicts(selection)[at]]
    if not revealed:
        blank = np.full(len(at), "", dtype=object)
        return {"shape": shape, "full": np.ones(len(at), np.int64), "sign": blank, "link": blank}
    fate = selection.fate[at]
    return {
        "shape": shape,
        "full": (fate == KEPT).astype(np.int64),
        "sign": SIGNS[fate],
        "link": LINKS[fate],
    }


def colour() -> Any:
    """Return the colour of a mark by its shape."""
    return (
        alt.when(f"datum.shape === '{theme.PASS_SHAPE}'")
        .then(alt.value(theme.PASS))
        .when(f"datum.shape === '{theme.FAIL_SHAPE}'")
        .then(alt.value(theme.FAIL))
        .otherwise(alt.value(theme.MUTED))
    )


def fade(resting: float = 1.0, away: float = 0.18) -> Any:
    """Return the opacity of a mark: faded while something else is pointed at."""
    return alt.when(theme.UNLIT).then(alt.value(away)).otherwise(alt.value(resting))


def layer(data: str, x: alt.X, y: alt.Y, side: str) -> ChartType:
    """Return the marks of rollouts and the signs on the dropped ones.

    Args:
        data: Name of a dataset with x, y and the columns of ``columns``.
        x: The x encoding.
        y: The y encoding.
        side: Vega expression for the side of a mark in pixels.
    """
    base = alt.Chart(alt.NamedData(data)).encode(x=x, y=y, opacity=fade())
    dots = base.mark_point(
        size=alt.ExprRef(f"pow({side}, 2) * (datum.shape === 'circle' ? 0.9 : 0.82)"),
        strokeWidth=1.5,
    ).encode(
        shape=alt.Shape("shape:N", scale=None),
        fill=colour(),
        stroke=colour(),
        fillOpacity=alt.when("datum.full === 1").then(alt.value(1)).otherwise(alt.value(0)),
    )
    signs = base.mark_text(
        fontSize=alt.ExprRef(f"max(7, 0.86 * ({side}))"), fontWeight="bold", baseline="middle"
    ).encode(text="sign:N", color=colour())
    return alt.layer(dots, signs)
