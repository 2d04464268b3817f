"""Page: the link in and out, the places, the teacher's hiding."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.course.page import Page
from whilecore.course.settings import BAND_LOW, JUDGE, REPEATS, SEED, Whole

SETTINGS = (REPEATS, BAND_LOW, JUDGE, SEED)


def page(**query: Any) -> Page:
    return Page(SETTINGS, query)


def test_a_bare_address_gives_the_defaults_and_an_empty_link() -> None:
    here = page()
    assert dict(here.values) == {"repeats": 4, "band_low": 20, "judge": "answer_key", "seed": 0}
    assert here.link == {}
    assert here.notices == []


def test_a_link_sets_the_values_and_is_written_back_as_it_was() -> None:
    here = page(repeats="8", judge="coin", v="1")
    assert here.values["repeats"] == 8
    assert here.values["judge"] == "coin"
    assert here.link == {"repeats": "8", "judge": "coin", "v": "1"}
    assert here.notices == []


@given(
    repeats=st.integers(2, 32),
    low=st.integers(0, 10).map(lambda steps: 5 * steps),
    judge=st.sampled_from(sorted(JUDGE.choices)),
    seed=st.integers(0, 9_999),
    hide=st.booleans(),
)
def test_the_link_of_any_state_reproduces_it(
    repeats: int, low: int, judge: str, seed: int, hide: bool
) -> None:
    teacher = {"hide": "judge"} if hide else {}
    first = page(**teacher)
    first.settle(repeats=repeats, band_low=low, judge=judge, seed=seed)
    second = page(**teacher, **first.link)
    assert dict(second.values) == dict(first.values)
    assert second.link == first.link
    assert second.notices == []


@pytest.mark.parametrize("bad", ["99", "1", "four", "4.5", ""])
def test_a_bad_value_falls_back_and_says_so(bad: str) -> None:
    here = page(repeats=bad, seed="7")
    assert here.values["repeats"] == 4
    assert here.values["seed"] == 7
    assert here.notices == [
        f"In the link, repeats must be a whole number from 2 to 32, got {bad!r}. This page uses 4."
    ]
    assert "repeats" not in here.link


def test_of_a_repeated_parameter_the_last_counts() -> None:
    assert page(repeats=["8", "16"]).values["repeats"] == 16


def test_a_misspelt_setting_is_named_and_a_foreign_parameter_is_not() -> None:
    notices = page(bandlow="30", teach="1", utm_source="mail").notices
    assert notices == ["In the link, bandlow is no setting; did you mean band_low?"]


def test_a_link_from_another_version_says_that_numbers_may_differ() -> None:
    assert "version 1 of this lesson; this is version 3" in Page(SETTINGS, {"v": "1"}, 3).notices[0]
    assert Page(SETTINGS, {"v": "3"}, 3).notices == []


def test_settling_clamps_what_the_controls_send() -> None:
    here = page()
    assert here.settle(repeats=10**9, band_low=-7, judge="rm -rf", seed="12") == {
        "repeats": 32,
        "band_low": 0,
        "judge": "answer_key",
        "seed": 12,
    }
    assert here.link == {"repeats": "32", "band_low": "0", "seed": "12", "v": "1"}


def test_what_a_box_may_not_say_is_answered_as_long_as_it_says_it() -> None:
    here = page(repeats="99")
    (of_the_link,) = here.notices
    assert "notes" not in here.slots
    assert here.settle(seed="<b>")["seed"] == 0
    why = "In the box, seed must be a whole number from 0 to 9999, got '<b>'. This page uses 0."
    assert unescape(here.slots["notes"]) == why and "<" not in here.slots["notes"]
    here.show(say="3 rows kept.", kept="3")
    assert here.said == f"{why} 3 rows kept." and here.slots["kept"] == "3"
    here.settle(seed="<b>", repeats=8)
    assert unescape(here.slots["notes"]) == why
    here.show(say="2 rows kept.")
    assert here.said == "2 rows kept."
    assert here.settle(seed="77777")["seed"] == 9_999
    assert here.slots["notes"].endswith("got &#x27;77777&#x27;. This page uses 9999.")
    here.settle(seed=" 7 ")
    assert here.slots["notes"] == "" and here.values["seed"] == 7
    here.show(say="2 rows kept.")
    assert here.said == "2 rows kept."
    assert here.notices == [of_the_link]


def test_a_setting_that_is_not_settled_keeps_its_value() -> None:
    here = page(seed="5")
    assert here.settle(repeats=8)["seed"] == 5


def test_back_at_the_defaults_the_link_is_empty_again() -> None:
    here = page(repeats="8")
    here.settle(repeats=4)
    assert here.link == {}


def test_steps_of_one_drag_are_one_move(hand: list[float]) -> None:
    hand[0] = 0.1
    here = page()
    kept = []
    for repeats, now in ((5, 20), (6, 30), (7, 25)):
        here.settle(repeats=repeats)
        kept.append(here.before("kept", now))
    assert here.moved == {"repeats": (4, 7)}
    assert kept == [20, 20, 20]  # asked for the first time after the first step
    here.settle(repeats=7, seed=1)
    assert here.moved == {"seed": (0, 1)}, "another control is another move"
    assert here.before("kept", 24) == 25
    here.settle(seed=2)
    here.settle(seed=0)
    assert here.moved == {}, "back where the drag began"


def test_what_moved_is_known_with_old_and_new_value() -> None:
    here = page()
    here.settle(repeats=4, seed=0)
    assert here.moved == {}
    here.settle(repeats=5, seed=0)
    assert here.moved == {"repeats": (4, 5)}


def test_an_unknown_setting_is_refused_with_the_settings_there_are() -> None:
    with pytest.raises(
        ValueError, match="has the settings repeats, band_low, judge, seed; got 'k'"
    ):
        page().settle(k=4)


def test_places_are_filled_by_name_and_keep_what_is_not_shown_anew() -> None:
    here = page()
    here.show(reading="<b>29</b>", rl__kept="29")
    here.show(say="29 rows kept.", rl__kept="30")
    assert here.slots == {"reading": "<b>29</b>", "rl.kept": "30"}
    assert here.said == "29 rows kept."
    assert here.place("rl.kept", "div") == '<div data-place="rl.kept"></div>'


def test_the_first_thing_remembered_is_its_own_predecessor() -> None:
    here = page()
    told = []
    for repeats, now in ((4, 29), (5, 17), (6, 20)):
        here.settle(repeats=repeats)
        told.append(here.before("kept", now))
    assert told == [29, 29, 17]


def test_asked_again_without_a_move_the_predecessor_stays() -> None:
    here = page()
    assert here.before("kept", 29) == 29
    here.settle(repeats=5)
    assert [here.before("kept", 17) for _ in range(3)] == [29, 29, 29]
    here.settle(repeats=6)
    assert here.before("kept", 17) == 17


def test_controls_start_at_the_links_values_with_the_settings_range() -> None:
    slider = page(repeats="8").control("repeats")
    assert (slider.value, slider.start, slider.stop) == (8, 2, 32)
    assert page(judge="coin").control("judge").value == "coin"
    assert page(seed="12").control("seed").value == "12"


def test_a_reset_starts_the_controls_at_the_defaults_and_drops_the_notices() -> None:
    here = page(repeats="8", seed="-1")
    here.settle(seed="none")
    assert here.notices and here.slots["notes"]
    here.resets = 1
    assert here.control("repeats").value == 4
    assert here.notices == [] and here.slots["notes"] == ""


def test_a_reset_keeps_a_hidden_judge() -> None:
    here = page(hide="judge", judge="coin", repeats="8")
    here.resets = 1
    assert here.control("judge").value == "coin"
    assert here.control("repeats").value == 4


def test_a_hidden_judge_is_named_nowhere_in_what_the_browser_gets() -> None:
    here = page(hide="judge", judge="coin")
    menu = here.control("judge")
    assert menu.value == "coin"
    sent = f"{here.link} {here.slots} {menu.text}"
    assert "coin" not in sent
    assert set(here.link) == {"judge_code", "v"}
    assert "judge" in here.owned


def test_showing_a_hidden_judge_names_it_and_keeps_its_value() -> None:
    here = page(hide="judge,seed", judge="coin")
    assert "wc-button" in here.uncover("judge", "Show the judge")
    here.shown = ["judge"]
    assert here.control("judge").value == "coin"
    assert here.link == {"judge": "coin", "hide": "seed", "v": "1"}
    assert "hide" in here.owned
    assert here.uncover("judge", "Show the judge") == ""


def test_a_code_that_stands_for_nothing_falls_back_and_says_so() -> None:
    here = page(hide="judge", judge_code="00000000")
    assert here.values["judge"] == "answer_key"
    assert "judge_code must be a code this course made" in here.notices[0]


def test_two_visitors_share_nothing() -> None:
    one, two = page(), page()
    one.settle(repeats=8)
    one.show(reading="x")
    one.before("kept", 1)
    assert two.values["repeats"] == 4
    assert two.slots == {}
    assert two.before("kept", 2) == 2


def test_a_lesson_may_declare_settings_of_its_own() -> None:
    assert Page((Whole("rate", 65, 0, 100, 5),), {"rate": "90"}).values["rate"] == 90
