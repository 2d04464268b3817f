"""Which row leaves, at which gate: order, conventions, invariants."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import numbered, records, table
from whilecore.gates import CAUSES, RL_FATES, SFT_FATES, behaviors, choice, rl_gates, sft_gates
from whilecore.rollouts import Rollouts

GOOD = (1, 0, 1, 0)


def rl(rollouts, **options):
    return list(rollouts.select(mode="rl", **options).fate_names)


def sft(rollouts, **options):
    return list(rollouts.select(mode="sft", **options).fate_names)


# --- row gates ------------------------------------------------------------------------------------


def test_the_first_row_gate_takes_the_row_in_the_order_leak_unscored_incomplete_truncated():
    rollouts = table(
        {"a": [None, None, 1, 1, *GOOD]},
        leak=[1, 0, 0, 0, *[0] * 4],
        incomplete=[1, 1, 1, 0, *[0] * 4],
        truncated=[1, 1, 1, 1, *[0] * 4],
    )
    assert rl(rollouts)[:4] == ["leak", "unscored", "incomplete", "truncated"]
    assert rl(rollouts)[4:] == ["kept"] * 4


def test_sft_looks_at_the_reward_before_it_looks_at_the_ending():
    rollouts = table(
        {"a": [None, None, 0, 1, 1, 1]},
        leak=[1, 0, 0, 0, 0, 0], incomplete=[1, 1, 1, 1, 0, 0], truncated=[1, 1, 1, 1, 1, 0],
    )  # fmt: skip
    expected = ["leak", "unscored", "not_passing", "incomplete", "truncated", "kept"]
    assert sft(rollouts) == expected


def test_a_row_with_an_error_is_unscored_whatever_its_reward():
    rollouts = table({"a": [1, 0, 1, 0]}, error=["", "boom", "", ""])
    assert rl(rollouts) == ["kept", "unscored", "kept", "kept"]


def test_a_leak_or_a_cut_row_still_measures_its_task():
    # 3 of 4 scored rows pass: .75 lies in (.2, .8); without the two cut passes it would be 1 of 2
    rollouts = table({"a": [1, 1, 1, 0]}, truncated=[1, 1, 0, 0])
    decided = rl_gates(rollouts)
    assert decided.measured.rate.tolist() == [0.75]
    assert rl(rollouts, band=(0.6, 1)) == ["truncated", "truncated", "kept", "kept"]
    assert rl(rollouts, band=(0.6, 1), measure_on="surviving")[2:] == ["too_hard", "too_hard"]


def test_a_task_without_a_living_row_is_emptied():
    rollouts = table({"a": [1, 0], "b": GOOD}, leak=[1, 1, 0, 0, 0, 0])
    decided = rl_gates(rollouts)
    assert decided.group.tolist() == [-1, RL_FATES.index("kept")]
    assert rollouts.select().report["emptied_groups"] == 1


# --- duplicates -----------------------------------------------------------------------------------


def test_the_first_copy_in_row_order_is_kept_and_later_ones_go():
    rollouts = table({"a": [1, 1, 0, 0, 1]}, reply_key=[5, 5, 7, 7, 5])
    assert rl(rollouts) == ["kept", "duplicate", "kept", "duplicate", "duplicate"]


def test_copies_are_looked_for_inside_a_task_only():
    rollouts = table({"a": [1, 0], "b": [1, 0]}, reply_key=[5, 6, 5, 6])
    assert rl(rollouts) == ["kept"] * 4


def test_reply_codes_may_be_any_whole_numbers():
    rollouts = table({f"t{i}": [1, 0, 1] for i in range(9)})
    codes = np.tile([2**62, 5, 2**62], 9)
    huge = Rollouts.trusted(rollouts.frame, task_codes=rollouts.task_codes,
                            task_labels=rollouts.task_labels, reply_codes=codes)  # fmt: skip
    assert rl(huge) == ["kept", "kept", "duplicate"] * 9


def test_a_row_that_left_earlier_is_nobodys_first_copy():
    rollouts = table({"a": [1, 1, 0]}, reply_key=[5, 5, 6], leak=[1, 0, 0])
    assert rl(rollouts) == ["leak", "kept", "kept"]


def test_copies_that_score_differently_from_the_kept_one_are_counted():
    # kept: the first, reward 1. Copies: 0 (differs), 1 (agrees), 0 (differs)
    rollouts = table({"a": [1, 0, 1, 0, 0]}, reply_key=[5, 5, 5, 5, 6])
    report = rollouts.select().report
    assert (report["conflicting_rewards"], report["row_fates"]["duplicate"]) == (2, 3)
    assert (report["duplicate_tasks"], report["kept"]) == (1, 2)


def test_duplicates_may_be_kept():
    rollouts = table({"a": [1, 1, 0, 0]}, reply_key=[5, 5, 6, 6])
    assert rl(rollouts, duplicates="keep") == ["kept"] * 4
    assert rl_gates(rollouts, duplicates="keep").first_copy.tolist() == [True, False, True, False]


# --- unanimous ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rewards", "columns", "cause"),
    [
        ([1, 1, 1], {}, "as_drawn"),
        ([0.1] * 6, {}, "as_drawn"),
        ([1, 1, 0], {"leak": [0, 0, 1]}, "after_gates"),
        ([1, 1, 0], {"reply_key": [1, 2, 1]}, "after_gates"),
        ([1, 1, 1], {"leak": [0, 0, 1]}, "as_drawn"),
        ([1, None, None], {}, "single"),
        ([1], {}, "single"),
        ([1, 0], {"incomplete": [0, 1]}, "after_gates"),
        ([1, 1], {"reply_key": [1, 1]}, "as_drawn"),
    ],
)
def test_a_task_without_contrast_has_one_of_three_causes(rewards, columns, cause):
    rollouts = table({"a": rewards}, **columns)
    expected = dict.fromkeys(CAUSES, 0) | {cause: 1}
    assert rollouts.select().report["unanimous_groups"] == expected
    assert "kept" not in rl(rollouts)


def test_contrast_is_a_difference_as_given_however_small():
    assert rl(table({"a": [0.5, 0.5000001]}), pass_at_least=0.5000001) == ["kept"] * 2


# --- the band -------------------------------------------------------------------------------------


def test_a_group_that_passes_throughout_with_a_spread_is_too_easy_not_unanimous():
    assert rl(table({"A": [0.95, 0.98], "B": [0.05, 0.02]})) == ["too_easy"] * 2 + ["too_hard"] * 2


def test_removing_copies_does_not_move_the_rate_of_a_task_measured_on_scored_rows():
    # 11 of 16 pass, .69, in the band. The 11 passes are one text: 1 of 6 rows is left, .17
    rollouts = table({"a": [1] * 11 + [0] * 5}, reply_key=[9] * 11 + list(range(5)))
    assert rl(rollouts).count("kept") == 6
    assert rl(rollouts, measure_on="surviving").count("too_hard") == 6


# --- target ---------------------------------------------------------------------------------------


MANY = {f"t{i}": [1, 0] * (1 + i % 3) for i in range(30)}


def test_a_target_takes_whole_groups_until_it_is_reached():
    selection = table(MANY).select(target=20)
    report = selection.report
    sizes = {label: len(rewards) for label, rewards in MANY.items()}
    kept = set(selection.rollouts.task_labels)
    assert report["kept"] == sum(sizes[label] for label in kept)
    assert 20 <= report["kept"] < 20 + 6
    assert report["row_fates"]["over_target"] == 120 - report["kept"]
    assert report["over_target_groups"] == 30 - len(kept)


@settings(max_examples=25)
@given(st.integers(1, 130), st.integers(0, 5))
def test_a_larger_target_only_adds_groups(target, seed):
    rollouts = table(MANY)
    small = set(rollouts.select(target=target, seed=seed).kept)
    large = set(rollouts.select(target=target + 7, seed=seed).kept)
    assert small <= large
    assert len(small) >= min(target, 120)


def test_the_order_of_a_target_is_seeded_and_does_not_follow_the_file():
    picks = {tuple(table(MANY).select(target=10, seed=seed).rollouts.task_labels)
             for seed in range(8)}  # fmt: skip
    assert len(picks) > 4
    first = set(table(MANY).select(target=10).rollouts.task_labels)
    turned = table(dict(reversed(MANY.items()))).select(target=10)
    assert set(turned.rollouts.task_labels) == first


@pytest.mark.parametrize("target", [0, -1, True, 1e9, 2.0, "7", np.nan])
@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_a_target_that_is_no_number_of_rows_is_refused(mode, target):
    with pytest.raises(ValueError, match="whole number of rows of at least 1, got .*leave it out"):
        table({"a": [1, 0]}).select(mode, target=target)


# --- SFT ------------------------------------------------------------------------------------------


def test_sft_keeps_the_best_reward_of_a_task_and_one_per_task():
    rollouts = table({"a": [0.6, 0.9, 0.9, 0.2], "b": [0.1]})
    fates = sft(rollouts, min_reward=0.5)
    assert fates[0] == "same_task" and sorted(fates[1:3]) == ["kept", "same_task"]
    assert fates[3:] == ["not_passing", "not_passing"]


def test_a_tie_is_drawn_by_what_was_said_and_every_reply_can_win():
    replies = [f"reply {i}" for i in range(4)]
    winners = set()
    for seed in range(40):
        kept = table({"a": [1] * 4}, reply=replies).select("sft", seed=seed).rollouts
        turned = table({"a": [1] * 4}, reply=replies[::-1]).select("sft", seed=seed).rollouts
        assert kept.frame["reply"].tolist() == turned.frame["reply"].tolist()
        winners |= set(kept.frame["reply"])
    assert winners == set(replies)


def test_a_tie_between_figures_is_not_always_won_by_the_first_try():
    firsts = [int(table({"a": [1] * 4}).select("sft", seed=seed).kept[0]) for seed in range(40)]
    assert set(firsts) == {0, 1, 2, 3}


def test_an_sft_target_gives_every_behaviour_its_first_before_any_its_second():
    did = ["x"] * 6 + ["y"] * 3 + ["z"]
    rollouts = table({f"t{i}": [1] for i in range(10)}, behavior=did)
    for target, expected in ((1, 1), (2, 2), (3, 3), (5, 3), (10, 3), (99, 3)):
        report = rollouts.select("sft", target=target).report
        assert report["behaviors_covered"] == expected
        assert report["kept"] == min(target, 10)
        assert report["row_fates"]["over_target"] == 10 - min(target, 10)
    five = rollouts.select("sft", target=5).rollouts.frame["behavior"].value_counts()
    assert five.to_dict() == {"x": 2, "y": 2, "z": 1}


def test_behaviours_are_alike_where_the_file_does_not_tell():
    assert behaviors(table({"a": [1, 0]})).tolist() == [0, 0]
    assert behaviors(table({"a": [1, 0, 1]}, behavior=["x", "y", "x"])).tolist() == [0, 1, 0]


# --- invariants -----------------------------------------------------------------------------------


@given(records())
def test_every_row_ends_with_exactly_one_fate(rows):
    rollouts = Rollouts.from_records(rows)
    for mode, fates in (("rl", RL_FATES), ("sft", SFT_FATES)):
        options = {} if mode == "rl" else {"min_reward": 0.5}
        selection = rollouts.select(mode, target=7, **options)
        assert set(selection.report["row_fates"]) == set(fates)
        assert sum(selection.report["row_fates"].values()) == len(rows)
        assert ((selection.fate >= 0) & (selection.fate < len(fates))).all()


@given(records(min_size=1))
def test_every_kept_group_has_contrast_and_lies_in_the_band(rows):
    rollouts = Rollouts.from_records(rows)
    kept = rollouts.select().rollouts
    for label in kept.task_labels:
        mine = kept.reward[kept.frame["task"] == label]
        assert len(np.unique(mine)) > 1
        scored = rollouts.reward[(rollouts.frame["task"] == label).to_numpy() & rollouts.scored]
        assert 0.2 <= (scored >= 0.5).mean() <= 0.8
    assert not kept.frame[["task", "reply_key"]].duplicated().any()
    assert not kept.frame[["leak", "incomplete", "truncated"]].any(axis=None)


@given(records(min_size=1), st.randoms())
def test_the_order_of_rows_changes_no_count_of_a_gate_that_keeps_no_first_copy(rows, random):
    # Which copy is the first does depend on the order; with copies kept, nothing may.
    rows = numbered(rows)
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, two = Rollouts.from_records(rows), Rollouts.from_records(shuffled)
    by_row = dict(zip(one.frame["rollout"], rl(one, duplicates="keep"), strict=True))
    assert by_row == dict(zip(two.frame["rollout"], rl(two, duplicates="keep"), strict=True))
    first = {k: v for k, v in one.select("rl").report["row_fates"].items() if k in RL_FATES[:5]}
    second = two.select("rl").report["row_fates"]
    assert all(second[name] == count for name, count in first.items())
    sft_one = dict(zip(one.frame["rollout"], sft(one, min_reward=0.5), strict=True))
    sft_two = dict(zip(two.frame["rollout"], sft(two, min_reward=0.5), strict=True))
    assert {k for k, v in sft_one.items() if v in ("leak", "unscored", "not_passing")} == {
        k for k, v in sft_two.items() if v in ("leak", "unscored", "not_passing")
    }
    assert list(sft_one.values()).count("kept") == list(sft_two.values()).count("kept")


@given(records(binary=True))
def test_without_copies_flags_and_band_rl_keeps_exactly_the_mixed_tasks(rows):
    plain = [{"task": row["task"], "reward": row["reward"] or 0} for row in rows]
    fates = rl(Rollouts.from_records(plain), band=(0, 1))
    for row, fate in zip(plain, fates, strict=True):
        rewards = {other["reward"] for other in plain if other["task"] == row["task"]}
        assert fate == ("kept" if len(rewards) == 2 else "unanimous")


@given(records(binary=True))
def test_turning_passes_and_fails_round_turns_easy_and_hard_round(rows):
    turned = [row | {"reward": None if row["reward"] is None else 1 - row["reward"]}
              for row in rows]  # fmt: skip
    swap = {"too_easy": "too_hard", "too_hard": "too_easy"}
    options = {"band": (0.3, 0.7), "duplicates": "keep"}
    one, two = (rl(Rollouts.from_records(some), **options) for some in (rows, turned))
    assert [swap.get(fate, fate) for fate in one] == two


@given(records())
def test_a_wider_band_never_drops_more(rows):
    rollouts = Rollouts.from_records(rows)
    bands = [(0.5, 0.5), (0.4, 0.6), (0.2, 0.8), (0, 1)]
    kept = [set(rollouts.select(band=band).kept) for band in bands]
    assert all(narrow <= wide for narrow, wide in zip(kept, kept[1:], strict=False))


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measure_on": "all"}, "measure_on must be one of scored, surviving, got 'all'"),
        ({"measure_on": ["scored"]}, "measure_on must be one of scored, surviving, got"),
        ({"duplicates": True}, "duplicates must be one of drop, keep, got True"),
        ({"duplicates": None}, "duplicates must be one of drop, keep, got None"),
    ],
)
def test_an_option_that_is_not_allowed_is_refused_with_those_that_are(options, said):
    with pytest.raises(ValueError, match=said):
        rl_gates(table({"a": [1, 0]}), **options)


def test_a_choice_is_returned_or_refused():
    assert choice("drop", ("drop", "keep"), "duplicates") == "drop"


def test_no_rows_at_all():
    empty = Rollouts.from_records([])
    assert rl_gates(empty).fate.shape == sft_gates(empty).shape == (0,)
    assert (
        empty.select(target=5).report["kept"] == empty.select("sft", target=5).report["kept"] == 0
    )
