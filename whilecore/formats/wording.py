r"""How a choice is called where the reader stands: a keyword, an option, or a control of a page.

The messages of the readers are written for Python, ``task='ticket'``. On the command line that is
``--task ticket``, and on a page a line of the menu "task".
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any, Final

_TEXT: Final = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
ASKED: Final = re.compile(
    rf"\b(task|reward|reply|rollout|step|pass_at_least|min_reward)="
    rf"({_TEXT}|\((?:{_TEXT})(?:, (?:{_TEXT}))*,?\)|False)?"
)
MENUS: Final[Mapping[str, str]] = {"rollout": "repeat", "step": "training steps"}
NO_STEPS: Final = " (RL and pass_at call it pass_at_least=)"


def as_options(message: str) -> str:
    """Return a message in the words of the command line.

    >>> as_options("name it: task='my column', or step=False")
    "name it: --task 'my column', or --step none"
    """
    return _translated(message, _option)


def as_controls(message: str) -> str:
    """Return a message in the words of a page with a menu for each choice.

    >>> as_controls("Choose one, such as task='ticket'; or say rollout=False")
    'Choose one, such as “ticket” in the menu “task”; or say “none” in the menu “repeat”'
    """
    return _translated(message, _control)


def _translated(message: str, say: Callable[[str, Any], str]) -> str:
    """Replace every keyword and its value."""
    plain = message.replace(NO_STEPS, "")
    return ASKED.sub(lambda found: say(found[1], _value(found[2])), plain)


def _value(text: str | None) -> Any:
    """Read the value behind a keyword; None where there is none."""
    if text is None:
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _option(keyword: str, value: Any) -> str:
    if keyword in ("pass_at_least", "min_reward"):
        return "--pass-at-least,"
    if value is None:
        return f"--{keyword}"
    names = ("none",) if value is False else (value,) if isinstance(value, str) else value
    return " ".join(f"--{keyword} {shlex.quote(str(name))}" for name in names)


def _control(keyword: str, value: Any) -> str:
    if keyword in ("pass_at_least", "min_reward"):
        return "it in the box “pass from reward”:"
    menu = f"the menu “{MENUS.get(keyword, keyword)}”"
    if value is None:
        return menu
    if value is False:
        return f"“{'pooled' if keyword == 'step' else 'none'}” in {menu}"
    line = value if isinstance(value, str) else " + ".join(map(str, value))
    return f"“{line}” in {menu}"
