"""Draw the home page's pictures from the lessons' own charts: python tests/make_pictures.py."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import numpy as np

import whilecore as wc
from whilecore import filing, simpson
from whilecore.charts import (
    baseline,
    cards,
    climb,
    lanes,
    paired,
    picks,
    scatter,
    silence,
    still,
    strip,
    tallies,
    waterfall,
)
from whilecore.course import refilling, train_prove, wrong_judge, your_rows
from whilecore.course.agreeing import draw as draw_groups
from whilecore.course.home import PICTURES
from whilecore.rejection import rejection_sample
from whilecore.reward_scan import scan


@wc.tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


def start() -> wc.Selection:
    """Return a selection that does not give away the answer of the course's first run."""
    tries = wc.simulate(wc.seeded_agent([get_order]), tools=[get_order], seed=11)
    return tries.grade(wc.judges.answer_key).select(mode="rl")


def first() -> str:
    """Draw the pushes of a group in which no try is pushed further than another."""
    return still.svg(baseline.picture(), baseline.push((1, 0, 1, 0, 0, 1), True), 440)


def second() -> str:
    """Draw the worked case, two tries at one half, a hundred times."""
    shown = silence.push(draw_groups(0.5, 2, 11), True, "seed 11")
    return still.svg(silence.picture(), shown, 440)


def third() -> str:
    """Draw tasks by what eight tries say of them, and where they truly are."""
    agent = wc.seeded_agent([get_order], rate=0.5, skill="mixed")
    tries = wc.simulate(agent, repeats=8, budget=128, seed=11).grade(wc.judges.answer_key)
    seen = strip.filed(filing.filed(tries))
    return still.svg(strip.picture(tally=True), strip.show(seen, True, "seed 11", True), 440)


def fourth() -> str:
    """Draw tries as cards; so many mistakes that copies of both kinds are there."""
    agent = wc.seeded_agent([get_order], rate=0.8, variety=0.3)
    tries = wc.simulate(agent, repeats=10, budget=160, seed=11).grade(wc.judges.answer_key)
    pushed = cards.push(tries.select(mode="rl"), True, "seed 11")
    return still.svg(cards.picture(), pushed, 440)


def fifth() -> str:
    """Draw a file whose pooled trend falls while every task's rises."""
    rollouts = simpson.hard_tasks(11)
    rows = np.arange(len(rollouts))
    found = scan(rollouts, rows).correlations["reply_chars"]
    pushed = scatter.push(rollouts, rows, "reply_chars", found, False, "seed 11")
    return still.svg(scatter.picture(False), pushed, 440)


def sixth() -> str:
    """Draw where the rows went."""
    return still.svg(waterfall.picture(), waterfall.push(start(), True, "seed 11", None), 440)


def ninth() -> str:
    """Draw each held-out task's change after twenty steps."""
    run = train_prove.trained("all", "no", "half", 0)
    before, after = train_prove.evaluated(run, 20, 64)
    true, floor = train_prove.true_change(before, after), train_prove.floor("half", 0, 64)
    return still.svg(paired.picture(), paired.push(wc.compare(before, after), true, floor, ""), 440)


def tenth() -> str:
    """Draw a reward that climbs, and nothing of the truth."""
    run = wrong_judge.expected(0.5, 0.0)
    return still.svg(climb.picture(), climb.push(run, run, False, "", None), 440)


def seventh() -> str:
    """Draw completions by what a judge sees of them, without a pick."""
    rates = np.linspace(0.1, 0.9, 12)
    run = rejection_sample(rates, 16, noise=0.5, seed=11)
    seen = picks.push(run, rates, "best of n", False, "seed 11")
    return still.svg(picks.picture(), seen, 440)


def eighth() -> str:
    """Draw two batches being filled, at other rates and tries than the lesson's question."""
    rates = (0.5, 0.85)
    fills = [refilling.fill(rate, 4, 32, 11) for rate in rates]
    return still.svg(lanes.picture(), lanes.push(fills, rates, True, "seed 11", None), 440)


def eleventh() -> str:
    """Draw the tasks of a sample that the lesson does not start with, by how often they pass."""
    what = your_rows.given((), "", "every_try_its_own_id.csv")
    rl = your_rows.read(what, {"task": "ticket"}).rollouts.select("rl")
    seen = tallies.rates(rl, True, "a sample file")
    return still.svg(tallies.picture("measured pass rate, %"), seen, 440)


DRAWN: Final[dict[str, Callable[[], str]]] = {
    "01_one_group": first,
    "02_unanimous_groups": second,
    "03_the_band": third,
    "04_copies": fourth,
    "05_what_the_reward_tracks": fifth,
    "06_which_rows_to_train_on": sixth,
    "07_keep_the_passes": seventh,
    "08_refill_the_batch": eighth,
    "09_train_and_prove": ninth,
    "10_when_the_judge_is_wrong": tenth,
    "11_your_rollouts": eleventh,
}

if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for stem, draw in DRAWN.items():
        (PICTURES / f"{stem}.svg").write_text(draw() + "\n", encoding="utf-8")
        sys.stdout.write(f"{stem}.svg\n")
