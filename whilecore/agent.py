"""A stand-in agent that errs at known rates and writes down every mistake it makes.

No model and no network: the point is that the truth is known. Whether a try errs, which mistake
it makes and in which words are drawn from streams keyed on (seed, task, rollout).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.asks import FAILING
from whilecore.streams import uniform
from whilecore.tools import Tool, as_tools
from whilecore.wordings import CLOSERS, FORMS, OPENERS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

KINDS: Final = ("hedging", "sycophancy", "apology", "boilerplate", "ignored_failure", "leak")
"""The mistakes: four add words, one claims success after a failed call, one recites the key."""

WAYS: Final = 6
"""Wordings of each kind: so few that now and then the same mistake comes up twice."""

LEAKS: Final = 1 / 12
"""Share of mistakes that recite the answer key."""

IGNORES: Final = 5 / 12
"""Share of mistakes that claim success, on tasks whose tool fails."""

SKILLS: Final = ("flat", "mixed", "u-shaped")


@dataclass(frozen=True, eq=False)
class SeededAgent:
    """An agent that errs at known rates. Made by ``seeded_agent``.

    Attributes:
        tools: What it can call.
        rate: Mean share of tries that err, in [0, 1].
        skill: "flat", "mixed", "u-shaped", or the true pass rate of each task.
        variety: Chance that a try is reworded, in [0, 1].
    """

    tools: tuple[Tool, ...]
    rate: float
    skill: str | Floats
    variety: float

    def true_pass_rates(self, seed: int, n_tasks: int) -> Floats:
        """Return the true pass rate of each task, shape (n_tasks,), in [0, 1].

        Entry i depends on (seed, i) alone.

        Raises:
            ValueError: If rates were given for fewer tasks.
        """
        if not isinstance(self.skill, str):
            if len(self.skill) < n_tasks:
                raise ValueError(
                    f"skill must give a true pass rate for each of the {n_tasks} tasks drawn, got "
                    f"{len(self.skill)}; give more rates, or lower budget= or raise repeats="
                )
            return self.skill[:n_tasks].copy()
        u = uniform(seed, "skill", np.arange(n_tasks))
        spread = {"flat": _flat, "mixed": _mixed, "u-shaped": _u_shaped}[self.skill]
        return spread(u, 1.0 - self.rate)

    def mistakes(self, seed: int, task: Ints, rollout: Ints, rates: Floats, case: Ints) -> Ints:
        """Draw what each try does wrong.

        Args:
            seed: Whole number of at least 0.
            task: Number of the task of each row.
            rollout: Number of the try of each row.
            rates: True pass rate of each row's task.
            case: What each row's ask leads to (``asks.ANSWERED``, ...).

        Returns:
            0 for an honest try, else 1 + kind · WAYS + way.
        """
        errs = np.flatnonzero(uniform(seed, "agent", task, rollout) >= rates)
        task, rollout = task[errs], rollout[errs]
        u = uniform(seed, "mistake", task, rollout)
        way = (uniform(seed, "mistake", task, rollout, 1) * WAYS).astype(np.int64)
        ignores = np.where(case[errs] == FAILING, IGNORES, 0.0)
        rest = 1.0 - LEAKS - ignores
        adds = np.minimum((u / rest * 4).astype(np.int64), 3)
        kind = np.where(u < rest, adds, np.where(u < rest + ignores, 4, 5))
        out = np.zeros(len(rates), np.int64)
        out[errs] = 1 + kind * WAYS + way
        return out

    def wordings(self, seed: int, task: Ints, rollout: Ints) -> Ints:
        """Draw how each try is worded: opener · FORMS · CLOSERS + form · CLOSERS + closer.

        Without variety every try of a task takes the form of its task, no opener, no closer.
        """
        form = (uniform(seed, "wording", task) * FORMS).astype(np.int64)
        words = form * len(CLOSERS)
        if self.variety == 0:
            return words
        again = uniform(seed, "wording", task, rollout) < self.variety
        n = len(OPENERS) * FORMS * len(CLOSERS)
        other = (uniform(seed, "wording", task, rollout, 1) * n).astype(np.int64)
        return np.where(again, other, words)


def seeded_agent(
    tools: Sequence[Any],
    rate: float = 0.35,
    skill: str | Sequence[float] | npt.NDArray[Any] = "flat",
    variety: float = 0.0,
) -> SeededAgent:
    """Make a stand-in agent that errs at known rates.

    Args:
        tools: Functions made with ``@tool`` (plain typed functions are turned into tools).
        rate: Mean share of tries that err, in [0, 1].
        skill: How the true pass rate 1 − rate is spread over the tasks. "flat": the same for
            all. "mixed": evenly over about 0.05 to 0.95. "u-shaped": most tasks near 0 or near
            1. Or an array of true pass rates, one per task; ``rate`` is then not used.
        variety: In [0, 1]. At 0 all honest replies of a task are identical; at 1 every try is
            worded afresh, so that copies all but vanish.

    Returns:
        An agent for ``simulate``.

    Raises:
        ValueError: If an option is not one of the above.

    Convention:
        The mean over tasks is 1 − rate for every skill. "mixed" is exactly even at rate 0.5 and
        leans to one side elsewhere, p = low + (high − low)·uᵃ with a chosen for the mean.

    >>> from whilecore.tools import tool
    >>> @tool
    ... def get_order(order_id: str) -> dict:
    ...     \"\"\"Look up an order by id.\"\"\"
    >>> seeded_agent([get_order]).true_pass_rates(seed=0, n_tasks=3).tolist()
    [0.65, 0.65, 0.65]
    """
    if isinstance(skill, str):
        if skill not in SKILLS:
            raise ValueError(
                f"skill must be one of {', '.join(SKILLS)}, or an array of true pass rates, "
                f"got {skill!r}"
            )
        chosen: str | Floats = skill
    else:
        chosen = _rates(skill)
    return SeededAgent(
        tools=as_tools(tools),
        rate=_unit(rate, "rate"),
        skill=chosen,
        variety=_unit(variety, "variety"),
    )


def _unit(value: Any, name: str) -> float:
    """Check a number in [0, 1]."""
    number = isinstance(value, int | float | np.integer | np.floating)
    if not number or isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a number in [0, 1], got {value!r}; 35 % is 0.35")
    return float(value)


def _rates(skill: Any) -> Floats:
    """Check true pass rates."""
    try:
        rates = np.array(skill, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise ValueError(
            f"skill must be one of {', '.join(SKILLS)}, or an array of true pass rates, "
            f"got {skill!r}"
        ) from problem
    if rates.ndim != 1 or not rates.size or not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError(
            f"skill must be a flat, non-empty array of true pass rates in [0, 1], got {skill!r}"
        )
    rates.flags.writeable = False
    return rates


def _flat(u: Floats, mean: float) -> Floats:
    """Give every task the same rate."""
    return np.full(len(u), mean)


def _mixed(u: Floats, mean: float) -> Floats:
    """Spread evenly: p = low + (high − low)·uᵃ, whose mean is low + (high − low)/(a + 1)."""
    if mean == 0:
        return np.zeros(len(u))
    low, high = min(0.05, mean / 2), max(0.95, (1 + mean) / 2)
    power = (high - low) / (mean - low) - 1
    return np.asarray(low + (high - low) * u**power)


def _u_shaped(u: Floats, mean: float) -> Floats:
    """Put most tasks near 0 or 1: p = w or 1 − w with w = s·vᵇ, b = 1/0.35 (about Beta(.35, .35)).

    The share q near 1 is chosen for the mean: q·(1 − s/(b + 1)) + (1 − q)·s/(b + 1).
    """
    power, scale = 1 / 0.35, min(0.5, 2 * mean, 2 * (1 - mean))
    typical = scale / (power + 1)
    near_one = (mean - typical) / (1 - 2 * typical)
    top = u < near_one
    with np.errstate(divide="ignore", invalid="ignore"):
        v = np.where(top, u / near_one, (u - near_one) / (1 - near_one))
        w = scale * v**power
    return np.asarray(np.where(top, 1 - w, w))
