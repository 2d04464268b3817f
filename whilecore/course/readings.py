"""What a selection's numbers say, a sentence each: shared by the lessons with an account."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from whilecore.course.numbers import num
from whilecore.reward_scan import label
from whilecore.selection import Selection
from whilecore.texts import noun


def pass_rates(rl: Selection) -> str:
    """Say how the pass rate of what is kept differs from that of what was drawn, and why."""
    rollouts, cut = rl.source, rl.report["pass_at_least"]
    passed = rollouts.scored & (rollouts.reward >= cut)
    drawn = passed.sum() / max(rollouts.scored.sum(), 1)
    copies = rl.fate_names == "duplicate"
    if not len(rl.kept):
        return "Nothing is left to train on."
    dropped, passing = int(copies.sum()), int(passed[copies].sum())
    said = "No row is a copy." if not dropped else (
        f"{num('copies_passing', passing, ',')} of the "
        f"{num('rl.row_fates.duplicate', dropped, ',')} {noun(dropped, 'copy', 'copies')} "
        f"{noun(passing, 'is a pass', 'are passes')}."
    )  # fmt: skip
    return (
        f"{said} After all gates the pass rate has moved from "
        f"{num('pass_rate_drawn', drawn, '.0%')} of the scored rows to "
        f"{num('pass_rate_kept', passed[rl.kept].mean(), '.0%')} of the rows kept."
    )


def without_contrast(found: Mapping[str, Any]) -> str:
    """Say which tasks agree by themselves and which lost their contrast to a gate."""
    why = found["unanimous_groups"]
    return (
        "Of the tasks left without contrast, "
        f"{num('rl.unanimous_groups.as_drawn', why['as_drawn'], ',')} agreed as drawn; "
        f"{num('rl.unanimous_groups.after_gates', why['after_gates'], ',')} differed and lost it "
        "to an earlier gate, once copies and the rows of the row gates were taken out; "
        f"{num('rl.unanimous_groups.single', why['single'], ',')} had one scored try."
    )


def tracked(found: Mapping[str, Any]) -> str:
    """Say what clears the floor."""
    over = [(name, one) for name, one in found["correlations"].items() if one["clears"]]
    if found["scanned"]["why_no_floor"]:
        return f"No noise floor: {found['scanned']['why_no_floor']}. So nothing can be said."
    if not over:
        return (
            "No correlation clears the floor: luck alone could do as much. That does not show "
            "that there is none."
        )
    said = "; ".join(
        f"{escape(label(name))}: {num(f'rl.correlations.{name}.within', one['within'], '+.2f')} "
        f"within tasks, {num(f'rl.correlations.{name}.pooled', one['pooled'], '+.2f')} pooled, "
        f"against a floor of {num(f'rl.correlations.{name}.floor', one['floor'], '.2f')}"
        for name, one in over
    )
    return f"{said[0].upper()}{said[1:]}."


def band(found: Mapping[str, Any]) -> str:
    """Say how firm the measured rates are and what the band did."""
    firm = found["difficulty"]
    tasks = noun(found["band_dropped"], "task")
    dropped = f"The band drops {num('rl.band_dropped', found['band_dropped'], ',')} {tasks}"
    if firm["half_width"] is None:
        return f"{dropped}; none is kept."
    return (
        f"{dropped} ({num('rl.too_easy_groups', found['too_easy_groups'], ',')} too easy, "
        f"{num('rl.too_hard_groups', found['too_hard_groups'], ',')} too hard). {true_rate(found)}"
    )


def true_rate(found: Mapping[str, Any]) -> str:
    """Say how little the measured rate of a kept task tells of its true one."""
    firm = found["difficulty"]
    return (
        "At the median of the kept tasks, "
        f"{num('rl.difficulty.median_rollouts', firm['median_rollouts'], 'g')} "
        f"{noun(firm['median_rollouts'], 'try', 'tries')} leave true rates plausible from "
        f"{num('rl.difficulty.low', firm['low'], '.0%')} to "
        f"{num('rl.difficulty.high', firm['high'], '.0%')}."
    )
