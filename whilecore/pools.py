"""Which tasks a training step may draw from, and what it cost to find out.

*all* asks nothing. *middle once* measures every task before training and keeps the middle band.
*middle re-measured* does so again every n steps. *oracle* knows the true rates, for free: nobody
has it, it bounds what measuring can bring.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

from whilecore.streams import uniform

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

POOLS: Final = ("all", "middle once", "middle re-measured", "oracle")
# First key of a draw, so that a try in training is none of an evaluation.
TRAINING, SCREENING, EVALUATION, FILLING = 0, 1, 2, 3


def measures_at(pool: str, step: int, every: int) -> bool:
    """Tell whether a pool is measured before a step (the oracle looks before every step)."""
    if pool == "middle re-measured":
        return step % every == 0
    return pool == "oracle" or (pool == "middle once" and step == 0)


def in_band(passes: npt.ArrayLike, tries: int, band: tuple[Fraction, Fraction]) -> Bools:
    """Tell which measured rates lie in the band, edges included and compared exactly.

    >>> in_band([1, 2, 5], 5, (Fraction(1, 5), Fraction(4, 5)))  # 1 of 5 is 0.2
    array([ True,  True, False])
    """
    low, high = band
    kept = [low <= Fraction(count, tries) <= high for count in range(tries + 1)]
    return np.asarray(np.array(kept)[np.asarray(passes)])


def screen(rates: Floats, tries: int, step: int, seed: int) -> Ints:
    """Try every task of every run a few times and count what passes.

    Args:
        rates: True pass rates now, shape (runs, tasks).
        tries: Tries per task.
        step: The step it happens before.
        seed: Whole number of at least 0.

    Returns:
        Passes, shape (runs, tasks). More tries leave the first ones as they were.
    """
    runs, tasks = rates.shape
    run, task = np.arange(runs)[:, None], np.arange(tasks)
    draws = uniform(seed, "agent", SCREENING, run, step, task, np.arange(tries)[:, None, None])
    return np.asarray((draws < rates).sum(0))
