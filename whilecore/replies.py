"""From (task, mistake, wording) to the words of a reply.

Text is made once per distinct reply and shared by all the rows that say it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

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


def write(asks: Asks, task: Ints, mistake: Ints, wording: Ints) -> Objects:
    """Write replies.

    Args:
        asks: The tasks.
        task: Number of the task of each reply, shape (n,).
        mistake: From ``SeededAgent.mistakes``.
        wording: From ``SeededAgent.wordings``.

    Returns:
        Object array of n texts.
    """
    rest, closer = np.divmod(wording, len(CLOSERS))
    opener, form = np.divmod(rest, FORMS)
    case, kind = asks.case[task], kind_of(mistake)
    row = np.where(asks.lookup[task], 0, 1)
    row = np.where(case == MISSING, 2, np.where(case == FAILING, 3, row))
    core = np.where(kind == IGNORED, 4 * FORMS + (mistake - 1) % WAYS, row * FORMS + form)
    text = fill(CORES, core, asks.fields, task)
    fresh = np.flatnonzero(NEW_SENTENCE[mistake])
    text[fresh] = sentence_case(text[fresh])
    before, after = BEFORE[mistake], AFTER[mistake]
    leaks = np.flatnonzero(kind == LEAK)
    if leaks.size:
        for part, table in ((before, BEFORE), (after, AFTER)):
            part[leaks] = fill(table.tolist(), mistake[leaks], asks.fields, task[leaks])
    return sentence_case(
        np.array(OPENERS, object)[opener]
        + before
        + text
        + after
        + np.array(CLOSERS, object)[closer]
    )


def same_words(mistake: Ints, wording: Ints) -> Ints:
    """Return one number per (mistake, wording), equal exactly where a task's replies are equal.

    Convention:
        A false claim has no form of its own, so its form does not count.
    """
    closers = len(CLOSERS)
    formless = wording // (FORMS * closers) * (FORMS * closers) + wording % closers
    words = np.where(kind_of(mistake) == IGNORED, formless, wording)
    return mistake * (len(OPENERS) * FORMS * closers) + words
