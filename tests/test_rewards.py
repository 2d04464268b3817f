"""The reward column: what counts, what is unscored, and why."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import table
from whilecore.rewards import pass_cut, rewards, signed, unscored_reasons


def read(*values, dtype=object):
    numbers, why = rewards(pd.Series(list(values), dtype=dtype))
    return numbers, why.tolist()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, 1.0),
        (True, 1.0),
        (np.bool_(False), 0.0),
        (np.int8(1), 1.0),
        (np.float64(0.25), 0.25),
        (np.float32(0.7), 0.7),
        (Decimal("0.7"), 0.7),
        (Fraction(1, 4), 0.25),
        (-3, -3.0),
        (2**70, 2.0**70),
    ],
)
def test_every_kind_of_number_counts_as_it_is(value, expected):
    numbers, why = read(value)
    assert numbers.dtype == np.float64
    assert (numbers.tolist(), why) == ([expected], [""])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, ""),
        (np.nan, ""),
        (pd.NA, ""),
        (pd.NaT, ""),
        (Decimal("NaN"), ""),
        (np.inf, "not finite"),
        (-np.inf, "not finite"),
        (10**400, "not finite"),
        (Decimal("sNaN"), "not finite"),
        ("", "empty"),
        ("  ", "empty"),
        ("8/10", "not a number: 8/10"),
        ("1_0", "not a number: 1_0"),
        ("١", "not a number: ١"),
        ("inf", "not a number: inf"),
        ([1], "not a number: [1]"),
        ({"reward": 1}, 'not a number: {"reward": 1}'),
        (1j, "not a number: 1j"),
        ("a\nb", "not a number: a b"),
        ("\ud83d", "not a number: \\ud83d"),
    ],
)
def test_what_is_no_reward_is_nan_with_its_reason_never_zero(value, reason):
    numbers, why = read(value, 1)
    assert np.isnan(numbers[0]) and numbers[1] == 1
    assert why == [reason, ""]


@pytest.mark.parametrize("numeral", ["1", "0", "0.85", ".5", "1.", "1e-3", "+1", " 0.5 "])
def test_a_plain_numeral_is_coerced_and_said(numeral):
    numbers, why = read(numeral)
    assert numbers.tolist() == [float(numeral)]
    assert why == ["coerced"]
    assert "1 rewards were text and read as numbers" in table({"a": [numeral, 1]}).notes


def test_a_numeral_out_of_range_asks_for_numbers():
    numbers, why = read("10", "0.5", "1e400", "-0.1")
    assert np.isnan(numbers).tolist() == [True, False, True, True]
    assert why[0] == "text out of the range 0 to 1: give the rewards as numbers"


def test_text_of_minus_one_and_one_is_the_signed_coding():
    # What a CSV gives when one cell is no number: the fails must not get lost beside the passes.
    numbers, why = read("-1", "1", "n/a", "1")
    assert numbers[[0, 1, 3]].tolist() == [-1.0, 1.0, 1.0]
    assert why[2] == "not a number: n/a"


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_a_short_float_reaches_the_cut_it_names(dtype):
    # float32 0.7 widened bit by bit is 0.699999988, under a cut of 0.7.
    numbers, _ = read(0.7, 1.0, 1.0078125, dtype=dtype)
    assert numbers[0] == 0.7 and numbers[1] == 1.0
    assert numbers[2] == pytest.approx(1.0078125, abs=3e-4)


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "Float64", "Float32", "boolean"])
def test_nullable_columns_have_gaps_not_zeros(dtype):
    numbers, why = read(1, 0, pd.NA, dtype=dtype)
    assert numbers[:2].tolist() == [1.0, 0.0] and np.isnan(numbers[2])
    assert why == ["", "", ""]


def test_infinities_in_a_float_column_are_unscored_with_a_reason():
    numbers, why = read(np.inf, 1.0, np.nan, dtype=float)
    assert np.isnan(numbers[[0, 2]]).all()
    assert why == ["not finite", "", ""]


@given(st.lists(st.one_of(st.none(), st.floats(), st.integers(), st.text(), st.booleans())))
def test_no_column_is_refused_and_every_row_has_a_finite_reward_or_a_gap(values):
    numbers, why = rewards(pd.Series(values, dtype=object))
    assert len(numbers) == len(why) == len(values)
    assert (np.isfinite(numbers) | np.isnan(numbers)).all()
    for value, number in zip(values, numbers, strict=True):
        if number == 0:
            assert float(value) == 0


def test_reasons_are_counted_the_commonest_first():
    rollouts = table(
        {"a": [1, "x", "x", None, 1, 0, 1]},
        error=["", "", "", "", "boom", "", ""],
        judge_status=["ok", "", "", "", "", "timeout", "OK"],
    )
    assert rollouts.unscored_reasons() == {
        "not a number: x": 2, "error": 1, "judge: timeout": 1, "no reward": 1,
    }  # fmt: skip
    assert list(rollouts.unscored_reasons())[0] == "not a number: x"
    assert unscored_reasons(rollouts.frame.iloc[:0]) == {}


def test_a_very_long_reason_costs_no_memory_and_no_screen():
    rollouts = table({"a": ["x" * 10_000] * 3 + [1, 0]})
    (reason,) = rollouts.unscored_reasons()
    assert len(reason) < 60


def test_the_cut_is_one_half_unless_told():
    assert pass_cut(np.array([0.0, 1.0, 0.2]), None) == 0.5
    assert pass_cut(np.zeros(0), None) == 0.5
    assert pass_cut(np.array([-1.0, 1.0]), None) == 0.5
    assert pass_cut(np.array([-18.0, 3.0]), -16) == -16.0
    assert pass_cut(np.array([0.0]), np.float32(1)) == 1.0


@pytest.mark.parametrize("used", [[0, 10], [-0.5, 0.5], [-1, 0, 1], [1.2]])
def test_other_scales_ask_for_the_cut_by_the_name_it_has(used):
    with pytest.raises(ValueError, match=r"outside \[0, 1\], .* give pass_at_least= the smallest"):
        pass_cut(np.array(used, float), None)
    with pytest.raises(ValueError, match=r"give min_reward= .*\(RL .* call it pass_at_least=\)"):
        pass_cut(np.array(used, float), None, "min_reward", 1.0)


@pytest.mark.parametrize("given", ["0.5", np.nan, np.inf, [0.5], "half", 10**400])
def test_a_cut_that_is_no_number_is_refused(given):
    with pytest.raises(ValueError, match="pass_at_least must be a finite number, got"):
        pass_cut(np.array([0.0, 1.0]), given)


def test_signed_means_minus_one_and_one_with_at_least_one_minus():
    assert signed(np.array([-1.0, 1.0])) and signed(np.array([-1.0]))
    assert not signed(np.array([1.0])) and not signed(np.array([-1.0, 0.0]))
    assert not signed(np.zeros(0))
