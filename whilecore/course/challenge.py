"""A challenge: a question the learner answers with the controls, or by typing a number.

Code checks the answer, so the right one is never typed in by hand. Hint and solution are sent when
they are asked for and not before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from whilecore.course.page import Page
from whilecore.course.settings import Value

Check = Callable[[Mapping[str, Value]], bool]
Say = Callable[[Mapping[str, Value]], str]


class Challenge(anywidget.AnyWidget):
    """A question with a Check button, a hint and a solution.

    Args:
        name: Key under which the browser remembers it, such as "02.smallest_k".
        question: The question in plain text.
        check: Whether the settings of the page (as a mapping) are an answer. With ``field`` the
            mapping is ``{"answer": number}``.
        hint: One sentence that points the way.
        solution: Computes the solution in words, when it is asked for.
        page: Whose settings are checked; not needed with ``field``.
        field: Label of the box for a number; empty where the controls are the answer.
        not_yet: What to say to a wrong answer, or what makes it from the settings.

    Raises:
        ValueError: If there is neither a page nor a field to take the answer from.
    """

    _esm = Path(__file__).with_name("challenge.js")

    name: Any = traitlets.Unicode("").tag(sync=True)
    question: Any = traitlets.Unicode("").tag(sync=True)
    field: Any = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        name: str,
        question: str,
        *,
        check: Check,
        hint: str,
        solution: Callable[[], str],
        page: Page | None = None,
        field: str = "",
        not_yet: str | Say = "Not yet.",
    ) -> None:
        """Put the question."""
        if page is None and not field:
            raise ValueError(f"{name}: pass page= to check its settings, or field= for a number")
        super().__init__(name=name, question=question, field=field)
        self._check, self._page, self._not_yet = check, page, not_yet
        self._hint, self._solution = hint, solution
        self.on_msg(self._asked)

    def answer(self, asked: Mapping[str, Any]) -> dict[str, str]:
        """Return what the page is told when a button is pressed.

        Args:
            asked: ``{"kind": "check", "hint" or "solution", "value": what stands in the box}``.

        Returns:
            ``{"kind", "state", "text"}`` with the state "solved", "not yet" or "open".
        """
        kind = asked.get("kind")
        if kind == "hint":
            return {"kind": kind, "state": "open", "text": self._hint}
        if kind == "solution":
            return {"kind": kind, "state": "open", "text": self._solution()}
        settings = self._settings(asked.get("value"))
        if settings is None:
            return {"kind": "check", "state": "not yet", "text": "Type a number first."}
        if self._check(settings):
            return {"kind": "check", "state": "solved", "text": "Yes, that is it."}
        text = self._not_yet if isinstance(self._not_yet, str) else self._not_yet(settings)
        return {"kind": "check", "state": "not yet", "text": text}

    def _settings(self, typed: object) -> Mapping[str, Any] | None:
        """Return what is to be checked, or None where no number was typed."""
        if not self.field:
            return self._page.values if self._page else None
        number = number_in(typed)
        return None if number is None else {"answer": number}

    def _asked(self, widget: Any, content: Any, buffers: Any) -> None:
        """Answer a button of the page; ignore any other message."""
        if isinstance(content, dict) and content.get("kind") in ("check", "hint", "solution"):
            self.send(self.answer(content))


def number_in(typed: object) -> float | None:
    """Return the number in a typed answer: "16", "0,05", "5 %" or "2/16"; None if there is none.

    >>> number_in(" 5 % "), number_in("2/16"), number_in("sixteen")
    (0.05, 0.125, None)
    """
    if not isinstance(typed, str) or len(typed) > 40:
        return None
    text = typed.strip().replace(",", ".").replace("−", "-")
    over, _, under = text.removesuffix("%").partition("/")
    try:
        number = float(over) / float(under or 1) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        return None
    return number if math.isfinite(number) else None
