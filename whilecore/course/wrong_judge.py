"""The words of lesson 10: a judge that pays for length, its questions, readings and challenges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.charts.brake import furthest_off
from whilecore.course.bar import cause_of, change
from whilecore.course.numbers import masked, num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import SEED, Choice, Value, Whole
from whilecore.curves import Training
from whilecore.expected import along, expected_paths
from whilecore.overoptimise import (
    BestOfN,
    best_of_n_curve,
    best_of_n_kl,
    biased_judge_world,
    gold_best_of_n,
)
from whilecore.training import Plan, train
from whilecore.world import World

Floats = npt.NDArray[np.float64]

PLAN: Final = Plan(step_size=2.0)
DRAWS: Final = (1, 2, 4, 8, 16, 32)
ASSUMED: Final = {"ceiling": {"ceiling": np.inf}, "cost": {"long_cost": 0.0}}
PULLS: Final = (0.0, 0.1, 0.2, 0.3, 0.5)
ALPHA, BETA = 1.0, 0.45  # of the published forms; each paper fits its own
AT_FIRST: Final = (50, 0)  # bias and pull of the first question

BIAS: Final = Whole("bias", 50, 0, 100, 10, label="length", unit="%")
PULL: Final = Whole("pull", 0, 0, 50, 5, label="pull, β × 100")
BEST_OF: Final = Choice("best_of", "4", {str(n): str(n) for n in DRAWS}, label="best of")
SETTINGS: Final = (BIAS, PULL, BEST_OF, SEED)
HIDDEN: Final = "<em>Answer or skip this section's question to see.</em>"

RISES: Final = "up, with the reward"
LEVELS: Final = "up, then level"
FALLS_AFTER: Final = "up, then down, below its start"
FALLS: Final = "down from the first step"


@lru_cache(maxsize=64)
def trained(bias: float, pull: float, seed: int) -> Training:
    """Return 20 sampled runs; a pure function."""
    return train(biased_judge_world(), replace(PLAN, bias=bias, kl=pull, seed=seed))


@lru_cache(maxsize=512)
def expected(bias: float, pull: float, without: str = "") -> Training:
    """Return the training with every group replaced by its expectation; a pure function.

    Args:
        bias: Share of the verdict about length, as the control can say it.
        pull: β, as the control can say it.
        without: One of ``ASSUMED``, to leave that assumption of the toy out; "" for none.
    """
    world, plan, skill, length = every_path()[round(100 * bias), round(100 * pull), without]
    return along(world, plan, skill, length)


@lru_cache(maxsize=1)
def every_path() -> dict[tuple[int, int, str], tuple[World, Plan, Floats, Floats]]:
    """Return world, plan and expected path of every setting of the two sliders: one array."""
    biases, pulls = (range(one.low, one.high + 1, one.step) for one in (BIAS, PULL))
    keys = list(product(biases, pulls, ("", *ASSUMED)))
    worlds = {name: biased_judge_world(**ASSUMED.get(name, {})) for name in ("", *ASSUMED)}
    plan = replace(PLAN, runs=1, sampled=False)
    settings = [
        (worlds[without], replace(plan, bias=bias / 100, kl=pull / 100))
        for bias, pull, without in keys
    ]
    skill, length = expected_paths(settings)
    return {key: (*settings[at], skill[:, at], length[:, at]) for at, key in enumerate(keys)}


@lru_cache(maxsize=16)
def picks(bias: float) -> BestOfN:
    """Return best-of-n of the toy's start under a judge of some bias; a pure function."""
    return best_of_n_curve(biased_judge_world(), bias, DRAWS)


def paths(bias: float) -> dict[float, tuple[Floats, Floats]]:
    """Return the judge's reward and the true rate, step by step, for each of ``PULLS``."""
    runs = {pull: expected(bias, pull) for pull in PULLS}
    return {pull: (run.proxy[0], run.held_out[0]) for pull, run in runs.items()}


def curve() -> list[Option]:
    """Return the answers to "the reward climbs: what does the true rate do"."""
    truth = expected(AT_FIRST[0] / 100, 0.0).held_out[0]
    falls = truth[-1] < truth[0] < truth.max()
    said = f"{truth[0]:.2f}, {truth.max():.2f} at step {truth.argmax()}, then {truth[-1]:.2f}."
    return [
        Option(RISES, "Half of what the judge pays is for length, which is no part of the job.",
               "The reward is the goal."),
        Option(LEVELS, "Skill stops at its ceiling. Length does not, and here it costs accuracy.",
               "A flaw of the judge only slows learning."),
        Option(FALLS_AFTER, said, right=bool(falls)),
        Option(FALLS, "Being right is paid too. At first both rise; the harm comes later.",
               "A biased judge harms at once."),
    ]  # fmt: skip


def brake() -> list[Option]:
    """Return the answers to "at the same reward, is the true rate of the pulled run higher"."""
    off = furthest_off(paths(AT_FIRST[0] / 100))
    return [
        Option("higher", "The pull knows nothing of the truth: it holds right and long alike.",
               "Staying near the start keeps the policy honest."),
        Option("the same", f"The paths differ by at most {off:.3f}. The pulled run stops earlier "
               "on the same road.", right=off < 0.02),
        Option("lower", "The pull costs reward and truth together, in the same proportion.",
               "A pull takes away what was learned first."),
    ]  # fmt: skip


def sketch(prediction: Prediction) -> Floats | None:
    """Return the curve the learner chose, on the scale of the chart; None without an answer."""
    run = expected(AT_FIRST[0] / 100, 0.0)
    truth, reward, steps = run.held_out[0], run.proxy[0], np.arange(PLAN.steps + 1)
    shapes = {
        RISES: truth[0] + reward - reward[0],
        LEVELS: np.where(steps < truth.argmax(), truth, truth.max()),
        FALLS_AFTER: truth,
        FALLS: np.linspace(truth[0], truth[0] / 2, len(steps)),
    }
    return shapes.get(prediction.choice)


def over(prediction: Prediction) -> float | None:
    """Return how far up the learner puts a pulled run; None without an answer."""
    return {"higher": 0.08, "the same": 0.0, "lower": -0.08}.get(prediction.choice)


def level_pull() -> int:
    """Return the pull under which the first judge's run ends nearest to where it started.

    >>> level_pull()
    25
    """
    pulls = range(PULL.low, PULL.high + 1, PULL.step)
    runs = {pull: expected(AT_FIRST[0] / 100, pull / 100).held_out[0] for pull in pulls}
    return min(pulls, key=lambda pull: abs(float(runs[pull][-1] - runs[pull][0])))


def largest_bias() -> int:
    """Return the largest bias at which the run without a pull ends at or above its start.

    >>> largest_bias()
    20
    """
    biases = range(BIAS.low, BIAS.high + 1, BIAS.step)
    runs = {bias: expected(bias / 100, 0.0).held_out[0] for bias in biases}
    return max(bias for bias, truth in runs.items() if truth[-1] >= truth[0])


def best_draws() -> int:
    """Return which of ``DRAWS`` has the most true reward by the published form.

    >>> best_draws()
    8
    """
    gained = gold_best_of_n(np.sqrt(best_of_n_kl(DRAWS)), ALPHA, BETA)
    return DRAWS[int(gained.argmax())]


def is_level(now: Mapping[str, Value]) -> bool:
    """Return whether the controls stand on the answer to the first challenge."""
    return now["bias"] == AT_FIRST[0] and now["pull"] == level_pull()


def is_largest(now: Mapping[str, Value]) -> bool:
    """Return whether the controls stand on the answer to the second challenge."""
    return now["pull"] == 0 and now["bias"] == largest_bias()


def places(page: Page, runs: Training, exact: Training, told: Sequence[bool]) -> dict[str, Any]:
    """Return the HTML of every place of lesson 10 that follows the controls.

    Args:
        page: The page, whose moved settings name the cause.
        runs: The sampled runs.
        exact: The same training as expected, one run.
        told: Whether each of the two questions is answered or skipped.
    """
    end = round(100 * float(exact.held_out[0, -1]))
    before = page.before("end", end)
    cause = cause_of(page.moved, page.settings)
    if told[0] and cause and before == end:
        cause = f"{cause}; {_why_unchanged(page.moved)}"
    words = change(end, before, cause) if told[0] else cause
    count = num("true.end", end) if told[0] else masked("true.end")
    return {
        "reading": f'<span class="wc-kept">ends <b>{count}</b>&nbsp;% right</span>'
        f'<span class="wc-change">{words or "&nbsp;"}</span>',
        "climb_reading": _climb(runs, exact) if told[0] else HIDDEN,
        "warning_reading": _warning(runs, exact) if told[0] else HIDDEN,
        "assumed_reading": _assumed(runs.plan) if told[0] else HIDDEN,
        "brake_reading": _brake(runs.plan) if told[1] else HIDDEN,
        "picks_reading": _picks(exact, int(page.values["best_of"])) if told[0] else HIDDEN,
        "forms_reading": _forms(int(page.values["best_of"])) if told[0] else HIDDEN,
        "takeaway": "Look at what it does <i>not</i> pay for while the reward climbs."
        if told[0]
        else "",
        "say": f"The true rate ends at {end} per cent. {words}".strip() if told[0] else None,
    }


def _why_unchanged(moved: Mapping[str, tuple[Value, Value]]) -> str:
    """Say why a move left the end of the expected run as it was."""
    if set(moved) == {"seed"}:
        return "the expected run draws nothing; the thin lines did move"
    if set(moved) == {"best_of"}:
        return "best-of-n does not train"
    return "the difference is under half a point"


def _climb(runs: Training, exact: Training) -> str:
    """Say where reward, truth and length went, and what all the runs did."""
    truth, longer = exact.held_out[0], exact.long_share[0]
    last = runs.held_out[:, -1]
    below = int((last < runs.held_out[:, 0]).sum())
    way = f"peaks at {num('true.peak', truth.max(), '.2f')} after step {truth.argmax()}"
    if truth.argmax() == 0:
        way = "never exceeds that"
    if truth.argmax() == len(truth) - 1:
        way = "rises throughout"
    return (
        f"True rate: starts at {num('true.start', truth[0], '.2f')}, {way}, ends at "
        f"{num('true.last', truth[-1], '.2f')}. {num('runs.below', below)} of {len(last)} runs end "
        f"below their start (ends from {last.min():.3f} to {last.max():.3f}). Long replies: "
        f"{100 * longer[0]:.0f}&nbsp;% at the start, {num('long.end', 100 * longer[-1], '.0f')}"
        "&nbsp;% at the end."
    )


def first_true(flags: npt.NDArray[np.bool_]) -> int | None:
    """Return the place of the first true entry, None where there is none."""
    return int(flags.argmax()) if flags.any() else None


def warned(runs: Training) -> list[int | None]:
    """Return for each run the first step whose batch clears the floor with r above 0."""
    r, floor = runs.length_correlation
    firsts = [first_true(one) for one in (r > floor)]
    return [None if one is None else one + 1 for one in firsts]


def _warning(runs: Training, exact: Training) -> str:
    """Say when the warning came, and when the true rate fell below its start."""
    r, floor = runs.length_correlation
    share = 100 * float((r > floor).mean())
    came = [one for one in warned(runs) if one is not None]
    first = f", for the first time at step {int(np.median(came))} (median)" if came else ""
    truth = exact.held_out[0]
    fell = first_true(truth < truth[0] - 1e-9)
    lost = "The true rate never falls below its start"
    if fell is not None:
        lost = f"The true rate is below its start from step {num('true.fell', fell)} on"
    return (
        f"Over {len(r)} runs longer is paid more, over the floor, in "
        f"{num('warned.share', share, '.0f')}&nbsp;% of the steps{first}; luck alone gives "
        f"2.5&nbsp;%. {lost}. Each step is judged on {runs.plan.batch} groups of {runs.plan.k}."
    )


def _assumed(plan: Plan) -> str:
    """Say what the true rate does without each of the two assumptions."""
    said, falling = [], {}
    for name, words in (
        ("ceiling", "without the ceiling"),
        ("cost", "With long replies as accurate as short ones"),
    ):
        truth = expected(plan.bias, plan.kl, name).held_out[0]
        falling[name] = bool((np.diff(truth) < -1e-9).any())
        said.append(
            f"{words} the true rate {'falls at some step' if falling[name] else 'never falls'} "
            f"and ends at {num('true.no_' + name, truth[-1], '.2f')}"
        )
    alone = " Paid so much for, length is learned so fast that its cost alone is enough."
    return (
        "Two assumptions of the toy make the true rate fall. Skill has a ceiling of 1.5 logits, "
        "82&nbsp;% of short replies right and no more. A long reply costs 1.5 logits of accuracy. "
        f"At your settings: {said[0]}. {said[1]}.{alone if falling['ceiling'] else ''}"
    )


def _brake(plan: Plan) -> str:
    """Say how far the paths differ, and where the run under the present pull ends."""
    run, free = expected(plan.bias, plan.kl), expected(plan.bias, 0.0)
    off = furthest_off(paths(plan.bias) | {plan.kl: (run.proxy[0], run.held_out[0])})
    ends = "is the run without a pull" if not plan.kl else (
        f"ends at reward {run.proxy[0, -1]:.2f} instead of {free.proxy[0, -1]:.2f}, and at true "
        f"rate {run.held_out[0, -1]:.2f} instead of {free.held_out[0, -1]:.2f}"
    )  # fmt: skip
    return (
        f"At the same reward the paths differ by at most {num('brake.off', off, '.3f')} in true "
        f"rate. Yours {ends}."
    )


def _picks(exact: Training, n: int) -> str:
    """Compare best-of-n with the trained policy, and say whether more draws ever hurt."""
    curve_ = picks(exact.plan.bias)
    at = DRAWS.index(n)
    reached, bound = np.sqrt(max(float(curve_.kl[at]), 0.0)), np.sqrt(curve_.bound[at])
    more = _draws_help(exact.plan.bias, bool((np.diff(curve_.true_rate) < -1e-9).any()))
    return (
        f"Best of {n}: {num('picks.true', curve_.true_rate[at], '.2f')} right, at d = "
        f"{reached:.2f} (the bound allows {bound:.2f}). {more}"
    )


def _draws_help(bias: float, dips: bool) -> str:
    """Say whether more draws ever hurt in the toy, and why."""
    if bias == 1:
        return "More draws hurt: this judge takes any long reply."
    if dips:
        return (
            "More draws hurt at first: a long wrong reply beats a short right one, until a long "
            "right one is among the draws."
        )
    return "More draws never hurt here: what this judge likes best is always right."


def _forms(n: int) -> str:
    """Say what the published form gives for these draws."""
    d = float(np.sqrt(best_of_n_kl(n)))
    gained = float(gold_best_of_n(d, ALPHA, BETA))
    return (
        f"Best of {n} is at most √(log {n} − {n - 1}/{n}) = {num('forms.d', d, '.2f')} away; the "
        f"form gives {num('forms.gained', gained, '.2f')}."
    )
