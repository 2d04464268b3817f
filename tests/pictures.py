"""Selections the tests of the pictures share."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

import whilecore as wc
from whilecore.selection import Selection

HAND = pd.DataFrame(
    {
        # a: one pass, two copies of it, one fail; b: all pass; c: one of six passes, all differ
        "task": list("aaaa") + list("bb") + list("cccccc"),
        "reward": [1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0],
        "reply_key": [0, 0, 0, 1, 0, 1, 0, 1, 2, 3, 4, 5],
        "reply_chars": [10, 10, 10, 30, 5, 6, 9, 8, 7, 6, 5, 4],
        "true_pass_rate": [0.6] * 4 + [0.9] * 2 + [0.1] * 6,
    }
)


def hand() -> Selection:
    """Return 12 rows: 2 copies, 2 unanimous rows, 6 rows of a task that is too hard, 2 kept."""
    return wc.Rollouts.from_frame(HAND).select(mode="rl")


def printed() -> Selection:
    """Return the RL selection of the course page's 64 rows."""
    return wc.printed_run().select(mode="rl")


def big() -> Selection:
    """Return 32 tries of 16 tasks, four times as many rows as the waterfall draws marks."""
    task = np.repeat(np.arange(16), 32)
    frame = pd.DataFrame({"task": task, "reward": (np.arange(512) * 7 % 5 < 3).astype(int)})
    return wc.Rollouts.from_frame(frame).select(mode="rl")


def nothing() -> Selection:
    """Return the selection of a table without rows."""
    frame = pd.DataFrame({"task": [], "reward": []})
    return wc.Rollouts.from_frame(frame).select(mode="rl")


def text_of(pushed: dict[str, Any]) -> str:
    """Return everything that would reach a browser as one text."""
    return json.dumps(pushed, default=lambda value: np.asarray(value).tolist(), ensure_ascii=False)


FATE_WORDS = ("duplicate", "unanimous", "kept", "too_", "row_gates", "agree", "easy", "hard")
