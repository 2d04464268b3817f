"""Lesson 5 runs at both ends of its controls and shows what the core scans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tests.test_lessons import FOLDER, run
from whilecore.reward_scan import scan

FIFTH = FOLDER / "05_what_the_reward_tracks.py"


def fifth(**settings: int | str) -> Mapping[str, Any]:
    """Run lesson 5 by a link and return what its cells define."""
    return run(FIFTH, **settings)


@pytest.mark.parametrize(
    ("judge", "judge_share", "repeats", "feature", "rows", "shuffles"),
    [
        ("answer_key", 100, 2, "hedging", "agent", 0),
        ("coin", 0, 32, "reply_chars", "agent", 999),
        ("names_the_order", 0, 2, "ignored_failure", "agent", 999),
        ("short_reply", 50, 32, "apology", "hard", 1),
        ("looked_up_and_led", 0, 8, "sycophancy", "figures", 100),
        ("long_reply", 0, 4, "boilerplate", "agent", 5),
    ],
)
def test_it_runs_at_both_ends_of_every_control(
    judge: str, judge_share: int, repeats: int, feature: str, rows: str, shuffles: int
) -> None:
    defs = fifth(judge=judge, judge_share=judge_share, repeats=repeats, feature=feature,
                 rows=rows, shuffles=shuffles, seed=9_999)  # fmt: skip
    assert len(defs["rl"].source) == 16 * repeats
    scanned = scan(defs["rollouts"], defs["rows"], seed=9_999).correlations[defs["name"]]
    assert defs["found"] == scanned


def test_what_is_shown_of_the_agent_is_what_the_report_scanned() -> None:
    defs = fifth()
    assert np.array_equal(defs["rows"], defs["rl"].kept)
    assert defs["found"] == defs["rl"].report["correlations"]["reply_chars"]
    assert defs["shuffled"].observed == pytest.approx(defs["found"]["within"])


def test_every_control_changes_what_is_scanned() -> None:
    start = fifth()["found"]
    moves: dict[str, dict[str, int | str]] = {
        "judge": {"judge": "coin"},
        "judge share": {"judge_share": 30},
        "repeats": {"repeats": 9},
        "seed": {"seed": 1},
        "feature": {"feature": "hedging"},
        "rows": {"rows": "hard"},
    }
    for name, move in moves.items():
        assert fifth(**move)["found"] != start, name
