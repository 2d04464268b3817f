"""The course page's printed block, from the figures of its 64 rows."""

import pytest

from whilecore import printed_run

RUN = printed_run()
RL = RUN.select(mode="rl")
SFT = RUN.select(mode="sft")


def test_sixty_four_rows_go_in_and_twenty_nine_are_kept_in_eleven_groups():
    report = RL.report
    assert (report["rows"], report["kept"], report["groups_kept"]) == (64, 29, 11)
    gone = {name: count for name, count in report["row_fates"].items() if count}
    assert gone == {"incomplete": 3, "duplicate": 27, "unanimous": 5, "kept": 29}
    assert (report["duplicate_tasks"], report["conflicting_rewards"]) == (13, 0)
    assert report["unanimous_groups"] == {"as_drawn": 3, "after_gates": 2, "single": 0}
    assert (report["too_easy_groups"], report["too_hard_groups"]) == (0, 0)
    assert (report["emptied_groups"], report["over_target_groups"]) == (0, 0)
    assert (report["band"], report["measure_on"]) == ((0.2, 0.8), "scored")


def test_both_ways_of_measuring_agree_on_it():
    surviving = RUN.select(mode="rl", measure_on="surviving")
    assert surviving.fate.tolist() == RL.fate.tolist()


def test_the_kept_rows_are_the_pages():
    assert RL.kept.tolist() == [
        0, 1, 2, 4, 5, 7, 8, 11, 12, 13, 14, 15, 28, 29, 32, 34, 40, 41, 42, 43, 44, 45, 48, 49, 52,
        53, 55, 56, 57,
    ]  # fmt: skip


def test_all_duplicates_are_passes_so_what_is_kept_passes_less_often():
    # 43 of 64 pass; 27 copies go, all passes; of the 29 kept rows 11 pass
    gone = RL.fate_names == "duplicate"
    assert (RUN.reward[gone] == 1).all() and gone.sum() == 27
    assert (RUN.reward.sum(), RUN.reward[RL.kept].sum()) == (43, 11)


def test_difficulty_from_four_tries_is_coarse():
    assert RL.report["difficulty"]["median_rollouts"] == 4
    assert RL.report["difficulty"]["half_width"] == pytest.approx(0.33, abs=5e-3)


@pytest.mark.parametrize(
    ("feature", "pooled", "within", "clears"),
    [
        ("reply_chars", -0.54, -0.75, True),
        ("boilerplate", -0.31, -0.32, False),
        ("hedging", -0.36, -0.44, False),
        ("sycophancy", -0.27, -0.31, False),
        ("ignored_failure", -0.17, -0.30, False),
    ],
)
def test_pooled_values_are_the_pages_and_within_values_stand_beside_them(
    feature, pooled, within, clears
):
    one = RL.report["correlations"][feature]
    assert one["pooled"] == pytest.approx(pooled, abs=5e-3)
    assert one["within"] == pytest.approx(within, abs=5e-3)
    assert one["clears"] is clears
    assert (one["rows"], one["groups"]) == (29, 11)


def test_what_never_varies_is_undefined_and_words_are_not_scanned_beside_characters():
    found = RL.report["correlations"]
    assert found["refusal"]["within"] is None and found["refusal"]["pooled"] is None
    assert "reply_words" not in found


@pytest.mark.parametrize("seed", range(10))
def test_length_alone_is_over_the_floor_whatever_the_seed(seed):
    report = RUN.select(mode="rl", seed=seed).report
    (warning,) = report["warnings"]
    assert "reply length" in warning and "-0.75" in warning
    assert 0.44 < report["scanned"]["floor"] < 0.7


def test_sft_keeps_one_pass_of_each_task():
    report = SFT.report
    assert (report["kept"], report["eligible"], report["not_passing"]) == (16, 16, 21)
    assert (report["incomplete"], report["unscored"]) == (0, 0)
    assert (report["distinct_behaviors"], report["behaviors_covered"]) == (6, 6)
    assert report["completions_per_task"] == {"mean": 4.0, "median": 4.0, "max": 4}
    assert report["row_fates"]["same_task"] == 64 - 21 - 16


def test_pass_at_reads_like_the_pages_line():
    assert str(RUN.pass_at).startswith("pass@1 0.67 [0.53..0.79] | pass^4 0.19 [")
    assert str(RUN.pass_at).endswith("(16 groups, k=4)")
    assert RUN.pass_at.pass_at_1 == 43 / 64


def test_every_seed_sends_the_rows_the_same_way():
    for seed in (1, 99):
        assert RUN.select(mode="rl", seed=seed).fate.tolist() == RL.fate.tolist()
        assert RUN.select(mode="sft", seed=seed).report["kept"] == 16


def test_the_figures_need_no_remark():
    assert RL.report["notes"] == [] and SFT.report["notes"] == [] and RUN.notes == ()
    assert RL.report["unscored_reasons"] == {}
