"""The catalogue reads the lessons' own heads."""

from __future__ import annotations

from pathlib import Path

import pytest

from whilecore.course.catalogue import Lesson, lessons, read

HEAD = '"""One group.\n\nquestion: Which try gets the strongest push?\nminutes: 4\n"""\n'


def test_lessons_come_in_the_order_of_the_course(tmp_path: Path) -> None:
    for stem in ("10_late", "02_early", "01_first"):
        (tmp_path / f"{stem}.py").write_text(HEAD, encoding="utf-8")
    (tmp_path / "lesson.css").write_text("", encoding="utf-8")
    (tmp_path / "notes.py").write_text("", encoding="utf-8")
    assert [(one.number, one.stem) for one in lessons(tmp_path)] == [
        (1, "01_first"),
        (2, "02_early"),
        (10, "10_late"),
    ]


def test_a_head_gives_title_question_and_minutes(tmp_path: Path) -> None:
    path = tmp_path / "01_one_group.py"
    path.write_text("# /// script\n# ///\n" + HEAD, encoding="utf-8")
    question = "Which try gets the strongest push?"
    assert read(path) == Lesson("01_one_group", 1, "One group", question, 4)


@pytest.mark.parametrize("line", ["One group.", "question: ", "minutes: "])
def test_a_head_that_lacks_something_is_refused_with_the_form(tmp_path: Path, line: str) -> None:
    path = tmp_path / "01_one_group.py"
    path.write_text(HEAD.replace(line, ""), encoding="utf-8")
    with pytest.raises(ValueError, match="01_one_group.py: the docstring must be a title, a line"):
        read(path)


def test_a_notebook_without_a_docstring_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "01_x.py"
    path.write_text("import marimo\n", encoding="utf-8")
    with pytest.raises(ValueError, match="must be a title"):
        read(path)
