"""The expected training of many judges and pulls in one go, where all tasks are alike.

With one difficulty and one skill the policy is two numbers, so hundreds of settings fit into one
array and take as long as one: a page can follow a slider through them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from whilecore.curves import Training
from whilecore.policy import chances, chances_at, log_ratio, pay, sigmoid
from whilecore.pushes import expected_pushes, live_chance
from whilecore.training import Plan
from whilecore.world import Skills, World

Floats = npt.NDArray[np.float64]


def expected_paths(settings: Sequence[tuple[World, Plan]]) -> tuple[Floats, Floats]:
    """Train without sampling under each of some worlds and plans, all at once.

    Δskill = η·Σ_b w_b·∂log π_b/∂skill,  Δlength the same,
    w_b = (k−1)/k·π_b·(r_b − Σπ·r) − β·π_b·log(π_b/π₀_b)

    Args:
        settings: Worlds with one task each, one skill and replies that can be long, and plans of
            one run, not sampled, on *all*, centred, of equal steps. Worlds may differ in what they
            take for granted; plans in bias, kl, k and step size.

    Returns:
        Skill and logit of long replies at the start and after each step, both
        (steps + 1, settings), up to rounding those of `training.train`; `along` makes curves of
        them.

    Raises:
        ValueError: For a world or plan of another kind.

    >>> from whilecore.overoptimise import biased_judge_world
    >>> world = biased_judge_world()
    >>> plans = [Plan(runs=1, sampled=False, step_size=2.0, bias=bias) for bias in (0.0, 0.5)]
    >>> skill, length = expected_paths([(world, plan) for plan in plans])
    >>> runs = [along(world, plan, skill[:, i], length[:, i]) for i, plan in enumerate(plans)]
    >>> [round(float(run.held_out[0, -1]), 2) for run in runs]
    [0.81, 0.51]
    """
    for world, plan in settings:
        _check(world, plan)
    if len({plan.steps for _, plan in settings}) != 1:
        raise ValueError("all plans must have the same number of steps, at least one plan")
    return _walked(settings)


def _check(world: World, plan: Plan) -> None:
    """Refuse what the two numbers cannot hold."""
    alike = len(world.pool) == len(world.held_out) == 1 and world.pool.difficulty.size == 1
    if not alike or world.transfer != 1 or world.behaviours != 4:
        raise ValueError(
            "the world must have one task, transfer 1 and long replies; use training.train for "
            "any other"
        )
    plain = (plan.pool, plan.how, plan.match, plan.refill) == ("all", "centred", "no", 0)
    if not plain or plan.sampled or plan.runs != 1:
        raise ValueError(
            "the plan must be one run on all, centred, not sampled, not refilled, steps not "
            "matched; use training.train for any other"
        )


def _walked(settings: Sequence[tuple[World, Plan]]) -> tuple[Floats, Floats]:
    """Take the steps of all settings side by side."""

    def each(values: Sequence[float]) -> Floats:
        return np.array(values, np.float64)

    worlds, plans = [world for world, _ in settings], [plan for _, plan in settings]
    difficulty = each([float(world.pool.difficulty[0, 0]) for world in worlds])
    ceiling = each([world.ceiling for world in worlds])
    cost = each([world.long_cost for world in worlds])
    kl, size = each([plan.kl for plan in plans]), each([plan.step_size for plan in plans])
    shrink = each([(plan.k - 1) / plan.k for plan in plans])
    paid = np.stack([pay(world, plan.bias) for world, plan in settings], 1)
    skill, length = np.empty((2, plans[0].steps + 1, len(plans)))
    start = [world.start(1) for world in worlds]
    skill[0] = [one.general[0] for one in start]
    length[0] = [one.length[0] for one in start]
    first = None
    for step in range(plans[0].steps):
        logit = np.minimum(skill[step], ceiling) - difficulty
        short, long, share = sigmoid(logit), sigmoid(logit - cost), sigmoid(length[step])
        pi = chances_at(short, long, share)
        first = pi if first is None else first
        w = shrink * pi * (paid - (paid * pi).sum(0)) - kl * pi * log_ratio(pi, first)
        in_short, in_long = w[0] + w[1], w[2] + w[3]
        on_skill = w[0] + w[2] - short * in_short - long * in_long
        skill[step + 1] = skill[step] + size * on_skill * (skill[step] < ceiling)
        length[step + 1] = length[step] + size * (in_long - share * (in_short + in_long))
    return skill, length


def along(world: World, plan: Plan, skill: Floats, length: Floats) -> Training:
    """Return the training that went along one path of `expected_paths`.

    Args:
        world: Its world.
        plan: Its plan.
        skill: Skill at the start and after each step, shape (steps + 1,).
        length: Logit of the share of long replies, same shape.
    """
    column = (plan.steps + 1, 1)
    path = Skills(
        skill.reshape(column),
        np.zeros((*column, world.topics)),
        np.zeros((*column, 1)),
        length.reshape(column),
    )
    pi, paid = chances(world, path, world.pool)[:, :-1, 0, 0], pay(world, plan.bias)
    row = (1, plan.steps)
    none = np.zeros(row, np.int64)
    return Training(
        world,
        plan,
        path,
        below=None,
        silent=1 - live_chance(pi, paid, plan.k).reshape(row),
        push=np.abs(expected_pushes(pi, paid, plan.k, plan.how)).sum(0).reshape(row),
        drawn=np.full(row, float(plan.batch)),
        missing=np.zeros(row),
        open=none + 1,
        step_size=np.full(row, plan.step_size),
        screening=none,
    )
