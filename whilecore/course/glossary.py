"""The course's words: at most fifteen, one plain sentence each.

``term`` marks a word where it is first used. Pressing it shows the sentence in a popover, which
the browser opens, places and closes by itself: keyboard and touch work, and no script is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

import marimo as mo

TERMS: Final = {
    "task": "One request the agent could get; every try of it starts from the same words.",
    "rollout": "One try at a task, from the request to the last reply; a row of the table.",
    "group": "All rollouts of one task.",
    "repeats": "How many times each task is tried, written k.",
    "reward": "The number a judge gives one rollout, from 0 for bad to 1 for good.",
    "pass rate": "The share of a task's scored rollouts whose reward reaches the pass mark.",
    "advantage": "How far a rollout's reward lies above or below its group's average: its push.",
    "GRPO": "Training that pushes each rollout up or down by its advantage within its group.",
    "unanimous": "Said of a group whose rollouts all got the same reward, so nothing is pushed.",
    "band": "The range of pass rates a task must lie in to be kept for training.",
    "duplicate": "A rollout that repeats an earlier one of its task word for word.",
    "rejection sampling": "Trying a task several times and keeping only replies that passed.",
    "reward correlation": "How closely the reward follows a feature, such as length, within tasks.",
    "noise floor": "What the largest correlation of shuffled rewards stays under 95 times in 100.",
    "interval": "The range of true values that the rows seen would not make surprising.",
}


def term(name: str, text: str = "") -> str:
    """Return a word with its definition behind it, as HTML for its first use in a lesson.

    Args:
        name: A key of ``TERMS``.
        text: The word as the sentence has it, such as "rollouts"; the key, unless told.

    Raises:
        KeyError: If the glossary has no such word.
    """
    if name not in TERMS:
        raise KeyError(f"the glossary has {', '.join(TERMS)}; got {name!r}")
    key = _key(name)
    return (
        f'<button type="button" class="wc-term" popovertarget="{key}">{escape(text or name)}'
        f'</button><span class="wc-definition" popover="auto" id="{key}"><b>{escape(name)}</b> '
        f"{escape(TERMS[name], quote=False)}</span>"
    )


def glossary(names: Iterable[str] = TERMS) -> mo.Html:
    """Return the list of words for the foot of a page."""
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(TERMS[name], quote=False)}</dd>" for name in names
    )
    return mo.Html(
        '<details class="wc-glossary"><summary>Words used in this course</summary>'
        f"<dl>{rows}</dl></details>"
    )


def _key(name: str) -> str:
    """Return the id of a word's definition."""
    return f"wc-def-{name.replace(' ', '-').lower()}"
