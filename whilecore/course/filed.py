"""The words of lesson 3: what a few tries say about a task, in numbers from the core."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.agent import seeded_agent
from whilecore.charts import cells, ladder
from whilecore.charts.misfiled import NAMED, TRIES, even_shares, percent
from whilecore.charts.strip import Seen
from whilecore.course.bar import STILL, cause_of, change
from whilecore.course.numbers import masked, num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import Choice, Value, Whole
from whilecore.filing import Filing, band_cost, keeps, passes_so_far, truly_inside
from whilecore.intervals import wilson
from whilecore.tools import tool

TASKS: Final = 16
SEEDS: Final = 100
RATE: Final = 0.5  # of mistakes: at one half the true rates of the mixed agent are evenly spread
ASKED: Final = (4, (0.2, 0.8))  # tries and band of the prediction
UNDER: Final = 0.1  # the misfiled share that the first challenge asks for

REPEATS: Final = Whole("repeats", 4, 2, 64)
SKILL: Final = Choice(
    "skill",
    "mixed",
    {"mixed": "spread evenly", "flat": "all at 50 %", "u-shaped": "mostly extreme"},
    label="true rates",
)
TRUTH: Final = Choice(
    "truth", "hidden", {"hidden": "hidden", "shown": "shown"}, label="true pass rates"
)
SEED: Final = Whole("seed", 36, 0, 9_999, typed=True)

HIDDEN: Final = "<em>Answer or skip this section's question to see what the band does.</em>"


def options() -> list[Option]:
    """Return what the band can drop of 16 mixed tasks at four tries, and three beliefs."""
    tries, band = ASKED
    assert band_cost(tries, band).dropped == 0, "the question's answer is 0 by computation"
    return [
        Option(
            "0",
            "With four tries a mixed task passes 25, 50 or 75 % of the time, and all three lie "
            "inside 20 to 80 %.",
            right=True,
        ),
        Option(
            "2",
            "To fall under 20 % a mixed task would need one pass in six or more tries. One in "
            "four is 25 %.",
            "a rule always catches a few",
        ),
        Option(
            "5",
            "40 % of the scale lies outside the band, and so may true rates. The band sees only "
            "measured ones, and four tries can show three mixed values.",
            "reads true rates off the scale",
        ),
        Option(
            "8",
            "Luck moves a measured rate far from the true one, but only to a value that four "
            "tries can show.",
            "luck throws half of them out",
        ),
    ]


def answer(prediction: Prediction, tasks: Filing, repeats: int) -> int | None:
    """Return the learner's number while the settings are those of the question."""
    if prediction.state != "answered" or (repeats, tasks.band) != ASKED:
        return None
    return int(prediction.choice)


@lru_cache(maxsize=256)
def runs(skill: str, band: tuple[float, float]) -> npt.NDArray[np.float64]:
    """Return the misfiled share of 100 seeds at 2 to 64 tries, shape (100, 63): a pure function."""
    passes, true = _drawn(skill)
    kept = keeps(passes, TRIES, band)
    return np.asarray((kept != truly_inside(true, band)[:, :, None]).mean(axis=1))


@lru_cache(maxsize=len(SKILL.choices))
def _drawn(skill: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return 100 seeds' passes after 2 to 64 tries, and their true rates: a pure function."""
    agent = seeded_agent([_get_order], rate=RATE, skill=skill)
    most = int(TRIES[-1])
    passes = [passes_so_far(agent, seed, TASKS, most)[:, 1:] for seed in range(SEEDS)]
    return np.stack(passes), np.stack([agent.true_pass_rates(s, TASKS) for s in range(SEEDS)])


@tool
def _get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


WORKED: Final = ((3, 4), (12, 16), (48, 64))


def worked() -> Seen:
    """Return three tasks with the same measured rate, from ever more tries."""
    passes, rows = (np.array(column) for column in zip(*WORKED, strict=True))
    return Seen(
        labels=np.array([f"{c} of {k}" for c, k in WORKED], dtype=object),
        passes=passes,
        rows=rows,
        kept=np.ones(len(WORKED), np.bool_),
        links=np.full(len(WORKED), "", dtype=object),
        band=(0.2, 0.8),
    )


def plausible(passes: int, tries: int) -> str:
    """Return the plausible true rates of so many passes in words: "30 to 95 %"."""
    low, high = wilson(passes, tries)
    name = f"wilson.{passes}_of_{tries}"
    return f"{num(f'{name}.low', 100 * low, '.0f')} to {num(f'{name}.high', 100 * high, '.0f')} %"


def places(
    page: Page, tasks: Filing, repeats: int, skill: str, seed: int, revealed: bool, truth: bool
) -> dict[str, Any]:
    """Return the HTML of every place of lesson 3 that follows the controls."""
    kept = int(tasks.kept.sum())
    now = (kept, int(tasks.dropped.sum()), len(tasks.labels))
    before = page.before("kept", now)
    cause = cause_of(page.moved, page.settings)
    if revealed and cause and before[0] == kept:
        cause = f"{cause}; {why_unchanged(page.moved, tasks, repeats)}"
    number = num("band.kept", kept) if revealed else masked("band.kept")
    return {
        "reading": f'<span class="wc-kept">keeps <b>{number}</b> of {len(tasks.labels)} '
        f'tasks</span><span class="wc-change">'
        f"{change(kept if revealed else None, before[0], cause) or STILL}</span>",
        "strip_reading": _strip(tasks, truth) if revealed else HIDDEN,
        "cells_reading": _cells(tasks, seed, truth, repeats) if revealed else HIDDEN,
        "ladder_reading": _ladder(tasks.band) if revealed else HIDDEN,
        "misfiled_reading": _misfiled(tasks.band, skill) if revealed else HIDDEN,
        "agents": _agents(tasks.band, repeats) if revealed else HIDDEN,
        "zigzag": zigzag(tasks.band) if revealed else HIDDEN,
        "takeaway": takeaway(tasks.band) if revealed else HIDDEN,
        "say": f"The band keeps {kept} of {len(tasks.labels)} tasks. {cause}".strip()
        if revealed
        else None,
    }


def why_unchanged(moved: Mapping[str, tuple[Value, Value]], tasks: Filing, repeats: int) -> str:
    """Say why a move changed no count."""
    names = set(moved) - {"truth"}
    if not names:
        return "the band sees the tries, not the true rates"
    if names <= {"band_low", "band_high"}:
        bottom, top = 1 / repeats, (repeats - 1) / repeats
        low, high = tasks.band
        if low <= bottom and high >= top:
            ends = f"{percent(bottom).removesuffix(' %')} to {percent(top)}"
            return f"mixed tasks pass {ends} of {repeats} tries, all inside"
        return "no mixed task lies between the old edge and the new"
    return "other tries, the same count"


def _strip(tasks: Filing, truth: bool) -> str:
    """Say how far the measured rates are from the true ones."""
    if not truth:
        return (
            "Each bar holds the true rates that would be plausible. How many bars cross an edge of "
            "the band? Those tasks may belong on either side. Choose <i>shown</i> to see."
        )
    low, high = wilson(tasks.passes, tasks.rows)
    held = int(((low <= tasks.true) & (tasks.true <= high)).sum())
    wrongly_out = int((tasks.truly & ~tasks.kept).sum())
    wrongly_in = int((~tasks.truly & tasks.kept).sum())
    wrong = wrongly_out + wrongly_in
    return (
        f"{num('truth.in_bar', held)} of {len(tasks.labels)} true rates lie in their task's bar. "
        f"{num('misfiled', wrong)} {'task is' if wrong == 1 else 'tasks are'} on the wrong side: "
        f"{num('misfiled.dropped', wrongly_out)} dropped and truly inside the band, "
        f"{num('misfiled.kept', wrongly_in)} kept and truly outside."
    )


def _cells(tasks: Filing, seed: int, truth: bool, repeats: int) -> str:
    """Set the band beside the random pick of the same size."""
    dropped, mixed = int(tasks.dropped.sum()), int(tasks.mixed.sum())
    start = (
        f"{num('silent', len(tasks.labels) - mixed)} tasks have tries that all agree. Of the other "
        f"{num('mixed', mixed)} the band drops {num('band.dropped', dropped)}. "
    )
    if not dropped:
        return start + (
            f"So a random pick of {num('band.size', mixed)} of these {mixed} is the same pick: at "
            f"{repeats} tries the band has chosen nothing."
        )
    if not truth:
        return start + (
            "On the right, as many of them picked at random. Show the true pass rates to see which "
            "pick is better."
        )
    luck = cells.misfiled_at_random(tasks, seed)
    return start + (
        f"It misfiles {num('misfiled', int(tasks.misfiled.sum()))} of {len(tasks.labels)} tasks; "
        f"as many picked at random misfile {num('misfiled.random', luck, '.1f')}, mean of 100 "
        "picks."
    )


def _ladder(band: tuple[float, float]) -> str:
    """Say what the band throws away, beside the equal-size random pick."""
    parts = []
    for k in (8, 16):
        cost = band_cost(k, band)
        parts.append(
            f"at {k} tries {num(f'cost.{k}.dropped', cost.dropped)} of "
            f"{num(f'cost.{k}.mixed', cost.mixed)} mixed outcomes with "
            f"{num(f'cost.{k}.signal', 100 * cost.signal, '.1f')} % of the signal (as many at "
            f"random: {num(f'cost.{k}.random', 100 * cost.at_random, '.1f')} %)"
        )
    first = ladder.first_bite(band)
    start = (
        "This band never drops a mixed outcome. "
        if first is None
        else f"This band first drops a mixed outcome at {num('first_bite', first)} tries. "
    )
    return f"{start}It gives up {parts[0]}, and {parts[1]}."


def _misfiled(band: tuple[float, float], skill: str) -> str:
    """Say how slowly more tries help, for evenly spread rates and over 100 seeds."""
    even, seen = even_shares(band), runs(skill, band)
    shares = ", ".join(
        f"{num(f'even.{k}', percent(even[k - 2]).removesuffix(' %'))} % at {k}" for k in NAMED
    )
    at = [k - 2 for k in (NAMED[0], NAMED[-1])]
    few, many = seen.mean(axis=0)[at]
    low, high = np.quantile(seen[:, at[0]], [0.025, 0.975]) * TASKS
    return (
        f"Where true rates are spread evenly, tries misfile {shares}. Over 100 seeds this agent's "
        f"tasks come to {num('seeds.4', 100 * few, '.0f')} % at 4 and "
        f"{num('seeds.64', 100 * many, '.0f')} % at 64; at 4 tries, 95 of 100 runs misfile "
        f"{num('seeds.low', low, '.0f')} to {num('seeds.high', high, '.0f')} of {TASKS}."
    )


def _agents(band: tuple[float, float], repeats: int) -> str:
    """Say what share the three agents' tasks come to at the present number of tries."""
    at = int(repeats) - int(TRIES[0])
    shares = ", ".join(
        f"{num(f'agents.{skill}', 100 * runs(skill, band)[:, at].mean(), '.0f')}\u00a0% at "
        f"“{words}”"
        for skill, words in SKILL.choices.items()
    )
    return (
        f"Where the tasks truly are matters too: at {repeats} tries, over {SEEDS} seeds, the band "
        f"misfiles {shares}. Choose with <i>true rates</i>."
    )


def zigzag(band: tuple[float, float]) -> str:
    """Say why the exact line rises where the band first drops a mixed outcome, if it does."""
    first, even = ladder.first_bite(band), even_shares(band)
    if first is None or even[first - 2] <= even[first - 3]:
        return "With this band the dashed line does not rise where the band begins to drop tasks."
    before, there = even[first - 3], even[first - 2]
    c = np.arange(1, first)
    out = c[~keeps(c, first, band)]
    listed = " and ".join(f"{passes} of {first} ({percent(passes / first)})" for passes in out)
    return (
        f"More tries are not always better: from {first - 1} to {first} the dashed line rises from "
        f"{percent(float(before)).removesuffix(' %')} to {percent(float(there))}. At {first} tries "
        f"the band first drops mixed outcomes, {listed}, "
        "and many tasks that truly belong inside end there. Later rises have the same reason."
    )


def takeaway(band: tuple[float, float]) -> str:
    """Return the sentence to take home, true of the band as it stands."""
    first = ladder.first_bite(band)
    low, high = (f"{100 * edge:.0f}" for edge in band)
    if first is None:
        start = f"A band from {low} to {high} % drops nothing that agreement does not"
    elif first > TRIES[0]:
        start = (
            f"At {first - 1} tries and fewer a band from {low} to {high} % drops nothing that "
            "agreement does not"
        )
    else:
        start = f"A band from {low} to {high} % drops mixed tasks from {first} tries on"
    return f"{start}: before you trust a band, count the tries behind it."


def fewest_under(share: float = UNDER, band: tuple[float, float] = (0.2, 0.8)) -> int | None:
    """Return the fewest of 4, 8, 16, 32 and 64 tries that misfile less than a share."""
    even = even_shares(band)
    return next((k for k in NAMED if even[k - 2] < share), None)


def same_outcomes(top: int) -> bool:
    """Tell whether a top edge in per cent, at four tries, keeps what 80 % keeps."""
    tries, (low, high) = ASKED
    c = np.arange(tries + 1)
    return bool((keeps(c, tries, (low, top / 100)) == keeps(c, tries, (low, high))).all())


def idle_tops() -> list[int]:
    """Return the top edges, other than 80 %, that change nothing at four tries."""
    return [top for top in range(50, 101, 5) if top != 80 and same_outcomes(top)]
