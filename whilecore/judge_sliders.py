"""Two sliders that make a judge worse: another judge on a share of rows, and flipped verdicts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from whilecore.judge_base import Judge, Rows, as_judge, check_seed, row_keys
from whilecore.streams import uniform
from whilecore.table import Table
from whilecore.verdicts import Verdicts

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Blend(Judge):
    """On a share of the rows another judge decides. Made by ``blend``."""

    judge: Judge
    other: Judge
    share: float
    seed: int | None = None

    @property
    def name(self) -> str:  # type: ignore[override]
        """Both names and the share."""
        return f"{self.judge.name} ({self.share:.0%} {self.other.name})"

    @property
    def level(self) -> int:  # type: ignore[override]
        """Depth of nesting: a blend of a blend must not reuse its draws."""
        return 1 + max(self.judge.level, self.other.level)

    def decides(self, table: Table) -> Bools:
        """Return True on the rows where the other judge decides."""
        u = uniform(self.seed or 0, "blend", *row_keys(table), self.level)
        return np.asarray(u < self.share, np.bool_)

    def read(self, table: Table) -> npt.NDArray[Any]:
        """Score with both and choose row by row."""
        if self.share in (0, 1):
            return (self.other if self.share else self.judge).rewards(table)
        return np.where(self.decides(table), self.other.rewards(table), self.judge.rewards(table))

    def seeded(self, seed: int) -> Blend:
        """Hand the seed on to whatever has none."""
        own = seed if self.seed is None else self.seed
        return replace(self, judge=self.judge.seeded(seed), other=self.other.seeded(seed), seed=own)

    def verdicts(self, rollouts: Rollouts, rows: Rows | None = None) -> Verdicts:
        """Ask each judge only about the rows it decides."""
        if self.share in (0, 1):
            return (self.other if self.share else self.judge).verdicts(rollouts, rows)
        rows = np.arange(len(rollouts)) if rows is None else rows
        other = self.decides(rollouts.table)[rows]
        parts = [
            (np.flatnonzero(mine), judge.verdicts(rollouts, rows[mine]))
            for mine, judge in ((~other, self.judge), (other, self.other))
            if mine.any()
        ]
        whole = Verdicts(
            reward=np.full(len(rows), np.nan),
            status=np.full(len(rows), "", dtype=object),
            reason=np.full(len(rows), "", dtype=object),
        )
        for places, part in parts:
            whole.reward[places] = part.reward
            whole.status[places] = part.status
            whole.reason[places] = part.reason
        return whole


@dataclass(frozen=True)
class Flips(Judge):
    """A judge whose verdict is turned round on a share of the rows. Made by ``with_flips``."""

    judge: Judge
    rate: float
    seed: int | None = None

    @property
    def name(self) -> str:  # type: ignore[override]
        """The judge's name and the rate."""
        return f"{self.judge.name} (flips {self.rate:.0%})"

    @property
    def level(self) -> int:  # type: ignore[override]
        """Depth of nesting."""
        return 1 + self.judge.level

    def flips(self, table: Table) -> Bools:
        """Return True on the rows whose verdict is turned round."""
        u = uniform(self.seed or 0, "flips", *row_keys(table), self.level)
        return np.asarray(u < self.rate, np.bool_)

    def read(self, table: Table) -> npt.NDArray[Any]:
        """Return the judge's rewards, 1 − reward where flipped."""
        rewards = np.asarray(self.judge.rewards(table), np.float64)
        return np.where(self.flips(table), 1.0 - rewards, rewards)

    def seeded(self, seed: int) -> Flips:
        """Hand the seed on to whatever has none."""
        own = seed if self.seed is None else self.seed
        return replace(self, judge=self.judge.seeded(seed), seed=own)

    def verdicts(self, rollouts: Rollouts, rows: Rows | None = None) -> Verdicts:
        """Turn the scored verdicts round; an unscored row stays unscored."""
        given = self.judge.verdicts(rollouts, rows)
        turned = self.flips(rollouts.table)
        turned = turned if rows is None else turned[rows]
        return replace(given, reward=np.where(turned, 1.0 - given.reward, given.reward))


def blend(judge: Any, other: Any, share: float, seed: int | None = None) -> Blend:
    """Let another judge decide on a share of the rows.

    Args:
        judge: Decides on the rest.
        other: Decides on the share.
        share: In [0, 1].
        seed: None takes the seed of ``grade``.

    Returns:
        A judge. Each row has a draw of its own, compared with the share: raising the share turns
        each row over to the other judge at most once.

    Raises:
        ValueError: If the share lies outside [0, 1].

    >>> from whilecore.judges import answer_key, long_reply
    >>> blend(answer_key, long_reply, 0.3).name
    'answer_key (30% long_reply)'
    """
    check_seed(seed)
    return Blend(as_judge(judge), as_judge(other), _fraction(share, "share"), seed)


def with_flips(judge: Any, rate: float, seed: int | None = None) -> Flips:
    """Turn a judge's verdict round, r → 1 − r, on a share of the rows drawn at random.

    Args:
        judge: The judge.
        rate: Share of rows, in [0, 1].
        seed: None takes the seed of ``grade``.

    Raises:
        ValueError: If the rate lies outside [0, 1].

    >>> from whilecore.judges import answer_key
    >>> with_flips(answer_key, 0.1).name
    'answer_key (flips 10%)'
    """
    check_seed(seed)
    return Flips(as_judge(judge), _fraction(rate, "rate"), seed)


def _fraction(value: float, name: str) -> float:
    """Check a share."""
    if isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a number in [0, 1], got {value!r}; 30 % is 0.3")
    return float(value)
