"""The words of lesson 11: the account of a visitor's rows.

Names and texts come from a stranger's file: every one is escaped before it meets HTML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from typing import Any, Final

import marimo as mo

from whilecore.charts import grid, waterfall
from whilecore.course import handed_out, printed, readings
from whilecore.course.bar import cause_of, reading
from whilecore.course.numbers import num
from whilecore.course.page import Page
from whilecore.course.predict import Prediction
from whilecore.course.your_rows import SAMPLE, Given, Read, given, pass_cut, read
from whilecore.formats.wording import as_controls
from whilecore.intervals import PassAt
from whilecore.readers import SAMPLES
from whilecore.rollouts import Rollouts
from whilecore.selection import Selection
from whilecore.texts import counted as many
from whilecore.texts import noun, shown

HIDDEN: Final = "<em>Answer the question, or skip it, to see what the gates did.</em>"
NOTHING: Final = "<em>No rows yet: see what the file needs, above.</em>"


@dataclass(frozen=True)
class Account:
    """What the gates make of the rows, or why they cannot.

    Attributes:
        rl: The RL selection; of no rows where ``error``.
        sft: The SFT selection.
        measured: pass@1 and its relatives.
        error: What to change; "" where all is well.
    """

    rl: Selection
    sft: Selection
    measured: PassAt
    error: str


def account(
    found: Read, band: tuple[float, float], measure_on: str, cut: float | None, seed: int,
    wrong_cut: str = "",
) -> Account:  # fmt: skip
    """Select from what was read; rewards without a pass cut become a sentence.

    Args:
        found: From ``read``.
        band: Pass rates (low, high).
        measure_on: "scored" or "surviving".
        cut: Smallest reward that passes; None for the core's own.
        seed: For every draw.
        wrong_cut: What is wrong with what was typed as a cut.
    """
    rows, error = found.rollouts, found.error or wrong_cut
    sft: dict[str, Any] = {} if cut is None else {"min_reward": cut}
    if not error:
        try:
            return Account(
                rows.select("rl", band=band, measure_on=measure_on, pass_at_least=cut, seed=seed),
                rows.select("sft", seed=seed, **sft), rows.pass_at_k(pass_at_least=cut), "",
            )  # fmt: skip
        except ValueError as wrong:
            error = str(wrong)
    none = rows.take([])
    rl = none.select("rl", band=band, measure_on=measure_on, seed=seed)
    return Account(rl, none.select("sft", seed=seed), none.pass_at_k(), error)


@dataclass(frozen=True)
class Brought:
    """A visitor's rows where other rows can stand too, as in lesson 6.

    Attributes:
        read: What became of the bytes.
        rollouts: Rows that can be selected from as they are; none where ``error``.
        cut: Smallest reward that passes; None for the core's own.
        error: What to change, in plain text; "" where all is well.
    """

    read: Read
    rollouts: Rollouts
    cut: float | None
    error: str


def brought(taken: Read, typed_cut: str) -> Brought:
    """Check once, before any slider moves, that the rows can be selected from."""
    cut, wrong = pass_cut(typed_cut)
    error = taken.error or wrong
    if not error:
        try:
            taken.rollouts.select("rl", pass_at_least=cut)
            return Brought(taken, taken.rollouts, cut, "")
        except ValueError as refused:
            error = str(refused)
    return Brought(taken, taken.rollouts.take([]), None, error)


def question(prediction: Prediction, counted: Account) -> None:
    """Ask how many of these rows teach anything."""
    found = counted.rl.report
    copies, agree = found["row_fates"]["duplicate"], found["unanimous_dropped"]
    prediction.ask(
        f"{many(found['rows'], 'row')}. {copies:,} {noun(copies, 'is a copy', 'are copies')}, and "
        f"{agree:,} of {many(found['tasks'], 'task')} {noun(agree, 'agrees', 'agree')}. "
        "How many of these rows teach anything?",
        printed.options(counted.rl),
    )


def about(what: Given) -> str:
    """Say in a few words which rows these are; plain text, for titles."""
    if what.kind == "none":
        return "no file yet"
    return SAMPLE.choices[what.name] if what.kind == "sample" else shown(what.name, 40)


def check_name(what: Given, lesson: str = "11", first: str = SAMPLE.default) -> str:
    """Return the key under which the browser remembers the answer: each file has its own.

    Args:
        what: The rows at hand.
        lesson: Number of the lesson.
        first: Name of the rows that the lesson opens with.
    """
    return f"{lesson}.kept" if what.name == first else f"{lesson}.kept.{what.digest[:8]}"


def sizes(taken: Read) -> Mapping[int, int]:
    """Return tasks by number of tries; none where nothing was read."""
    return taken.report.group_sizes if taken.report else {}


def places(page: Page, taken: Read, counted: Account, revealed: bool) -> dict[str, Any]:
    """Return the HTML of every place of lesson 11."""
    rl, bad = counted.rl, bool(counted.error)
    found, source = rl.report, taken.given
    told = revealed and not bad
    key = (source.digest, *(taken.report.columns.values() if taken.report else ()))
    before, key_before = page.before("kept", (found["kept"], key))
    same = key_before == key
    cause = _cause(page, rl, before == found["kept"]) if told and same else ""
    bar = reading("rl.kept", found["kept"] if revealed or bad else None, found["rows"],
                  before if same else None, cause)  # fmt: skip
    hidden = NOTHING if bad else HIDDEN
    return {
        "reading": bar,
        "source": source_line(source),
        "problem": problem(counted.error, taken),
        "taken": taken_lines(taken),
        "rl_block": "" if bad else printed.rl_block(rl, counted.measured, revealed),
        "sft_block": printed.sft_block(counted.sft) if told else hidden,
        "grid_note": _fits(rl),
        "waterfall_reading": _copies(rl) if told else hidden,
        "rates_reading": readings.band(found) if told else hidden,
        "agreement_reading": readings.without_contrast(found) if told else hidden,
        "tracking_reading": readings.tracked(found) if told else hidden,
        "say": _say(counted, found, cause, told),
    }


def _cause(page: Page, rl: Selection, unchanged: bool) -> str:
    """Say what moved the count, or why it did not move."""
    cause = cause_of(page.moved, page.settings)
    if not cause or not unchanged:
        return cause
    moved = set(page.moved)
    if moved == {"measure_on"}:
        return f"{cause}; no task changes sides"
    if moved == {"seed"}:
        return f"{cause}; it draws only the noise floor and the control"
    return f"{cause}; {printed.why_unchanged(page.moved, rl, 'file')}"


def _say(counted: Account, found: Mapping[str, Any], cause: str, told: bool) -> str | None:
    """Return the sentence for the live region: plain text."""
    if counted.error:
        return as_controls(counted.error)
    return f"kept {found['kept']} of {found['rows']} rows. {cause}".strip() if told else None


def source_line(what: Given, sample: bool = True) -> str:
    """Say which rows are on the page, and how to change that; ``sample``: to the sample shown."""
    if what.kind == "none":
        return ""
    if what.kind == "sample":
        return (
            f"<b>{escape(SAMPLE.choices[what.name])}</b>, a sample of simulated rows with known "
            f"faults: {escape(SAMPLES[what.name])}."
        )
    back = "" if not sample else (
        f" {'Clear the upload' if what.kind == 'upload' else 'Empty the box'} to go back to the "
        "sample."
    )  # fmt: skip
    return (
        f"<b>{escape(shown(what.name, 80))}</b>, {len(what.data):,} bytes, in this computer's "
        f"memory only.{back}"
    )


def problem(error: str, taken: Read) -> str:
    """Return what has to change before the rows can be used."""
    if not error:
        return ""
    menus = " The menus are below." if taken.error and any(taken.choices.values()) else ""
    said = shown(as_controls(error).rstrip(". "), 1200)
    return (
        '<div class="wc-check" data-problem="read" data-tells="problem" role="alert">'
        f"<p><b>What to change.</b> {escape(said)}.{menus}</p></div>"
    )


def taken_lines(taken: Read) -> str:
    """Return how the file was read, line by line."""
    if taken.report is None:
        return "<p><em>Nothing was read yet.</em></p>"
    lines = "".join(f'<div class="wc-line">{escape(as_controls(line))}</div>'
                    for line in taken.report.lines())  # fmt: skip
    return f'<div class="wc-block" role="group" aria-label="How the file was read">{lines}</div>'


def _fits(rl: Selection) -> str:
    """Say what of the rows the two unit pictures draw."""
    found = rl.report
    notes = []
    tasks = grid.LINES if found["tasks"] > grid.LINES // 2 else found["tasks"]
    if found["tasks"] > grid.LINES:
        notes.append(f"The grid draws the first {tasks} of {num('tasks', found['tasks'], ',')} "
                     "tasks; all numbers are of all.")  # fmt: skip
    unit = max(1, -(-found["rows"] // waterfall.MOST))
    if unit > 1:
        notes.append(f"In the waterfall one mark stands for {num('unit', unit, ',')} rows.")
    return " ".join(notes)


def _copies(rl: Selection) -> str:
    """Say how pass rates moved, and whether copies of one reply got different rewards."""
    dropped = rl.report["conflicting_rewards"]
    noisy = "" if not dropped else (
        f" {num('rl.conflicting_rewards', dropped, ',')} dropped "
        f"{noun(dropped, 'copy has', 'copies have')} another reward than the one that stays: the "
        "judge is noisy."
    )  # fmt: skip
    return readings.pass_rates(rl) + noisy


def downloads(
    counted: Account, what: Given, settings: dict[str, Any], seed: int, revealed: bool
) -> str:
    """Return a table of downloads; each file is made when its button is pressed."""
    if counted.error or not revealed:
        return f"<p>{NOTHING if counted.error else HIDDEN}</p>"
    lines = [_line(one, what, settings, seed) for one in (counted.rl, counted.sft)]
    return f'<div class="wc-table"><table><tbody>{"".join(lines)}</tbody></table></div>'


def _line(selection: Selection, what: Given, settings: dict[str, Any], seed: int) -> str:
    """Return the line of one mode: rows, control, manifest."""
    mode = selection.mode
    head = f'<tr><th scope="row">{mode.upper()}</th>'
    if why := handed_out.why_not(selection):
        return f'{head}<td colspan="3">{escape(why)}</td></tr>'
    stem = handed_out.NAMES[mode].removesuffix(".jsonl")
    files = (
        (f"{stem}.jsonl", "rows", partial(handed_out.rows, selection)),
        (f"{stem}.control.jsonl", "control", partial(handed_out.control, selection, seed)),
        (f"{stem}.manifest.json", "manifest",
         partial(handed_out.manifest, selection, what, settings, seed)),
    )  # fmt: skip
    cells = [
        f"<td>{mo.download(make, filename=name, label=f'{mode.upper()} {words}')}</td>"
        for name, words, make in files
    ]
    return f"{head}{''.join(cells)}</tr>"


@lru_cache(maxsize=1)
def regular_key() -> str:
    """Return the column that tells the task in the sample where every try has its own id."""
    offers = read(given((), "", "every_try_its_own_id.csv")).choices["task"][:2]
    return next(name for name in offers if len(_tickets(name)) == 1)


@lru_cache(maxsize=1)
def tries_of_the_tickets() -> int:
    """Return how many tries every task of that sample has."""
    return next(iter(_tickets(regular_key())))


def _tickets(task: str) -> Mapping[int, int]:
    return sizes(read(given((), "", "every_try_its_own_id.csv"), {"task": task}))


@lru_cache(maxsize=1)
def length_paid_by() -> str:
    """Return the reward of the two-rewards sample that rises with length within tasks."""
    return next(
        name for name in ("correct_reward", "style_reward")
        if (_by_reward(name)["correlations"]["reply_chars"]["within"] or 0) > 0
        and _by_reward(name)["correlations"]["reply_chars"]["clears"]
    )  # fmt: skip


@lru_cache(maxsize=1)
def kept_where_length_pays() -> int:
    """Return how many rows RL keeps of that sample by that reward, all else at its start."""
    return int(_by_reward(length_paid_by())["kept"])


def _by_reward(name: str) -> dict[str, Any]:
    sample = given((), "", "two_steps_two_rewards.jsonl")
    return read(sample, {"reward": name}).rollouts.select("rl").report
