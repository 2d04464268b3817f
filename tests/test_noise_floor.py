"""The noise floor against its definition."""

import itertools

import numpy as np
import pytest

from whilecore import noise_floor
from whilecore.noise_floor import Centred, by_task

LABELS = np.array(["a", "b", "c", "d"], dtype=object)


def centred(x, y, codes, labels=LABELS):
    x, y, codes = np.atleast_2d(np.asarray(x, float)), np.asarray(y, float), np.asarray(codes)
    return Centred(x, y, *by_task(x, y, codes, labels))


def test_centring_by_hand():
    # a: y 0 1 → −.5 .5; b: y 1 1 says nothing and is set to 0; x of a: 2 6 → −1 1 once scaled
    within = centred([[2, 7, 6, 9]], [0, 1, 1, 1], [0, 1, 0, 1])
    assert sorted(within.rows) == [2, 2]
    assert sorted(within.y.tolist()) == [-1.0, 0.0, 0.0, 1.0]
    assert within.informative == 2
    assert within.mixed.sum() == 1
    assert within.varies.tolist() == [True]


def test_a_feature_that_varies_only_where_rewards_agree_does_not_vary():
    within = centred([[5, 5, 1, 2]], [0, 1, 1, 1], [0, 0, 1, 1])
    assert within.varies.tolist() == [False]
    assert (within.x == 0).all()


def test_tasks_lie_in_an_order_that_their_labels_make_not_the_file():
    rng = np.random.default_rng(0)
    x, y, codes = rng.integers(0, 3, (2, 40)).astype(float), rng.integers(0, 2, 40), np.repeat(
        np.arange(4), 10
    )  # fmt: skip
    plain = centred(x, y, codes)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(40)
        # the same rows in another order, and the tasks numbered in another order
        turn = np.random.default_rng(seed).permutation(4)
        other = centred(x[:, order], y[order], turn[codes[order]], LABELS[np.argsort(turn)])
        assert (other.x == plain.x).all() and (other.y == plain.y).all()


def floors(within, seed=0, shuffles=999):
    floor, why = noise_floor.noise_floor(within, within.correlations(), seed, shuffles)
    assert why == ""
    return floor


def test_the_floor_is_the_950th_of_999_sorted_shuffles():
    rng = np.random.default_rng(3)
    within = centred(rng.random((2, 24)), rng.integers(0, 2, 24), np.repeat(np.arange(4), 6))
    sums = noise_floor._shuffled_sums(within, np.array([True, True]), 0, 999)
    largest = np.sort(np.abs(sums / np.sqrt(within.sxx * within.syy)).max(axis=1))
    assert floors(within) == largest[949]  # rank ⌈.95·1000⌉ = 950


def test_the_shuffles_are_those_of_all_orders():
    # Three tasks of three rows: 6³ = 216 equally likely orders can be written out.
    rng = np.random.default_rng(1)
    x, y = rng.random(9), np.array([0, 1, 1, 1, 0, 0, 0, 1, 0.5])
    within = centred([x], y, np.repeat(np.arange(3), 3))
    parts = [
        [within.x[0, 3 * t : 3 * t + 3] @ np.array(one)
         for one in itertools.permutations(within.y[3 * t : 3 * t + 3])]
        for t in range(3)
    ]  # fmt: skip
    every = np.array([sum(one) for one in itertools.product(*parts)])
    sums = noise_floor._shuffled_sums(within, np.array([True]), 0, 20_000)[:, 0]
    # Mean and spread within four standard errors; each sum is one that can be written out.
    assert sums.mean() == pytest.approx(every.mean(), abs=4 * every.std() / np.sqrt(20_000))
    assert sums.std() == pytest.approx(every.std(), rel=0.03)
    assert np.abs(sums[:, None] - every).min(axis=1).max() < 1e-9
    exact = np.quantile(np.abs(every), 0.95) / np.sqrt(within.sxx[0] * within.syy)
    assert floors(within) == pytest.approx(exact, rel=0.05)


def test_the_normal_limit_agrees_with_the_shuffles_it_stands_for():
    rng = np.random.default_rng(2)
    tasks, tries = 300, 8
    y = rng.integers(0, 2, tasks * tries)
    x = np.stack([rng.random(y.size), rng.integers(0, 2, y.size), rng.random(y.size) + y])
    labels = np.array([f"t{i}" for i in range(tasks)], dtype=object)
    within = centred(x, y, np.repeat(np.arange(tasks), tries), labels)
    defined = np.ones(3, bool)
    shuffled = noise_floor._shuffled_sums(within, defined, 0, 2000)
    normal = noise_floor._normal_sums(within, defined, 0)
    scale = np.sqrt(within.sxx * within.syy)
    # 2000 shuffles: a covariance is known to about 4·1/√2000 = 9 %
    np.testing.assert_allclose(
        np.cov((shuffled / scale).T), np.cov((normal / scale).T), atol=0.09 / (tasks * tries)
    )
    tops = [np.quantile(np.abs(sums / scale).max(axis=1), 0.95) for sums in (shuffled, normal)]
    assert tops[0] == pytest.approx(tops[1], rel=0.06)


@pytest.mark.parametrize("size", [2, 5, 16])
def test_more_tasks_of_a_size_reshuffle_nobody_and_kept_orders_are_the_drawn_ones(size):
    few, many = (noise_floor._orders(3, size, tasks, 999) for tasks in (3, 40))
    assert (few == many[:3]).all()
    assert (few == noise_floor._draw_orders(3, size, 3, 999)).all()
    large = noise_floor._orders(3, size, 1 + noise_floor.KEPT_ROWS // size, 999)
    assert (few == large[:3]).all()
    # each is an order of the places of its own task
    assert (np.sort(many, axis=2) == np.arange(40 * size).reshape(40, 1, size)).all()
    assert not (many[0] == many[1] - size).all()
    assert not (few == noise_floor._orders(4, size, 3, 999)).all()


def test_many_rows_take_the_normal_limit_in_any_order_of_rows(monkeypatch):
    rng = np.random.default_rng(4)
    n = noise_floor.MANY_ROWS + 400
    x, y = rng.random((2, n)), rng.integers(0, 2, n)
    codes = np.repeat(np.arange(n // 8), 8)
    labels = np.array([f"t{i}" for i in range(n // 8)], dtype=object)
    monkeypatch.setattr(noise_floor, "_shuffled_sums", None)
    plain = floors(centred(x, y, codes, labels))
    order = rng.permutation(n)
    assert floors(centred(x[:, order], y[order], codes[order], labels)) == pytest.approx(
        plain, abs=1e-9
    )


@pytest.mark.parametrize(("mixed", "said"), [(0, "0 tasks have"), (1, "1 task has"), (2, "2 tas")])
def test_under_three_mixed_tasks_there_is_no_floor_and_a_reason(mixed, said):
    y = [0, 1, 1] * mixed + [1, 1, 1] * (4 - mixed)
    within = centred([np.arange(12.0)], y, np.repeat(np.arange(4), 3))
    floor, why = noise_floor.noise_floor(within, within.correlations(), 0, 999)
    assert floor is None and why.startswith(said) and why.endswith("a noise floor needs 3")


@pytest.mark.parametrize(
    ("sizes", "passes", "expected"),
    [
        ((2, 2, 2), (1, 1, 1), 8),  # 2·2·2
        ((2, 2, 2, 2, 2), (1,) * 5, 32),
        ((4, 4, 3), (1, 2, 1), 4 * 6 * 3),
        ((4, 4, 4), (0, 4, 2), 6),  # tasks that agree have one deal each
    ],
)
def test_deals_are_the_product_of_the_binomials(sizes, passes, expected):
    y = [r for n, c in zip(sizes, passes, strict=True) for r in [1] * c + [0] * (n - c)]
    codes = np.repeat(np.arange(len(sizes)), sizes)
    labels = np.array([f"t{n}" for n in range(len(sizes))], dtype=object)
    within = centred([np.arange(len(y))], y, codes, labels)
    assert noise_floor.deals(within) == pytest.approx(expected)


def test_three_different_rewards_have_a_multinomial():
    # 4 rows of 0, 0, .5, 1: 4!/2! = 12
    within = centred([[1, 2, 3, 4]], [0, 0, 0.5, 1], [0] * 4)
    assert noise_floor.deals(within) == pytest.approx(12)


def test_a_task_whose_replies_are_alike_adds_no_deal():
    within = centred([[1, 2, 5, 5, 5, 5]], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 1, 1])
    assert noise_floor.deals(within) == pytest.approx(2)


@pytest.mark.parametrize(("tasks", "told"), [(3, False), (5, False), (6, True), (400, True)])
def test_pairs_need_six_tasks_before_anything_can_clear_the_floor(tasks, told):
    # 2⁵ = 32 deals: the strongest and its mirror image are 2 of 32, over 5 % by themselves
    y, codes = np.tile([0.0, 1.0], tasks), np.repeat(np.arange(tasks), 2)
    labels = np.array([f"t{n:03}" for n in range(tasks)], dtype=object)
    x = [np.tile([0.0, 1.0], tasks) * (1 + np.arange(2 * tasks) / 100)]
    within = centred(x, y, codes, labels)
    floor, why = noise_floor.noise_floor(within, within.correlations(), 0, 999)
    assert (floor is not None) == told
    if told:
        assert within.correlations()[0] > floor
    else:
        assert f"{tasks} tasks can be dealt out in {2**tasks} ways" in why
        assert "too few to tell" in why and why.endswith("a 95 % floor needs 40")
