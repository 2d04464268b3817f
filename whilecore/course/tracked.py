"""The words of lesson 5: what the reward tracks, in numbers from the core."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import judges, reward_scan, simpson
from whilecore.agent import seeded_agent
from whilecore.charts.bench import Bench
from whilecore.charts.claims import Claim
from whilecore.course.bar import cause_of, reading
from whilecore.course.numbers import num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import JUDGE, SEED, Choice, Value, Whole
from whilecore.gates import RL_FATES, SFT_FATES, rl_gates, sft_gates
from whilecore.reward_scan import SCANNED, RewardScan, Shuffles, label, scan
from whilecore.rollouts import Rollouts
from whilecore.selection import Selection
from whilecore.simulate import simulate
from whilecore.tools import tool

Ints = npt.NDArray[np.int64]

TASKS: Final = 16
SEEDS: Final = 100
REPEATS: Final = Whole("repeats", 8, 2, 32)
JUDGE_SHARE: Final = Whole("judge_share", 0, 0, 100, label="by length", unit="%")
FEATURE: Final = Choice(
    "feature", "reply_chars", {name: label(name) for name in SCANNED if name != "refusal"}
)
ROWS: Final = Choice(
    "rows",
    "agent",
    {
        "agent": "the agent's kept rows",
        "hard": "hard tasks, long replies",
        "figures": "figures of another run",
    },
)
SHUFFLES: Final = Whole("shuffles", 0, 0, reward_scan.SHUFFLES)
SETTINGS: Final = (JUDGE, JUDGE_SHARE, REPEATS, FEATURE, ROWS, SHUFFLES, SEED)
HIDDEN: Final = "<em>Answer the question, or skip it, to see.</em>"


@tool
def _get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


@lru_cache(maxsize=64)
def _tries(repeats: int, seed: int) -> Rollouts:
    """Return the lesson's run before any judge: a pure function; nobody changes what it returns."""
    agent = seeded_agent([_get_order])
    return simulate(agent, repeats=repeats, budget=TASKS * repeats, seed=seed)


# --- The questions ------------------------------------------------------------------------------


def coin_options() -> list[Option]:
    """Return what a coin leaves of the first run, and three beliefs."""
    coin = _coin()
    assert not coin.flagged, "the question's answer has no warning by computation"
    return [
        Option(
            "0 rows, no warning",
            "A coin gives both verdicts to the tries of nearly every task. Contrast is all that RL "
            "asks for.",
            "noise has no contrast",
        ),
        Option(
            f"{coin.kept} rows, no warning",
            "To the gates noise looks like contrast, and no feature's correlation clears the "
            "noise floor.",
            right=True,
        ),
        Option(
            f"{coin.kept} rows, a warning",
            "The warning is for a reward that follows a feature. A coin follows nothing: it clears "
            "the floor by luck alone, in at most about one run of twenty, and not in this one.",
            "a bad judge gets caught",
        ),
        Option(
            f"{coin.rows} rows, a warning",
            "The copies go all the same, and so do tasks outside the band.",
            "a coin makes every row count",
        ),
    ]


def coin_answer(prediction: Prediction, page: Page) -> tuple[str, int, bool] | None:
    """Return the learner's answer about the coin while the run is the one asked about."""
    at_start = all(page.values[one.name] == one.default for one in (REPEATS, SEED))
    if prediction.state != "answered" or not at_start:
        return None
    rows, _, warning = prediction.choice.partition(" rows, ")
    return JUDGE.choices["coin"], int(rows), warning == "a warning"


@lru_cache(maxsize=1)
def printed_three() -> tuple[Claim, ...]:
    """Return three correlations from runs of seed 0, the smallest of which clears: a pure function.

    Hedging under the answer key at 4 tries; sycophancy under a coin at 4 tries; reply length at 16
    tries under a key that leaves 85 % of its verdicts to the length.
    """
    mostly_long = judges.blend(judges.answer_key, judges.long_reply, 0.85, seed=0)
    cases: tuple[tuple[str, int, Any], ...] = (
        ("hedging", 4, judges.answer_key),
        ("sycophancy", 4, judges.coin),
        ("reply_chars", 16, mostly_long),
    )
    claims = []
    for feature, repeats, judge in cases:
        scored = _tries(repeats, 0).grade(judge, seed=0)
        one = scored.select(mode="rl").report["correlations"][feature]
        claims.append(Claim(label(feature), one["rows"], one["within"], one["floor"]))
    return tuple(claims)


def claim_options() -> list[Option]:
    """Return which of the three clears its floor, and two beliefs."""
    hedging, sycophancy, length = printed_three()
    assert (hedging.clears, sycophancy.clears, length.clears) == (False, False, True)
    return [
        Option(
            hedging.label,
            f"The largest of the three. But 95 of 100 shuffles of its {hedging.rows} rows reach up "
            f"to {hedging.floor:.2f} with one feature or another.",
            "the largest is the real one",
        ),
        Option(
            sycophancy.label,
            f"It comes from a coin. On {sycophancy.rows} rows shuffles reach "
            f"{sycophancy.floor:.2f}.",
            "a half is far from nothing",
        ),
        Option(
            length.label,
            f"The smallest of the three, but on {length.rows} rows shuffles reach only "
            f"{length.floor:.2f}.",
            right=True,
        ),
    ]


# --- The rows the pictures show -----------------------------------------------------------------


def rows_of(source: str, rl: Selection, seed: int) -> tuple[Rollouts, Ints, RewardScan | None]:
    """Return the rollouts and the rows that the scatter pictures show, and their scan.

    Args:
        source: A value of ``ROWS``.
        rl: The RL selection of the agent's rows; its report holds their scan already.
        seed: For the preset and for the shuffles.
    """
    if source == "agent":
        return rl.source, rl.kept, None
    rollouts = simpson.hard_tasks(seed) if source == "hard" else simpson.figures()
    rows = np.arange(len(rollouts))
    return rollouts, rows, scan(rollouts, rows, seed=seed)


def feature_of(rollouts: Rollouts, feature: str) -> str:
    """Return the feature where the rows have it, and the reply length where they do not."""
    return feature if feature in rollouts.table else "reply_chars"


# --- The judges side by side --------------------------------------------------------------------


@lru_cache(maxsize=64)
def side_by_side(repeats: int, seed: int) -> tuple[Bench, ...]:
    """Return what each built-in judge does to the run: a pure function."""
    return tuple(
        bench(words, judges.named(name), repeats, seed) for name, words in JUDGE.choices.items()
    )


def bench(words: str, judge: Any, repeats: int, seed: int) -> Bench:
    """Judge the run and say what comes of it."""
    tries = _tries(repeats, seed)
    scored = tries.grade(judge, seed=seed)
    key = tries.grade(judges.answer_key).reward
    gates = rl_gates(scored, seed=seed)
    kept = gates.fate == RL_FATES.index("kept")
    found = scan(scored, np.flatnonzero(kept & gates.first_copy), seed=seed)
    picks = sft_gates(scored, seed=seed) == SFT_FATES.index("kept")
    return Bench(
        name=words,
        agreement=float((scored.reward == key).mean()),
        rows=len(scored),
        passed=int((scored.reward == 1).sum()),
        kept=int(kept.sum()),
        flagged=tuple(label(name) for name, one in found.correlations.items() if one["clears"]),
        mistakes=int((scored.table["mistake"][picks] != "").sum()),
        picks=int(picks.sum()),
        conflicts=gates.conflicting,
        copies=int((gates.fate == RL_FATES.index("duplicate")).sum()),
    )


def _coin() -> Bench:
    """Return the coin at the start settings."""
    words = JUDGE.choices["coin"]
    return next(one for one in side_by_side(REPEATS.default, SEED.default) if one.name == words)


@lru_cache(maxsize=1)
def coin_seeds() -> dict[str, Any]:
    """Return what a coin leaves over 100 seeds, and how often a feature is flagged: pure."""
    agent = seeded_agent([_get_order])
    kept, conflicts, flagged = [], [], 0
    for seed in range(SEEDS):
        tries = simulate(agent, repeats=REPEATS.default, budget=TASKS * REPEATS.default, seed=seed)
        scored = tries.grade(judges.coin, seed=seed)
        gates = rl_gates(scored)
        rows = np.flatnonzero((gates.fate == RL_FATES.index("kept")) & gates.first_copy)
        kept.append(len(rows))
        conflicts.append(gates.conflicting)
        flagged += bool(scan(scored, rows, seed=seed).warnings)
    return {"kept": np.array(kept), "conflicts": np.array(conflicts), "flagged": flagged}


@lru_cache(maxsize=1)
def simpson_seeds() -> tuple[float, float, int]:
    """Return the preset's mean pooled and within value over 40 seeds, and how often they part."""
    found = []
    for seed in range(40):
        rollouts = simpson.hard_tasks(seed)
        one = scan(rollouts, np.arange(len(rollouts)), seed=seed).correlations["reply_chars"]
        found.append((one["pooled"], one["within"]))
    pooled, within = np.array(found).T
    return float(pooled.mean()), float(within.mean()), int(((pooled < 0) & (within > 0)).sum())


@lru_cache(maxsize=1)
def first_clear() -> int | None:
    """Return the least share, in per cent, of a coin's verdicts left to the length that shows.

    At the start settings: reply length over the noise floor. A pure function.
    """
    tries = _tries(REPEATS.default, SEED.default)
    for share in range(101):
        judge = judges.blend(judges.coin, judges.long_reply, share / 100, seed=SEED.default)
        scored = tries.grade(judge, seed=SEED.default)
        gates = rl_gates(scored)
        rows = np.flatnonzero((gates.fate == RL_FATES.index("kept")) & gates.first_copy)
        if scan(scored, rows, seed=SEED.default).correlations["reply_chars"]["clears"]:
            return share
    return None


def coin_conflicts(now: Mapping[str, Value]) -> int:
    """Return how many copies the coin judges differently from the first, in the page's run."""
    words = JUDGE.choices["coin"]
    found = side_by_side(int(now["repeats"]), int(now["seed"]))
    return next(one.conflicts for one in found if one.name == words)


# --- The worked case ----------------------------------------------------------------------------

WORKED: Final = {"easy": ((90, 0), (100, 1), (105, 1)), "hard": ((270, 0), (280, 0), (300, 1))}


def worked() -> str:
    """Return two tasks by hand as a table, with the scan's correlations under it."""
    rows = []
    for task, tries in WORKED.items():
        cells = "".join(
            f"<td>{chars} {'●' if reward else '■'}"
            f'<span class="wc-sr"> {"pass" if reward else "fail"}</span></td>'
            for chars, reward in tries
        )
        rows.append(f'<tr><th scope="row">{task} task</th>{cells}</tr>')
    one = worked_scan()
    return (
        '<div class="wc-table"><table><thead><tr><th scope="col">length of</th>'
        + "".join(f'<th scope="col">try {n}</th>' for n in (1, 2, 3))
        + f"</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"<p>Thrown together, r = {num('worked.pooled', one['pooled'], '+.2f')}. Inside the tasks, "
        f"r = {num('worked.within', one['within'], '+.2f')}.</p>"
    )


def worked_scan() -> dict[str, Any]:
    """Return what the scan says of the worked case."""
    frame = pd.DataFrame(
        [(task, reward, chars) for task, tries in WORKED.items() for chars, reward in tries],
        columns=["task", "reward", "reply_chars"],
    )
    found: dict[str, Any] = scan(Rollouts.from_frame(frame), np.arange(len(frame))).correlations[
        "reply_chars"
    ]
    return found


# --- The sentences ------------------------------------------------------------------------------


def judge_words(page: Page) -> str:
    """Return the judge at work in words; not its name where a teacher hides it."""
    share = int(page.values["judge_share"])
    if page.hides("judge"):
        words = "the hidden judge"
    else:
        words = f"the judge “{JUDGE.choices[str(page.values['judge'])]}”"
    return words if not share else f"{words}, {share} % by length"


def at_work(page: Page) -> str:
    """Return the words of the judge at work as the side-by-side picture has them, or ""."""
    return "" if page.hides("judge") else JUDGE.choices[str(page.values["judge"])]


def places(
    page: Page,
    rl: Selection,
    found: Mapping[str, Any],
    shuffled: Shuffles | None,
    seen: bool,
    measured: bool,
) -> dict[str, Any]:
    """Return the HTML of every place of lesson 5 that follows the controls.

    Args:
        page: The page.
        rl: The RL selection of the agent's rows.
        found: The chosen feature's correlations on the chosen rows.
        shuffled: Its shuffles.
        seen: Whether the first question was answered.
        measured: Whether the second was.
    """
    kept, rows = rl.report["kept"], rl.report["rows"]
    before = page.before("kept", (kept, rows))
    cause = cause_of(page.moved, page.settings)
    if seen and cause and before == (kept, rows):
        cause = f"{cause}; {why_unchanged(page.moved)}"
    covered = not seen and covers(page)
    return {
        "reading": reading("rl.kept", kept if seen else None, rows, before[0], cause),
        "tracking_reading": HIDDEN if covered else _tracks(page, rl),
        "uncover": page.uncover("judge", "Reveal the judge"),
        "panels_reading": HIDDEN if covered else _panels(page, found),
        "floor_reading": _luck(page, found, shuffled) if measured else HIDDEN,
        "six": _six(page) if seen else HIDDEN,
        "bench": _bench_table(page) if seen else "",
        "conflicts": _conflicts(page, rl) if seen else "",
        "coin_seeds": _coin_words() if seen else "",
        "say": f"kept {kept} of {rows} rows. {cause}".strip() if seen else None,
    }


def covers(page: Page) -> bool:
    """Tell whether the pictures would answer the question about the coin at these settings."""
    return page.values["judge"] == "coin" or page.hides("judge")


def why_unchanged(moved: Mapping[str, tuple[Value, Value]]) -> str:
    """Say why a move changed no count."""
    if set(moved) <= {"feature", "rows", "shuffles"}:
        return "it looks at rows and drops none"
    if "judge_share" in moved:
        return "the verdicts that changed hands left the count as it was"
    return "other verdicts, the same count"


def _tracks(page: Page, rl: Selection) -> str:
    """Say which features' correlations with the judge's reward clear the noise floor."""
    over = {name: one for name, one in rl.report["correlations"].items() if one["clears"]}
    words = judge_words(page)
    if not over:
        reason = rl.report["scanned"]["why_no_floor"]
        if reason:
            return f"Under {words}: {reason}."
        floor = num("rl.scanned.floor", rl.report["scanned"]["floor"], ".2f")
        return f"Under {words}, no feature's correlation clears the noise floor of {floor}."
    parts = ", ".join(
        f"{label(name)} ({num(f'rl.correlations.{name}.within', one['within'], '+.2f')})"
        for name, one in over.items()
    )
    floor = num("rl.scanned.floor", rl.report["scanned"]["floor"], ".2f")
    verb = "clears" if len(over) == 1 else "clear"
    return (
        f"Under {words}, {parts} {verb} the noise floor of {floor}. A reward that follows nothing "
        "does so in about one run of twenty."
    )


def _panels(page: Page, found: Mapping[str, Any]) -> str:
    """Set the pooled value beside the one inside tasks."""
    if found["within"] is None or found["pooled"] is None:
        return "On these rows the feature never varies where rewards do: no correlation is defined."
    pooled, within = num("pooled", found["pooled"], "+.2f"), num("within", found["within"], "+.2f")
    start = f"Pooled r = {pooled}, inside tasks r = {within}. "
    part = found["pooled"] * found["within"] < 0
    if page.values["rows"] != "hard":
        more, less = ("higher", "lower") if found["pooled"] > 0 else ("lower", "higher")
        apart = (
            f"The signs part: tasks with more passes have {more} values of this feature, and "
            f"inside the tasks the tries that pass have {less} ones."
        )
        return start + apart if part else start
    mean_pooled, mean_within, parted = simpson_seeds()
    return (
        f"{start}{'The signs part: h' if part else 'H'}ard tasks have long replies and few passes, "
        f"yet inside the tasks the longer replies tend to pass. Mean of 40 "
        f"seeds: {num('simpson.pooled', mean_pooled, '+.2f')} pooled, "
        f"{num('simpson.within', mean_within, '+.2f')} inside; the signs part in "
        f"{num('simpson.parted', parted)} of 40."
    )


def _luck(page: Page, found: Mapping[str, Any], shuffled: Shuffles | None) -> str:
    """Say what the shuffles drawn so far show."""
    if found["within"] is None or shuffled is None:
        return "There is no correlation here to shuffle."
    drawn = min(int(page.values["shuffles"]), len(shuffled.r))
    floor = found["floor"]
    end = (
        "These rows have too few mixed tasks for a noise floor."
        if floor is None
        else f"Over all features, 95 of 100 shuffles stay within ±{num('floor', floor, '.2f')}: "
        f"the noise floor. {num('observed', found['within'], '+.2f')} "
        f"{'clears' if found['clears'] else 'does not clear'} it."
    )
    if not drawn:
        return f"Swap the rewards inside each task and look how far r gets by luck. {end}"
    reached = int((np.abs(shuffled.r[:drawn]) >= abs(found["within"]) - 1e-12).sum())
    last = num("shuffles.last", shuffled.r[drawn - 1], "+.2f")
    return (
        f"{num('shuffles.drawn', drawn)} drawn, the last with r = {last}; "
        f"{num('shuffles.reached', reached)} reach as far as the rewards as judged. {end}"
    )


def _six(page: Page) -> str:
    """Say which judge leaves least to train on, and what shows the coin in the present run."""
    run = side_by_side(int(page.values["repeats"]), int(page.values["seed"]))
    least = min(run, key=lambda one: one.kept)
    coin = next(one for one in run if one.name == JUDGE.choices["coin"])
    scan_says = (
        f"here the scan flags it for {' and '.join(coin.flagged)}, by luck, as in about one run of "
        "twenty"
        if coin.flagged
        else "no feature clears the floor"
    )
    report = (
        f"the same reply, two rewards, {num('coin.conflicts', coin.conflicts)} times"
        if coin.conflicts
        else "the same reply with two rewards, which by luck does not occur here"
    )
    return (
        f"The judge “{least.name}” passes {num('least.passed', least.passed)} of {least.rows} "
        f"tries and leaves {num('least.kept', least.kept)} to train on. The coin leaves "
        f"{num('coin.kept', coin.kept)}; {scan_says}. What gives it away is another line of the "
        f"report: {report}."
    )


def _bench_table(page: Page) -> str:
    """Return the judges side by side as a table, the judge at work last."""
    repeats, seed = int(page.values["repeats"]), int(page.values["seed"])
    lines = [(name, one) for name, one in zip(
        JUDGE.choices, side_by_side(repeats, seed), strict=True)]  # fmt: skip
    share = int(page.values["judge_share"])
    if share or page.hides("judge"):
        judge = judges.blend(
            judges.named(str(page.values["judge"])), judges.long_reply, share / 100, seed=seed
        )
        lines.append(("now", bench(judge_words(page), judge, repeats, seed)))
    heads = ("judge", "agrees with the key", "RL rows kept", "flagged", "mistakes in SFT picks",
             "copies judged differently")  # fmt: skip
    body = "".join(_bench_row(f"judges.{name}", one) for name, one in lines)
    return (
        '<div class="wc-table" tabindex="0" role="region" aria-label="Judges side by side"><table>'
        "<thead><tr>"
        + "".join(f'<th scope="col">{head}</th>' for head in heads)
        + f"</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _bench_row(name: str, one: Bench) -> str:
    """Return one judge as a row of the table."""
    cells = (
        f"{num(f'{name}.agreement', 100 * one.agreement, '.0f')}\u00a0%",
        f"{num(f'{name}.kept', one.kept)} of {one.rows}",
        ", ".join(one.flagged) or "none",
        f"{num(f'{name}.mistakes', one.mistakes)} of {one.picks}",
        f"{num(f'{name}.conflicts', one.conflicts)} of {one.copies}",
    )
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{one.name}</th>{inside}</tr>'


def _conflicts(page: Page, rl: Selection) -> str:
    """Say what identical replies with different rewards tell."""
    found, words = rl.report, judge_words(page)
    copies = num("rl.row_fates.duplicate", found["row_fates"]["duplicate"])
    conflicts = num("rl.conflicting_rewards", found["conflicting_rewards"])
    start = (
        f"{words[0].upper()}{words[1:]} gave {conflicts} of {copies} copies another reward than "
        "the reply they repeat"
    )
    if not found["conflicting_rewards"]:
        return f"{start}, as it must be with a judge that goes by the reply."
    return f"{start}. A judge that goes by the reply alone cannot do that."


def _coin_words() -> str:
    """Say what a coin does over 100 seeds."""
    seen = coin_seeds()
    kept, conflicts = seen["kept"], seen["conflicts"]
    return (
        f"Over {SEEDS} seeds the coin leaves {num('seeds.low', int(kept.min()))} to "
        f"{num('seeds.high', int(kept.max()))} of {TASKS * REPEATS.default} rows, "
        f"{num('seeds.median', float(np.median(kept)), 'g')} at the median, and a feature is "
        f"flagged in {num('seeds.flagged', seen['flagged'])} of {SEEDS} runs. Copies judged "
        f"differently: {num('seeds.conflicts', int(conflicts.min()))} or more in every run."
    )
