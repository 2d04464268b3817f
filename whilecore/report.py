"""The printed report: the course page's short labels, and the rows that add up.

Each line is a pair (link, text). In the text ``{rl.kept}`` stands for a number of the report under
its dotted name, so that a terminal and a web page print the same line from the same numbers, and
the page can find each of them. The link names the picture a line belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any, Final

from whilecore.reward_scan import label
from whilecore.texts import noun, shown

Line = tuple[str, str]
MOST_REASONS: Final = 5


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
    fates, asks = report["row_fates"], noun(report["band_dropped"], "ask")
    low, high = (percent(edge) for edge in report["band"])
    on = "scored" if report["measure_on"] == "scored" else "surviving"
    lines = [
        ("kept", f"rl selection: kept {{rl.kept}} of {{rl.rows}} {noun(report['rows'], 'row')}"),
        *_row_gates(report),
        ("duplicate", "  duplicates dropped: {rl.row_fates.duplicate} within "
         f"{{rl.duplicate_tasks}} {noun(report['duplicate_tasks'], 'ask')}"),
        ("duplicate", "    with conflicting rewards: {rl.conflicting_rewards}"),
        ("unanimous", "  unanimous groups dropped: {rl.unanimous_dropped}"),
        ("unanimous", "    {rl.unanimous_groups.as_drawn} as drawn, "
         "{rl.unanimous_groups.after_gates} after gates, {rl.unanimous_groups.single} single"),
        ("band", f"  band {low}..{high} pass rate: {{rl.band_dropped}} {asks} dropped"),
        ("band", "    {rl.too_easy_groups} too easy, {rl.too_hard_groups} too hard; on "
         f"{on} rows"),
    ]  # fmt: skip
    if fates["over_target"] and not masked:
        groups = noun(report["over_target_groups"], "group")
        lines.append(
            (
                "over_target",
                "  over target: {rl.row_fates.over_target} "
                f"{noun(fates['over_target'], 'row')} in {{rl.over_target_groups}} {groups}",
            )
        )
    lines.append(("kept", "  groups kept: {rl.groups_kept}"))
    if not masked:
        lines.append(("kept", f"  {_sum(report, 'rl')}"))
    return lines + _difficulty(report, masked) + _scan(report, masked) + _remarks(report, masked)


def _row_gates(report: Mapping[str, Any]) -> list[Line]:
    """Say which rows left on their own account, and why rows have no score."""
    fates = report["row_fates"]
    names = ("leak", "unscored", "incomplete", "truncated")
    taken = ", ".join(f"{{rl.row_fates.{name}}} {name}" for name in names if fates[name])
    lines = [("row_gates", f"  row gates: {taken or '0 rows'}")]
    if report["emptied_groups"]:
        lines.append(("row_gates", "    groups emptied: {rl.emptied_groups}"))
    return lines + _unscored(report, "row_gates")


def _unscored(report: Mapping[str, Any], link: str) -> list[Line]:
    """Say why rows have no score, the commonest reasons first."""
    reasons = list(report["unscored_reasons"].items())
    told = [f"{count} {why}" for why, count in reasons[:MOST_REASONS]]
    if reasons[MOST_REASONS:]:
        told.append(f"{sum(count for _, count in reasons[MOST_REASONS:])} for other reasons")
    return [(link, f"    unscored: {escape(', '.join(told))}")] if told else []


def escape(text: str) -> str:
    """Make text that comes from a file safe in a line: on one line, its braces no template."""
    return braces(shown(text, width=400))


def braces(text: str) -> str:
    """Write the braces of a text so that a template leaves them alone."""
    return text.replace("{", "{{").replace("}", "}}")


def _sum(report: Mapping[str, Any], prefix: str) -> str:
    """Write the account of the rows as a sum."""
    words = {"too_easy": "too easy", "too_hard": "too hard", "over_target": "over target",
             "not_passing": "not passing", "same_task": "same task"}  # fmt: skip
    parts = [f"- {{{prefix}.row_fates.{name}}} {words.get(name, name)}"
             for name, n in report["row_fates"].items() if n and name != "kept"]  # fmt: skip
    return " ".join([f"{{{prefix}.rows}}", *parts, f"= {{{prefix}.kept}} kept"])


def _difficulty(report: Mapping[str, Any], masked: bool) -> list[Line]:
    """Say which rows the pass rates come from, which rows are trained on, and how firm it is."""
    lines = [("difficulty", f"  difficulty measured on: {_measured(report)}")]
    if not masked:
        lines.append(("kept", f"  training set: {{rl.kept}} {noun(report['kept'], 'row')} in "
                      f"{{rl.groups_kept}} {noun(report['groups_kept'], 'group')}"))  # fmt: skip
    firm = report["difficulty"]
    if firm["half_width"] is not None:
        tries = "try" if firm["median_rollouts"] == 1 else "tries"
        lines.append(
            (
                "difficulty",
                "  a kept task's true rate may be anywhere in "
                "{rl.difficulty.low:.2f}..{rl.difficulty.high:.2f}",
            )
        )
        lines.append(("difficulty", "    (95 %, median of the kept tasks, "
                      f"{{rl.difficulty.median_rollouts:g}} scored {tries} each)"))  # fmt: skip
    return lines


def _measured(report: Mapping[str, Any]) -> str:
    """Say which rows a task's pass rate was measured on."""
    if report["measure_on"] == "scored":
        return f"{{rl.scored}} scored {noun(report['scored'], 'row')}"
    return "what earlier gates left of the {rl.scored} scored rows"


def _scan(report: Mapping[str, Any], masked: bool) -> list[Line]:
    """Write the reward scan as a small table: within a task and pooled, and what is over."""
    scanned, found = report["scanned"], report["correlations"]
    lines = [("scan", "  reward scan on the kept rows, copies out")]
    if scanned["why_no_floor"]:
        lines.append(("scan", f"    no noise floor: {scanned['why_no_floor']}"))
    else:
        lines.append(("scan", "    noise floor within tasks: {rl.scanned.floor:.2f}"))
    lines.append(("scan", f"    {'':<15} within  pooled"))
    for name, one in found.items():
        cells = [_cell(one[key], f"rl.correlations.{name}.{key}") for key in ("within", "pooled")]
        mark = "  over" if one["clears"] else ""
        lines.append(
            (f"scan.{name}", f"    {braces(f'{shown(label(name)):<15}')}{cells[0]}{cells[1]}{mark}")
        )
    return lines + [("scan", f"    n/a: {escape(why)}") for why in undefined_whys(report, masked)]


def _cell(value: float | None, name: str) -> str:
    """Return the place of a correlation, seven characters wide once it is filled.

    A column's name with a template's own signs in it cannot be a place: the number stands there.
    """
    told = _told(value, "+.2f")
    place = told if set(name) & set("{}[]!:") else f"{{{name}:+.2f}}"
    return " " * (7 - len(told)) + place


def undefined_whys(report: Mapping[str, Any], masked: bool = False) -> list[str]:
    """Say why some within-task correlations are undefined, each reason with its features."""
    features: dict[str, list[str]] = {}
    for name, why in report["scanned"]["undefined"].items():
        counts_rows = any(sign.isdigit() for sign in why)
        told = "undefined on these rows" if masked and counts_rows else why
        features.setdefault(told, []).append(label(name))
    return [f"{', '.join(names)} ({why})" for why, names in features.items()]


def _remarks(report: Mapping[str, Any], masked: bool) -> list[Line]:
    """Write notes and warnings; a warning counts kept rows, so it waits for the reveal."""
    lines = [("notes", f"  note: {escape(one)}") for one in report["notes"]]
    if masked:
        return lines
    return lines + [("scan", f"  warning: {escape(one)}") for one in report["warnings"]]


def sft_lines(report: Mapping[str, Any]) -> list[Line]:
    """Return the lines of the SFT report in order."""
    lines = [
        ("sft", f"sft selection: kept {{sft.kept}} of {{sft.rows}} {noun(report['rows'], 'row')}"),
        ("sft", "  eligible {sft.eligible} (reward >= {sft.min_reward:g})"),
        ("sft", "  not passing {sft.not_passing}, incomplete {sft.incomplete}, unscored "
         "{sft.unscored}"),
        *_unscored(report, "sft"),
        ("sft", "  distinct behaviors: {sft.distinct_behaviors}, covered: "
         "{sft.behaviors_covered}"),
        ("sft", f"  {_sum(report, 'sft')}"),
    ]  # fmt: skip
    if report["completions_per_task"]["max"] is not None:
        lines += [
            ("sft", "  completions per task: mean {sft.completions_per_task.mean:.3g},"),
            ("sft", "    median {sft.completions_per_task.median:g}, max "
             "{sft.completions_per_task.max} (advice: 10 to 30)"),
        ]  # fmt: skip
    if report["pass_filter"]:
        lines += [
            ("sft", "  what ran: a pass filter (rewards are 0 and 1, so a random"),
            ("sft", "    pick among the passes scores the same);"),
            ("sft", "    its control is a random pick among all rows"),
        ]
    else:
        lines.append(("sft", "  what ran: the best reward of each task; its control is a random "
                      "pick"))  # fmt: skip
    return lines + _remarks(report, masked=False)
