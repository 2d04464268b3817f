"""Progress is the browser's business: Python has nothing to read and nothing to tell."""

from __future__ import annotations

from anywidget import AnyWidget

from whilecore.course.progress import Progress


def test_the_widget_carries_no_state_between_browser_and_python() -> None:
    assert set(Progress().keys) == set(AnyWidget().keys)
