"""What a judge may answer, and what becomes of an answer that is no reward.

A reward is a bool, a number in [0, 1], or a mapping that holds one. Anything else leaves the row
*unscored*, with a status and a reason: a broken judge must never look like a failing agent.
"""

from __future__ import annotations

import numbers
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CoroutineType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Objects = npt.NDArray[np.object_]

OK: Final = "ok"
ERROR: Final = "error"
NOT_A_NUMBER: Final = "not a number"
OUT_OF_RANGE: Final = "out of range"
NO_REWARD: Final = "no reward"

PLAIN: Final = frozenset((bool, int, float))

Verdict = tuple[float, str, str]
"""(reward or NaN, status, reason)."""


@dataclass(frozen=True, eq=False)
class Verdicts:
    """A judge's answers, one entry per row in every array.

    Attributes:
        reward: float64 in [0, 1]; NaN where the row is unscored.
        status: "ok", "error", "not a number", "out of range" or "no reward".
        reason: The judge's own reason, or why there is no reward; "" if there is none.
    """

    reward: Floats
    status: Objects
    reason: Objects

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.reward)

    def take(self, rows: npt.NDArray[np.int64]) -> Verdicts:
        """Return the answers on some rows, by position."""
        return Verdicts(self.reward[rows], self.status[rows], self.reason[rows])

    def __str__(self) -> str:
        """Say how many rows are scored, and what stands in the way of the others."""
        counts = Counter(self.status.tolist())
        scored = counts.pop(OK, 0)
        why = ", ".join(f"{n} {status}" for status, n in counts.most_common())
        return f"{scored} of {len(self)} rows scored" + (f"; unscored: {why}" if why else "")


def read(answer: Any) -> Verdict:
    """Read one answer of a judge.

    Args:
        answer: A bool, a number in [0, 1], or a mapping with ``reward`` (or ``score``) and
            optionally ``reason``.

    Returns:
        (reward, "ok", reason), or (NaN, status, why).

    Convention:
        None is no reward (the judge abstains). Text is never a number, not even "0.85": whether
        "8/10" means 0.8 is the judge's business. NaN is not a number; 1.2 and −1 are out of
        range rather than clipped.

    >>> read({"reward": True, "reason": "led with the order"})
    (1.0, 'ok', 'led with the order')
    >>> read("0.85")[1]
    'not a number'
    """
    reason = ""
    if type(answer) is dict and len(answer) == 1 and type(answer.get("reward")) in PLAIN:
        answer = answer["reward"]  # the commonest answer, read without looking further
    if type(answer) in PLAIN and 0 <= answer <= 1:
        return float(answer), OK, reason
    if isinstance(answer, Mapping):
        name = next((name for name in ("reward", "score") if name in answer), None)
        if name is None:
            have = ", ".join(map(repr, answer)) or "nothing"
            return np.nan, NO_REWARD, f"the mapping must hold 'reward' or 'score', it holds {have}"
        reason = "" if answer.get("reason") is None else str(answer["reason"])
        answer = answer[name]
    if answer is None:
        return np.nan, NO_REWARD, reason or "the judge returned None"
    if not isinstance(answer, numbers.Real | np.bool_):
        return np.nan, NOT_A_NUMBER, _not_a_number(answer)
    reward = float(answer)
    if 0 <= reward <= 1:
        return reward, OK, reason
    return np.nan, *_no_reward(reward)


def read_scores(scores: Any, n: int, name: str) -> Verdicts:
    """Read what ``score(frame)`` of a judge returned.

    Args:
        scores: One answer per row, in row order.
        n: Number of rows.
        name: The judge's name, for the error.

    Raises:
        ValueError: If there is not exactly one answer per row.
    """
    values = np.asarray(scores)
    if values.shape != (n,):
        raise ValueError(
            f"score(frame) of judge {name} must return one number per row, shape ({n},), got "
            f"shape {values.shape}; return an array in the order of the frame's rows"
        )
    if values.dtype.kind not in "biuf":
        return gather([read(value) for value in values.tolist()])
    rewards = values.astype(np.float64)
    status, reason = np.full(n, OK, dtype=object), np.full(n, "", dtype=object)
    for row in np.flatnonzero(~((rewards >= 0) & (rewards <= 1))).tolist():
        status[row], reason[row] = _no_reward(float(rewards[row]))
        rewards[row] = np.nan
    return Verdicts(rewards, status, reason)


def ask(judge: Callable[[Any], Any], row: Any) -> Verdict:
    """Let a judge answer on one row; an exception becomes a status.

    Convention:
        Only ``Exception`` is caught: an interrupt from the keyboard goes through.
    """
    try:
        answer = judge(row)
        if type(answer) is CoroutineType:
            answer.close()
            return np.nan, NOT_A_NUMBER, "the judge is an async function; pass a plain function"
        return read(answer)
    except Exception as problem:
        text = f"{type(problem).__name__}: {problem}"
        return np.nan, ERROR, text.removesuffix(": ")


def gather(verdicts: list[Verdict]) -> Verdicts:
    """Stack single verdicts."""
    n = len(verdicts)
    return Verdicts(
        np.fromiter((one[0] for one in verdicts), np.float64, n),
        np.fromiter((one[1] for one in verdicts), object, n),
        np.fromiter((one[2] for one in verdicts), object, n),
    )


def _not_a_number(answer: Any) -> str:
    """Say what came instead of a number."""
    if isinstance(answer, str):
        shown = repr(answer if len(answer) <= 60 else answer[:57] + "...")
        return f"the judge returned the text {shown}; return a number in [0, 1]"
    return (
        f"the judge returned {type(answer).__name__}; return a bool, a number in [0, 1], "
        "or a mapping with 'reward'"
    )


def _no_reward(reward: float) -> tuple[str, str]:
    """Return status and reason of a number that is no reward."""
    if np.isnan(reward):
        return NOT_A_NUMBER, "the judge returned NaN; return a number in [0, 1]"
    hint = "divide by the highest score"
    if reward < 0:
        hint = "for a judge that pays −1 and 1, return (reward + 1) / 2"
    return OUT_OF_RANGE, f"the reward {reward:g} lies outside [0, 1]; rescale it: {hint}"
