"""The words of lesson 2: groups that agree by luck, their questions, readings and challenges.

``draw`` is the agent of the course without its sentences: whether a try passes is the same draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.charts.odds import half_up, per_cent, tenths
from whilecore.course.bar import cause_of, change
from whilecore.course.numbers import masked, num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import SEED, Value, Whole
from whilecore.groups import unanimous_probability
from whilecore.streams import uniform

GROUPS: Final = 100
SEEDS: Final = 100
MOST: Final = 20
MEAN: Final = 0.5  # of both pools
AT_FIRST: Final = (65, 4)  # per cent and tries of the first question
APART: Final = (40, 4)  # percentage points and tries of the second

RATE: Final = Whole("rate", 65, 0, 100, 5, label="true rate", unit="%")
REPEATS: Final = Whole("repeats", 4, 2, MOST, label="tries, k")
SPREAD: Final = Whole("spread", 40, 0, 50, 5, label="distance from 50 %", unit="points")
SETTINGS: Final = (RATE, REPEATS, SPREAD, SEED)
HIDDEN: Final = "<em>Answer the question above, or skip it, to see.</em>"

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def draw(rates: npt.ArrayLike, repeats: int, seed: int) -> Bools:
    """Draw ``GROUPS`` groups of tries.

    Args:
        rates: True pass rate, one for all groups or one for each.
        repeats: Tries per group.
        seed: Whole number of at least 0.

    Returns:
        Shape (GROUPS, repeats), true for a pass. Try j of group i depends on (seed, i, j) alone,
        and is the try ``simulate`` draws.
    """
    luck = uniform(seed, "agent", np.arange(GROUPS)[:, None], np.arange(repeats))
    return np.asarray(luck < np.reshape(rates, (-1, 1)))


def agree(passed: Bools) -> Bools:
    """Return which groups agree throughout."""
    return np.asarray((passed == passed[:, :1]).all(1))


def pool(spread: int) -> Floats:
    """Return the true rates of a pool: every other task below ``MEAN``, every other above.

    >>> pool(40)[:4].tolist()
    [0.1, 0.9, 0.1, 0.9]
    """
    return np.round(MEAN + np.where(np.arange(GROUPS) % 2, 1, -1) * spread / 100, 9)


@lru_cache(maxsize=1)
def _luck() -> Floats:
    """Return the draws of all seeds, shape (SEEDS, GROUPS, MOST); a pure function."""
    i, j = np.arange(GROUPS)[:, None], np.arange(MOST)
    table = np.stack([uniform(seed, "agent", i, j) for seed in range(SEEDS)])
    table.flags.writeable = False
    return table


@lru_cache(maxsize=512)
def over_seeds(rates: float | tuple[float, ...], repeats: int) -> tuple[int, ...]:
    """Return how many groups agree under each of the seeds 0 to 99; a pure function.

    Args:
        rates: True pass rate, one for all groups or one for each.
        repeats: Tries per group, at most ``MOST``.
    """
    passed = _luck()[:, :, :repeats] < np.reshape(rates, (-1, 1))
    return tuple(((passed == passed[:, :, :1]).all(2)).sum(1).tolist())


def fewest(rate: float, under: float) -> int | None:
    """Return the fewest tries at which agreement is rarer than ``under``; None if over ``MOST``.

    >>> fewest(0.9, 0.20), fewest(0.8, 0.05), fewest(1.0, 0.5)
    (16, 14, None)
    """
    chance = unanimous_probability(rate, np.arange(2, MOST + 1))
    found = np.flatnonzero(chance < under)
    return int(found[0]) + 2 if len(found) else None


def is_fewest(now: Mapping[str, Value], rate: int, under: float) -> bool:
    """Return whether the controls stand on the answer to "the fewest tries at this rate"."""
    return now["rate"] in (rate, 100 - rate) and now["repeats"] == fewest(rate / 100, under)


def not_fewest(now: Mapping[str, Value], rate: int, under: float) -> str:
    """Say what the run and what chance give where the controls are not the answer."""
    if now["rate"] not in (rate, 100 - rate):
        return f"Not yet: set the true rate to {rate}\N{NO-BREAK SPACE}%."
    k, p = int(now["repeats"]), int(now["rate"]) / 100
    chance = float(unanimous_probability(p, k))
    seen = int(agree(draw(p, k, int(now["seed"]))).sum())
    why = "that is too many" if chance >= under else "but fewer tries do too"
    return (
        f"Not yet: with {k} tries chance predicts {per_cent(chance, 1)}, {why}. This run has "
        f"{seen} of {GROUPS}; chance decides."
    )


def lucky() -> list[Option]:
    """Return the answers to "65 %, four tries: how many of 100 groups agree"."""
    percent, k = AT_FIRST
    p = percent / 100
    right = half_up(GROUPS * float(unanimous_probability(p, k)))
    passing = half_up(GROUPS * p**k)
    return [
        Option("0", f"Four tries are few. All four pass in {passing} of 100 groups.",
               "A task that can fail will show a fail."),
        Option("5", f"Each further pass is more likely than not: {p:g}⁴ alone is {p**k:.3f}.",
               "Luck hardly repeats four times."),
        Option(right, f"{p:g}⁴ + {1 - p:g}⁴ = {p**k:.3f} + {(1 - p) ** k:.3f}.", right=True),
        Option(str(100 - percent), "That is the share of tries that fail. A group is lost only "
               "if all its tries fail, or all pass.", "What fails is lost."),
    ]  # fmt: skip


def apart() -> list[Option]:
    """Return the answers to "half at 10 %, half at 90 %, four tries: how many agree"."""
    points, k = APART
    p = MEAN + points / 100
    right = float(unanimous_probability(p, k))
    plugged = float(unanimous_probability(MEAN, k))
    return [
        Option(half_up(GROUPS * plugged), f"{plugged:.3f} is right for tasks at 50 %. No "
               "task here is at 50 %.", "The mean rate will do."),
        Option("50", "Both halves agree equally often, each in more than half of its groups.",
               "The easy half agrees, the hard half does not."),
        Option(half_up(GROUPS * right), f"{p:g}⁴ + {1 - p:.1f}⁴ = {right:.3f} in either half.",
               right=True),
        Option("100", f"At {per_cent(p)} four passes in a row come {per_cent(p**k)} of the time, "
               "not always.", "A nearly sure thing is sure."),
    ]  # fmt: skip


def guess(prediction: Prediction) -> int | None:
    """Return the number the learner answered; None where there is none."""
    return int(prediction.choice) if prediction.state == "answered" else None


def places(
    page: Page, passed: Bools, told: Sequence[bool], rate: float, seed: int
) -> dict[str, Any]:
    """Return the HTML of every place of lesson 2 that follows the controls.

    Args:
        page: The page, whose moved settings name the cause.
        passed: Shape (GROUPS, repeats), the tries drawn.
        told: Whether each of the two questions is answered or skipped.
        rate: The true pass rate.
        seed: The seed drawn from.
    """
    k = passed.shape[1]
    seen = int(agree(passed).sum())
    before = page.before("seen", seen)
    cause = cause_of(page.moved, page.settings)
    if told[0] and cause and before == seen:
        cause = f"{cause}; {_why_unchanged(page.moved, seen)}"
    count = num("agree.seen", seen) if told[0] else masked("agree.seen")
    words = change(seen, before, cause) if told[0] else cause
    bar = (
        f'<span class="wc-kept">agree <b>{count}</b> of {GROUPS}</span>'
        f'<span class="wc-change">{words or "&nbsp;"}</span>'
    )
    return {
        "reading": bar,
        "luck_reading": _luck_reading(passed, rate) if told[0] else HIDDEN,
        "known_reading": _known(passed, rate) if told[0] else HIDDEN,
        "map_reading": _map(rate, k) if told[0] else HIDDEN,
        "pools_reading": _pools(int(page.values["spread"]), k, seed) if told[1] else HIDDEN,
        "takeaway": MANY if told[0] else "",
        "say": f"{seen} of {GROUPS} groups agree. {words}".strip() if told[0] else None,
    }


MANY: Final = "With four tries that is every fifth group even at a true rate of 65&nbsp;%."


def _why_unchanged(moved: Mapping[str, tuple[Value, Value]], seen: int) -> str:
    """Say why a move left the count as it was."""
    if set(moved) == {"spread"}:
        return "the spread acts on the pools further down"
    if set(moved) == {"repeats"} and int(moved["repeats"][1]) > int(moved["repeats"][0]):
        return "no group was left to break" if not seen else "the new tries went along with theirs"
    if set(moved) == {"repeats"}:
        return "no group differed in those tries alone"
    return "as many groups started to agree as stopped"


def _luck_reading(passed: Bools, rate: float) -> str:
    """Say what chance predicts, what was drawn, and how far seeds differ."""
    k = passed.shape[1]
    counts = over_seeds(rate, k)
    expected = GROUPS * float(unanimous_probability(rate, k))
    return (
        f"Chance predicts {num('agree.expected', tenths(expected))} of {GROUPS}: pᵏ + (1 − p)ᵏ "
        f"with p = {rate:.2f} and k = {k}. Over 100 seeds it is {num('agree.low', min(counts))} to "
        f"{num('agree.high', max(counts))}."
    )


def _known(passed: Bools, rate: float) -> str:
    """Say how many groups pass throughout although no task is mastered."""
    good = int(passed.all(1).sum())
    bad = int((~passed).all(1).sum())
    if rate in (0.0, 1.0):
        return f"At {per_cent(rate)} every group agrees, and here that is the truth about the task."
    return (
        f"{num('agree.pass', good)} groups pass throughout and look mastered; "
        f"{num('agree.fail', bad)} fail throughout and look hopeless. Every one of these tasks "
        f"passes {per_cent(rate)} of the time. Draw again, with another seed under More (on a "
        "phone: Controls), and other groups agree."
    )


def _map(rate: float, k: int) -> str:
    """Say where the present cell lies, and what one try more would do."""
    here = float(unanimous_probability(rate, k))
    more = float(unanimous_probability(rate, k + 1))
    one, two = num("map.here", tenths(100 * here)), num("map.more", tenths(100 * more))
    mirror = "" if rate == 0.5 else f", as at {per_cent(1 - rate)}"
    return (
        f"At {per_cent(rate)}{mirror}, {k} tries agree {one}&nbsp;% of the time; {k + 1} tries "
        f"{two}&nbsp;%."
    )


def _pools(spread: int, k: int, seed: int) -> str:
    """Compare the two pools: in theory, as drawn, over 100 seeds."""
    rates = pool(spread)
    wide = 100 * float(unanimous_probability(rates, k).mean())
    narrow = 100 * float(unanimous_probability(MEAN, k))
    counts, middle = over_seeds(tuple(rates.tolist()), k), over_seeds(MEAN, k)
    seen = int(agree(draw(rates, k, seed)).sum())
    same = int(agree(draw(MEAN, k, seed)).sum())
    return (
        "Both pools pass half of their tries. All tasks at 50&nbsp;%: "
        f"{num('pools.same', tenths(narrow))}&nbsp;% of groups agree "
        f"({num('pools.same_seen', same)} of 100 at seed {seed}; {min(middle)} to {max(middle)} "
        "over 100 seeds). Spread out: "
        f"{num('pools.spread', tenths(wide))}&nbsp;% ({num('pools.spread_seen', seen)} of 100; "
        f"{min(counts)} to {max(counts)})."
    )
