"""The asks a customer could send, drawn from the tools' parameters, and what the tools answer.

About three in four asks name what they are about and the tool knows it; one in eight leaves the
id out, so that the right move is to ask for it; one in eight leads to a call that fails. Ask i
depends on (seed, i) alone: a bigger budget adds asks and changes none.
"""

from __future__ import annotations

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

REFERENCES: Final = tuple(f"R-{number}" for number in range(1000, 10000))

_SUBJECT, _CASE, _DOWN, _FORM, _STATUS, _DAY, _REFERENCE, _ARGUMENT = range(8)


@dataclass(frozen=True, eq=False)
class Block:
    """The tasks of one tool, and what goes into and comes out of its calls.

    Attributes:
        subject: The tool's words.
        tasks: Numbers of its tasks.
        arguments: One column per argument.
        result: Columns of the result; their names are in ``keys``.
        keys: Keys of a result that is a mapping; empty for a plain value.
    """

    subject: Subject
    tasks: Ints
    arguments: list[Objects]
    result: list[Objects]
    keys: tuple[str, ...]

    def calls(self, case: Ints, down: npt.NDArray[np.bool_]) -> list[list[dict[str, Any]]]:
        """Write out the tool calls of each task, every list and mapping made anew."""
        tool, names = self.subject.tool, [name for name, _ in self.subject.given]
        given: Any = zip(*self.arguments, strict=True) if names else [()] * len(self.tasks)
        shared = any(isinstance(column[0], list | dict) for column in self.arguments if len(column))
        out: list[list[dict[str, Any]]] = []
        for what, twice, row, end in zip(
            case.tolist(), down.tolist(), given, zip(*self.result, strict=True), strict=True
        ):
            if what == MISSING:
                out.append([])
                continue
            arguments = dict(zip(names, map(_own, row) if shared else row, strict=True))
            call: dict[str, Any] = {"tool": tool, "arguments": arguments}
            if what == ANSWERED:
                call["result"] = self._returned(end)
                out.append([call])
            elif twice:
                call["error"] = "service unavailable"
                out.append([call, call | {"arguments": arguments.copy()}])
            else:
                call["error"] = "not found"
                out.append([call])
        return out

    def _returned(self, end: tuple[Any, ...]) -> Any:
        """Build the result of one call."""
        return dict(zip(self.keys, end, strict=True)) if self.keys else _own(end[0])


def _own(value: Any) -> Any:
    """Copy what could be changed."""
    return value.copy() if isinstance(value, list | dict) else value


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
            return _objects(self.blocks[0].calls(self.case, self.down))
        out = np.empty(len(self), dtype=object)
        for block in self.blocks:
            out[block.tasks] = _objects(block.calls(self.case[block.tasks], self.down[block.tasks]))
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
    which = _picker(seed, np.arange(n_tasks))(_SUBJECT, len(subjects))
    parts, blocks = [], []
    for number, subject in enumerate(subjects):
        tasks = np.flatnonzero(which == number)
        pick = _picker(seed, tasks)
        arguments, texts = _arguments(subject, pick)
        fields = _fields(subject, texts, pick, len(tasks))
        result, keys = _result(subject, arguments, fields, pick)
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


def _fields(subject: Subject, texts: list[Objects], pick: Pick, n: int) -> dict[str, Objects]:
    """Return the words for prompts and replies."""
    same = {name: _repeat(getattr(subject, name), n) for name in ("noun", "topic", "do", "do_it")}
    value = texts[subject.key] if subject.key >= 0 else _repeat("", n)
    known = f"{subject.thing} " + value if subject.key >= 0 else _repeat(f"the {subject.topic}", n)
    extra: Any = ""
    for place, ((name, _), text) in enumerate(zip(subject.given, texts, strict=True)):
        if place != subject.key:
            extra = extra + (", " if isinstance(extra, np.ndarray) else " (")
            extra = extra + " ".join(name.split("_")) + " " + text
    label = "expected " if subject.parcel else "updated "
    day = _take(DAYS, pick(_DAY, len(DAYS)))
    reference = _take(REFERENCES, pick(_REFERENCE, len(REFERENCES)))
    status = PARCEL_STATUS if subject.parcel else RECORD_STATUS
    return same | {
        "it": known,
        "value": value,
        "extra": extra + ")" if isinstance(extra, np.ndarray) else _repeat("", n),
        "status": _take(status, pick(_STATUS, len(status))),
        "day": day,
        "when": label + day,
        "reference": reference,
        "receipt": "reference " + reference,
    }


def _result(
    subject: Subject, arguments: list[Objects], fields: dict[str, Objects], pick: Pick
) -> tuple[list[Objects], tuple[str, ...]]:
    """Return what a call gives back, and let the words say no more than that.

    Returns:
        Columns of the result, and its keys if it is a mapping.
    """
    n = len(fields["it"])
    keys: tuple[str, ...] = ()
    if subject.returns == "object":
        label = "expected" if subject.parcel else "updated"
        known = (fields["status"], fields["day"]), ("status", label)
        if not subject.lookup:
            known = (_repeat("done", n), fields["reference"]), ("status", "reference")
        about = slice(subject.key, subject.key + 1) if subject.key >= 0 else slice(0)
        result = [*arguments[about], *known[0]]
        keys = (*(name for name, _ in subject.given[about]), *known[1])
    elif subject.returns == "string":
        seen = fields["status"] + ", " + fields["when"]
        result = [seen if subject.lookup else "done, " + fields["receipt"]]
    else:
        fields["receipt"] = _repeat("confirmed by the system", n)
        fields["when"] = _repeat("as the system has it", n)
        fields["status"] = _repeat("confirmed", n)
        result = [_objects([["confirmed"] if subject.returns == "array" else True] * n)]
        if subject.returns in ("integer", "number"):
            result = [(2 + pick(_STATUS, 90)).astype(object)]
            fields["status"] = "at " + _objects([str(one) for one in result[0]])
    claim = fields["status"] + ", " + fields["when"]
    fields["claim"] = claim if subject.lookup else _repeat("done", n)
    return result, keys


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
    """Return one option per row."""
    return np.array(options, dtype=object)[index]


def _repeat(text: str, n: int) -> Objects:
    """Return the same words for every row."""
    return np.full(n, text, dtype=object)


def _objects(values: list[Any]) -> Objects:
    """Return an object array whose entries may be lists."""
    return np.fromiter(values, dtype=object, count=len(values))
