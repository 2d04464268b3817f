"""Rows as mappings: the form a judge and the course page read, and the form files come in."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, overload

import numpy as np

from whilecore.table import Table
from whilecore.texts import as_text

PAGE_KEYS: Final = {
    "scenario_id": "task",
    "rollout_index": "rollout",
    "final_text": "reply",
    "seeded": "mistake",
}
ATOMS: Final = frozenset((str, int, float, bool, type(None)))


class _Columns(dict[str, list[Any]]):
    """The columns of a table as lists, each made on its first use; None where not known."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.names = dict.fromkeys([*table.names, *PAGE_KEYS, "prompt", "steps", "messages"])

    def __missing__(self, name: str) -> list[Any]:
        if name not in self.names:
            raise KeyError(name)
        source = name if name in self.table else PAGE_KEYS.get(name, "")
        if source in self.table and not (name == "final_text" and self.table.is_code(source)):
            self[name] = self.table.values(source)
        else:
            self[name] = [[] if name == "steps" else None] * len(self.table)
        return self[name]


class Rows(Sequence[Mapping[str, Any]]):
    """The rows of a table as mappings; every one handed out is a fresh, deep copy."""

    def __init__(self, table: Table, system_prompt: str = "") -> None:
        """Keep the table; columns become lists when a row is first asked for one."""
        self._columns = _Columns(table)
        self._n = len(table)
        self._system_prompt = system_prompt

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._n

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        """Return one row, or a list of rows for a slice."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self._n))]
        place = index + self._n if index < 0 else index
        if not 0 <= place < self._n:
            raise IndexError(f"row must be in 0..{self._n - 1}, got {index}")
        return Row(self._columns, place, self._system_prompt)

    def __iter__(self) -> Iterator[Row]:
        """Go through the rows in order."""
        for place in range(self._n):
            yield Row(self._columns, place, self._system_prompt)


class Row(dict[str, Any]):
    """One rollout as a dict of its own, each value filled in on its first use.

    A judge that looks at two keys of a million rows pays for two keys. Whatever it writes stays
    in this row and reaches nobody. Whatever looks at the whole dict fills it first.
    """

    __slots__ = ("_columns", "_full", "_place", "_system_prompt")

    def __init__(self, columns: _Columns, place: int, system_prompt: str) -> None:
        """Point at one row; its task is there at once, since json calls a bare dict empty."""
        self._columns = columns
        self._place = place
        self._system_prompt = system_prompt
        self._full = False
        self["task"] = columns["task"][place]

    def __missing__(self, key: str) -> Any:
        """Fill one value in."""
        if self._full:
            raise KeyError(key)
        value = self._columns[key][self._place]
        if key == "messages" and not isinstance(value, list):
            value = self._chat()
        elif type(value) not in ATOMS:
            value = _copied(value)
        self[key] = value
        return value

    def fill(self) -> None:
        """Fill every value in that nobody has written yet."""
        if not self._full:
            for key in self._columns.names:
                if not dict.__contains__(self, key):
                    self[key]
            self._full = True

    def _chat(self) -> list[dict[str, Any]]:
        """Write the rollout out as chat messages, tool calls and their results in between."""
        messages = []
        if self._system_prompt:
            messages.append({"role": "system", "content": self._system_prompt})
        if self["prompt"] is not None:
            messages.append({"role": "user", "content": self["prompt"]})
        for step in self["steps"] if isinstance(self["steps"], list) else []:
            messages += _step_messages(step) if isinstance(step, Mapping) else []
        if self["final_text"] is not None:
            messages.append({"role": "assistant", "content": self["final_text"]})
        return messages

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value, or the default where the row has no such key."""
        try:
            return self[key]
        except KeyError:
            return default

    def copy(self) -> dict[str, Any]:
        """Return a plain dict."""
        return dict(self.items())

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as a plain dict, without the table."""
        return dict, (self.copy(),)


def _copied(value: Any) -> Any:
    """Copy a value down to its leaves; arrays of a Parquet file become lists."""
    if type(value) in ATOMS:
        return value
    if isinstance(value, np.ndarray | np.generic):
        return _copied(value.tolist())
    if isinstance(value, dict):
        return {key: _copied(one) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_copied(one) for one in value)
    return copy.deepcopy(value)


def _filled(name: str) -> Callable[..., Any]:
    """Return a dict method that fills the row before it looks at the whole of it."""
    method = getattr(dict, name)

    @functools.wraps(method)
    def call(self: Row, *arguments: Any) -> Any:
        self.fill()
        return method(self, *arguments)

    return call


for _name in (
    "__contains__", "__delitem__", "__eq__", "__ior__", "__iter__", "__len__", "__ne__", "__or__",
    "__repr__", "__reversed__", "__ror__", "clear", "items", "keys", "pop", "popitem",
    "setdefault", "values",
):  # fmt: skip
    setattr(Row, _name, _filled(_name))


def _step_messages(step: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Write one tool call and its result as two messages."""
    call = {"name": step.get("tool", ""), "arguments": step.get("arguments", {})}
    result = {"error": step["error"]} if step.get("error") else step.get("result")
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "name": step.get("tool", ""), "content": result},
    ]


def flatten(record: Mapping[str, Any], place: int) -> dict[str, Any]:
    """Turn one record into column values, reading the course page's keys and chat messages.

    Raises:
        ValueError: If the record is not a mapping.
    """
    if not isinstance(record, Mapping):
        raise ValueError(
            f"every record must be a mapping of column names to values, got "
            f"{type(record).__name__} at position {place}"
        )
    row = {str(key): value for key, value in record.items() if key not in PAGE_KEYS}
    for page, ours in PAGE_KEYS.items():
        if page in record and row.get(ours) is None:
            row[ours] = record[page]
    messages = row.get("messages")
    if isinstance(messages, list) and messages:
        found = _from_messages(messages)
        if row.get("reply") is not None:  # then the messages may be ours, made from the columns
            found.pop("behavior", None)
        row |= {name: value for name, value in found.items() if row.get(name) is None}
    return row


def _from_messages(messages: Sequence[Any]) -> dict[str, Any]:
    """Read prompt, reply and counts off chat messages; a reply of only tool calls is empty."""
    turns = [one for one in messages if isinstance(one, Mapping)]
    said = [one for one in turns if one.get("role") == "assistant"]
    asked = [one for one in turns if one.get("role") == "user"]
    calls = [call for one in said for call in (one.get("tool_calls") or [])]
    found: dict[str, Any] = {"prompt": _content(asked[-1])} if asked else {}
    if said:
        found |= {
            "reply": _content(said[-1]),
            "tool_calls": len(calls),
            "assistant_turns": len(said),
            "behavior": as_text(calls),
        }
    return found


def _content(message: Mapping[str, Any]) -> str:
    """Return a message's text; null and parts without text are ""."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return ""
