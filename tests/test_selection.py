"""``select``: the report's numbers, its keys, its options, and what row order and parts change."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import numbered, records, table
from whilecore import select
from whilecore.gates import CAUSES, RL_FATES, SFT_FATES
from whilecore.intervals import wilson, wilson_half_width
from whilecore.rollouts import Rollouts
from whilecore.selection import Selection

RL_KEYS = {
    "mode", "rows", "kept", "groups_kept", "row_fates", "duplicate_tasks", "conflicting_rewards",
    "emptied_groups", "unanimous_groups", "too_easy_groups", "too_hard_groups", "band",
    "measure_on", "difficulty", "correlations", "warnings",
}  # fmt: skip
SFT_KEYS = {
    "mode", "rows", "kept", "row_fates", "eligible", "not_passing", "incomplete", "unscored",
    "distinct_behaviors", "behaviors_covered", "completions_per_task", "warnings",
}  # fmt: skip
COUNTS = (
    "rows", "kept", "groups_kept", "duplicate_tasks", "conflicting_rewards", "emptied_groups",
    "too_easy_groups", "too_hard_groups", "tasks", "scored",
)  # fmt: skip


def test_a_small_file_by_hand():
    # a: 1 0 1 0, one copy → kept 3 of 4, rate .5    b: 1 1 → as drawn
    # c: 1 and an unscored row → single              d: 1 1 1 1 1 0 → 5 of 6 = .83, too easy
    # e: a leak alone → emptied
    rollouts = table(
        {"a": [1, 0, 1, 0], "b": [1, 1], "c": [1, None], "d": [1] * 5 + [0], "e": [1]},
        reply_key=[1, 2, 1, 3, *range(11)],
        leak=[0] * 14 + [1],
    )
    report = rollouts.select(mode="rl").report
    fates = dict.fromkeys(RL_FATES, 0)
    fates |= {"duplicate": 1, "unanimous": 3, "unscored": 1, "too_easy": 6, "leak": 1, "kept": 3}
    assert report["row_fates"] == fates
    assert report["unanimous_groups"] == {"as_drawn": 1, "after_gates": 0, "single": 1}
    assert (report["rows"], report["kept"], report["groups_kept"]) == (15, 3, 1)
    assert (report["duplicate_tasks"], report["emptied_groups"]) == (1, 1)
    assert (report["too_easy_groups"], report["too_hard_groups"]) == (1, 0)
    assert (report["tasks"], report["scored"]) == (5, 14)
    # one kept task, measured on its 4 scored rows, 2 of 4: .150 to .850, so ± .35
    assert report["difficulty"]["median_rollouts"] == 4
    assert report["difficulty"]["half_width"] == pytest.approx(0.350, abs=5e-4)


def test_difficulty_is_the_median_over_kept_tasks_of_all_their_scored_rows():
    rollouts = table({"a": [1, 0], "b": [1, 0, 0], "c": [1, 0] * 4}, reply_key=[1, 2] * 6 + [1])
    firm = rollouts.select(duplicates="drop").report["difficulty"]
    widths = [float(wilson_half_width(c, n)) for c, n in ((1, 2), (1, 3), (4, 8))]
    low, high = wilson([1, 1, 4], [2, 3, 8])
    assert firm == {
        "median_rollouts": 3.0, "half_width": pytest.approx(np.median(widths)),
        "low": pytest.approx(np.median(low)), "high": pytest.approx(np.median(high)),
    }  # fmt: skip


def test_nothing_kept_has_no_difficulty_and_no_warning():
    report = table({"a": [1, 1], "b": [0]}).select().report
    assert set(report["difficulty"].values()) == {None}
    assert (report["warnings"], report["kept"], report["groups_kept"]) == ([], 0, 0)


def test_an_sft_selection_by_hand():
    # a passes twice, b once and once cut, c never; the leak of d never counts
    rollouts = table(
        {"a": [1, 1, 0], "b": [1, 1], "c": [0, None], "d": [1]},
        behavior=["x", "y", "x", "z", "z", "x", "x", "w"],
        incomplete=[0, 0, 0, 0, 1, 0, 0, 0],
        leak=[0] * 7 + [1],
    )
    report = rollouts.select(mode="sft").report
    fates = dict.fromkeys(SFT_FATES, 0)
    fates |= {"leak": 1, "unscored": 1, "not_passing": 2, "incomplete": 1, "same_task": 1}
    assert report["row_fates"] == fates | {"kept": 2}
    assert (report["eligible"], report["candidates"]) == (2, 3)
    assert (report["distinct_behaviors"], report["behaviors_covered"]) == (3, 2)
    # scored per task: 3, 2, 1, 1
    assert report["completions_per_task"] == {"mean": 1.75, "median": 1.5, "max": 3}
    assert report["pass_filter"] is True


def test_behaviours_are_not_known_where_the_file_does_not_tell():
    report = table({"a": [1, 1]}).select("sft").report
    assert report["distinct_behaviors"] is None and report["behaviors_covered"] is None


def test_with_graded_rewards_the_best_of_a_task_is_more_than_a_filter():
    report = table({"a": [0.4, 0.9]}).select("sft", min_reward=0.5).report
    assert report["pass_filter"] is False


def test_no_scored_row_has_no_completions():
    report = table({"a": [None]}).select("sft").report
    assert report["completions_per_task"] == {"mean": None, "median": None, "max": None}


@given(records())
def test_the_report_has_the_promised_keys_and_only_plain_values(rows):
    rollouts = Rollouts.from_records(rows)
    rl, sft = rollouts.select().report, rollouts.select("sft", min_reward=0.5).report
    assert set(rl) >= RL_KEYS and set(sft) >= SFT_KEYS
    assert list(rl["row_fates"]) == list(RL_FATES) and list(sft["row_fates"]) == list(SFT_FATES)
    assert list(rl["unanimous_groups"]) == list(CAUSES)
    for report in (rl, sft):
        assert json.loads(json.dumps(report, allow_nan=False))["kept"] == report["kept"]
        assert sum(report["row_fates"].values()) == report["rows"] == len(rows)
        assert sum(report["unscored_reasons"].values()) == (~rollouts.scored).sum()
    for one in rl["correlations"].values():
        assert set(one) == {"pooled", "within", "floor", "clears", "rows", "groups"}
    ended = sum(rl["unanimous_groups"].values()) + sum(
        rl[name] for name in ("groups_kept", "emptied_groups", "too_easy_groups", "too_hard_groups")
    )
    assert ended == rl["tasks"] == rollouts.n_tasks


# --- what row order and parts change --------------------------------------------------------------


def agreeing(rows):
    """Let reward and features follow the reply, so that no two copies of a reply disagree."""
    values = (0.0, 1.0, 0.5, 0.1, 0.95, 1.0)
    return [
        row
        | {
            "reward": values[row["reply_key"]],
            "reply_chars": 10 * row["reply_key"] % 40,
            "hedging": row["reply_key"] % 2 == 0,
            "error": "",
            "judge_status": "",
        }
        for row in numbered(rows)
    ]


@given(records(min_size=1), st.randoms())
def test_row_order_changes_no_count_no_interval_and_no_floor(rows, random):
    rows = agreeing(rows)
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, two = (Rollouts.from_records(some) for some in (rows, shuffled))
    assert one.pass_at == two.pass_at or math.isnan(one.pass_at.pass_at_1)
    a, b = one.select().report, two.select().report
    assert a == b
    keep = [some.select(duplicates="keep").report for some in (one, two)]
    assert keep[0] == keep[1]
    c, d = (some.select("sft", min_reward=0.5).report for some in (one, two))
    assert c == d


@given(records(min_size=1), st.integers(2, 4))
def test_parts_that_hold_whole_tasks_add_up_to_the_whole(rows, n_parts):
    rollouts = Rollouts.from_records(rows)
    part_of = rollouts.task_codes % n_parts
    parts = [rollouts.take(np.flatnonzero(part_of == part)) for part in range(n_parts)]
    for options in ({}, {"measure_on": "surviving"}, {"duplicates": "keep", "band": (0, 0.6)}):
        whole = rollouts.select(**options).report
        reports = [part.select(**options).report for part in parts]
        for name in COUNTS:
            assert whole[name] == sum(report[name] for report in reports)
        for name in ("row_fates", "unanimous_groups", "unscored_reasons"):
            keys = set().union(*(report[name] for report in reports))
            assert whole[name] == {
                key: sum(report[name].get(key, 0) for report in reports) for key in keys
            }
    whole = rollouts.select("sft", min_reward=0.5)
    for name in ("kept", "eligible", "not_passing", "incomplete", "unscored"):
        assert whole.report[name] == sum(
            part.select("sft", min_reward=0.5).report[name] for part in parts
        )


@given(records(min_size=1))
def test_the_rows_of_a_part_end_as_they_do_in_the_whole(rows):
    rollouts = Rollouts.from_records(numbered(rows))
    half = np.flatnonzero(rollouts.task_codes % 2 == 0)
    for mode, options in (("rl", {}), ("sft", {"min_reward": 0.5})):
        whole = rollouts.select(mode, **options).fate_names[half]
        assert list(whole) == list(rollouts.take(half).select(mode, **options).fate_names)


@given(records(min_size=1))
def test_selecting_what_was_kept_keeps_it(rows):
    kept = Rollouts.from_records(rows).select(band=(0, 1)).rollouts
    assert len(kept.select(band=(0, 1))) == len(kept)
    copies = Rollouts.from_records(rows).select("sft", min_reward=0.5).rollouts
    assert len(copies.select("sft", min_reward=0.5)) == len(copies)


@given(records(binary=True))
def test_sft_of_zeros_and_ones_is_one_pass_of_every_task_that_has_one(rows):
    plain = [{"task": row["task"], "reward": row["reward"]} for row in rows]
    selection = Rollouts.from_records(plain).select("sft")
    assert set(selection.rollouts.task_labels) == {r["task"] for r in plain if r["reward"] == 1}
    assert (selection.rollouts.reward == 1).all()
    assert len(selection) == selection.report["eligible"]


# --- the object -----------------------------------------------------------------------------------


def test_a_selection_gives_its_rows_and_prints_as_its_report():
    rollouts = table({"a": [1, 0], "b": [1, 1]}, note=["w", "x", "y", "z"])
    selection = rollouts.select()
    assert isinstance(selection, Selection)
    assert selection.kept.tolist() == [0, 1] and len(selection) == 2
    assert selection.rollouts.frame["note"].tolist() == ["w", "x"]
    assert selection.fate_names.tolist() == ["kept", "kept", "unanimous", "unanimous"]
    assert str(selection).startswith("rl selection: kept 2 of 4 rows")
    assert str(rollouts.select("sft")).startswith("sft selection: kept 2 of 4 rows")
    assert repr(selection) == "Selection(mode='rl')"


def test_the_function_and_the_method_are_one():
    rollouts = table({"a": [1, 0]})
    assert select(rollouts, "sft").report == rollouts.select(mode="sft").report


def test_a_selection_changes_nothing_in_its_rollouts():
    rollouts = table({"a": [1, 0, 1], "b": [0, None, 1]}, reply_key=[1, 2, 1, 1, 2, 3])
    before = rollouts.frame.copy(deep=True)
    rollouts.select(), rollouts.select("sft")
    assert rollouts.frame.equals(before)


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["RL", "dpo", None, 1])
def test_an_unknown_mode_is_refused_with_those_there_are(mode):
    with pytest.raises(ValueError, match=f"mode must be one of rl, sft, got {mode!r}"):
        table({"a": [1, 0]}).select(mode)


def test_an_unknown_option_is_refused_with_those_of_the_mode():
    rollouts = table({"a": [1, 0]})
    allowed = "band, measure_on, duplicates, pass_at_least, target, features, seed"
    with pytest.raises(ValueError, match=f"mode='rl' takes the options {allowed}, got 'min_reward"):
        rollouts.select(min_reward=1)
    with pytest.raises(ValueError, match="mode='sft' takes the options min_reward, target, seed, "):
        rollouts.select("sft", band=(0, 1))


@pytest.mark.parametrize("seed", [-1, 1.5, "0", None, True])
@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_a_seed_that_is_none_is_refused_even_where_nothing_is_drawn(mode, seed):
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0"):
        table({"a": [1, 1]}).select(mode, seed=seed)


def test_each_mode_asks_for_its_own_cut_on_another_scale():
    rollouts = table({"a": [0, 7, 10]})
    with pytest.raises(ValueError, match=r"rewards lie in \[0, 10\].*give pass_at_least="):
        rollouts.select()
    with pytest.raises(ValueError, match=r"rewards lie in \[0, 10\].*give min_reward="):
        rollouts.select("sft")
    assert rollouts.select(pass_at_least=7).report["kept"] == 3  # 2 of 3 pass
    assert rollouts.select("sft", min_reward=7).kept.tolist() == [2]


def test_signed_rewards_need_no_cut_in_either_mode():
    rollouts = table({"a": [-1, 1, 1, -1]})
    assert rollouts.select().report["kept"] == 4
    assert rollouts.select("sft").report["not_passing"] == 2
    assert any("-1 and 1" in note for note in rollouts.select("sft").report["notes"])


@pytest.mark.parametrize("value", ["1", math.nan, math.inf, [1]])
def test_a_cut_that_is_no_number_is_refused_in_either_mode(value):
    with pytest.raises(ValueError, match="pass_at_least must be a finite number"):
        table({"a": [1, 0]}).select(pass_at_least=value)
    with pytest.raises(ValueError, match="min_reward must be a finite number"):
        table({"a": [1, 0]}).select("sft", min_reward=value)
