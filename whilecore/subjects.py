"""How people speak of a tool: ``get_order(order_id)`` is about an order and its order id.

Names and types are all there is to go by, so any typed tool gets prompts and replies that read
like its own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.tools import Tool

Objects = npt.NDArray[np.object_]

LOOKUP_VERBS: Final = frozenset(
    "get fetch find read show list search check track lookup look view query describe".split()
)
LOOKUP_NOUNS: Final = frozenset("status info details lookup search".split())
PARCELS: Final = frozenset("order parcel package shipment delivery tracking".split())
KEY_ENDINGS: Final = ("id", "number", "no", "code", "ref", "reference", "key")

VALUES: Final[dict[str, tuple[str, ...]]] = {
    "city": ("Lisbon", "Oslo", "Quito", "Nairobi", "Kyoto", "Turin", "Halifax", "Perth"),
    "country": ("Portugal", "Norway", "Ecuador", "Kenya", "Japan", "Italy", "Canada"),
    "email": ("ana@example.com", "tom@example.com", "mira@example.com", "li@example.com"),
    "name": ("Ana Reis", "Tom Berg", "Mira Cole", "Li Wen", "Jonas Falk", "Eva Adeyemi"),
    "reason": ("arrived late", "wrong size", "ordered twice", "changed plans", "damaged"),
    "date": ("2026-03-04", "2026-03-11", "2026-03-18", "2026-03-25"),
    "time": ("09:30", "11:00", "14:15", "16:45"),
    "": ("blue kettle", "desk lamp", "rain jacket", "oak shelf", "travel mug", "wall clock"),
}
"""What a text argument holds, by a word in its name."""


@dataclass(frozen=True)
class Subject:
    """The words for one tool.

    Attributes:
        tool: Its name.
        given: (name, JSON schema as text) of each argument a call carries.
        key: Position in ``given`` of the argument an ask is about; −1 if there is none.
        thing: What an ask is about: "order".
        noun: What the tool needs to know: "order id".
        topic: What the customer calls it: "order".
        do: "look up"; ``do_it``: "look it up".
        lookup: Whether the tool only reads.
        parcel: Whether it is about something that is delivered.
        returns: JSON type of its result.
    """

    tool: str
    given: tuple[tuple[str, str], ...]
    key: int
    thing: str
    noun: str
    topic: str
    do: str
    do_it: str
    lookup: bool
    parcel: bool
    returns: str


def subject_of(tool: Tool) -> Subject:
    """Find the words for a tool in its name and parameters.

    >>> from whilecore.tools import tool
    >>> @tool
    ... def cancel_booking(booking_id: str) -> bool:
    ...     \"\"\"Cancel a booking.\"\"\"
    >>> subject_of(cancel_booking).noun, subject_of(cancel_booking).do_it
    ('booking id', 'cancel it')
    """
    verb, topic = _verb_and_topic(tool.name)
    properties: dict[str, Any] = tool.parameters["properties"]
    key = _key_parameter(properties, tool.parameters["required"])
    names = [name for name in properties if name in tool.parameters["required"] or name == key]
    noun = " ".join(_words(key)) if key else topic
    thing = _without_ending(noun) or topic
    lookup = verb in LOOKUP_VERBS or (topic.split()[-1:] or [""])[0] in LOOKUP_NOUNS
    do = "look up" if lookup else verb
    return Subject(
        tool=tool.name,
        given=tuple((name, json.dumps(properties[name])) for name in names),
        key=names.index(key) if key else -1,
        thing=thing,
        noun=noun,
        topic=topic or thing,
        do=do if not topic or topic == thing else f"{do} the {topic} for",
        do_it="look it up" if lookup else f"{verb} it",
        lookup=lookup,
        parcel=bool(PARCELS & set(f"{thing} {topic}".split())),
        returns=str(tool.returns.get("type", "string")),
    )


def _words(name: str) -> list[str]:
    """Split snake_case and camelCase."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_").split("_")


def _verb_and_topic(name: str) -> tuple[str, str]:
    """Read "cancel", "booking" off cancel_booking."""
    verb, *rest = [word for word in _words(name) if word]
    if verb == "look" and rest[:1] == ["up"]:
        rest = rest[1:]
    return verb, " ".join(rest)


def _without_ending(noun: str) -> str:
    """Return the thing a key stands for: "order id" is about an "order"."""
    words = noun.split()
    return " ".join(words[:-1]) if words and words[-1] in KEY_ENDINGS else noun


def _key_parameter(properties: dict[str, Any], required: list[str]) -> str:
    """Return the parameter an ask is about: an id if there is one, else the first needed."""
    order = [*required, *(name for name in properties if name not in required)]
    for name in order:
        if _words(name)[-1] in KEY_ENDINGS:
            return name
    return required[0] if required else ""


@lru_cache(maxsize=256)
def values_of(name: str, schema_text: str, thing: str) -> tuple[Objects, Objects]:
    """Return what an argument may hold: the values, and the words a customer writes for them.

    Args:
        name: The parameter's name.
        schema_text: Its JSON schema.
        thing: What the tool is about; the first letters of an id.

    Returns:
        Two read-only object arrays of one length.
    """
    schema = json.loads(schema_text)
    values = _pool(name, schema, thing)
    both = np.empty((2, len(values)), dtype=object)
    for place, value in enumerate(values):
        both[0, place], both[1, place] = value, _written(value)
    both.flags.writeable = False
    return both[0], both[1]


def _pool(name: str, schema: dict[str, Any], thing: str) -> list[Any]:
    """List the values of one schema."""
    kind, is_key = schema.get("type", "string"), _words(name)[-1] in KEY_ENDINGS
    if "enum" in schema:
        return list(schema["enum"])
    if kind == "array":
        return [[value] for value in _pool(name.removesuffix("s"), schema["items"], thing)]
    if kind == "integer":
        return list(range(1000, 10000)) if is_key else list(range(1, 10))
    if kind == "string" and is_key:
        letters = re.sub(r"[^A-Z]", "", thing.upper())[:2] or "ID"
        return [f"{letters}-{number}" for number in range(1000, 10000)]
    if kind == "string":
        word = next((word for word in VALUES if word and word in _words(name)), "")
        return list(VALUES["date" if "format" in schema else word])
    simple: dict[str, list[Any]] = {
        "number": [4.5, 9.99, 12.5, 19.9, 24.5, 49.0],
        "boolean": [True, False],
    }
    return simple.get(kind, [{}])


def _written(value: Any) -> str:
    """Write a value as a customer would."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_written, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_written(one)}" for name, one in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
