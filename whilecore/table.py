"""The columns of the rollouts: numpy arrays for the gates, a DataFrame for whoever asks for one.

A pandas column costs some 20 microseconds to look at, however short it is; a selection looks at
fifty. So what is simulated stays in arrays until somebody wants to see the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class Table:
    """Columns of one length, by name; reading one twice costs nothing.

    Args:
        columns: A DataFrame, or arrays of one length by name.
        over: Arrays that replace columns or come after them.
    """

    def __init__(
        self, columns: pd.DataFrame | Mapping[str, Array], over: Mapping[str, Array] | None = None
    ) -> None:
        """Keep the columns as they are; nothing is copied."""
        self._base = columns if isinstance(columns, pd.DataFrame) else None
        self._own: dict[str, Array] = {}
        if not isinstance(columns, pd.DataFrame):
            self._own.update(columns)
        self._own.update(over or {})
        self._read = dict(self._own)
        self.names: dict[str, None] = dict.fromkeys([*columns, *self._own])

    def __len__(self) -> int:
        """Return the number of rows."""
        if self._base is not None:
            return len(self._base)
        return len(next(iter(self._own.values()), ()))

    def __contains__(self, name: object) -> bool:
        """Tell whether there is such a column."""
        return name in self.names

    def __getitem__(self, name: str) -> Array:
        """Return a column: numbers and yes or no in their own type, anything else as objects.

        Raises:
            KeyError: If there is no such column.
        """
        if name not in self._read:
            column = self.frame[name]
            plain = isinstance(column.dtype, np.dtype)
            self._read[name] = column.to_numpy() if plain else column.to_numpy(object)
        return self._read[name]

    def column(self, name: str) -> Any:
        """Return a column as it is kept: an array, or a Series with what only pandas knows."""
        return self._own[name] if name in self._own else self.frame[name]

    def floats(self, name: str) -> Floats:
        """Return a column as float64, NaN where it is missing."""
        column = self[name]
        if column.dtype.kind != "O":
            return column.astype(np.float64, copy=False)
        return self.frame[name].to_numpy(np.float64, na_value=np.nan)

    def kind(self, name: str) -> str:
        """Return numpy's letter for what a column holds, also where some of it is missing."""
        return str(self.column(name).dtype.kind)

    def is_numeric(self, name: str) -> bool:
        """Tell whether a column holds numbers or yes and no."""
        return self.kind(name) in "iufb"

    def is_code(self, name: str) -> bool:
        """Tell whether a column holds whole numbers; as a reply, such a number is a code."""
        return self.kind(name) in "iu"

    def missing(self, name: str) -> npt.NDArray[np.bool_]:
        """Mark the rows that do not have a value."""
        return np.asarray(pd.isna(self.column(name)), np.bool_)

    def values(self, name: str) -> list[Any]:
        """Return a column as a list of plain values, None where one is missing."""
        column, missing = self.column(name), self.missing(name)
        if missing.any():
            column = pd.Series(column).astype(object).where(~missing, None)
        return list(column.tolist())

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame."""
        if self._base is None:
            return pd.DataFrame(self._own)
        return self._base.assign(**self._own) if self._own else self._base

    def with_columns(self, **arrays: Array) -> Table:
        """Return the table with arrays that replace columns or come after them."""
        start = self._own if self._base is None else self._base
        return Table(start, arrays if self._base is None else self._own | arrays)

    def take(self, index: npt.NDArray[np.int64]) -> Table:
        """Return some rows, by position, in the order given."""
        if self._base is None:
            return Table({name: column[index] for name, column in self._own.items()})
        return Table(self.frame.iloc[index].reset_index(drop=True))
