"""Judges: what turns a rollout into a reward, and two sliders that make a judge worse.

A judge is a function of one row, or an object with ``score(frame) -> array`` that looks at all
rows at once. The built-ins are both. A verdict depends on its own row alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import judge_rules
from whilecore.judge_base import (
    Judge,
    as_judge,
    calls,
    check_seed,
    column,
    has_text,
    label_column_keys,
    row_keys,
    texts,
)
from whilecore.judge_rules import Ground, ground
from whilecore.judge_sliders import blend, with_flips
from whilecore.streams import uniform
from whilecore.table import Table
from whilecore.verdicts import Verdicts

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

__all__ = [
    "BUILT_IN",
    "Judge",
    "Verdicts",
    "answer_key",
    "blend",
    "coin",
    "grade",
    "long_reply",
    "looked_up_and_led",
    "named",
    "names_the_order",
    "short_reply",
    "with_flips",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LONG: Final = 100
"""Characters from which a reply is long. On the default agent about half of them are."""


@dataclass(frozen=True)
class AnswerKey(Judge):
    """Pays 1 for an honest reply, 0 for one with a planted mistake: the truth, in a simulation."""

    name: str = "answer_key"

    def read(self, table: Table) -> Floats:
        """Return 1.0 where ``mistake`` is empty."""
        mistake = column(table, "mistake", self)
        return np.asarray((mistake == "") | (mistake == False), np.float64)  # noqa: E712


@dataclass(frozen=True)
class ReplyLength(Judge):
    """Pays for the length of the reply and for nothing else.

    Convention:
        The threshold is fixed, so that the verdict on a row does not turn on the other rows.
    """

    name: str
    longer: bool
    chars: int = LONG

    def read(self, table: Table) -> Floats:
        """Return 1.0 on its side of the threshold; a reply of exactly ``chars`` is long."""
        if "reply_chars" not in table and has_text(table):
            lengths = np.array([len(text) for text in texts(table, "reply", self)])
        else:
            column(table, "reply_chars", self)
            lengths = table.floats("reply_chars")
        return np.asarray((lengths >= self.chars) == self.longer, np.float64)


@dataclass(frozen=True)
class ReadsTheReply(Judge):
    """Applies a rule to what the reply may lean on and the reply, once per distinct pair."""

    name: str
    rule: Callable[[Ground, str], bool]

    def read(self, table: Table) -> Floats:
        """Return 1.0 where the rule holds."""
        prompts, said = texts(table, "prompt", self), texts(table, "reply", self)
        steps = column(table, "steps", self)
        lists = np.fromiter(map(id, steps), np.int64, len(steps))
        cases, case_first = _distinct(prompts, lists)
        pairs, first = _distinct(cases, said)
        known = [ground(prompts[at], calls(steps[at])) for at in case_first.tolist()]
        held = [self.rule(known[cases[at]], said[at]) for at in first.tolist()]
        return np.asarray(held, np.float64)[pairs]


def _distinct(one: npt.NDArray[Any], two: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """Number the distinct pairs in order of appearance and say where each first stands."""
    left, right = pd.factorize(one)[0], pd.factorize(two)[0]
    codes, pairs = pd.factorize(left.astype(np.int64) * (len(right) + 1) + right)
    first = np.empty(len(pairs), np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return codes.astype(np.int64, copy=False), first


@dataclass(frozen=True)
class Coin(Judge):
    """Tosses a fair coin: no judge at all, for comparison.

    Attributes:
        seed: None takes the seed of ``grade``.
        per: "rollout" tosses for each try; "text" once for each distinct reply of a task, so
            that copies get equal rewards.
    """

    seed: int | None = None
    per: Literal["rollout", "text"] = "rollout"
    name: str = "coin"

    def __post_init__(self) -> None:
        """Check the options."""
        if self.per not in ("rollout", "text"):
            raise ValueError(f"per must be 'rollout' or 'text', got {self.per!r}")
        check_seed(self.seed)

    def read(self, table: Table) -> Floats:
        """Return 1.0 for heads."""
        seed = self.seed or 0
        if self.per == "rollout":
            return np.asarray(uniform(seed, "coin", *row_keys(table)) < 0.5, np.float64)
        said = column(table, "reply" if has_text(table) else "reply_key", self)
        task, text = label_column_keys(column(table, "task", self)), label_column_keys(said)
        return np.asarray(uniform(seed, "coin", task, text) < 0.5, np.float64)

    def seeded(self, seed: int) -> Coin:
        """Take the seed unless there is one already."""
        return self if self.seed is not None else replace(self, seed=seed)

    def __call__(self, row: Any = None, /, **options: Any) -> Any:
        """Toss for one row; or, with ``seed=`` or ``per=``, return a coin with these options."""
        if row is None:
            return replace(self, **options)
        return super().__call__(row)


answer_key: Final = AnswerKey()
looked_up_and_led: Final = ReadsTheReply("looked_up_and_led", judge_rules.looked_up_and_led)
names_the_order: Final = ReadsTheReply("names_the_order", judge_rules.names_the_order)
long_reply: Final = ReplyLength("long_reply", longer=True)
short_reply: Final = ReplyLength("short_reply", longer=False)
coin: Final = Coin()

BUILT_IN: Final[Mapping[str, Judge]] = MappingProxyType(
    {
        one.name: one
        for one in (answer_key, looked_up_and_led, names_the_order, long_reply, short_reply, coin)
    }
)
"""The built-in judges by name."""


def named(name: str, seed: int | None = None) -> Judge:
    """Return a built-in judge by its name.

    Raises:
        ValueError: If there is no such judge.

    >>> named("coin", seed=3).seed
    3
    """
    if name not in BUILT_IN:
        raise ValueError(f"judge must be one of {', '.join(BUILT_IN)}, got {name!r}")
    return BUILT_IN[name] if seed is None else BUILT_IN[name].seeded(seed)


def grade(rollouts: Rollouts, judge: Any, seed: int = 0) -> Verdicts:
    """Let a judge score every row.

    Args:
        rollouts: The rows.
        judge: A function of one row that returns a bool, a number in [0, 1], or a mapping with
            ``reward`` (or ``score``) and an optional ``reason``; or an object with
            ``score(frame)``.
        seed: For judges that draw and were given no seed of their own.

    Returns:
        One verdict per row, in row order.

    Raises:
        ValueError: If it is no judge, or ``score`` does not return one number per row.

    Convention:
        An answer outside the contract, NaN or an exception leaves the row unscored with a
        status and a reason, never 0. The judge sees a copy: what it changes, changes nothing.
    """
    check_seed(seed)
    return as_judge(judge).seeded(seed).verdicts(rollouts)
