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

FACT: Final = re.compile(r"[A-Za-z]*-?\d+|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b")
"""What only a tool or the customer can have said: numbers, ids and days."""

SENTENCE_END: Final = re.compile(r"[.!?](?:\s|$)")


@dataclass(frozen=True)
class Ground:
    """What a fair reply may lean on.

    Attributes:
        called: Whether a tool was called.
        failed: Whether the last call failed.
        by_id: Whether the calls say what they are about (a tool without arguments cannot).
        given: Ids the customer gave.
        looked_up: What was looked up; empty if one of the ids is not the customer's.
        said: Everything the customer and the tool said.
    """

    called: bool
    failed: bool
    by_id: bool
    given: tuple[str, ...]
    looked_up: tuple[str, ...]
    said: str


def ground(prompt: str, steps: list[Any]) -> Ground:
    """Note what a fair reply to this prompt, after these tool calls, may lean on."""
    last = steps[-1] if steps else {}
    return Ground(
        called=bool(steps),
        failed=bool(last.get("error")),
        by_id=any(step.get("arguments") for step in steps),
        given=tuple(ID.findall(prompt)),
        looked_up=tuple(_looked_up(prompt, steps)),
        said=prompt + " " + str(last),
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
    return all(fact in known.said for fact in FACT.findall(reply))


def names_the_order(known: Ground, reply: str) -> bool:
    """Name the id, whatever else the reply says; with no id in sight, ask for it."""
    ids = known.looked_up or known.given
    if ids:
        return any(one in reply for one in ids)
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
