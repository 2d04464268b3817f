"""Which questions the learner has answered: counted and kept by the browser alone.

The widget has nothing to say to Python and Python nothing to it. ``progress.js`` keeps one entry
of the browser's local storage for the whole course; its button exports the entry as a file, and
its other buttons import and delete it.

Checks named "entry.…" and "exit.…" ask for the same ideas before and after the course; once both
are answered the count says how many were right then and now.
"""

from __future__ import annotations

from pathlib import Path

import anywidget


class Progress(anywidget.AnyWidget):
    """The count of answered checks, with export, import and delete."""

    _esm = Path(__file__).with_name("progress.js")
