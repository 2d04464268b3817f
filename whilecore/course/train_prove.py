"""The words of lesson 9: which tasks to train on, and whether the held-out score moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore.charts.leads import POOLS as LEADING
from whilecore.charts.leads import Lead
from whilecore.compare import Comparison, compare
from whilecore.course.bar import cause_of
from whilecore.course.numbers import masked, num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import SEED, Choice, Value, Whole
from whilecore.curves import Training
from whilecore.overlap import Overlap, overlap
from whilecore.policy import true_rates
from whilecore.pools import POOLS
from whilecore.power import noise_floor, smallest_gain, tasks_needed
from whilecore.rollouts import Rollouts
from whilecore.student_t import t_quantile
from whilecore.training import Plan, train
from whilecore.world import World, draw_world

WORLDS: Final = 20
TRIES: Final = 4
REPETITIONS: Final = 10
GAIN, BASE = 0.10, 0.6

POOL: Final = Choice("pool", "all", {one: one for one in POOLS})
MATCH: Final = Choice("match", "no", {"no": "the same", "every step": "matched"}, label="step size")
BY: Final = Choice(
    "by", "steps", {"steps": "training steps", "rollouts": "all rollouts"}, label="count in"
)
SKILL: Final = Choice(
    "skill", "half", {"half": "general and per topic", "one": "one skill"}, label="what is learned"
)
STOP: Final = Whole("stop", 5, 5, 60, 5, label="train for, steps")
HELD: Final = Whole("held", 64, 8, 64, 8, label="held-out tasks")
LEAK: Final = Choice(
    "leak",
    "none",
    {
        "none": "no task",
        "task": "one, as it is",
        "text": "one, under another name",
        "near": "one, a word changed",
        "paraphrase": "one, in other words",
    },
    label="leaked into the held-out set",
)
SETTINGS: Final = (POOL, MATCH, BY, SKILL, STOP, HELD, LEAK, SEED)
SLOWER: Final = 0.2
HIDDEN: Final = "<em>Answer or skip this section's question to see.</em>"
LANES: Final = {
    "same step size, same steps": ("no", "half", False),
    "same step size, same rollouts": ("no", "half", True),
    "step matched, same steps": ("every step", "half", False),
    "one skill, step matched": ("every step", "one", False),
}

Floats = npt.NDArray[np.float64]


@lru_cache(maxsize=4)
def world(skill: str, memorised: float = 0.0, leaked: int = 0) -> World:
    """Return 20 worlds, one for each run; a pure function."""
    drawn = draw_world(worlds=WORLDS, transfer=1.0 if skill == "one" else 0.5, memorised=memorised)
    return drawn.leaked(leaked) if leaked else drawn


@lru_cache(maxsize=32)
def trained(pool: str, match: str, skill: str, seed: int) -> Training:
    """Return 20 sampled runs, one in each world; a pure function."""
    return train(world(skill), Plan(pool=pool, match=match, runs=WORLDS, seed=seed))


@lru_cache(maxsize=16)
def expected(pool: str, match: str, skill: str) -> Training:
    """Return the same with every group replaced by its expectation; a pure function."""
    return train(world(skill), Plan(pool=pool, match=match, runs=WORLDS, sampled=False))


@lru_cache(maxsize=1)
def slower_ends() -> dict[str, float]:
    """Return where each pool ends, as expected, with steps of size ``SLOWER``."""
    plans = {pool: Plan(pool=pool, runs=WORLDS, step_size=SLOWER, sampled=False) for pool in POOLS}
    return {
        pool: float(train(world("half"), plan).held_out[:, -1].mean())
        for pool, plan in plans.items()
    }


def all_expected(match: str, skill: str) -> dict[str, Training]:
    """Return the expected training of every pool."""
    return {pool: expected(pool, match, skill) for pool in POOLS}


@lru_cache(maxsize=1)
def prepare() -> None:
    """Make what no seed changes, once for all visitors, so that no slider waits for it."""
    for match in MATCH.choices:
        for skill in SKILL.choices:
            all_expected(match, skill)
    for leak in LEAK.choices:
        found(leak)
    leads()
    slower_ends()


def some(run: Rollouts, tasks: int) -> Rollouts:
    """Return the rollouts of some tasks, taken evenly from the topics in turn.

    Args:
        run: Rollouts of the 64 held-out tasks, eight of each of eight topics in order.
        tasks: How many to keep, a multiple of 8.
    """
    there = _some(tasks)
    if there.all():
        return run
    keep = there[run.task_codes]
    return Rollouts.trusted(
        {name: run.table[name][keep] for name in run.table.names},
        task_codes=(np.cumsum(there) - 1)[run.task_codes[keep]],
        task_labels=run.task_labels[there],
    )


def _some(tasks: int) -> npt.NDArray[np.bool_]:
    """Tell which of the 64 held-out tasks are kept."""
    return np.arange(64) % 8 < tasks // 8


@lru_cache(maxsize=16)
def repeated(skill: str, seed: int) -> Floats:
    """Return ten evaluations of the untrained policy, shape (repetitions, tasks)."""
    run = train(world(skill), Plan(runs=WORLDS, steps=1, seed=seed))
    return run.pass_rates(0, 0, tries=TRIES, draws=range(1, REPETITIONS + 1))


def floor(skill: str, seed: int, tasks: int) -> float:
    """Return the noise floor of ten evaluations of the untrained policy; a pure function."""
    scores = repeated(skill, seed)[:, _some(tasks)].mean(1)
    return noise_floor(scores.tolist())


@lru_cache(maxsize=4)
def leads(seed: int = 0) -> dict[str, dict[str, Lead]]:
    """Return each pool's lead over *all* under each way of comparing; a pure function."""
    return {
        words: {pool: _lead(pool, match, skill, seed, fair) for pool in LEADING}
        for words, (match, skill, fair) in LANES.items()
    }


def _lead(pool: str, match: str, skill: str, seed: int, same_rollouts: bool) -> Lead:
    """Return the mean paired difference from *all* over the worlds, with its 95 % interval."""
    base, run = (trained(one, match, skill, seed) for one in ("all", pool))
    last = np.full(WORLDS, run.plan.steps)
    if same_rollouts:  # the last step that *all*'s rollouts pay for
        last = (run.rollouts <= base.rollouts[:, -1:]).sum(1) - 1
    gap = run.held_out[np.arange(WORLDS), last] - base.held_out[:, -1]
    half = t_quantile(0.975, WORLDS - 1) * float(gap.std(ddof=1)) / WORLDS**0.5
    return float(gap.mean()), float(gap.mean()) - half, float(gap.mean()) + half


def highest() -> list[Option]:
    """Return the answers to "same step size: which pool ends highest"."""
    ends = {
        pool: float(run.held_out[:, -1].mean()) for pool, run in all_expected("no", "half").items()
    }
    best = max(ends, key=lambda pool: ends[pool])
    whys = {
        "all": ("More and more of its groups agree, and those teach nothing.",
                "More tasks teach more."),
        "middle once": ("What was in the middle at the start is easy later.",
                        "Measured once is measured."),
        "middle re-measured": ("New tasks come into the middle as old ones leave it.", ""),
        "oracle": ("It stops: once no task is between 20 and 80 %, it trains on nothing. Coarser "
                   "measurement lets some tasks through.", "Knowing more is always better."),
    }  # fmt: skip
    return [
        Option(pool, f"{whys[pool][0]} It ends at {end:.3f}.",
               "" if pool == best else whys[pool][1], right=pool == best)
        for pool, end in ends.items()
    ]  # fmt: skip


def left() -> list[Option]:
    """Return the answers to "how much of the lead is left with matched steps"."""
    before = _expected_lead("middle re-measured", "no")
    after = _expected_lead("middle re-measured", "every step")
    share = after / before
    said = f"{before:+.3f} becomes {after:+.3f}."
    return [
        Option("all of it", f"{said} Larger pushes were most of the difference.",
               "Better tasks are better at any speed."),
        Option("about half", f"{said} Little of it was about which tasks.",
               "Some of it must be choice."),
        Option("next to nothing", f"{said} A middle task pushes harder, so the run was faster.",
               right=abs(share) < 0.15),
        Option("it turns into a loss", f"{said} The choice neither helps nor harms much here.",
               "Leaving tasks out must cost something."),
    ]  # fmt: skip


def left_said(prediction: Prediction) -> float | None:
    """Return the lead the learner's answer stands for; None without an answer."""
    lead = _expected_lead("middle re-measured", "no")
    shares = {"all of it": 1.0, "about half": 0.5, "next to nothing": 0.0,
              "it turns into a loss": -0.4}  # fmt: skip
    share = shares.get(prediction.choice)
    return None if share is None else share * lead


def _expected_lead(pool: str, match: str) -> float:
    ends = [expected(one, match, "half").held_out[:, -1].mean() for one in (pool, "all")]
    return float(ends[0] - ends[1])


def half_the_gain() -> list[Option]:
    """Return the answers to "how many tasks for half the gain"."""
    now, half = tasks_needed(GAIN, BASE, TRIES), tasks_needed(GAIN / 2, BASE, TRIES)
    return [
        Option(str(round(now / 2)), "A smaller change is harder to see, not easier.",
               "Half the gain, half the tasks."),
        Option(str(now), "The error of the mean does not shrink with the gain.",
               "The number of tasks fixes the power."),
        Option(str(2 * now), "The error falls with the root of the number of tasks.",
               "Half the gain, twice the tasks."),
        Option(str(half), "Half the gain needs half the error, and that four times the tasks (a "
               "little more: the rate after is nearer to a half).", right=True),
    ]  # fmt: skip


def true_change(before: Rollouts, after: Rollouts) -> float:
    """Return the true change of the mean on the tasks of two evaluations."""
    one, two = (run.table.floats("true_pass_rate") for run in (before, after))
    return float(two.mean() - one.mean())


@lru_cache(maxsize=8)
def found(leak: str) -> Overlap:
    """Return what `overlap` finds after one training task was put among the held-out ones."""
    run = trained("all", "no", "half", 0)
    pool, held = (run.evaluate(0, 0, tries=1, tasks=one).frame for one in ("pool", "held_out"))
    held = held[["task", "prompt"]].copy()
    if leak != "none":
        held.loc[0, ["task", "prompt"]] = disguised(leak, *pool.loc[0, ["task", "prompt"]])
    train_on = Rollouts.from_frame(pd.DataFrame(pool[["task", "prompt"]]))
    return overlap(train_on, Rollouts.from_frame(held))


def disguised(leak: str, task: str, prompt: str) -> tuple[str, str]:
    """Return name and text under which a training task appears among the held-out ones."""
    if leak == "task":
        return task, prompt
    texts = {
        "text": prompt,
        "near": prompt.replace("give the answer", "write the answer"),
        "paraphrase": "Please solve problem A1 from the first topic and tell me the result.",
    }
    return "X-01", texts[leak]


@lru_cache(maxsize=1)
def leaked_rates() -> tuple[float, float, float, float]:
    """Return what memory does to leaked tasks: rate on them, on the rest, score, clean score."""
    run = train(world("half", 0.3, 8), Plan(runs=WORLDS, sampled=False))
    clean = train(world("half", 0.3), Plan(runs=WORLDS, sampled=False))
    rates = true_rates(run.world, run.path.at(run.plan.steps), run.world.held_out)
    there = run.world.held_out.trained >= 0
    return (
        float(rates[:, there].mean()),
        float(rates[:, ~there].mean()),
        float(run.held_out[:, -1].mean()),
        float(clean.held_out[:, -1].mean()),
    )


def fewest_held(gain: float) -> int:
    """Return the smallest setting of the held-out tasks that shows a gain from ``BASE``.

    >>> fewest_held(0.2)
    24
    """
    needed = tasks_needed(gain, BASE, TRIES)
    return next(one for one in range(HELD.low, HELD.high + 1, HELD.step) if one >= needed)


def is_unshown(now: Mapping[str, Value]) -> bool:
    """Return whether the settings show a true gain of five points or more as not shown."""
    run = trained(str(now["pool"]), str(now["match"]), str(now["skill"]), int(now["seed"]))
    before, after = evaluated(run, int(now["stop"]), int(now["held"]))
    return true_change(before, after) >= 0.05 and compare(before, after).verdict.startswith("not")


def evaluated(run: Training, stop: int, held: int) -> tuple[Rollouts, Rollouts]:
    """Return the first run's evaluation before training and after some steps, on some tasks."""
    before, after = (run.evaluate(step, 0, tries=TRIES) for step in (0, stop))
    return some(before, held), some(after, held)


def places(
    page: Page,
    run: Training,
    shown: Comparison,
    true: float,
    told: Sequence[bool],
    said: str = "",
) -> dict[str, Any]:
    """Return the HTML of every place of lesson 9 that follows the controls.

    Args:
        page: The page, whose moved settings name the cause.
        run: The sampled runs of the chosen pool.
        shown: The paired comparison.
        true: The true change on the tasks compared.
        told: Whether the curves, the matched comparison and the third question may be shown.
        said: What the learner answered to the third question.
    """
    now = page.values
    open_ = told[1] if now["match"] != "no" else told[0]
    end = round(100 * float(run.held_out[:, -1].mean()), 1)
    before = page.before("end", end)
    cause = cause_of(page.moved, page.settings)
    if open_ and cause and before == end:
        cause = f"no change: {cause}; {_why_unchanged(page.moved)}"
    elif open_ and cause:
        cause = f"{'+' if end > before else '−'}{abs(end - before):.1f}: {cause}"
    count = num("end", end, ".1f") if open_ else masked("end")
    return {
        "reading": f'<span class="wc-kept">ends <b>{count}</b>&nbsp;% right</span>'
        f'<span class="wc-change">{cause or "&nbsp;"}</span>',
        "curves_reading": _curves(run) if open_ else HIDDEN,
        "leads_reading": _leads() if told[1] else HIDDEN,
        "proof_reading": _proof(shown, true),
        "needed_reading": _needed(int(now["held"]), said) if told[2] else HIDDEN,
        "overlap": '<pre class="wc-block" style="min-height: 4.5em; white-space: pre-wrap">'
        f"{escape(str(found(str(now['leak']))))}</pre>",
        "leak_reading": _leak(str(now["leak"])),
        "takeaway": "Then match the step size before you praise the choice." if told[1] else "",
        "slower": _slower() if told[0] else "",
        "say": f"The runs end at {end} per cent. {shown.verdict}." if open_ else shown.verdict,
    }


def _slower() -> str:
    """Say how the pools end with smaller steps."""
    ends = ", ".join(f"{end:.3f} ({pool})" for pool, end in slower_ends().items())
    return (
        "The order of the pools belongs to the step size: with "
        f"{SLOWER} in place of {Plan().step_size} the same steps end at {ends}."
    )


def _why_unchanged(moved: Mapping[str, tuple[Value, Value]]) -> str:
    """Say why a move left the end of the runs as it was."""
    if set(moved) <= {"stop", "held", "leak"}:
        return "it acts on the pictures further down"
    if set(moved) == {"by"}:
        return "the same runs, drawn along another axis"
    if set(moved) == {"match"}:
        return "“all” is what the others are matched to"
    return "the difference is under a tenth of a point"


def _curves(run: Training) -> str:
    """Say what the chosen pool's runs did, what was silent, and what it cost."""
    mean, low, high = run.end
    drew = np.isfinite(run.silent[:, -1])
    silent = (
        f"{100 * float(run.silent[drew, -1].mean()):.0f}&nbsp;%" if drew.any() else "none drawn"
    )
    spent, screening = run.rollouts[:, -1].mean(), run.screening.sum() / len(run.screening)
    stood = float((run.open == 0).mean())
    still = (
        f" In {100 * stood:.0f}&nbsp;% of its steps it had no task to train on." if stood else ""
    )
    return (
        f"“{run.plan.pool}”: {run.held_out[:, 0].mean():.3f} to {num('end.mean', mean, '.3f')} "
        f"[{low:.3f}..{high:.3f}] over {len(run.held_out)} worlds. Silent groups in the last step: "
        f"{silent}. Rollouts: {num('rollouts', spent, ',.0f')}, {screening:,.0f} of them to "
        f"measure.{still}"
    )


def _leads() -> str:
    """Say which leads over *all* are left."""
    of = leads()
    said = {words: of[words]["middle re-measured"] for words in LANES}
    same, fair, matched, one = (
        f"{lead[0]:+.3f} ± {lead[2] - lead[0]:.3f}" for lead in said.values()
    )
    once = of["step matched, same steps"]["middle once"]
    alone = of["one skill, step matched"]["middle once"][0]
    return (
        f"“Middle re-measured” leads by {same} at the same step size. Count its rollouts too: "
        f"{fair}. Match the steps: {matched}. With one skill for every topic: {one}. “Middle once” "
        f"trails even when matched, by {-once[0]:.3f} ± {once[2] - once[0]:.3f}; with one skill by "
        f"{abs(alone):.3f}: it leaves topics behind."
    )


def _proof(shown: Comparison, true: float) -> str:
    """Say what the comparison shows, and what is true."""
    what = f"The interval {'touches' if shown.verdict.startswith('not') else 'leaves out'} 0"
    tail = ""
    if shown.verdict.startswith("not") and shown.smallest_change > 1:
        tail = " So few tasks would show no change four times in five, however large."
    elif shown.verdict.startswith("not"):
        tail = (
            f" The smallest change so many tasks would show four times in five: "
            f"{num('proof.smallest', shown.smallest_change, '.3f')}."
        )
    return (
        f"{what}: <b>{shown.verdict}</b>. The true change on these tasks is "
        f"{num('proof.true', true, '+.3f')}; measured {num('proof.change', shown.change, '+.3f')}."
        f"{tail}"
    )


def _needed(held: int, said: str) -> str:
    """Say how many tasks some gains need, and what these tasks can show."""
    sizes = ", ".join(
        f"{tasks_needed(gain, BASE, TRIES):,} for +{gain:.2f}" for gain in (0.2, 0.1, 0.05, 0.02)
    )
    mine = ""
    if said:
        mine = f" The {said} tasks you said show +{smallest_gain(int(said), BASE, TRIES):.3f}."
    return (
        f"From {BASE} at {TRIES} tries each, if tasks are alike: {sizes}. The {held} tasks "
        f"set on the left show +{smallest_gain(held, BASE, TRIES):.3f} or more.{mine}"
    )


def _leak(leak: str) -> str:
    """Say what became of the leaked task."""
    pairs = found(leak).pairs
    if leak == "none":
        return "Nothing was leaked, and nothing is found."
    if not pairs:
        return "Not found. Other words for the same question pass every check of names and texts."
    return f"Found, as “{pairs[0].kind}”. Leave it out of the score, or out of training."
