"""A file as columns, before anyone has said what they mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

Ints = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]
Column = Any  # pandas.Series; its stubs want an element type that a file does not have

MOST_COLUMNS: Final = 1000
LOOKED_AT: Final = 2000  # rows that are enough to see what a column holds
RANDOM_TEXT: Final = "~"  # after a column's name: paths, dates and random ids in it are masked


class ReadError(ValueError):
    """A file that cannot be taken as it is; the message says what to change.

    Attributes:
        group_sizes: Where the question is which rows belong together: per column that could be
            meant, how many groups of which size it gives.
        columns: Where the question is which column holds something: those that could be meant.
    """

    def __init__(
        self,
        message: str,
        *,
        group_sizes: Mapping[str, Mapping[int, int]] | None = None,
        columns: Iterable[str] = (),
    ) -> None:
        """Keep the message, and what there is to choose from."""
        super().__init__(message)
        self.group_sizes = {name: dict(sizes) for name, sizes in (group_sizes or {}).items()}
        self.columns = tuple(columns)


@dataclass(frozen=True)
class BadLine:
    """A line that was left out, and why."""

    number: int
    reason: str


@dataclass
class Table:
    """Columns of equal length, where each row came from, and what went wrong on the way.

    Attributes:
        columns: Series by name; cells of any type, None for nothing.
        lines: Number of the line (item, row) each row came from, from 1.
        unit: What ``lines`` counts: "line", "item" or "row".
        container: "JSON lines", "CSV", ...
        bad: Lines left out.
        coerced: How many values were read as something else, by sentence.
        notes: Sentences on the file as a whole.
        metric: Column that the file itself names as its score.
        aliases: Names in the file of columns that are called otherwise here.
        coded: Columns numbered already, for whoever asks again.
        chats: Columns of messages read already.
    """

    columns: dict[str, Column]
    lines: Ints
    unit: str = "line"
    container: str = ""
    bad: list[BadLine] = field(default_factory=list)
    coerced: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    metric: str = ""
    aliases: dict[str, str] = field(default_factory=dict)
    coded: dict[str, tuple[Ints, Objects]] = field(default_factory=dict, repr=False)
    chats: dict[str, list[Any]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.lines)

    def __contains__(self, name: object) -> bool:
        """Tell whether some row has a value under this name."""
        return name in self.columns and not empty(self.columns[str(name)])

    def cells(self, name: str) -> Objects:
        """Return a column as objects, None for nothing; all None if there is no such column."""
        if name not in self.columns:
            return np.full(len(self), None, object)
        column = self.columns[name]
        values: Objects = np.array(column, dtype=object)
        if column.dtype != object:
            values[column.isna().to_numpy()] = None
        return values

    def take(self, rows: npt.NDArray[Any]) -> None:
        """Keep some rows, by position."""
        for name, column in self.columns.items():
            self.columns[name] = column.iloc[rows].reset_index(drop=True)
        self.lines = self.lines[rows]
        self.coded.clear()
        self.chats = {name: [chats[row] for row in rows] for name, chats in self.chats.items()}

    def leave_out(self, rows: npt.NDArray[np.bool_], reason: str) -> None:
        """Leave rows out and keep their lines with the reason."""
        if rows.any():
            self.bad += [BadLine(int(number), reason) for number in self.lines[rows]]
            self.take(np.flatnonzero(~rows))


class Builder:
    """Collects records into columns as they come, so that a record is free again at once."""

    def __init__(self) -> None:
        """Start without columns."""
        self.columns: dict[str, list[Any]] = {}
        self.lines: list[int] = []
        self.left_out: Counter[str] = Counter()

    def add(self, record: Mapping[str, Any], line: int) -> None:
        """Add one record."""
        columns = self.columns
        if record.keys() == columns.keys():
            for name, value in record.items():
                columns[name].append(value)
        else:
            self._add_other(record)
        self.lines.append(line)

    def _add_other(self, record: Mapping[str, Any]) -> None:
        """Add a record with more keys or fewer."""
        before = len(self.lines)
        for name, value in record.items():
            if name not in self.columns:
                if len(self.columns) >= MOST_COLUMNS:
                    self.left_out[name] += 1
                    continue
                self.columns[name] = [None] * before
            self.columns[name].append(value)
        for column in self.columns.values():
            if len(column) == before:
                column.append(None)

    def table(self, container: str, unit: str = "line") -> Table:
        """Return what was collected."""
        columns = {whole_name(name): as_column(one) for name, one in self.columns.items()}
        table = Table(columns, np.array(self.lines, np.int64), unit, container)
        if self.left_out:
            table.notes.append(
                f"{len(self.left_out)} keys beyond the first {MOST_COLUMNS} were left out"
            )
        return table


def whole_name(name: str) -> str:
    """Return a column's name without half emoji, which not every table can hold in a name."""
    return name.encode("utf-8", errors="replace").decode()


def as_column(values: Iterable[Any]) -> Column:
    """Return cells of any type as a Series of objects."""
    cells = list(values)
    column = np.empty(len(cells), object)
    column[:] = cells
    return pd.Series(column, dtype=object)


def empty(column: Column) -> bool:
    """Tell whether no cell holds anything; "" and [] are something that says nothing."""
    return bool(column.isna().all()) if len(column) else True


def from_records(records: Iterable[Mapping[str, Any]], lines: Iterable[int], like: Table) -> Table:
    """Return a table of records that were made from the rows of another one."""
    builder = Builder()
    for record, line in zip(records, lines, strict=True):
        builder.add(record, line)
    table = builder.table(like.container, like.unit)
    table.bad, table.coerced = like.bad, like.coerced
    table.notes = [*like.notes, *table.notes]
    return table


def reach(table: Table, name: str) -> Column:
    """Return a column, or a value inside its cells by a dotted name: "metrics.exact".

    Raises:
        ReadError: If there is none, with the names there are.
    """
    name = name if name in table.columns else table.aliases.get(name, name)
    if name in table.columns:
        return table.columns[name]
    head, _, rest = name.partition(".")
    while rest:
        if head in table.columns:
            path = rest.split(".")
            found = [dig(cell, path) for cell in table.cells(head)]
            if any(one is not None for one in found):
                return as_column(found)
        more, _, rest = rest.partition(".")
        head = f"{head}.{more}"
    have = ", ".join(list(table.columns)[:40]) or "none"
    raise ReadError(f"there is no column {name!r}; the file has: {have}", columns=table.columns)


def inside(table: Table, names: Iterable[str]) -> list[str]:
    """Return dotted names of values inside mappings, for a file whose rows are wrapped once more.

    Args:
        table: The file.
        names: What is looked for, the surest first.

    Returns:
        Such as ``["info.task_id"]``; those that most rows have, in the order of ``names``.
    """
    found: list[str] = []
    opened = {
        name: [cell for cell in table.cells(name)[:LOOKED_AT] if isinstance(cell, Mapping)]
        for name in table.columns
    }
    for name in names:
        for column, cells in opened.items():
            if column.endswith(f".{name}"):  # wrapped rows that somebody made flat
                found.append(column)
            held = sum(cell.get(name) is not None for cell in cells)
            if 2 * held > min(len(table), LOOKED_AT):
                found.append(f"{column}.{name}")
    return found


def dig(cell: Any, path: list[str]) -> Any:
    """Return the value under a path of keys, None where the path ends early."""
    for key in path:
        if not isinstance(cell, Mapping):
            return None
        cell = cell.get(key)
    return cell
