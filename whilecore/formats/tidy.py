"""Names and cells brought to one form: "Task ID" is task_id, quoted messages are messages."""

from __future__ import annotations

import ast
import re
from typing import Any, Final

import msgspec

from whilecore.formats.chat import is_chat
from whilecore.formats.recognise import (
    FORMATS,
    REPLY,
    REWARD,
    ROLLOUT,
    ROLLOUT_ID,
    SCOPE,
    STEP,
    TASK,
    TURN,
)
from whilecore.formats.tables import Table, as_column
from whilecore.texts import shown

PROMPTS: Final = ("prompt", "question", "input", "instruction", "query", "problem")
KNOWN: Final = {
    *TASK, *REWARD, *REPLY, *ROLLOUT, *ROLLOUT_ID, *TURN, *STEP, *SCOPE,
    *(key for form in FORMATS for key in (*form.needs, *form.any_of)),
    "error", "status", "judge_status", "finish_reason", "stop_reason", "truncated", "leak", "valid",
    "chosen", "rejected", "reference", "gold", "ground_truth", "answer",
}  # fmt: skip
CHATS: Final = ("messages", "prompt", "completion", "conversation", "conversations", "trajectory")
NUMBERS: Final = ("reward", "rewards", "score", "scores", "metrics")
LONGEST: Final = 1_000_000


def tidy(table: Table) -> None:
    """Rename columns whose names are known in another spelling, and open cells that hold JSON."""
    for name in list(table.columns):
        plain = plain_name(name)
        if name not in KNOWN and plain in KNOWN and plain not in table.columns:
            table.columns = {
                plain if one == name else one: column for one, column in table.columns.items()
            }
            table.aliases[name] = plain
    if table.aliases:
        read = ", ".join(f"{shown(name, 40)!r} as {plain!r}"
                         for name, plain in table.aliases.items())  # fmt: skip
        table.notes.append(f"columns are read under their usual names: {read}")
    _read_chats(table)
    for name in (*CHATS, *NUMBERS):
        if name in table.columns and _quoted(table, name):
            cells = [_opened(one, chat=name in CHATS) for one in table.cells(name)]
            table.columns[name] = as_column(cells)


def _read_chats(table: Table) -> None:
    """Take a column of whole conversations for messages, which is what other programs call it."""
    if "messages" in table.columns or any(name in table for name in PROMPTS):
        return
    for name in ("conversations", "conversation"):
        if name in table:
            table.aliases[name] = "messages"
            table.columns = {
                "messages" if one == name else one: column for one, column in table.columns.items()
            }
            return


def plain_name(name: str) -> str:
    """Return a name in lower case with underscores.

    >>> [plain_name(name) for name in ("Task ID", "taskId", " Final-Reward ")]
    ['task_id', 'task_id', 'final_reward']
    """
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s\-]+", "_", split).lower()


def _quoted(table: Table, name: str) -> bool:
    """Tell whether the first cell is a text that looks like a list or a mapping."""
    first = next((one for one in table.cells(name) if one is not None), None)
    starts = "[{" if name in CHATS else ("[", "{")
    return isinstance(first, str) and first.lstrip().startswith(starts)


def _opened(cell: Any, *, chat: bool) -> Any:
    """Read a text as JSON, or as Python writes lists into a CSV; else leave it as it is."""
    if not isinstance(cell, str) or len(cell) > LONGEST:
        return cell
    value: Any = None
    try:
        value = msgspec.json.decode(cell)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        try:
            value = ast.literal_eval(cell)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return cell
    fits = is_chat(value) if chat else isinstance(value, list | dict)
    return value if fits else cell
