"""Two rules that read a reply: a careful one, and one that is easily pleased.

A rule first notes what a fair reply may lean on (the prompt and the tool calls, the same for all
replies of a task) and then looks at the reply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from whilecore.features import admits

ID: Final = re.compile(r"\b(?:[A-Za-z]{1,4}[-_]?)?\d{2,}\b")
"""What looks like an id: at least two digits, perhaps with letters before them."""

NUMBER: Final = re.compile(r"\d+")
DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""Numbers and days are what only a tool or the customer can have said."""

SENTENCE_END: Final = re.compile(r"[.!?](?:\s|$)")


@dataclass(frozen=True)
class Ground:
    """What a fair reply may lean on.

    Attributes:
        called: Whether a tool was called.
        failed: Whether the last call failed.
        by_id: Whether the calls say what they are about (a tool without arguments cannot).
        given: Ids the customer gave: those looked up, else whatever looks like one.
        looked_up: What was looked up; empty if one of the ids is not the customer's.
        numbers: Numbers that the customer or the tool said.
        other_days: Days that neither of them said.
    """

    called: bool
    failed: bool
    by_id: bool
    given: tuple[str, ...]
    looked_up: tuple[str, ...]
    numbers: frozenset[str]
    other_days: tuple[str, ...]


def ground(prompt: str, steps: list[Any]) -> Ground:
    """Note what a fair reply to this prompt, after these tool calls, may lean on."""
    last = steps[-1] if steps else {}
    said = f"{prompt} {last}"
    looked_up = tuple(_looked_up(prompt, steps))
    return Ground(
        called=bool(steps),
        failed=bool(last.get("error")),
        by_id=any(step.get("arguments") for step in steps),
        given=looked_up or tuple(ID.findall(prompt)),
        looked_up=looked_up,
        numbers=frozenset(NUMBER.findall(said)),
        other_days=tuple(day for day in DAYS if day not in said),
    )


def looked_up_and_led(known: Ground, reply: str) -> bool:
    """Looked up an id the customer gave, led with it, and claimed only what the tool said.

    Where the customer gave no id: called nothing and asked.
    """
    if not known.called:
        return not known.given and "?" in reply
    end = SENTENCE_END.search(reply)
    first = reply[: end.start()] if end else reply
    if known.by_id and not any(one in first for one in known.looked_up):
        return False
    if known.failed:
        return admits(reply)
    if any(day in reply for day in known.other_days):
        return False
    return known.numbers.issuperset(NUMBER.findall(reply))


def names_the_order(known: Ground, reply: str) -> bool:
    """Name the id, whatever else the reply says; with no id in sight, ask for it."""
    if known.given:
        return any(one in reply for one in known.given)
    return "?" in reply or (known.called and not known.by_id)


def _looked_up(prompt: str, steps: list[Any]) -> list[str]:
    """Return the ids that were looked up; none if one of them is not from the customer."""
    given = [
        str(value)
        for step in steps
        for value in (step.get("arguments") or {}).values()
        if isinstance(value, str | int) and not isinstance(value, bool)
    ]
    ids = [value for value in given if ID.search(value)]
    if ids:
        return ids if all(value in prompt for value in ids) else []
    return [value for value in given if value and value in prompt]
