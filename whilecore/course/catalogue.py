"""Which lessons there are: read from the head of each notebook, so that no second list can lie.

A lesson is ``NN_name.py`` whose docstring is its title, then ``question:`` and ``minutes:``.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lesson:
    """What the home page and the links say of one lesson.

    Args:
        stem: File name without ".py"; the lesson is served at ``/<stem>/``.
        number: Its place in the course.
        title: Its name.
        question: The question it answers.
        minutes: How long it takes.
    """

    stem: str
    number: int
    title: str
    question: str
    minutes: int


def lessons(folder: Path) -> tuple[Lesson, ...]:
    """Return the lessons of a folder in the order of the course."""
    return tuple(read(path) for path in sorted(folder.glob("[0-9][0-9]_*.py")))


def read(path: Path) -> Lesson:
    """Return what a notebook's docstring says of it.

    Raises:
        ValueError: If the docstring lacks the title, the question or the minutes.
    """
    head = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    title = head.partition("\n")[0].rstrip(".")
    question = re.search(r"^question: (.+)$", head, re.MULTILINE)
    minutes = re.search(r"^minutes: ([0-9]+)$", head, re.MULTILINE)
    if not (title and question and minutes) or title.startswith(("question:", "minutes:")):
        raise ValueError(
            f"{path.name}: the docstring must be a title, a line 'question: …' and a line"
            f" 'minutes: …'; got {head[:80]!r}"
        )
    return Lesson(path.stem, int(path.stem[:2]), title, question[1], int(minutes[1]))
