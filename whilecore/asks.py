"""The asks a customer could send, drawn from the tools' parameters, and what the tools answer.

About three in four asks name what they are about and the tool knows it; one in eight leaves the
id out, so that the right move is to ask for it; one in eight leads to a call that fails. Ask i
depends on (seed, i) alone: a bigger budget adds asks and changes none.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import wordings
from whilecore.streams import uniform
from whilecore.subjects import Subject, values_of
from whilecore.wordings import fill, sentence_case

Objects = npt.NDArray[np.object_]
Ints = npt.NDArray[np.int64]
Pick = Callable[[int, int], Ints]

ANSWERED, MISSING, FAILING = 0, 1, 2
"""What an ask leads to: an answer, no id to look up, or a call that fails."""

SHARES: Final = (0.75, 0.12, 0.13)
"""How often each of them is drawn."""

DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
PARCEL_STATUS: Final = ("packed", "on its way", "out for delivery", "delayed", "in the depot",
                        "ready for pickup", "being prepared", "waiting for payment")  # fmt: skip
RECORD_STATUS: Final = ("active", "confirmed", "on hold", "open", "under review", "complete",
                        "waiting for approval", "scheduled")  # fmt: skip

_SUBJECT, _CASE, _DOWN, _FORM, _STATUS, _DAY, _REFERENCE, _ARGUMENT = range(8)


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
    """

    labels: Objects
    prompts: Objects
    codes: Objects
    case: Ints
    lookup: npt.NDArray[np.bool_]
    down: npt.NDArray[np.bool_]
    behavior: Objects
    fields: dict[str, Objects]
    _blocks: tuple[tuple[Subject, Ints, list[Objects], Objects], ...]

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
        out = np.empty(len(self), dtype=object)
        for subject, tasks, columns, results in self._blocks:
            names = [name for name, _ in subject.given]
            rows = zip(*columns, strict=True) if columns else [()] * len(tasks)
            ends = zip(self.case[tasks].tolist(), self.down[tasks].tolist(), results, strict=True)
            for task, row, end in zip(tasks.tolist(), rows, ends, strict=True):
                out[task] = _calls(subject.tool, names, row, *end)
        return out


def _calls(
    tool: str, names: list[str], values: tuple[Any, ...], case: int, down: bool, result: Any
) -> list[dict[str, Any]]:
    """Write out the calls of one task."""
    if case == MISSING:
        return []
    arguments = dict(zip(names, map(copy.copy, values), strict=True))
    if case == ANSWERED:
        return [{"tool": tool, "arguments": arguments, "result": copy.copy(result)}]
    if not down:
        return [{"tool": tool, "arguments": arguments, "error": "not found"}]
    return [
        {"tool": tool, "arguments": dict(arguments), "error": "service unavailable"}
        for _ in range(2)
    ]


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
    which = _picker(seed, np.arange(n_tasks))(_SUBJECT, len(subjects))
    parts, blocks = [], []
    for number, subject in enumerate(subjects):
        tasks = np.flatnonzero(which == number)
        pick = _picker(seed, tasks)
        columns, texts = _arguments(subject, pick)
        fields, results = _fields(subject, texts, pick, len(tasks))
        parts.append((tasks, _columns(subject, seed, tasks, fields, pick)))
        blocks.append((subject, tasks, columns, results))
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
        _blocks=tuple(blocks),
    )


_kept = lru_cache(maxsize=32)(_draw)


def _picker(seed: int, tasks: Ints) -> Pick:
    """Return a function that picks, for each task, one of so many in the field named."""

    def pick(field: int, among: int) -> Ints:
        return (uniform(seed, "asks", tasks, field) * among).astype(np.int64)

    return pick


def _arguments(subject: Subject, pick: Pick) -> tuple[list[Objects], list[Objects]]:
    """Draw the arguments of every call: the values, and how the customer writes them."""
    values, texts = [], []
    for place, (name, schema) in enumerate(subject.given):
        pool, written = values_of(name, schema, subject.thing)
        index = pick(_ARGUMENT + place, len(pool))
        values.append(pool[index])
        texts.append(written[index])
    return values, texts


def _fields(
    subject: Subject, texts: list[Objects], pick: Pick, n: int
) -> tuple[dict[str, Objects], Objects]:
    """Return the words for prompts and replies, and the results of the calls."""
    same = {name: _repeat(getattr(subject, name), n) for name in ("noun", "topic", "do", "do_it")}
    if subject.key < 0:
        it, value = _repeat(f"the {subject.topic}", n), _repeat("", n)
    else:
        value = texts[subject.key]
        it = f"{subject.thing} " + value
    extra = [
        " ".join(name.split("_")) + " " + text
        for place, ((name, _), text) in enumerate(zip(subject.given, texts, strict=True))
        if place != subject.key
    ]
    joined: Any = " ("
    for place, text in enumerate(extra):
        joined = joined + (", " + text if place else text)
    more = joined + ")" if extra else _repeat("", n)
    status = _take(PARCEL_STATUS if subject.parcel else RECORD_STATUS, pick(_STATUS, 8))
    when = ("expected " if subject.parcel else "updated ") + _take(DAYS, pick(_DAY, 6))
    reference = "R-" + (1000 + pick(_REFERENCE, 9000)).astype(str).astype(object)
    fields = same | {"it": it, "value": value, "extra": more, "status": status, "when": when}
    fields["receipt"] = "reference " + reference
    results = _results(subject, fields, reference, pick)
    fields["claim"] = (
        fields["status"] + ", " + fields["when"] if subject.lookup else _repeat("done", n)
    )
    return fields, results


def _results(
    subject: Subject, fields: dict[str, Objects], reference: Objects, pick: Pick
) -> Objects:
    """Make the results of the calls, and let the words say no more than they do."""
    status, when, n = fields["status"], fields["when"], len(reference)
    name = subject.given[subject.key][0] if subject.key >= 0 else "name"
    label = "expected" if subject.parcel else "updated"
    if subject.returns == "object":
        second, third = (status, when) if subject.lookup else (_repeat("done", n), reference)
        names = (name, "status", label if subject.lookup else "reference")
        day = [text.removeprefix(f"{label} ") for text in third]
        rows = zip(fields["value"], second, day, strict=True)
        return _objects([dict(zip(names, row, strict=True)) for row in rows])
    if subject.returns == "string":
        return status + ", " + when if subject.lookup else "done, " + fields["receipt"]
    fields["receipt"] = _repeat("confirmed by the system", n)
    fields["when"] = _repeat("as the system has it", n)
    if subject.returns in ("integer", "number"):
        numbers = (2 + pick(_STATUS, 90)).astype(object)
        fields["status"] = "at " + numbers.astype(str).astype(object)
        return numbers
    fields["status"] = _repeat("confirmed", n)
    return _objects([["confirmed"] if subject.returns == "array" else True for _ in range(n)])


def _columns(
    subject: Subject, seed: int, tasks: Ints, fields: dict[str, Objects], pick: Pick
) -> dict[str, npt.NDArray[Any]]:
    """Draw what each ask leads to and write its prompt."""
    n = len(tasks)
    u = uniform(seed, "asks", tasks, _CASE)
    case = (u >= SHARES[0]).astype(np.int64) + (u >= SHARES[0] + SHARES[1])
    if subject.key < 0:
        case[case == MISSING] = ANSWERED
    down = uniform(seed, "asks", tasks, _DOWN) < 0.4
    why = np.where(down, "the service is down right now", "the system has no record of it")
    ask = "Could you check the " + fields["noun"] + "?"
    end = np.where(down, "service unavailable", "not found").astype(object)
    call = fields["value"] if subject.key >= 0 else _repeat("", n)
    call = f"{subject.tool}(" + call + ") -> "
    good = _repeat("found" if subject.lookup else "done", n)
    kept = fields["status"] if subject.lookup else good
    ends = np.where(case == ANSWERED, kept, "error: " + end)
    key = np.where(case == MISSING, "no call -> ask for the " + fields["noun"], call + ends)
    done = np.where(down, f"{subject.tool} twice: ", f"{subject.tool}: ").astype(object) + end
    acts = np.where(case == ANSWERED, f"{subject.tool}: " + good, done)
    known = wordings.LOOKUP_PROMPTS if subject.lookup else wordings.ACTION_PROMPTS
    form = np.where(case == MISSING, wordings.FORMS, 0) + pick(_FORM, wordings.FORMS)
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
    return _objects([f"{one:016x}" for one in hashes])


def _take(options: tuple[str, ...], index: Ints) -> Objects:
    return np.array(options, dtype=object)[index]


def _repeat(text: str, n: int) -> Objects:
    return np.full(n, text, dtype=object)


def _objects(values: list[Any]) -> Objects:
    """Return an object array whose entries may be lists."""
    return np.fromiter(values, dtype=object, count=len(values))
