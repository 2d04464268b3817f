"""The loop behind `training.train`: draw groups, push, move the skills; all runs at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from whilecore import draws, pools
from whilecore.band import band_edges
from whilecore.curves import Training
from whilecore.policy import chances_at, log_ratio, pay, right_at, sigmoid, skill_on
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
        at: Where each group's task stands in a flattened (runs, tasks) array; None for every task
            in its place.
        weight: Share of the step a group has; sums to 1, or to 0 for a run that stands still.
        pushes: Push on each behaviour, shape (behaviours, runs, groups).
        force: Σ over the behaviours of |push|, shape (runs, groups).
        below: Tries on behaviours 0 to j, shape (behaviours − 1, runs, groups); None if expected.
        silent: Share of the groups drawn that were silent, shape (runs,).
        drawn: Groups drawn, shape (runs,).
        missing: Groups the batch lacks, shape (runs,).
    """

    at: Ints | None
    weight: Floats
    pushes: Floats
    force: Floats
    below: Ints | None
    silent: Floats
    drawn: npt.NDArray[Any]
    missing: npt.NDArray[Any]


class Loop:
    """One training: the policy, its pool, and what happens in a step.

    Arrays are small and steps many, so the time goes into the number of numpy calls: what a step
    does not change is computed where it changes.
    """

    def __init__(self, world: World, plan: Plan) -> None:
        """Put the policy at its start and open the whole pool."""
        self.world, self.plan = world, plan
        self.shape = (plan.runs, len(world.pool))
        self.pay = pay(world, plan.bias)
        self.table, self.live = push_table(tuple(self.pay.tolist()), plan.k, plan.how)
        self.force = np.abs(self.table).sum(0)
        self.row = np.arange(0, plan.runs * self.shape[1], self.shape[1])[:, None]
        self.topic = (world.pool.topic + world.topics * np.arange(plan.runs)[:, None]).ravel()
        self.stand_at(world.start(plan.runs))
        self.start = self.chances
        self.scale = np.ones(plan.runs)
        self._open_to(np.ones(self.shape, np.bool_))

    def stand_at(self, skills: Skills) -> None:
        """Give the policy some skills, and note what it does with them on the pool."""
        world = self.world
        self.skills, self.skill = skills, skill_on(world, skills, world.pool)
        self.short, self.long = right_at(world, self.skill, world.pool)
        self.share = sigmoid(skills.length)[:, None] if world.behaviours == 4 else None
        self.chances = chances_at(self.short, self.long, self.share)

    def run(self) -> Training:
        """Train, and keep what each step did."""
        path, below, record = [self.skills], [], []
        for step in range(self.plan.steps):
            screening = self.measure(step)
            batch = self.draw(step) if self.plan.sampled else self.expect()
            size = self.move(step, batch)
            push = (batch.force * batch.weight).sum(1)
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
        plan = self.plan
        if not pools.measures_at(plan.pool, step, plan.every):
            return self.nothing
        rates = self.chances[::2].sum(0)
        low, high = band_edges(plan.band)
        if plan.pool == "oracle":
            self._open_to((rates >= float(low)) & (rates <= float(high)))
            return self.nothing
        passes = pools.screen(rates, plan.screen, step, plan.seed)
        self._open_to(pools.in_band(passes, plan.screen, (low, high)))
        return self.nothing + plan.screen * self.shape[1]

    def _open_to(self, eligible: Bools) -> None:
        """Restrict the pool to some tasks of each run."""
        plan = self.plan
        self.eligible, self.open = eligible, eligible.sum(1)
        self.order = np.argsort(~eligible, axis=1, kind="stable") + self.row
        self.go = self.open > 0
        self.unknown = np.where(self.go, 0.0, np.nan)  # what is silent where nothing is drawn
        self.nothing = np.zeros(plan.runs, np.int64)
        self.drawn, self.missing = self.go * plan.batch, ~self.go * plan.batch
        self.even = np.repeat((self.go / plan.batch)[:, None], plan.batch, 1)
        self.alike = eligible / np.maximum(self.open, 1)[:, None]

    def draw(self, step: int) -> Batch:
        """Draw groups of tries; with refilling, until every run has a batch of live ones."""
        at, below, code = self._groups(step, 0)
        live = self.live[code]
        weight, drawn, missing = self.even, self.drawn, self.missing
        silent = self.plan.batch - np.add.reduce(live, 1)
        if self.plan.refill:
            at, below, use, drawn, silent = self._refilled(step, at, below, live, silent)
            code = _codes(below, self.plan.k)
            filled = use.sum(1)
            weight = use / np.maximum(filled, 1)[:, None]
            missing = self.plan.batch - filled
        share = silent / np.maximum(drawn, 1) + self.unknown
        pushes, force = self.table.take(code, 1), self.force[code]
        return Batch(at, weight, pushes, force, below, share, drawn, missing)

    def _refilled(
        self, step: int, at: Ints, below: Ints, live: Bools, silent: Ints
    ) -> tuple[Ints, Ints, Bools, Ints, Ints]:
        """Draw on until every run has a batch of live groups, and keep the first of those."""
        plan, drawn = self.plan, self.drawn
        use = live & self.go[:, None]
        for turn in range(1, plan.refill):
            wanting = self.go & (use.sum(1) < plan.batch)
            if not wanting.any():
                break
            more, tries, code = self._groups(step, turn)
            live = self.live[code]
            at, below = np.concatenate([at, more], 1), np.concatenate([below, tries], 2)
            use = np.concatenate([use, live & wanting[:, None]], 1)
            drawn, silent = drawn + wanting * plan.batch, silent + wanting * (~live).sum(1)
        first = np.argsort(~use, axis=1, kind="stable")[:, : plan.batch]
        at, use = np.take_along_axis(at, first, 1), np.take_along_axis(use, first, 1)
        return at, np.take_along_axis(below, first[None], 2), use, drawn, silent

    def _groups(self, step: int, turn: int) -> tuple[Ints, Ints, Ints]:
        """Draw one batch of groups: their tasks, their counts, and the counts as one code."""
        which, tries = draws.batch_draws(self.plan, step, turn)
        place = (which * self.open[:, None]).astype(np.int64)
        at = self.order.ravel()[place + self.row]
        edges = self.chances[:1]
        if len(self.chances) > 2:
            edges = np.add.accumulate(self.chances[:-1], 0)
        edge = edges.reshape(len(edges), -1).take(at, 1)
        below = np.add.reduce(tries < edge[:, None], 1, np.int64)
        return at, below, _codes(below, self.plan.k)

    def expect(self) -> Batch:
        """Return every eligible task with its expected push: no draws."""
        plan, weight, turns = self.plan, self.alike, np.ones(self.plan.runs)
        live = live_chance(self.chances, self.pay, plan.k)
        pushes = expected_pushes(self.chances, self.pay, plan.k, plan.how)
        alive = (weight * live).sum(1)
        if plan.refill:  # a group that was kept is one that is live
            pushes = pushes / np.where(live > 0, live, 1.0)
            weight = weight * live
            weight = weight / np.maximum(weight.sum(1, keepdims=True), TINY)
            turns = np.clip(1 / np.maximum(alive, TINY), 1, plan.refill)
        filled = np.minimum(turns * alive, 1.0) if plan.refill else self.go
        return Batch(
            at=None,
            weight=weight,
            pushes=pushes,
            force=np.abs(pushes).sum(0),
            below=None,
            silent=1 - alive + self.unknown,
            drawn=self.drawn * turns,
            missing=plan.batch * (1.0 - filled),
        )

    def move(self, step: int, batch: Batch) -> Floats:
        """Move the skills by one step; return the step size of each run."""
        plan, at, w = self.plan, batch.at, batch.pushes
        if plan.match == "every step" or (plan.match == "start" and step == 0):
            self.scale = self._matched(self.expect() if batch.below is not None else batch)
        if plan.kl:
            pi, start = self._at(self.chances, at), self._at(self.start, at)
            w = w - plan.kl * pi * log_ratio(pi, start)
        size = plan.step_size * self.scale
        by = size[:, None] * batch.weight
        self._learn(at, by * self._on_skill(at, w), self._on_length(w, by))
        return size

    def _at(self, values: npt.NDArray[Any], at: Ints | None) -> npt.NDArray[Any]:
        """Return values (..., runs, tasks) of some groups' tasks, shape (..., runs, groups)."""
        return values if at is None else values.reshape(*values.shape[:-2], -1).take(at, -1)

    def _on_skill(self, at: Ints | None, w: Floats) -> Floats:
        """Return what pushes on behaviours do to the skill: Σ_b w_b·∂log π_b."""
        on_skill = w[0] - self._at(self.short, at) * (w[0] + w[1])
        if self.share is not None:
            on_skill = on_skill + w[2] - self._at(self.long, at) * (w[2] + w[3])
        if self.world.ceiling < np.inf:  # over the ceiling, skill changes no behaviour
            on_skill = on_skill * self._at(self.skill < self.world.ceiling, at)
        return np.asarray(on_skill)

    def _on_length(self, w: Floats, by: Floats) -> Floats | float:
        """Return the move of the logit of long replies, shape (runs,)."""
        if self.share is None:
            return 0.0
        return np.asarray(((w[2] + w[3] - self.share * w.sum(0)) * by).sum(1))

    def _learn(self, at: Ints | None, on_skill: Floats, on_length: Floats | float) -> None:
        """Share the groups' moves out to the general skill, the topics and the tasks."""
        world, old, (runs, tasks) = self.world, self.skills, self.shape
        topic, memory = old.topic, old.memory
        to_topic = (1 - world.transfer - world.memorised) * world.topics
        if to_topic > 1e-12:
            places = self.topic if at is None else self.topic[at.ravel()]
            share = np.bincount(places, on_skill.ravel(), runs * world.topics)
            topic = topic + to_topic * share.reshape(topic.shape)
        if world.memorised:
            sums = on_skill
            if at is not None:
                many = np.bincount(at.ravel(), on_skill.ravel(), runs * tasks)
                sums = np.asarray(many, np.float64).reshape(self.shape)
            memory = memory + world.memorised * tasks * sums
        general = old.general + world.transfer * on_skill.sum(1)
        self.stand_at(Skills(general, topic, memory, old.length + on_length))

    def _matched(self, batch: Batch) -> Floats:
        """Return the factor at which an expected batch's push on the skill is that of *all*."""
        on_skill = self._on_skill(batch.at, batch.pushes)
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
