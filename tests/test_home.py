"""The home page."""

from __future__ import annotations

import html
import json
import re

import pytest

from whilecore.course import entry, home
from whilecore.course.catalogue import Lesson
from whilecore.course.glossary import TERMS

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


def test_page_has_an_icon_a_language_and_loads_nothing():
    text = page()
    assert '<link rel="icon"' in text
    assert '<html lang="en">' in text
    assert "<script src" not in text
    assert "import {" not in text


def test_the_script_is_both_files_without_the_import_between_them():
    joined = home.script()
    for name in ("progress.js", "entry.js"):
        tail = (home.PICTURES.parent / name).read_text(encoding="utf-8").splitlines()[-1]
        assert tail in joined
    assert "from " + '"./progress.js"' not in joined


def test_the_page_asks_the_three_questions_and_does_not_say_what_is_right():
    text = page()
    asked = json.loads(re.search(r'id="wc-entry-questions">(.*?)</script>', text, re.DOTALL)[1])
    assert asked == entry.asked_before()
    for form in (*entry.before().values(), *entry.after().values()):
        assert all(html.escape(option.why, quote=False) not in text for option in form.options)


def test_every_word_of_the_glossary_is_explained():
    text = page()
    for name, sentence in TERMS.items():
        assert f"<dt>{name}</dt><dd>{html.escape(sentence, quote=False)}</dd>" in text
