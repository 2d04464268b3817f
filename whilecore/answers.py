"""What the tools answer: the arguments of a call, its result, and the words that report it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.streams import uniform
from whilecore.subjects import Subject, values_of

Objects = npt.NDArray[np.object_]
Ints = npt.NDArray[np.int64]
Pick = Callable[[int, int], Ints]

ANSWERED, MISSING, FAILING = 0, 1, 2
"""What an ask leads to: an answer, no id to look up, or a call that fails."""

DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
PARCEL_STATUS: Final = ("packed", "on its way", "out for delivery", "delayed", "in the depot",
                        "ready for pickup", "being prepared", "waiting for payment")  # fmt: skip
RECORD_STATUS: Final = ("active", "confirmed", "on hold", "open", "under review", "complete",
                        "waiting for approval", "scheduled")  # fmt: skip

REFERENCES: Final = tuple(f"R-{number}" for number in range(1000, 10000))


class Draw(IntEnum):
    """The draws that belong to one ask, each a field of its stream."""

    SUBJECT = 0
    CASE = 1
    DOWN = 2
    FORM = 3
    STATUS = 4
    DAY = 5
    REFERENCE = 6
    ARGUMENT = 7


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


def picker(seed: int, tasks: Ints) -> Pick:
    """Return a function that picks, for each task, one of so many in the field named."""

    def pick(field: int, among: int) -> Ints:
        return (uniform(seed, "asks", tasks, field) * among).astype(np.int64)

    return pick


def draw_arguments(subject: Subject, pick: Pick) -> tuple[list[Objects], list[Objects]]:
    """Draw the arguments of every call: the values, and how the customer writes them."""
    values, texts = [], []
    for place, (name, schema) in enumerate(subject.given):
        pool, written = values_of(name, schema, subject.thing)
        index = pick(Draw.ARGUMENT + place, len(pool))
        values.append(pool[index])
        texts.append(written[index])
    return values, texts


def words_for(subject: Subject, texts: list[Objects], pick: Pick, n: int) -> dict[str, Objects]:
    """Return the words for prompts and replies."""
    same = {name: repeat(getattr(subject, name), n) for name in ("noun", "topic", "do", "do_it")}
    value = texts[subject.key] if subject.key >= 0 else repeat("", n)
    known = f"{subject.thing} " + value if subject.key >= 0 else repeat(f"the {subject.topic}", n)
    extra: Any = ""
    for place, ((name, _), text) in enumerate(zip(subject.given, texts, strict=True)):
        if place != subject.key:
            extra = extra + (", " if isinstance(extra, np.ndarray) else " (")
            extra = extra + " ".join(name.split("_")) + " " + text
    label = "expected " if subject.parcel else "updated "
    day = take(DAYS, pick(Draw.DAY, len(DAYS)))
    reference = take(REFERENCES, pick(Draw.REFERENCE, len(REFERENCES)))
    status = PARCEL_STATUS if subject.parcel else RECORD_STATUS
    return same | {
        "it": known,
        "value": value,
        "extra": extra + ")" if isinstance(extra, np.ndarray) else repeat("", n),
        "status": take(status, pick(Draw.STATUS, len(status))),
        "day": day,
        "when": label + day,
        "reference": reference,
        "receipt": "reference " + reference,
    }


def result_of(
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
            known = (repeat("done", n), fields["reference"]), ("status", "reference")
        about = slice(subject.key, subject.key + 1) if subject.key >= 0 else slice(0)
        result = [*arguments[about], *known[0]]
        keys = (*(name for name, _ in subject.given[about]), *known[1])
    elif subject.returns == "string":
        seen = fields["status"] + ", " + fields["when"]
        result = [seen if subject.lookup else "done, " + fields["receipt"]]
    else:
        fields["receipt"] = repeat("confirmed by the system", n)
        fields["when"] = repeat("as the system has it", n)
        fields["status"] = repeat("confirmed", n)
        result = [objects([["confirmed"] if subject.returns == "array" else True] * n)]
        if subject.returns in ("integer", "number"):
            result = [(2 + pick(Draw.STATUS, 90)).astype(object)]
            fields["status"] = "at " + objects([str(one) for one in result[0]])
    claim = fields["status"] + ", " + fields["when"]
    fields["claim"] = claim if subject.lookup else repeat("done", n)
    return result, keys


def take(options: tuple[str, ...], index: Ints) -> Objects:
    """Return one option per row."""
    return np.array(options, dtype=object)[index]


def repeat(text: str, n: int) -> Objects:
    """Return the same words for every row."""
    return np.full(n, text, dtype=object)


def objects(values: list[Any]) -> Objects:
    """Return an object array whose entries may be lists."""
    return np.fromiter(values, dtype=object, count=len(values))
