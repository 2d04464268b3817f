"""The words of lesson 6: what the gates did with the rows at hand, whichever those are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from whilecore import judges
from whilecore.agent import seeded_agent
from whilecore.charts.strip import true_rates
from whilecore.course import printed, readings, your_account
from whilecore.course.bar import cause_of, reading
from whilecore.course.numbers import num
from whilecore.course.page import Page
from whilecore.course.predict import Prediction
from whilecore.course.settings import SOURCE
from whilecore.course.your_account import Brought
from whilecore.formats.wording import as_controls
from whilecore.intervals import PassAt
from whilecore.readers import printed_run
from whilecore.selection import Selection
from whilecore.simulate import simulate
from whilecore.texts import noun
from whilecore.tools import tool

HIDDEN: Final = "<em>Answer or skip this section's question to see what the gates did.</em>"
LEGENDS: Final = {
    True: "Line: what the tasks' true rates predict; shade: where 95 of 100 runs fall. Dashed: the "
    "mean rate put in instead.",
    False: "Line: what the mean pass rate predicts if all tasks had it. Their true rates are not "
    "known here; where tasks differ, more agree than the line says.",
}  # fmt: skip
STEPS: Final = " Steps: these rows, as tries are added. Dot: as drawn. Ring: after the gates."


def about(source: str, seed: int, rows: Brought) -> str:
    """Say in a few words which rows these are; plain text, for titles."""
    if source == "file":
        return your_account.about(rows.read.given)
    return "the course page's rows" if source == "printed" else f"seed {seed}"


def ask(prediction: Prediction, selection: Selection, source: str, rows: Brought) -> None:
    """Put the question for the rows at hand, unless it was answered or there are none."""
    if prediction.state != "answered" and not (source == "file" and rows.error):
        printed.ask(prediction, selection)


def places(
    page: Page, rl: Selection, sft: Selection, measured: PassAt, revealed: bool, source: str,
    rows: Brought,
) -> dict[str, Any]:  # fmt: skip
    """Return the HTML of every place of lesson 6 that follows the controls."""
    found, error = rl.report, rows.error if source == "file" else ""
    kept = found["kept"]
    key = rows.read.given.digest if source == "file" else source
    before, same = _before(page, kept, found["rows"], key)
    cause = cause_of(page.moved, page.settings)
    if revealed and cause and before[0] == kept:
        cause = f"{cause}; {printed.why_unchanged(page.moved, rl, source, before[1])}"
    tries = found["rows"] / max(found["tasks"], 1)
    told = revealed and not error
    bar = reading("rl.kept", kept if revealed or error else None, found["rows"],
                  before[0] if same else None, "" if error else cause)  # fmt: skip
    hidden = "" if error else HIDDEN
    known = true_rates(rl) is not None
    return {
        "which": f'<i data-rows="{source}" data-tells="rows-{source}" hidden></i>',
        "reading": bar,
        "n_tasks": num("rl.tasks", found["tasks"], ","),
        "n_rows": num("rl.rows", found["rows"], ","),
        "n_tries": num("tries", tries, ".3g"),
        "rl_block": "" if error else printed.rl_block(rl, measured, revealed),
        "sft_block": printed.sft_block(sft) if told else hidden,
        "waterfall_reading": readings.pass_rates(rl) if told else hidden,
        "agreement_legend": either({one: text + STEPS for one, text in LEGENDS.items()}, known),
        "agreement_reading": readings.without_contrast(found) if told else hidden,
        "tracking_reading": readings.tracked(found) if told else hidden,
        "strip_reading": readings.band(found) if told else hidden,
        "differences": differences() if revealed else HIDDEN,
        "seeds": _seeds() if revealed else "",
        "say": error and as_controls(error) or (_said(found, cause) if revealed else None),
        **(_of_a_file(rows) if source == "file" else {"problem": ""}),
    }


def _of_a_file(rows: Brought) -> dict[str, str]:
    """Return the places that tell how a file was read."""
    return {
        "file_source": your_account.source_line(rows.read.given, sample=False),
        "problem": your_account.problem(rows.error, rows.read),
        "taken": your_account.taken_lines(rows.read),
    }


def _before(page: Page, kept: int, rows: int, key: str) -> tuple[tuple[int, int], bool]:
    """Return rows kept and drawn before the last move, and whether they came from the same rows."""
    before, rows_before, key_before = page.before("kept", (kept, rows, key))
    return (before, rows_before), key_before == key or {key, key_before} <= set(SOURCE.choices)


def either(texts: Mapping[bool, str], now: bool) -> str:
    """Return the HTML of one of two texts in the room of the longer: changing it moves nothing."""
    cells = "".join(
        f'<span style="grid-area: 1 / 1; visibility: {seen}">{text}</span>'
        for seen, text in (("visible" if one == now else "hidden", text)
                           for one, text in texts.items())
    )  # fmt: skip
    return f'<span style="display: inline-grid">{cells}</span>'


def not_yet(at_start: bool, repeats: int, dropped: int) -> str:
    """Say what of "the smallest number of repeats at which the band drops a task" does not hold.

    >>> not_yet(True, 12, 1)
    'Not yet: at 12 repeats the band does drop 1 task, but it is not the smallest such number.'
    """
    if not at_start:
        return "Not yet: set everything but repeats back to its start; Reset does that."
    if not dropped:
        return f"Not yet: at {repeats} repeats the band drops no task; see its line in the block."
    tasks = f"{dropped} {noun(dropped, 'task')}"
    return (
        f"Not yet: at {repeats} repeats the band does drop {tasks}, but it is not the smallest "
        "such number."
    )


def _said(found: Mapping[str, Any], cause: str) -> str:
    """Return the sentence for the live region."""
    rows = noun(found["rows"], "row")
    return f"kept {found['kept']} of {found['rows']} {rows}. {cause}".strip()


@lru_cache(maxsize=1)
def _seeds() -> str:
    """Say how much the number of kept rows moves with the seed: a pure function, computed once."""
    agent = seeded_agent([_get_order])
    kept = [
        simulate(agent, tools=[_get_order], seed=seed)
        .grade(judges.answer_key)
        .select(mode="rl")
        .report["kept"]
        for seed in range(100)
    ]
    low, high = min(kept), max(kept)
    return (
        f"Over 100 seeds at the start settings, {num('seeds.low', low)} to "
        f"{num('seeds.high', high)} of 64 rows are kept, "
        f"{num('seeds.median', float(np.median(kept)), 'g')} at the median."
    )


@tool
def _get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


@lru_cache(maxsize=1)
def differences() -> str:
    """Say where the course page's sentences and the figures of its rows differ, with both."""
    rows = printed_run()
    rl = rows.select(mode="rl")
    found = rl.report
    fates, why = found["row_fates"], found["unanimous_groups"]
    length = found["correlations"]["reply_chars"]
    passed = rows.reward >= found["pass_at_least"]
    copies = rl.fate_names == "duplicate"

    def n(name: str, value: Any, spec: str = "") -> str:
        return num(f"page.{name}", value, spec)

    gone = fates["incomplete"]
    points = [
        f"The page reads its {n('unanimous', sum(why.values()))} unanimous groups as tasks where "
        f"all four tries scored the same. In the figures {n('as_drawn', why['as_drawn'])} were "
        f"unanimous as drawn; {n('after_gates', why['after_gates'])} lost their only failing try "
        "to another gate.",
        f"{n('rows', found['rows'])} − {n('duplicates', fates['duplicate'])} copies − "
        f"{n('unanimous_rows', fates['unanimous'])} is not {n('kept', found['kept'])}: "
        f"{n('incomplete', gone)} rows leave through a gate the page does not print.",
        f"That the band dropped {n('outside', found['too_easy_groups'] + found['too_hard_groups'])}"
        " asks is forced: with four tries a mixed task passes 25, 50 or 75 % of the time, all "
        "inside 20 to 80 %.",
        f"{n('copies_passing', int(passed[copies].sum()))} of the "
        f"{n('duplicates', fates['duplicate'])} copies are passes; over all gates the pass rate "
        f"falls from {n('pass_rate_drawn', passed.mean(), '.0%')} of the rows drawn to "
        f"{n('pass_rate_kept', passed[rl.kept].mean(), '.0%')} of the rows kept.",
        f"The page's {n('pooled', length['pooled'], '+.2f')} for reply length is pooled over the "
        f"kept rows. Within tasks it is {n('within', length['within'], '+.2f')}: the only "
        f"feature whose within-task value clears its noise floor of "
        f"{n('floor', length['floor'], '.2f')}.",
    ]
    return "<ul>" + "".join(f"<li>{point}</li>" for point in points) + "</ul>"
