"""The table of rollouts: what it takes, what it refuses, what it gives."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import records, table
from whilecore.rollouts import Rollouts

HALF = (1, 0, 1, 0)


# --- shape ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [[{"task": 1}], {"task": [1]}, None, "run.csv", np.zeros(3)])
def test_from_frame_takes_a_frame_and_says_what_takes_the_rest(given):
    with pytest.raises(TypeError, match="takes a pandas DataFrame, got .*from_records.*read_roll"):
        Rollouts.from_frame(given)


@pytest.mark.parametrize(
    ("frame", "have"),
    [
        (pd.DataFrame({"prompt": [1], "reward": [1]}), "prompt, reward"),
        (pd.DataFrame(), "none"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("task", "x")])), "task"),
        (pd.DataFrame({"reward": [1]}, index=pd.Index(["a"], name="task")), "reward"),
    ],
)
def test_a_frame_without_tasks_is_refused_with_the_columns_it_has(frame, have):
    with pytest.raises(ValueError, match=f"a column named 'task' .*{have}.* Rename the column"):
        Rollouts.from_frame(frame)


@pytest.mark.parametrize(
    "names", [["task", "reward", "reward"], ["task", 1, "1"], ["task", "task"]]
)
def test_a_name_over_two_columns_is_refused(names):
    with pytest.raises(ValueError, match=f"there once, got twice: {names[-1]}; rename one"):
        Rollouts.from_frame(pd.DataFrame([list(range(len(names)))], columns=names))


@pytest.mark.parametrize(
    "index",
    [
        [7, 7, 7, 7],
        ["w", "x", "y", "z"],
        pd.MultiIndex.from_product([[1, 2], ["x", "y"]]),
        pd.Index([3, 2, 1, 0], name="task"),
        pd.date_range("2026", periods=4),
    ],
)
def test_the_index_of_a_frame_does_not_matter(index):
    rollouts = Rollouts.from_frame(
        pd.DataFrame({"task": list("aabb"), "reward": HALF}, index=index)
    )
    assert rollouts.frame.index.tolist() == [0, 1, 2, 3]
    assert rollouts.select().kept.tolist() == [0, 1, 2, 3]


def test_the_frame_given_is_left_alone():
    frame = pd.DataFrame(
        {"task": [1, 1], "reward": ["1", None], "leak": ["true", ""]}, index=[5, 9]
    )
    before = frame.copy(deep=True)
    Rollouts.from_frame(frame).select()
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    "empty",
    [
        lambda: Rollouts.from_records([]),
        lambda: Rollouts.from_frame(pd.DataFrame({"task": []})),
        lambda: Rollouts.from_frame(pd.DataFrame(columns=["task", "reward", "reply", "leak"])),
        lambda: table({"a": [1, 0]}).take([]),
    ],
)
def test_no_rows_have_a_clear_outcome_everywhere(empty):
    rollouts = empty()
    assert (len(rollouts), rollouts.n_tasks, len(rollouts.rows)) == (0, 0, 0)
    assert repr(rollouts) == "<Rollouts: 0 rows, 0 tasks, 0 scored>"
    assert "n/a" in str(rollouts.pass_at)
    for mode in ("rl", "sft"):
        assert str(rollouts.select(mode)).startswith(f"{mode} selection: kept 0 of 0 rows")
    assert len(rollouts.grade(lambda row: 1)) == 0


@pytest.mark.parametrize(
    ("tasks", "kept", "sft"),
    [
        ({"a": [1]}, 0, 1),
        ({"a": [1, 0]}, 2, 1),
        ({"a": [1, 1, 1]}, 0, 1),
        ({"a": [0, 0, 0]}, 0, 0),
        ({"a": [None, None]}, 0, 0),
        ({"a": [1, 1], "b": [0, 0]}, 0, 1),
        ({f"t{i}": [1] for i in range(5)}, 0, 5),
        ({"a": [1] * 8, "b": [1, 0, 1], "c": [1]}, 3, 3),
    ],
)
def test_one_task_lone_rows_all_pass_all_fail_and_nothing_scored(tasks, kept, sft):
    rollouts = table(tasks)
    assert rollouts.select().report["kept"] == kept
    assert rollouts.select("sft").report["kept"] == sft
    str(rollouts.pass_at), str(rollouts.select()), str(rollouts.select("sft"))


def test_the_table_says_how_large_it_is():
    assert repr(table({"a": [1, None], "b": [0]})) == "<Rollouts: 3 rows, 2 tasks, 2 scored>"


@given(records())
def test_no_row_is_dropped_and_none_moves(rows):
    rollouts = Rollouts.from_records(rows)
    assert rollouts.frame["task"].tolist() == [row["task"] for row in rows]
    assert [None if np.isnan(one) else one for one in rollouts.reward] == [
        row["reward"] for row in rows
    ]


# --- scored ---------------------------------------------------------------------------------------


def test_scored_means_a_finite_reward_no_error_and_a_judge_that_is_ok():
    rollouts = table(
        {"a": [1, None, 1, 1, float("inf"), 0]},
        error=["", "", "boom", "", "", ""],
        judge_status=["ok", "ok", "ok", "timeout", "ok", ""],
    )
    assert rollouts.scored.tolist() == [True, False, False, False, False, True]


def test_leak_incomplete_and_truncated_rows_can_be_scored():
    rollouts = table({"a": [1, 0, 1]}, leak=[1, 0, 0], incomplete=[0, 1, 0], truncated=[0, 0, 1])
    assert rollouts.scored.all()
    assert rollouts.pass_at.pass_at_1 == pytest.approx(2 / 3)


def test_a_table_without_rewards_is_unscored():
    rollouts = Rollouts.from_frame(pd.DataFrame({"task": ["a", "a"]}))
    assert not rollouts.scored.any()
    assert rollouts.select().report["unscored_reasons"] == {"no reward": 2}


# --- pass@k ---------------------------------------------------------------------------------------


def test_pass_at_uses_the_commonest_group_and_any_k_on_demand():
    rollouts = table({"a": [1, 0, 1, 0], "b": [1, 1, 1, 1], "c": [1]})
    # means .5, 1, 1; pass@2 of 2 in 4: 1 − 1/6, of 4 in 4: 1
    assert rollouts.pass_at.k == 4
    assert rollouts.pass_at.pass_at_1 == pytest.approx(2.5 / 3)
    assert rollouts.pass_at_k(2).pass_at_k == pytest.approx((5 / 6 + 1) / 2)


def test_a_cut_can_be_given_to_pass_at():
    rollouts = table({"a": [3, 7], "b": [9, 9]})
    assert rollouts.pass_at_k(pass_at_least=7).pass_at_1 == 0.75
    with pytest.raises(ValueError, match="give pass_at_least="):
        rollouts.pass_at_k()


# --- take -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [[3, 1], np.array([3, 1]), (3, 1), [-1, 1]])
def test_take_gives_rows_by_position_in_the_order_asked(rows):
    part = table({"a": [1, 0], "b": [0.5, None]}).take(rows)
    assert part.frame["task"].tolist() == ["b", "a"]
    assert part.n_tasks == 2
    mask = table({"a": [1, 0], "b": [1, 0]}).take(np.array([True, True, False, False]))
    assert (mask.n_tasks, mask.task_labels.tolist()) == (1, ["a"])


def test_take_keeps_what_belongs_to_the_rollouts():
    whole = table({"a": ["1", 0, 1]}, reply_key=[1, 1, 2])
    whole.system_prompt = "Help."
    part = whole.take([0, 1])
    assert (part.notes, part.system_prompt) == (whole.notes, "Help.")
    assert part.reply_codes[0] == part.reply_codes[1]
    with pytest.raises(IndexError):
        whole.take([3])


# --- grade ----------------------------------------------------------------------------------------


def test_grading_gives_new_rollouts_and_leaves_the_old_ones():
    rollouts = table({"a": [None, None]}, mistake=["", "hedging"], reply=["x", "y"])
    graded = rollouts.grade(lambda row: {"reward": int(not row["seeded"]), "reason": "read"})
    assert graded.reward.tolist() == [1.0, 0.0] and np.isnan(rollouts.reward).all()
    assert graded.frame["judge_status"].tolist() == ["ok", "ok"]
    assert graded.frame["judge_reason"].tolist() == ["read", "read"]
    assert "judge_status" not in rollouts.frame
    assert (graded.task_labels == rollouts.task_labels).all()


def test_a_judge_that_fails_leaves_rows_unscored_with_a_count_and_a_reason():
    def judge(row):
        row["reward"] = 1
        return 1 / row["rollout_index"]

    graded = table({"a": [1, 1, 0]}).grade(judge)
    assert graded.scored.tolist() == [False, True, True]
    (reason,) = graded.unscored_reasons()
    assert reason.startswith("judge: error")
    assert f"1 {reason}" in str(graded.select())


def test_grading_again_replaces_the_first_judge():
    graded = table({"a": [None, None]}).grade(lambda row: None).grade(lambda row: 1.0)
    assert graded.scored.all() and graded.reward.tolist() == [1.0, 1.0]


def test_an_error_of_the_rollout_outlives_the_judge():
    graded = table({"a": [None, None]}, error=["boom", ""]).grade(lambda row: 1)
    assert graded.scored.tolist() == [False, True]


# --- trusted and back -----------------------------------------------------------------------------


@given(records(), st.booleans())
def test_a_frame_that_went_out_comes_back_as_the_same_rollouts(rows, trusted):
    rollouts = Rollouts.from_records(rows)
    again = (
        Rollouts.trusted(
            rollouts.frame,
            task_codes=rollouts.task_codes,
            task_labels=rollouts.task_labels,
            reply_codes=rollouts.reply_codes,
        )
        if trusted
        else Rollouts.from_frame(rollouts.frame)
    )
    assert (again.reply_codes == rollouts.reply_codes).all()
    assert again.select().report == rollouts.select().report
    pd.testing.assert_frame_equal(again.frame, rollouts.frame)
