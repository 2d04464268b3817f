"""The words of lesson 4: what removing copies does, in numbers from the core."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore import judges
from whilecore.agent import seeded_agent
from whilecore.charts import cards, twoways
from whilecore.course.bar import cause_of, reading
from whilecore.course.numbers import num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import REPEATS, SEED, Value, Whole
from whilecore.gates import RL_FATES, rl_gates
from whilecore.groups import advantages
from whilecore.readers import printed_run
from whilecore.rollouts import Rollouts
from whilecore.selection import Selection
from whilecore.simulate import simulate
from whilecore.survivors import Shift, kept_by_tries, many_seeds
from whilecore.tools import tool

TASKS: Final = 16
SEEDS: Final = 100
VARIETY: Final = Whole("variety", 0, 0, 100, 5, unit="%")
MISTAKES: Final = Whole("mistakes", 35, 0, 100, 5, unit="%")
SETTINGS: Final = (VARIETY, MISTAKES, REPEATS, SEED)
WHAT_VARIETY_DOES: Final = (
    "Variety is what a sampling temperature does. At 0 this agent, when it is right, never changes "
    "its words; at 100\u00a0% each try is worded afresh and copies all but vanish. Raise it, and "
    "the two ways of measuring meet. Its mistakes differ in words even at 0; an agent at "
    "temperature 0 would repeat those too."
)
HIDDEN: Final = "<em>Answer the question, or skip it, to see.</em>"


@tool
def _get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


def _run(variety: float, mistakes: float, repeats: int, seed: int) -> Rollouts:
    """Return graded tries of the lesson's agent."""
    agent = seeded_agent([_get_order], rate=mistakes, variety=variety)
    tries = simulate(agent, repeats=repeats, budget=TASKS * repeats, seed=seed)
    return tries.grade(judges.answer_key)


@lru_cache(maxsize=256)
def by_tries(variety: int, mistakes: int, seed: int) -> Mapping[str, npt.NDArray[np.int64]]:
    """Return the rows kept at ``twoways.TRIES`` by both ways of measuring: a pure function.

    Args:
        variety: In per cent.
        mistakes: In per cent.
        seed: Whole number of at least 0.
    """
    most = _run(variety / 100, mistakes / 100, max(twoways.TRIES), seed)
    return kept_by_tries(most, twoways.TRIES)


def what_goes() -> list[Option]:
    """Return what the copies of the first run are, and two beliefs."""
    passes, fails = cards.copies(_start())
    assert passes > 9 * fails, "the question's answer is passes by computation"
    return [
        Option(
            "passes",
            f"Nearly all: {passes} of {passes + fails} here. When this agent is right it says so "
            "in the same words each time; it has many ways to go wrong.",
            right=True,
        ),
        Option(
            "fails",
            "The gate compares words, not verdicts, and this agent seldom goes wrong twice in the "
            "same words.",
            "a filter takes the bad rows",
        ),
        Option(
            "both, about evenly",
            "Being alike and being right go together: there are fewer ways to be right.",
            "a copy has nothing to do with the verdict",
        ),
    ]


def what_follows() -> list[Option]:
    """Return what the rows kept do from 4 to 32 tries, measured on survivors, and two beliefs."""
    kept = by_tries(VARIETY.default, MISTAKES.default, SEED.default)["surviving"]
    few, many = int(kept[twoways.TRIES.index(4)]), int(kept[-1])
    assert many < few, "the question's answer is fewer by computation"
    return [
        Option(
            "more",
            "Eight times the tries, and more distinct fails. But every pass is the same text, so "
            "one pass is left among them and the task looks too hard.",
            "more tries mean more rows",
        ),
        Option(
            "about as many",
            "The gates do not cancel: each further try adds a copy of the pass or a new fail.",
            "copies balance the tries",
        ),
        Option(
            "fewer",
            f"From {few} to {many}. The one pass left stands beside ever more distinct fails; its "
            "task falls out of the band.",
            right=True,
        ),
    ]


@lru_cache(maxsize=1)
def _start() -> Selection:
    """Return the RL selection at the start settings: a pure function."""
    scored = _run(VARIETY.default / 100, MISTAKES.default / 100, REPEATS.default, SEED.default)
    return scored.select(mode="rl")


def answer(prediction: Prediction, page: Page, *names: str) -> str:
    """Return the learner's answer while the named settings are those of the question."""
    at_start = all(page.values[name] == page.settings[name].default for name in names)
    return prediction.choice if prediction.state == "answered" and at_start else ""


def pushes() -> str:
    """Return the worked case as a table: two tasks that differ until their copies are removed."""
    cases = (
        ("three equal passes", [1, 1, 1, 0], "{0} each, {1}"),
        ("three equal fails", [1, 0, 0, 0], "{0}, {1} each"),
        ("either, copies removed", [1, 0], "{0}, {1}"),
    )
    rows = []
    for name, rewards, words in cases:
        marks = "".join("●" if one else "■" for one in rewards)
        push = advantages(rewards)
        ends = [f"{value:+.2f}".replace("-", "−") for value in (push[0], push[-1])]
        told = f"passes: {sum(rewards)}, fails: {rewards.count(0)}"
        rows.append(
            f'<tr><th scope="row">{name}</th><td><span aria-hidden="true">{marks}</span>'
            f'<span class="wc-sr">{told}</span></td><td>{100 * np.mean(rewards):.0f}\u00a0%</td>'
            f"<td>{words.format(*ends)}</td></tr>"
        )
    return (
        '<div class="wc-table"><table><thead><tr><th scope="col">task</th>'
        '<th scope="col">tries</th><th scope="col">pass rate</th><th scope="col">pushes</th></tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def places(
    page: Page, rl: Selection, other: Selection, moved: Shift, seen: bool, measured: bool
) -> dict[str, Any]:
    """Return the HTML of every place of lesson 4 that follows the controls.

    Args:
        page: The page.
        rl: The selection with the band measured on all scored tries.
        other: The selection with the band measured on what survives.
        moved: The tasks' rates before and after.
        seen: Whether the first question was answered.
        measured: Whether the second was.
    """
    kept, rows = rl.report["kept"], rl.report["rows"]
    before = page.before("kept", (kept, rows))
    cause = cause_of(page.moved, page.settings)
    if seen and cause and before == (kept, rows):
        cause = f"{cause}; {why_unchanged(page.moved)}"
    return {
        "reading": reading("rl.kept", kept if seen else None, rows, before[0], cause),
        "cards_reading": _copies(rl) if seen else HIDDEN,
        "printed": _printed() if seen else "",
        "variety": WHAT_VARIETY_DOES if seen else HIDDEN,
        "slopes_reading": _slopes(moved) if measured else HIDDEN,
        "two_ways": _two_ways(rl, other) if measured else HIDDEN,
        "seeds": _seeds() if measured and seen else "",
        "say": f"kept {kept} of {rows} rows. {cause}".strip() if seen else None,
    }


def why_unchanged(moved: Mapping[str, tuple[Value, Value]]) -> str:
    """Say why a move changed no count."""
    if "variety" in moved:
        return "other words, but as many copies where it counts"
    return "other tries, the same count"


def _copies(rl: Selection) -> str:
    """Say what the copies gate takes."""
    passes, fails = cards.copies(rl)
    total, rows = passes + fails, rl.report["rows"]
    if not total:
        return f"None of the {num('rl.rows', rows)} tries repeats an earlier one of its task."
    fate = rl.report["row_fates"]
    return (
        f"{num('rl.row_fates.duplicate', fate['duplicate'])} of {num('rl.rows', rows)} tries are "
        f"copies; {num('copies.passes', passes)} of them pass and {num('copies.fails', fails)} "
        f"fail. {num('rl.row_fates.leak', fate['leak'])} tries that recite the answer key leave "
        "before."
    )


def _slopes(moved: Shift) -> str:
    """Say how the rates shift and which way tasks cross."""
    both = (moved.rows_before > 0) & (moved.rows_after > 0)
    if not both.any():
        return "No task has a try left."
    before, after = moved.before[both].mean(), moved.after[both].mean()
    crossed, entered = int(moved.crossed.sum()), int(moved.entered.sum())
    return (
        f"Over tasks, the mean rate goes from {num('rate.before', 100 * before, '.0f')} to "
        f"{num('rate.after', 100 * after, '.0f')}\u00a0% when the copies leave. "
        f"{num('crossed', crossed)} of {len(moved.labels)} tasks cross an edge of the band: "
        f"{num('crossed.out', crossed - entered)} fall out of it, "
        f"{num('crossed.in', entered)} come in."
    )


def _two_ways(rl: Selection, other: Selection) -> str:
    """Return both ways of measuring side by side, on the same rows, as a table."""
    rows = []
    for key, name, one in (
        ("scored", "all scored tries", rl),
        ("surviving", "what survives", other),
    ):
        found = one.report
        cells = (
            ("too_hard_groups", found["too_hard_groups"]),
            ("too_easy_groups", found["too_easy_groups"]),
            ("groups_kept", found["groups_kept"]),
            ("kept", found["kept"]),
        )
        inside = "".join(f"<td>{num(f'{key}.{label}', value)}</td>" for label, value in cells)
        rows.append(f'<tr><th scope="row">{name}</th>{inside}</tr>')
    heads = "".join(
        f'<th scope="col">{text}</th>'
        for text in ("band on", "too hard", "too easy", "tasks kept", "rows kept")
    )
    return (
        f'<div class="wc-table"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


@lru_cache(maxsize=1)
def _printed() -> str:
    """Say what the copies of the course page's rows are: a pure function."""
    passes, fails = cards.copies(printed_run().select(mode="rl"))
    return (
        f"Among the course page's own 64 rows, {num('page.copies_passing', passes)} of "
        f"{num('page.copies', passes + fails)} copies pass."
    )


@lru_cache(maxsize=1)
def hundred() -> Mapping[str, Any]:
    """Return what 100 seeds do at the start settings: a pure function, computed once.

    Returns:
        ``copies`` and ``passing``, sums over seeds at 4 tries; ``scored`` and ``surviving``, rows
        kept at 4 and at 32 tries, shape (100, 2).
    """
    agent = seeded_agent([_get_order], rate=MISTAKES.default / 100, variety=VARIETY.default / 100)
    whole = many_seeds(agent, SEEDS, TASKS, 32)
    few = whole.take(np.flatnonzero(whole.table["rollout"] < REPEATS.default))
    kept, copy = RL_FATES.index("kept"), RL_FATES.index("duplicate")
    out: dict[str, Any] = {}
    for how in ("scored", "surviving"):
        columns = []
        for part in (few, whole):
            fate = rl_gates(part, measure_on=how).fate
            owner = part.task_codes[fate == kept] // TASKS
            columns.append(np.bincount(owner, minlength=SEEDS))
        out[how] = np.stack(columns, axis=1)
    gone = rl_gates(few).fate == copy
    out["copies"], out["passing"] = int(gone.sum()), int((gone & (few.reward == 1)).sum())
    return out


def _seeds() -> str:
    """Say what holds over 100 seeds."""
    found = hundred()
    share = found["passing"] / found["copies"]
    (few, many), (few_left, many_left) = (
        np.median(found[how], axis=0) for how in ("scored", "surviving")
    )
    shrank = int((found["surviving"][:, 1] < found["surviving"][:, 0]).sum())
    return (
        f"Over {SEEDS} seeds at the start settings, {num('seeds.passing', 100 * share, '.0f')}"
        f"\u00a0% of the copies pass. From 4 to 32 tries the median of the rows kept goes from "
        f"{num('seeds.scored.4', few, 'g')} to {num('seeds.scored.32', many, 'g')} on all scored "
        f"tries and from {num('seeds.surviving.4', few_left, 'g')} to "
        f"{num('seeds.surviving.32', many_left, 'g')} on what survives, where it shrinks in "
        f"{num('seeds.shrank', shrank)} of {SEEDS} runs."
    )


def silent() -> dict[str, int]:
    """Return the fates of 16 tasks at four tries without variety and without mistakes."""
    fates: dict[str, int] = _run(0.0, 0.0, 4, 0).select(mode="rl").report["row_fates"]
    return fates


def same_kept(now: Mapping[str, Value]) -> bool:
    """Tell whether both ways of measuring keep as many rows, and some, at the page's settings."""
    scored = _run(
        int(now["variety"]) / 100, int(now["mistakes"]) / 100, int(now["repeats"]), int(now["seed"])
    )
    kept = [
        scored.select(mode="rl", measure_on=how).report["kept"] for how in ("scored", "surviving")
    ]
    return bool(kept[0] == kept[1] > 0)


@lru_cache(maxsize=1)
def agreeing() -> list[int]:
    """Return the varieties at which both ways keep the same rows at 32 tries: a pure function."""
    start = {"mistakes": MISTAKES.default, "repeats": 32, "seed": SEED.default}
    return [variety for variety in range(0, 101, 5) if same_kept({"variety": variety, **start})]
