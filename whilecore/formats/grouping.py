"""Which rows are tries of one task: never told by position where a key exists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy.typing as npt
import pandas as pd

from whilecore.formats.chat import Chat
from whilecore.formats.keys import (
    OPENING,
    PROMPTS,
    QUESTION,
    Key,
    Sizes,
    chats_of,
    key_of,
    varies,
)
from whilecore.formats.offers import single_rows
from whilecore.formats.recognise import ROLLOUT_ID, SCOPE, STEP, TASK, Format
from whilecore.formats.tables import ReadError, Table, inside
from whilecore.formats.turns import AGREE, agreement, differs_inside, runs
from whilecore.texts import shown

COUNTERS: Final = ("step", "iteration")  # of a training, or of the turns of one rollout


def choose_task(
    table: Table,
    form: Format,
    given: str | Sequence[str] | None,
    step: str | bool | None,
    reward: npt.NDArray[Any],
) -> tuple[Key, dict[str, Sizes], list[str]]:
    """Find the task key.

    Returns:
        The key, the group sizes of the other columns that could be meant, and the names of the
        columns that stand for the step or the scope in it.

    Raises:
        ReadError: If no column can be it, or the one that should makes over 90 % of groups a
            single row; the message and the error's ``group_sizes`` offer the others.
    """
    named = None if given is None else (given,) if isinstance(given, str) else tuple(given)
    found = _candidates(table, form)
    if named is None and not found:
        have = ", ".join(shown(name, 40) for name in list(table.columns)[:30]) or "none"
        raise ReadError(
            f"no column says which rows are tries of the same task (columns: {have}); name it: "
            "task='column'. Rows are never grouped by their position",
            columns=table.columns,
        )
    last = named or (found[0],)
    prefix = _prefix(table, form, last, step, reward)
    key = key_of(table, (*prefix, *last))
    if named is None and key.singles:
        key, prefix = _grouped_after_all(table, form, found, prefix, key)
    elif named is None and not form.many_prompts:
        key = _told_apart(table, last, prefix, key)
    own = set(last)
    shown_too = [name for name in found[:5] if name not in own and name != QUESTION]
    others = {name: key_of(table, [name]).sizes for name in shown_too}
    return key, others, list(prefix)


def _told_apart(table: Table, last: tuple[str, ...], prefix: tuple[str, ...], key: Key) -> Key:
    """Make the prompt part of the key where an id stands for several prompts, each with tries.

    A prompt that differs in every try is something else: a path or a date in it.
    """
    if last[-1] in PROMPTS or last[-1] == QUESTION:
        return key
    prompt = next((name for name in (*PROMPTS, QUESTION) if name in table), "")
    if not prompt:
        return key
    both = key_of(table, (*prefix, *last, prompt))
    pairs = pd.DataFrame({"key": key.codes, "both": both.codes})[both.codes >= 0]
    tries = pairs.groupby(["key", "both"], sort=False).size()
    several = tries[tries.groupby(level="key").transform("size") > 1]
    if not len(several) or float((several > 1).mean()) <= 0.5:
        return key
    reused = several.index.get_level_values("key").nunique()
    table.notes.append(
        f"{reused} values of {key.name!r} stand for several prompts, as ids that start anew do; "
        f"the prompt is part of the key. Take task={last[-1]!r} to pool them"
    )
    return both


def _candidates(table: Table, form: Format) -> list[str]:
    """Return the columns that could name the task, the surest first."""
    names = dict.fromkeys((*form.task, *TASK))
    half = len(table) / 2
    there = {
        name: int(table.columns[name].notna().sum()) for name in names
        if name in table
        and not (name == "messages" and "prompt" in form.task and "prompt" in table)
    }  # fmt: skip
    mostly = [name for name, count in there.items() if count > half]
    return mostly or inside(table, TASK) or list(there)


def _prefix(
    table: Table,
    form: Format,
    last: tuple[str, ...],
    step: str | bool | None,
    reward: npt.NDArray[Any],
) -> tuple[str, ...]:
    """Return the columns inside which a task may come back as another group."""
    scopes = _scopes(table, form, last)
    if isinstance(step, str):
        return (*scopes, step)
    if step is False:
        return scopes
    steps = [
        name for name in STEP
        if name not in last and name not in form.rollout and varies(table, name)
        and not (name == "epoch" and _counts_tries(table, name, last))
        and not _counts_turns(table, name, last, reward)
    ]  # fmt: skip
    return (*scopes, *steps)


def _counts_turns(table: Table, name: str, last: tuple[str, ...], reward: npt.NDArray[Any]) -> bool:
    """Tell whether a column numbers the rows of one rollout and not the steps of a training."""
    if name not in COUNTERS:
        return False
    codes, counted = key_of(table, last).codes, key_of(table, [name]).codes
    for one in ROLLOUT_ID:
        if one in table:
            pair = pd.factorize(codes * len(table) + key_of(table, [one]).codes)[0]
            if agreement(pair, reward) >= AGREE and differs_inside(pair, counted):
                return True
    parts = runs(codes, table.columns[name])
    if parts is None or int(parts.max()) <= int(codes.max()):  # no task starts over
        return False
    return agreement(parts, reward) >= AGREE


def _scopes(table: Table, form: Format, last: tuple[str, ...]) -> tuple[str, ...]:
    """Return columns that differ while a short id under them comes back: ids start anew there."""
    fixed = [name for name in form.scope if name not in last and varies(table, name)]
    if form.scope or last[-1] in PROMPTS or last[-1] in (QUESTION, OPENING):
        return tuple(fixed)
    alone = key_of(table, last)
    for name in SCOPE:
        if name in last or not varies(table, name):
            continue
        both = key_of(table, (name, *last))
        if both.labels.size > alone.labels.size and not (both.singles and not alone.singles):
            fixed.append(name)
    return tuple(fixed)


def _counts_tries(table: Table, name: str, last: tuple[str, ...]) -> bool:
    """Tell whether a column numbers the tries of a task: with it, every group is a single row."""
    return key_of(table, (name, *last)).singles and not key_of(table, last).singles


def _grouped_after_all(
    table: Table, form: Format, found: list[str], prefix: tuple[str, ...], key: Key
) -> tuple[Key, tuple[str, ...]]:
    """Try what the format allows where its key makes single rows; else stop and offer the rest."""
    if found[0] == QUESTION and any(
        isinstance(one, Chat) and one.split != one.opening for one in chats_of(table, QUESTION)
    ):
        opening = key_of(table, (*prefix, OPENING))
        if not opening.singles:
            table.notes.append("later questions differ between tries, so the task is told by the "
                               "messages before the first answer")  # fmt: skip
            return opening, prefix
    for name in found[1:] if form.falls_back else ():
        other = key_of(table, (*prefix, name))
        if not other.singles:
            table.notes.append(f"{found[0]!r} is another for every row, so the task is told by "
                               f"{name!r}")  # fmt: skip
            return other, prefix
    error = single_rows(table, found, prefix, key)
    if len(table) > 2 or error.group_sizes:  # of two rows alone nothing can be said
        raise error
    return key, prefix
