"""Groups: counts per task, contrast, and the pushes GRPO gives."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.groups import advantages, centre, count_groups, unanimous_probability

ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([0.0, 1.0, 0.1, 0.7, -1.0])), max_size=30
)
REWARDS = st.lists(st.floats(-10, 10).map(lambda x: round(x, 3)), min_size=2, max_size=12)
HOWS = ("centred", "spread", "leave_one_out")


def counted(rows, use=None, n_tasks=5, **options):
    codes = np.array([task for task, _ in rows], np.int64)
    reward = np.array([value for _, value in rows], np.float64)
    use = np.ones(len(rows), bool) if use is None else np.asarray(use, bool)
    return count_groups(codes, reward, use, n_tasks, **options)


def test_two_tasks_by_hand():
    # task 0: 1, 0, 1 → 3 rows, 2 passes, mixed; task 1: .7, .7 → unanimous; task 2 has no row
    groups = counted([(0, 1), (0, 0), (1, 0.7), (0, 1), (1, 0.7)], n_tasks=3)
    assert groups.rows.tolist() == [3, 2, 0]
    assert groups.passes.tolist() == [2, 2, 0]
    assert groups.rate[:2].tolist() == [2 / 3, 1.0]
    assert math.isnan(groups.rate[2])
    assert groups.unanimous.tolist() == [False, True, False]
    assert groups.mixed.tolist() == [True, False, False]


def test_only_the_rows_asked_about_count_and_the_others_may_be_nan():
    groups = counted([(0, 1), (0, math.nan), (0, 0)], use=[True, False, False], n_tasks=1)
    assert (groups.rows[0], groups.passes[0], groups.unanimous[0]) == (1, 1, True)


def test_a_reward_on_the_cut_passes():
    assert counted([(0, 0.5), (0, 0.49)], n_tasks=1).passes.tolist() == [1]
    assert counted([(0, 0.7), (0, 0.5)], n_tasks=1, pass_at_least=0.7).passes.tolist() == [1]


def test_no_task_and_no_row():
    assert counted([], n_tasks=0).rows.shape == (0,)
    empty = counted([], n_tasks=2)
    assert empty.rows.tolist() == [0, 0]
    assert not empty.unanimous.any() and not empty.mixed.any()


@given(ROWS)
def test_counting_is_a_groupby(rows):
    groups = counted(rows)
    frame = pd.DataFrame(rows, columns=["task", "reward"])
    for task, rewards in frame.groupby("task")["reward"]:
        assert groups.rows[task] == len(rewards)
        assert groups.passes[task] == (rewards >= 0.5).sum()
        assert groups.mixed[task] == (rewards.nunique() > 1)
        assert groups.unanimous[task] == (rewards.nunique() == 1)
    assert groups.rows.sum() == len(rows)


@given(ROWS, st.randoms())
def test_the_order_of_rows_changes_no_count(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, two = counted(rows), counted(shuffled)
    for name in ("rows", "passes", "lowest", "highest"):
        assert (getattr(one, name) == getattr(two, name)).all()


def test_centring_subtracts_each_tasks_own_mean():
    # task 0: 10, 20 → mean 15; task 1: 7
    out = centre(np.array([10.0, 7.0, 20.0]), np.array([0, 1, 0]), 2)
    assert out.tolist() == [-5.0, 0.0, 5.0]


def test_three_passes_of_four_by_hand():
    # mean .75; population σ √(3/16) = .4330, sample σ .5; leave-one-out ×4/3
    assert advantages([1, 1, 1, 0]).tolist() == [0.25, 0.25, 0.25, -0.75]
    population = advantages([1, 1, 1, 0], how="spread")
    assert population == pytest.approx([1 / math.sqrt(3)] * 3 + [-math.sqrt(3)])
    assert advantages([1, 1, 1, 0], how="spread", ddof=1) == pytest.approx([0.5, 0.5, 0.5, -1.5])
    # the pass is compared with 1, 1, 0 (mean 2/3), the fail with 1, 1, 1
    assert advantages([1, 1, 1, 0], how="leave_one_out") == pytest.approx([1 / 3] * 3 + [-1])


def test_dividing_by_the_spread_makes_a_thousandth_as_loud_as_a_success():
    # .501 against three .5: (k−c)/c with c = 1 of k = 4 → √3, whatever the size of the difference
    push = advantages([0.501, 0.5, 0.5, 0.5], how="spread")
    assert push[0] == pytest.approx(math.sqrt(3))
    assert push == pytest.approx(advantages([1, 0, 0, 0], how="spread"), abs=1e-9)
    assert advantages([0.501, 0.5, 0.5, 0.5])[0] == pytest.approx(0.00075)
    # ε of 1e-4 is not cosmetic there: .00075 / (.000433 + .0001)
    damped = advantages([0.501, 0.5, 0.5, 0.5], how="spread", epsilon=1e-4)
    assert damped[0] == pytest.approx(0.00075 / (0.001 * math.sqrt(3) / 4 + 1e-4))


@given(REWARDS)
def test_pushes_sum_to_zero_and_leave_one_out_is_a_multiple_of_centred(rewards):
    centred = advantages(rewards)
    k = len(rewards)
    assert centred.sum() == pytest.approx(0, abs=1e-9)
    assert advantages(rewards, how="leave_one_out") == pytest.approx(centred * k / (k - 1))


@given(REWARDS)
def test_leave_one_out_compares_each_with_the_mean_of_the_others(rewards):
    expected = [
        value - (sum(rewards) - value) / (len(rewards) - 1) for value in rewards
    ] if len(set(rewards)) > 1 else [0.0] * len(rewards)  # fmt: skip
    assert advantages(rewards, how="leave_one_out") == pytest.approx(expected, abs=1e-9)


@given(REWARDS, st.sampled_from(HOWS), st.integers(-5, 5))
def test_a_shift_of_all_rewards_changes_no_push(rewards, how, shift):
    shifted = [value + shift for value in rewards]
    if len(set(rewards)) > 1 and np.ptp(rewards) > 1e-2:
        assert advantages(shifted, how=how) == pytest.approx(
            advantages(rewards, how=how), rel=1e-6, abs=1e-9
        )


@given(REWARDS)
def test_divided_by_the_spread_the_mean_square_push_is_one(rewards):
    if np.ptp(rewards) > 1e-2:
        assert (advantages(rewards, how="spread") ** 2).mean() == pytest.approx(1)


@given(REWARDS, st.sampled_from(HOWS), st.randoms())
def test_a_push_follows_its_rollout_in_any_order(rewards, how, random):
    order = list(range(len(rewards)))
    random.shuffle(order)
    shuffled = advantages([rewards[place] for place in order], how=how)
    assert shuffled == pytest.approx(advantages(rewards, how=how)[order], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("how", HOWS)
def test_a_table_codes_and_single_groups_give_the_same_pushes(how):
    rewards = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    by_table = advantages(rewards, how=how)
    assert by_table.shape == (3, 3)
    codes = np.repeat([900, -4, 10**12], 3)  # any whole numbers, however far apart
    assert (advantages(rewards.ravel(), codes, how=how) == by_table.ravel()).all()
    for row, expected in zip(rewards, by_table, strict=True):
        assert advantages(row, how=how) == pytest.approx(expected)


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 1 / 3])
def test_a_unanimous_group_is_pushed_by_exactly_nothing(how, value):
    assert (advantages([value] * 7, how=how) == 0).all()


@pytest.mark.parametrize("how", HOWS)
def test_an_unscored_rollout_moves_nobody_and_gets_nan(how):
    with_hole = advantages([1, math.nan, 0, 1], how=how)
    assert math.isnan(with_hole[1])
    assert with_hole[[0, 2, 3]] == pytest.approx(advantages([1, 0, 1], how=how))


@pytest.mark.parametrize("how", HOWS)
def test_a_lone_scored_rollout_gets_nan(how):
    push = advantages([1, math.nan, 1, 0], [0, 0, 1, 1], how=how)
    assert np.isnan(push[:2]).all()
    assert push[2] > 0 > push[3]


def test_nothing_scored_is_all_nan_and_no_rows_is_no_rows():
    assert np.isnan(advantages([math.nan, math.nan])).all()
    assert advantages(np.zeros((0, 4))).shape == (0, 4)
    assert advantages([], []).shape == (0,)


@pytest.mark.parametrize("rewards", [[[1], [0]], [1], 1.0, [[[1, 0]]], []])
def test_a_shape_without_siblings_is_refused(rewards):
    with pytest.raises(ValueError, match=r"\(tasks, repeats ≥ 2\), got .*no siblings"):
        advantages(rewards)


@pytest.mark.parametrize("codes", [[0, 0], [0, 1, 1, 1], [0.5, 0, 1], ["a", "a", "b"]])
def test_codes_must_be_one_whole_number_per_reward(codes):
    with pytest.raises(ValueError, match="one whole number per reward, .*pass one code for each"):
        advantages([1, 0, 1], codes)


def test_an_infinite_reward_is_refused():
    with pytest.raises(ValueError, match="rewards must be finite, .*give NaN"):
        advantages([1, math.inf])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"how": "std"}, "how must be one of centred, spread, leave_one_out, got 'std'"),
        ({"ddof": 2}, r"ddof must be 0 \(population\) or 1 \(sample\), got 2"),
        ({"epsilon": -1.0}, "epsilon must be a number of at least 0, got -1"),
        ({"epsilon": math.nan}, "epsilon must be a number of at least 0, got nan"),
    ],
)
def test_an_unknown_option_is_refused_with_what_is_allowed(options, said):
    with pytest.raises(ValueError, match=said):
        advantages([1, 0], **options)


def test_the_chance_of_agreement_by_hand():
    # .65⁴ + .35⁴ = .1785 + .0150
    assert unanimous_probability(0.65, 4) == pytest.approx(0.19351, abs=5e-6)
    assert unanimous_probability([0.0, 1.0, 0.3], 1).tolist() == [1.0, 1.0, 1.0]
    assert unanimous_probability([[0.5]], [2, 3]).tolist() == [[0.5, 0.25]]


@given(st.floats(0, 1), st.integers(1, 64))
def test_agreement_is_symmetric_and_falls_with_more_tries(p, k):
    assert unanimous_probability(p, k) == pytest.approx(unanimous_probability(1 - p, k), abs=1e-12)
    assert unanimous_probability(p, k + 1) <= unanimous_probability(p, k) + 1e-12


def test_agreement_is_what_a_simulation_shows():
    # 20,000 groups of 4 at p = .65: .1935 ± 4·√(.1935·.8065/20000) = ± .0112
    tries = np.random.default_rng(1).random((20_000, 4)) < 0.65
    share = (tries.all(axis=1) | ~tries.any(axis=1)).mean()
    assert share == pytest.approx(float(unanimous_probability(0.65, 4)), abs=0.0112)


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_a_pass_rate_outside_zero_to_one_is_refused(p):
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\], got"):
        unanimous_probability(p, 4)


@pytest.mark.parametrize("k", [0, 2.5, -1])
def test_a_number_of_tries_that_is_none_is_refused(k):
    with pytest.raises(ValueError, match="k must be a whole number of at least 1, got"):
        unanimous_probability(0.5, k)
