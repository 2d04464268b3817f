"""The bar: what moved, what changed, and in which words."""

from __future__ import annotations

import re

import marimo as mo

from whilecore.course.bar import bar, cause_of, change, reading
from whilecore.course.page import Page
from whilecore.course.settings import BAND_LOW, JUDGE, REPEATS


def test_a_change_is_told_with_sign_and_cause() -> None:
    assert change(17, 29, "repeats 4 → 5") == "−12: repeats 4 → 5"
    assert change(30, 29, "repeats 4 → 5") == "+1: repeats 4 → 5"


def test_no_change_is_told_with_its_reason() -> None:
    assert change(29, 29, "no edge was passed") == "no change: no edge was passed"


def test_without_a_move_nothing_is_said_to_have_changed() -> None:
    assert change(29, 29, "") == ""
    assert change(29, None, "first look") == "first look"


def test_the_cause_names_what_moved_with_old_and_new_value() -> None:
    page = Page((REPEATS, BAND_LOW, JUDGE))
    page.settle(repeats=5)
    assert cause_of(page.moved, page.settings) == "repeats 4 → 5"
    page.settle(band_low=30, judge="coin")
    assert cause_of(page.moved, page.settings) == "band from 20 → 30 %, judge: coin toss"


def test_a_hidden_judge_is_not_named_as_a_cause() -> None:
    page = Page((REPEATS, JUDGE), {"hide": "judge"})
    page.settle(judge="coin")
    assert "coin" not in cause_of(page.moved, page.settings)


def test_a_masked_reading_holds_no_count() -> None:
    html = reading("rl.kept", None, 64, 29, "repeats 4 → 5")
    assert "29" not in html
    assert 'data-name="rl.kept"' in html


def test_before_the_first_move_the_reading_says_what_to_do() -> None:
    assert "Move a control" in reading("rl.kept", None, 64, None, "")
    assert "Move a control" not in reading("rl.kept", 29, 64, 29, "repeats 4 → 5")


def test_the_reading_names_its_number() -> None:
    html = reading("rl.kept", 29, 64, 32, "repeats 4 → 5")
    assert '<span data-name="rl.kept">29</span>' in html
    assert re.sub(r"<[^>]+>", "", html) == "kept 29 of 64−3: repeats 4 → 5"


def test_the_bar_holds_controls_reading_and_the_rest_behind_more() -> None:
    first, second = mo.ui.slider(1, 2, label="first"), mo.ui.slider(1, 2, label="second")
    html = bar([first], [second]).text
    more = html.index('id="wc-more"')
    assert html.index("first") < more < html.index("second")
    assert html.count('data-place="reading"') == 1
    for do in ("copy", "reset"):
        assert f'data-do="{do}"' in html
