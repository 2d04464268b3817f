"""Numbers with names: what a report says, findable on the page under its dotted key.

``num`` wraps one number, ``block`` prints a whole report line by line. A test, a teacher's script
or a screen reader's user finds ``<span data-name="rl.kept">29</span>`` wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from string import Formatter
from typing import Any

MASK = "▒▒"


def num(name: str, value: object, spec: str = "") -> str:
    """Return one number as HTML that carries its name.

    Args:
        name: Dotted report key, such as "rl.kept".
        value: The number; None is printed as a dash.
        spec: Format specification, such as "+.2f". A minus sign is printed as "−".

    >>> num("rl.kept", 29)
    '<span data-name="rl.kept">29</span>'
    """
    text = "–" if value is None else re.sub(r"^-(?=[\d.])", "−", format(value, spec))
    text = re.sub(r"(?<=\d)%$", "\N{NO-BREAK SPACE}%", text)
    return f'<span data-name="{escape(name)}">{escape(text)}</span>'


def masked(name: str) -> str:
    """Return the cover of a number that is not told yet; the number is nowhere in it."""
    return (
        f'<span data-name="{escape(name)}" class="wc-masked"><span aria-hidden="true">{MASK}</span>'
        '<span class="wc-sr">hidden until you answer</span></span>'
    )


def flatten(report: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a nested report under dotted names.

    >>> flatten({"kept": 29, "row_fates": {"leak": 1}}, "rl")
    {'rl.kept': 29, 'rl.row_fates.leak': 1}
    """
    flat: dict[str, Any] = {}
    for key, value in report.items():
        name = f"{prefix}.{key}" if prefix else str(key)
        flat |= flatten(value, name) if isinstance(value, Mapping) else {name: value}
    return flat


def _told(name: str, value: object, spec: str) -> str:
    """Return a named number of a report; what is undefined reads as it does in the terminal."""
    return num(name, "n/a") if value is None else num(name, value, spec)


@dataclass(frozen=True)
class Line:
    """One line of a printed report.

    Args:
        text: The line; ``{rl.kept}`` or ``{rl.within:+.2f}`` stands for a number of the report.
        link: Key of the picture the line belongs to; lines without one are plain text.
        why: What the line says, in one or two sentences.
    """

    text: str
    link: str = ""
    why: str = ""


def fill(text: str, numbers: Mapping[str, Any], masks: Collection[str] = ()) -> str:
    """Return text with its ``{names}`` replaced by named numbers, the masked ones covered.

    Raises:
        KeyError: If the report has no such number.
    """
    parts: list[str] = []
    for plain, name, spec, _ in Formatter().parse(text):
        parts.append(escape(plain, quote=False))
        if name is None:
            continue
        if name not in numbers:
            raise KeyError(f"the report has no number {name!r}; it has {', '.join(numbers)}")
        parts.append(masked(name) if name in masks else _told(name, numbers[name], spec or ""))
    return "".join(parts)


def block(
    lines: Iterable[Line],
    numbers: Mapping[str, Any],
    masks: Collection[str] = (),
    label: str = "Printed report",
) -> str:
    """Return a printed report whose lines light up their picture and explain themselves.

    Args:
        lines: The lines in the order printed.
        numbers: The report under dotted names, from ``flatten``.
        masks: Names of numbers not told yet.
        label: What a screen reader calls the block.

    **Convention.** The explanations lie on top of each other under the block, so that showing one
    moves nothing.
    """
    rows: list[str] = []
    whys: list[str] = []
    for at, line in enumerate(lines):
        html = fill(line.text, numbers, masks) or "&nbsp;"
        if not line.link:
            rows.append(f'<div class="wc-line">{html}</div>')
            continue
        link = escape(line.link)
        why = f"wc-why-{at}-{link}"
        rows.append(
            f'<button type="button" class="wc-line" data-link="{link}" aria-describedby="{why}">'
            f"{html}</button>"
        )
        whys.append(f'<p id="{why}" data-why="{link}">{fill(line.why, numbers, masks)}</p>')
    report = (
        f'<div class="wc-block" role="group" aria-label="{escape(label)}">{"".join(rows)}</div>'
    )
    if not whys:
        return report
    return (
        f'{report}<div class="wc-whys">{"".join(whys)}<p class="wc-why-hint" aria-hidden="true">'
        "Point at a line, or reach it with Tab, to see what it means.</p></div>"
    )
