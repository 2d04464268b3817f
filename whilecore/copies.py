"""When two rollouts of a task are copies: the same words after the same deeds."""

from __future__ import annotations

import pickle
import unicodedata
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore.streams import label_keys
from whilecore.table import Table
from whilecore.texts import as_text

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Array = npt.NDArray[Any]
Part = tuple[npt.NDArray[np.intp], Any]


class Identity:
    """What tells the copies among the rows of a table, worked out when first asked for.

    ``reply_key`` where given; else the ask, the normalised reply, and what was done: the tool
    calls, the behaviour code, or at least the number of calls. A row whose identity is not known
    is nobody's copy. A judge changes none of it, so graded rollouts share it.

    Args:
        table: The rows.
        codes: What ``codes`` is to return, where that is known already.
    """

    def __init__(self, table: Table, codes: Ints | None = None) -> None:
        """Remember the rows."""
        self._table = table
        if codes is not None:
            self.codes = codes

    @cached_property
    def codes(self) -> Ints:
        """Whole number per row, equal for two rows of a task exactly if they are copies."""
        n = len(self._table)
        codes = np.zeros(n, np.int64)
        for more, uniques in self._parts:
            codes = pd.factorize(codes * (len(uniques) + 1) + more + 1)[0].astype(np.int64)
        return np.where(self._unknown(), n + np.arange(n), codes)

    @cached_property
    def hashes(self) -> Hashes:
        """64-bit key per row made from what was said, so that ties never turn on position.

        A row whose identity is not known is keyed by its rollout number.
        """
        out = np.zeros(len(self._table), np.uint64)
        for codes, uniques in self._parts:
            keys = np.append(label_keys(uniques), np.uint64(0))  # a missing value has code -1
            out = out * np.uint64(0x9E3779B97F4A7C15) + keys[codes]
        return np.where(self._unknown(), self._table["rollout"].astype(np.uint64), out)

    @cached_property
    def _parts(self) -> list[Part]:
        """The codes and the values of each column that counts."""
        return _told(self._table)

    def _unknown(self) -> npt.NDArray[np.bool_]:
        """Mark the rows that do not say what was answered."""
        for name in ("reply_key", "reply"):
            if name in self._table:
                return self._table.missing(name)
        return np.ones(len(self._table), np.bool_)


def _told(table: Table) -> list[Part]:
    """Return the columns of the identity, none if the file holds neither reply_key nor reply."""
    if "reply_key" in table:
        return [_comparable(table["reply_key"])]
    if "reply" not in table:
        return []
    reply = table["reply"]
    parts = [pd.factorize(reply) if table.is_code("reply") else _normalised(reply)]
    if "ask" in table:
        parts.append(pd.factorize(table["ask"]))
    if "steps" in table:
        parts.append(_comparable(table["steps"]))
    else:
        done = [name for name in ("behavior", "tool_calls") if name in table]
        parts += [pd.factorize(table[name]) for name in done[:1]]
    return parts


def _comparable(column: Array) -> Part:
    """Number values of any type; a missing one is -1."""
    if column.dtype == object:
        there = np.flatnonzero(~pd.isna(column))
        told = np.full(len(column), None, dtype=object)
        told[there] = _written(column[there])
        column = told
    return pd.factorize(column)


def _written(values: Array) -> Array:
    """Write values out as text, each once: the tries of a task often do the same."""
    try:  # equal bytes make equal values; lists and mappings cannot be compared as such
        raw = [pickle.dumps(one, pickle.HIGHEST_PROTOCOL) for one in values]
    except Exception:  # what cannot be pickled is written out row by row
        return np.array([as_text(one) for one in values], dtype=object)
    distinct = dict(zip(raw, values, strict=True))
    texts = {key: as_text(value) for key, value in distinct.items()}
    return np.array([texts[key] for key in raw], dtype=object)


def _normalised(reply: Array) -> Part:
    """Number replies with accents composed (NFC) and white space folded, each text once."""
    codes, uniques = pd.factorize(reply)
    folded = [" ".join(unicodedata.normalize("NFC", str(one)).split()) for one in uniques]
    same, texts = pd.factorize(np.array([*folded, None], dtype=object))  # a missing one stays -1
    return same[codes], texts
