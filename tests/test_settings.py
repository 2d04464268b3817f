"""Settings: what a link may say, and what becomes of everything else."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.course import settings
from whilecore.course.settings import BAND_LOW, JUDGE, REPEATS, SEED, Choice, Whole

WHOLES = [value for value in vars(settings).values() if isinstance(value, Whole)]
CHOICES = [value for value in vars(settings).values() if isinstance(value, Choice)]
ANYTHING: Any = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=1),
)


def allowed(setting: Whole) -> list[int]:
    return list(range(setting.low, setting.high + 1, setting.step))


def test_there_are_shared_settings_of_both_kinds() -> None:
    assert len(WHOLES) >= 5 and len(CHOICES) >= 3


@pytest.mark.parametrize("setting", WHOLES, ids=lambda one: one.name)
@given(value=ANYTHING)
def test_whatever_a_control_sends_becomes_an_allowed_number(setting: Whole, value: Any) -> None:
    clamped = setting.clamp(value)
    assert type(clamped) is int
    assert clamped in allowed(setting)


@pytest.mark.parametrize("setting", CHOICES, ids=lambda one: one.name)
@given(value=ANYTHING)
def test_whatever_a_menu_sends_becomes_a_choice(setting: Choice, value: Any) -> None:
    assert setting.clamp(value) in setting.choices


@pytest.mark.parametrize("setting", WHOLES, ids=lambda one: one.name)
def test_every_allowed_number_survives_the_link_and_the_clamp(setting: Whole) -> None:
    for value in allowed(setting):
        assert setting.read(str(value)) == value == setting.clamp(value)


@pytest.mark.parametrize("setting", CHOICES, ids=lambda one: one.name)
def test_every_choice_survives_the_link_and_the_clamp(setting: Choice) -> None:
    for value in setting.choices:
        assert setting.read(value) == value == setting.clamp(value)


@pytest.mark.parametrize(
    ("sent", "becomes"),
    [(10**9, 32), (-3, 2), (7.4, 7), ("9", 9), (math.inf, 32), (-math.inf, 2)],
)
def test_a_number_is_moved_to_the_nearest_allowed_one(sent: Any, becomes: int) -> None:
    assert REPEATS.clamp(sent) == becomes


@pytest.mark.parametrize("sent", [None, True, "x", math.nan, [8], {"a": 8}, "8; DROP"])
def test_what_is_no_number_becomes_the_default(sent: Any) -> None:
    assert REPEATS.clamp(sent) == REPEATS.default == 4


def test_a_number_off_the_steps_is_snapped_from_a_control_and_refused_in_a_link() -> None:
    # Steps of 5 from 0: 23 lies 3 above 20 and 2 below 25.
    assert BAND_LOW.clamp(23) == 25
    with pytest.raises(ValueError, match="from 0 to 50 in steps of 5, got '23'"):
        BAND_LOW.read("23")


def test_the_last_step_is_not_passed_when_the_range_is_no_multiple_of_it() -> None:
    # 0, 4, 8 and no further: 10 is the end of the range but no step.
    assert Whole("odd", 0, 0, 10, 4).clamp(10) == 8


@pytest.mark.parametrize("text", ["", "four", "4.0", "1e1", "٤", "4 4", "-1", "10000", "0x4"])
def test_a_link_that_names_no_allowed_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="seed must be a whole number from 0 to 9999"):
        SEED.read(text)


def test_a_link_that_names_no_choice_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="judge must be one of answer_key, .*coin, got 'eval'"):
        JUDGE.read("eval")


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(ValueError, match="got 'x{39}…'$"):
        JUDGE.read("x" * 10_000)


def test_a_default_outside_the_range_is_refused() -> None:
    with pytest.raises(ValueError, match="k: default must be a whole number from 2 to 4, got 9"):
        Whole("k", 9, 2, 4)


def test_a_default_that_is_no_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="hold: default must be one of a, b, got 'c'"):
        Choice("hold", "c", {"a": "A", "b": "B"})


def test_two_choices_with_the_same_words_are_refused() -> None:
    with pytest.raises(ValueError, match="every choice needs words of its own"):
        Choice("hold", "a", {"a": "same", "b": "same"})


def test_a_per_cent_sign_can_be_moved_behind_the_value() -> None:
    assert BAND_LOW.words == 'band from<span class="wc-percent">, %</span>'
    assert REPEATS.words == "repeats"
