"""The table of rollouts: one row per try, in the order drawn, checked once on the way in.

A file of figures alone (task, reward, codes) is as welcome as a full transcript. What is not known
is left out, what cannot be read as a reward is *unscored* with a reason, and nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import columns, copies, intervals, judges
from whilecore.records import Rows, flatten
from whilecore.rewards import STATUS_OK, pass_cut, unscored_reasons
from whilecore.table import Table
from whilecore.texts import as_text, inferred

if TYPE_CHECKING:
    from whilecore.selection import Selection

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class Rollouts:
    """One row per rollout. Build with ``from_frame``, ``from_records`` or ``simulate``.

    Attributes:
        table: The columns as arrays.
        frame: The rows as a DataFrame, made on first use. Read it freely; change it through
            ``from_frame``.
        notes: Sentences about how the rows came to be (budget left over, coerced values, ...).
        system_prompt: The system prompt of a simulated run, else "".
    """

    def __init__(
        self,
        table: Table,
        *,
        task_codes: Ints,
        task_labels: npt.NDArray[np.object_],
        identity: copies.Identity | None = None,
        notes: tuple[str, ...] = (),
        system_prompt: str = "",
    ) -> None:
        """Take checked columns as they are; use ``from_frame`` for anything unchecked."""
        self.table = table
        self.task_codes = task_codes
        self.task_labels = task_labels
        self.notes = notes
        self.system_prompt = system_prompt
        self._identity = copies.Identity(table) if identity is None else identity

    @classmethod
    def trusted(
        cls,
        columns: pd.DataFrame | Mapping[str, npt.NDArray[Any]],
        *,
        task_codes: Ints,
        task_labels: npt.NDArray[np.object_],
        reply_codes: Ints | None = None,
        notes: tuple[str, ...] = (),
        system_prompt: str = "",
    ) -> Rollouts:
        """Build from columns that are already right, without checking them again."""
        table = Table(columns)
        return cls(
            table,
            task_codes=task_codes,
            task_labels=task_labels,
            identity=copies.Identity(table, reply_codes),
            notes=notes,
            system_prompt=system_prompt,
        )

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Rollouts:
        """Check a DataFrame and take it in.

        Args:
            frame: Needs ``task``; takes ``rollout``, ``prompt``, ``reply``, ``reward`` and the
                other columns of the table where they are there, and keeps any further column.
                A whole number as ``reply`` is a code, not a text, so no length is read off it.

        Returns:
            The rollouts in the order given, none dropped.

        Raises:
            TypeError: If it is no DataFrame.
            ValueError: If ``task`` is missing or empty somewhere, a flag is not 0 or 1, or a name
                stands over two columns.

        Convention:
            Rewards: numbers and booleans as they are; text that is a plain numeral in [0, 1] is
            coerced and said; any other text, None, NaN and ±∞ is unscored, with the reason in
            ``judge_reason``. Duplicates are told by (ask, normalised reply, behaviour or tool
            calls), or by ``reply_key`` where given; a row without any is nobody's copy.

        >>> data = Rollouts.from_frame(pd.DataFrame({"task": ["a", "a"], "reward": [1, None]}))
        >>> data.scored.tolist()
        [True, False]
        """
        frame = _named_columns(frame)
        codes, labels, notes = columns.task_codes(frame["task"])
        checked, more = columns.clean(frame, codes, labels)
        return cls(
            Table(checked),
            task_codes=codes,
            task_labels=labels,
            notes=(*notes, *more),
        )

    @classmethod
    def from_records(
        cls, records: Iterable[Mapping[str, Any]], notes: Sequence[str] = ()
    ) -> Rollouts:
        """Take mappings, one per rollout, with our column names or the course page's keys.

        ``scenario_id``, ``rollout_index``, ``final_text`` and ``seeded`` are read as ``task``,
        ``rollout``, ``reply`` and ``mistake``. ``messages`` gives the reply (the last assistant
        message, "" if it has only tool calls) and the number of tool calls. ``notes`` are kept
        with the rollouts.

        >>> len(Rollouts.from_records([{"task": "a", "reply": "Hi.", "reward": 1}]))
        1
        """
        rows = [flatten(record, place) for place, record in enumerate(records)]
        names = list(dict.fromkeys(name for row in rows for name in row)) or ["task", "reward"]
        out = cls.from_frame(
            pd.DataFrame({name: inferred([row.get(name) for row in rows]) for name in names})
        )
        out.notes = (*notes, *out.notes)
        return out

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.table)

    def __repr__(self) -> str:
        """Say how many rows, tasks and scored rows there are."""
        scored = int(self.scored.sum())
        return f"<Rollouts: {len(self)} rows, {self.n_tasks} tasks, {scored} scored>"

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, made on first use."""
        return self.table.frame

    @property
    def n_tasks(self) -> int:
        """Number of tasks."""
        return len(self.task_labels)

    @cached_property
    def reward(self) -> Floats:
        """Reward per row as float64, NaN where there is none."""
        if "reward" not in self.table:
            return np.full(len(self), np.nan)
        return self.table.floats("reward")

    @cached_property
    def scored(self) -> Bools:
        """Rows with a usable reward: finite, no error, and a judge status that is ok."""
        usable: Bools = np.isfinite(self.reward)
        if "error" in self.table:
            usable &= self.table["error"] == ""
        if "judge_status" in self.table:
            status = self.table["judge_status"]
            usable &= np.logical_or.reduce([status == ok for ok in STATUS_OK])
        return usable

    def flag(self, name: str) -> Bools:
        """Return a yes/no column, all no where the file does not have it."""
        if name not in self.table:
            return np.zeros(len(self), np.bool_)
        return self.table[name].astype(np.bool_, copy=False)

    @property
    def reply_codes(self) -> Ints:
        """Whole number per row, equal for two rows of a task exactly if they are copies."""
        return self._identity.codes

    @property
    def reply_hashes(self) -> npt.NDArray[np.uint64]:
        """64-bit key per row made from what the reply says, so ties never turn on position."""
        return self._identity.hashes

    def unscored_reasons(self) -> dict[str, int]:
        """Count the unscored rows by reason."""
        rows = np.flatnonzero(~self.scored)
        if not rows.size:
            return {}
        return unscored_reasons(self.frame.iloc[rows])

    @cached_property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """The rows as mappings, each a fresh copy, with the keys the course page uses."""
        return Rows(self.table, self.system_prompt)

    def grade(self, judge: Any, seed: int = 0) -> Rollouts:
        """Score every row with a judge and return the scored rollouts; the original stays.

        Args:
            judge: A callable on one row (bool, a number in [0, 1], or a mapping with ``reward``
                or ``score`` and an optional ``reason``), or an object with ``score(frame)``.
            seed: For judges that draw.

        Returns:
            The same rows with ``reward``, ``judge_status`` and ``judge_reason``.

        Convention:
            An answer outside the contract, NaN or an exception leaves a row unscored, never 0.
        """
        verdicts = judges.grade(self, judge, seed)
        table = self.table.with_columns(
            reward=verdicts.reward, judge_status=verdicts.status, judge_reason=verdicts.reason
        )
        return Rollouts(
            table,
            task_codes=self.task_codes,
            task_labels=self.task_labels,
            identity=self._identity,
            notes=self.notes,
            system_prompt=self.system_prompt,
        )

    def take(self, rows: Sequence[int] | npt.NDArray[Any]) -> Rollouts:
        """Return some of the rows, by position, in the order given; tasks left empty go."""
        index = np.arange(len(self))[np.asarray(rows, None if len(rows) else np.int64)]
        used, codes = np.unique(self.task_codes[index], return_inverse=True)
        table = self.table.take(index)
        return Rollouts(
            table,
            task_codes=codes.astype(np.int64),
            task_labels=self.task_labels[used],
            identity=copies.Identity(table, self.reply_codes[index]),
            notes=self.notes,
            system_prompt=self.system_prompt,
        )

    def pass_at_k(
        self, k: int | None = None, *, pass_at_least: float | None = None
    ) -> intervals.PassAt:
        """Return pass@1, pass^k, pass@k and headroom with intervals; see ``intervals.pass_at``."""
        passes = self.reward >= pass_cut(self.reward[self.scored], pass_at_least)
        return intervals.pass_at(self.task_codes, passes, self.scored, self.n_tasks, k)

    @property
    def pass_at(self) -> intervals.PassAt:
        """pass@1 and its relatives at the commonest group size; prints as one line."""
        return self.pass_at_k()

    def select(self, mode: str = "rl", **options: Any) -> Selection:
        """Select what is worth training on; see ``selection.select``."""
        from whilecore.selection import select

        return select(self, mode, **options)


def _named_columns(frame: Any) -> pd.DataFrame:
    """Check the shape of what was given: a DataFrame, names as text, each once, ``task`` there."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"from_frame takes a pandas DataFrame, got {type(frame).__name__}; for mappings use "
            "from_records, for a file read_rollouts"
        )
    out = frame.reset_index(drop=True)
    out.columns = pd.Index([as_text(name) for name in frame.columns], dtype=object)
    if "task" not in out:
        have = ", ".join(out.columns) or "none"
        raise ValueError(
            f"a column named 'task' must say which rows are tries of the same task; got "
            f"columns: {have}. Rename the column that holds it to 'task'"
        )
    if out.columns.has_duplicates:
        twice = ", ".join(dict.fromkeys(out.columns[out.columns.duplicated()]))
        raise ValueError(f"every column name must be there once, got twice: {twice}; rename one")
    return out
