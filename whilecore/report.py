"""The printed report: the course page's short labels, and the rows that add up.

Each line is a pair (link, text). In the text ``{rl.kept}`` stands for a number of the report under
its dotted name, so that a terminal and a web page print the same line from the same numbers, and
the page can find each of them. The link names the picture a line belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any

from whilecore.reward_scan import label

Line = tuple[str, str]


def flatten(report: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return a nested report under dotted names.

    >>> flatten({"kept": 29, "row_fates": {"leak": 1}}, "rl")
    {'rl.kept': 29, 'rl.row_fates.leak': 1}
    """
    flat: dict[str, Any] = {}
    for key, value in report.items():
        name = f"{prefix}.{key}"
        flat |= flatten(value, name) if isinstance(value, Mapping) else {name: value}
    return flat


def fill(lines: Iterable[Line], numbers: Mapping[str, Any]) -> str:
    """Return the lines as text, every ``{name}`` replaced by its number; None reads n/a."""
    return "\n".join(
        "".join(
            plain + ("" if name is None else _told(numbers[name], spec or ""))
            for plain, name, spec, _ in Formatter().parse(text)
        )
        for _, text in lines
    )


def _told(value: Any, spec: str) -> str:
    return "n/a" if value is None else format(value, spec)


def print_rl(report: Mapping[str, Any]) -> str:
    """Return the RL report as text."""
    return fill(rl_lines(report), flatten(report, "rl"))


def print_sft(report: Mapping[str, Any]) -> str:
    """Return the SFT report as text."""
    return fill(sft_lines(report), flatten(report, "sft"))


def percent(rate: float) -> str:
    """Write a rate as a per cent without needless digits: 0.2 is 20%, 0.125 is 12.5%."""
    return f"{100 * rate:.4g}%"


def rl_lines(report: Mapping[str, Any], masked: bool = False) -> list[Line]:
    """Return the lines of the RL report in order, each with the picture it belongs to.

    Args:
        report: ``Selection.report``.
        masked: Leave out every number that would tell how many rows are kept, but for "kept"
            itself in the first line, which a page then covers.
    """
    low, high = report["band"]
    on = "all scored rows" if report["measure_on"] == "scored" else "the surviving rows"
    agree, outside = ("", "") if masked else (
        ", {rl.row_fates.unanimous} rows",
        f", {report['row_fates']['too_easy'] + report['row_fates']['too_hard']} rows",
    )  # fmt: skip
    lines = [
        ("kept", "rl selection: kept {rl.kept} of {rl.rows} rows"),
        ("row_gates", "  row gates: {rl.row_fates.leak} leak, {rl.row_fates.unscored} unscored, "
         "{rl.row_fates.incomplete} incomplete, {rl.row_fates.truncated} truncated"
         + ("; {rl.emptied_groups} groups emptied" if report["emptied_groups"] else "")),
        *_unscored(report),
        ("duplicate", "  duplicates dropped: {rl.row_fates.duplicate} within "
         "{rl.duplicate_tasks} asks; conflicting rewards: {rl.conflicting_rewards}"),
        ("unanimous", f"  unanimous groups dropped: {sum(report['unanimous_groups'].values())} "
         "({rl.unanimous_groups.as_drawn} as drawn, {rl.unanimous_groups.after_gates} after "
         "gates, {rl.unanimous_groups.single} single)" + agree),
        ("band", f"  band {percent(low)}..{percent(high)} pass rate: "
         f"{report['too_easy_groups'] + report['too_hard_groups']} asks dropped "
         "({rl.too_easy_groups} too easy, {rl.too_hard_groups} too hard)" + outside
         + f"; measured on {on}"),
    ]  # fmt: skip
    if report["row_fates"]["over_target"] and not masked:
        lines.append(("over_target", "  over target: {rl.row_fates.over_target} rows in "
                      "{rl.over_target_groups} groups"))  # fmt: skip
    lines.append(("kept", "  groups kept: {rl.groups_kept}"))
    if not masked:
        lines.append(("kept", f"  rows: {_sum(report, 'rl')}"))
    return lines + _difficulty(report, masked) + _scan(report, masked) + _remarks(report, masked)


def _unscored(report: Mapping[str, Any]) -> list[Line]:
    """Say why rows have no score."""
    reasons = ", ".join(f"{n} {escape(why)}" for why, n in report["unscored_reasons"].items())
    return [("row_gates", f"    unscored: {reasons}")] if reasons else []


def escape(text: str) -> str:
    """Protect braces of text that comes from a file."""
    return text.replace("{", "{{").replace("}", "}}")


def _sum(report: Mapping[str, Any], prefix: str) -> str:
    """Write the account of the rows as a sum."""
    words = {"too_easy": "too easy", "too_hard": "too hard", "over_target": "over target",
             "not_passing": "not passing", "same_task": "same task"}  # fmt: skip
    parts = [f"- {{{prefix}.row_fates.{name}}} {words.get(name, name)}"
             for name, count in report["row_fates"].items() if count and name != "kept"]  # fmt: skip
    return " ".join([f"{{{prefix}.rows}}", *parts, f"= {{{prefix}.kept}} kept"])


def _difficulty(report: Mapping[str, Any], masked: bool) -> list[Line]:
    """Say which rows the pass rates come from, which rows are trained on, and how firm it is."""
    trained = "" if masked else "; training set: {rl.kept} rows"
    lines = [("difficulty", "  difficulty measured on: {rl.scored} scored rows" + trained)]
    if report["difficulty"]["half_width"] is not None:
        lines.append(("difficulty", "  a measured rate is good to ±{rl.difficulty.half_width:.2f} "
                      "(median {rl.difficulty.median_rollouts:g} rollouts per kept task)"))  # fmt: skip
    return lines


def _scan(report: Mapping[str, Any], masked: bool) -> list[Line]:
    """Write the reward scan as a small table: within a task, pooled, and the floor."""
    rows = "" if masked else ", {rl.scanned.rows} rows in {rl.scanned.groups} groups"
    why = report["scanned"]["why_no_floor"]
    tail = f": {why}" if why else ": noise floor {rl.scanned.floor:.2f}"
    lines = [("scan", f"  reward scan on the kept rows, copies out{rows}{tail}")]
    for name, one in report["correlations"].items():
        at = f"rl.correlations.{name}"
        within, pooled = (_told(one[key], "+.2f") for key in ("within", "pooled"))
        undefined = one["within"] is None
        mark = " over the floor" if one["clears"] else ""
        lines.append((f"scan.{name}",
                      f"    {label(name):<16} within {'':{5 - len(within)}}{{{at}.within:+.2f}}"
                      f"  pooled {'':{5 - len(pooled)}}{{{at}.pooled:+.2f}} "
                      f"{' never varies within a task' if undefined else mark}".rstrip()))  # fmt: skip
    return lines


def _remarks(report: Mapping[str, Any], masked: bool) -> list[Line]:
    """Write notes and warnings; a warning counts kept rows, so it waits for the reveal."""
    lines = [("notes", f"  note: {escape(one)}") for one in report["notes"]]
    if masked:
        return lines
    return lines + [("scan", f"  warning: {escape(one)}") for one in report["warnings"]]


def sft_lines(report: Mapping[str, Any]) -> list[Line]:
    """Return the lines of the SFT report in order."""
    lines = [
        ("sft", "sft selection: kept {sft.kept} of {sft.rows} rows"),
        ("sft", "  eligible {sft.eligible} (reward >= {sft.min_reward:g}), not passing "
         "{sft.not_passing}, incomplete {sft.incomplete}, unscored {sft.unscored}"),
        ("sft", "  distinct behaviors: {sft.distinct_behaviors}, covered: "
         "{sft.behaviors_covered}"),
        ("sft", f"  rows: {_sum(report, 'sft')}"),
    ]  # fmt: skip
    if report["completions_per_task"]["max"] is not None:
        lines.append(("sft", "  completions per task: mean {sft.completions_per_task.mean:.3g}, "
                      "median {sft.completions_per_task.median:g}, max "
                      "{sft.completions_per_task.max}; 10 to 30 to choose from"))  # fmt: skip
    if report["pass_filter"]:
        lines += [
            ("sft", "  what ran: a pass filter; rewards are 0 and 1, so a random pick among the"),
            ("sft", "  passes scores the same. Its control is a random pick among all rows"),
        ]
    else:
        lines.append(("sft", "  what ran: the best reward of each task; its control is a random "
                      "pick"))  # fmt: skip
    return lines + _remarks(report, masked=False)
