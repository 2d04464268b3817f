"""One column of a file at a time: what it may hold, and what it becomes in the table.

Nothing is guessed and nothing is lost. A reward that cannot be read is unscored with its reason;
a task label that is a list becomes ordered JSON, so that it can be compared.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import features

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]
Column = Any  # pandas.Series; its stubs want an element type that a file does not have

FLAGS: Final = ("leak", "incomplete", "truncated")
FEATURE_FLAGS: Final = (
    "boilerplate", "hedging", "sycophancy", "apology", "refusal", "ignored_failure"
)  # fmt: skip
TEXTS: Final = ("prompt", "mistake", "judge_status", "judge_reason", "error", "behavior", "ask")
NUMERAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def clean(frame: pd.DataFrame, codes: Ints, labels: Objects) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Bring every known column to its type; unknown columns stay as they are.

    Returns:
        The checked frame, same rows in the same order, and sentences on what was coerced.
    """
    out: dict[str, Any] = {name: frame[name] for name in frame.columns}
    out["task"] = pd.Series(labels[codes] if len(labels) else [], dtype="str")
    out["rollout"] = rollout_numbers(frame, codes)
    for name in TEXTS:
        if name in out:
            out[name] = text(out[name])
    for name in (*FLAGS, *FEATURE_FLAGS):
        if name in out:
            out[name] = flag(out[name], name)
    notes = _clean_rewards(out, len(frame))
    if "reply" in out and out["reply"].dtype.kind not in "iu":
        out["reply"] = text(out["reply"])
        for name, values in features.text_features(out["reply"].to_numpy(object)).items():
            out.setdefault(name, values)
    return pd.DataFrame(out, index=frame.index), notes


def task_codes(column: Column) -> tuple[Ints, Objects]:
    """Number the tasks in order of appearance and return the numbers and the labels as text.

    Raises:
        ValueError: If a row names no task.
    """
    missing = np.flatnonzero(column.isna().to_numpy())
    if missing.size:
        raise ValueError(
            f"every row must name its task, got none in {missing.size} of {len(column)} rows "
            f"(first: row {missing[0]}); fill in 'task' or leave those rows out"
        )
    if column.dtype.kind == "f" and (column == np.floor(column)).all():
        column = column.astype(np.int64)
    if column.dtype == object:
        column = column.map(as_text)
    codes, uniques = pd.factorize(column)
    labels = np.array([str(label) for label in uniques], dtype=object)
    return codes.astype(np.int64), labels


def rollout_numbers(frame: pd.DataFrame, codes: Ints) -> Ints:
    """Use the rollout numbers given if all are whole; else count the rows of each task from 0."""
    if "rollout" in frame.columns:
        numbers = pd.to_numeric(frame["rollout"], errors="coerce").to_numpy(np.float64)
        if np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all():
            return numbers.astype(np.int64)
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes) if len(codes) else np.zeros(0, np.int64)
    starts = np.cumsum(counts) - counts
    out = np.empty(len(codes), np.int64)
    out[order] = np.arange(len(codes)) - starts[codes[order]]
    return out


def text(column: Column) -> Column:
    """Return text with "" for nothing; lists and mappings become ordered JSON."""
    if column.dtype.kind in "iub":
        return column.astype(str)
    values = column.to_numpy(object)
    filled = np.where(column.isna().to_numpy(), "", values)
    return pd.Series([as_text(value) for value in filled], dtype="str")


def as_text(value: Any) -> str:
    """Make one value comparable: text stays, lists and mappings become ordered JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return str(value)


def flag(column: Column, name: str) -> Bools:
    """Return yes or no; empty is no.

    Raises:
        ValueError: If a value is none of 0, 1, true, false, empty.
    """
    if column.dtype.kind == "b":
        return column.to_numpy(np.bool_)
    words = column.replace({"true": 1, "false": 0, "True": 1, "False": 0, "": None})
    numbers = pd.to_numeric(words, errors="coerce").to_numpy(np.float64)
    bad = words.notna().to_numpy() & ~np.isin(numbers, (0.0, 1.0))
    if bad.any():
        where = int(np.flatnonzero(bad)[0])
        raise ValueError(
            f"column {name!r} must hold 0, 1, true, false or nothing, got "
            f"{column.iloc[where]!r} in row {where}; mend the value or rename the column"
        )
    flags: Bools = numbers == 1.0
    return flags


def rewards(column: Column) -> tuple[Floats, Objects]:
    """Read rewards; what is not a reward is NaN with its reason.

    Args:
        column: Numbers, booleans, text, None, NaN, in any mixture.

    Returns:
        float64 rewards (NaN = unscored) and, per row, "" or why it is unscored or "coerced".

    Convention:
        Numbers and booleans count as they are. Text counts only if it is a plain numeral in
        [0, 1]: "8/10", "10" and "not excellent" are unscored, never 0, 0.5 or 1 by default.
    """
    if column.dtype.kind in "iufb":
        values = column.to_numpy(np.float64)
        reasons = np.where(np.isinf(values), "not finite", "").astype(object)
        return np.where(np.isfinite(values), values, np.nan), reasons
    pairs = [_reward(value) for value in column.to_numpy(object)]
    return (
        np.array([reward for reward, _ in pairs], np.float64),
        np.array([reason for _, reason in pairs], object),
    )


def _reward(value: Any) -> tuple[float, str]:
    """Read one reward of a column of mixed values."""
    if value is None or value is pd.NA or value is pd.NaT:
        return np.nan, ""
    if isinstance(value, bool | np.bool_ | int | float | np.integer | np.floating):
        number = float(value)
        return (number, "") if np.isfinite(number) else (np.nan, _finite_reason(number))
    if not isinstance(value, str):
        return np.nan, f"not a number: {as_text(value)[:40]}"
    stripped = value.strip()
    if not stripped:
        return np.nan, "empty"
    if not NUMERAL.fullmatch(stripped):
        return np.nan, f"not a number: {stripped[:40]}"
    number = float(stripped)
    if not 0 <= number <= 1:
        return np.nan, "text out of the range 0 to 1: give the rewards as numbers"
    return number, "coerced"


def _finite_reason(number: float) -> str:
    return "" if np.isnan(number) else "not finite"


def _clean_rewards(out: dict[str, Any], n: int) -> tuple[str, ...]:
    """Read the reward column in place, note what was coerced and keep the reasons."""
    if "reward" not in out:
        out["reward"] = np.full(n, np.nan)
        return ()
    out["reward"], why = rewards(out["reward"])
    coerced = int((why == "coerced").sum())
    why[why == "coerced"] = ""
    if (why != "").any():
        given = out.get("judge_reason", pd.Series([""] * n)).to_numpy(object)
        out["judge_reason"] = pd.Series(np.where(why == "", given, why), dtype="str")
    return (f"{coerced} rewards were text and read as numbers",) if coerced else ()


def identity(frame: pd.DataFrame) -> list[Column]:
    """Return the columns that together say whether two rollouts of a task are copies.

    ``reply_key`` where given; else the ask, the normalised reply, and what was done: the tool
    calls, or the behaviour code. Empty if the file holds none of reply_key and reply.
    """
    if "reply_key" in frame.columns:
        key = frame["reply_key"]
        return [key.map(as_text) if key.dtype == object else key]
    if "reply" not in frame.columns:
        return []
    reply = frame["reply"]
    parts = [reply if reply.dtype.kind in "iu" else _normalised(reply)]
    if "ask" in frame.columns:
        parts.append(frame["ask"])
    if "steps" in frame.columns:
        parts.append(frame["steps"].map(as_text))
    elif "behavior" in frame.columns:
        parts.append(frame["behavior"])
    return parts


def _normalised(reply: Column) -> Column:
    """Compose accents (NFC) and fold white space; done once per distinct reply."""
    codes, uniques = pd.factorize(reply)
    folded = [" ".join(unicodedata.normalize("NFC", str(one)).split()) for one in uniques]
    return pd.Series(np.array(folded, dtype=object)[codes] if folded else [], dtype=object)


def reasons(unscored: pd.DataFrame) -> dict[str, int]:
    """Count unscored rows by reason: an error, the judge's status, or how the reward reads."""
    error, status, why = (
        unscored[name].to_numpy(object) if name in unscored.columns else np.full(len(unscored), "")
        for name in ("error", "judge_status", "judge_reason")
    )
    label = np.where(
        error != "",
        "error",
        np.where(
            ~np.isin(status, ("", "ok")), "judge: " + status.astype(object), why.astype(object)
        ),
    )
    label = np.where(label == "", "no reward", label)
    names, counts = np.unique(label.astype(str), return_counts=True)
    return {str(name): int(count) for name, count in zip(names, counts, strict=True)}
