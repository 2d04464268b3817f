"""Random numbers by name: one draw per (seed, purpose, key), whatever else is drawn.

Common random numbers are what makes a slider readable. Rollout j of task i gets the same draw
whether 4 or 16 tries are made and whether 16 or 200 tasks are drawn, so that a move changes only
what the move itself changes. Two purposes never share a draw: a coin that reused the agent's
numbers would track its mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

PURPOSES: Final = (
    "agent",  # does this try err
    "mistake",  # which mistake, in which words
    "wording",  # which rewording of an honest reply
    "asks",  # which task is drawn
    "skill",  # the true pass rate of a task
    "coin",  # a judge that tosses a coin
    "flips",  # a judge that errs on a share of rows
    "blend",  # which of two judges decides
    "ties",  # which of equal completions SFT keeps
    "target",  # the order in which groups fill a target
    "shuffles",  # the noise floor of the reward scan
    "control",  # the equal-size random pick
)


def check_seed(seed: Any) -> int:
    """Return the seed as an int, or refuse what is no whole number of at least 0."""
    whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not whole or seed < 0:
        raise ValueError(f"seed must be a whole number of at least 0, got {seed!r}")
    return int(seed)


@lru_cache(maxsize=4096)
def _key(seed: int, purpose: str) -> np.uint64:
    """Return the 64-bit key of one purpose under one seed."""
    if purpose not in PURPOSES:
        raise ValueError(f"purpose must be one of {', '.join(PURPOSES)}, got {purpose!r}")
    state = np.random.SeedSequence(seed, spawn_key=(PURPOSES.index(purpose) + 1,))
    return np.uint64(state.generate_state(1, np.uint64)[0])


def _mix(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Scramble 64-bit words so that neighbouring inputs give unrelated outputs."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def uniform(seed: int, purpose: str, *keys: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Draw one number in [0, 1) for each row of the keys.

    u = mix(mix(mix(key(seed, purpose)) + a·γ) + b·γ) / 2⁶⁴, with γ the golden-ratio increment.

    Args:
        seed: Whole number of at least 0.
        purpose: One of ``PURPOSES``.
        *keys: Whole numbers of at least 0, shapes that broadcast together (task, rollout, ...).

    Returns:
        float64 array of the broadcast shape. Entry (a, b) depends on nothing but the seed, the
        purpose, a and b.

    Raises:
        ValueError: For an unknown purpose, a seed or a key that is no whole number.

    Convention:
        A counter-based generator: a hash of the counter, not the next number of a sequence.

    Source:
        Steele, Lea and Flood 2014, the SplitMix64 finaliser, applied once per key.

    >>> float(uniform(0, "coin", 3, 1)[()]) == float(uniform(0, "coin", [[3], [4]], [0, 1])[0, 1])
    True
    """
    gamma = np.uint64(0x9E3779B97F4A7C15)
    with np.errstate(over="ignore"):
        x = _mix(np.asarray(_key(check_seed(seed), purpose) + gamma))
        for key in keys:
            words = np.asarray(key)
            if words.dtype.kind not in "iub" and words.size:
                raise ValueError(f"keys must be whole numbers, got {words.dtype}; cast them first")
            x = _mix(x + (words.astype(np.uint64) + np.uint64(1)) * gamma)
    return (x >> np.uint64(11)).astype(np.float64) * 2.0**-53


def generator(seed: int, purpose: str, key: int = 0) -> np.random.Generator:
    """Return a numpy generator of its own for one purpose and key, for shuffles of whole arrays."""
    return np.random.default_rng([int(_key(check_seed(seed), purpose)), key + 1])


def label_keys(labels: Iterable[Any]) -> npt.NDArray[np.uint64]:
    """Turn labels into 64-bit keys that depend on the label alone, not on its place.

    >>> label_keys(["a", "b"])[1] == label_keys(["b"])[0]
    np.True_
    """
    texts = [str(label) for label in labels]
    try:
        return pd.util.hash_array(np.array(texts, dtype=object), categorize=False)
    except UnicodeEncodeError:  # half an emoji; bytes and text of the same UTF-8 hash alike
        raw = [text.encode("utf-8", "surrogatepass") for text in texts]
        return pd.util.hash_array(np.array(raw, dtype=object), categorize=False)
