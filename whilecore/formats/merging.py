"""One rollout in several rows is one rollout: its turns and parts share one reward."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore.formats.chat import canonical
from whilecore.formats.grading import Reward
from whilecore.formats.keys import Key, key_of
from whilecore.formats.recognise import ROLLOUT, ROLLOUT_ID, STEP, TURN, Format
from whilecore.formats.tables import Ints, Table
from whilecore.formats.turns import AGREE, agreement, runs

ANY: Final = ("truncated", "is_truncated", "leak")  # true of a rollout if true of one of its rows
OWN_IDS: Final = ("uuid", "id", "sample_id", "request_id", "row_id", "uid", *ROLLOUT_ID)
Bools = npt.NDArray[np.bool_]


def rollout_parts(
    table: Table, form: Format, key: Key, reward: Reward, given: str | bool | None
) -> tuple[Ints | None, str]:
    """Number the rollouts where a file writes one in several rows.

    Args:
        table: The flattened file.
        form: The format recognised.
        key: The task of every row.
        reward: The reward of every row.
        given: The column the user named; False joins nothing.

    Returns:
        One number per row and the column it comes from; None where every row is a rollout.

    Convention:
        A column that tells rollouts apart is believed if the rows it joins share their reward (or
        only the last is graded): some programs give all tries of a batch one such id. Without
        one, turns that start over begin a new rollout.
    """
    if given is False:
        return None, ""
    if isinstance(given, str):
        parts = joined(table, key.codes, given)
        return (parts if _repeats(parts) else None), given
    for name in ROLLOUT_ID:
        if name not in table or not _repeats(parts := joined(table, key.codes, name)):
            continue
        if agreement(parts, reward.values) >= AGREE:
            return parts, name
        table.notes.append(f"rows that share {name!r} have different rewards, so it is not taken "
                           f"for the rollout; take rollout={name!r} to join them")  # fmt: skip
    for name in (*TURN, STEP[0]):
        counter = runs(key.codes, table.columns[name]) if name in table else None
        if counter is not None and name not in (*form.rollout, *key.name.split(" + ")):
            return counter, f"where {name!r} starts over"
    return None, ""


def joined(table: Table, codes: Ints, name: str) -> Ints:
    """Number the pairs of task and rollout id; a row without an id stands alone."""
    ids = key_of(table, [name])
    pairs = np.where(ids.codes < 0, -1 - np.arange(len(table)),
                     ids.codes * (int(codes.max(initial=0)) + 2) + codes + 1)  # fmt: skip
    return pd.factorize(pairs)[0].astype(np.int64)


def _repeats(parts: Ints) -> bool:
    return bool(len(parts)) and int(parts.max()) + 1 < len(parts)


def merge(table: Table, key: Key, reward: Reward, parts: Ints, name: str) -> tuple[Key, Reward]:
    """Keep the last row of every rollout, with the reward its rows agree on.

    Convention:
        Where scored rows of one rollout differ, the last scored one counts, and the report says
        how many rollouts that concerns.
    """
    n = int(parts.max()) + 1
    last = np.empty(n, np.int64)
    last[parts] = np.arange(len(parts))
    values = np.asarray(reward.values, np.float64)
    scored = np.isfinite(values)
    final = last.copy()
    final[parts[scored]] = np.flatnonzero(scored)
    _say_disagreements(table, parts, values, scored)
    for flag in ANY:
        if flag in table:
            given = table.columns[flag]
            yes = given.map(lambda one: one in (1, True, "1", "true", "True")).to_numpy(bool)
            some = np.bincount(parts[yes], minlength=n) > 0
            table.columns[flag] = given.astype(object).where(~(some[parts] & ~yes), True)
    order = np.sort(last)
    where = parts[order]
    new = Reward(values[final[where]], np.asarray(reward.reasons, object)[final[where]],
                 reward.name, reward.others)  # fmt: skip
    table.notes.append(f"{len(parts)} rows are {n} rollouts (told by {name}); each counts once")
    table.take(order)
    return Key(key.codes[order], key.labels, key.name), new


def _say_disagreements(table: Table, parts: Ints, values: Any, scored: Bools) -> None:
    """Count the rollouts whose rows carry different rewards."""
    rewards = pd.Series(values[scored]).groupby(parts[scored]).nunique()
    if differ := int((rewards > 1).sum()):
        table.notes.append(
            f"{differ} rollouts have rows with different rewards; the last one counts. If rewards "
            "are given per turn, add them up before"
        )


def drop_repeats(table: Table, form: Format, key: Key, reward: Reward) -> tuple[Key, Reward]:
    """Drop rows that are the same as an earlier one in every cell, number of the try included.

    Only where a column counts the tries or names them: there, a row that is there twice was written
    twice, as a resumed run does. Two equal replies of two tries are not touched.
    """
    own = key.name.split(" + ")
    counted = [one for one in (*form.rollout, *ROLLOUT) if one in table and one not in own]
    named = [one for one in OWN_IDS if one in table and one not in own
             and 2 * len(key_of(table, [one]).labels) > len(table)]  # fmt: skip
    name = next(iter([*named, *counted]), None)
    if name is None or form.name == "figures":
        return key, reward
    tries = key_of(table, [name])
    pair = key.codes * (len(tries.labels) + 1) + tries.codes
    suspects = np.flatnonzero(pd.Series(pair).duplicated(keep=False).to_numpy())
    if not suspects.size:
        return key, reward
    cells = [table.cells(one)[suspects] for one in table.columns]
    whole = [canonical([str(pair[row]), *values]) for row, *values in
             zip(suspects, *cells, strict=True)]  # fmt: skip
    again = suspects[pd.Series(whole).duplicated().to_numpy()]
    if again.size:
        table.notes.append(f"{again.size} rows are the same as an earlier one, {name} included, as "
                           "a resumed run writes them; each counts once")  # fmt: skip
        keep = np.setdiff1d(np.arange(len(table)), again)
        table.take(keep)
        key = Key(key.codes[keep], key.labels, key.name)
        reward = Reward(reward.values[keep], reward.reasons[keep], reward.name, reward.others)
    if left := suspects.size - again.size - len(np.unique(pair[suspects])):
        table.notes.append(f"{left} further rows have the {name} of another row of their task, as "
                           "retries do; all are kept")  # fmt: skip
    return key, reward
