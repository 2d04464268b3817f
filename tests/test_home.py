"""The home page."""

from __future__ import annotations

import html

import pytest

from whilecore.course import home
from whilecore.course.catalogue import Lesson

LESSONS = (
    Lesson("02_unanimous_groups", 2, "Unanimous groups", "How often do all tries agree?", 5),
    Lesson("06_which_rows", 6, "Rows & <gates>", "64 tries: how many?", 8),
)


def page(lessons=LESSONS):
    return home.page(lessons, "/pictures", "/icon.svg")


def test_each_lesson_stands_in_order_with_question_minutes_and_link():
    text = page()
    places = [text.index(f'href="{lesson.stem}/"') for lesson in LESSONS]
    assert places == sorted(places)
    for lesson in LESSONS:
        assert html.escape(f"{lesson.number}. {lesson.title}") in text
        assert html.escape(lesson.question) in text
        assert f"{lesson.minutes} minutes" in text


def test_titles_cannot_bring_markup():
    assert "<gates>" not in page()


@pytest.mark.parametrize(
    ("lessons", "heading"),
    [
        ((), "No lesson yet"),
        (LESSONS[:1], "One lesson, about 5 minutes"),
        # 5 + 8 = 13
        (LESSONS, "2 lessons, about 13 minutes in all"),
    ],
)
def test_heading_counts_lessons_and_minutes(lessons, heading):
    assert f"<h2>{heading}</h2>" in page(lessons)


def test_picture_is_shown_only_where_there_is_one(tmp_path, monkeypatch):
    monkeypatch.setattr(home, "PICTURES", tmp_path)
    assert "<img" not in page()
    (tmp_path / "06_which_rows.svg").write_text("<svg/>")
    assert page().count('<img src="/pictures/06_which_rows.svg" alt=""') == 1


def test_page_has_an_icon_a_language_and_no_script():
    text = page()
    assert '<link rel="icon"' in text
    assert '<html lang="en">' in text
    assert "<script" not in text
