"""The columns as arrays and as a DataFrame: the same values either way."""

import pickle

import numpy as np
import pandas as pd
import pytest

from whilecore.table import Table

ARRAYS = {
    "task": np.array(["a", "a", "b"], dtype=object),
    "reward": np.array([1.0, np.nan, 0.0]),
    "leak": np.array([False, True, False]),
    "steps": np.array([[{"tool": "get"}], [], []], dtype=object),
}
FRAME = pd.DataFrame(
    {
        "task": ["a", "a", "b"],
        "reward": [1.0, np.nan, 0.0],
        "count": pd.array([1, None, 3], dtype="Int64"),
        "said": ["x", None, "z"],
        "on": pd.to_datetime(["2026-01-01", None, "2026-01-03"]),
    }
)


def test_arrays_become_the_frame_that_pandas_would_make_of_them():
    table = Table(ARRAYS)
    pd.testing.assert_frame_equal(table.frame, pd.DataFrame(ARRAYS))
    assert table.frame is table.frame and list(table.names) == list(ARRAYS) and len(table) == 3


@pytest.mark.parametrize("start", [ARRAYS, FRAME], ids=["arrays", "frame"])
def test_an_array_that_all_share_cannot_be_written_to(start):
    table = Table(start)
    for one in (table, table.with_columns(place=np.arange(3)), table.take(np.arange(3))):
        with pytest.raises(ValueError, match="read-only"):
            one["reward"][0] = 5.0


def test_tables_that_share_a_column_read_it_once_and_carry_no_copy_of_it():
    table = Table(FRAME)
    once, twice = (table.with_columns(reward=np.full(3, x)) for x in (0.0, 1.0))
    assert once["said"] is twice.with_columns(reward=np.ones(3))["said"] is table["said"]
    again = pickle.loads(pickle.dumps(once))
    assert again["said"].tolist() == once["said"].tolist() and not again._arrays.keys() - {"said"}
    pd.testing.assert_frame_equal(again.frame, once.frame)


def test_days_are_the_days_pandas_knows():
    assert Table(FRAME)["on"][0] == pd.Timestamp("2026-01-01")


def test_a_frame_stays_the_frame_it_was():
    assert Table(FRAME).frame is FRAME


@pytest.mark.parametrize("start", [ARRAYS, FRAME], ids=["arrays", "frame"])
def test_columns_put_over_others_are_what_assign_makes(start):
    fresh = {"reward": np.array([0.0, 0.5, 1.0]), "judge": np.array(["", "x", ""], dtype=object)}
    table = Table(start)
    twice = table.with_columns(**fresh).with_columns(reward=np.ones(3))
    expected = pd.DataFrame(start).assign(**fresh).assign(reward=np.ones(3))
    pd.testing.assert_frame_equal(twice.frame, expected)
    assert list(twice.names) == list(expected.columns)
    assert twice["reward"].tolist() == [1, 1, 1] and twice["judge"].tolist() == ["", "x", ""]
    assert "judge" not in table and np.isnan(table["reward"][1])


@pytest.mark.parametrize("start", [ARRAYS, FRAME], ids=["arrays", "frame"])
def test_rows_taken_are_those_of_iloc(start):
    table = Table(start).with_columns(place=np.arange(3))
    taken = table.take(np.array([2, 0]))
    expected = table.frame.iloc[[2, 0]].reset_index(drop=True)
    pd.testing.assert_frame_equal(taken.frame, expected)
    assert taken["place"].tolist() == [2, 0]


def test_what_is_missing_is_nan_among_floats_and_none_among_values():
    table = Table(FRAME)
    assert table.kind("count") == "i" and table.is_code("count") and table.is_numeric("count")
    np.testing.assert_array_equal(table.floats("count"), [1, np.nan, 3])
    assert table.values("count") == [1, None, 3] and table.values("said") == ["x", None, "z"]
    assert table.values("on") == [pd.Timestamp("2026-01-01"), None, pd.Timestamp("2026-01-03")]
    assert table.missing("said").tolist() == [False, True, False]
    assert not table.is_numeric("said") and table["said"].dtype == object
    assert Table(ARRAYS).values("reward") == [1.0, None, 0.0]
    assert Table(ARRAYS).values("steps") == [[{"tool": "get"}], [], []]


def test_a_column_that_is_not_there_is_a_key_error_and_no_columns_are_no_rows():
    with pytest.raises(KeyError):
        Table(ARRAYS)["nothing"]
    assert "nothing" not in Table(FRAME) and len(Table({})) == 0
