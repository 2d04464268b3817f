"""The band of pass rates, in exact fractions: 0.2 keeps one of five, which a float would drop."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@lru_cache(maxsize=256)
def _exact(told: str) -> Fraction:
    """Read a number in words."""
    return Fraction(told)


def edge(value: Any, name: str) -> Fraction:
    """Read a band edge as an exact fraction: 0.2 is 1/5, not the float just above it.

    Raises:
        ValueError: If it is not a number in [0, 1].
    """
    try:
        exact = value if isinstance(value, Fraction) else _exact(str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1:
        raise ValueError(f"{name} must be a pass rate in [0, 1] such as 0.2, got {value!r}")
    return exact


def band_edges(band: Any) -> tuple[Fraction, Fraction]:
    """Read a band (low, high) exactly.

    Raises:
        ValueError: If it is not two rates in [0, 1] with low ≤ high.
    """
    try:
        low_given, high_given = band
    except (TypeError, ValueError):
        raise ValueError(
            f"band must be two pass rates (low, high) such as (0.2, 0.8), got {band!r}"
        ) from None
    low, high = edge(low_given, "band's low edge"), edge(high_given, "band's high edge")
    if low > high:
        raise ValueError(f"band must run from low to high, got {band!r}; swap the two")
    return low, high


def below(passes: Ints, rows: Ints, rate: Fraction) -> Bools:
    """Tell where passes/rows < rate, in whole numbers: passes < ⌈rows · rate⌉.

    Convention:
        A task without rows is not below anything.
    """
    least = np.zeros(int(rows.max(initial=0)) + 1, np.int64)
    for size in np.flatnonzero(np.bincount(rows)):  # each distinct size once
        least[size] = math.ceil(rate * int(size))
    less: Bools = passes < least[rows]
    return less
