"""The printed block on a page: the terminal's lines, live, each with what it means.

The lines come from ``whilecore.report``, so page and terminal cannot differ. What a line means is
said here once for all lessons that show the block.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from whilecore import report
from whilecore.charts.odds import span
from whilecore.course.numbers import Line, block
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import Value
from whilecore.formats.wording import as_controls
from whilecore.intervals import PassAt
from whilecore.selection import Selection
from whilecore.texts import counted, noun

WHY: Final = {
    "pass_at": "pass@1: the chance that one try passes, averaged over tasks. pass^k: that all k "
    "tries pass. pass@k: that at least one does. Headroom is pass@k minus pass@1: what choosing "
    "well could win. The brackets hold the plausible values, as wide as {pass_at.n_tasks} tasks "
    "allow.",
    "kept": "What is left for the trainer, and in how many tasks. Every row that left is counted "
    "at exactly one gate, so the parts add up to {rl.rows}.",
    "row_gates": "A row leaves on its own account: it recites the hidden answer key, has no score, "
    "is incomplete or cut off. It leaves before anything is compared, so its task may lose its "
    "only contrast.",
    "duplicate": "Same task, same reply, same tool calls: the first copy stays. If copies of one "
    "reply got different rewards, the judge is noisy; here that happened "
    "{rl.conflicting_rewards} times.",
    "unanimous": "Tasks whose remaining tries all scored the same. Every push is zero, so there is "
    "no reward signal. \"As drawn\": all tries agreed from the start. \"After gates\": they "
    "differed, but an earlier gate took the contrast away.",
    "band": "Tasks the model passes too rarely or too often. The rate is measured on all "
    "scored tries, before copies go, and a task on the edge stays.",
    "difficulty": "The rows that measure a task's pass rate are not the rows you train on. From "
    "few tries the rate is coarse: the bars in the strip show the true rates that would be "
    "plausible.",
    "scan": "For every feature of a reply: does it go along with the reward inside a task? "
    "Shuffling the rewards within tasks shows how large a correlation luck alone makes: the noise "
    "floor.",
    "notes": "What you should know about these rows before you trust the numbers.",
    "over_target": "Whole groups beyond the number of rows asked for.",
}  # fmt: skip
FEATURE_WHY: Final = (
    "Within: the correlation after subtracting each task's average, so hard tasks cannot pose as a "
    "judge's taste. Pooled: the same rows thrown together. Only a within-task value over the noise "
    "floor is worth a warning."
)
DRAWN: Final = frozenset({"repeats", "judge", "judge_share", "seed", "hold"})
MEASURES: Final = ("pass_at_1", "pass_pow_k", "pass_at_k", "headroom")


def pass_at_numbers(measured: PassAt) -> dict[str, Any]:
    """Return pass@1 and its relatives under dotted names, None where undefined."""
    numbers: dict[str, Any] = {"pass_at.k": measured.k, "pass_at.n_tasks": measured.n_tasks}
    for name in MEASURES:
        value = getattr(measured, name)
        low, high = getattr(measured, f"{name}_interval") or (None, None)
        numbers[f"pass_at.{name}"] = None if value != value else value
        numbers[f"pass_at.{name}.low"], numbers[f"pass_at.{name}.high"] = low, high
    return numbers


def pass_at_line(measured: PassAt) -> tuple[str, str]:
    """Return the line of pass@1 and its relatives as a template, worded as it prints."""
    k = "k" if measured.k is None else measured.k
    names = ("pass@1", f"pass^{k}", f"pass@{k}", "headroom")
    parts = [
        f"{word} {{pass_at.{name}:.2f}} [{{pass_at.{name}.low:.2f}}..{{pass_at.{name}.high:.2f}}]"
        for word, name in zip(names, MEASURES, strict=True)
    ]
    return "pass_at", " | ".join(parts) + " ({pass_at.n_tasks} groups, k={pass_at.k})"


def rl_block(selection: Selection, measured: PassAt, revealed: bool) -> str:
    """Return the RL block as HTML; without a reveal no number in it tells what is kept."""
    numbers = report.flatten(selection.report, "rl") | pass_at_numbers(measured)
    lines = [pass_at_line(measured), *report.rl_lines(selection.report, masked=not revealed)]
    masks = () if revealed else ("rl.kept",)
    return block([_line(one) for one in lines], numbers, masks, label="Printed RL selection")


def sft_block(selection: Selection) -> str:
    """Return the SFT block as HTML."""
    numbers = report.flatten(selection.report, "sft")
    lines = [Line(text) for _, text in report.sft_lines(selection.report)]
    return block(lines, numbers, label="Printed SFT selection")


def _line(one: tuple[str, str]) -> Line:
    link, text = one
    if link == "notes":
        text = as_controls(text)
    why = WHY.get(link) or (FEATURE_WHY if link.startswith("scan.") else "")
    return Line(text, link, why)


def why_unchanged(
    moved: Mapping[str, tuple[Value, Value]],
    selection: Selection,
    source: str,
    rows_before: int | None = None,
) -> str:
    """Say why a move changed no count, in few words: the bar has two lines for them.

    Args:
        moved: What moved, from ``Page.moved``.
        selection: The RL selection after the move.
        source: The row source.
        rows_before: Rows drawn before the move; None where they are the same.
    """
    rows = selection.report["rows"]
    if set(moved) == {"truth"}:
        return "the gates see the tries, not the true rates"
    if source != "simulated" and set(moved) & DRAWN:
        return f"only the band acts on {'printed rows' if source == 'printed' else 'a file'}"
    if set(moved) <= {"band_low", "band_high"}:
        return _band_idle(selection)
    if rows_before is not None and rows_before != rows:
        return f"{'more' if rows > rows_before else 'fewer'} rows drawn, as many kept"
    if set(moved) <= {"judge_share"}:
        return "what it moved left the count alone"
    if set(moved) <= {"hold"}:
        return "at these repeats both draw the same rows"
    return "other rows, the same count"


def _band_idle(selection: Selection) -> str:
    """Say why a band edge that moved caught nothing."""
    gates = selection.gates
    assert gates is not None, "only an RL selection has a band"
    most = int(gates.scored.rows.max()) if len(gates.scored.rows) else 0
    top, bottom = (most - 1) / max(most, 1), 1 / max(most, 1)
    low, high = selection.report["band"]
    if low <= bottom and high >= top:
        return f"mixed tasks pass {span(bottom, top)} of {most} tries"
    return "no mixed task lies in between"


def ask(prediction: Prediction, selection: Selection) -> None:
    """Put the question "how many rows are left" for the rows at hand."""
    found = selection.report
    copies, agree = found["row_fates"]["duplicate"], found["unanimous_dropped"]
    prediction.ask(
        f"{counted(found['rows'], 'row')}: {_gone_early(found):,} caught by row gates, "
        f"{counted(copies, 'copy', 'copies')}, "
        f"{counted(agree, 'group')} whose remaining tries agree. "
        "How many rows are left to train on?",
        options(selection),
    )


def _gone_early(found: Mapping[str, Any]) -> int:
    """Count the rows that a row gate takes."""
    fates = found["row_fates"]
    return int(fates["leak"] + fates["unscored"] + fates["incomplete"] + fates["truncated"])


def options(selection: Selection) -> list[Option]:
    """Return four answers: the right one and what three misconceptions lead to."""
    assert selection.gates is not None, "the question is about an RL selection"
    found = selection.report
    fates, rows, kept = found["row_fates"], found["rows"], found["kept"]
    tries, stay = round(rows / max(found["tasks"], 1)), found["groups_kept"]
    agree = found["unanimous_dropped"]
    gone_early = _gone_early(found)
    passes = int(selection.gates.scored.passes.sum())
    wrong = [
        (
            rows - gone_early - fates["duplicate"] - agree * tries,
            "whole groups leave",
            f"You took {tries} tries off for each group that agrees. Copies had already shrunk "
            "those groups.",
        ),
        (
            kept + gone_early,
            "only the headline gates",
            f"You left out the row gates: {counted(gone_early, 'row')} "
            f"{noun(gone_early, 'leaves', 'leave')} before anything is compared.",
        ),
        (
            stay * tries,
            "kept tasks keep every try",
            f"{counted(stay, 'task')} {noun(stay, 'stays', 'stay')}, but not with all {tries} "
            "tries: the copies are gone.",
        ),
        (
            passes,
            "passes are what you keep",
            "That is the rule for SFT. For RL a pass without a fail beside it teaches nothing.",
        ),
        (
            rows - fates["duplicate"],
            "only copies are waste",
            "Copies go, and then the tasks whose remaining tries agree go too.",
        ),
        (rows, "every graded row counts", "A row with nothing to differ from gives no push."),
        (rows // 2, "about half", "Count the gates instead: the parts add up to the rows."),
        (rows // 4, "about a quarter", "Count the gates instead: the parts add up to the rows."),
        (kept + 1, "one more", "Count the gates: the parts add up to the rows."),
    ]
    chosen: dict[int, Option] = {
        kept: Option(str(kept), "Every row leaves at one gate, and the parts add up.", right=True)
    }
    for count, idea, why in wrong:
        if count >= 0 and count not in chosen and len(chosen) < 4:
            chosen[count] = Option(str(count), why, idea)
    return [chosen[count] for count in sorted(chosen)]


def answer(prediction: Prediction, selection: Selection) -> int | None:
    """Return the learner's number while it still belongs to the rows at hand."""
    if prediction.state != "answered" or prediction.right != str(selection.report["kept"]):
        return None
    return int(prediction.choice)


def at_start(page: Page, *but: str) -> bool:
    """Tell whether every setting is at its default, apart from the named ones."""
    return all(
        page.values[name] == setting.default
        for name, setting in page.settings.items()
        if name not in but
    )


UNASKED: Final = (
    Option("0", "Some tasks have a pass and a fail.", misconception="nothing is left"),
    Option("1", "Put with the rows at hand.", right=True),
)
