"""Train the toy policy: real group updates on a pool of tasks, many runs at once.

Covered: on-policy group updates (centred, ÷ spread, leave-one-out), a pull to the start (KL), pools
of tasks with their screening cost, batches refilled until full, a judge that pays for length.

Not covered: clipping and off-policy steps, tokens, optimisers with momentum, forgetting, judges
that err at random. The policy is a handful of logits (see `world.World`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from whilecore import gates, pools
from whilecore.band import band_edges
from whilecore.curves import Training
from whilecore.groups import ADVANTAGES
from whilecore.streams import check_seed
from whilecore.training_loop import Loop
from whilecore.world import World, draw_world

__all__ = ["MATCHES", "Plan", "Training", "World", "draw_world", "train"]

MATCHES: Final = ("no", "start", "every step")


@dataclass(frozen=True)
class Plan:
    """How to train.

    Attributes:
        pool: One of ``pools.POOLS``.
        steps: Updates.
        runs: Runs side by side, each with draws of its own.
        k: Tries per group.
        batch: Groups per step.
        step_size: What the mean push is multiplied with, in logits.
        how: One of ``groups.ADVANTAGES``.
        kl: β: how strongly the policy is pulled to its start.
        bias: Share of the judge's verdict that is about length: it pays
            (1 − bias)·right + bias·long.
        band: Pass rates that count as the middle.
        screen: Tries per task when a pool is measured.
        every: Steps between two measurements of *middle re-measured*.
        refill: 0 to train on what was drawn; else silent groups are replaced, in at most this many
            draws of a whole batch per step.
        match: "start" or "every step" scales the step so that the expected push on the skill is
            that of *all* without refilling, before the first or before every step; "no" does not.
        sampled: False replaces every group by its expectation: the line under the sampled runs.
        seed: Whole number of at least 0.
    """

    pool: str = "all"
    steps: int = 60
    runs: int = 20
    k: int = 8
    batch: int = 16
    step_size: float = 0.5
    how: str = "centred"
    kl: float = 0.0
    bias: float = 0.0
    band: tuple[Any, Any] = (0.2, 0.8)
    screen: int = 8
    every: int = 10
    refill: int = 0
    match: str = "no"
    sampled: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every setting."""
        gates.choice(self.pool, pools.POOLS, "pool")
        gates.choice(self.how, ADVANTAGES, "how")
        gates.choice(self.match, MATCHES, "match")
        least = {"steps": 1, "runs": 1, "k": 2, "batch": 1, "screen": 1, "every": 1, "refill": 0}
        for name, low in least.items():
            value = getattr(self, name)
            if isinstance(value, bool) or value != int(value) or value < low:
                raise ValueError(f"{name} must be a whole number of at least {low}, got {value!r}")
        for name in ("step_size", "kl", "bias"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(
                    f"{name} must be a number of at least 0, got {getattr(self, name)!r}"
                )
        if self.bias > 1:
            raise ValueError(f"bias must be a share in [0, 1], got {self.bias!r}")
        band_edges(self.band)
        check_seed(self.seed)


def train(world: World, plan: Plan | None = None) -> Training:
    """Train the toy policy and return its curves.

    Δskill = η·mean over the batch of [Σ_b w_b·∇log π_b − β·∇KL(π‖π₀)]

    Args:
        world: Tasks and assumptions, see `world.draw_world`.
        plan: How to train; the defaults unless given.

    Returns:
        The curves of every run, with what was silent and what it cost. Prints itself.

    Raises:
        ValueError: If the world holds neither one difficulty per task nor one per run.

    Convention:
        A slot of a batch draws one of the pool's eligible tasks, with replacement, so a batch is
        full whatever the pool's size and costs batch·k rollouts. A run whose pool is empty stands
        still and spends nothing. A refilled batch that is not full at the limit trains on the
        groups it has; ``Training.missing`` and its notes say so.

        A share ``transfer`` of a push reaches the general skill, the rest its topic (and task);
        scaled by the number of topics, so that transfer moves learning, not its total.

    Source:
        Shao et al. 2024, arXiv:2402.03300 (group update); Yu et al. 2025, arXiv:2503.14476 eq. 11
        (refilling). Differs: no clipping, one update per batch, KL exact and not estimated.

    >>> run = train(draw_world(), Plan(steps=5, runs=2))
    >>> run.held_out.shape, run.rollouts[:, -1].tolist()
    ((2, 6), [640, 640])
    """
    plan = Plan() if plan is None else plan
    if world.pool.difficulty.shape[0] not in (1, plan.runs):
        raise ValueError(
            f"the world must have one set of difficulties or one per run, got "
            f"{world.pool.difficulty.shape[0]} for {plan.runs} runs; draw it with worlds=1 or "
            f"worlds={plan.runs}"
        )
    return Loop(world, plan).run()
