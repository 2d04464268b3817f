"""What a judge is: a function of one row, or an object that scores a whole frame.

Also the columns that judges read, and the keys of the draws that belong to a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import verdicts
from whilecore.streams import label_keys
from whilecore.table import Table
from whilecore.verdicts import Verdicts

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

Floats = npt.NDArray[np.float64]
Objects = npt.NDArray[np.object_]
Rows = npt.NDArray[np.int64]

PAGE_NAMES: Final = {
    "reply": "final_text",
    "task": "scenario_id",
    "rollout": "rollout_index",
    "mistake": "seeded",
}
"""Our column names, and the keys the course page uses for them in a row."""


class Judge:
    """A judge that scores a whole frame; called on one row, it scores that row."""

    name: str
    level: int = 0

    def score(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        """Return a reward per row, float64 in [0, 1]; what somebody's own judge writes."""
        return self.read(Table(frame))

    def read(self, table: Table) -> npt.NDArray[Any]:
        """Return the same from the columns, which needs no DataFrame; what ours write."""
        raise NotImplementedError(f"judge {type(self).__name__} must have score(frame)")

    def rewards(self, table: Table) -> npt.NDArray[Any]:
        """Return a reward per row by ``score`` where somebody wrote one, else by ``read``."""
        return self.read(table) if type(self).score is Judge.score else self.score(table.frame)

    def seeded(self, seed: int) -> Judge:
        """Return the judge with ``seed`` wherever it was not given one of its own."""
        return self

    def verdicts(self, rollouts: Rollouts, rows: Rows | None = None) -> Verdicts:
        """Return the answers on all rows, or on those at some positions."""
        read = verdicts.read_scores(self.rewards(rollouts.table), len(rollouts), self.name)
        return read if rows is None else read.take(rows)

    def __call__(self, row: Mapping[str, Any]) -> float:
        """Score one row, a mapping with our column names or the course page's keys."""
        names = (*PAGE_NAMES, "prompt", "steps", "reply_chars", "reply_key")
        known = {name: [_value(row, name)] for name in names}
        frame = pd.DataFrame({name: one for name, one in known.items() if one[0] is not None})
        return float(self.score(frame)[0])


def _value(row: Mapping[str, Any], name: str) -> Any:
    """Look a value up under our name, then under the course page's; no mistake is ""."""
    value = row.get(name)
    if value is None and name in PAGE_NAMES:
        value = row.get(PAGE_NAMES[name])
        if value is None and name == "mistake" and ("seeded" in row or "mistake" in row):
            return ""
    return value


@dataclass(frozen=True)
class PerRow(Judge):
    """A function of one row, asked row by row."""

    function: Callable[[Any], Any]

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def score(self, frame: pd.DataFrame) -> Floats:
        """Refuse: a function of one row needs rows."""
        raise TypeError(
            f"judge {self.name} looks at one row at a time and cannot score a frame; "
            "use rollouts.grade(judge)"
        )

    def verdicts(self, rollouts: Rollouts, rows: Rows | None = None) -> Verdicts:
        """Ask about each row; every row handed out is a copy of its own."""
        copies = rollouts.rows
        wanted = copies if rows is None else (copies[row] for row in rows.tolist())
        return verdicts.gather([verdicts.ask(self.function, row) for row in wanted])

    def __call__(self, row: Mapping[str, Any]) -> float:
        """Ask about one row."""
        return verdicts.ask(self.function, row)[0]


@dataclass(frozen=True)
class Scorer(Judge):
    """Somebody's object with ``score(frame)``; it gets a copy of the frame."""

    scorer: Any

    @property
    def name(self) -> str:  # type: ignore[override]
        """Its name, or that of its class."""
        return str(getattr(self.scorer, "name", type(self.scorer).__name__))

    def score(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        """Let it score."""
        return cast(npt.NDArray[Any], self.scorer.score(frame.copy()))


def as_judge(judge: Any) -> Judge:
    """Return a judge from anything that can act as one.

    Raises:
        ValueError: If it cannot.
    """
    if isinstance(judge, Judge):
        return judge
    if isinstance(judge, type):
        raise ValueError(f"judge must be an object, got the class {judge.__name__}; write "
                         f"{judge.__name__}()")  # fmt: skip
    if callable(getattr(judge, "score", None)):
        return Scorer(judge)
    if callable(judge):
        return PerRow(judge)
    hint = f"a built-in is judges.named({judge!r})" if isinstance(judge, str) else "pass a function"
    raise ValueError(
        f"judge must be a function of one row or an object with score(frame), got {judge!r}; {hint}"
    )


def check_seed(seed: int | None) -> None:
    """Check a seed."""
    whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if seed is not None and (not whole or seed < 0):
        raise ValueError(f"seed must be a whole number of at least 0, got {seed!r}")


def column(table: Table, name: str, judge: Judge) -> npt.NDArray[Any]:
    """Return a column, or say which one is missing."""
    if name not in table:
        have = ", ".join(map(str, table.names)) or "none"
        raise ValueError(
            f"judge {judge.name} needs the column {name!r}, these rows have: {have}; "
            "bring the column, or choose a judge that does not read it"
        )
    return table[name]


def has_text(table: Table) -> bool:
    """Tell whether replies are there as text (a file of figures has codes, or nothing)."""
    return "reply" in table and not table.is_numeric("reply")


def texts(table: Table, name: str, judge: Judge) -> Objects:
    """Return a text column."""
    values = column(table, name, judge)
    if table.is_numeric(name):
        raise ValueError(
            f"judge {judge.name} reads the text in column {name!r}, these rows have only codes "
            "there; choose a judge that reads figures, such as long_reply"
        )
    return values


def calls(steps: Any) -> list[Any]:
    """Return the tool calls of a row as a list of mappings."""
    return [one for one in steps if isinstance(one, Mapping)] if isinstance(steps, list) else []


def label_column_keys(column: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Return a key per entry that depends on its label alone, hashing each label once."""
    codes, labels = pd.factorize(column.astype(object, copy=False))
    return label_keys(labels)[codes]


def row_keys(table: Table) -> tuple[npt.NDArray[Any], ...]:
    """Return what a row's own draws are keyed on: task, rollout, and which copy of that pair.

    Real files repeat (task, rollout); the copies must not share a toss.
    """
    n = len(table)
    task = label_column_keys(table["task"]) if "task" in table else np.zeros(n, np.uint64)
    if "rollout" not in table:
        return task, np.zeros(n, np.int64), np.zeros(n, np.int64)
    rollout = table["rollout"].astype(np.int64, copy=False)
    pair = pd.Series(task * np.uint64(0x9E3779B97F4A7C15) + rollout.astype(np.uint64))
    if not pair.duplicated().any():
        return task, rollout, np.zeros(n, np.int64)
    return task, rollout, pair.groupby(pair).cumcount().to_numpy()
