"""When two rollouts of a task are copies: the same words after the same deeds."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore.streams import label_keys
from whilecore.texts import as_text, is_whole

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Column = Any
Parts = list[tuple[npt.NDArray[np.intp], Any]]


def identity(frame: pd.DataFrame) -> Parts:
    """Return what together says whether two rollouts of a task are copies: codes and values.

    ``reply_key`` where given; else the ask, the normalised reply, and what was done: the tool
    calls, the behaviour code, or at least the number of calls. Empty if the file holds neither
    reply_key nor reply.
    """
    return [pd.factorize(part) for part in _told(frame)]


def _told(frame: pd.DataFrame) -> list[Column]:
    """Return the columns of the identity."""
    if "reply_key" in frame:
        return [_comparable(frame["reply_key"])]
    if "reply" not in frame:
        return []
    reply = frame["reply"]
    parts = [reply if is_whole(reply) else _normalised(reply)]
    if "ask" in frame:
        parts.append(frame["ask"])
    if "steps" in frame:
        parts.append(_comparable(frame["steps"]))
    else:
        parts += [frame[name] for name in ("behavior", "tool_calls") if name in frame][:1]
    return parts


def _comparable(column: Column) -> Column:
    """Make values of any type comparable; a missing one stays missing."""
    return column.map(as_text, na_action="ignore") if column.dtype == object else column


def _normalised(reply: Column) -> Column:
    """Compose accents (NFC) and fold white space; done once per distinct reply."""
    codes, uniques = pd.factorize(reply)
    folded = [" ".join(unicodedata.normalize("NFC", str(one)).split()) for one in uniques]
    return pd.Series(np.array(folded, dtype=object)[codes] if folded else [], dtype=object)


def reply_codes(frame: pd.DataFrame, parts: Parts) -> Ints:
    """Number the identities: equal for two rows of a task exactly if they are copies.

    Args:
        frame: The rows.
        parts: Their ``identity``.

    Convention:
        A row whose identity is not known is nobody's copy.
    """
    codes, unknown = np.zeros(len(frame), np.int64), _unknown(frame)
    for more, uniques in parts:
        codes = pd.factorize(codes * (len(uniques) + 1) + more + 1)[0].astype(np.int64)
    return np.where(unknown, len(frame) + np.arange(len(frame)), codes)


def reply_hashes(frame: pd.DataFrame, parts: Parts) -> Hashes:
    """Return a 64-bit key per row made from what was said, so that ties never turn on position.

    Args:
        frame: The rows.
        parts: Their ``identity``.

    Convention:
        A row whose identity is not known is keyed by its rollout number.
    """
    out = np.zeros(len(frame), np.uint64)
    for codes, uniques in parts:
        keys = np.append(label_keys(uniques), np.uint64(0))  # a missing value has code -1
        out = out * np.uint64(0x9E3779B97F4A7C15) + keys[codes]
    return np.where(_unknown(frame), frame["rollout"].to_numpy().astype(np.uint64), out)


def _unknown(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Mark the rows that do not say what was answered."""
    for name in ("reply_key", "reply"):
        if name in frame:
            return np.asarray(frame[name].isna().to_numpy(), np.bool_)
    return np.ones(len(frame), np.bool_)
