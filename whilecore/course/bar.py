"""The bar at the top of a lesson: its controls and what they did, in one row that stays in sight.

From 900 px: controls, reading, More. Narrower: the reading and a Controls button. The reading is a
place of ``Page`` (``page.show(reading=...)``), so a move redraws no control.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import marimo as mo

from whilecore.course.numbers import masked, num
from whilecore.course.page import BOX_NOTES
from whilecore.course.settings import Setting, Value

READING = "reading"
STILL = "Move a control to see what changes."


def bar(controls: Sequence[Any], more: Sequence[Any] = ()) -> mo.Html:
    """Return the sticky bar.

    Args:
        controls: The few marimo controls that stay in the row.
        more: The controls behind "More".
    """
    row = "".join(f'<div class="wc-control">{one}</div>' for one in controls)
    rest = "".join(f'<div class="wc-control">{one}</div>' for one in more)
    return mo.Html(
        '<section class="wc-bar" aria-label="Controls and result">'
        f'<div class="wc-controls" id="wc-controls">{row}'
        '<button type="button" class="wc-button wc-more-button" data-opens="wc-more"'
        ' aria-expanded="false" aria-controls="wc-more">More</button>'
        f'<div class="wc-more" id="wc-more">{rest}<div class="wc-actions">'
        '<button type="button" class="wc-button" data-do="copy"><span>Copy link</span>'
        '<span class="wc-done" aria-hidden="true">Copied</span></button>'
        '<button type="button" class="wc-button" data-do="reset">Reset</button>'
        f'</div><p class="wc-box-note" data-place="{BOX_NOTES}"></p></div></div>'
        f'<div class="wc-reading" data-place="{READING}"></div>'
        '<button type="button" class="wc-button wc-controls-button" data-opens="wc-controls"'
        ' aria-expanded="false" aria-controls="wc-controls">Controls</button>'
        "</section>"
    )


def reading(name: str, kept: int | None, total: int, before: int | None, cause: str) -> str:
    """Return "kept N of M" with the change since the last move and its cause.

    Args:
        name: Dotted report key of the number, such as "rl.kept".
        kept: Rows kept; None while the number is masked.
        total: Rows in all.
        before: Rows kept before the last move; None where there is nothing to compare with.
        cause: The cause in words, such as "repeats 4 → 5", or why nothing changed; empty before
            the first move.
    """
    number = masked(name) if kept is None else num(name, kept, ",")
    head = f'<span class="wc-kept">kept <b>{number}</b> of {total:,}</span>'
    return f'{head}<span class="wc-change">{change(kept, before, cause) or STILL}</span>'


def change(kept: int | None, before: int | None, cause: str) -> str:
    """Return the change in words.

    >>> change(17, 29, "repeats 4 → 5"), change(29, 29, "no task lies between the edges")
    ('−12: repeats 4 → 5', 'no change: no task lies between the edges')
    """
    if kept is None or before is None or not cause:
        return cause
    if kept == before:
        return f"no change: {cause}"
    return f"{'+' if kept > before else '−'}{abs(kept - before)}: {cause}"


def cause_of(moved: Mapping[str, tuple[Value, Value]], settings: Mapping[str, Setting]) -> str:
    """Return what moved in words, such as "band from 20 → 25 %".

    Args:
        moved: ``Page.moved``.
        settings: ``Page.settings``.
    """
    return ", ".join(_moved(settings[name], old, new) for name, (old, new) in moved.items())


def _moved(setting: Setting, old: Value, new: Value) -> str:
    """Return one move in words."""
    label = setting.label or setting.name
    if hasattr(setting, "choices"):
        return f"{label}: {setting.choices[str(new)]}"
    unit = f" {setting.unit}" if setting.unit else ""
    colon = "" if label[-1].isalpha() else ":"  # "of 4: 4 → 3", not "of 4 4 → 3"
    return f"{label}{colon} {old} → {new}{unit}"
