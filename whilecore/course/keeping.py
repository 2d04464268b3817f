"""The words of lesson 7: what SFT copies, its questions, readings and challenges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.charts.odds import per_cent
from whilecore.charts.reach import ASKED, MOST
from whilecore.charts.rules import Mean
from whilecore.course.bar import cause_of, change
from whilecore.course.numbers import masked, num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.printed import sft_block
from whilecore.course.settings import SEED, Choice, Value, Whole
from whilecore.readers import printed_run
from whilecore.rejection import Rejection, at_least_one, expected_best, rejection_sample
from whilecore.selection import Selection

Floats = npt.NDArray[np.float64]

RATES: Final = np.array([0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9, 0.95])
TIMES: Final = 100  # the twelve tasks are drawn so often where rules are compared
AT_FIRST: Final = 10
SPREAD_WANTED: Final = 1.5
CHANCE_WANTED: Final = 0.8

COMPLETIONS: Final = Whole("completions", AT_FIRST, 1, MOST, label="completions")
NOISE: Final = Whole("noise", 50, 0, 150, 25, label="noise", unit="%")
RULE: Final = Choice(
    "rule",
    "best",
    {"best": "best grade", "pass": "any pass", "all": "any reply"},
    label="pick",
)
SETTINGS: Final = (COMPLETIONS, NOISE, RULE, SEED)
RULES: Final = {"best": "best of n", "pass": "random pass", "all": "random of all"}
HIDDEN: Final = "<em>Answer the question, or skip it, to see.</em>"

# LLaMA on GSM8K, per cent: trained on the given solutions, on the passes of 100 tries per question,
# on the passes of several models together. Yuan and others 2023, arXiv:2308.01825.
YUAN: Final = (
    ("7B", 35.9, 41.7, 49.3),
    ("7B, version 2", 41.6, 47.5, 50.3),
    ("13B", 43.0, 49.1, 52.1),
    ("33B", 54.6, 54.5, 56.5),
)


@lru_cache(maxsize=1)
def printed() -> tuple[Selection, Selection]:
    """Return the SFT and the RL selection of the course page's rows; a pure function."""
    rows = printed_run()
    return rows.select(mode="sft"), rows.select(mode="rl")


@lru_cache(maxsize=128)
def rules(n: int, noise: float, seed: int) -> tuple[tuple[Mean, ...], int]:
    """Compare four rules on the tasks that have a pass; a pure function.

    Returns:
        The rules, and the tasks out of ``TIMES`` draws of the twelve that all are measured on.
    """
    rates = np.tile(RATES, TIMES)
    graded = rejection_sample(rates, n, noise=noise, seed=seed)
    coarse = rejection_sample(rates, n, noise=noise, judge="pass or fail", seed=seed)
    means = (
        _mean("best of n, the judge grades", graded, "best of n"),
        _mean("best of n, the judge says pass or fail", coarse, "best of n"),
        _mean("a random pass", coarse, "random pass"),
        _mean("a random reply, pass or not: the control", coarse, "random of all"),
    )
    return means, graded.kept


def _mean(words: str, run: Rejection, rule: str) -> Mean:
    """Return a rule's mean quality on the tasks that have a pass, with its 95 % half width."""
    tasks = np.flatnonzero(run.passed.any(1))
    picked = run.quality[tasks, run.picks[rule][tasks]]
    half = 1.96 * float(picked.std(ddof=1)) / len(tasks) ** 0.5
    return Mean(words, float(picked.mean()), half, run.right(rule, kept_tasks=True))


def fewest_for_spread(spread: float) -> int:
    """Return the fewest completions whose best lies so far above a random one, without noise.

    >>> fewest_for_spread(1.5)
    10
    """
    return next(n for n in range(1, MOST + 1) if expected_best(n) >= spread)


def fewest_for_chance(rate: float, chance: float) -> int:
    """Return the fewest completions with at least such a chance of a pass.

    >>> fewest_for_chance(0.1, 0.8)
    16
    """
    return int(np.argmax(at_least_one(rate, np.arange(1, MOST + 1)) >= chance)) + 1


def is_best(now: Mapping[str, Value]) -> bool:
    """Return whether the controls stand on the fewest completions without judge noise."""
    return now["noise"] == 0 and now["completions"] == fewest_for_spread(SPREAD_WANTED)


def is_enough(now: Mapping[str, Value]) -> bool:
    """Return whether the controls stand on the fewest completions for the hard task."""
    return now["completions"] == fewest_for_chance(ASKED, CHANCE_WANTED)


def copied() -> list[Option]:
    """Return the answers to "43 rows passed: how many does SFT keep"."""
    sft, rl = printed()
    report = sft.report
    passes = report["candidates"]
    return [
        Option(str(passes), "Every pass is a candidate, but a task that passes four times would "
               "then be copied four times, and the easy tasks would fill the file.",
               "Every pass is copied."),
        Option(str(report["row_fates"]["not_passing"]), "So many rows failed. They are what SFT "
               "leaves out first.", "It learns from mistakes."),
        Option(str(report["kept"]), f"{report['rows']} − {report['row_fates']['not_passing']} "
               f"that fail − {report['row_fates']['same_task']} further passes of a task that has "
               f"one: one row for each of {report['tasks']} tasks.", right=True),
        Option(str(rl.report["kept"]), "So many rows RL keeps: it needs contrast, so it keeps "
               "fails too and drops tasks whose tries agree.", "SFT and RL keep the same rows."),
    ]  # fmt: skip


def coarse() -> list[Option]:
    """Return the answers to "how much better is the best of 10 if the judge says pass or fail"."""
    ranked = round(expected_best(AT_FIRST), 1)
    return [
        Option("0", "All passes score 1. The best of them is whichever the draw takes first, and "
               "that is a random pass.", right=True),
        Option("+0.5", "A judge that says only pass or fail has no opinion on which pass is "
               "better. What it knows is used up once the fails are out.",
               "The top score is a little better."),
        Option("+1.0", "That a pass is better than a random reply is true, and it is true of any "
               "pass.", "Passing and being best are one thing."),
        Option(f"+{ranked:.1f}", "So far the best of ten lies above a random one when a judge "
               "ranks all ten, without error.", "Best of n always finds the best."),
    ]  # fmt: skip


def reaching() -> list[Option]:
    """Return the answers to "10 % pass, ten completions: the chance of at least one pass"."""
    right = float(at_least_one(ASKED, AT_FIRST))
    return [
        Option(per_cent(ASKED), "That is the chance of one try. There are ten.",
               "More tries do not help."),
        Option(per_cent(round(right, 2)), f"1 − 0.9¹⁰ = {right:.3f}.", right=True),
        Option("90 %", "Ten times the chance of a fail is no chance of anything. All ten fail "
               f"with chance 0.9¹⁰ = {1 - right:.2f}.", "Only the fail rate of one try counts."),
        Option("100 %", "On average one of ten passes. Often two do, and often none.",
               "Ten tries at 10 % make one pass sure."),
    ]  # fmt: skip


def guess(prediction: Prediction) -> float | None:
    """Return the number the learner answered, per cent as a share; None where there is none."""
    if prediction.state != "answered":
        return None
    text = prediction.choice.replace("\xa0", " ")
    return float(text.removesuffix(" %")) / 100 if text.endswith("%") else float(text)


def about(n: int, noise: float, seed: int) -> str:
    """Return the settings in words for a title."""
    return f"n = {n}, judge noise {per_cent(noise)}, seed {seed}"


def places(
    page: Page, run: Rejection, rule: str, noise: float, told: Sequence[bool]
) -> dict[str, Any]:
    """Return the HTML of every place of lesson 7 that follows the controls.

    Args:
        page: The page, whose moved settings name the cause.
        run: The twelve tasks.
        rule: The rule whose picks are ringed.
        noise: Spread of the judge's error.
        told: Whether each of the three questions is answered or skipped.
    """
    n, seed = run.quality.shape[1], int(page.values["seed"])
    kept = int((run.picks[rule] >= 0).sum())
    before = page.before("kept", kept)
    cause = cause_of(page.moved, page.settings)
    if told[0] and cause and before == kept:
        cause = f"{cause}; {_why_unchanged(page.moved)}"
    words = change(kept, before, cause) if told[0] else cause
    count = num("copied", kept) if told[0] else masked("copied")
    bar = (
        f'<span class="wc-kept">copies <b>{count}</b> of {len(RATES)} tasks</span>'
        f'<span class="wc-change">{words or "&nbsp;"}</span>'
    )
    return {
        "reading": bar,
        "copied_reading": _copied() if told[0] else HIDDEN,
        "picks_reading": _picks(run, rule, noise) if told[0] else HIDDEN,
        "rules_reading": _rules(n, noise, seed) if told[1] else HIDDEN,
        "reach_reading": _reach(n) if told[2] else HIDDEN,
        "ran": sft_block(printed()[0]) if told[0] and told[1] else "",
        "takeaway": TAKEAWAY if told[1] else "",
        "say": f"{kept} of {len(RATES)} tasks give a reply to copy. {words}" if told[0] else None,
    }


TAKEAWAY: Final = (
    "Told only pass or fail, that is a filter and nothing more; it takes a judge that grades to "
    "make it a choice."
)


def _why_unchanged(moved: Mapping[str, tuple[Value, Value]]) -> str:
    """Say why a move left the number of tasks as it was."""
    if set(moved) == {"rule"}:
        return "another pick, on as many tasks"
    if set(moved) == {"completions"}:
        return "the same tasks have a pass"
    return "as many tasks have a pass"


def _copied() -> str:
    """Say what the printed run's SFT and RL selections keep, and that nothing was ranked."""
    sft, rl = (one.report for one in printed())
    return (
        f"{num('sft.rows', sft['rows'])} rows − "
        f"{num('sft.not_passing', sft['row_fates']['not_passing'])} that fail − "
        f"{num('sft.same_task', sft['row_fates']['same_task'])} further passes = "
        f"{num('sft.kept', sft['kept'])}. Training by comparison keeps "
        f"{num('rl.kept', rl['kept'])} of the same rows, fails among them."
    )


def _picks(run: Rejection, rule: str, noise: float) -> str:
    """Say how good the ringed picks look and are."""
    pick = run.picks[rule]
    kept = np.flatnonzero(pick >= 0)
    if not len(kept):
        return "No task has a pass, so there is nothing to copy."
    seen, true = run.score[kept, pick[kept]].mean(), run.quality[kept, pick[kept]].mean()
    wrong = int((run.quality[kept, pick[kept]] < 0).sum())
    why = "Without judge noise a pick is as good as it looks."
    if noise:
        why = {
            "best of n": "Where a judge errs, the highest score is partly the luckiest error.",
            "random pass": "It looks at passing only, so it owes less to a lucky error.",
            "random of all": "It looks at nothing, so errors fall either way.",
        }[rule]
    return (
        f"{num('picks.wrong', wrong)} of {num('picks.kept', len(kept))} picks are wrong. On "
        f"average they look {num('picks.seen', seen, '+.2f')} and are "
        f"{num('picks.true', true, '+.2f')}. {why}"
    )


def _rules(n: int, noise: float, seed: int) -> str:
    """Compare the filter with its control, and grades with the filter."""
    (best, flat, some, any_), tasks = rules(n, noise, seed)
    return (
        f"On the {tasks:,} tasks with a pass: the filter lifts the mean from "
        f"{num('rules.all', any_.mean, '+.2f')} to {num('rules.pass', some.mean, '+.2f')}; best of "
        f"n under the same judge gives {num('rules.flat', flat.mean, '+.2f')}, the same within "
        f"± {flat.half + some.half:.2f}. Grades lift it to {num('rules.best', best.mean, '+.2f')}. "
        f"Best of {n} lies {num('rules.theory', expected_best(n, noise), '.2f')} spreads above "
        "random in theory, when all replies of one task may be picked."
    )


def _reach(n: int) -> str:
    """Say what the chance is now, and what a few more completions add."""
    here, more = float(at_least_one(ASKED, n)), float(at_least_one(ASKED, n + 1))
    return (
        f"With {n} the chance is {num('reach.now', 100 * here, '.1f')}&nbsp;%; one more adds "
        f"{num('reach.more', 100 * (more - here), '.1f')} points. Four give "
        f"{per_cent(float(at_least_one(ASKED, 4)))}, thirty "
        f"{per_cent(float(at_least_one(ASKED, 30)))}."
    )


def yuan() -> str:
    """Return the published figures as an HTML table with the gains computed."""
    heads = ("LLaMA", "given solutions", "own passes, 100 tries", "passes of several models")
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{start}</td><td>{own} ({_gain(own - start)})</td>'
        f"<td>{pooled} ({_gain(pooled - start)})</td></tr>"
        for name, start, own, pooled in YUAN
    )
    return (
        '<div class="wc-table" role="region" tabindex="0" aria-label="Published figures">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _gain(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−")
