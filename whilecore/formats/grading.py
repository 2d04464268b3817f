"""Which column is the reward, and what its values are as numbers.

Nothing becomes 0 by default. What cannot be read as a reward stays as it is and is told as
unscored by the table; what was read as something else is counted in ``Table.coerced``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from whilecore.formats.recognise import REWARD, Format
from whilecore.formats.tables import Column, ReadError, Table, as_column, inside, reach
from whilecore.rewards import COERCED, rewards
from whilecore.texts import inferred, shown

LETTERS: Final = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
WORDS: Final = {
    "true": 1.0, "false": 0.0, "pass": 1.0, "fail": 0.0, "passed": 1.0, "failed": 0.0,
    "correct": 1.0, "incorrect": 0.0, "yes": 1.0, "no": 0.0, "right": 1.0, "wrong": 0.0,
    "success": 1.0, "failure": 0.0, "resolved": 1.0, "unresolved": 0.0, "solved": 1.0,
    "unsolved": 0.0,
}  # fmt: skip
INSIDE: Final = ("value", "reward", "score", "total", "total_reward")
SURE: Final = REWARD[: REWARD.index("passed")]
PART: Final = re.compile(r"(^|[./_])(reward|score)s?(_func)?($|[./_])|^(reward|score)_", re.I)
NEVER: Final = ("advantage", "advantages", "reward_mean", "reward_std", "k", "n0", "n1")
MOST_PARTS: Final = 50


@dataclass(frozen=True)
class Reward:
    """The reward of every row.

    Attributes:
        values: float64, NaN where there is none.
        reasons: Why a row has none, "" where nothing was there or all is well.
        name: The column, or columns, it was read from; "" if there is none.
        others: Further columns that could be meant.
    """

    values: Any
    reasons: Any
    name: str
    others: tuple[str, ...] = ()


def read_reward(
    table: Table, form: Format, given: str | Sequence[str] | Mapping[str, float] | None
) -> Reward:
    """Find the reward and read it.

    Args:
        table: The flattened file.
        form: The format recognised.
        given: What the user named: a column, several to add up, or columns with weights.

    Raises:
        ReadError: If a named column is not there, or several could be meant and none is named.

    Convention:
        A sum leaves out the parts that are null, as a reward function that abstains; a row where
        all parts are null is unscored. A list of numbers is one reward per token and is added up.
    """
    if given is not None:
        weights = _weights(given)
        columns = [reach(table, name) for name in weights]
        return _summed(table, columns, weights)
    found = candidates(table, form)
    if not found:
        n = len(table)
        return Reward(np.full(n, np.nan), np.full(n, "", object), "")
    sure = [name for name in found if _exact(name, table, form)]
    parts = _parts(table, sure[0]) if sure else found
    if len(parts) > 1:
        listed = ", ".join(shown(name, 60) for name in parts)
        two = ", ".join(repr(name) for name in parts[:2])
        raise ReadError(
            f"several columns could be the reward: {listed}. Say which one, such as "
            f"reward={parts[0]!r}, or which to add up, reward=({two})",
            columns=parts,
        )
    name = parts[0]
    chosen = _summed(table, [reach(table, name)], {name: 1.0})
    others = tuple(one for one in found if one not in (name, *sure[:1]))
    return Reward(chosen.values, chosen.reasons, name, others)


def _weights(given: str | Sequence[str] | Mapping[str, float]) -> dict[str, float]:
    """Return columns with their weights."""
    if isinstance(given, str):
        return {given: 1.0}
    if isinstance(given, Mapping):
        return {str(name): float(weight) for name, weight in given.items()}
    weights = {str(name): 1.0 for name in given}
    if not weights:
        raise ReadError("reward must name a column or several to add up, got none of either")
    return weights


def candidates(table: Table, form: Format) -> list[str]:
    """Return the columns that could hold the reward, the surest first."""
    names = [name for name in (table.metric, *form.reward, *REWARD) if name in table]
    parts = [name for name in table.columns if PART.search(name) and name in table]
    found = list(dict.fromkeys([*names, *parts])) or inside(table, SURE)
    return [
        name for name in found
        if name not in NEVER and (_exact(name, table, form) or _readable(reach(table, name)))
    ]  # fmt: skip


def _exact(name: str, table: Table, form: Format) -> bool:
    """Tell whether a name says by itself that this is the reward of the row."""
    return name in (table.metric, *form.reward, *SURE)


def _readable(column: Column) -> bool:
    """Tell whether most of what a column holds can be read as a reward."""
    if column.dtype.kind in "iufb":
        return True
    cells = [one for one in column.to_numpy(object)[:2000] if one is not None and one == one]
    values, _, _ = _numbers(as_column(cells), letters=False)
    return bool(cells) and bool(np.isfinite(values).mean() > 0.5)


def _parts(table: Table, name: str) -> list[str]:
    """Return a column of mappings as its parts: one name per key under which numbers stand."""
    cells = table.cells(name)
    mappings = [one for one in cells[:2000] if isinstance(one, Mapping)]
    if not mappings or any(key in mappings[0] for key in INSIDE):
        return [name]
    keys = list(dict.fromkeys(key for one in mappings for key in one))[:MOST_PARTS]
    parts = []
    for key in keys:
        inner = [one[key] for one in mappings if one.get(key) is not None]
        if inner and isinstance(inner[0], Mapping) and not any(k in inner[0] for k in INSIDE):
            parts += [f"{name}.{key}.{more}" for more in inner[0]]
        elif inner:
            parts.append(f"{name}.{key}")
    return parts or [name]


def _summed(table: Table, columns: Iterable[Column], weights: Mapping[str, float]) -> Reward:
    """Read the columns and add them up."""
    read = [_numbers(column) for column in columns]
    for _, _, told in read:
        table.coerced.update(told)
    parts = np.array([values for values, _, _ in read])
    reasons = read[0][1]
    if len(read) == 1 and next(iter(weights.values())) == 1.0:
        return Reward(parts[0], reasons, next(iter(weights)))
    for _, why, _ in read[1:]:
        reasons = np.where(reasons == "", why, reasons)
    known = np.isfinite(parts)
    scale = np.array(list(weights.values()))[:, None]
    total = np.where(known, parts * scale, 0.0).sum(axis=0)
    some = known.any(axis=0)
    if (abstained := int((some & ~known.all(axis=0)).sum())) > 0:
        table.notes.append(f"{abstained} rows have no value in some reward column; there the sum "
                           "is over the others")  # fmt: skip
    name = " + ".join(key if w == 1 else f"{w:g} × {key}" for key, w in weights.items())
    return Reward(np.where(some, total, np.nan), np.where(some, "", reasons), name)


def _numbers(column: Column, letters: bool = True) -> tuple[Any, Any, dict[str, int]]:
    """Read a column as rewards: values, reasons, and what was read as something else."""
    told: dict[str, int] = {}
    infinite = np.full(len(column), "", object)
    if column.dtype == object:  # NaN written out is no null
        infinite[[isinstance(one, float) and one != one for one in column.array]] = "not finite"
    if column.dtype == object or isinstance(column.dtype, pd.StringDtype):
        typed = inferred(column.to_numpy(object))
        if typed.dtype.kind in "iufb":
            column = typed
        else:
            column = _plain(column, told, letters)
    values, why = rewards(column)
    if count := int((why == COERCED).sum()):
        told["rewards were text and read as numbers"] = count
    why = np.where(why == COERCED, "", why)
    return values, np.where(why == "", infinite, why), told


def _plain(column: Column, told: dict[str, int], letters: bool) -> Column:
    """Replace letter grades, words, mappings and lists by the number they stand for."""
    cells = [_unwrapped(one, told) for one in column.to_numpy(object)]
    said = [one.strip() if isinstance(one, str) else "" for one in cells]
    texts = set(said) - {""}
    if letters and texts and texts <= LETTERS.keys():
        known: Mapping[str, float] = LETTERS
        name = "letter grades (C 1, P 0.5, I and N 0)"
    else:  # beside PASS and FAIL may stand ERROR, which is neither
        known = {text: WORDS[text.lower()] for text in texts if text.lower() in WORDS}
        name = "words for pass and fail"
    count = sum(one in known for one in said)
    if 2 * count > sum(bool(one) for one in said):
        told[f"rewards were {name}"] = count
        cells = [known.get(text, one) for text, one in zip(said, cells, strict=True)]
    return as_column(cells)


def _unwrapped(value: Any, told: dict[str, int]) -> Any:
    """Take the number out of a mapping, and add up a list of one number per token."""
    if isinstance(value, Mapping):
        key = next((key for key in INSIDE if key in value), None)
        if key is None:
            return value
        told["rewards stood inside a mapping"] = told.get("rewards stood inside a mapping", 0) + 1
        return _unwrapped(value[key], told)
    if isinstance(value, list | np.ndarray) and len(value):
        numbers = [one for one in value if one is not None]
        if numbers and all(isinstance(one, int | float | np.number) for one in numbers):
            name = "rewards were lists, one number per token, and added up"
            told[name] = told.get(name, 0) + 1
            return sum(numbers)
    return value
