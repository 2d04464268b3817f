"""What SFT copies when it keeps one completion per task."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore import printed_run
from whilecore.rejection import (
    JUDGES,
    RULES,
    at_least_one,
    expected_best,
    rejection_sample,
    right_among_passes,
)


@pytest.mark.parametrize(("n", "chance"), [(4, 0.34), (10, 0.65), (16, 0.81), (30, 0.96)])
def test_chance_of_a_pass_among_n_completions_at_one_in_ten(n, chance):
    # n = 4: 1 − .9⁴ = 1 − .6561 = .3439
    assert at_least_one(0.1, n) == pytest.approx(chance, abs=0.006)


def test_ten_to_thirty_completions_raise_it_from_two_thirds_to_nearly_sure():
    assert at_least_one(0.1, [10, 30]).round(2).tolist() == [0.65, 0.96]
    assert at_least_one(0.0, 30) == 0 and at_least_one(1.0, 1) == 1 and at_least_one(0.5, 0) == 0


def test_of_the_printed_runs_43_passes_sft_keeps_16():
    data = printed_run()
    assert (data.reward == 1).sum() == 43
    assert data.select(mode="sft").report["kept"] == 16


@given(st.floats(0.01, 0.99), st.floats(0, 1))
def test_a_judge_that_tosses_a_coin_tells_nothing_and_a_right_one_all(p, flip):
    assert right_among_passes(p, 0.5) == pytest.approx(p)
    assert right_among_passes(p, 0.0) == 1 and right_among_passes(p, 1.0) == 0
    assert 0 <= right_among_passes(p, flip) <= 1


def test_on_hard_tasks_a_small_error_of_the_judge_is_most_of_what_passes():
    # p = .1, f = .1: .09/(.09 + .09) = .5; p = .01: .009/(.009 + .099) = .083
    np.testing.assert_allclose(right_among_passes([0.1, 0.01], 0.1), [0.5, 0.0833], atol=1e-4)
    assert math.isnan(right_among_passes(1.0, 1.0))  # nothing passes


def test_the_largest_of_two_normals_by_hand():
    # E max of 2 = 1/√π = .5642; with noise as large as the quality's spread, /√2
    assert expected_best(2) == pytest.approx(1 / math.sqrt(math.pi), abs=1e-6)
    assert expected_best(2, 1.0) == pytest.approx(1 / math.sqrt(2 * math.pi), abs=1e-6)
    assert expected_best(1) == 0
    assert [round(expected_best(n), 4) for n in (4, 16, 30)] == [1.0294, 1.766, 2.0428]


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_the_best_of_n_is_as_good_as_theory_says(noise):
    # At p this high all completions pass, so the best pass is the best of all.
    picked = rejection_sample(np.full(4000, 1 - 1e-9), 10, noise=noise)
    centre = picked.mean_quality("random of all")
    spread = picked.quality[:, 0].std()
    gain = picked.mean_quality("best of n") - centre
    assert abs(gain - expected_best(10, noise)) < 4 * math.sqrt(2) * spread / math.sqrt(4000)


def test_with_a_pass_or_fail_judge_the_best_is_a_random_pass_and_not_a_random_completion():
    rates = np.tile(np.linspace(0.1, 0.9, 9), 500)
    picked = rejection_sample(rates, 8, noise=1.0, judge="pass or fail")
    error = math.sqrt(2 / picked.kept) * picked.quality.std()
    apart = picked.mean_quality("best of n") - picked.mean_quality("random pass")
    assert abs(apart) < 4 * error
    control = picked.mean_quality("random of all", kept_tasks=True)
    assert picked.mean_quality("random pass") > control + 4 * error
    assert "best of n is a random pick among the passes" in str(picked)


def test_a_graded_judge_chooses_better_than_chance_among_the_passes():
    picked = rejection_sample(np.full(2000, 0.5), 8, noise=1.0)
    assert picked.mean_quality("best of n") > picked.mean_quality("random pass") + 0.3
    assert picked.right("best of n") > picked.right("random pass") + 0.05
    assert "all passes tie" not in str(picked)


def test_without_noise_every_pick_of_the_filter_is_right_and_with_much_few_more_than_by_chance():
    rates = np.full(3000, 0.3)
    sure, noisy = (rejection_sample(rates, 8, noise=n, judge="pass or fail") for n in (0, 20.0))
    assert sure.right("best of n") == 1
    assert noisy.right("best of n") == pytest.approx(0.3, abs=0.06)


@pytest.mark.parametrize("p", [0.1, 0.65])
def test_kept_tasks_are_those_with_a_pass(p):
    picked = rejection_sample(np.full(3000, p), 4)
    chance = float(at_least_one(p, 4))
    assert abs(picked.kept / 3000 - chance) < 4 * math.sqrt(chance * (1 - chance) / 3000)
    assert (picked.picks["best of n"] >= 0).sum() == picked.kept
    assert (picked.picks["random of all"] >= 0).all()


@given(st.sampled_from(JUDGES), st.integers(1, 12), st.floats(0, 4), st.integers(0, 50))
def test_picks_of_the_filter_pass_and_the_best_has_the_best_score(judge, n, noise, seed):
    picked = rejection_sample([0.05, 0.5, 0.95], n, noise=noise, judge=judge, seed=seed)
    assert set(picked.picks) == set(RULES)
    for rule in RULES[:2]:
        for task, pick in enumerate(picked.picks[rule]):
            assert (pick >= 0) == picked.passed[task].any()
            assert pick < 0 or picked.passed[task, pick]
    for task, pick in enumerate(picked.picks["best of n"]):
        passing = picked.score[task][picked.passed[task]]
        assert pick < 0 or picked.score[task, pick] == passing.max()


def test_more_completions_leave_the_first_ones_as_they_were_and_noise_leaves_the_truth():
    few, more = (rejection_sample([0.3, 0.7], n, noise=1.0) for n in (4, 9))
    np.testing.assert_array_equal(more.score[:, :4], few.score)
    louder = rejection_sample([0.3, 0.7], 4, noise=2.0)
    np.testing.assert_array_equal(louder.quality, few.quality)
    assert (louder.score != few.score).all()


def test_with_nothing_kept_the_means_are_undefined():
    picked = rejection_sample([1e-9], 2)
    assert picked.kept == 0 and math.isnan(picked.right("best of n"))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: at_least_one(1.2, 3), "p must lie"),
        (lambda: at_least_one(0.2, 1.5), "n must be a whole number"),
        (lambda: right_among_passes(0.5, 2), "p and flip must lie"),
        (lambda: expected_best(0), "n must be a whole number of at least 1"),
        (lambda: expected_best(2, -1.0), "noise must be"),
        (lambda: rejection_sample([1.0]), "strictly between 0 and 1"),
        (lambda: rejection_sample([0.5], judge="coin"), "pass or fail, graded"),
        (lambda: rejection_sample([0.5]).right("best"), "best of n, random pass"),
    ],
)
def test_what_has_no_meaning_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()
