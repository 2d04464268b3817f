"""A toy policy: how often it does what, given its skills and the world it is in.

A try is one of two behaviours (right, wrong) or, where replies can be long, of four. The chance of
each is known exactly, so every curve can be drawn without sampling noise.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from whilecore.world import Skills, Tasks, World

Floats = npt.NDArray[np.float64]

BEHAVIOURS: Final = ("right", "wrong", "long and right", "long and wrong")
RIGHT: Final = np.array([1.0, 0.0, 1.0, 0.0])
LONG: Final = np.array([0.0, 0.0, 1.0, 1.0])


def sigmoid(x: npt.ArrayLike) -> Floats:
    """Return σ(x) = 1/(1 + e⁻ˣ), without overflow."""
    half = np.asarray(np.tanh(0.5 * np.asarray(x, np.float64)))
    half += 1
    half *= 0.5
    return half


def skill_on(world: World, skills: Skills, tasks: Tasks) -> Floats:
    """Return the policy's skill on each task before the ceiling, shape (..., runs, tasks)."""
    skill = skills.general[..., None] + skills.topic.take(tasks.topic, -1)
    if world.memorised and (tasks.trained >= 0).any():
        skill = skill + np.where(tasks.trained >= 0, skills.memory[..., tasks.trained], 0.0)
    return np.asarray(skill)


def right_rates(world: World, skills: Skills, tasks: Tasks) -> tuple[Floats, Floats]:
    """Return the chance that a short and that a long reply is right, each (..., runs, tasks)."""
    return right_at(world, skill_on(world, skills, tasks), tasks)


def right_at(world: World, skill: Floats, tasks: Tasks) -> tuple[Floats, Floats]:
    """Return the same from the skill on each task, shape (..., runs, tasks)."""
    if world.ceiling < np.inf:
        skill = np.minimum(skill, world.ceiling)
    logit = skill - tasks.difficulty
    short = sigmoid(logit)
    return short, (sigmoid(logit - world.long_cost) if world.long_cost else short)


def true_rates(world: World, skills: Skills, tasks: Tasks) -> Floats:
    """Return the true pass rate of each task: the chance that a try is right.

    p = (1 − λ)·P(right | short) + λ·P(right | long),  λ the share of long replies

    Returns:
        Shape (..., runs, tasks), in [0, 1].

    >>> from whilecore.world import draw_world
    >>> world = draw_world(topics=1, per_topic=2, topic_spread=0, task_spread=0)
    >>> true_rates(world, world.start(1), world.pool)
    array([[0.5, 0.5]])
    """
    short, long = right_rates(world, skills, tasks)
    if not world.long_cost:
        return short
    share = sigmoid(skills.length)[..., None]
    return np.asarray((1 - share) * short + share * long)


def chances(world: World, skills: Skills, tasks: Tasks) -> Floats:
    """Return the chance of each behaviour, in the order of ``BEHAVIOURS``.

    Returns:
        Shape (2, ..., runs, tasks), or 4 where replies can be long; sums to 1 over the first axis.
    """
    short, long = right_rates(world, skills, tasks)
    share = sigmoid(skills.length)[..., None] if world.behaviours == 4 else None
    return chances_at(short, long, share)


def chances_at(short: Floats, long: Floats, share: Floats | None) -> Floats:
    """Return the same from the chances that short and long replies are right, and λ.

    Args:
        short: P(right | short), shape (..., runs, tasks).
        long: P(right | long), same shape.
        share: λ, the share of long replies, shape (..., runs, 1); None where none can be long.
    """
    if share is None:
        two = np.empty((2, *short.shape))
        two[0] = short
        np.subtract(1, short, out=two[1])
        return two
    four = np.empty((4, *short.shape))
    np.multiply(1 - share, short, out=four[0])
    np.subtract(1 - share, four[0], out=four[1])
    np.multiply(share, long, out=four[2])
    np.subtract(share, four[2], out=four[3])
    return four


def pay(world: World, bias: float) -> Floats:
    """Return what a judge pays for each behaviour: (1 − bias)·right + bias·long.

    Convention:
        A share ``bias`` of the verdict is about length. At 0.5 a short right reply and a long
        wrong one are paid the same.

    >>> from whilecore.world import draw_world
    >>> pay(draw_world(long_share=0.25), 0.2)
    array([0.8, 0. , 1. , 0.2])
    """
    if not 0 <= bias <= 1:
        raise ValueError(f"bias must be a share in [0, 1], got {bias!r}")
    return np.asarray((1 - bias) * RIGHT + bias * LONG)[: world.behaviours]


def kl_to_start(world: World, skills: Skills, tasks: Tasks) -> Floats:
    """Return how far the policy is from its start, in nats, averaged over the tasks.

    KL(π‖π₀) = Σ_b π_b·log(π_b/π₀_b)

    Returns:
        Shape (..., runs), at least 0; 0 exactly where nothing moved.
    """
    runs = skills.general.shape[-1]
    now, start = chances(world, skills, tasks), chances(world, world.start(runs), tasks)
    start = start.reshape(len(start), *(1,) * (now.ndim - start.ndim), *start.shape[1:])
    return np.asarray((now * log_ratio(now, start)).sum(0).mean(-1))


def log_ratio(now: Floats, start: Floats) -> Floats:
    """Return log(π/π₀), with 0 for a behaviour that has become impossible (its weight is 0)."""
    tiny = np.finfo(np.float64).tiny
    return np.asarray(np.log(np.maximum(now, tiny) / np.maximum(start, tiny)))
