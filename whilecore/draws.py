"""The draws of a training: which task each group is of, and how each of its tries falls.

Each draw depends on its own run, step, slot and try alone, so more runs, steps, tries or refilled
batches leave the others as they were. The draws of the last settings are kept: most controls change
what is made of them, not the draws.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from whilecore import pools
from whilecore.streams import uniform

if TYPE_CHECKING:
    from whilecore.training import Plan

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

TURNS: Final = 4  # refilled batches drawn at a time


def batch_draws(plan: Plan, step: int, turn: int) -> tuple[Floats, Floats]:
    """Return the draws of one batch: which task each group is, and how each try falls."""
    if turn:
        many, place = divmod(turn - 1, TURNS)
        which, tries = later_draws(plan.seed, plan.runs, step, many, plan.batch, plan.k)
        part = slice(place * plan.batch, (place + 1) * plan.batch)
        return which[:, part], tries[:, :, part]
    which, tries = first_draws(plan.seed, plan.runs, plan.steps, plan.batch, plan.k)
    return which[step], tries[step]


@lru_cache(maxsize=4)
def first_draws(seed: int, runs: int, steps: int, batch: int, k: int) -> tuple[Floats, Floats]:
    """Keep the draws of the last settings: a move of a slider mostly needs the same ones."""
    return table(seed, runs, np.arange(steps), np.arange(batch), k)


@lru_cache(maxsize=512)
def later_draws(
    seed: int, runs: int, step: int, many: int, batch: int, k: int
) -> tuple[Floats, Floats]:
    """Keep the draws of refilled batches, a few batches at a time: fewer, larger arrays."""
    slots = np.arange(1 + many * TURNS, 1 + (many + 1) * TURNS)[:, None] * batch + np.arange(batch)
    which, tries = table(seed, runs, np.array([step]), slots.ravel(), k)
    return which[0], tries[0]


def table(seed: int, runs: int, steps: Ints, slots: Ints, k: int) -> tuple[Floats, Floats]:
    """Draw: tasks, shape (steps, runs, slots), and tries, shape (steps, k, runs, slots)."""
    run, step = np.arange(runs)[:, None], steps[:, None, None]
    which = uniform(seed, "asks", pools.TRAINING, run, step, slots)
    tries = uniform(
        seed, "agent", pools.TRAINING, run, step[..., None], slots, np.arange(k)[:, None, None]
    )
    return which, tries
