"""Tasks that are in the training set and in the held-out set: a score on them proves nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import shingles
from whilecore.rollouts import Rollouts
from whilecore.texts import shown

Objects = npt.NDArray[np.object_]

KINDS: Final = ("same task", "same text", "near copy")
NAMED: Final = 5  # pairs named in print


@dataclass(frozen=True)
class Pair:
    """A training task and a held-out task that are one.

    Attributes:
        train: Label of the training task.
        held_out: Label of the held-out task.
        kind: One of ``KINDS``, the first that applies.
        similarity: Jaccard similarity of their texts, 1 for the same text; NaN where it was not
            measured (no text, or under the threshold).
    """

    train: str
    held_out: str
    kind: str
    similarity: float


@dataclass(frozen=True)
class Overlap:
    """What two sets of tasks have in common. Prints itself.

    Attributes:
        pairs: Every pair, by kind, then the most similar first.
        tasks: Held-out tasks looked at.
        notes: Sentences on what could not be compared.
    """

    pairs: tuple[Pair, ...] = field(repr=False)
    tasks: int
    notes: tuple[str, ...] = ()

    @property
    def leaked(self) -> tuple[str, ...]:
        """Labels of the held-out tasks to leave out, each once, sorted."""
        return tuple(sorted({pair.held_out for pair in self.pairs}))

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.pairs)

    def __str__(self) -> str:
        """Return how many held-out tasks are affected, the pairs of each kind, and the notes."""
        lines = [f"{len(self.leaked)} of {self.tasks} held-out tasks are in the training set"]
        for kind in KINDS:
            pairs = [pair for pair in self.pairs if pair.kind == kind]
            if pairs:
                lines.append(f"{kind}: {len(pairs)} pairs: {_named(pairs)}")
        return "\n".join([*lines, *self.notes])


def overlap(
    train: Rollouts, held_out: Rollouts, *, threshold: float = 0.7, same_numbers: bool = True
) -> Overlap:
    """Find the held-out tasks that are in the training set, by name, by text, or nearly.

    same task: the same label. same text: equal after folding case, spaces, punctuation and the
    form of accents. near copy: |A∩B| / |A∪B| ≥ threshold over the sets A and B of all runs of 5
    characters of the two texts (Jaccard similarity of shingles).

    Args:
        train: Rollouts trained on, graded or not. ``prompt`` is the text of a task; a task may
            have several.
        held_out: Rollouts to be judged by.
        threshold: Least similarity of a near copy, above 0 and at most 1.
        same_numbers: A near copy must hold the same numbers and codes (words with a digit). Asks
            made from one template differ in nothing else: "order 12" and "order 13" are two
            tasks. False finds such pairs too.

    Returns:
        Every pair of tasks, and the held-out labels to leave out.

    Raises:
        TypeError: If one is no `Rollouts`.
        ValueError: For a threshold outside (0, 1].

    Convention:
        Near copies are searched by MinHash, which misses at most 5 in 10,000 pairs at the
        threshold, and measured exactly. At 0.7 a word changed in a sentence of ten is mostly a
        near copy; a paraphrase in other words, a translation, or a question quoted inside a longer
        text is not found. Look at near copies before leaving them out.

    Source:
        Broder 1997 (resemblance of documents); Lee et al. 2022, arXiv:2107.06499 (near duplicates
        by Jaccard similarity). Differs: characters in place of words, since asks are short.

    >>> def asks(**texts):
    ...     table = {"task": list(texts), "prompt": list(texts.values())}
    ...     return Rollouts.from_frame(pd.DataFrame(table))
    >>> print(overlap(asks(a="Where is order 12?", b="Cancel it."), asks(c="where is order 12")))
    1 of 1 held-out tasks are in the training set
    same text: 1 pairs: a = c
    """
    for name, given in (("train", train), ("held_out", held_out)):
        if not isinstance(given, Rollouts):
            raise TypeError(
                f"{name} must be Rollouts, got {type(given).__name__}; build it with "
                "Rollouts.from_frame or read_rollouts"
            )
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must lie above 0 and at most at 1, got {threshold!r}")
    labels = pd.DataFrame({"label": np.intersect1d(train.task_labels, held_out.task_labels)})
    found = [
        pd.DataFrame(
            {"train": labels["label"], "held_out": labels["label"], "kind": 0, "alike": np.nan}
        )
    ]
    first, second = _texts(train), _texts(held_out)
    notes = [
        f"{name} holds no text (prompt), so tasks were compared by label alone"
        for name, side in (("train", first), ("held_out", second))
        if side.empty
    ]
    if not notes:
        found += _by_text(first, second, threshold, same_numbers)
    pairs = _pairs(pd.concat(found, ignore_index=True))
    if not notes:
        notes += _notes(pairs)
    return Overlap(pairs, held_out.n_tasks, tuple(notes))


def _texts(run: Rollouts) -> pd.DataFrame:
    """Return the distinct plain texts of every task, columns task and text."""
    if "prompt" not in run.frame:
        return pd.DataFrame({"task": [], "text": []}, dtype=object)
    codes, raw = pd.factorize(run.frame["prompt"].astype(object))
    folded = np.array([shingles.plain(str(text)) for text in raw] + [""], object)
    table = pd.DataFrame({"task": run.task_labels[run.task_codes], "text": folded[codes]})
    return table[table["text"] != ""].drop_duplicates()


def _by_text(
    train: pd.DataFrame, held_out: pd.DataFrame, threshold: float, same_numbers: bool
) -> list[pd.DataFrame]:
    """Return the pairs with the same text and the near copies."""
    codes, texts = pd.factorize(np.concatenate([train["text"], held_out["text"]]))
    first = train.assign(code=codes[: len(train)])
    second = held_out.assign(code=codes[len(train) :])
    same = first.merge(second, on="code", suffixes=("", "_held"))
    key = np.zeros(len(texts), np.int64)
    if same_numbers:
        key = pd.factorize(np.array([shingles.numbers(text) for text in texts], object))[0]
    a, b, alike = shingles.near_pairs(
        texts.tolist(), first["code"].unique(), second["code"].unique(), threshold, key
    )
    near = pd.DataFrame({"code": a, "other": b, "alike": alike})
    near = near.merge(first, on="code").merge(
        second, left_on="other", right_on="code", suffixes=("", "_held")
    )
    return [
        pd.DataFrame(
            {"train": some["task"], "held_out": some["task_held"], "kind": kind, "alike": alike}
        )
        for some, kind, alike in ((same, 1, 1.0), (near, 2, near["alike"]))
    ]


def _pairs(found: pd.DataFrame) -> tuple[Pair, ...]:
    """Keep one entry per pair of tasks: its first kind, its largest similarity."""
    best = found.groupby(["train", "held_out"], as_index=False).agg({"kind": "min", "alike": "max"})
    best = best.sort_values(
        ["kind", "alike", "train", "held_out"], ascending=[True, False, True, True]
    )
    rows = zip(best["train"], best["held_out"], best["kind"], best["alike"], strict=True)
    return tuple(Pair(str(a), str(b), KINDS[int(kind)], float(x)) for a, b, kind, x in rows)


def _notes(pairs: Sequence[Pair]) -> list[str]:
    """Say where a label stands over different texts."""
    other = [pair for pair in pairs if pair.kind == KINDS[0] and not pair.similarity > 0]
    if not other:
        return []
    return [
        f"{len(other)} of the same labels stand over different texts, the first {other[0].train}; "
        "if labels are row numbers, give tasks names of their own"
    ]


def _named(pairs: Sequence[Pair]) -> str:
    """Name a few pairs."""
    names = []
    for pair in pairs[:NAMED]:
        left, right = shown(pair.train, 30), shown(pair.held_out, 30)
        name = left if left == right else f"{left} = {right}"
        names.append(name + (f" ({pair.similarity:.2f})" if pair.kind == KINDS[2] else ""))
    return ", ".join(names) + (f" and {len(pairs) - NAMED} more" if len(pairs) > NAMED else "")
