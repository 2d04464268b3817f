"""From a path, bytes or a file object to a table of columns, whatever the container."""

from __future__ import annotations

import gc
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

from whilecore.formats.delimited import read_csv
from whilecore.formats.documents import holds_rows, read_zip, rows_of
from whilecore.formats.json_lines import (
    Unreadable,
    follow_each_other,
    parsed,
    read_array,
    read_document,
    read_lines,
    read_stream,
)
from whilecore.formats.parquet import read_parquet
from whilecore.formats.sources import BROKEN_PACKING, Progress, Stream, kind, opened
from whilecore.formats.tables import ReadError, Table

WRAPPINGS: Final = frozenset({"samples", "eval", "results", "rows", "data", "rollouts", "records"})


def load(source: Any, progress: Progress | None = None) -> tuple[Table, str]:
    """Read a file into columns.

    Args:
        source: A path, bytes, or a file object opened for bytes.
        progress: Called with bytes read and bytes in all (0 where not known).

    Returns:
        The table and the file's name.

    Raises:
        FileNotFoundError: If there is no such file.
        ReadError: If nothing in it can be read; the message says what to change.
        TypeError: If ``source`` is none of these.
    """
    with opened(source, progress) as (stream, name):
        what = kind(stream, name)
        if what == "nothing":
            raise ReadError(f"{name} is empty; give a file with one JSON object per line")
        try:
            with _no_sweeping():
                return _read(stream, what, name), name
        except BROKEN_PACKING as error:
            raise ReadError(f"{name} cannot be unpacked: {error}; copy it again") from None


@contextmanager
def _no_sweeping() -> Iterator[None]:
    """Leave out the search for cycles, of which rows have none; it takes a fifth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _read(stream: Stream, what: str, name: str) -> Table:
    if what == "parquet":
        return read_parquet(stream, name)
    if what == "object":
        return _objects(stream, name)
    data, broken = _all(stream)
    read = {"zip": read_zip, "csv": read_csv, "array": read_array}[what]
    table = read(data, name)
    table.notes += broken
    return table


def _all(stream: IO[bytes]) -> tuple[bytes, list[str]]:
    """Read to the end, or to where a packed file breaks off."""
    parts: list[bytes] = []
    try:
        while part := stream.read(1 << 20):
            parts.append(part)
    except BROKEN_PACKING as error:
        return b"".join(parts), [
            f"the packed file is cut short ({error}); what came before is read"
        ]
    return b"".join(parts), []


def _objects(stream: Stream, name: str) -> Table:
    """Read lines of objects, unless the first line is only the start of an object."""
    before, first = 0, stream.readline()
    while first and not first.strip():
        before, first = before + 1, stream.readline()
    lines = _again(before, first, stream)
    try:
        record = parsed(first.strip(), Counter())
    except Unreadable:
        if follow_each_other(first):
            rest, broken = _all(stream)
            table = read_stream(b"\n" * before + first + rest, name)
            table.notes += broken
            return table
        goes_on = stream.peek(1 << 10)[: 1 << 10].lstrip()[:1] not in (b"{", b"")
        if goes_on or b"\r" in first.strip():
            return _over_several_lines(b"\n" * before + first, stream, name)
        return read_lines(lines, name)
    wraps = bool(set(record) & WRAPPINGS) or holds_rows(record) and not _one_row(record)
    if wraps and not stream.peek(1):
        return rows_of(record, name)
    return read_lines(lines, name)


def _one_row(record: dict[str, Any]) -> bool:
    """Tell a row that has lists in it, which some formats are made of, from a table of columns."""
    return {"index", "score"} <= record.keys() or {"completions", "rewards"} <= record.keys()


def _over_several_lines(first: bytes, stream: IO[bytes], name: str) -> Table:
    """Read objects that do not stand on one line each: one document, or several."""
    rest, broken = _all(stream)
    data = first + rest
    document = read_document(data)
    try:
        table = read_stream(data, name) if document is None else rows_of(document, name)
    except ReadError:  # a first line that is no JSON, and not the start of any
        if document is not None:
            raise
        table = read_lines(io.BytesIO(data), name)
    table.notes += broken
    return table


def _again(before: int, first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    """Give all lines, the blank ones and the first one that were read already among them."""
    yield from [b"\n"] * before
    yield first
    yield from rest
