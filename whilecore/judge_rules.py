"""Two rules that read a reply: a careful one, and one that is easily pleased."""

from __future__ import annotations

import json
import re
from typing import Any

from whilecore.features import admits_failure


def looked_up_and_led(prompt: str, reply: str, steps: list[Any]) -> bool:
    """Looked up an id the customer gave, led with it, and claimed only what the tool said."""
    if not steps:
        return not _ids(prompt) and "?" in reply
    looked_up = _looked_up(prompt, steps)
    first = re.split(r"[.!?](?:\s|$)", reply, maxsplit=1)[0]
    if not looked_up or not any(one in first for one in looked_up):
        return False
    last = steps[-1]
    if last.get("error"):
        return bool(admits_failure([reply])[0])
    said = prompt + " " + json.dumps(last, default=str, ensure_ascii=False)
    return all(fact in said for fact in _facts(reply))


def names_the_order(prompt: str, reply: str, steps: list[Any]) -> bool:
    """Name the id, whatever else the reply says; with no id in sight, ask for it."""
    known = _looked_up(prompt, steps) or _ids(prompt)
    return any(one in reply for one in known) if known else "?" in reply


def _looked_up(prompt: str, steps: list[Any]) -> list[str]:
    """Return the ids that were looked up; none if one of them is not from the customer."""
    given = [
        str(value)
        for step in steps
        for value in (step.get("arguments") or {}).values()
        if isinstance(value, str | int) and not isinstance(value, bool)
    ]
    ids = [value for value in given if _ids(value)]
    if ids:
        return ids if all(value in prompt for value in ids) else []
    return [value for value in given if value and value in prompt]


def _ids(text: str) -> list[str]:
    """Find what looks like an id: at least two digits, with letters or dashes before them."""
    return re.findall(r"\b(?:[A-Za-z]{1,4}[-_]?)?\d{2,}\b", text)


def _facts(reply: str) -> list[str]:
    """Find what a tool must have said: numbers, ids and days."""
    return re.findall(r"[A-Za-z]*-?\d+|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b", reply)
