"""The printed block on a page: the terminal's lines, live."""

from __future__ import annotations

import re
from html import unescape

import pytest

import whilecore as wc
from tests import pictures
from whilecore.course import REPEATS, SEED, Page, Prediction, printed, which_rows
from whilecore.course.numbers import MASK
from whilecore.selection import Selection


def text_in(html: str) -> str:
    """Return what a reader sees of HTML."""
    return unescape(re.sub(r"<[^>]+>", "", html))


def numbers_in(html: str) -> dict[str, str]:
    """Return the named numbers of HTML; the same name always has the same value."""
    found: dict[str, str] = {}
    for name, value in re.findall(r'<span data-name="([^"]+)">([^<]*)</span>', html):
        assert found.setdefault(name, value) == value
    return found


def prediction(selection: Selection) -> Prediction:
    """Return the question put for a selection."""
    asked = Prediction("06.kept", "?", printed.UNASKED)
    printed.ask(asked, selection)
    return asked


def test_page_and_terminal_print_the_same_lines() -> None:
    rows = wc.printed_run()
    selection = rows.select(mode="rl")
    html = printed.rl_block(selection, rows.pass_at, revealed=True)
    buttons = re.findall(r'class="wc-line"[^>]*>(.*?)</(?:button|div)>', html)
    page = [text_in(line).replace("−", "-") for line in buttons]
    terminal = [str(rows.pass_at), *str(selection).splitlines()]
    assert [re.sub(r"\s+", " ", line) for line in page] == [
        re.sub(r"\s+", " ", line) for line in terminal
    ]


def test_every_number_on_the_page_is_the_report_s() -> None:
    rows = wc.printed_run()
    selection = rows.select(mode="rl")
    shown = numbers_in(printed.rl_block(selection, rows.pass_at, revealed=True))
    assert shown["rl.kept"] == str(selection.report["kept"]) == "29"
    assert shown["rl.row_fates.duplicate"] == str(selection.report["row_fates"]["duplicate"])
    assert shown["rl.correlations.reply_chars.within"] == "−0.75"
    assert shown["pass_at.pass_at_1"] == f"{rows.pass_at.pass_at_1:.2f}"


@pytest.mark.parametrize("selection", [pictures.hand(), pictures.printed()])
def test_before_the_answer_the_block_covers_kept_and_sends_no_number_that_tells_it(
    selection: Selection,
) -> None:
    html = printed.rl_block(selection, selection.source.pass_at, revealed=False)
    assert MASK in html
    told = numbers_in(html)
    assert not {"rl.kept", "rl.row_fates.unanimous", "rl.scanned.rows"} & told.keys()
    assert f"= {selection.report['kept']}" not in text_in(html)


def test_options_are_four_one_right_and_each_wrong_one_names_its_misconception() -> None:
    # 64 - 3 - 27 - 5·4 = 14; 29 + 3 = 32; 11·4 = 44
    options = printed.options(pictures.printed())
    assert [option.label for option in options] == ["14", "29", "32", "44"]
    assert [option.label for option in options if option.right] == ["29"]
    assert all(option.misconception for option in options if not option.right)


@pytest.mark.parametrize("selection", [pictures.hand(), pictures.big(), pictures.nothing()])
def test_options_stay_apart_whatever_the_rows(selection: Selection) -> None:
    labels = [option.label for option in printed.options(selection)]
    assert len(labels) == len(set(labels)) >= 2
    assert str(selection.report["kept"]) in labels


def test_the_answer_is_drawn_while_it_belongs_to_the_rows_at_hand() -> None:
    asked = prediction(pictures.printed())
    assert printed.answer(asked, pictures.printed()) is None
    asked.answer = {"choice": "44", "state": "answered"}
    assert printed.answer(asked, pictures.printed()) == 44
    assert printed.answer(asked, pictures.hand()) is None


def test_a_band_move_that_caught_nothing_says_why() -> None:
    # 4 tries: a mixed task passes 25, 50 or 75 %
    why = printed.why_unchanged({"band_low": (20, 25)}, pictures.printed(), "simulated")
    assert why == "mixed tasks pass 25 to 75\N{NO-BREAK SPACE}% of 4 tries"


def test_other_rows_of_which_as_many_are_kept_are_not_called_the_same() -> None:
    why = printed.why_unchanged({"repeats": (3, 4)}, pictures.printed(), "simulated", 48)
    assert why == "more rows drawn, as many kept"
    why = printed.why_unchanged({"seed": (0, 1)}, pictures.printed(), "simulated", 64)
    assert why == "other rows, the same count"


def test_controls_that_do_not_act_on_printed_rows_say_so() -> None:
    why = printed.why_unchanged({"repeats": (4, 5)}, pictures.printed(), "printed")
    assert "only the band acts" in why


def test_at_start_looks_at_every_setting_but_the_named_ones() -> None:
    page = Page((REPEATS, SEED))
    page.settle(repeats=9)
    assert printed.at_start(page, "repeats")
    assert not printed.at_start(page)
    page.settle(seed=3)
    assert not printed.at_start(page, "repeats")


def test_differences_to_the_course_page_carry_the_figures_of_its_rows() -> None:
    shown = numbers_in(which_rows.differences())
    assert (shown["page.unanimous"], shown["page.as_drawn"], shown["page.after_gates"]) == (
        "5",
        "3",
        "2",
    )
    assert (shown["page.pooled"], shown["page.within"]) == ("−0.54", "−0.75")
    rates = (shown["page.pass_rate_drawn"], shown["page.pass_rate_kept"])
    assert rates == ("67\u00a0%", "38\u00a0%")
