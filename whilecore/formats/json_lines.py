"""JSON: one object per line, an array of objects, or one document that holds the rows.

msgspec reads what is plain JSON (measured on chat rows of 1.1 kB: 1.7 times as fast as the
standard library and level with orjson, and marimo brings it along). What it refuses, the standard
library gets to see: NaN, Infinity, half an emoji, a raw line break in a string.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from whilecore.formats.sources import BROKEN_PACKING
from whilecore.formats.tables import BadLine, Builder, ReadError, Table

DEEPEST: Final = 64
WATCHED: Final = ("reward", "score", "task", "task_id", "prompt")
PATIENCE: Final = 200
SPACE: Final = b" \t\r\n"
BETWEEN: Final = " \t\r\n,\ufeff"
NOT_UTF8: Final = "lines with bytes that are not UTF-8 (replaced by �)"
TRAILING_COMMA: Final = "lines with a comma after the object"
STRICT: Final = json.JSONDecoder()
LOOSE: Final = json.JSONDecoder(strict=False)

_fast = msgspec.json.Decoder().decode


class Unreadable(ValueError):
    """A piece of text that is no JSON object, with the reason."""


def read_lines(stream: Iterable[bytes], name: str) -> Table:
    """Read one JSON object per line; what is none is kept as a bad line, and the rest loads.

    Raises:
        ReadError: If there were lines and none could be read.
    """
    builder, bad, fixes, twice = Builder(), list[BadLine](), Counter[str](), _Twice()
    number = 0
    try:
        for number, line in enumerate(stream, start=1):
            body = line.strip(SPACE + b"\xef\xbb\xbf")
            if not body:
                continue
            try:
                record = parsed(body, fixes)
            except Unreadable as error:
                bad.append(BadLine(number, str(error)))
                continue
            twice.look(body, number)
            builder.add(record, number)
    except BROKEN_PACKING as error:
        bad.append(BadLine(number + 1, f"the packed file ends here: {error}"))
    return _finished(builder, bad, fixes, twice, name)


def parsed(body: bytes, fixes: Counter[str]) -> dict[str, Any]:
    """Read one object; count in ``fixes`` what had to be mended.

    Raises:
        Unreadable: If it is none.
    """
    try:
        value = _fast(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError):
        value = _slow(body, fixes)
    if not isinstance(value, dict):
        raise Unreadable(f"holds {_named(value)}, not an object")
    if body.count(b"[") + body.count(b"{") > DEEPEST and _depth(value) > DEEPEST:
        raise Unreadable(f"is nested deeper than {DEEPEST} levels")
    return value


def _slow(body: bytes, fixes: Counter[str]) -> Any:
    """Read with the standard library what the fast one refused."""
    if not body.strip(b"\x00"):
        raise Unreadable("holds only NUL bytes")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        text = body.decode("utf-8", errors="replace")
        fixes[NOT_UTF8] += 1
    try:
        return LOOSE.decode(text)
    except RecursionError:
        raise Unreadable(f"is nested deeper than {DEEPEST} levels") from None
    except json.JSONDecodeError as error:
        if text.rstrip(", \t").endswith("}") and text.endswith(","):
            value = _slow(body.rstrip(b", \t"), fixes)
            fixes[TRAILING_COMMA] += 1
            return value
        raise Unreadable(_reason(error, text)) from None
    except ValueError:  # a whole number of more than 4,300 digits
        raise Unreadable("holds a number too long to read") from None


def _reason(error: json.JSONDecodeError, text: str) -> str:
    """Say where a line stops being JSON; a line cut short is the commonest case."""
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return "is cut short"
    return f"is no JSON: {error.msg} at character {error.pos + 1}"


def _named(value: Any) -> str:
    """Name a value that is no object."""
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _depth(value: Any) -> int:
    """Return how deep lists and objects are nested, one level at a time."""
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        depth += 1
    return depth


class _Twice:
    """Looks for keys that stand twice in one object, where readers silently take the last."""

    def __init__(self) -> None:
        self.patience = dict.fromkeys((f'"{key}"'.encode() for key in WATCHED), PATIENCE)
        self.found: list[str] = []
        self.count = 0

    def look(self, body: bytes, number: int) -> None:
        """Note a watched key that stands twice; stop watching a key that nests everywhere."""
        for key in [key for key in self.patience if body.count(key) > 1]:
            keys = Counter(_top_keys(body))
            named = key.decode().strip('"')
            if keys[named] > 1:
                self.count += 1
                if self.count <= 5:
                    self.found.append(f"line {number}: {named!r} stands {keys[named]} times")
                self.patience[key] = PATIENCE
                return
            self.patience[key] -= 1
            if not self.patience[key]:
                del self.patience[key]

    def notes(self) -> list[str]:
        """Say where, and what was taken."""
        if not self.count:
            return []
        return [f"{self.count} lines write a key twice, and the last one is taken "
                f"({'; '.join(self.found)})"]  # fmt: skip


def _top_keys(body: bytes) -> list[str]:
    """Return the keys of the outermost object, repeats among them."""
    last: list[str] = []

    def hook(pairs: list[tuple[str, Any]]) -> None:
        last[:] = [key for key, _ in pairs]

    try:
        json.loads(body.decode("utf-8", errors="replace"), object_pairs_hook=hook, strict=False)
    except (ValueError, RecursionError):
        return []
    return last


def _finished(
    builder: Builder, bad: list[BadLine], fixes: Counter[str], twice: _Twice, name: str,
    container: str = "JSON lines", unit: str = "line",
) -> Table:  # fmt: skip
    """Make the table, or refuse a file of which nothing could be read."""
    if bad and not builder.lines:
        raise ReadError(
            f"no {unit} of {name} could be read: {unit} {bad[0].number} {bad[0].reason}"
            f"{f', and {len(bad) - 1} more' if len(bad) > 1 else ''}; every line must hold one "
            "JSON object"
        )
    table = builder.table(container, unit)
    table.bad, table.coerced = bad, fixes
    table.notes += twice.notes()
    return table


def read_array(data: bytes, name: str) -> Table:
    """Read a JSON array of objects, item by item.

    Raises:
        ReadError: If no item could be read.
    """
    try:
        values: Any = _fast(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError):
        values = None
    builder, bad, fixes = Builder(), list[BadLine](), Counter[str]()
    items = enumerate(values, 1) if isinstance(values, list) else _items(data, bad)
    for number, value in items:
        if not isinstance(value, dict):
            bad.append(BadLine(number, f"holds {_named(value)}, not an object"))
        elif _depth(value) > DEEPEST:
            bad.append(BadLine(number, f"is nested deeper than {DEEPEST} levels"))
        else:
            builder.add(value, number)
    return _finished(builder, bad, fixes, _Twice(), name, "a JSON array", "item")


def _items(data: bytes, bad: list[BadLine]) -> Iterator[tuple[int, Any]]:
    """Read values one after the other, with or without brackets and commas around them."""
    text = data.decode("utf-8", errors="replace")
    place = len(text) - len(text.lstrip(BETWEEN))
    array = text[place : place + 1] == "["
    place, number = place + array, 1
    while True:
        while place < len(text) and text[place] in BETWEEN:
            place += 1
        if place >= len(text) or (array and text[place] == "]"):
            break
        try:
            value, place = LOOSE.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            line = text.count("\n", 0, place) + 1
            why = _reason(error, text) if isinstance(error, json.JSONDecodeError) else "is too deep"
            bad.append(BadLine(number, f"(line {line}) {why}; nothing after it could be read"))
            return
        yield number, value
        number += 1
    if array and place >= len(text):
        bad.append(BadLine(number, "is missing: the array does not end, so the file is cut short"))


def follow_each_other(line: bytes) -> bool:
    """Tell whether a line holds an object and, right behind it, another one.

    >>> follow_each_other(b'{"reward": 1}{"reward": 0}'), follow_each_other(b'{"reward": 1} x')
    (True, False)
    """
    text = line.decode("utf-8", errors="replace").lstrip(BETWEEN)
    try:
        value, end = LOOSE.raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and text[end:].lstrip(BETWEEN).startswith("{")


def read_document(data: bytes) -> dict[str, Any] | None:
    """Read a whole file as one JSON object, None if it is none."""
    try:
        value = _fast(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError):
        try:
            value = LOOSE.decode(data.decode("utf-8", errors="replace").strip("\ufeff \t\r\n"))
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) and _depth(value) <= DEEPEST else None


def read_stream(data: bytes, name: str) -> Table:
    """Read objects written over several lines each, one after the other."""
    builder, bad = Builder(), list[BadLine]()
    for number, value in _items(data, bad):
        if isinstance(value, Mapping):
            builder.add(value, number)
        else:
            bad.append(BadLine(number, f"holds {_named(value)}, not an object"))
    return _finished(builder, bad, Counter(), _Twice(), name, "JSON objects", "item")
