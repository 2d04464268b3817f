"""The words of lesson 8: what a full batch costs, its questions, readings and challenges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from whilecore.charts import patience
from whilecore.charts.odds import per_cent
from whilecore.course.bar import cause_of, change
from whilecore.course.numbers import masked, num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import SEED, Value, Whole
from whilecore.refill import (
    Fill,
    expected_draws,
    fill_batch,
    live_share,
    refill_factor,
    rollouts_per_live_group,
)

START: Final = 0.65  # the rate of the upper lane
ASKED: Final = (95, 8)  # per cent and tries of the first question
PER_DRAW: Final = 4  # groups drawn at once: small, so that little is left over
DRAWS: Final = 10  # allowed, in batches
DOUBLE: Final = 2.0

REPEATS: Final = Whole("repeats", 8, 2, 16, label="tries, k")
RATE: Final = Whole("rate", 95, 0, 100, label="true rate", unit="%")
BATCH: Final = Whole("batch", 32, 8, 32, 8, label="batch, groups")
SETTINGS: Final = (REPEATS, RATE, BATCH, SEED)
HIDDEN: Final = "<em>Answer the question, or skip it, to see.</em>"
SAID: Final = {"always": 1.0, "half of the time": 0.5, "one time in ten": 0.1, "never": 0.0}

# DAPO on AIME 2024, average of 32 answers, per cent. Each line adds to the one above.
LADDER: Final = (
    ("plain GRPO", 30),
    ("replies cut off are not scored", 36),
    ("a higher upper clip", 38),
    ("a soft penalty for overlong replies", 41),
    ("loss per token", 42),
    ("dynamic sampling: refilling", 50),
)


def fill(rate: float, k: int, batch: int, seed: int) -> Fill:
    """Fill one lane: groups drawn by fours, at most ten times the batch."""
    return fill_batch(
        [rate], k, batch, per_draw=PER_DRAW, limit=DRAWS * batch // PER_DRAW, seed=seed
    )


def ratio(rate: float, k: int) -> float:
    """Return in theory how many times as much a live group costs as at 65 %.

    >>> round(ratio(0.95, 8), 2)
    2.88
    """
    return float(refill_factor(rate, k) / refill_factor(START, k))


def dearest_at_double(k: int) -> int:
    """Return the highest rate, in whole per cent, at which refilling at most doubles the cost.

    >>> dearest_at_double(8)
    91
    """
    rates = np.arange(50, 100)
    return int(rates[refill_factor(rates / 100, k) <= DOUBLE].max())


def is_double(now: Mapping[str, Value]) -> bool:
    """Return whether the controls stand on that rate, or its mirror, with eight tries."""
    top = dearest_at_double(ASKED[1])
    return now["repeats"] == ASKED[1] and now["rate"] in (top, 100 - top)


def cheapest() -> tuple[int, ...]:
    """Return the numbers of tries with the fewest rollouts per live group at 95 %.

    >>> cheapest()
    (2, 3)
    """
    tries = np.arange(REPEATS.low, REPEATS.high + 1)
    costs = rollouts_per_live_group(ASKED[0] / 100, tries)
    return tuple(tries[costs <= costs.min() + 1e-9].tolist())


def climbing() -> list[Option]:
    """Return the answers to "from 65 to 95 %: how many rollouts for the same batch"."""
    rate, k = ASKED[0] / 100, ASKED[1]
    times = ratio(rate, k)
    return [
        Option("same", "The batch is the same. But at 95 % most groups agree, and a group that "
               "agrees has to be drawn again.", "A batch is a batch."),
        Option("1.5×", f"That is about how the rate itself grew: {rate / START:.2f} times.",
               "Cost follows the rate."),
        Option(f"about {times:.0f}×", f"All eight pass with chance 0.95⁸ = {rate**k:.2f}: one "
               f"group in {refill_factor(rate, k):.2f} is live.", right=True),
        Option("10×", f"One group in {refill_factor(rate, k):.0f} is live, not one in ten. For "
               "ten the rate must come near 99 %.", "Nearly all groups agree."),
    ]  # fmt: skip


def never() -> list[Option]:
    """Return the answers to "0.2 % pass, at most ten draws: how often is the batch full"."""
    share = float(live_share(patience.RATES[1], patience.K))
    groups = patience.LIMIT * patience.BATCH
    return [
        Option("always", f"{groups} groups come for {patience.BATCH} places, but hardly any of "
               "them is live.", "Ten times the groups are enough."),
        Option("half of the time", "It would take more than sixty draws for even odds.",
               "Hard means even odds."),
        Option("one time in ten", "Luck would have to multiply the live groups by six.",
               "Rare luck still fills it."),
        Option("never", f"{per_cent(share, 2)} of groups are live: of {groups} about "
               f"{share * groups:.0f}.", right=True),
    ]  # fmt: skip


def guess_times(prediction: Prediction) -> float | None:
    """Return how many times as many rollouts the learner said; None where nothing was."""
    if prediction.state != "answered":
        return None
    if prediction.choice == "same":
        return 1.0
    return float(prediction.choice.removeprefix("about ").removesuffix("×"))


def guess_chance(prediction: Prediction) -> float | None:
    """Return the chance the learner said; None where nothing was."""
    return SAID[prediction.choice] if prediction.state == "answered" else None


def places(page: Page, lanes: Sequence[Fill], rate: float, told: Sequence[bool]) -> dict[str, Any]:
    """Return the HTML of every place of lesson 8 that follows the controls.

    Args:
        page: The page, whose moved settings name the cause.
        lanes: The upper and the lower lane.
        rate: True pass rate of the lower lane.
        told: Whether each of the two questions is answered or skipped.
    """
    spent = lanes[1].rollouts
    before = page.before("spent", spent)
    cause = cause_of(page.moved, page.settings)
    if told[0] and cause and before == spent:
        cause = f"{cause}; {_why_unchanged(lanes[1])}"
    words = change(spent, before, cause) if told[0] else cause
    count = num("fill.rollouts", spent, ",") if told[0] else masked("fill.rollouts")
    end = "" if not told[0] or lanes[1].full else ", not full"
    bar = (
        f'<span class="wc-kept"><b>{count}</b> rollouts{end}</span>'
        f'<span class="wc-change">{words or "&nbsp;"}</span>'
    )
    say = f"{spent:,} rollouts{end}. {words}" if told[0] else None
    return {
        "reading": bar,
        "lanes_reading": _lanes(lanes, rate) if told[0] else HIDDEN,
        "costs_reading": _costs(rate, lanes[1].k) if told[0] else HIDDEN,
        "stuck_reading": _stuck(int(page.values["seed"])) if told[1] else HIDDEN,
        "takeaway": TAKEAWAY if told[0] else "",
        "say": say,
    }


TAKEAWAY: Final = "The better the model gets, the more you pay for tries that push nobody."


def _why_unchanged(lane: Fill) -> str:
    """Say why a move left the cost of the lower lane as it was."""
    return "the batch is full after as many draws" if lane.full else "both end at the limit"


def _lanes(lanes: Sequence[Fill], rate: float) -> str:
    """Say what the draws cost, what theory expects, and how seeds differ."""
    second = lanes[1]
    k, batch = second.k, second.batch
    silent = int((~second.live).sum())
    if not second.full:
        return (
            f"{num('fill.silent', silent)} of {num('fill.groups', len(second.task))} groups agree. "
            f"The limit here is ten times the batch; {num('fill.used', int(second.used.sum()))} of "
            f"{batch} places are filled."
        )
    return (
        f"{num('fill.silent', silent)} of {num('fill.groups', len(second.task))} groups agree and "
        f"are paid for. In theory a live group takes "
        f"{num('fill.factor', float(refill_factor(rate, k)), '.2f')} groups, "
        f"{num('fill.ratio', ratio(rate, k), '.2f')} times as many as at {per_cent(START)}."
    )


def _costs(rate: float, k: int) -> str:
    """Compare tries: groups to draw, and rollouts for a live one."""
    if not float(live_share(rate, k)):
        return f"At {per_cent(rate)} all tries agree: no number of draws gives a live group."
    parts = "; ".join(
        f"with {n} tries {num(f'costs.{n}.factor', float(refill_factor(rate, n)), ',.2f')} groups, "
        f"{num(f'costs.{n}.rollouts', float(rollouts_per_live_group(rate, n)), ',.1f')} rollouts"
        for n in sorted({4, 8, 16, k})
    )
    return f"For one live group at {per_cent(rate)}: {parts}."


@lru_cache(maxsize=64)
def _stuck(seed: int) -> str:
    """Say what one run of the hopeless pool brings, and how many draws it would take."""
    rate, k, batch = patience.RATES[1], patience.K, patience.BATCH
    run = fill_batch([rate], k, batch, limit=patience.LIMIT, seed=seed)
    share = float(live_share(rate, k))
    return (
        f"Share of live groups: {num('stuck.share', share, '.4f')}. Draws for a batch: "
        f"{num('stuck.draws', float(expected_draws(share)), '.1f')} on average. With seed {seed}, "
        f"{patience.LIMIT} draws and {num('stuck.rollouts', run.rollouts, ',')} rollouts bring "
        f"{num('stuck.used', int(run.used.sum()))} of {batch} live groups."
    )


def ladder() -> str:
    """Return the published ladder as an HTML table with its steps computed."""
    head = "".join(f'<th scope="col">{one}</th>' for one in ("added", "AIME 2024", "step"))
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{score}</td><td>{_step(at)}</td></tr>'
        for at, (name, score) in enumerate(LADDER)
    )
    return (
        '<div class="wc-table" role="region" tabindex="0" aria-label="Published ladder">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _step(at: int) -> str:
    return f"+{LADDER[at][1] - LADDER[at - 1][1]}" if at else "–"
