"""Sixteen runs of a peer package, as figures: our gate rules must give exactly the numbers kept.

``expected.json`` holds what the peer prints (``rl``, ``sft``, ``pass_at``) and what whilecore's own
rules give (``whilecore``). They differ on purpose where the rules do.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import whilecore

RUNS = Path(__file__).parent / "data" / "peer_runs"
EXPECTED = json.loads((RUNS / "expected.json").read_text(encoding="utf-8"))
NAMES = sorted(EXPECTED)


def load(name):
    return whilecore.read_rollouts(RUNS / f"{name}.csv")


def test_every_run_has_its_figures_and_every_figure_its_run():
    assert len(NAMES) == 16
    assert sorted(path.stem for path in RUNS.glob("*.csv")) == NAMES
    assert len(SAME_ROWS) == 14


@pytest.mark.parametrize("measure_on", ["scored", "surviving"])
@pytest.mark.parametrize("name", NAMES)
def test_rl_selection_sends_every_row_where_the_rules_say(name, measure_on):
    expected = EXPECTED[name]["whilecore"][measure_on]
    selection = load(name).select(mode="rl", measure_on=measure_on)
    report = selection.report
    same = (
        "rows",
        "kept",
        "groups_kept",
        "duplicate_tasks",
        "unanimous_groups",
        "too_easy_groups",
        "too_hard_groups",
    )
    assert {key: report[key] for key in same} == {key: expected[key] for key in same}
    assert list(selection.kept) == expected["kept_row_indices"]
    # The figures know no truncated rows and no target; every other fate is listed.
    fates = {"truncated": 0, "over_target": 0} | expected["row_fates"]
    assert report["row_fates"] == fates
    assert sum(report["row_fates"].values()) == report["rows"]


@pytest.mark.parametrize("name", NAMES)
def test_copies_with_another_reward_are_counted_as_the_peer_counts_them(name):
    expected = EXPECTED[name]["rl"]["conflicting_rewards"]
    assert load(name).select(mode="rl").report["conflicting_rewards"] == expected


@pytest.mark.parametrize("name", NAMES)
def test_sft_selection_keeps_one_passing_rollout_per_task(name):
    expected = EXPECTED[name]["whilecore"]["sft"]
    rollouts = load(name)
    selection = rollouts.select(mode="sft")
    report = selection.report
    assert {
        "kept": report["kept"],
        "not_passing": report["not_passing"],
        "incomplete": report["incomplete"],
        "unscored": report["unscored"],
        "leak": report["row_fates"]["leak"],
    } == expected
    assert sum(report["row_fates"].values()) == len(rollouts)
    tasks = rollouts.task_codes[selection.kept]
    assert len(set(tasks)) == len(tasks) == report["eligible"]
    assert (rollouts.reward[selection.kept] == 1).all()


@pytest.mark.parametrize("name", NAMES)
def test_pass_at_numbers_equal_the_peers(name):
    expected = EXPECTED[name]["pass_at"]
    result = load(name).pass_at
    assert (result.k, result.n_tasks) == (expected["k"], expected["n_groups"])
    for number in ("pass_at_1", "pass_pow_k", "pass_at_k", "headroom"):
        if expected[number] is not None:  # the peer gives no k-way number at two tries
            assert getattr(result, number) == pytest.approx(expected[number], abs=1e-12)
        assert math.isfinite(getattr(result, number))


@pytest.mark.parametrize("name", NAMES)
def test_our_interval_is_no_shorter_than_the_peers_bootstrap_and_never_empty(name):
    low, high = load(name).pass_at.pass_at_1_interval
    peer_low, peer_high = EXPECTED[name]["pass_at"]["ci95"]
    assert high - low >= peer_high - peer_low
    assert high - low > 0


def test_two_tries_that_differ_only_by_a_leak_leave_a_single_row_without_contrast():
    # Six tasks of two tries; the failing one quotes the key. One row is left: no contrast, although
    # the scored rows disagreed, so the cause is the gates and not the draw.
    report = load("w131_hand_leak_leaves_single").select(mode="rl").report
    assert report["unanimous_groups"] == {"as_drawn": 0, "after_gates": 6, "single": 0}
    assert (report["kept"], report["row_fates"]["leak"]) == (0, 6)


def test_measuring_on_survivors_misfiles_tasks_that_measuring_on_scored_rows_keeps():
    # Identical passes become one row, so 11 of 16 turns into 1 of 6 and the task looks too hard.
    rollouts = load("w131_s0_k16_b256_key")
    scored = rollouts.select(mode="rl", measure_on="scored").report
    surviving = rollouts.select(mode="rl", measure_on="surviving").report
    assert (scored["too_hard_groups"], surviving["too_hard_groups"]) == (0, 6)
    assert (scored["too_easy_groups"], surviving["too_easy_groups"]) == (2, 0)


# The peer also keeps tasks left with one row; correlations are comparable where rows are the same.
SAME_ROWS = [
    name
    for name in NAMES
    if EXPECTED[name]["rl"]["kept_row_indices"]
    == EXPECTED[name]["whilecore"]["surviving"]["kept_row_indices"]
]


@pytest.mark.parametrize("name", SAME_ROWS)
def test_pooled_correlations_agree_where_the_kept_rows_agree(name):
    rl = EXPECTED[name]["rl"]
    selection = load(name).select(mode="rl", measure_on="surviving")
    for peer_name, peer_value in rl["pooled_correlations_on_kept_rows"].items():
        ours = selection.report["correlations"][
            {"reply_length": "reply_chars"}.get(peer_name, peer_name)
        ]["pooled"]
        if peer_value is None or ours is None:
            assert (peer_value, ours) == (None, None)
        else:
            assert ours == pytest.approx(peer_value, abs=5.1e-4)  # the peer prints three digits


def test_the_built_simpson_run_is_positive_within_a_task():
    # Hard tasks were given long replies: pooled and within-task correlation have opposite signs.
    one = load("w131_hand_simpson").select(mode="rl").report["correlations"]["reply_chars"]
    assert np.sign(one["within"]) != np.sign(one["pooled"])
    assert one["clears"]
