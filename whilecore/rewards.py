"""The reward column: what counts as a reward, and why a row has none.

A reward that cannot be read is *unscored* with its reason. It is never 0, 0.5 or 1 by default.
"""

from __future__ import annotations

import re
from decimal import Decimal
from numbers import Real
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore.texts import as_text, shown, strings

Floats = npt.NDArray[np.float64]
Objects = npt.NDArray[np.object_]
Column = Any

NUMERAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
COERCED: Final = "coerced"
STATUS_OK: Final = ("", "ok")
OUT_OF_RANGE: Final = "text out of the range 0 to 1: give the rewards as numbers"


def rewards(column: Column) -> tuple[Floats, Objects]:
    """Read rewards; what is not a reward is NaN with its reason.

    Args:
        column: Numbers, booleans, text, None, NaN, in any mixture.

    Returns:
        float64 rewards (NaN = unscored) and, per row, "" or why it is unscored or "coerced".

    Convention:
        Numbers and booleans count as they are; a float32 of 0.7 is 0.7, so that it reaches a cut
        of 0.7. Text counts only if it is a plain numeral in [0, 1], or if all numerals are −1 or
        1: "8/10", "10" and "not excellent" are unscored.
    """
    if column.dtype.kind in "iufb":
        numbers = column.to_numpy(na_value=np.nan) if column.isna().any() else column.to_numpy()
        values = _exact(numbers)
        reasons = np.where(np.isinf(values), "not finite", "").astype(object)
        return np.where(np.isfinite(values), values, np.nan), reasons
    pairs = [_reward(value) for value in column.to_numpy(object)]
    values = np.array([reward for reward, _ in pairs], np.float64)
    why = np.array([reason for _, reason in pairs], object)
    text = why == COERCED
    outside = text & ~((values >= 0) & (values <= 1))
    if not np.isin(values[text], (-1.0, 1.0)).all():
        values[outside], why[outside] = np.nan, OUT_OF_RANGE
    return values, why


def _exact(numbers: npt.NDArray[Any]) -> Floats:
    """Widen to float64; short floats by their shortest numeral: float32 0.7 is not 0.69999999."""
    if numbers.dtype.kind == "f" and numbers.dtype.itemsize < 8:
        return numbers.astype(str).astype(np.float64)
    return numbers.astype(np.float64)


def _reward(value: Any) -> tuple[float, str]:
    """Read one reward of a column of mixed values."""
    if value is None or value is pd.NA or value is pd.NaT:
        return np.nan, ""
    if isinstance(value, str):
        stripped = value.strip()
        if not stripped:
            return np.nan, "empty"
        if not NUMERAL.fullmatch(stripped):
            return np.nan, f"not a number: {shown(stripped, 40)}"
        return float(stripped), COERCED
    if isinstance(value, np.floating):  # a float32 of 0.7 by its numeral
        value = float(str(value))
    if not isinstance(value, Real | Decimal | np.bool_):
        return np.nan, f"not a number: {shown(as_text(value), 40)}"
    try:
        number = float(value)
    except (OverflowError, ValueError):  # a whole number over 1.8e308, a signalling NaN
        return np.nan, "not finite"
    if np.isnan(number):
        return np.nan, ""
    return (number, "") if np.isfinite(number) else (np.nan, "not finite")


def read_rewards(out: dict[str, Any], n: int) -> list[str]:
    """Read the reward column in place, keep the reasons and return notes on what was coerced."""
    if "reward" not in out:
        out["reward"] = np.full(n, np.nan)
        return []
    out["reward"], why = rewards(out["reward"])
    coerced = int((why == COERCED).sum())
    why[why == COERCED] = ""
    if (why != "").any():
        given = out["judge_reason"].to_numpy(object) if "judge_reason" in out else ""
        out["judge_reason"] = strings(np.where(why == "", given, why))
    return [f"{coerced} rewards were text and read as numbers"] if coerced else []


def unscored_reasons(unscored: pd.DataFrame) -> dict[str, int]:
    """Count unscored rows by reason, the commonest first.

    The reason is an error, else the judge's status, else how the reward reads.
    """
    error, status, why = (
        unscored[name].to_numpy(object) if name in unscored else np.full(len(unscored), "", object)
        for name in ("error", "judge_status", "judge_reason")
    )
    label = np.where(np.isin(status, STATUS_OK), why, "judge: " + status)
    label = np.where(error != "", "error", np.where(label == "", "no reward", label))
    counts = pd.Series(label, dtype=object).value_counts()
    order = sorted(counts.items(), key=lambda pair: (-int(pair[1]), str(pair[0])))
    return {str(name): int(count) for name, count in order}


def pass_cut(
    used: Floats, given: Any, option: str = "pass_at_least", default: float = 0.5
) -> float:
    """Return the reward from which a rollout passes, or ask for it.

    Args:
        used: The usable rewards.
        given: What the user said, None for nothing.
        option: What the user calls it.
        default: The cut for rewards in [0, 1] and for rewards that are all −1 or 1.

    Raises:
        ValueError: If it is no finite number, or if it was not given and rewards lie elsewhere.
    """
    if given is not None:
        try:
            cut = np.nan if isinstance(given, str) else float(given)
        except (TypeError, ValueError, OverflowError):
            cut = np.nan
        if not np.isfinite(cut):
            raise ValueError(f"{option} must be a finite number, got {given!r}; give a reward")
        return cut
    if used.size and (used.min() < 0 or used.max() > 1) and not signed(used):
        other = "" if option == "pass_at_least" else " (RL and pass_at call it pass_at_least=)"
        raise ValueError(
            f"rewards lie in [{used.min():g}, {used.max():g}], outside [0, 1], so what counts as "
            f"a pass must be said: give {option}= the smallest reward that passes{other}"
        )
    return default


def signed(rewards: Floats) -> bool:
    """Tell whether rewards are coded −1 and 1 (with at least one −1)."""
    return bool(rewards.size and (rewards == -1).any() and np.isin(rewards, (-1.0, 1.0)).all())
