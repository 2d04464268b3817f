"""What to offer when a key makes every group a single row."""

from __future__ import annotations

from typing import Final

import numpy as np

from whilecore.formats.keys import PROMPTS, Key, Sizes, key_of, told
from whilecore.formats.recognise import REPLY, REWARD, ROLLOUT, TURN
from whilecore.formats.tables import RANDOM_TEXT, ReadError, Table
from whilecore.texts import shown

MASKS: Final = " (the ~ masks paths, dates, random ids and, behind an id, the number of the try)"


def single_rows(table: Table, found: list[str], prefix: tuple[str, ...], key: Key) -> ReadError:
    """Return the error that offers the other keys with their group sizes."""
    offers = _offers(table, found, prefix, key)
    sizes = key.sizes
    head = (
        f"by {key.name!r}, {sizes.get(1, 0)} of {sum(sizes.values())} groups hold a single row: "
        "nothing to compare. A column that is another for every try cannot be the task. "
    )
    if offers:
        listed = "; ".join(f"{shown(name, 60)}: {told(one)}" for name, one in offers.items())
        first = next(iter(offers))
        ask = "step=False" if first.startswith("without ") else f"task={first!r}"
        more = MASKS if any(name.endswith(RANDOM_TEXT) for name in offers) else ""
        tail = f"Other keys give: {listed}{more}. Choose one, such as {ask}"
    else:
        tail = "No other column groups the rows either"
    own = key.name.split(" + ")[-1]
    return ReadError(f"{head}{tail}; or take task={own!r} to keep single rows", group_sizes=offers)


def _offers(table: Table, found: list[str], prefix: tuple[str, ...], key: Key) -> dict[str, Sizes]:
    """Return group sizes of every key that does group the rows, the most telling first."""
    offers: dict[str, Sizes] = {}
    names = list(dict.fromkeys([*found, *_keylike(table)]))
    for name in [name for name in names if name not in prefix]:
        one = key_of(table, (*prefix, name))
        if not one.singles and one.name != key.name and one.labels.size:
            offers[name] = one.sizes
    for name in [name for name in found if name not in offers]:
        one = key_of(table, (*prefix, name + RANDOM_TEXT))
        if not one.singles and (name in PROMPTS or one.labels.size > 1):
            offers[name + RANDOM_TEXT] = one.sizes
    if prefix:
        alone = key_of(table, key.name.split(" + ")[len(prefix) :])
        if not alone.singles:
            offers[f"without {' and '.join(prefix)} (pools them)"] = alone.sizes
    one_group = [name for name, sizes in offers.items() if sum(sizes.values()) == 1]
    order = [*(name for name in offers if name not in one_group), *one_group]
    return {name: offers[name] for name in order[:8]}


def _keylike(table: Table) -> list[str]:
    """Return further columns that could be a key: text or whole numbers, not too long."""
    names, never = [], {*REWARD, *REPLY, *ROLLOUT, *TURN, "stop_reason", "finish_reason", "error"}
    for name, column in table.columns.items():
        if name in never or name.startswith(("target", "answer", "reference", "gold")):
            continue
        first = next((one for one in column.array[:100] if one is not None and one == one), None)
        short = isinstance(first, str) and len(first) <= 200
        if short or (isinstance(first, int | np.integer) and not isinstance(first, bool)):
            names.append(name)
    return names[:60]
