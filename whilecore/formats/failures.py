"""Why a row has no usable reward: an error, a status, a mask, or a reward that is none.

A crash is no failure of the model: its row is unscored whatever reward stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from whilecore.formats.grading import Reward
from whilecore.formats.tables import Column, Table, as_column, reach
from whilecore.texts import as_text, strings

ERRORS: Final = ("error", "errors", "exception", "error_message", "error_type", "err", "traceback")
FAILED: Final = ("timed_out", "timeout", "is_error", "has_error", "errored", "crashed", "aborted")
STATUSES: Final = (
    "status", "state", "rollout_status", "run_status", "exit_status", "outcome", "exit_reason",
    "termination_reason", "finish_reason", "stop_reason", "stop_condition",
)  # fmt: skip
WRAPPED: Final = ("info", "metadata", "meta", "extra_info", "extra", "state", "result")
BROKEN: Final = re.compile(
    r"(?<!no )(?<!no_)(?<!non-)(error|exception)|time[d]?[ _-]?out|crash|abort|cancel|\bkilled\b"
    r"|\boom\b|out[ _]of[ _]memory|disconnect|\bnot[ _]run\b|\bskipped\b",
    re.IGNORECASE,
)
INVALID: Final = {"valid": False, "is_valid": False, "masked": True, "is_masked": True,
                  "remove_sample": True}  # fmt: skip
GRADED: Final = ("success", "succeeded", "completed", "complete", "done", "graded", "scored",
                 "finished", "ok")  # fmt: skip
YES: Final = ("1", "1.0", "true", "yes")
NO: Final = ("0", "0.0", "false", "no", "none", "null", "nan", "")


def failures(table: Table, reward: Reward) -> dict[str, Any]:
    """Return what says that a row has no usable reward: an error, a status, a mask, a reason."""
    own: dict[str, Any] = {}
    error = np.full(len(table), "", object)
    for name in ERRORS:
        if name in table:
            error = np.where(error == "", [error_text(one) for one in table.cells(name)], error)
    for name in inside_any(table):
        error = np.where(error == "", [error_text(one) for one in reach(table, name)], error)
    for name in FAILED:
        if name in table and is_flag(table.columns[name]):
            error = np.where((error == "") & flags(table.columns[name]), name, error)
    for name in STATUSES:
        if name in table:
            said = [as_text(one).strip() if one is not None else "" for one in table.cells(name)]
            broken = {one for one in set(said) if len(one) <= 80 and BROKEN.search(one)}
            hit = np.array([one in broken for one in said], np.bool_)
            error = np.where((error == "") & hit, [f"{name}: {one}" for one in said], error)
    for name, mark in INVALID.items():
        if name in table and is_flag(table.columns[name]):
            known = table.columns[name].notna().to_numpy()
            out = known & (flags(table.columns[name]) == mark)
            error = np.where((error == "") & out, f"marked {name}={int(mark)}", error)
    if (error != "").any() or "error" in table.columns:
        own["error"] = strings(error)
    if "judge_status" in table:
        given = [as_text(one) if one is not None else "" for one in table.cells("judge_status")]
        own["judge_status"] = strings(
            ["ok" if one.strip().lower() in GRADED else one for one in given]
        )
    if (np.asarray(reward.reasons) != "").any():
        before: Any = table.cells("judge_reason") if "judge_reason" in table.columns else ""
        own["judge_reason"] = as_column(np.where(reward.reasons == "", before, reward.reasons))
    return own


def inside_any(table: Table) -> list[str]:
    """Return dotted names of errors that stand inside a mapping: "info.error"."""
    found = []
    for column in WRAPPED:
        keys: set[Any] = set()
        for cell in table.cells(column) if column in table else ():
            if isinstance(cell, Mapping):
                keys.update(key for key in ERRORS if cell.get(key) is not None)
        found += [f"{column}.{name}" for name in ERRORS if name in keys]
    return found


def error_text(cell: Any) -> str:
    """Return what an error cell says; null, false, 0, {} and the text "None" say there was none."""
    if cell is None or isinstance(cell, bool | int | float):
        return "error" if cell and cell == cell else ""
    if isinstance(cell, Mapping):
        said = next(
            (cell[key] for key in ("message", "type", "error", "detail") if cell.get(key)), ""
        )
        return as_text(said or cell) if any(cell.values()) else ""
    if isinstance(cell, list):
        return as_text(cell) if cell else ""
    said = as_text(cell).strip()
    return "" if said.lower() in NO else said


def is_flag(column: Column) -> bool:
    """Tell whether a column holds nothing but yes, no and nothing."""
    if column.dtype == np.bool_:
        return True
    return all(
        isinstance(one, str | bool | int | float | np.generic)
        and as_text(one).lower() in (*YES, *NO)
        for one in pd.unique(column.dropna().map(as_text))
    )


def flags(column: Column) -> Any:
    """Return yes or no per row."""
    if column.dtype == np.bool_:
        return column.to_numpy()
    said = column.map(lambda one: as_text(one).lower(), na_action="ignore")
    return said.isin(YES).to_numpy(bool)
