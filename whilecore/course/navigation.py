"""The way home, back and on, at the head and the foot of a lesson.

Links are relative and only written where they lead somewhere: a lesson that is opened alone
(``marimo run lessons/06_….py``) has none.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import marimo as mo

from whilecore.course.catalogue import Lesson, lessons
from whilecore.course.teacher import Teacher

MAIN = "wc-main"


def head(stem: str, page: Any, teacher: Teacher | None = None) -> mo.Html:
    """Return the first output of a lesson: skip link, links, and the page widget.

    Args:
        stem: The lesson's file name without ".py".
        page: The ``Page`` as a marimo element; it shows the notices about the link.
        teacher: Whose ``teach=1`` and ``reveal=all`` the links hand on.
    """
    return mo.Html(
        f'<a class="wc-skip" href="#{MAIN}" data-do="skip">Skip to the lesson</a>'
        f"{_nav(stem, 'Course', teacher)}{page}<span id='{MAIN}' tabindex='-1'></span>"
    )


def foot(stem: str, teacher: Teacher | None = None) -> mo.Html:
    """Return the links at the end of a lesson."""
    return mo.Html(_nav(stem, "Where next", teacher))


def links(stem: str, course: tuple[Lesson, ...], query: str = "") -> str:
    """Return home, the lesson before and the lesson after as HTML.

    Args:
        stem: The lesson's file name without ".py".
        course: The lessons that exist.
        query: What to append to each address, such as "?teach=1".
    """
    at = [lesson.stem for lesson in course].index(stem)
    before = course[at - 1] if at else None
    after = course[at + 1] if at + 1 < len(course) else None
    parts = [f'<a class="wc-home" href="../{escape(query)}">All lessons</a>']
    if before:
        parts.append(_link(before, "prev", f"← {before.number}. {before.title}", query))
    if after:
        parts.append(_link(after, "next", f"{after.number}. {after.title} →", query))
    return "".join(parts)


def _link(lesson: Lesson, rel: str, text: str, query: str) -> str:
    """Return the link to one lesson."""
    return f'<a rel="{rel}" href="../{lesson.stem}/{escape(query)}">{escape(text)}</a>'


def _nav(stem: str, label: str, teacher: Teacher | None) -> str:
    """Return the nav element, or nothing where the course is not served around the lesson."""
    request, folder = mo.app_meta().request, mo.notebook_dir()
    if request is None or folder is None:
        return ""
    if f"/{stem}/" not in str(request.url["path"]):  # served at "/<stem>/" only by the course
        return ""
    course = lessons(Path(folder))
    inside = links(stem, course, teacher.query if teacher else "")
    return f'<nav class="wc-nav" aria-label="{label}">{inside}</nav>'
