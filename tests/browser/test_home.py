"""The home page in a real browser."""

from __future__ import annotations

import pytest

from tests.browser import helpers
from whilecore.course import home
from whilecore.course.catalogue import lessons
from whilecore.course.server import lessons_folder

COURSE = lessons(lessons_folder())
PAST_THE_QUESTIONS = 4  # radio buttons, two buttons, and then the first lesson


@pytest.fixture
def opened(page, server):
    page.goto(server.url)
    return page


def test_every_lesson_is_a_link_with_its_question_and_minutes(opened):
    items = opened.get_by_role("listitem").all()
    assert len(items) == len(COURSE) > 0
    for item, lesson in zip(items, COURSE, strict=True):
        text = item.inner_text()
        assert lesson.title in text
        assert lesson.question in text
        assert f"{lesson.minutes} minutes" in text


def test_tab_and_enter_open_the_first_lesson_and_its_link_leads_home(opened, server):
    for _ in range(PAST_THE_QUESTIONS):
        opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    opened.wait_for_url(f"{server.url}{COURSE[0].stem}/**")
    helpers.wait_idle(opened)
    opened.get_by_role("link", name="All lessons").first.click()
    opened.wait_for_url(server.url)


def test_focus_is_seen_on_the_whole_card(opened):
    for _ in range(PAST_THE_QUESTIONS):
        opened.keyboard.press("Tab")
    card = opened.get_by_role("listitem").first
    assert card.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"


def test_the_whole_card_can_be_clicked(opened, server):
    opened.get_by_role("listitem").first.click(position={"x": 40, "y": 40})
    opened.wait_for_url(f"{server.url}{COURSE[0].stem}/**")


def test_pictures_of_the_lessons_load(opened):
    expected = sum((home.PICTURES / f"{lesson.stem}.svg").is_file() for lesson in COURSE)
    widths = opened.locator("li img").evaluate_all("(all) => all.map((one) => one.naturalWidth)")
    assert len(widths) == expected
    assert all(width > 0 for width in widths)


def test_page_follows_the_theme_of_the_system(opened):
    colour = "() => getComputedStyle(document.body).backgroundColor"
    assert opened.evaluate(colour) == "rgb(255, 255, 255)"
    opened.emulate_media(color_scheme="dark")
    assert opened.evaluate(colour) == "rgb(24, 28, 26)"
    opened.emulate_media(color_scheme="light")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375, 320])
def test_home_fits_every_width_without_serious_findings(open_page, server, width, dark):
    page = open_page(width=width, dark=dark)
    page.goto(server.url)
    assert helpers.sideways(page) == 0
    for box in page.locator("li img").evaluate_all(
        "(all) => all.map((one) => [one.clientWidth, one.clientHeight])"
    ):
        assert box[0] / box[1] == pytest.approx(16 / 9, rel=0.02)
    assert helpers.serious_findings(page) == []
    helpers.screenshot(page, f"home_{width}_{'dark' if dark else 'light'}")
