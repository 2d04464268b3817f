"""Any cell as text that can be compared: labels, keys and codes of files that others wrote."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

Column = Any  # pandas.Series; its stubs want an element type that a file does not have

EXACT: Final = 2.0**53  # up to here every whole number is a float of its own


def as_text(value: Any) -> str:
    """Make one value comparable: text stays, 1.0 is "1", lists and mappings are ordered JSON.

    >>> as_text({"b": [1], "a": None}) == as_text({"a": None, "b": [1]})
    True
    """
    if isinstance(value, str):
        return value
    if isinstance(value, float | np.floating) and abs(number := float(value)) < EXACT:
        return str(int(number)) if number.is_integer() else str(value)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | dict | tuple):
        try:
            return _ENCODER.encode(value)
        except TypeError:  # keys that are no text and have no order
            return repr(value)
    return str(value)


def _plain(value: Any) -> Any:
    """Turn a numpy value inside a list into what JSON knows; anything else into its text."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else str(value)


_ENCODER: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=_plain)


def is_whole(column: Column) -> bool:
    """Tell whether a column holds whole numbers; as a reply, such a number is a code."""
    return column.dtype.kind in "iu"


def whole(column: Column) -> Column:
    """Turn floats that are all whole into integers: a missing cell made a CSV's codes floats."""
    if column.dtype.kind != "f":
        return column
    values = column.to_numpy(np.float64, na_value=np.nan)
    known = values[~np.isnan(values)]
    if not ((known == np.floor(known)) & (np.abs(known) < EXACT)).all():
        return column
    return pd.Series(values, index=column.index).astype("Int64")


def text(column: Column) -> Column:
    """Return a column as text, with "" for nothing."""
    if isinstance(column.dtype, pd.StringDtype):
        return column.fillna("")
    column = whole(column)
    missing = column.isna().to_numpy()
    if column.dtype.kind in "iub" and not missing.any():
        return column.astype(str)
    values = column.to_numpy(object)
    return strings([as_text(one) for one in np.where(missing, "", values)])


def strings(values: Sequence[str] | npt.NDArray[np.object_]) -> Column:
    """Return a text column; half an emoji, which UTF-8 cannot hold, is kept as it is."""
    try:
        return pd.Series(values, dtype="str")
    except UnicodeEncodeError:
        return pd.Series(values, dtype=object)


def inferred(values: Sequence[Any]) -> Column:
    """Return a column of the type its values have in common, object where there is none."""
    column = pd.Series(values, dtype=object)
    try:
        return column.infer_objects()
    except UnicodeEncodeError:
        return column


def counted(n: int, one: str, many: str = "") -> str:
    """Return a count with its noun, one or many of it.

    >>> counted(1, "task"), counted(1200, "copy", "copies"), counted(0, "task")
    ('1 task', '1,200 copies', '0 tasks')
    """
    return f"{n:,} {noun(n, one, many)}"


def noun(n: int, one: str, many: str = "") -> str:
    """Return the noun that stands behind a count.

    >>> noun(1, "task"), noun(2, "task"), noun(0, "copy", "copies")
    ('task', 'tasks', 'copies')
    """
    return one if n == 1 else many or f"{one}s"


def shown(value: str, width: int = 80) -> str:
    r"""Make any text safe to print on one line: no line breaks, control codes or half emoji.

    >>> print(shown("two\nlines \x1b[31m"))
    two lines \x1b[31m
    """
    line = " ".join(value.split())
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    return line if len(line) <= width else line[: width - 1] + "…"
