"""The asks a customer could send, drawn from the tools' parameters.

About three in four asks name what they are about and the tool knows it; one in eight leaves the
id out, so that the right move is to ask for it; one in eight leads to a call that fails. Ask i
depends on (seed, i) alone: a bigger budget adds asks and changes none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import wordings
from whilecore.answers import (
    ANSWERED,
    FAILING,
    MISSING,
    Block,
    Draw,
    Ints,
    Objects,
    Pick,
    draw_arguments,
    objects,
    picker,
    repeat,
    result_of,
    words_for,
)
from whilecore.streams import uniform
from whilecore.subjects import Subject
from whilecore.wordings import fill, sentence_case

__all__ = ["ANSWERED", "FAILING", "MISSING", "Asks", "draw_asks"]

SHARES: Final = (0.75, 0.12, 0.13)
"""How often each of them is drawn."""


@dataclass(frozen=True, eq=False)
class Asks:
    """Drawn asks, one entry per task in every array.

    Attributes:
        labels: "T000", "T001", ...; the width does not depend on how many are drawn.
        prompts: What the customer writes.
        codes: Identity of the prompt, equal for two tasks exactly if their prompts are.
        case: ``ANSWERED``, ``MISSING`` or ``FAILING``.
        lookup: Whether the task's tool only reads.
        down: Of a failing call, whether the service is down (else nothing was found).
        behavior: What the agent does: the tool it calls and how that ends, or that it asks.
        fields: Words for the replies, by the names the sentences use.
        blocks: The tasks by tool.
    """

    labels: Objects
    prompts: Objects
    codes: Objects
    case: Ints
    lookup: npt.NDArray[np.bool_]
    down: npt.NDArray[np.bool_]
    behavior: Objects
    fields: dict[str, Objects]
    blocks: tuple[Block, ...]

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.labels)

    @property
    def tool_calls(self) -> Ints:
        """Calls made: none, one, or two where the service is down and the agent tries again."""
        calls = np.where(self.case == MISSING, 0, 1)
        return np.where((self.case == FAILING) & self.down, 2, calls)

    def steps(self) -> Objects:
        """Return the tool calls of each task as lists made anew, which the caller may change."""
        if len(self.blocks) == 1:
            return objects(self.blocks[0].calls(self.case, self.down))
        out = np.empty(len(self), dtype=object)
        for block in self.blocks:
            out[block.tasks] = objects(block.calls(self.case[block.tasks], self.down[block.tasks]))
        return out


def draw_asks(subjects: tuple[Subject, ...], seed: int, n_tasks: int) -> Asks:
    """Draw the first ``n_tasks`` asks of a seed.

    Args:
        subjects: The words of each tool, from ``subject_of``.
        seed: Whole number of at least 0.
        n_tasks: How many.

    Returns:
        The asks; entry i is the same whatever ``n_tasks`` is.

    Convention:
        A tool without parameters has no id that could be missing: those asks are answered.
        Small draws are kept, because a slider asks for the same ones again and again.
    """
    return _kept(subjects, seed, n_tasks) if n_tasks <= 1024 else _draw(subjects, seed, n_tasks)


def _draw(subjects: tuple[Subject, ...], seed: int, n_tasks: int) -> Asks:
    which = picker(seed, np.arange(n_tasks))(Draw.SUBJECT, len(subjects))
    parts, blocks = [], []
    for number, subject in enumerate(subjects):
        tasks = np.flatnonzero(which == number)
        pick = picker(seed, tasks)
        arguments, texts = draw_arguments(subject, pick)
        fields = words_for(subject, texts, pick, len(tasks))
        result, keys = result_of(subject, arguments, fields, pick)
        parts.append((tasks, _columns(subject, seed, tasks, fields, pick)))
        blocks.append(Block(subject, tasks, arguments, result, keys))
    whole = _gather(parts, n_tasks)
    prompts = whole.pop("prompts")
    return Asks(
        labels=np.array([f"T{number:03d}" for number in range(n_tasks)], dtype=object),
        prompts=prompts,
        codes=_identity(prompts),
        case=whole.pop("case"),
        lookup=whole.pop("lookup"),
        down=whole.pop("down"),
        behavior=whole.pop("behavior"),
        fields=whole,
        blocks=tuple(blocks),
    )


_kept = lru_cache(maxsize=32)(_draw)


def _columns(
    subject: Subject, seed: int, tasks: Ints, fields: dict[str, Objects], pick: Pick
) -> dict[str, npt.NDArray[Any]]:
    """Draw what each ask leads to and write its prompt."""
    n = len(tasks)
    u = uniform(seed, "asks", tasks, Draw.CASE)
    case = (u >= SHARES[0]).astype(np.int64) + (u >= SHARES[0] + SHARES[1])
    if subject.key < 0:
        case[case == MISSING] = ANSWERED
    down = uniform(seed, "asks", tasks, Draw.DOWN) < 0.4
    why = np.where(down, "the service is down right now", "the system has no record of it")
    ask = "Could you check the " + fields["noun"] + "?"
    end = np.where(down, "service unavailable", "not found").astype(object)
    call = fields["value"] if subject.key >= 0 else repeat("", n)
    call = f"{subject.tool}(" + call + ") -> "
    good = repeat("found" if subject.lookup else "done", n)
    kept = fields["status"] if subject.lookup else good
    ends = np.where(case == ANSWERED, kept, "error: " + end)
    key = np.where(case == MISSING, "no call -> ask for the " + fields["noun"], call + ends)
    done = np.where(down, f"{subject.tool} twice: ", f"{subject.tool}: ").astype(object) + end
    acts = np.where(case == ANSWERED, f"{subject.tool}: " + good, done)
    known = wordings.LOOKUP_PROMPTS if subject.lookup else wordings.ACTION_PROMPTS
    form = np.where(case == MISSING, wordings.FORMS, 0) + pick(Draw.FORM, wordings.FORMS)
    return fields | {
        "prompts": sentence_case(fill((*known, *wordings.MISSING_PROMPTS), form, fields)),
        "case": case,
        "down": down,
        "lookup": np.full(n, subject.lookup),
        "why": why.astype(object),
        "next": np.where(down, "I will try again in an hour.", ask).astype(object),
        "key": key,
        "behavior": np.where(case == MISSING, f"asked for the {subject.noun}", acts),
    }


def _gather(
    parts: list[tuple[Ints, dict[str, npt.NDArray[Any]]]], n_tasks: int
) -> dict[str, npt.NDArray[Any]]:
    """Put the columns of several tools back into task order, read-only."""
    if len(parts) == 1:
        whole = parts[0][1]
    else:
        whole = {
            name: np.empty(n_tasks, dtype=column.dtype) for name, column in parts[0][1].items()
        }
        for tasks, columns in parts:
            for name, column in columns.items():
                whole[name][tasks] = column
    for column in whole.values():
        column.flags.writeable = False
    return whole


def _identity(prompts: Objects) -> Objects:
    """Return a code per prompt that depends on its text alone."""
    hashes = pd.util.hash_array(prompts, categorize=False).tolist()
    return objects([f"{one:016x}" for one in hashes])
