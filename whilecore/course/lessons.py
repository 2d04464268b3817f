"""The lessons that exist: where they lie, and what each says about itself.

A lesson is a notebook ``NN_name.py`` whose script header (PEP 723, the comment block marimo itself
keeps at the top of a notebook) holds a table ``[tool.whilecore]``::

    # /// script
    # [tool.marimo.display]
    # theme = "system"
    #
    # [tool.whilecore]
    # title = "Which rows to train on"
    # question = "64 tries went in. How many are worth training on?"
    # minutes = 8
    # ///

Nothing is executed to read it. Any other file in the folder is no lesson and is ignored.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_FILE: Final = re.compile(r"(\d\d)_[a-z0-9_]+\.py")
_HEADER: Final = re.compile(r"(?m)^# /// script$\s(?P<body>(^#(| .*)$\s)+)^# ///$")
_KEYS: Final = {"title": str, "question": str, "minutes": int}


@dataclass(frozen=True)
class Lesson:
    """One lesson as the home page and the navigation name it."""

    path: Path
    number: int
    title: str
    question: str
    minutes: int

    @property
    def stem(self) -> str:
        """Name of the file without its ending; the lesson's address is ``/<stem>/``."""
        return self.path.stem


def lessons_folder() -> Path:
    """Return the folder of the lessons that belong to this package.

    Returns:
        ``_lessons`` beside the package's modules (a wheel carries it), else ``lessons`` beside the
        package (a clone).

    Raises:
        FileNotFoundError: Neither is there.
    """
    package = Path(__file__).resolve().parents[1]
    places = (package / "_lessons", package.parent / "lessons")
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"the lessons must lie in {places[0]} or {places[1]}, found neither; "
        "install whilecore again"
    )


def find_lessons(folder: Path | None = None) -> list[Lesson]:
    """List the lessons of a folder in the order of the course.

    Args:
        folder: Where to look; default ``lessons_folder()``.

    Returns:
        The lessons by file name. Files that are no lessons are left out.

    Raises:
        ValueError: A lesson's header lacks a title, a question or its minutes.
    """
    files = sorted((folder or lessons_folder()).glob("*.py"))
    return [lesson for file in files if (lesson := read_lesson(file)) is not None]


def read_lesson(path: Path) -> Lesson | None:
    """Read one notebook's header, without executing it.

    Args:
        path: A Python file.

    Returns:
        The lesson, or None for a file that is none.

    Raises:
        ValueError: The header is no TOML, or lacks a title, a question or its minutes.
    """
    named = _FILE.fullmatch(path.name)
    header = _HEADER.search(path.read_text(encoding="utf-8")) if named else None
    if named is None or header is None:
        return None
    about = _table(path, header["body"])
    if about is None:
        return None
    for key, kind in _KEYS.items():
        if not isinstance(about.get(key), kind):
            raise ValueError(
                f"{path.name}: [tool.whilecore] must have {key} ({kind.__name__}), "
                f"got {about.get(key)!r}; see whilecore/course/lessons.py"
            )
    return Lesson(path, int(named[1]), about["title"], about["question"], about["minutes"])


def _table(path: Path, body: str) -> dict[str, Any] | None:
    """Return the table ``tool.whilecore`` of a script header, or None without one."""
    text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.splitlines())
    try:
        about = tomllib.loads(text).get("tool", {}).get("whilecore")
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: the script header must be TOML, got: {error}") from error
    return about if isinstance(about, dict) else None
