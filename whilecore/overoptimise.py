"""What happens to the true rate while a flawed reward climbs: RL beside best-of-n.

Distance from the start is d = √KL(π‖start). Best-of-n draws n replies and keeps the one the judge
likes best; RL moves the policy. Both climb the judge's reward; the truth may peak and fall.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from whilecore.policy import RIGHT, chances, log_ratio, pay
from whilecore.world import World, draw_world

Floats = npt.NDArray[np.float64]


def biased_judge_world(**changes: Any) -> World:
    """Return the toy in which a judge that pays for length breaks the truth.

    Assumptions: a ceiling of 1.5 logits on the skill (0.82 right); a long reply costs 1.5 logits
    of accuracy; a quarter of the replies are long at the start; one skill; tasks are alike, so one
    stands for all.

    What holds, measured as expected over 60 steps of size 2 at pulls of 0 to 0.5: without the cost
    the true rate never falls, whatever the bias. Without the ceiling it never falls up to a bias
    of 0.6; paid more than that, length is learned faster than skill, and its cost alone lets the
    true rate dip. With both it falls below its start from a bias of 0.3 on, if nothing pulls.

    Args:
        **changes: Any argument of `world.draw_world`.

    Returns:
        A task to train on and one held out; true rate 0.65 at the start.
    """
    settings: dict[str, Any] = {
        "topics": 1, "per_topic": 1, "topic_spread": 0.0, "task_spread": 0.0, "skill": 1.03,
        "transfer": 1.0, "ceiling": 1.5, "long_cost": 1.5, "long_share": 0.25,
    }  # fmt: skip
    return draw_world(**settings | changes)


def best_of_n_kl(n: npt.ArrayLike) -> Floats:
    """Return how far best-of-n can be from the policy it draws from: log n − (n−1)/n nats.

    Args:
        n: Draws, whole numbers of at least 1, any shape.

    Returns:
        float64 of the shape of n; 0 for n = 1.

    Raises:
        ValueError: For n below 1.

    Convention:
        An upper bound. It is reached only if no two replies are scored alike; with a 0/1 judge the
        true distance is smaller and stops growing: see `best_of_n`.

    Source:
        Hilton and Gao 2022; that it is a bound: Beirami et al. 2024, arXiv:2401.01879.

    >>> print(best_of_n_kl([1, 2, 4, 10, 16, 30]).round(3))
    [0.    0.193 0.636 1.403 1.835 2.435]
    """
    draws = np.asarray(n, np.float64)
    if not ((draws >= 1) & (draws == np.floor(draws))).all():
        raise ValueError(f"n must be a whole number of at least 1, got {n!r}")
    return np.asarray(np.log(draws) - (draws - 1) / draws)


def gold_best_of_n(d: npt.ArrayLike, alpha: float, beta: float) -> Floats:
    """Return the true reward gained by best-of-n at distance d: d·(α − β·d).

    Args:
        d: √KL, at least 0, any shape.
        alpha: Gain per distance at the start.
        beta: How fast the gain is lost.

    Returns:
        float64 of the shape of d, 0 at d = 0.

    Source:
        Gao et al. 2023, arXiv:2210.10760. A form fitted to runs of one family of models, not a law.

    >>> float(gold_best_of_n(1.0, 1.0, 0.25))
    0.75
    """
    distance = _distance(d)
    return np.asarray(distance * (alpha - beta * distance))


def gold_rl(d: npt.ArrayLike, alpha: float, beta: float) -> Floats:
    """Return the true reward gained by RL at distance d: d·(α − β·log d).

    Args:
        d: √KL, at least 0, any shape.
        alpha: Gain per distance at d = 1.
        beta: How fast the gain is lost.

    Returns:
        float64 of the shape of d.

    Convention:
        NaN at d = 0. The slope α − β − β·log d grows without bound there, and the form is not
        meant for it: do not draw it near 0.

    Source:
        Gao et al. 2023, arXiv:2210.10760.

    >>> float(gold_rl(1.0, 1.0, 0.25))
    1.0
    """
    distance = _distance(d)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(distance * (alpha - beta * np.log(distance)))


def peak_best_of_n(alpha: float, beta: float) -> tuple[float, float]:
    """Return where `gold_best_of_n` peaks and how high: d = α/2β, α²/4β.

    >>> peak_best_of_n(1.0, 0.25)
    (2.0, 1.0)
    """
    _positive(alpha, beta)
    return alpha / (2 * beta), alpha**2 / (4 * beta)


def peak_rl(alpha: float, beta: float) -> tuple[float, float]:
    """Return where `gold_rl` peaks and how high: d = exp(α/β − 1), β·d.

    >>> peak_rl(1.0, 1.0)
    (1.0, 1.0)
    """
    _positive(alpha, beta)
    d = math.exp(alpha / beta - 1)
    return d, beta * d


def best_of_n(chances: npt.ArrayLike, rewards: npt.ArrayLike, n: int) -> Floats:
    """Return the chance of each behaviour among the picks of best-of-n, exactly.

    P(pick's reward ≤ r) = P(reward ≤ r)ⁿ; behaviours paid alike share in proportion to π.

    Args:
        chances: π, chance of each behaviour, shape (behaviours, ...), summing to 1.
        rewards: What the judge pays for each, shape (behaviours,).
        n: Draws, at least 1.

    Returns:
        float64 of the shape of ``chances``, summing to 1 over the first axis.

    Raises:
        ValueError: For n below 1.

    >>> best_of_n([0.65, 0.35], [1, 0], 4).round(3)  # wrong only if all four are: .35⁴ = .015
    array([0.985, 0.015])
    """
    best_of_n_kl(n)  # checks n
    pi, paid = np.asarray(chances, np.float64), np.asarray(rewards, np.float64)
    out = np.zeros_like(pi)
    below = np.zeros(pi.shape[1:])
    for level in np.unique(paid):
        there = paid == level
        mass = pi[there].sum(0)
        upto = np.minimum(below + mass, 1.0)
        share = np.where(mass > 0, (upto**n - below**n) / np.where(mass > 0, mass, 1.0), 0.0)
        out[there] = pi[there] * share
        below = upto
    return np.asarray(out / out.sum(0))


@dataclass(frozen=True)
class BestOfN:
    """Best-of-n of the toy at its start, mean over the held-out tasks; one entry per n.

    Attributes:
        n: Draws.
        proxy: Mean reward of the picks.
        true_rate: Share of the picks that are right.
        kl: KL(picks‖start) in nats, exact.
        bound: log n − (n−1)/n.
    """

    n: npt.NDArray[np.int64]
    proxy: Floats
    true_rate: Floats
    kl: Floats
    bound: Floats


def best_of_n_curve(world: World, bias: float, n: npt.ArrayLike = (1, 2, 4, 8, 16, 32)) -> BestOfN:
    """Return what best-of-n under a judge of some bias makes of the toy's starting policy.

    Args:
        world: The toy, with one set of difficulties.
        bias: See `policy.pay`.
        n: Draws, whole numbers of at least 1.

    Returns:
        Exact numbers: nothing is drawn.

    Convention:
        Here the truth does not fall for good: among many draws one is long *and* right, which this
        judge likes best. `gold_best_of_n` peaks because its judge also errs about what is right.

    >>> curve = best_of_n_curve(biased_judge_world(), 0.5, [1, 4])
    >>> print(curve.proxy.round(2), curve.true_rate.round(2))
    [0.45 0.67] [0.65 0.85]
    """
    pi = chances(world, world.start(1), world.held_out)
    paid, right = pay(world, bias), RIGHT[: world.behaviours]
    counts = np.atleast_1d(np.asarray(n))
    picks = [best_of_n(pi, paid, int(count)) for count in counts]
    return BestOfN(
        n=counts.astype(np.int64),
        proxy=np.array([np.tensordot(paid, pick, 1).mean() for pick in picks]),
        true_rate=np.array([np.tensordot(right, pick, 1).mean() for pick in picks]),
        kl=np.array([(pick * log_ratio(pick, pi)).sum(0).mean() for pick in picks]),
        bound=best_of_n_kl(counts),
    )


def _distance(d: npt.ArrayLike) -> Floats:
    distance = np.asarray(d, np.float64)
    if not (distance >= 0).all():
        raise ValueError(f"d is √KL and must be at least 0, got {d!r}")
    return distance


def _positive(alpha: float, beta: float) -> None:
    if not (alpha > 0 and beta > 0):
        raise ValueError(
            f"alpha and beta must be above 0, got {alpha!r} and {beta!r}; otherwise the curve has "
            "no peak"
        )
