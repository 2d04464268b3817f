"""What the reward tracks: within a task, pooled, and against the floor."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import records, table
from whilecore.reward_scan import SCANNED, label, scan, shuffle_feature
from whilecore.rollouts import Rollouts

LENGTHS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.sampled_from([0.0, 1.0, 0.5])),
    min_size=3,
    max_size=24,
)


def lengths(tasks):
    """Build rollouts from {task: [(length, reward), ...]} and scan all their rows."""
    rollouts = table(
        {task: [reward for _, reward in pairs] for task, pairs in tasks.items()},
        reply_chars=[length for pairs in tasks.values() for length, _ in pairs],
    )
    return scan(rollouts, np.arange(len(rollouts)))


def test_two_tasks_by_hand():
    # a: lengths 10 12 14 16 (−3 −1 1 3), rewards 0 1 1 1 (−.75 .25 .25 .25): Sxy 3, Sxx 20, Syy .75
    # b: lengths 50 52 54 56 (−3 −1 1 3), rewards 0 0 0 1 (−.25 −.25 −.25 .75): Sxy 3, 20, .75
    # within 6/√(40·1.5) = .7746; pooled: Sxy −74, Sxx 3240, Syy ... = −.4224
    found = lengths(
        {"a": [(10, 0), (12, 1), (14, 1), (16, 1)], "b": [(50, 0), (52, 0), (54, 0), (56, 1)]}
    )
    one = found.correlations["reply_chars"]
    assert one["within"] == pytest.approx(6 / math.sqrt(60))
    assert one["pooled"] == pytest.approx(-0.4224, abs=5e-5)
    assert (one["rows"], one["groups"], one["clears"], one["floor"]) == (8, 2, False, None)
    assert found.why_no_floor == "2 tasks have mixed rewards; a noise floor needs 3"


@given(LENGTHS)
def test_within_is_the_correlation_of_centred_columns(rows):
    frame = pd.DataFrame(rows, columns=["task", "x", "y"])
    rollouts = Rollouts.from_frame(frame.rename(columns={"x": "reply_chars", "y": "reward"}))
    one = scan(rollouts, np.arange(len(frame))).correlations["reply_chars"]
    centred = frame[["x", "y"]] - frame.groupby("task")[["x", "y"]].transform("mean")
    if one["within"] is not None:
        top, x, y = (centred["x"] * centred["y"]).sum(), centred["x"] ** 2, centred["y"] ** 2
        assert one["within"] == pytest.approx(top / math.sqrt(x.sum() * y.sum()), abs=1e-9)
    if one["pooled"] is not None:
        assert one["pooled"] == pytest.approx(np.corrcoef(frame["x"], frame["y"])[0, 1], abs=1e-9)


def test_with_one_task_within_is_the_plain_correlation():
    one = lengths({"a": [(1, 0), (5, 1), (2, 0.5), (9, 1)]}).correlations["reply_chars"]
    assert one["within"] == one["pooled"]
    assert one["within"] == pytest.approx(np.corrcoef([1, 5, 2, 9], [0, 1, 0.5, 1])[0, 1])


@given(LENGTHS, st.integers(1, 9), st.integers(-50, 50))
def test_unit_and_zero_of_a_feature_change_nothing(rows, factor, shift):
    def found(move):
        tasks = {}
        for task, length, reward in rows:
            tasks.setdefault(task, []).append((move(length), reward))
        return lengths(tasks)

    plain, moved = found(lambda x: x), found(lambda x: 100 + factor * x + shift)
    for key in ("within", "pooled", "floor"):
        before, after = (one.correlations["reply_chars"][key] for one in (plain, moved))
        assert (before is None) == (after is None)
        if before is not None:
            assert after == pytest.approx(before, abs=1e-9)


@given(records(min_size=1))
def test_turning_the_rewards_round_turns_the_signs(rows):
    rollouts = Rollouts.from_records([row | {"reward": row["reward"] or 0} for row in rows])
    turned = Rollouts.from_frame(rollouts.frame.assign(reward=1 - rollouts.reward))
    index = np.arange(len(rows))
    one, two = scan(rollouts, index).correlations, scan(turned, index).correlations
    for name in one:
        for key in ("within", "pooled"):
            if one[name][key] is not None:
                assert two[name][key] == pytest.approx(-one[name][key], abs=1e-9)


def long_pays(tasks=8, tries=6, seed=0, strength=1.0):
    rng = np.random.default_rng(seed)
    length = rng.integers(10, 100, (tasks, tries))
    noise = rng.random((tasks, tries))
    pays = strength * (length > np.median(length, axis=1, keepdims=True)) + (1 - strength) * noise
    return {
        f"t{i}": list(zip(length[i].tolist(), (pays[i] > 0.5).astype(float), strict=True))
        for i in range(tasks)
    }


def test_a_judge_that_pays_for_length_is_named_with_both_numbers():
    found = lengths(long_pays())
    one = found.correlations["reply_chars"]
    assert one["clears"] and one["within"] > one["floor"] > 0
    (warning,) = found.warnings
    assert "rises with reply length within a task" in warning
    assert f"r {one['within']:+.2f}, noise floor {one['floor']:.2f}, 48 kept rows in 8" in warning


def test_luck_is_no_warning():
    flagged = sum(bool(lengths(long_pays(seed=seed, strength=0)).warnings) for seed in range(60))
    # 5 % of 60 is 3; more than 9 has a chance of 1 in 1000
    assert flagged <= 9


def test_other_features_raise_the_floor_because_the_largest_counts():
    tasks = long_pays()
    rollouts = table(
        {task: [reward for _, reward in pairs] for task, pairs in tasks.items()},
        reply_chars=[length for pairs in tasks.values() for length, _ in pairs],
        **{f"f{i}": np.random.default_rng(i).random(48).tolist() for i in range(12)},
    )
    index = np.arange(48)
    alone = scan(rollouts, index)
    many = scan(rollouts, index, features=[f"f{i}" for i in range(12)])
    assert many.floor > alone.floor
    assert list(many.correlations)[0] == "reply_chars" and len(many.correlations) == 13
    assert many.correlations["reply_chars"]["within"] == pytest.approx(
        alone.correlations["reply_chars"]["within"]
    )


def test_the_floor_is_seeded():
    tasks = long_pays()
    rollouts = table(
        {task: [reward for _, reward in pairs] for task, pairs in tasks.items()},
        reply_chars=[length for pairs in tasks.values() for length, _ in pairs],
    )
    first, again, other = (scan(rollouts, np.arange(48), seed=seed).floor for seed in (1, 1, 2))
    assert first == again != other
    assert first == pytest.approx(other, rel=0.15)


# --- conventions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tasks", "why"),
    [
        ({"a": [(7, 0), (7, 1), (7, 0)]}, "never varies within a task"),
        ({"a": [(3, 0), (9, 1)]}, "2 rows in tasks with mixed rewards; r needs 3"),
        ({"a": [(3, 1), (9, 1), (4, 1)]}, "0 rows in tasks with mixed rewards; r needs 3"),
        ({"a": [(3, 0), (3, 1)], "b": [(9, 0), (9, 1)]}, "never varies within a task"),
        ({"a": [(None, 0), (3, 1), (4, 0)]}, "missing in 1 of 3 rows"),
        ({"a": [(math.inf, 0), (3, 1), (4, 0)]}, "missing in 1 of 3 rows"),
    ],
)
def test_an_undefined_value_is_none_with_its_reason(tasks, why):
    found = lengths(tasks)
    assert found.correlations["reply_chars"]["within"] is None
    assert found.undefined == {"reply_chars": why}
    assert found.correlations["reply_chars"]["floor"] is None
    assert not found.warnings


def test_a_feature_that_differs_between_tasks_only_is_pooled_and_undefined_within():
    one = lengths({"a": [(3, 0), (3, 1), (3, 0)], "b": [(9, 1), (9, 1), (9, 0)]})
    assert one.correlations["reply_chars"]["within"] is None
    assert one.correlations["reply_chars"]["pooled"] == pytest.approx(1 / 3)


def test_one_missing_cell_does_not_blank_the_other_features():
    rollouts = table(
        {f"t{i}": [0, 1, 1, 0] for i in range(4)},
        reply_chars=[None, *range(15)], hedging=[0, 1, 1, 0] * 4,
    )  # fmt: skip
    found = scan(rollouts, np.arange(16))
    assert found.correlations["hedging"]["within"] == pytest.approx(1)
    assert found.correlations["hedging"]["clears"]
    assert found.undefined == {"reply_chars": "missing in 1 of 16 rows"}


def test_numbers_of_any_size_are_scanned_alike():
    tasks = long_pays()
    plain = lengths(tasks).correlations["reply_chars"]
    for factor in (1e-300, 1e300):
        scaled = {task: [(x * factor, y) for x, y in pairs] for task, pairs in tasks.items()}
        found = lengths(scaled).correlations["reply_chars"]
        assert found["within"] == pytest.approx(plain["within"])
        assert found["floor"] == pytest.approx(plain["floor"])


def test_no_rows_and_no_features():
    rollouts = table({"a": [1, 0]})
    found = scan(rollouts, [])
    assert (found.rows, found.groups, found.correlations, found.floor) == (0, 0, {}, None)
    nothing = scan(table({"a": [1, 0]}, reply_chars=[1, 2]), np.zeros(0, np.int64))
    assert nothing.correlations["reply_chars"]["pooled"] is None
    three = table({f"t{i}": [1, 0, 1] for i in range(3)})
    assert scan(three, np.arange(9)).why_no_floor == (
        "no feature varies within a task with mixed rewards"
    )


def test_reply_words_are_a_second_name_for_length_and_scanned_only_on_demand():
    rollouts = table({"a": [1, 0, 1]}, reply=["a b", "c", "d e f"])
    assert list(scan(rollouts, [0, 1, 2]).correlations) == [
        name for name in SCANNED if name != "ignored_failure"
    ]
    asked = scan(rollouts, [0, 1, 2], features=["reply_words", "reply_chars"]).correlations
    assert list(asked)[-1] == "reply_words" and len(asked) == 7
    assert (label("reply_chars"), label("tone")) == ("reply length", "tone")


@pytest.mark.parametrize("features", [["note"], ["nope"], [1], ["reward"], [None]])
def test_a_feature_that_is_no_numeric_column_is_refused_with_those_that_are(features):
    rollouts = table({"a": [1, 0]}, note=["x", "y"], tone=[1, 2])
    with pytest.raises(ValueError, match="must name numeric columns, got .*; allowed: tone, roll"):
        scan(rollouts, [0, 1], features=features)


@pytest.mark.parametrize("features", ["tone", None, 3])
def test_features_are_a_list_of_names(features):
    with pytest.raises(ValueError, match=r"list of column names, got .*; write features=\[name\]"):
        scan(table({"a": [1, 0]}, tone=[1, 2]), [0, 1], features=features)


def test_too_few_shuffles_are_refused():
    with pytest.raises(ValueError, match="shuffles must be at least 999, got 100"):
        scan(table({"a": [1, 0]}), [0, 1], shuffles=100)


def test_nullable_features_are_scanned():
    frame = pd.DataFrame({"task": ["a"] * 4, "reward": [0, 1, 1, 0],
                          "tone": pd.array([1, 2, 2, 1], dtype="Int64")})  # fmt: skip
    found = scan(Rollouts.from_frame(frame), np.arange(4), features=["tone"])
    assert found.correlations["tone"]["within"] == pytest.approx(1)


# --- which rows are scanned -----------------------------------------------------------------------


def test_select_scans_first_copies_even_where_copies_are_kept():
    rollouts = table(
        {f"t{i}": [0, 1, 1, 0, 0] for i in range(4)},
        reply_key=[1, 2, 3, 4, 1] * 4, reply_chars=[1, 2, 3, 1, 1] * 4,
    )  # fmt: skip
    drop, keep = (rollouts.select(duplicates=how).report for how in ("drop", "keep"))
    assert (drop["kept"], keep["kept"]) == (16, 20)
    assert drop["correlations"] == keep["correlations"]
    assert keep["scanned"]["rows"] == 16


def test_simpsons_paradox_is_seen_through():
    # Hard tasks have long replies and low rewards; inside each task the long reply is paid.
    rng = np.random.default_rng(0)
    rates = np.linspace(0.2, 0.8, 16)
    tasks = {}
    for i, rate in enumerate(rates):
        passed = rng.random(8) < rate
        length = 80 + 320 * (1 - rate) + 30 * passed + rng.normal(0, 18, 8)
        tasks[f"t{i}"] = list(zip(length, passed.astype(float), strict=True))
    one = lengths(tasks).correlations["reply_chars"]
    assert one["pooled"] < -0.1 and one["within"] > 0.4 and one["clears"]


def mixed_rollouts():
    """Build 6 tasks of 5 or 3 rows, one of them with equal rewards, and two features."""
    rng = np.random.default_rng(3)
    task = np.repeat(np.arange(6), [5, 3, 5, 3, 5, 5])
    reward = (rng.random(len(task)) < 0.5).astype(float)
    reward[task == 4] = 1.0
    length = rng.integers(10, 200, len(task)) + 40 * reward
    return table(
        {int(t): reward[task == t] for t in range(6)},
        reply_chars=length.tolist(),
        hedging=(rng.random(len(task)) < 0.4).tolist(),
    )


def test_shuffles_of_one_feature_swap_rewards_inside_their_tasks_only():
    rollouts = mixed_rollouts()
    found = shuffle_feature(rollouts, np.arange(len(rollouts)), "reply_chars", shuffles=200)
    task, reward = rollouts.task_codes[found.rows], rollouts.reward[found.rows]
    assert (task[found.places] == task).all()
    assert (np.sort(found.places, axis=1) == np.arange(len(task))).all()
    got = reward[found.places]
    for one in range(6):
        assert (got[:, task == one].sum(axis=1) == reward[task == one].sum()).all()
    assert len({places.tobytes() for places in found.places}) > 150


def test_each_r_is_the_correlation_with_the_shuffled_rewards():
    rollouts = mixed_rollouts()
    rows = np.arange(len(rollouts))
    found = shuffle_feature(rollouts, rows, "reply_chars", shuffles=5)
    one = scan(rollouts, rows).correlations["reply_chars"]
    assert found.observed == pytest.approx(one["within"])
    for b in range(5):
        frame = rollouts.frame.iloc[found.rows].reset_index(drop=True)
        frame["reward"] = frame["reward"].to_numpy()[found.places[b]]
        again = scan(Rollouts.from_frame(frame), np.arange(len(frame)))
        assert found.r[b] == pytest.approx(again.correlations["reply_chars"]["within"])


def test_the_floor_is_drawn_from_these_shuffles():
    # rank ⌈0.95·1000⌉ = 950 of 999 among the largest |r| over both features
    rollouts = mixed_rollouts()
    rows = np.arange(len(rollouts))
    parts = [shuffle_feature(rollouts, rows, name, seed=7).r for name in ("reply_chars", "hedging")]
    largest = np.sort(np.abs(np.stack(parts)).max(axis=0))
    assert scan(rollouts, rows, seed=7).floor == pytest.approx(largest[949])


def test_a_feature_that_says_nothing_has_no_shuffles():
    flat = table({"a": [0, 1, 1], "b": [1, 0, 0], "c": [1, 1, 0]}, reply_chars=[5] * 9)
    assert shuffle_feature(flat, np.arange(9), "reply_chars") is None


def test_a_feature_that_is_no_column_cannot_be_shuffled():
    with pytest.raises(ValueError, match="features must name numeric columns, got 'mood'"):
        shuffle_feature(mixed_rollouts(), np.arange(26), "mood")
