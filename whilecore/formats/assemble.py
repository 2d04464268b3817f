"""Put the table of rollouts together: the file's own columns under the names used here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from whilecore.columns import COUNTS, FLAGS
from whilecore.formats.chat import Chat, canonical, content, is_chat, read_chat, role
from whilecore.formats.failures import error_text, failures, flags, is_flag
from whilecore.formats.grading import Reward
from whilecore.formats.keys import PROMPTS, Key, chats_of
from whilecore.formats.recognise import REPLY, Format
from whilecore.formats.tables import Column, Table, as_column, reach
from whilecore.formats.unpack import LENGTH_STOPS
from whilecore.texts import as_text, inferred, shown, strings

DISPLACED: Final = "_in_file"
REFERENCES: Final = (
    "reference", "gold", "ground_truth", "gold_answer", "reference_answer", "expected_answer",
    "expected", "gts", "target", "answer",
)  # fmt: skip
STOPS: Final = (
    "finish_reason", "stop_reason", "stop_condition", "termination_reason", "exit_reason",
)  # fmt: skip


def reply_column(table: Table, form: Format, given: str | None) -> str:
    """Return the column that holds the reply, "" if there is none.

    Raises:
        ReadError: If a named column is not there.
    """
    if given is not None:
        reach(table, given)
        return given
    return next((name for name in (*form.reply, *REPLY) if name in table), "")


def assemble(
    table: Table, form: Format, key: Key, reward: Reward, reply: str, rollout: str
) -> pd.DataFrame:
    """Return the frame that ``Rollouts.from_frame`` checks.

    Args:
        table: The flattened file, one row per rollout, every row with a task.
        form: The format recognised.
        key: The task of every row.
        reward: The reward of every row.
        reply: Column of the reply, "" for none.
        rollout: Column that counts the tries, "" for none.

    Convention:
        A column of the file that has one of our names and means something else is kept under its
        name with ``_in_file`` behind it.
    """
    own: dict[str, Any] = {"task": strings(key.labels[key.codes])}
    counted = table.columns.get(rollout)
    _words(table, reply, own)
    own["reward"] = np.asarray(reward.values, np.float64)
    if counted is not None and rollout != "rollout":
        own["rollout"] = counted
    own |= failures(table, reward)
    own |= _endings(table)
    own |= _reference(table)
    frame = dict(own)
    for name, column in table.columns.items():
        if name not in own:
            frame[name if _fits(table, name, column) else name + DISPLACED] = column
        elif name + DISPLACED not in table.columns and not _same(name, column, reward, key, reply):
            frame[name + DISPLACED] = column
    return pd.DataFrame({name: _typed(column) for name, column in frame.items()})


def _typed(column: Any) -> Any:
    """Number the rows anew, and find the type of a column of objects where it has one."""
    if not isinstance(column, pd.Series):
        return column
    column = column.reset_index(drop=True)
    return inferred(column) if column.dtype == object else column


def _same(name: str, column: Column, reward: Reward, key: Key, reply: str) -> bool:
    """Tell whether a file's own column is the one that was taken, so that nothing is lost."""
    taken = {"task": key.name == "task", "reward": reward.name == "reward",
             "reply": reply == "reply"}  # fmt: skip
    return taken.get(name, name not in ("rollout", "prompt"))


def _words(table: Table, reply: str, own: dict[str, Any]) -> None:
    """Read prompt, reply, tool calls and messages of every row."""
    asked = next((name for name in PROMPTS if name in table and name != reply), "")
    if reply and "." in reply and reply not in table.columns:
        own["reply"] = reach(table, reply).map(_plain_text)
        reply = ""
    said = table.cells(reply) if reply else None
    asks = table.cells(asked) if asked else None
    chats = [one for one in (said, asks) if one is not None]
    if any(is_chat(cell) for cells in chats for cell in cells):
        _chats(table, reply, asks, own)
    else:
        if said is not None and reply != "reply":
            own["reply"] = table.columns[reply].map(_plain_text, na_action="ignore")
        if asks is not None and asked != "prompt":
            own["prompt"] = table.columns[asked].map(_plain_text, na_action="ignore")
    for name in {reply, asked} - {"", "reply"}:
        if name in own or name not in ("prompt", "messages"):  # read, so it need not be there twice
            del table.columns[name]


def _plain_text(cell: Any) -> Any:
    """Return a reply as text; a list of one is that one."""
    if isinstance(cell, list) and len(cell) == 1:
        cell = cell[0]
    if isinstance(cell, Mapping) and role(cell):
        return content(cell)
    return canonical(cell) if isinstance(cell, list | dict) else cell


def _chats(table: Table, reply: str, asks: Any, own: dict[str, Any]) -> None:
    """Read rows of chat messages: prompt and reply apart, or all in one list."""
    shared: dict[str, list[Any]] = {}
    said, masks = table.cells(reply), table.cells("loss_mask")
    if asks is None:
        read = [one if isinstance(one, Chat) else _chat(one, None, None, shared)
                for one in chats_of(table, reply)]  # fmt: skip
    else:
        read = [_chat(*one, shared) for one in zip(said, asks, masks, strict=True)]
    own["messages"] = as_column(one.messages if isinstance(one, Chat) else None for one in read)
    own["reply"] = as_column(one.reply if isinstance(one, Chat) else one for one in read)
    prompts = [one.prompt if isinstance(one, Chat) else None for one in read]
    texts = asks is not None and all(one is None or isinstance(one, str) for one in asks)
    if any(one is not None for one in prompts):
        own["prompt"] = as_column(asks if texts else prompts)
    chats = [one if isinstance(one, Chat) else None for one in read]
    own["prompt_turns"] = as_column(None if one is None else one.split for one in chats)
    if "tool_calls" not in table.columns:
        own["tool_calls"] = as_column(None if one is None else len(one.calls) for one in chats)
        own["behavior"] = as_column(None if one is None else canonical(one.calls) for one in chats)
    if "assistant_turns" not in table.columns:
        own["assistant_turns"] = as_column(None if one is None else one.turns for one in chats)


def _chat(said: Any, ask: Any, mask: Any, shared: dict[str, list[Any]]) -> Chat | str | None:
    """Read one row; a reply without any messages around it is its text."""
    if is_chat(said) and ask is None:
        return read_chat(said, mask=mask)
    before = _as_messages(ask, "user")
    after = _as_messages(said, "assistant")
    if before is None or after is None:
        return None if said is None else as_text(_plain_text(said))
    if is_chat(said) and said[: len(before)] == before:  # the list holds the prompt as well
        before, after = said[: len(before)], said[len(before) :]
    elif is_chat(said) and any(role(one) in ("user", "system") for one in said[:1]):
        return read_chat(said, mask=mask)
    before = shared.setdefault(canonical(before), before)
    return read_chat([*before, *after], split=len(before))


def _as_messages(value: Any, who: str) -> list[Any] | None:
    """Return a cell as messages: a list of them as it is, a text as one of its speaker."""
    if is_chat(value):
        return list(value)
    if isinstance(value, str):
        return [{"role": who, "content": value}]
    return None


def _endings(table: Table) -> dict[str, Any]:
    """Mark rollouts that were cut by a limit of length."""
    for name in ("is_truncated", "was_truncated"):
        if name in table and "truncated" not in table.columns and is_flag(table.columns[name]):
            return {"truncated": flags(table.columns[name])}
    if "truncated" in table.columns:
        return {}
    for name in STOPS:
        if name in table:
            said = [as_text(one).strip().lower() for one in table.cells(name)]
            return {"truncated": np.isin(np.array(said, object), LENGTH_STOPS)}
    return {}


def _reference(table: Table) -> dict[str, Any]:
    """Return the reference answer under one name; a column that is blank throughout is none."""
    for name in REFERENCES:
        if name in table:
            said = [
                error_text(one) if isinstance(one, list | dict) else one
                for one in table.cells(name)
            ]
            blank = all(one is None or one == "" for one in said)
            return {} if blank or name == "reference" else {"reference": as_column(said)}
    return {}


def _fits(table: Table, name: str, column: Column) -> bool:
    """Tell whether a column with one of our names holds what we mean by it; say so if not."""
    if name in FLAGS and not is_flag(column):
        table.notes.append(f"column {shown(name)!r} holds more than yes and no, so it is kept as "
                           f"{name + DISPLACED!r}")  # fmt: skip
        return False
    if name in COUNTS and column.dtype.kind not in "iuf":
        good = all(_countable(one) for one in column.array)
        if not good:
            table.notes.append(f"column {name!r} holds more than counts, so it is kept as "
                               f"{name + DISPLACED!r}")  # fmt: skip
        return good
    return True


def _countable(cell: Any) -> bool:
    """Tell whether a cell can be a count: a number, a list to count, or nothing."""
    if cell is None or isinstance(cell, list):
        return True
    try:
        return float(cell) == float(cell) or isinstance(cell, float)
    except (TypeError, ValueError, OverflowError):
        return False
