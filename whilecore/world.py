"""The world of the toy policy: tasks of spread difficulty in topics, and what is taken for granted.

It stands in for a language model in the lessons on training. Its assumptions are the fields of
`World`; what the policy does in it is in `policy`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from whilecore.streams import check_seed, uniform

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Tasks:
    """Tasks of the toy.

    Attributes:
        labels: Name of each task, shape (tasks,).
        prompts: Text of each task, shape (tasks,).
        topic: Topic of each task, 0 to topics − 1, shape (tasks,).
        difficulty: Skill at which half the tries are right, in logits, shape (worlds, tasks) with
            one world for all runs or one for each.
        trained: Position in the training pool of a task that is also there, else −1.
    """

    labels: npt.NDArray[np.object_]
    prompts: npt.NDArray[np.object_]
    topic: Ints
    difficulty: Floats
    trained: Ints

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.topic)


@dataclass(frozen=True)
class Skills:
    """What the policy has learned: arrays whose last axes are those named, in logits.

    Attributes:
        general: Counts on every task, shape (..., runs).
        topic: Counts on the tasks of one topic, shape (..., runs, topics).
        memory: Counts on one training task, shape (..., runs, pool tasks).
        length: Logit of the share of long replies, shape (..., runs).
    """

    general: Floats
    topic: Floats
    memory: Floats
    length: Floats

    def at(self, step: int) -> Skills:
        """Return the skills after one step of a path."""
        return Skills(self.general[step], self.topic[step], self.memory[step], self.length[step])


@dataclass(frozen=True)
class World:
    """Tasks to train on, tasks held out, and what the toy takes for granted.

    P(right) = σ(min(general + topic + memory, ceiling) − difficulty − long_cost·long)

    Attributes:
        pool: Tasks to train on.
        held_out: Tasks nobody trains on, from the same topics.
        topics: Number of topics.
        skill: General skill at the start, in logits.
        transfer: Share of a push that reaches all topics, 0 to 1. At 1 there is one scalar skill.
        memorised: Share of a push that stays with its task, 0 to 1 − transfer. What is left,
            1 − transfer − memorised, reaches the topic.
        ceiling: Skill cannot count for more than this.
        long_cost: What a long reply costs in accuracy, in logits.
        long_share: Share of long replies at the start; at 0 there are none, ever.
    """

    pool: Tasks
    held_out: Tasks
    topics: int
    skill: float = 0.0
    transfer: float = 0.5
    memorised: float = 0.0
    ceiling: float = math.inf
    long_cost: float = 0.0
    long_share: float = 0.0
    behaviours: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the assumptions."""
        for name in ("transfer", "memorised", "long_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must lie in [0, 1], got {getattr(self, name)!r}")
        if self.long_share == 1:
            raise ValueError("long_share must be below 1, got 1; then no reply is ever short")
        if self.transfer + self.memorised > 1 + 1e-12:
            raise ValueError(
                f"transfer + memorised must be at most 1, got {self.transfer} + {self.memorised}; "
                "they are shares of one push"
            )
        if not (math.isfinite(self.skill) and math.isfinite(self.long_cost)):
            raise ValueError("skill and long_cost must be finite numbers of logits")
        if math.isnan(self.ceiling) or self.long_cost < 0:
            raise ValueError("ceiling must be a number and long_cost at least 0")
        object.__setattr__(self, "behaviours", 4 if self.long_share else 2)

    def start(self, runs: int) -> Skills:
        """Return the skills before training, for a number of runs."""
        length = math.log(self.long_share / (1 - self.long_share)) if self.long_share else -math.inf
        return Skills(
            np.full(runs, float(self.skill)),
            np.zeros((runs, self.topics)),
            np.zeros((runs, len(self.pool))),
            np.full(runs, length),
        )

    def leaked(self, tasks: int = 1) -> World:
        """Return the world with some training tasks, label and all, put into the held-out set.

        They take the places of as many held-out tasks of the same topics, if there are such.

        Raises:
            ValueError: If there are fewer tasks than that.
        """
        most = min(len(self.pool), len(self.held_out))
        if not 1 <= tasks <= most:
            raise ValueError(f"tasks must lie between 1 and {most}, got {tasks!r}")
        old, new = np.arange(tasks), np.arange(tasks)
        if np.array_equal(self.pool.topic, self.held_out.topic):
            old = new = np.linspace(0, len(self.pool) - 1, tasks).astype(np.int64)
        parts: dict[str, Any] = {}
        for name in ("labels", "prompts", "topic"):
            parts[name] = getattr(self.held_out, name).copy()
            parts[name][old] = getattr(self.pool, name)[new]
        difficulty, trained = self.held_out.difficulty.copy(), self.held_out.trained.copy()
        difficulty[:, old], trained[old] = self.pool.difficulty[:, new], new
        return replace(self, held_out=Tasks(**parts, difficulty=difficulty, trained=trained))


def draw_world(
    topics: int = 8,
    per_topic: int = 8,
    *,
    topic_spread: float = 1.5,
    task_spread: float = 1.0,
    worlds: int = 1,
    seed: int = 0,
    **assumptions: Any,
) -> World:
    """Draw tasks to train on and as many to hold out.

    difficulty = topic_spread·z(topic) + task_spread·z(task),  z standard normal

    Args:
        topics: Number of topics, at least 1.
        per_topic: Tasks of each topic, in the pool and again in the held-out set, at least 1.
        topic_spread: Standard deviation of difficulty between topics, in logits.
        task_spread: Standard deviation of difficulty inside a topic, in logits.
        worlds: 1 for a world all runs share, or the number of runs for one each.
        seed: Whole number of at least 0.
        **assumptions: Further fields of `World`: skill, transfer, memorised, ceiling, ...

    Returns:
        The world. More topics, tasks or worlds leave the ones before as they were.

    Raises:
        ValueError: For a count below 1 or a spread below 0.

    >>> world = draw_world(topics=2, per_topic=3)
    >>> len(world.pool), world.pool.labels[0], world.held_out.labels[0]
    (6, 'A-01', 'A-h01')
    """
    for name, count in (("topics", topics), ("per_topic", per_topic), ("worlds", worlds)):
        if count < 1 or count != int(count):
            raise ValueError(f"{name} must be a whole number of at least 1, got {count!r}")
    for name, spread in (("topic_spread", topic_spread), ("task_spread", task_spread)):
        if not 0 <= spread < math.inf:
            raise ValueError(f"{name} must be a number of logits of at least 0, got {spread!r}")
    check_seed(seed)
    world = np.arange(worlds)[:, None]
    topic = np.repeat(np.arange(topics), per_topic)
    number = np.tile(np.arange(per_topic), topics)
    between = topic_spread * standard_normal(seed, "skill", world, 0, topic, 0)
    sets = []
    for held in (0, 1):
        inside = task_spread * standard_normal(seed, "skill", world, 1 + held, topic, number)
        sets.append(_named(topic, number, between + inside, held))
    pool, held_out = sets
    return World(pool=pool, held_out=held_out, topics=topics, **assumptions)


def _named(topic: Ints, number: Ints, difficulty: Floats, held: int) -> Tasks:
    """Give tasks a label and a text: A-01 in the pool, A-h01 among the held-out ones."""
    names = [chr(65 + t % 26) + (str(t // 26) if t >= 26 else "") for t in topic.tolist()]
    labels = [f"{a}-{'h' * held}{n + 1:02d}" for a, n in zip(names, number.tolist(), strict=True)]
    prompts = [
        f"Question {a}{n + 1 + 500 * held} on topic {a}: work it out and give the answer."
        for a, n in zip(names, number.tolist(), strict=True)
    ]
    trained = np.arange(len(topic)) if not held else np.full(len(topic), -1)
    return Tasks(np.array(labels, object), np.array(prompts, object), topic, difficulty, trained)


def standard_normal(seed: int, purpose: str, *keys: npt.ArrayLike) -> Floats:
    """Return one standard normal per key, as `streams.uniform` does for [0, 1).

    √(−2·ln(1−u))·cos(2πv), from two draws u, v.

    Source:
        Box and Muller 1958.

    >>> round(float(standard_normal(0, "skill", np.arange(10_000)).std()), 2)
    1.0
    """
    radius = np.sqrt(-2 * np.log(1 - uniform(seed, purpose, *keys, 0)))
    return np.asarray(radius * np.cos(2 * np.pi * uniform(seed, purpose, *keys, 1)))
