"""Named numbers and the printed block."""

from __future__ import annotations

import re

import pytest

from whilecore.course.numbers import MASK, Line, block, fill, flatten, masked, num


def text_of(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def test_a_number_carries_its_name() -> None:
    assert num("rl.kept", 29) == '<span data-name="rl.kept">29</span>'


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (-0.539, "+.2f", "−0.54"),
        (0.2, ".0%", "20\N{NO-BREAK SPACE}%"),
        (1234, ",", "1,234"),
        (None, ".2f", "–"),
        ("<b>", "", "&lt;b&gt;"),
    ],
)
def test_a_number_is_formatted_with_a_real_minus_and_escaped(
    value: object, spec: str, text: str
) -> None:
    assert num("x", value, spec) == f'<span data-name="x">{text}</span>'


def test_a_minus_in_a_word_stays_a_hyphen() -> None:
    assert text_of(num("judge", "-x")) == "-x"


def test_a_masked_number_says_that_it_is_hidden() -> None:
    assert MASK in masked("rl.kept")
    assert "hidden until you answer" in masked("rl.kept")


def test_a_nested_report_becomes_dotted_names() -> None:
    report = {"kept": 29, "row_fates": {"leak": 1, "kept": 29}, "band": (0.2, 0.8)}
    assert flatten(report, "rl") == {
        "rl.kept": 29,
        "rl.row_fates.leak": 1,
        "rl.row_fates.kept": 29,
        "rl.band": (0.2, 0.8),
    }


def test_a_line_prints_what_is_undefined_as_the_terminal_does() -> None:
    assert text_of(fill("r {rl.r:+.2f}", {"rl.r": None})) == "r n/a"


def test_a_report_whose_lines_explain_nothing_gives_no_hint_to_point_at_them() -> None:
    assert "Point at a line" not in block([Line("kept 1")], {})
    assert "Point at a line" in block([Line("kept 1", "kept", "What is left.")], {})


def test_text_is_filled_with_named_numbers_in_their_format() -> None:
    html = fill("kept {rl.kept} of {rl.rows}, r {rl.r:+.2f} < 1", {"rl.kept": 3, "rl.rows": 9,
                                                                  "rl.r": -0.5})  # fmt: skip
    assert text_of(html) == "kept 3 of 9, r −0.50 &lt; 1"
    assert re.findall(r'data-name="([^"]+)"', html) == ["rl.kept", "rl.rows", "rl.r"]


def test_a_number_the_report_lacks_is_an_error_that_lists_what_it_has() -> None:
    with pytest.raises(KeyError, match=r"no number 'rl.left'; it has rl.kept"):
        fill("{rl.left}", {"rl.kept": 3})


LINES = (
    Line("kept {rl.kept} of {rl.rows}", "kept", "{rl.kept} are left."),
    Line(""),
    Line("groups: {rl.groups}"),
)
NUMBERS = {"rl.kept": 77, "rl.rows": 99, "rl.groups": 11}


def test_a_masked_number_is_nowhere_in_the_block() -> None:
    html = block(LINES, NUMBERS, masks={"rl.kept"})
    assert "77" not in html
    assert text_of(html).count(MASK) == 2  # once in the line, once in its explanation
    assert "99" in html and "11" in html


def test_a_linked_line_can_be_focused_and_is_described_by_its_explanation() -> None:
    html = block(LINES, NUMBERS)
    line = re.search(r'<button[^>]*data-link="kept"[^>]*aria-describedby="([^"]+)"', html)
    assert line is not None
    why = re.search(rf'<p id="{line[1]}" data-why="kept">(.*?)</p>', html)
    assert why is not None
    assert text_of(why[1]) == "77 are left."


def test_a_line_without_a_link_is_no_button() -> None:
    assert block(LINES, NUMBERS).count("<button") == 1


def test_the_block_prints_its_lines_in_order() -> None:
    printed = re.findall(r'class="wc-line"[^>]*>(.*?)</(?:button|div)>', block(LINES, NUMBERS))
    assert [text_of(line) for line in printed] == ["kept 77 of 99", "&nbsp;", "groups: 11"]
