"""What a training did: curves of every run, what was silent, and what it cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from whilecore import pools
from whilecore.policy import LONG, chances, kl_to_start, pay, sigmoid, true_rates
from whilecore.rollouts import Rollouts
from whilecore.streams import uniform
from whilecore.student_t import t_quantile
from whilecore.world import Skills, Tasks, World

if TYPE_CHECKING:
    from whilecore.training import Plan

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Training:
    """The curves of a training. Shapes: (runs, steps), or (runs, steps + 1) from the start on.

    Attributes:
        world: What was trained on.
        plan: How.
        path: The skills at the start and after each step, a first axis of steps + 1.
        below: Tries on behaviours 0 to j in each group trained on, shape (steps,
            behaviours − 1, runs, batch); None where groups were replaced by their expectation.
        silent: Share of the groups drawn whose tries all got the same reward; NaN in a step that
            drew none.
        push: Mean |A| over the tries trained on (expected groups: of the mean pushes).
        drawn: Groups drawn.
        missing: Groups a batch lacked: the refill limit was reached, or the pool was empty.
        open: Tasks the pool was open to.
        step_size: Step size, after matching.
        screening: Rollouts spent on measuring the pool before the step.
    """

    world: World = field(repr=False)
    plan: Plan
    path: Skills = field(repr=False)
    below: npt.NDArray[np.int64] | None = field(repr=False)
    silent: Floats = field(repr=False)
    push: Floats = field(repr=False)
    drawn: npt.NDArray[Any] = field(repr=False)
    missing: npt.NDArray[Any] = field(repr=False)
    open: npt.NDArray[np.int64] = field(repr=False)
    step_size: Floats = field(repr=False)
    screening: npt.NDArray[np.int64] = field(repr=False)

    @cached_property
    def held_out(self) -> Floats:
        """Mean true pass rate on the held-out tasks: exact, not sampled. (runs, steps + 1)."""
        return _mean_rate(self.world, self.path, self.world.held_out)

    @cached_property
    def trained_on(self) -> Floats:
        """Mean true pass rate on all tasks of the training pool, shape (runs, steps + 1)."""
        return _mean_rate(self.world, self.path, self.world.pool)

    @cached_property
    def proxy(self) -> Floats:
        """Mean reward the judge pays on the held-out tasks, exact. (runs, steps + 1)."""
        pi = chances(self.world, self.path, self.world.held_out)
        return np.asarray(np.tensordot(pay(self.world, self.plan.bias), pi, 1).mean(-1).T)

    @cached_property
    def long_share(self) -> Floats:
        """Share of long replies, shape (runs, steps + 1)."""
        return sigmoid(self.path.length).T

    @cached_property
    def kl(self) -> Floats:
        """KL(π‖start) in nats, mean over the held-out tasks, shape (runs, steps + 1)."""
        return kl_to_start(self.world, self.path, self.world.held_out).T

    @cached_property
    def rollouts(self) -> npt.NDArray[Any]:
        """Rollouts spent so far, screening included, shape (runs, steps + 1).

        Entry 0 holds what measuring the pool before the first step took, entry t everything up to
        and with step t.
        """
        training = np.cumsum(self.drawn * self.plan.k, 1)
        total = training + np.cumsum(self.screening, 1)
        return np.concatenate([self.screening[:, :1], total], 1)

    @cached_property
    def length_correlation(self) -> tuple[Floats, Floats]:
        """Within-task correlation of reward and length in each step's batch, and its noise floor.

        r = ΣSxy/√(ΣSxx·ΣSyy) over the groups, centred in each;
        floor = 1.96·√(Σ Sxx·Syy/(k−1)) / √(ΣSxx·ΣSyy), where 95 % of shuffles stay below |r|.

        Returns:
            r and floor, each (runs, steps); NaN where length or reward never varies in a group, or
            replies cannot be long, or groups were replaced by their expectation.
        """
        if self.below is None or self.world.behaviours == 2:
            empty = np.full(self.silent.shape, np.nan)
            return empty, empty
        k, below = self.plan.k, np.moveaxis(self.below, 1, 0)
        counts = np.diff(below, axis=0, prepend=0, append=k)
        there = np.arange(self.plan.batch) < self.plan.batch - self.missing.T[..., None]
        reward = pay(self.world, self.plan.bias)

        def moment(x: Floats, y: Floats) -> Floats:
            means = np.tensordot(x, counts, 1) * np.tensordot(y, counts, 1) / k
            return np.where(there, np.tensordot(x * y, counts, 1) - means, 0.0)

        xx, yy, xy = moment(LONG, LONG), moment(reward, reward), moment(LONG, reward)
        scale = np.sqrt(xx.sum(-1) * yy.sum(-1))
        with np.errstate(divide="ignore", invalid="ignore"):
            r = np.where(scale > 1e-9, xy.sum(-1) / scale, np.nan)
            floor = np.where(scale > 1e-9, np.sqrt((xx * yy).sum(-1) / (k - 1)) / scale, np.nan)
        return r.T, np.minimum(1.96 * floor, 1.0).T

    @property
    def end(self) -> tuple[float, float, float]:
        """Held-out true rate after the last step: mean over runs and its 95 % interval.

        m ± t·s/√runs, with runs − 1 degrees of freedom; NaN ends for a single run. In a world that
        all runs share it speaks of that world only.
        """
        last = self.held_out[:, -1]
        mean, runs = float(last.mean()), len(last)
        if runs < 2:
            return mean, math.nan, math.nan
        half = t_quantile(0.975, runs - 1) * float(last.std(ddof=1)) / math.sqrt(runs)
        return mean, mean - half, mean + half

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what did not go as planned."""
        said = []
        empty = int((self.open == 0).sum())
        short = int(((self.missing > 0) & (self.open > 0)).sum())
        steps = self.open.size
        if empty:
            said.append(f"no task was in the pool in {empty} of {steps} steps, nothing was trained")
        if short:
            said.append(
                f"the batch was not full after {self.plan.refill} draws in {short} of {steps} "
                "steps; trained on the groups there were"
            )
        return tuple(said)

    def __str__(self) -> str:
        """Return the end in one line: from, to, cost, silence; then the notes."""
        plan, (mean, low, high) = self.plan, self.end
        start, spent = float(self.held_out[:, 0].mean()), float(self.rollouts[:, -1].mean())
        last = self.silent[:, -min(10, plan.steps) :]
        silent = "no group drawn in the last steps"
        if np.isfinite(last).any():
            silent = f"{100 * float(np.nanmean(last)):.0f} % of groups silent at the end"
        ends = "" if math.isnan(low) else f" [{low:.3f}..{high:.3f}]"
        line = (
            f"{plan.pool}: held-out true rate {start:.3f} → {mean:.3f}{ends} "
            f"({plan.steps} steps, {plan.runs} runs, seed {plan.seed}); "
            f"{spent:,.0f} rollouts a run, {self.screening.sum() / plan.runs:,.0f} of them "
            f"screening; {silent}"
        )
        return "\n".join([line, *self.notes])

    def evaluate(
        self,
        step: int = -1,
        run: int = 0,
        *,
        tries: int = 4,
        draw: int = 0,
        tasks: str = "held_out",
    ) -> Rollouts:
        """Let the policy of one step try tasks, and grade them by the truth.

        Args:
            step: 0 for the start, −1 for the end.
            run: Which run.
            tries: Tries per task, at least 1.
            draw: Number of the repetition: another one draws afresh.
            tasks: "held_out" or "pool".

        Returns:
            Graded rollouts with ``task``, ``prompt``, ``reward`` and ``true_pass_rate``.

        Raises:
            IndexError: For a step or run there is none of.
        """
        chosen, p, passed = self._tried(step, run, tries, np.array([draw]), tasks)
        codes = np.repeat(np.arange(len(p)), tries)
        columns = {
            "task": chosen.labels[codes],
            "rollout": np.tile(np.arange(tries), len(p)),
            "prompt": chosen.prompts[codes],
            "reward": passed.ravel().astype(np.float64),
            "true_pass_rate": p[codes],
        }
        return Rollouts.trusted(columns, task_codes=codes, task_labels=chosen.labels.copy())

    def pass_rates(
        self, step: int = -1, run: int = 0, *, tries: int = 4, draws: Sequence[int] = (0,)
    ) -> Floats:
        """Return what repeated evaluations measure on each held-out task.

        Args:
            step: 0 for the start, −1 for the end.
            run: Which run.
            tries: Tries per task, at least 1.
            draws: Numbers of the repetitions.

        Returns:
            Pass rates, shape (repetitions, tasks): those of `evaluate`, without its rollouts.
        """
        return np.asarray(self._tried(step, run, tries, np.asarray(draws), "held_out")[2].mean(-1))

    def _tried(
        self, step: int, run: int, tries: int, draws: npt.NDArray[Any], tasks: str
    ) -> tuple[Tasks, Floats, npt.NDArray[np.bool_]]:
        """Return the tasks tried, their true rates, and what passed, (draws, tasks, tries)."""
        chosen = {"held_out": self.world.held_out, "pool": self.world.pool}[tasks]
        step, run = range(self.plan.steps + 1)[step], range(self.plan.runs)[run]
        p = true_rates(self.world, self.path.at(step), chosen)[run]
        u = uniform(
            self.plan.seed, "agent", pools.EVALUATION, run, step, draws[:, None, None],
            tasks == "pool", np.arange(len(p))[:, None], np.arange(tries),
        )  # fmt: skip
        return chosen, p, u < p[:, None]


def _mean_rate(world: World, path: Skills, tasks: Tasks) -> Floats:
    """Return the mean true pass rate along a path, shape (runs, steps + 1)."""
    return np.asarray(true_rates(world, path, tasks).mean(-1).T)
