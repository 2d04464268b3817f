"""Any cell as text that can be compared."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.texts import as_text, shown, strings, text, whole

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", "a"),
        (1, "1"),
        (1.0, "1"),
        (np.float32(2.0), "2"),
        (-0.0, "0"),
        (0.5, "0.5"),
        (2.0**40, "1099511627776"),
        (1e300, "1e+300"),
        (True, "True"),
        ([1, "a"], '[1, "a"]'),
        ({"b": 1, "a": [None]}, '{"a": [null], "b": 1}'),
        (np.array([1, 2]), "[1, 2]"),
        ((np.int64(1), 2), "[1, 2]"),
        ({1: 2, "a": 3}, "{1: 2, 'a': 3}"),
        ("\ud83d", "\ud83d"),
    ],
)
def test_one_value_as_text(value, expected):
    assert as_text(value) == expected


@given(JSON)
def test_the_order_of_keys_is_ignored(value):
    turned = value
    if isinstance(value, dict):
        turned = dict(reversed(value.items()))
    assert as_text(turned) == as_text(value)


@given(JSON, JSON)
def test_different_lists_have_different_texts(one, two):
    if one != two:
        assert as_text([one, "."]) != as_text([two, "."]) or repr(one) != repr(two)


def test_whole_floats_become_integers_and_a_gap_stays_a_gap():
    column = whole(pd.Series([1.0, np.nan, 3.0]))
    assert column.dtype == "Int64"
    assert column.isna().tolist() == [False, True, False]
    for kept in ([1.5, 2.0], [1.0, np.inf], [1e300]):
        assert whole(pd.Series(kept)).dtype == np.float64
    assert whole(pd.Series(["1.0"])).tolist() == ["1.0"]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pd.Series([1, 2]), ["1", "2"]),
        (pd.Series([1.0, np.nan]), ["1", ""]),
        (pd.Series([0.5, np.nan]), ["0.5", ""]),
        (pd.Series(["a", None]), ["a", ""]),
        (pd.Series(["a", None, 1, 1.0], dtype=object), ["a", "", "1", "1"]),
        (pd.Series([1, pd.NA], dtype="Int64"), ["1", ""]),
        (pd.Series([True, pd.NA], dtype="boolean"), ["True", ""]),
        (pd.Series(pd.Categorical(["b", None, "b"])), ["b", "", "b"]),
        (pd.Series([], dtype=float), []),
    ],
)
def test_a_column_as_text_with_nothing_for_nothing(column, expected):
    assert text(column).tolist() == expected


def test_half_an_emoji_stays_in_its_column():
    assert strings(["a", "\ud83d"]).tolist() == ["a", "\ud83d"]


def test_text_for_the_terminal_is_one_printable_line():
    assert shown("two\nlines\t\x1b[31m red") == r"two lines \x1b[31m red"
    assert shown("x" * 100, width=10) == "x" * 9 + "…"
    assert shown("Straße 🔥") == "Straße 🔥"


@given(st.text(st.characters()))
def test_whatever_is_shown_can_be_printed(value):
    line = shown(value)
    line.encode("utf-8")
    assert "\n" not in line and len(line) <= 80
