"""Two files in which a pooled correlation says the opposite of every task: Simpson's paradox.

Hard tasks have long replies and few passes. So over the file, long replies pass less. Inside each
task, the longer reply passes.
"""

from __future__ import annotations

from importlib import resources
from typing import Final

import numpy as np
import pandas as pd

from whilecore.rollouts import Rollouts
from whilecore.streams import check_seed, generator, uniform

TASKS: Final = 16
REPEATS: Final = 8
SPREAD: Final = 18.0  # characters


def hard_tasks(seed: int = 0) -> Rollouts:
    """Draw 16 tasks of 8 tries whose length rises with difficulty and with passing.

    p = 0.1 ... 0.9 over the tasks; pass with chance p; length = 80 + 320·(1 − p) + 30·pass + noise,
    noise normal with standard deviation 18.

    Args:
        seed: Whole number of at least 0.

    Returns:
        128 scored rollouts with ``reward``, ``reply_chars`` and ``true_pass_rate``; no two are
        copies.

    >>> len(hard_tasks())
    128
    """
    check_seed(seed)
    rates = np.linspace(0.1, 0.9, TASKS)
    task, rollout = np.repeat(np.arange(TASKS), REPEATS), np.tile(np.arange(REPEATS), TASKS)
    p = rates[task]
    passed = uniform(seed, "agent", task, rollout) < p
    noise = generator(seed, "wording").normal(0.0, SPREAD, len(task))
    labels = np.array([f"T{number:03d}" for number in range(TASKS)], dtype=object)
    columns = {
        "task": labels[task],
        "rollout": rollout,
        "reward": passed.astype(np.float64),
        "reply_chars": 80 + 320 * (1 - p) + 30 * passed + noise,
        "true_pass_rate": p,
    }
    return Rollouts.trusted(columns, task_codes=task, task_labels=labels, reply_codes=rollout)


def figures() -> Rollouts:
    """Return the figures of a run of another package: 24 tasks of 8 tries, half of them passes.

    >>> figures()
    <Rollouts: 192 rows, 24 tasks, 192 scored>
    """
    with (resources.files("whilecore") / "data" / "hard_tasks.csv").open("rb") as file:
        return Rollouts.from_frame(pd.read_csv(file))
