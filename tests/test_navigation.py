"""Links between the lessons: relative, and none that lead nowhere."""

from __future__ import annotations

import re

from whilecore.course.catalogue import Lesson
from whilecore.course.navigation import foot, head, links
from whilecore.course.teacher import Teacher

COURSE = tuple(Lesson(f"0{n}_l{n}", n, f"Title {n}", "?", 3) for n in (1, 2, 4))


def targets(html: str) -> list[str]:
    return re.findall(r'href="([^"]+)"', html)


def test_a_lesson_in_the_middle_leads_home_back_and_on() -> None:
    html = links("02_l2", COURSE)
    assert targets(html) == ["../", "../01_l1/", "../04_l4/"]
    assert "← 1. Title 1" in html
    assert "4. Title 4 →" in html


def test_the_ends_of_the_course_lead_nowhere_beyond() -> None:
    assert targets(links("01_l1", COURSE)) == ["../", "../02_l2/"]
    assert targets(links("04_l4", COURSE)) == ["../", "../02_l2/"]


def test_what_a_teacher_set_is_handed_on() -> None:
    query = Teacher(teach=True, reveal=True, hidden=frozenset({"judge"})).query
    assert targets(links("01_l1", COURSE, query))[1] == "../02_l2/?teach=1&amp;reveal=all"


def test_a_lesson_opened_alone_has_no_links_but_the_skip_link_and_its_target() -> None:
    html = head("02_l2", "<b>page</b>").text
    assert targets(html) == ["#wc-main"]
    assert "id='wc-main'" in html
    assert "<b>page</b>" in html
    assert targets(foot("02_l2").text) == []
