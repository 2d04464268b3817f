"""The printed report: the course page's short labels, and the rows that add up.

Each line is a pair (link, text). The link names the picture a line belongs to, so that a lesson
can light the one while the other is looked at; in a terminal it is dropped.
"""

from __future__ import annotations

from typing import Any

from whilecore.reward_scan import label

Line = tuple[str, str]


def print_rl(report: dict[str, Any]) -> str:
    """Return the RL report as text."""
    return "\n".join(text for _, text in rl_lines(report))


def print_sft(report: dict[str, Any]) -> str:
    """Return the SFT report as text."""
    return "\n".join(text for _, text in sft_lines(report))


def percent(rate: float) -> str:
    """Write a rate as a per cent without needless digits: 0.2 is 20%, 0.125 is 12.5%."""
    return f"{100 * rate:.4g}%"


def rl_lines(report: dict[str, Any]) -> list[Line]:
    """Return the lines of the RL report in order, each with the picture it belongs to."""
    fates, unanimous = report["row_fates"], report["unanimous_groups"]
    low, high = report["band"]
    easy, hard = report["too_easy_groups"], report["too_hard_groups"]
    on = "all scored rows" if report["measure_on"] == "scored" else "the surviving rows"
    lines = [
        ("kept", f"rl selection: kept {report['kept']} of {report['rows']} rows"),
        ("row_gates", f"  row gates: {fates['leak']} leak, {fates['unscored']} unscored, "
         f"{fates['incomplete']} incomplete, {fates['truncated']} truncated"
         f"{_emptied(report)}"),
        ("duplicate", f"  duplicates dropped: {fates['duplicate']} within "
         f"{report['duplicate_tasks']} asks; {report['conflicting_rewards']} copies with "
         "conflicting rewards"),
        ("unanimous", f"  unanimous groups dropped: {sum(unanimous.values())} "
         f"({unanimous['as_drawn']} as drawn, {unanimous['after_gates']} after gates, "
         f"{unanimous['single']} single), {fates['unanimous']} rows"),
        ("band", f"  band {percent(low)}..{percent(high)} pass rate: {easy + hard} asks dropped "
         f"({easy} too easy, {hard} too hard), {fates['too_easy'] + fates['too_hard']} rows; "
         f"rate measured on {on}"),
    ]  # fmt: skip
    if fates["over_target"]:
        lines.append(("over_target", f"  over target: {fates['over_target']} rows in "
                      f"{report['over_target_groups']} groups"))  # fmt: skip
    lines += [
        ("kept", f"  groups kept: {report['groups_kept']}"),
        ("kept", f"  rows: {_sum(report)}"),
        ("difficulty", f"  {_difficulty(report)}"),
    ]
    return lines + _scan_lines(report) + _remarks(report)


def _emptied(report: dict[str, Any]) -> str:
    emptied = report["emptied_groups"]
    return f"; {emptied} groups emptied" if emptied else ""


def _sum(report: dict[str, Any]) -> str:
    """Write the account of the rows as a sum."""
    words = {"too_easy": "too easy", "too_hard": "too hard", "over_target": "over target",
             "not_passing": "not passing", "same_task": "same task"}  # fmt: skip
    parts = [f"- {count} {words.get(name, name)}" for name, count in report["row_fates"].items()
             if count and name != "kept"]  # fmt: skip
    return " ".join([str(report["rows"]), *parts, f"= {report['kept']} kept"])


def _difficulty(report: dict[str, Any]) -> str:
    """Say which rows the pass rates come from, which rows are trained on, and how firm it is."""
    sets = (f"difficulty measured on {report['scored']} scored rows, "
            f"training set {report['kept']} rows")  # fmt: skip
    firm = report["difficulty"]
    if firm["half_width"] is None:
        return sets
    return (f"{sets}; {firm['median_rollouts']:g} rollouts per kept task at the median, so a "
            f"measured rate is good to about ±{firm['half_width']:.2f}")  # fmt: skip


def _scan_lines(report: dict[str, Any]) -> list[Line]:
    """Write the reward scan as a small table: within a task, pooled, floor."""
    scanned = report["scanned"]
    head = f"  reward scan ({scanned['rows']} kept rows in {scanned['groups']} groups, copies out)"
    floor = scanned["floor"]
    tail = f": noise floor {floor:.2f}" if floor is not None else f": {scanned['why_no_floor']}"
    lines = [("scan", head + tail)]
    for name, one in report["correlations"].items():
        within, pooled = _signed(one["within"]), _signed(one["pooled"])
        mark = "  over the floor" if one["clears"] else ""
        undefined = "  never varies within a task" if one["within"] is None else ""
        lines.append(
            (f"scan.{name}", f"    {label(name):<16} within {within:>5}  pooled {pooled:>5}"
             f"{mark}{undefined}")
        )  # fmt: skip
    return lines


def _signed(value: float | None) -> str:
    return "n/a" if value is None else f"{value:+.2f}"


def _remarks(report: dict[str, Any]) -> list[Line]:
    """Write unscored reasons, notes and warnings."""
    reasons = [(f"{count} {why}") for why, count in report["unscored_reasons"].items()]
    lines = [("row_gates", f"  unscored: {', '.join(reasons)}")] if reasons else []
    lines += [("notes", f"  note: {one}") for one in report["notes"]]
    return lines + [("scan", f"  warning: {one}") for one in report["warnings"]]


def sft_lines(report: dict[str, Any]) -> list[Line]:
    """Return the lines of the SFT report in order."""
    per_task = report["completions_per_task"]
    lines = [
        ("sft", f"sft selection: kept {report['kept']} of {report['rows']} rows"),
        ("sft", f"  eligible {report['eligible']} tasks (reward >= {report['min_reward']:g}), "
         f"not passing {report['not_passing']}, incomplete {report['incomplete']}, "
         f"unscored {report['unscored']}"),
        ("sft", f"  distinct behaviours: {report['distinct_behaviors']}, covered: "
         f"{report['behaviors_covered']}"),
        ("sft", f"  rows: {_sum(report)}"),
    ]  # fmt: skip
    if per_task["max"] is not None:
        lines.append(("sft", f"  scored completions per task: mean {per_task['mean']:.4g}, median "
                      f"{per_task['median']:g}, max {per_task['max']}; choosing among completions "
                      "takes 10 to 30"))  # fmt: skip
    if report["pass_filter"]:
        lines.append(("sft", "  what ran: a pass filter. With rewards of 0 and 1, \"best of n\" "
                      "and a random pick among the passes have the same mean reward; the control "
                      "for the filter is a random pick among all rows"))  # fmt: skip
    else:
        lines.append(("sft", "  what ran: the best reward of each task; its control is a random "
                      "pick among the same task's rows"))  # fmt: skip
    return lines + _remarks(report)
