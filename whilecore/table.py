"""The columns of the rollouts: numpy arrays for the gates, a DataFrame for whoever asks for one.

A pandas column costs some 20 microseconds to look at, however short it is; a selection looks at
fifty. So columns stay apart, and become arrays and a DataFrame when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.float64]
Column: TypeAlias = Any
"""An array, or a Series where pandas knows what an array cannot say (a missing whole number)."""


class Table:
    """Columns of one length, by name; reading one twice costs nothing.

    Args:
        columns: A DataFrame, or arrays and Series of one length by name. Nothing is copied.
    """

    def __init__(self, columns: pd.DataFrame | Mapping[str, Column]) -> None:
        """Keep the columns as they are."""
        self._columns: dict[str, Column] = {str(name): one for name, one in columns.items()}
        self._arrays: dict[str, Array] = {}
        self._source: Table | None = None
        if isinstance(columns, pd.DataFrame):
            self.frame = columns

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self._columns)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def __contains__(self, name: object) -> bool:
        """Tell whether there is such a column."""
        return name in self._columns

    def __getitem__(self, name: str) -> Array:
        """Return a column: numbers and yes or no in their own type, anything else as objects.

        The array is read-only, since every selection reads the same one.

        Raises:
            KeyError: If there is no such column.
        """
        if name not in self._arrays:
            self._arrays[name] = self._array(name)
        return self._arrays[name]

    def _array(self, name: str) -> Array:
        """Make the array of a column, or take that of the table the column comes from."""
        column = self._columns[name]
        if self._source is not None and self._source._columns.get(name) is column:
            return self._source[name]
        if not isinstance(column, np.ndarray):
            plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufb"
            column = column.to_numpy() if plain else column.to_numpy(object)
        array: Array = column.view()
        array.flags.writeable = False
        return array

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be made again."""
        return {"_columns": self._columns, "_arrays": {}, "_source": None}

    def floats(self, name: str) -> Floats:
        """Return a column as float64, NaN where it is missing."""
        column = self[name]
        if column.dtype.kind != "O":
            return column.astype(np.float64, copy=False)
        return pd.Series(self._columns[name]).to_numpy(np.float64, na_value=np.nan)

    def kind(self, name: str) -> str:
        """Return numpy's letter for what a column holds, also where some of it is missing."""
        return str(self._columns[name].dtype.kind)

    def is_numeric(self, name: str) -> bool:
        """Tell whether a column holds numbers or yes and no."""
        return self.kind(name) in "iufb"

    def is_code(self, name: str) -> bool:
        """Tell whether a column holds whole numbers; as a reply, such a number is a code."""
        return self.kind(name) in "iu"

    def missing(self, name: str) -> npt.NDArray[np.bool_]:
        """Mark the rows that do not have a value."""
        return pd.isna(self[name])

    def values(self, name: str) -> list[Any]:
        """Return a column as a list of plain values, None where one is missing."""
        column, missing = self[name], self.missing(name)
        if missing.any():
            column = column.astype(object)
            column[missing] = None
        return list(column.tolist())

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame."""
        return pd.DataFrame(self._columns)

    def with_columns(self, **arrays: Array) -> Table:
        """Return the table with arrays that replace columns or come after them."""
        table = Table({**self._columns, **arrays})
        table._source = self._source or self
        return table

    def take(self, index: npt.NDArray[np.int64]) -> Table:
        """Return some rows, by position, in the order given."""
        return Table(
            {
                name: column[index] if isinstance(column, np.ndarray)
                else column.iloc[index].reset_index(drop=True)
                for name, column in self._columns.items()
            }
        )  # fmt: skip
