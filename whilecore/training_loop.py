"""The loop behind `training.train`: draw groups, push, move the skills; all runs at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from whilecore import draws, pools
from whilecore.band import band_edges
from whilecore.curves import Training
from whilecore.policy import chances, log_ratio, pay, skill_on
from whilecore.pushes import expected_pushes, live_chance, push_table
from whilecore.world import Skills, World

if TYPE_CHECKING:
    from whilecore.training import Plan

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

TINY: Final = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class Batch:
    """Groups to train on: shape (runs, groups), behaviours first where there are several.

    Attributes:
        at: Where each group's task stands in a flattened (runs, tasks) array.
        weight: Share of the step a group has; sums to 1, or to 0 for a run that stands still.
        pushes: Push on each behaviour, shape (behaviours, runs, groups).
        below: Tries on behaviours 0 to j, shape (behaviours − 1, runs, groups); None if expected.
        silent: Share of the groups drawn that were silent, shape (runs,).
        drawn: Groups drawn, shape (runs,).
        missing: Groups the batch lacks, shape (runs,).
    """

    at: Ints
    weight: Floats
    pushes: Floats
    below: Ints | None
    silent: Floats
    drawn: npt.NDArray[Any]
    missing: npt.NDArray[Any]


class Loop:
    """One training: the policy, its pool, and what happens in a step."""

    def __init__(self, world: World, plan: Plan) -> None:
        """Put the policy at its start and open the whole pool."""
        self.world, self.plan = world, plan
        self.shape = (plan.runs, len(world.pool))
        self.pay = pay(world, plan.bias)
        self.table, self.live = push_table(tuple(self.pay.tolist()), plan.k, plan.how)
        self.skills = world.start(plan.runs)
        self.start = self.chances = chances(world, self.skills, world.pool)
        self.scale = np.ones(plan.runs)
        self._open_to(np.ones(self.shape, np.bool_))

    def run(self) -> Training:
        """Train, and keep what each step did."""
        path, below, record = [self.skills], [], []
        for step in range(self.plan.steps):
            screening = self.measure(step)
            batch = self.draw(step) if self.plan.sampled else self.expect()
            size = self.move(step, batch)
            push = (np.abs(batch.pushes).sum(0) * batch.weight).sum(1)
            path.append(self.skills)
            below.append(batch.below)
            record.append(
                (batch.silent, push, batch.drawn, batch.missing, self.open, size, screening)
            )
        names = ("silent", "push", "drawn", "missing", "open", "step_size", "screening")
        columns: dict[str, Any] = {
            name: np.stack(values, 1)
            for name, values in zip(names, zip(*record, strict=True), strict=True)
        }
        groups = [one for one in below if one is not None]
        return Training(
            self.world, self.plan, _joined(path), np.stack(groups) if groups else None, **columns
        )

    def measure(self, step: int) -> Ints:
        """Look at the pool if it is time to; return the rollouts that took in each run."""
        plan, spent = self.plan, np.zeros(self.plan.runs, np.int64)
        if not pools.measures_at(plan.pool, step, plan.every):
            return spent
        rates = self.chances[::2].sum(0)
        low, high = band_edges(plan.band)
        if plan.pool == "oracle":
            self._open_to((rates >= float(low)) & (rates <= float(high)))
            return spent
        passes = pools.screen(rates, plan.screen, step, plan.seed)
        self._open_to(pools.in_band(passes, plan.screen, (low, high)))
        return spent + plan.screen * self.shape[1]

    def _open_to(self, eligible: Bools) -> None:
        """Restrict the pool to some tasks of each run."""
        self.eligible, self.open = eligible, eligible.sum(1)
        self.order = np.argsort(~eligible, axis=1, kind="stable")

    def draw(self, step: int) -> Batch:
        """Draw groups of tries; with refilling, until every run has a batch of live ones."""
        plan, go = self.plan, self.open > 0
        at, below, code = self._groups(step, 0)
        live = self.live[code]
        drawn, silent = go * plan.batch, (~live).sum(1)
        use = np.broadcast_to(go[:, None], live.shape)
        if plan.refill:
            use = use & live
            for turn in range(1, plan.refill):
                wanting = go & (use.sum(1) < plan.batch)
                if not wanting.any():
                    break
                more, tries, code = self._groups(step, turn)
                live = self.live[code]
                at, below = np.concatenate([at, more], 1), np.concatenate([below, tries], 2)
                use = np.concatenate([use, live & wanting[:, None]], 1)
                drawn, silent = drawn + wanting * plan.batch, silent + wanting * (~live).sum(1)
            first = np.argsort(~use, axis=1, kind="stable")[:, : plan.batch]
            at, use = np.take_along_axis(at, first, 1), np.take_along_axis(use, first, 1)
            below = np.take_along_axis(below, first[None], 2)
            code = _codes(below, plan.k)
        filled = use.sum(1)
        weight = use / np.maximum(filled, 1)[:, None]
        share = np.where(go, silent / np.maximum(drawn, 1), np.nan)
        return Batch(at, weight, self.table[:, code], below, share, drawn, plan.batch - filled)

    def _groups(self, step: int, turn: int) -> tuple[Ints, Ints, Ints]:
        """Draw one batch of groups: their tasks, their counts, and the counts as one code."""
        which, tries = draws.batch_draws(self.plan, step, turn)
        place = (which * self.open[:, None]).astype(np.int64)
        row = np.arange(0, self.order.size, self.order.shape[1])[:, None]
        at = self.order.ravel()[row + place] + row
        edges = np.cumsum(self.chances[:-1], 0).reshape(len(self.chances) - 1, -1)[:, at]
        below = np.stack([np.add.reduce(tries < edge, 0) for edge in edges])
        return at, below, _codes(below, self.plan.k)

    def expect(self) -> Batch:
        """Return every eligible task with its expected push: no draws."""
        plan, go = self.plan, self.open > 0
        live = live_chance(self.chances, self.pay, plan.k)
        pushes = expected_pushes(self.chances, self.pay, plan.k, plan.how)
        weight = self.eligible.astype(np.float64)
        alive = (weight * live).sum(1) / np.maximum(self.open, 1)
        turns = np.ones(plan.runs)
        if plan.refill:  # a group that was kept is one that is live
            pushes = pushes / np.where(live > 0, live, 1.0)
            weight = weight * live
            turns = np.clip(1 / np.maximum(alive, TINY), 1, plan.refill)
        filled = np.minimum(turns * alive, 1.0) if plan.refill else go
        return Batch(
            at=np.arange(weight.size).reshape(self.shape),
            weight=weight / np.maximum(weight.sum(1, keepdims=True), TINY),
            pushes=pushes,
            below=None,
            silent=np.where(go, 1 - alive, np.nan),
            drawn=go * turns * plan.batch,
            missing=plan.batch * (1.0 - filled),
        )

    def move(self, step: int, batch: Batch) -> Floats:
        """Move the skills by one step; return the step size of each run."""
        plan, at, w = self.plan, batch.at, batch.pushes
        if plan.match == "every step" or (plan.match == "start" and step == 0):
            self.scale = self._matched()
        if plan.kl:
            pi, start = (of.reshape(len(of), -1)[:, at] for of in (self.chances, self.start))
            w = w - plan.kl * pi * log_ratio(pi, start)
        size = plan.step_size * self.scale
        on_skill, on_length = self._gradient(at, w)
        by = size[:, None] * batch.weight
        self._learn(at, (by * on_skill).ravel(), (by * on_length).sum(1))
        self.chances = chances(self.world, self.skills, self.world.pool)
        return size

    def _gradient(self, at: Ints, w: Floats) -> tuple[Floats, Floats]:
        """Return what pushes on behaviours do to skill and length: Σ_b w_b·∇log π_b."""
        pi = self.chances.reshape(len(self.chances), -1)[:, at]
        if len(pi) == 2:
            on_skill, on_length = w[0] - pi[0] * (w[0] + w[1]), np.zeros_like(w[0])
        else:
            short, long = pi[0] + pi[1], pi[2] + pi[3]
            on_skill = w[0] + w[2] - pi[0] / np.maximum(short, TINY) * (w[0] + w[1])
            on_skill = on_skill - pi[2] / np.maximum(long, TINY) * (w[2] + w[3])
            on_length = w[2] + w[3] - long * w.sum(0)
        if np.isfinite(self.world.ceiling):  # over the ceiling, skill changes no behaviour
            counts = skill_on(self.world, self.skills, self.world.pool) < self.world.ceiling
            on_skill = on_skill * counts.ravel()[at]
        return on_skill, on_length

    def _learn(self, at: Ints, on_skill: Floats, on_length: Floats) -> None:
        """Share the groups' moves out to the general skill, the topics and the tasks."""
        world, old, (runs, tasks) = self.world, self.skills, self.shape
        topic, memory = old.topic, old.memory
        to_topic = (1 - world.transfer - world.memorised) * world.topics
        if to_topic > 1e-12:
            topics = world.pool.topic[at % tasks] + world.topics * np.arange(runs)[:, None]
            sums = np.bincount(topics.ravel(), on_skill, runs * world.topics)
            topic = topic + to_topic * sums.reshape(topic.shape)
        if world.memorised:
            sums = np.bincount(at.ravel(), on_skill, runs * tasks)
            memory = memory + world.memorised * tasks * sums.reshape(self.shape)
        general = old.general + world.transfer * on_skill.reshape(runs, -1).sum(1)
        self.skills = Skills(general, topic, memory, old.length + on_length)

    def _matched(self) -> Floats:
        """Return the factor at which the expected push on the skill is that of *all*."""
        batch = self.expect()
        on_skill = self._gradient(batch.at, batch.pushes)[0]
        pool = (on_skill * batch.weight).sum(1)
        if self.plan.refill:  # from the push of a live group to that of any group
            on_skill = on_skill * live_chance(self.chances, self.pay, self.plan.k)
        every = on_skill.mean(1)
        return np.where(pool > 0, every / np.where(pool > 0, pool, 1.0), 1.0)


def _codes(below: Ints, k: int) -> Ints:
    """Return where groups stand in `pushes.push_table`."""
    code: Ints = below[-1]
    for edge in below[-2::-1]:
        code = code * (k + 1) + edge
    return code


def _joined(path: list[Skills]) -> Skills:
    """Stack the skills after each step along a first axis."""
    general, topic, memory, length = (
        np.stack([getattr(skills, name) for skills in path])
        for name in ("general", "topic", "memory", "length")
    )
    return Skills(general, topic, memory, length)
