"""Parquet, with pyarrow where it is installed."""

from __future__ import annotations

import importlib
from typing import IO, Any

import numpy as np
import pandas as pd

from whilecore.formats.tables import ReadError, Table, as_column


def read_parquet(stream: IO[bytes], name: str) -> Table:
    """Read a Parquet file; nested cells become lists and mappings.

    Raises:
        ReadError: If pyarrow is not installed, or the file is broken.
    """
    try:
        pa = importlib.import_module("pyarrow")
        pq = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise ReadError(
            f"reading {name} needs pyarrow: pip install 'whilecore[parquet]'. Or save the rows as "
            "JSON lines: frame.to_json('rollouts.jsonl', orient='records', lines=True)"
        ) from None
    try:
        data = pq.read_table(pa.BufferReader(stream.read()))
    except (pa.ArrowException, OSError) as error:
        raise ReadError(f"{name} is a broken Parquet file: {error}; write it again") from None
    columns: dict[str, Any] = {}
    for place, column in enumerate(data.column_names):
        columns.setdefault(column, _column(data.column(place), pa))
    return Table(columns, np.arange(1, data.num_rows + 1), "row", "Parquet")


def _column(column: Any, pa: Any) -> Any:
    """Return one column: numbers as numbers, all else as Python objects."""
    kind = column.type
    plain = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    if plain and not column.null_count:
        return pd.Series(column.to_numpy())
    return as_column(column.to_pylist())
