"""All tries of a task in one row: a list of replies beside a list of rewards, or a list of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from whilecore.formats.chat import is_chat
from whilecore.formats.recognise import REPLY, REWARD, TASK
from whilecore.formats.tables import LOOKED_AT, Table, as_column
from whilecore.formats.unpack import explode

REPLIES: Final = (
    "replies", "responses", "completions", "outputs", "generations", "predictions", "answers",
    "solutions", "candidates", "samples", "rollouts", "tries", "attempts", *REPLY,
)  # fmt: skip
GRADES: Final = ("rewards", "scores", "grades", "labels", "passes", "is_corrects", *REWARD)
TURNS: Final = ("steps", "turns", "traces", "events", "trajectory", "messages", "conversation")


def spread(table: Table) -> bool:
    """Make a row of every try where a row holds all tries of its task.

    Returns:
        Whether there was anything to spread.

    Convention:
        A list of numbers is one reward per try if a list of as many replies stands beside it in
        every row; else it is one reward per token. Where nothing names the task, every row of the
        file is one.
    """
    names = _objects(table) or _parallel(table)
    if not names:
        return False
    before = len(table)
    if len(names) == 1:
        _open(table, names[0])
    else:
        explode(table, *names)
        for name, usual, known in zip(names, ("reward", "reply"), (REWARD, REPLY), strict=True):
            if name not in known and usual not in table.columns:
                table.columns[usual] = table.columns.pop(name)
    if not any(name in table for name in TASK):
        table.columns["task"] = as_column(int(line) for line in table.lines)
    table.notes.append(f"every row holds all tries of a task ({', '.join(names)}): "
                       f"{before} rows are {len(table)} tries")  # fmt: skip
    return True


def _objects(table: Table) -> tuple[str, ...]:
    """Return the column that holds lists of tries, each with its reward."""
    for name in table.columns:
        cells = [one for one in table.cells(name)[:LOOKED_AT] if one is not None]
        if name not in TURNS and cells and all(map(_is_tries, cells)):
            return (name,)
    return ()


def _is_tries(cell: Any) -> bool:
    """Tell whether a cell is a list of mappings with a reward in each."""
    return (
        isinstance(cell, list) and bool(cell) and not is_chat(cell)
        and all(isinstance(one, Mapping) and not one.keys().isdisjoint(REWARD) for one in cell)
    )  # fmt: skip


def _parallel(table: Table) -> tuple[str, ...]:
    """Return a column of lists of rewards and one of lists of as many replies."""
    for grade in (name for name in GRADES if name in table):
        rewards = table.cells(grade)
        if not all(isinstance(one, list) for one in rewards):
            continue
        for reply in (name for name in REPLIES if name in table and name != grade):
            said = table.cells(reply)
            if all(isinstance(one, list) and not is_chat(one) and len(one) == len(many)
                   for one, many in zip(said, rewards, strict=True)):  # fmt: skip
                return grade, reply
    return ()


def _open(table: Table, name: str) -> None:
    """Make one row of every mapping in a column of lists; what it holds becomes columns."""
    explode(table, name)
    tries = table.cells(name)
    del table.columns[name]
    for key in dict.fromkeys(key for one in tries for key in one or ()):
        table.columns[str(key)] = as_column((one or {}).get(key) for one in tries)
