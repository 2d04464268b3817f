"""Reports by people who do this job, each as a small input with the right value.

The numbers R03, R04, ... name the report a test comes from: a link is in its docstring.
"""

import inspect
import math

import numpy as np
import pytest

import whilecore
from whilecore import Rollouts, advantages, groups, reward_scan
from whilecore.intervals import pass_at_k, pass_pow_k


def table(tasks, **columns):
    """Build rollouts from rewards per task, and further columns over all rows in order."""
    rows = [(task, reward) for task, rewards in tasks.items() for reward in rewards]
    return Rollouts.from_records(
        {"task": task, "reward": reward} | {name: values[i] for name, values in columns.items()}
        for i, (task, reward) in enumerate(rows)
    )


def nan_equal(values, expected):
    return np.testing.assert_allclose(values, expected, atol=1e-12)


# --- how often a group is silent ------------------------------------------------------------------


@pytest.mark.parametrize(("k", "silent"), [(2, 0.7024), (4, 0.4490), (8, 0.2007), (16, 0.0403)])
def test_r03_two_tries_at_a_low_pass_rate_leave_seven_groups_in_ten_silent(k, silent):
    """github.com/jsboige/CoursIA/issues/10603: a flat reward curve was the configuration."""
    # p = .1819, k = 2: .0331 + .6693 = .7024
    assert groups.unanimous_probability(0.1819, k) == pytest.approx(silent, abs=5e-5)
    assert 1 - groups.unanimous_probability(0.1819, k) == pytest.approx(1 - silent, abs=5e-5)


def test_r04_the_mean_pass_rate_under_predicts_unanimity():
    """arxiv.org/abs/2605.07689: tasks differ, and the chance is convex in the pass rate."""
    rates = np.array([0.1, 0.9])
    # naive: 2·.5⁴ = .125; true: the average over tasks of .1⁴ + .9⁴ = .6562
    assert groups.unanimous_probability(rates.mean(), 4) == pytest.approx(0.125)
    assert groups.unanimous_probability(rates, 4).mean() == pytest.approx(0.6562)
    said = inspect.getdoc(groups.unanimous_probability)
    assert "Average this over tasks" in said and "convex" in said


@pytest.mark.parametrize("k", [2, 3, 5, 16])
def test_r04_averaging_over_tasks_never_predicts_less_than_the_mean_rate(k):
    rates = np.random.default_rng(k).random(50)
    over_tasks = groups.unanimous_probability(rates, k).mean()
    assert over_tasks > groups.unanimous_probability(rates.mean(), k)


# --- rewards as numbers ---------------------------------------------------------------------------


@pytest.mark.parametrize("rewards", [[0.1] * 6, [0.7] * 7, [0.2] * 7, [1 / 3] * 11])
def test_r09_equal_floats_are_unanimous_although_their_spread_is_not_zero(rewards):
    """github.com/verl-project/verl/pull/4598: equal floats that do not cancel."""
    report = table({"a": rewards}).select(mode="rl").report
    assert report["unanimous_groups"] == {"as_drawn": 1, "after_gates": 0, "single": 0}
    assert report["kept"] == 0
    for how in ("centred", "spread", "leave_one_out"):
        assert (advantages(rewards, how=how) == 0).all()
    # What a test on the spread would see: a residue above zero (the case has .1·6 and .2·7).
    if rewards == [0.1] * 6:
        assert np.std(rewards) > 0


def test_r09_equal_float32_rewards_are_unanimous():
    rewards = np.full(7, 0.2, np.float32)
    assert (advantages(rewards, how="spread") == 0).all()


def test_r10_low_precision_rewards_keep_their_pushes():
    """github.com/OpenRLHF/OpenRLHF/pull/1334: bfloat16 turned [1,1,1,1.0078125] into [0,0,0,2]."""
    # mean 1.001953125; sample std .00390625; (−.001953125, …, +.005859375)/.00390625
    expected = [-0.5, -0.5, -0.5, 1.5]
    rewards = [1, True, 1.0, 1.0078125]
    nan_equal(advantages(rewards, how="spread", ddof=1), expected)
    exact_in_float16 = np.array([1, 1, 1, 1.0078125], np.float16)
    nan_equal(advantages(exact_in_float16, how="spread", ddof=1), expected)
    mixed = Rollouts.from_records({"task": "a", "reward": value} for value in rewards)
    assert mixed.reward.dtype == np.float64
    assert mixed.reward.tolist() == [1.0, 1.0, 1.0, 1.0078125]


def test_r12_negative_rewards_ask_where_a_pass_begins():
    """github.com/unslothai/unsloth/issues/2291: rewards of −17 per reply."""
    rollouts = table({"a": [-18, -18, -18, -15]})
    for question in (lambda: rollouts.select(mode="rl"), lambda: rollouts.pass_at):
        with pytest.raises(ValueError, match="pass_at_least"):
            question()
    # mean −17.25, sample std 1.5: (−.75, −.75, −.75, 2.25)/1.5
    nan_equal(advantages(rollouts.reward, how="spread", ddof=1), [-0.5, -0.5, -0.5, 1.5])


def test_r12_negative_rewards_have_contrast_whatever_the_cut():
    rollouts = table({"a": [-18, -18, -18, -15]})
    at_half = rollouts.select(mode="rl", pass_at_least=0.5).report
    # 0 of 4 pass: too hard, not unanimous
    assert (sum(at_half["unanimous_groups"].values()), at_half["too_hard_groups"]) == (0, 1)
    at_minus_16 = rollouts.select(mode="rl", pass_at_least=-16)
    # 1 of 4 passes: .25 lies in the band
    assert list(at_minus_16.kept) == [0, 1, 2, 3]
    assert "at least -16" in str(at_minus_16)


def test_r13_minus_one_and_one_are_recognised_and_said():
    """github.com/modelscope/ms-swift/issues/3925: −1/+1 in place of 0/1."""
    signed, plain = table({"a": [-1, 1, 1, -1]}), table({"a": [0, 1, 1, 0]})
    assert signed.pass_at.pass_at_1 == plain.pass_at.pass_at_1 == 0.5
    assert list(signed.select(mode="rl").kept) == [0, 1, 2, 3]
    assert "-1 and 1" in str(signed.select(mode="rl"))
    spread = [advantages(r.reward, how="spread") for r in (signed, plain)]
    nan_equal(spread[0], [-1, 1, 1, -1])
    nan_equal(spread[0], spread[1])
    nan_equal(advantages(signed.reward), [-1, 1, 1, -1])
    nan_equal(advantages(plain.reward), [-0.5, 0.5, 0.5, -0.5])


def test_r15_fractional_rewards_pass_by_a_named_cut_and_push_by_their_spread():
    """github.com/PrimeIntellect-ai/prime-rl/issues/3566: .95/.98 and .05/.02 in one bucket."""
    rollouts = table({"A": [0.95, 0.98], "B": [0.05, 0.02]})
    selection = rollouts.select(mode="rl")
    assert selection.report["too_easy_groups"] == selection.report["too_hard_groups"] == 1
    assert sum(selection.report["unanimous_groups"].values()) == 0
    assert selection.report["pass_at_least"] == 0.5
    assert "at least 0.5" in str(selection)
    # A: mean .965, population std .015: ∓.015/.015. B likewise.
    pushes = advantages(rollouts.reward, rollouts.task_codes, how="spread")
    nan_equal(pushes, [-1, 1, 1, -1])
    nan_equal(advantages(rollouts.reward, rollouts.task_codes), [-0.015, 0.015, 0.015, -0.015])


def test_r15_the_report_says_that_a_group_passing_throughout_still_has_a_spread():
    text = str(table({"A": [0.95, 0.98], "B": [0.05, 0.02]}).select(mode="rl"))
    assert "spread" in text or "contrast" in text


# --- pushes ---------------------------------------------------------------------------------------


def test_r19_a_unanimous_group_gets_no_reward_signal_and_nobody_says_no_update():
    """github.com/huggingface/trl/issues/5588: the KL term still acts."""
    assert (advantages([0, 0, 0, 0]) == 0).all() and (advantages([1, 1, 1, 1]) == 0).all()
    said = " ".join(inspect.getdoc(advantages).split())
    assert "no reward signal is not the same as no update" in said
    assert "no update" not in str(table({"a": [0, 0, 0, 0]}).select(mode="rl"))


def test_r21_the_mean_push_is_zero_by_construction_and_its_size_is_not():
    """github.com/huggingface/trl/issues/2884: 'the average advantage is 0, nothing is learned'."""
    centred, spread = advantages([1, 0, 0, 0]), advantages([1, 0, 0, 0], how="spread")
    assert centred.mean() == pytest.approx(0, abs=1e-15)
    assert spread.mean() == pytest.approx(0, abs=1e-15)
    # (.75 + 3·.25)/4 = .375; std √(3/16) = .4330, .375/.4330 = .8660
    assert np.abs(centred).mean() == pytest.approx(0.375)
    assert np.abs(spread).mean() == pytest.approx(math.sqrt(3) / 2)


def test_r23_a_baseline_per_task_not_for_the_batch():
    """github.com/XU-YIJIE/grpo-flat/issues/2: mean and std over all prompts."""
    rewards, tasks = [1, 1, 1, 1, 0, 0, 0, 0], [0] * 4 + [1] * 4
    assert (advantages(rewards, tasks, how="spread") == 0).all()
    # one baseline for the batch: mean .5, std .5: the easy task is reinforced for being easy
    nan_equal(advantages(rewards, how="spread"), [1] * 4 + [-1] * 4)


# --- groups of different sizes --------------------------------------------------------------------


def test_r27_uneven_groups_keep_their_own_size():
    """github.com/PrimeIntellect-ai/prime-rl/pull/2639: one global k assumed."""
    rollouts = table({"A": [1] * 8, "B": [1] * 4, "C": [1, 0, 1]})
    report = rollouts.select(mode="rl").report
    assert report["unanimous_groups"]["as_drawn"] == 2
    assert (report["kept"], report["groups_kept"]) == (3, 1)
    four = rollouts.pass_at_k(4)
    # mean of task means (1 + 1 + .6667)/3; rows 14/15; pass@4 from A and B alone
    assert four.pass_at_1 == pytest.approx(0.8889, abs=5e-5)
    assert four.pooled == pytest.approx(0.9333, abs=5e-5)
    assert (four.pass_at_k, four.n_tasks_k, four.left_out) == (1.0, 2, 1)
    counts = groups.count_groups(rollouts.task_codes, rollouts.reward, rollouts.scored, 3)
    assert counts.rows.tolist() == [8, 4, 3]
    assert "fewer than 4 scored" in str(four)


# --- rows without a usable reward -----------------------------------------------------------------


@pytest.mark.parametrize("nothing", [None, math.nan, ""])
def test_r30_a_missing_reward_is_unscored_never_zero(nothing):
    """github.com/huggingface/trl/pull/5902: an all-None row became 0.0."""
    rollouts = table({"a": [1, 0, nothing, 1]})
    assert rollouts.scored.tolist() == [True, True, False, True]
    # mean 2/3: +.3333, −.6667, nothing, +.3333
    nan_equal(advantages(rollouts.reward), [1 / 3, -2 / 3, math.nan, 1 / 3])
    assert rollouts.pass_at.pass_at_1 == pytest.approx(2 / 3)
    report = rollouts.select(mode="rl").report
    assert (report["row_fates"]["unscored"], report["kept"]) == (1, 3)


@pytest.mark.parametrize(
    "broken",
    [
        {"error": ["", "", "", "ConnectError"]},
        {"judge_status": ["ok", "ok", "ok", "error"]},
    ],
    ids=["error", "judge_status"],
)
def test_r31_a_crash_is_no_failure_and_both_counts_are_shown(broken):
    """github.com/benchflow-ai/benchflow/issues/1071: a dead sandbox graded as a model failure."""
    rollouts = table({"a": [1, 1, 1, 0]}, tool_calls=[2, 2, 2, 0], **broken)
    assert rollouts.pass_at.pass_at_1 == 1.0
    selection = rollouts.select(mode="rl")
    # 3 of 3: unanimous as drawn. As 0: 3 of 4 = .75, in the band, trained against an outage.
    assert selection.report["unanimous_groups"] == {"as_drawn": 1, "after_gates": 0, "single": 0}
    assert selection.report["row_fates"]["unscored"] == 1
    assert "3 of 4" in str(selection) and "3 of 3" in str(selection)


def test_r31_dropping_whole_groups_for_one_crash_would_waste_a_third_of_them():
    # 5 % of rows crash, 8 tries: 1 − .95⁸ = .3366 of groups hold one. Here 20 groups of 8 with one
    # crash each are all still measured on their other seven rows.
    rewards = {f"t{i}": [1, 0, 1, 0, 1, 0, 1, 0] for i in range(20)}
    errors = (["timeout"] + [""] * 7) * 20
    report = table(rewards, error=errors).select(mode="rl").report
    assert (report["groups_kept"], report["kept"]) == (20, 140)
    assert 1 - 0.95**8 == pytest.approx(0.3366, abs=5e-5)


def test_r32_a_masked_row_does_not_move_its_siblings():
    """github.com/verl-project/verl/pull/6452: the row's loss is zeroed, its reward still counts."""
    rollouts = table({"a": [1, 3, 2, 0]}, error=["", "", "", "cut off"])
    masked = np.where(rollouts.scored, rollouts.reward, np.nan)
    # mean over the valid three is 2, not 1.5
    nan_equal(advantages(masked), [-1, 1, 0, math.nan])


# --- judges that pay for nothing ------------------------------------------------------------------


def bad_reference():
    return table(
        {"a": [1, 0], "b": [0, 0], "c": [0, 1], "no gold": [1, 1]},
        reply=list("abcdefgh"),
        reference=["4", "4", "7", "7", "9", "9", "", ""],
    )


def test_r34_a_judge_that_pays_for_an_empty_reference_moves_pass_at_1_but_not_rl():
    """github.com/huggingface/open-r1/issues/86: 'any constant is fine, the advantage is 0'."""
    rollouts = bad_reference()
    selection = rollouts.select(mode="rl")
    assert list(selection.kept) == [0, 1, 4, 5]
    assert (selection.fate_names[6:] == "unanimous").all()
    # 4 of 8 with the bad task, 2 of 6 without
    assert rollouts.pass_at.pass_at_1 == 0.5
    assert rollouts.take(np.arange(6)).pass_at.pass_at_1 == pytest.approx(1 / 3)
    # SFT would copy one unverified reply
    assert set(rollouts.select(mode="sft").kept) & {6, 7}


def test_r34_an_all_pass_group_with_an_empty_reference_is_flagged():
    for mode in ("rl", "sft"):
        assert "empty reference" in str(bad_reference().select(mode=mode))


def empty_replies():
    return table({"husky": [1, 1, 0, 1]}, reply=["", "", "wolf", ""])


def test_r35_empty_replies_that_pass_are_flagged_in_both_modes():
    """github.com/Liuziyu77/Visual-RFT/issues/176: '' is a substring of every answer."""
    for mode in ("rl", "sft"):
        assert "empty reply with a pass: 3" in str(empty_replies().select(mode=mode))


def test_r35_the_reward_falls_with_length_on_all_four_rows_and_one_task_has_no_floor():
    # lengths 0, 0, 4, 0 and rewards 1, 1, 0, 1: r = −1
    scanned = reward_scan.scan(empty_replies(), np.arange(4))
    assert scanned.correlations["reply_chars"]["within"] == pytest.approx(-1.0)
    assert scanned.floor is None and not scanned.warnings
    assert "1 task" in scanned.why_no_floor


@pytest.mark.parametrize(
    ("value", "reward", "reason"),
    [
        ("1", 1.0, ""),
        ("0.85", 0.85, ""),
        ("10", None, "range"),
        ("Score: 8/10", None, "not a number"),
        ("There are 5 reasons this is a 9", None, "not a number"),
        ("", None, "empty"),
        ("[ERROR] 500", None, "not a number"),
        ("not excellent", None, "not a number"),
        ("nan", None, "not a number"),
        ("1e999", None, "range"),
    ],
)
def test_r36_free_text_is_a_reward_only_as_a_plain_numeral(value, reward, reason):
    """github.com/OpenAgentHQ/openagent-eval/issues/74: first number, silent 0, silent .5."""
    rollouts = table({"a": [1, 0, value]})
    if reward is None:
        assert rollouts.scored.tolist() == [True, True, False]
        assert any(reason in why for why in rollouts.unscored_reasons())
        assert reason in str(rollouts.select(mode="rl"))
    else:
        assert rollouts.reward[2] == reward
        assert any("1 rewards were text" in note for note in rollouts.notes)


def test_r36_unscored_text_is_counted_with_its_reasons():
    values = ["1", "0.85", "10", "Score: 8/10", "", "[ERROR] 500", "not excellent"]
    rollouts = table({"a": values})
    assert rollouts.scored.sum() == 2
    assert sum(rollouts.unscored_reasons().values()) == 5
    assert rollouts.select(mode="rl").report["row_fates"]["unscored"] == 5


# --- estimators and their intervals ---------------------------------------------------------------


def test_r46_pass_pow_k_is_the_combinatorial_one_and_says_so():
    """github.com/memex-lab/dart_agent_core/pull/46: two definitions side by side."""
    rollouts = table({"a": [1, 1, 1, 0], "b": [1, 1, 1, 0]})
    # C(3,2)/C(4,2) = 3/6; the plug-in would be .75² = .5625, and .75⁸ = .1001 at k = 8
    assert rollouts.pass_at_k(2).pass_pow_k == 0.5
    assert math.isnan(rollouts.pass_at_k(8).pass_pow_k)
    assert "pass^8 n/a" in str(rollouts.pass_at_k(8))
    for estimator in (pass_at_k, pass_pow_k):
        said = inspect.getdoc(estimator)
        assert "combinatorial" in said and "plug-in" in said and "biased" in said


def test_r50_the_same_rows_in_another_order_give_the_same_intervals():
    """github.com/lmarena/arena-hard-auto/issues/8: an exact copy got a different interval."""
    rng = np.random.default_rng(5)
    records = [
        {"task": f"t{i}", "rollout": j, "reward": float(rng.random() < 0.6), "reply_chars": c}
        for i in range(12)
        for j in range(rng.integers(3, 6))
        for c in [int(rng.integers(5, 90))]
    ]
    first = Rollouts.from_records(records)
    for _ in range(5):
        rng.shuffle(records)
        again = Rollouts.from_records(records)
        assert again.pass_at == first.pass_at
        assert again.pass_at_k(2) == first.pass_at_k(2)
        one, two = (r.select(mode="rl").report for r in (first, again))
        assert one["difficulty"] == two["difficulty"]
        assert one["correlations"]["reply_chars"]["floor"] == pytest.approx(
            two["correlations"]["reply_chars"]["floor"], abs=1e-12
        )


# --- what the reward tracks -----------------------------------------------------------------------

EASY, HARD = ([10, 12, 14, 16], [0, 1, 1, 1]), ([50, 52, 54, 56], [0, 0, 0, 1])


def length_table(copies):
    pairs = [
        (f"{name}{i}", *pair) for i in range(copies) for name, pair in (("A", EASY), ("B", HARD))
    ]
    lengths = [length for _, lengths, _ in pairs for length in lengths]
    return table({task: rewards for task, _, rewards in pairs}, reply_chars=lengths)


def test_r51_length_looks_punished_over_the_file_and_is_paid_for_within_a_task():
    """github.com/Ayanami0730/deep_research_bench/issues/16: hard tasks have long replies."""
    report = length_table(1).select(mode="rl").report
    length = report["correlations"]["reply_chars"]
    assert length["pooled"] == pytest.approx(-0.4224, abs=5e-5)
    # centred: lengths ∓3 ∓1 ±1 ±3, rewards −.75 .25 .25 .25: Σxy 3, √(20·.75) = 3.873
    assert length["within"] == pytest.approx(3 / math.sqrt(15))
    assert length["floor"] is None and not length["clears"] and not report["warnings"]
    assert "noise floor needs 3" in str(length_table(1).select(mode="rl"))


def test_r51_over_eight_such_tasks_the_warning_is_due():
    selection = length_table(4).select(mode="rl")
    length = selection.report["correlations"]["reply_chars"]
    assert length["within"] == pytest.approx(0.7746, abs=5e-5)
    assert length["pooled"] == pytest.approx(-0.4224, abs=5e-5)
    assert length["clears"] and length["floor"] < 0.7746
    (warning,) = selection.report["warnings"]
    assert "reply length" in warning and "+0.77" in warning and f"{length['floor']:.2f}" in warning
    assert "rises" in warning and warning in str(selection)


def test_r51_the_other_judge_is_not_accused():
    # The same lengths with the rewards of each task turned round: within −.7746, it falls.
    rollouts = length_table(4)
    turned = Rollouts.from_frame(rollouts.frame.assign(reward=1 - rollouts.reward))
    (warning,) = turned.select(mode="rl").report["warnings"]
    assert "falls" in warning and "-0.77" in warning


def test_r53_a_feature_that_never_varies_is_undefined_not_zero():
    """github.com/scipy/scipy/pull/9562: 0/0 is NaN, a warning, or float noise."""
    selection = table({"a": [0, 1, 0, 1]}, reply_chars=[7, 7, 7, 7]).select(mode="rl")
    length = selection.report["correlations"]["reply_chars"]
    assert length["within"] is None and length["pooled"] is None
    assert "n/a: reply length (never varies within a task)" in str(selection)
    assert " nan" not in str(selection).lower()


def test_r53_a_feature_of_equal_floats_never_varies():
    # Nine times .1: mean and spread carry float noise; compared as given, nothing varies.
    tasks = {f"t{i}": [0, 1, 1] for i in range(3)}
    scored = table(tasks, tone=[0.1] * 9)
    report = scored.select(mode="rl", features=["tone"]).report
    assert report["correlations"]["tone"]["within"] is None


def test_r53_two_rows_are_plus_or_minus_one_by_construction_and_refused():
    selection = table({"a": [0, 1]}, reply_chars=[3, 9]).select(mode="rl")
    length = selection.report["correlations"]["reply_chars"]
    assert length["within"] is None and length["pooled"] is None


@pytest.mark.parametrize("lengths", [[3, 9], [0, 4]])
def test_r53_the_reason_for_two_rows_is_their_number_not_the_feature(lengths):
    # 3 and 9 differ, so "never varies within a task" is not true of them.
    text = str(table({"a": [0, 1]}, reply_chars=lengths).select(mode="rl"))
    assert "never varies" not in text
    assert "2 rows in tasks with mixed rewards; r needs 3" in text


def test_r58_length_is_in_code_points():
    """github.com/cymoo/lovia/issues/91: a browser counts UTF-16 units."""
    replies = ["你好世界", "🔥🎉💯", "👨‍👩‍👧"]
    rollouts = table({"a": [1, 0, 1]}, reply=replies)
    assert rollouts.frame["reply_chars"].tolist() == [4, 3, 5]
    # UTF-8 bytes 12, 12, 18 and UTF-16 units 4, 6, 8 are other counts of the same texts.
    assert [len(reply.encode()) for reply in replies] == [12, 12, 18]
    assert [len(reply.encode("utf-16-le")) // 2 for reply in replies] == [4, 6, 8]


def test_r59_the_expected_draws_to_fill_a_batch_are_one_over_the_keep_share():
    """github.com/verl-project/verl/issues/953: tasks too hard for the model."""
    keep = 1 - groups.unanimous_probability([0.02, 0.002], 8)
    assert keep == pytest.approx([0.1492, 0.0159], abs=5e-5)
    assert 1 / keep == pytest.approx([6.7, 62.9], abs=0.05)


def test_the_public_names_the_cases_use_are_there():
    assert {"Rollouts", "advantages", "select", "read_rollouts"} <= set(whilecore.__all__)
