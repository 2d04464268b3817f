"""Rows as mappings: the form a judge and the course page read, and the form files come in."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import pandas as pd

PAGE_KEYS = {
    "scenario_id": "task",
    "rollout_index": "rollout",
    "final_text": "reply",
    "seeded": "mistake",
}


class _Columns(dict[str, list[Any]]):
    """The columns of a table as lists, each made on its first use."""

    def __init__(self, frame: pd.DataFrame) -> None:
        super().__init__()
        self.frame = frame
        ours = [str(name) for name in frame.columns]
        self.names = tuple(dict.fromkeys([*ours, *PAGE_KEYS, "steps", "messages"]))

    def __missing__(self, name: str) -> list[Any]:
        if name not in self.names or name == "messages":
            raise KeyError(name)
        source = name if name in self.frame.columns else PAGE_KEYS.get(name, "")
        blank: Any = [] if name == "steps" else ""
        known = source in self.frame.columns
        self[name] = self.frame[source].tolist() if known else [blank] * len(self.frame)
        return self[name]


class Rows(Sequence[Mapping[str, Any]]):
    """The rows of a table as mappings; every one handed out is a fresh, deep copy."""

    def __init__(self, frame: pd.DataFrame, system_prompt: str = "") -> None:
        """Keep the table; columns become lists when a row is first asked for one."""
        self._columns = _Columns(frame)
        self._n = len(frame)
        self._system_prompt = system_prompt

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self._n))]
        place = index + self._n if index < 0 else index
        if not 0 <= place < self._n:
            raise IndexError(f"row must be in 0..{self._n - 1}, got {index}")
        return Row(self._columns, place, self._system_prompt)

    def __iter__(self) -> Iterator[Row]:
        for place in range(self._n):
            yield Row(self._columns, place, self._system_prompt)


class Row(dict[str, Any]):
    """One rollout as a dict of its own, filled on first use of each key.

    A judge that looks at two keys of a million rows pays for two keys. Whatever it writes stays
    in this row and reaches nobody.
    """

    __slots__ = ("_columns", "_full", "_place", "_system_prompt")

    def __init__(self, columns: _Columns, place: int, system_prompt: str) -> None:
        super().__init__()
        self._columns = columns
        self._place = place
        self._system_prompt = system_prompt
        self._full = False

    def __missing__(self, key: str) -> Any:
        if self._full or key not in self._columns.names:
            raise KeyError(key)
        value = self._messages() if key == "messages" else self._columns[key][self._place]
        if isinstance(value, list | dict):
            value = copy.deepcopy(value)
        dict.__setitem__(self, key, value)
        return value

    def _fill(self) -> None:
        if not self._full:
            for key in self._columns.names:
                if not dict.__contains__(self, key):
                    self[key]
            self._full = True

    def _messages(self) -> list[dict[str, Any]]:
        """Write the rollout out as chat messages, tool calls and their results in between."""
        frame = self._columns.frame
        if "messages" in frame.columns and isinstance(frame["messages"].iat[self._place], list):
            return list(frame["messages"].iat[self._place])
        messages = []
        if self._system_prompt:
            messages.append({"role": "system", "content": self._system_prompt})
        if "prompt" in frame.columns:
            messages.append({"role": "user", "content": self["prompt"]})
        for step in self["steps"] or []:
            messages += _step_messages(step)
        if "reply" in frame.columns:
            messages.append({"role": "assistant", "content": self["final_text"]})
        return messages

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value, or the default where the row has no such key."""
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key: object) -> bool:
        self._fill()
        return dict.__contains__(self, key)

    def __iter__(self) -> Iterator[str]:
        self._fill()
        return dict.__iter__(self)

    def __len__(self) -> int:
        self._fill()
        return dict.__len__(self)

    def keys(self) -> Any:
        """Return all keys."""
        self._fill()
        return dict.keys(self)

    def values(self) -> Any:
        """Return all values."""
        self._fill()
        return dict.values(self)

    def items(self) -> Any:
        """Return all pairs."""
        self._fill()
        return dict.items(self)

    def __eq__(self, other: object) -> bool:
        self._fill()
        return dict.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]  # a dict is not hashable, nor is this one

    def __repr__(self) -> str:
        self._fill()
        return dict.__repr__(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {key: copy.deepcopy(value, memo) for key, value in self.items()}

    def pop(self, *arguments: Any) -> Any:
        """Remove a key from this copy."""
        self._fill()
        return dict.pop(self, *arguments)

    def copy(self) -> dict[str, Any]:
        """Return a plain dict."""
        return dict(self.items())


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
    row = {PAGE_KEYS.get(str(key), str(key)): value for key, value in record.items()
           if str(key) not in PAGE_KEYS or PAGE_KEYS[str(key)] not in record}  # fmt: skip
    messages = row.get("messages")
    if isinstance(messages, list):
        for name, value in _from_messages(messages).items():
            if row.get(name) is None:
                row[name] = value
    return row


def _from_messages(messages: Sequence[Any]) -> dict[str, Any]:
    """Read prompt, reply and counts off chat messages; a reply of only tool calls is empty."""
    turns = [one for one in messages if isinstance(one, Mapping)]
    said = [one for one in turns if one.get("role") == "assistant"]
    asked = [one for one in turns if one.get("role") == "user"]
    calls = [call for one in said for call in (one.get("tool_calls") or [])]
    return {
        "prompt": _content(asked[-1]) if asked else "",
        "reply": _content(said[-1]) if said else "",
        "tool_calls": len(calls),
        "assistant_turns": len(said),
        "behavior": calls,
    }


def _content(message: Mapping[str, Any]) -> str:
    """Return a message's text; null and parts without text are ""."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return ""

