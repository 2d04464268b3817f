"""One column of a file at a time: what it may hold, and what it becomes in the table.

Nothing is guessed and nothing is lost in silence: what had to be changed is said in a note.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import features
from whilecore.rewards import read_rewards
from whilecore.texts import as_text, is_whole, strings, text, whole

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]
Column = Any  # pandas.Series; its stubs want an element type that a file does not have

FLAGS: Final = (
    "leak", "incomplete", "truncated",
    "boilerplate", "hedging", "sycophancy", "apology", "refusal", "ignored_failure",
)  # fmt: skip
COUNTS: Final = ("reply_chars", "reply_words", "tool_calls", "assistant_turns")
TEXTS: Final = ("prompt", "mistake", "judge_status", "judge_reason", "error", "behavior", "ask")
OR_NOTHING: Final = ("mistake", "error")  # False, 0 and [] say that there was none
UNKNOWN: Final = ("prompt", "reply", "reply_key", "steps", "messages", "behavior")
FLAG_WORDS: Final = {"1": 1, "1.0": 1, "true": 1, "0": 0, "0.0": 0, "false": 0, "": 0}


def clean(frame: pd.DataFrame, codes: Ints, labels: Objects) -> tuple[dict[str, Any], list[str]]:
    """Bring every known column to its type; unknown columns stay as they are.

    Returns:
        The checked columns by name, same rows in the same order, and sentences on what was changed.

    Convention:
        A reply, key, behaviour or list of steps that is missing in every row is not known, which
        is not the same as empty: the column is left out.
    """
    blank = [name for name in UNKNOWN if name in frame and len(frame) and _blank(frame[name])]
    out: dict[str, Any] = {name: frame[name] for name in frame.columns if name not in blank}
    notes = ["no row has a reply, so replies are taken as not known"] if "reply" in blank else []
    out["task"] = strings(labels[codes] if len(labels) else [])
    out["rollout"], numbered = rollout_numbers(frame, codes)
    for name in [name for name in out if name in TEXTS]:
        out[name] = text(_or_nothing(out[name]) if name in OR_NOTHING else out[name])
    if "judge_status" in out:
        status = out["judge_status"]
        out["judge_status"] = status.where(status.str.strip().str.lower() != "ok", "ok")
    for name in [name for name in out if name in FLAGS]:
        out[name] = flag(out[name], name)
    if "tool_calls" in out and out["tool_calls"].dtype == object:
        calls = out["tool_calls"].map(lambda one: one if isinstance(one, list) else None)
        if not calls.isna().all():  # calls written out say what was done; the column counts them
            out.setdefault("behavior", text(calls))
    for name in [name for name in out if name in COUNTS]:
        out[name] = count(out[name], name)
    notes += numbered + read_rewards(out, len(frame))
    if "reply" in out:
        out["reply"] = whole(out["reply"])
        if not is_whole(out["reply"]):
            out["reply"] = text(out["reply"])
            for name, values in features.text_features(out["reply"].to_numpy(object)).items():
                out.setdefault(name, values)
    return out, notes


def _blank(column: Column) -> bool:
    """Tell whether every cell is missing or an empty list."""
    if column.dtype != object:
        return bool(column.isna().all())
    return all(
        len(one) == 0 if isinstance(one, list | np.ndarray) else one is None or one is pd.NA
        or (isinstance(one, float) and np.isnan(one)) for one in column.array
    )  # fmt: skip


def task_codes(column: Column) -> tuple[Ints, Objects, list[str]]:
    """Number the tasks in order of appearance; return the numbers, the labels as text, notes.

    Raises:
        ValueError: If a row names no task.

    Convention:
        1, 1.0 and "1" are one task, as they would be in a CSV; that both were there is noted.
    """
    given = whole(column)
    missing = given.isna().to_numpy(np.bool_)
    if given.dtype.kind not in "iub":
        given = text(given)
        missing = missing | (given == "").to_numpy(np.bool_)
    if missing.any():
        first = np.flatnonzero(missing)
        raise ValueError(
            f"every row must name its task, got none in {first.size} of {len(column)} rows "
            f"(first: row {first[0]}); fill in 'task' or leave those rows out"
        )
    codes, uniques = pd.factorize(given)
    labels = np.array([as_text(label) for label in uniques], dtype=object)
    return codes.astype(np.int64), labels, _written_twice(column, codes, labels)


def _written_twice(column: Column, codes: npt.NDArray[np.intp], labels: Objects) -> list[str]:
    """Note tasks that were written both as text and as something else."""
    if column.dtype != object:
        return []
    is_text = np.fromiter((isinstance(one, str) for one in column.array), np.bool_, len(column))
    both = np.intersect1d(codes[is_text], codes[~is_text])
    if not both.size:
        return []
    return [f"{both.size} task labels were written both as text and as a value (first: "
            f"{labels[both[0]]!r}) and are read as one task each"]  # fmt: skip


def rollout_numbers(frame: pd.DataFrame, codes: Ints) -> tuple[Ints, list[str]]:
    """Use the rollout numbers given if all are whole; else count the rows of each task from 0."""
    notes = []
    if "rollout" in frame:
        given = frame["rollout"]
        numbers = given if given.dtype.kind in "iu" else whole(numeric(given))
        if numbers.dtype.kind in "iu" and not numbers.isna().any():
            return numbers.to_numpy(np.int64), []
        notes = ["rollout is not a whole number in every row, so tries are numbered in row order"]
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes) if len(codes) else np.zeros(0, np.int64)
    starts = np.cumsum(counts) - counts
    out = np.empty(len(codes), np.int64)
    out[order] = np.arange(len(codes)) - starts[codes[order]]
    return out, notes


def _or_nothing(column: Column) -> Column:
    """Empty the cells that say there was none: False, 0, an empty list or mapping."""
    if isinstance(column.dtype, pd.StringDtype):
        return column
    said = column.to_numpy(object)
    none = [not one if isinstance(one, int | float | list | dict | np.generic) else one is None
            or one is pd.NA for one in said]  # fmt: skip
    return pd.Series(np.where(none, None, said), dtype=object)


def flag(column: Column, name: str) -> Bools:
    """Return yes or no; empty is no.

    Raises:
        ValueError: If a value is none of 0, 1, true, false, empty.
    """
    if column.dtype == np.bool_:
        return np.asarray(column.to_numpy(), np.bool_)
    codes, uniques = pd.factorize(text(column))
    known = [FLAG_WORDS.get(str(one).strip().lower(), -1) for one in uniques]
    values = np.array(known, np.int64)[codes] if known else np.zeros(0, np.int64)
    if (values < 0).any():
        where = int(np.flatnonzero(values < 0)[0])
        raise ValueError(
            f"column {name!r} must hold 0, 1, true, false or nothing, got "
            f"{as_text(column.iloc[where])!r} in row {where}; mend the value or rename the column"
        )
    flags: Bools = values == 1
    return flags


def count(column: Column, name: str) -> Column:
    """Return a column of counts: whole numbers, or floats where some are missing.

    Raises:
        ValueError: If a value is no number and no list.
    """
    if column.dtype.kind in "iu" and not column.isna().any():
        return column.astype(np.int64)
    given = column.to_numpy(object)
    lengths = [len(one) if isinstance(one, list | np.ndarray) else one for one in given]
    values = numeric(pd.Series(lengths, dtype=object))
    bad = np.flatnonzero(values.isna().to_numpy() & (text(column) != "").to_numpy())
    if bad.size:
        raise ValueError(
            f"column {name!r} must hold numbers, got {given[bad[0]]!r} in row {bad[0]}; mend the "
            "value or rename the column"
        )
    if values.isna().any() or whole(values).dtype.kind == "f":
        return values
    return values.astype(np.int64)


def numeric(column: Column) -> Column:
    """Read numbers, as float64 with NaN for what is none."""
    read = [_number(one) for one in column.to_numpy(object)]
    return pd.Series(read, index=column.index, dtype=np.float64)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan
