"""From (task, mistake, wording) to the words of a reply.

Text is made once per distinct reply and shared by all the rows that say it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import features
from whilecore.agent import KINDS, WAYS
from whilecore.asks import FAILING, MISSING, Asks
from whilecore.wordings import (
    ACTION_REPLIES,
    ADDED,
    CLAIMS,
    CLOSERS,
    FAILURE_REPLIES,
    FORMS,
    LOOKUP_REPLIES,
    MISSING_REPLIES,
    OPENERS,
    fill,
    sentence_case,
)

Objects = npt.NDArray[np.object_]
Ints = npt.NDArray[np.int64]

CORES: Final = (
    *LOOKUP_REPLIES,
    *ACTION_REPLIES,
    *MISSING_REPLIES,
    *FAILURE_REPLIES,
    *CLAIMS,
)
"""What a reply says at heart: eight forms of four honest replies, and the false claims."""

IGNORED: Final = KINDS.index("ignored_failure")
LEAK: Final = KINDS.index("leak")


def _table(side: int) -> Objects:
    """List what stands before (0) or after (1) the core, by mistake number."""
    texts = [""]
    for kind in KINDS:
        texts += [pair[side] for pair in ADDED.get(kind, (("", ""),) * WAYS)]
    return np.array(texts, dtype=object)


BEFORE, AFTER = _table(0), _table(1)
NEW_SENTENCE: Final = np.array([text.endswith((". ", "! ")) for text in BEFORE])


def kind_of(mistake: Ints) -> Ints:
    """Return the position in ``KINDS`` of each mistake; −1 for an honest try."""
    return np.where(mistake == 0, -1, (mistake - 1) // WAYS)


def write(
    asks: Asks, task: Ints, mistake: Ints, wording: Ints
) -> tuple[Objects, dict[str, npt.NDArray[Any]]]:
    """Write replies and read their features.

    Args:
        asks: The tasks.
        task: Number of the task of each reply, shape (n,).
        mistake: From ``SeededAgent.mistakes``.
        wording: From ``SeededAgent.wordings``.

    Returns:
        Object array of n texts, and what ``features.text_features`` finds in them.

    Convention:
        Habits are looked for in the parts of a reply, each part once. Greetings and closings
        have none, and no habit spans two parts.
    """
    rest, closer = np.divmod(wording, len(CLOSERS))
    opener, form = np.divmod(rest, FORMS)
    kind = kind_of(mistake)
    text, habits = _cores(asks, task, mistake, form)
    fresh = np.flatnonzero(NEW_SENTENCE[mistake])
    text[fresh] = sentence_case(text[fresh])
    before, after = BEFORE[mistake], AFTER[mistake]
    leaks = np.flatnonzero(kind == LEAK)
    for part, table in ((before, BEFORE), (after, AFTER)):
        part[leaks] = fill(table.tolist(), mistake[leaks], asks.fields, task[leaks])
    start, end = np.array(OPENERS, object)[opener], np.array(CLOSERS, object)[closer]
    text = sentence_case(start + before + text + after + end)
    for name, added in _added_habits().items():
        habits[name] |= added[mistake]
    for name, found in features.habits(text[leaks]).items():
        habits[name][leaks] = found
    return text, features.lengths(text) | habits


def _cores(
    asks: Asks, task: Ints, mistake: Ints, form: Ints
) -> tuple[Objects, dict[str, npt.NDArray[Any]]]:
    """Write the heart of each reply, once per distinct (task, sentence)."""
    case = asks.case[task]
    row = np.where(asks.lookup[task], 0, 1)
    row = np.where(case == MISSING, 2, np.where(case == FAILING, 3, row))
    claims = kind_of(mistake) == IGNORED
    which = np.where(claims, 4 * FORMS + (mistake - 1) % WAYS, row * FORMS + form)
    codes, pairs = pd.factorize(task * len(CORES) + which)
    its_task, sentence = np.divmod(np.asarray(pairs, np.int64), len(CORES))
    texts = fill(CORES, sentence, asks.fields, its_task)
    return texts[codes], {name: found[codes] for name, found in features.habits(texts).items()}


@cache
def _added_habits() -> dict[str, npt.NDArray[Any]]:
    """Return which habits each mistake adds, by mistake number."""
    return features.habits(sentence_case(BEFORE + AFTER))


def same_words(mistake: Ints, wording: Ints) -> Ints:
    """Return one number per (mistake, wording), equal exactly where a task's replies are equal.

    Convention:
        A false claim has no form of its own, so its form does not count.
    """
    closers = len(CLOSERS)
    formless = wording // (FORMS * closers) * (FORMS * closers) + wording % closers
    words = np.where(kind_of(mistake) == IGNORED, formless, wording)
    return mistake * (len(OPENERS) * FORMS * closers) + words
