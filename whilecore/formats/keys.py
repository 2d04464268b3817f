"""Keys: columns numbered, so that rows with the same value belong together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np
import pandas as pd

from whilecore.formats.chat import Chat, canonical, content, is_chat, read_chat, role
from whilecore.formats.tables import RANDOM_TEXT, Column, Ints, Objects, Table, as_column, reach
from whilecore.texts import text, whole

SINGLES: Final = 0.9
PROMPTS: Final = ("prompt", "question", "input", "instruction", "query", "problem", "input_prompt")
OPENING: Final = "messages before the first answer"
QUESTION: Final = "messages"
MASKED: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # a UUID
    r"|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"  # a date
    r"|\b\d\d:\d\d:\d\d(?:\.\d+)?\b"  # a time
    r"|(?:[A-Za-z]:)?(?:[/\\][\w.@~+-]+){2,}[/\\]?"  # a path
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b",  # a hash
    re.IGNORECASE,
)
COUNTED: Final = re.compile(r"(?<=\w)[#_:@./-]+\d+$")  # the number of a try behind a task's id
Sizes = dict[int, int]


@dataclass(frozen=True)
class Key:
    """Which task every row belongs to.

    Attributes:
        codes: Whole number per row, −1 where the row names no task.
        labels: Text per code.
        name: The column, or columns, it was made of.
    """

    codes: Ints
    labels: Objects
    name: str

    @property
    def sizes(self) -> Sizes:
        """How many groups there are of each size."""
        return histogram(self.codes)

    @property
    def singles(self) -> bool:
        """Whether over nine groups in ten hold one row, of two rows at least."""
        counts = np.bincount(self.codes[self.codes >= 0])
        groups = int((counts > 0).sum())
        return groups > 1 and int((counts == 1).sum()) > SINGLES * groups


def histogram(codes: Ints) -> Sizes:
    """Count groups by size: {4: 16} is sixteen groups of four."""
    counts = np.bincount(codes[codes >= 0])
    sizes, groups = np.unique(counts[counts > 0], return_counts=True)
    return {int(size): int(n) for size, n in zip(sizes, groups, strict=True)}


def told(sizes: Sizes, most: int = 6) -> str:
    """Write a histogram as a sentence.

    >>> told({4: 15, 3: 1})
    '1 group of 3, 15 groups of 4'
    """
    common = sorted(sorted(sizes, key=lambda size: -sizes[size])[:most])
    parts = [f"{sizes[size]} group{'s' * (sizes[size] != 1)} of {size}" for size in common]
    if left := sum(n for size, n in sizes.items() if size not in common):
        parts.append(f"{left} of other sizes")
    return ", ".join(parts) or "no groups"


def key_of(table: Table, names: Sequence[str]) -> Key:
    """Make the key of one column, or of several together.

    Convention:
        1, 1.0 and "1" are one task; a list of messages is compared as JSON without regard to the
        order of its keys. Where several columns make the key, all but the last stand in front of
        the label: "step 40 · Where is ORD-7?".
    """
    codes, labels = coded(table, names[-1])
    for name in reversed(names[:-1]):
        more, heads = coded(table, name)
        if (more < 0).any():
            more, heads = np.where(more < 0, len(heads), more), np.append(heads, "none")
        pairs = np.where((codes < 0) | (more < 0), -1, more * (len(labels) + 1) + codes)
        new, uniques = pd.factorize(pairs)
        kept = uniques >= 0
        fresh = np.where(pairs < 0, -1, (np.cumsum(kept) - 1)[new]) if len(uniques) else new
        head, tail = np.divmod(uniques[kept], len(labels) + 1)
        short = name.rsplit(".", 1)[-1]
        labels = np.array([f"{short} {heads[one]} · {labels[two]}"
                           for one, two in zip(head, tail, strict=True)], object)  # fmt: skip
        codes = fresh.astype(np.int64)
    return Key(codes, labels, " + ".join(names))


def coded(table: Table, name: str) -> tuple[Ints, Objects]:
    """Number the distinct values of a column as text, −1 for nothing; kept with the table."""
    if name not in table.coded:
        codes, labels = _coded(_cells(table, name))
        table.coded[name] = (codes, _readable(labels))
    return table.coded[name]


def _readable(labels: Objects) -> Objects:
    """Replace messages by the words of the last question, where that still tells them apart."""
    if not any(str(label).startswith("[{") for label in labels[:1]):
        return labels
    words = [_question(str(label)) for label in labels]
    if len(set(words)) < len(words):
        return labels
    return np.array(words, object)


def _question(label: str) -> str:
    """Return the last question in a list of messages written as JSON; the label if none."""
    try:
        messages = msgspec.json.decode(label)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return label
    if not is_chat(messages):
        return label
    asked = [content(one) for one in messages if role(one) == "user"]
    return asked[-1] if asked and asked[-1] else label


def _coded(column: Column) -> tuple[Ints, Objects]:
    """Number the distinct values as text, −1 for nothing."""
    column = whole(column)
    missing = np.array(column.isna(), np.bool_)
    if column.dtype.kind not in "iub" or missing.any():
        column = text(column)
        missing |= (column == "").to_numpy(np.bool_)
    codes, uniques = pd.factorize(column)
    labels = text(pd.Series(uniques)).to_numpy(object)
    if not missing.any():
        return codes.astype(np.int64), labels
    out = np.full(len(codes), -1, np.int64)
    used, out[~missing] = np.unique(codes[~missing], return_inverse=True)
    return out, labels[used]


def _cells(table: Table, name: str) -> Column:
    """Return a column as values that can be compared."""
    if name == OPENING:
        return as_column(_part(one, opening=True) for one in chats_of(table, QUESTION))
    if name.endswith(RANDOM_TEXT) and name not in table.columns:
        plain = _cells(table, name.removesuffix(RANDOM_TEXT))
        codes, uniques = pd.factorize(text(plain))
        own = name.removesuffix(RANDOM_TEXT)
        plainly = [str(one) if own in PROMPTS else COUNTED.sub("…", str(one)) for one in uniques]
        masked = np.array([MASKED.sub("…", one) for one in plainly], object)
        return as_column(masked[codes])
    column = reach(table, name)
    if column.dtype != object:
        return column
    if name == QUESTION:
        return as_column(_part(one, opening=False) for one in chats_of(table, QUESTION))
    return as_column(
        canonical(one) if isinstance(one, list | dict) else one for one in column.to_numpy(object)
    )


def chats_of(table: Table, name: str) -> list[Any]:
    """Read a column of messages, once: a ``Chat`` per row, and the cell itself where it is none."""
    if name not in table.chats:
        masks = table.cells("loss_mask")
        table.chats[name] = [
            read_chat(one, mask=mask) if is_chat(one) else one
            for one, mask in zip(table.cells(name), masks, strict=True)
        ]
    return table.chats[name]


def _part(chat: Any, *, opening: bool) -> Any:
    """Return the prompt part of a talk as text."""
    if not isinstance(chat, Chat):
        return canonical(chat) if isinstance(chat, list | dict) else chat
    return canonical(chat.messages[: chat.opening if opening else chat.split])


def varies(table: Table, name: str) -> bool:
    """Tell whether a column holds at least two values."""
    if name not in table:
        return False
    return int(coded(table, name)[1].size) > 1
