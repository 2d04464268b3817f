"""A pattern of passes and fails: in the link, from a button, from a click on the chart."""

from __future__ import annotations

from typing import Any

import altair as alt
import pytest

from whilecore import course
from whilecore.charts.live import LiveChart
from whilecore.course.flips import Flips, Pattern

TRIES = Pattern("tries", "11101011")


@pytest.mark.parametrize("text", ["11101011", "00000000"])
def test_a_full_pattern_is_read_as_it_stands(text: str) -> None:
    assert TRIES.read(text) == text


def test_a_short_pattern_keeps_the_last_tries_of_the_default() -> None:
    assert TRIES.read("00") == "00101011"


@pytest.mark.parametrize("text", ["", "1", "111111111", "1121", "abc", "1 0", "11101011\n"])
def test_a_pattern_of_other_signs_or_length_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="tries must be 2 to 8 digits, 1 for a pass and 0 for a f"):
        TRIES.read(text)


@pytest.mark.parametrize("value", [None, 3, "1110", "1110101x", ["1"], "111010111"])
def test_what_a_control_sends_past_the_pattern_becomes_the_default(value: object) -> None:
    assert TRIES.clamp(value) == "11101011"


@pytest.mark.parametrize("default", ["1110", "1110101x"])
def test_a_default_must_be_a_full_pattern(default: str) -> None:
    with pytest.raises(ValueError, match="default must be 8 digits 0 or 1"):
        Pattern("tries", default)


def test_a_page_carries_the_pattern_in_its_link() -> None:
    page = course.Page([TRIES], {"tries": "0110"})
    assert page.values["tries"] == "01101011"
    page.settle(tries="00001011")
    assert page.link == {"tries": "00001011", "v": "1"}
    page.settle(tries="nonsense")
    assert page.link == {}


def test_a_bad_pattern_in_the_link_falls_back_with_a_message() -> None:
    page = course.Page([TRIES], {"tries": "12"})
    assert page.values["tries"] == "11101011"
    assert page.notices == [
        "In the link, tries must be 2 to 8 digits, 1 for a pass and 0 for a fail, got '12'."
        " This page uses 11101011."
    ]


def test_flipping_twice_leaves_everything_as_it_was() -> None:
    flips = Flips("11101011")
    flips.flip("4")
    assert flips.tries == "11111011"
    flips.flip("4")
    assert flips.tries == "11101011"


@pytest.mark.parametrize("key", ["0", "5", "99", "-1", "x", "", None, 4, "²"])
def test_a_key_of_no_try_on_the_page_flips_nothing(key: object) -> None:
    flips = Flips("11101011")
    flips.flip(key)
    assert flips.tries == "11101011"


@pytest.mark.parametrize("sent", ["", "1", "1110101x", "1" * 9])
def test_what_no_button_can_send_is_ignored(sent: str) -> None:
    flips = Flips("11101011")
    flips.tries = sent
    assert flips.tries == "11101011"


def test_a_click_on_the_chart_flips_its_try() -> None:
    chart = LiveChart(alt.Chart(alt.NamedData("rows")).mark_point().encode(x="x:Q"))
    flips = Flips("11101011")
    flips.follow(chart)
    clicks: list[dict[str, Any]] = [
        {"key": "2", "n": 1},
        {"key": "2", "n": 2},
        {"key": "3", "n": 3},
    ]
    seen = []
    for click in clicks:
        chart.clicked = click
        seen.append(flips.tries)
    assert seen == ["10101011", "11101011", "11001011"]
    chart.clicked = {"n": 4}
    assert flips.tries == "11001011"
