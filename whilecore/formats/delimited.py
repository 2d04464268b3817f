"""CSV: pandas reads it at once; a file with broken lines is read again, line by line."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import pandas as pd

from whilecore.formats.recognise import ROLLOUT_ID, TASK
from whilecore.formats.tables import BadLine, ReadError, Table
from whilecore.formats.tidy import plain_name
from whilecore.texts import shown

LABELS: Final = frozenset({*TASK, *ROLLOUT_ID, "ask", "reply_key", "behavior"})
"""Columns whose cells are names: a number among them keeps its zeros and all of its digits."""
DECIMAL_COMMA: Final = re.compile(r"[+-]?\d+(,\d+)?")
SEPARATORS: Final = (",", "\t", ";", "|")
PANDAS: Final = (pd.errors.ParserError, pd.errors.ParserWarning)
NOT_UTF8: Final = "file holds bytes that are not UTF-8 (replaced by �)"
LARGEST_CELL: Final = 2**31 - 1


def read_csv(data: bytes, name: str) -> Table:
    """Read a CSV with a header line.

    Args:
        data: The whole file, without a byte order mark.
        name: For messages.

    Raises:
        ReadError: If it has no header or no line could be read.

    Convention:
        Only empty cells are missing: a task called "NA" stays a task, and "007" stays itself.
    """
    header, separator = _header(data, name)
    bad = _last_line(data, separator, len(header))
    whole = data[: bad[1]] if bad else data
    labels = [one for one in header if plain_name(one) in LABELS]
    try:
        frame, lines, broken = _parsed(whole, separator, labels), None, list[BadLine]()
    except (ValueError, OverflowError, *PANDAS):
        frame, lines, broken = _line_by_line(whole, separator, name, labels)
    if lines is None:
        lines = np.arange(2, len(frame) + 2)
    table = Table(
        {str(column): frame[column] for column in frame.columns}, lines, "line", "CSV",
        broken + ([bad[0]] if bad else []),
    )  # fmt: skip
    if separator == ";":
        _read_commas(table)
    if broken and not len(frame):
        raise ReadError(f"no line of {name} could be read: line {broken[0].number} "
                        f"{broken[0].reason}")  # fmt: skip
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        table.coerced[NOT_UTF8] += 1
    twice = sorted({one for one in header if header.count(one) > 1})
    if twice:
        table.notes.append(
            f"the header names {', '.join(map(shown, twice))} more than once; the first is taken"
        )
    return table


def _read_commas(table: Table) -> None:
    """Read "0,5" as a half where a whole column is written so, as spreadsheets in Europe do."""
    for name, column in table.columns.items():
        cells = column.dropna()
        if column.dtype.kind in "iufb" or plain_name(name) in LABELS or not len(cells):
            continue
        texts = [str(one).strip() for one in cells]
        if any("," in one for one in texts) and all(map(DECIMAL_COMMA.fullmatch, texts)):
            table.columns[name] = column.map(
                lambda one: float(str(one).replace(",", ".")), na_action="ignore"
            ).astype(np.float64)
            table.coerced[f"numbers with a decimal comma ({shown(name, 40)})"] = len(cells)


def _header(data: bytes, name: str) -> tuple[list[str], str]:
    """Return the column names and what stands between them."""
    first = data.lstrip(b"\r\n").split(b"\n", 1)[0].decode("utf-8", errors="replace")
    separator = max(SEPARATORS, key=first.count)
    if not first.count(separator):
        separator = ","
    try:
        header = next(csv.reader([first], delimiter=separator), [])
    except csv.Error:
        header = first.split(separator)
    if not any(one.strip() for one in header):
        raise ReadError(f"{name} is empty; a CSV needs a header line")
    return header, separator


def _last_line(data: bytes, separator: str, cells: int) -> tuple[BadLine, int] | None:
    """Find a last line that a program did not finish, and where it starts."""
    if data.endswith((b"\n", b"\r")):
        return None
    start = data.rfind(b"\n") + 1
    try:
        row = next(csv.reader([data[start:].decode("utf-8", "replace")], delimiter=separator))
    except (csv.Error, StopIteration):
        return None
    if not start or len(row) >= cells or data.count(b'"') % 2:
        return None
    number = data.count(b"\n") + 1
    return BadLine(number, f"is cut short: {len(row)} cells where the header has {cells}"), start


def _parsed(data: bytes, separator: str, labels: Iterable[str]) -> pd.DataFrame:
    """Let pandas read it; what it would only warn of is an error here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        return pd.read_csv(
            io.BytesIO(data),
            sep=separator,
            keep_default_na=False,
            na_values=[""],
            dtype=dict.fromkeys(labels, "str"),
            encoding="utf-8",
            low_memory=False,
            index_col=False,
        )


def _line_by_line(
    data: bytes, separator: str, name: str, labels: Iterable[str]
) -> tuple[pd.DataFrame, Any, list[BadLine]]:
    """Read with the standard library, keep what has as many cells as the header, note the rest."""
    text = io.StringIO(data.decode("utf-8", errors="replace").replace("\x00", "�"), newline="")
    kept, lines, bad = io.StringIO(newline=""), list[int](), list[BadLine]()
    writer, before = csv.writer(kept), csv.field_size_limit(LARGEST_CELL)
    try:
        reader = csv.reader(text, delimiter=separator)
        header = next(reader, [])
        writer.writerow(header)
        start = reader.line_num + 1
        for row in reader:
            if len(row) == len(header):
                writer.writerow(row)
                lines.append(start)
            elif any(cell.strip() for cell in row):
                bad.append(BadLine(start, f"has {len(row)} cells where the header has "
                                          f"{len(header)}"))  # fmt: skip
            start = reader.line_num + 1
    except csv.Error as error:
        bad.append(BadLine(start, f"is no CSV: {error}; nothing after it could be read"))
    finally:
        csv.field_size_limit(before)
    try:
        frame = _parsed(kept.getvalue().encode("utf-8", "surrogatepass"), ",", labels)
    except (ValueError, OverflowError, *PANDAS) as error:
        raise ReadError(f"{name} is no CSV that can be read: {error}") from None
    if len(frame) != len(lines):  # a row of one empty cell is a blank line to pandas
        lines = list(range(2, len(frame) + 2))
    return frame, np.array(lines, np.int64), bad
