"""Chat messages: where the prompt ends, what was replied, which tools were called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from whilecore.texts import as_text

ROLES: Final = {"human": "user", "gpt": "assistant", "model": "assistant", "bot": "assistant"}

_encode = msgspec.json.Encoder(order="sorted").encode


@dataclass(frozen=True, slots=True)
class Chat:
    """One rollout as chat.

    Attributes:
        messages: All messages, prompt first.
        split: How many of them are the prompt.
        opening: How many stand before the first answer.
        reply: Text of the last answer, "" if it is only tool calls, None if there is none.
        calls: The tool calls of the answers.
        turns: Number of answers.
    """

    messages: list[Any]
    split: int
    opening: int
    reply: str | None
    calls: list[Any]
    turns: int

    @property
    def prompt(self) -> str | None:
        """Text of the last question before the answer."""
        for one in reversed(self.messages[: self.split]):
            if role(one) == "user":
                return content(one)
        return None


def is_chat(value: Any) -> bool:
    """Tell whether a cell is a list of messages."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) and ("role" in one or "from" in one) for one in value)
    )


def read_chat(messages: list[Any], split: int | None = None, mask: Any = None) -> Chat:
    """Read a list of messages.

    Args:
        messages: Mappings with role and content (or from and value).
        split: How many of them are the prompt; by default all up to the last question.
        mask: Per message whether it is trained on; where given, the prompt ends at the first.
    """
    roles = [role(one) for one in messages]
    opening = roles.index("assistant") if "assistant" in roles else len(roles)
    if split is None:
        split = _split(roles, opening, mask)
    start = split if "assistant" in roles[split:] else 0  # answers before it are history
    said = [messages[place] for place in range(start, len(roles)) if roles[place] == "assistant"]
    calls = [call for one in said for call in _calls(one)]
    return Chat(messages, split, opening, content(said[-1]) if said else None, calls, len(said))


def _split(roles: list[str], opening: int, mask: Any) -> int:
    """Return where the prompt ends."""
    if isinstance(mask, list) and len(mask) == len(roles) and any(mask):
        return next(place for place, trained in enumerate(mask) if trained)
    asked = [place for place, who in enumerate(roles) if who == "user"]
    last = asked[-1] + 1 if asked else opening
    return last if last < len(roles) else opening


def role(message: Any) -> str:
    """Return who speaks, under today's names."""
    if not isinstance(message, dict):
        return ""
    said = message.get("role")
    if said is None:
        said = message.get("from")
    return ROLES.get(said, said) if isinstance(said, str) else ""


def content(message: Mapping[str, Any]) -> str:
    """Return a message's text; null and parts without text are ""."""
    said = message.get("content", message.get("value"))
    if isinstance(said, str):
        return said
    if isinstance(said, list):
        parts = (one.get("text") if isinstance(one, dict) else one for one in said)
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _calls(message: Mapping[str, Any]) -> Sequence[Any]:
    """Return the tool calls of a message, in whatever way they are written."""
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        return calls
    call = calls or message.get("function_call")
    return [call] if call else []


def canonical(value: Any) -> str:
    """Return a value as text that ignores the order of keys.

    >>> canonical([{"role": "user", "content": "Hi"}]) == canonical([{"content": "Hi",
    ...     "role": "user"}])
    True
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict):
        try:
            return _encode(value).decode()
        except (TypeError, ValueError, RecursionError, OverflowError, msgspec.MsgspecError):
            pass
    return as_text(value)
