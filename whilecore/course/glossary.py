"""The course's words: at most fifteen entries, one plain sentence each; two words may share one.

``term`` marks a word where it is first used. Pressing it shows the sentence in a popover, which
the browser opens, places and closes by itself: keyboard and touch work, and no script is needed.
"""

from __future__ import annotations

from html import escape
from typing import Final

import marimo as mo

TERMS: Final = {
    "task": "One request the agent could get; every try of it starts from the same words.",
    "rollout": "One try at a task, from the request to the last reply; a row of the table.",
    "group and repeats": "All rollouts of one task; how many those are is its repeats, written k.",
    "judge and reward": "What grades rollouts, and the number it gives: from 0, bad, to 1, good.",
    "pass rate and pass@k": "The share of a task's scored rollouts that pass, and the chance that "
    "any of k passes.",
    "advantage and GRPO": "How far a reward lies from its group's average, and training that "
    "pushes by it.",
    "unanimous": "Said of a group whose rollouts all got the same reward, so nothing is pushed.",
    "band": "The range of pass rates a task must lie in to be kept for training.",
    "gate and leak": "A rule that takes rows out; one such takes replies that recite the hidden "
    "answer key.",
    "duplicate": "A copy: a rollout that repeats an earlier one of its task word for word.",
    "SFT and rejection sampling": "Training that copies replies, and copying only such as passed "
    "among several tries.",
    "reward correlation": "How closely the reward follows a feature, such as length, within tasks.",
    "noise floor": "What the largest correlation of shuffled rewards stays under 95 times in 100.",
    "interval": "The range of true values that the rows seen would not make surprising.",
    "seed": "The number that fixes every draw of chance: the same seed, the same run.",
}
WORDS: Final = {word: entry for entry in TERMS for word in entry.split(" and ")}


def term(name: str, text: str = "") -> str:
    """Return a word with its definition behind it, as HTML for its first use in a lesson.

    Args:
        name: A word of the glossary, such as "repeats"; it may share its entry with another.
        text: The word as the sentence has it, such as "rollouts"; the key, unless told.

    Raises:
        KeyError: If the glossary has no such word.
    """
    if name not in WORDS:
        raise KeyError(f"the glossary has {', '.join(WORDS)}; got {name!r}")
    entry = WORDS[name]
    key = _key(name)
    return (
        f'<button type="button" class="wc-term" popovertarget="{key}">{escape(text or name)}'
        f'</button><span class="wc-definition" popover="auto" id="{key}"><b>{escape(entry)}</b> '
        f"{escape(TERMS[entry], quote=False)}</span>"
    )


def glossary() -> mo.Html:
    """Return the list of words for the foot of a page."""
    return mo.Html(
        '<details class="wc-glossary"><summary>Words used in this course</summary>'
        f"{definitions()}</details>"
    )


def definitions() -> str:
    """Return every entry with its sentence as HTML."""
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text, quote=False)}</dd>"
        for name, text in TERMS.items()
    )
    return f"<dl>{rows}</dl>"


def _key(name: str) -> str:
    """Return the id of a word's definition."""
    return f"wc-def-{name.replace(' ', '-').replace('@', '-at-').lower()}"
