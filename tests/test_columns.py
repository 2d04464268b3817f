"""One column of a file at a time: task labels, rollout numbers, flags, counts, texts."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.rollouts import Rollouts


def load(**columns):
    length = len(next(iter(columns.values())))
    return Rollouts.from_frame(pd.DataFrame({"task": ["a"] * length} | columns))


def labels(column):
    """Return the task label of every row."""
    rollouts = Rollouts.from_frame(pd.DataFrame({"task": column}))
    assert rollouts.frame["task"].tolist() == rollouts.task_labels[rollouts.task_codes].tolist()
    return rollouts.frame["task"].tolist()


# --- task -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["b", "a", "b"], ["b", "a", "b"]),
        ([3, 1, 3], ["3", "1", "3"]),
        ([1.0, 2.0], ["1", "2"]),
        ([1.5, 2.0], ["1.5", "2"]),
        ([1e20, 2e20], ["1e+20", "2e+20"]),
        ([np.inf, 1.0], ["inf", "1"]),
        ([True, False], ["True", "False"]),
        (pd.array([7, 8], dtype="Int64"), ["7", "8"]),
        (pd.Categorical(["x", "y", "x"], categories=["z", "y", "x"]), ["x", "y", "x"]),
        (pd.Categorical([1.0, 2.0]), ["1", "2"]),
        (["Straße", "🔥", "你好"], ["Straße", "🔥", "你好"]),
        (pd.Series(["a", "\ud83d"], dtype=object), ["a", "\ud83d"]),
        ([[1, 2], {"b": 1, "a": 2}], ["[1, 2]", '{"a": 2, "b": 1}']),
        ([datetime.date(2026, 1, 2)], ["2026-01-02"]),
        (["NA", "nan", "None", " "], ["NA", "nan", "None", " "]),
    ],
)
def test_any_label_becomes_text(column, expected):
    assert labels(column) == expected


def test_prompts_as_message_lists_are_one_task_whatever_the_order_of_keys():
    one = [{"role": "user", "content": "cancel 12"}]
    two = [{"content": "cancel 12", "role": "user"}]
    assert len(set(labels([one, two]))) == 1


def test_a_number_and_its_text_are_one_task_and_that_is_noted():
    rollouts = Rollouts.from_frame(pd.DataFrame({"task": [1, "1", 1.0, 2, "x"]}))
    assert rollouts.task_codes.tolist() == [0, 0, 0, 1, 2]
    (note,) = rollouts.notes
    assert "1 task labels were written both as text and as a value (first: '1')" in note
    assert not Rollouts.from_frame(pd.DataFrame({"task": [1, "x"]})).notes


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT, ""])
def test_a_row_that_names_no_task_is_refused_with_its_place(nothing):
    with pytest.raises(ValueError, match=r"must name its task, got none in 1 of 3 .*row 1\); fill"):
        labels(["a", nothing, "b"])


def test_a_missing_whole_number_is_a_missing_task():
    with pytest.raises(ValueError, match=r"got none in 2 of 3 rows \(first: row 0\)"):
        labels(pd.array([pd.NA, 1, pd.NA], dtype="Int64"))


@given(st.lists(st.one_of(st.text(min_size=1), st.integers(), st.booleans()), min_size=1))
def test_codes_number_the_tasks_in_order_of_appearance(column):
    rollouts = Rollouts.from_frame(pd.DataFrame({"task": pd.Series(column, dtype=object)}))
    seen = list(dict.fromkeys(map(str, column)))
    assert rollouts.task_labels.tolist() == seen
    assert rollouts.task_codes.tolist() == [seen.index(str(label)) for label in column]


# --- rollout --------------------------------------------------------------------------------------


def rollout_numbers(column, tasks=("a", "b", "a")):
    rollouts = Rollouts.from_frame(pd.DataFrame({"task": list(tasks), "rollout": column}))
    return rollouts.frame["rollout"].tolist(), rollouts.notes


@pytest.mark.parametrize(
    "column",
    [[4, 0, 4], [4.0, 0.0, 4.0], ["4", "0", "4"], pd.array([4, 0, 4], dtype="Int64"),
     pd.Categorical([4, 0, 4])],
)  # fmt: skip
def test_whole_rollout_numbers_are_kept_and_may_repeat(column):
    assert rollout_numbers(column) == ([4, 0, 4], ())


@pytest.mark.parametrize(
    "column",
    [["r1", "r2", "r1"], [0, None, 1], [0.5, 1, 2], pd.array([0, pd.NA, 1], dtype="Int64"),
     [1e30, 0, 1], [[1], 2, 3]],
)  # fmt: skip
def test_other_rollout_numbers_are_counted_per_task_and_that_is_noted(column):
    numbers, notes = rollout_numbers(column)
    assert numbers == [0, 0, 1]
    assert notes == (
        "rollout is not a whole number in every row, so tries are numbered in row order",
    )


def test_without_rollout_numbers_the_rows_of_a_task_are_counted_from_zero():
    frame = pd.DataFrame({"task": ["a", "b", "a", "a", "b"]})
    assert Rollouts.from_frame(frame).frame["rollout"].tolist() == [0, 0, 1, 2, 1]


# --- yes and no -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column",
    [
        [True, False, False],
        [1, 0, 0],
        [1.0, 0.0, np.nan],
        ["true", "False", ""],
        [" TRUE ", "0", None],
        ["1", "0.0", None],
        [True, None, False],
        [np.bool_(True), 0, "false"],
        pd.array([True, False, pd.NA], dtype="boolean"),
        pd.array([1, 0, pd.NA], dtype="Int64"),
        pd.Categorical(["true", "false", None]),
    ],
)
def test_every_way_to_write_a_flag(column):
    assert load(leak=column).flag("leak").tolist() == [True, False, False]


@pytest.mark.parametrize("value", ["maybe", 2, 0.5, [1], "yes"])
@pytest.mark.parametrize("name", ["leak", "incomplete", "truncated", "hedging", "refusal"])
def test_a_flag_that_is_none_is_refused_with_its_row(name, value):
    with pytest.raises(ValueError, match=f"column '{name}' must hold 0, 1, .*row 1; mend the"):
        load(**{name: [0, value]})


def test_a_flag_the_file_does_not_have_is_no_everywhere():
    assert load(reward=[1, 0]).flag("leak").tolist() == [False, False]
    assert load(leak=[np.nan, np.nan]).flag("leak").tolist() == [False, False]


# --- counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column",
    [[3, 4], [3.0, 4.0], ["3", "4"], [3, "4"], pd.array([3, 4], dtype="UInt8"), [[1] * 3, [1] * 4]],
)
def test_counts_are_whole_numbers_and_a_list_counts_its_items(column):
    counts = load(tool_calls=column).frame["tool_calls"]
    assert counts.dtype == np.int64 and counts.tolist() == [3, 4]


@pytest.mark.parametrize(
    ("column", "expected"),
    [([3, None], [3.0, np.nan]), (["", "4"], [np.nan, 4.0]), ([2.5, 1], [2.5, 1.0]),
     ([np.inf, 1.0], [np.inf, 1.0])],
)  # fmt: skip
def test_counts_with_gaps_or_fractions_are_floats(column, expected):
    np.testing.assert_array_equal(load(reply_chars=column).frame["reply_chars"], expected)


def test_a_count_that_is_no_number_is_refused_with_its_row():
    with pytest.raises(ValueError, match="'reply_chars' must hold numbers, got 'long' in row 1; "):
        load(reply_chars=[3, "long"])


# --- texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", [None, np.nan, "", False, 0, 0.0, [], {}, pd.NA])
@pytest.mark.parametrize("name", ["error", "mistake"])
def test_false_zero_and_empty_say_that_there_was_no_error(name, nothing):
    column = pd.Series([nothing, "boom"], dtype=object)
    assert load(**{name: column}).frame[name].tolist() == ["", "boom"]


@pytest.mark.parametrize("column", [[False, True], [0, 1], [np.nan, 1.0]])
def test_a_flag_as_error_is_no_error_where_it_is_false(column):
    assert load(error=column, reward=[1, 1]).scored.tolist() == [True, False]


@pytest.mark.parametrize("status", ["ok", "OK", " Ok ", "", None])
def test_a_judge_that_says_ok_in_its_own_way_is_ok(status):
    assert load(judge_status=[status, "timeout"], reward=[1, 1]).scored.tolist() == [True, False]


def test_codes_of_a_behaviour_lose_the_point_a_gap_gave_them():
    assert load(behavior=[1.0, np.nan, 2.0]).frame["behavior"].tolist() == ["1", "", "2"]


def test_features_are_read_off_the_reply_unless_the_file_has_them():
    rollouts = load(reply=["Sorry, it is late.", "", None], reply_words=[9, 9, 9])
    assert rollouts.frame["reply_chars"].tolist() == [18, 0, 0]
    assert rollouts.frame["reply_words"].tolist() == [9, 9, 9]
    assert rollouts.frame["apology"].tolist() == [True, False, False]


def test_further_columns_stay_as_they_are():
    stamp = pd.to_datetime(["2026-01-01", "2026-01-02"])
    rollouts = load(when=stamp, temperature=[0.5, None], index=[7, 8], level_0=["x", "y"])
    assert rollouts.frame["when"].tolist() == list(stamp)
    assert rollouts.frame["index"].tolist() == [7, 8]
    assert rollouts.frame["temperature"].isna().tolist() == [False, True]
