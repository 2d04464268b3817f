"""Named random streams: what a draw depends on, and what it does not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore import streams
from whilecore.streams import PURPOSES, generator, label_keys, uniform

KEYS = st.integers(0, 2**40)


def test_a_draw_is_the_same_on_every_machine_and_in_every_version():
    # Every number of the course hangs on these: a change here changes each lesson.
    assert uniform(0, "coin", 3, 1) == 0.831367132361886
    assert uniform(7, "agent", [0, 1]).tolist() == [0.17722369209559885, 0.9961126711167794]
    assert label_keys(["a", "Straße"]).tolist() == [13950350942979735504, 2448204401815844038]


@given(KEYS, KEYS, st.integers(0, 2**31), st.sampled_from(PURPOSES))
def test_a_draw_depends_on_its_own_keys_alone(a, b, seed, purpose):
    alone = uniform(seed, purpose, a, b)
    among_others = uniform(seed, purpose, np.array([[5], [a], [9]]), np.array([3, b]))
    assert alone == among_others[1, 1]
    assert 0 <= alone < 1
    assert alone.dtype == np.float64


def test_more_rows_and_more_columns_leave_the_first_draws_alone():
    small = uniform(0, "agent", np.arange(16)[:, None], np.arange(4))
    large = uniform(0, "agent", np.arange(200)[:, None], np.arange(16))
    assert (large[:16, :4] == small).all()


def test_trailing_zeros_are_keys_of_their_own():
    draws = [uniform(0, "coin", 7), uniform(0, "coin", 7, 0), uniform(0, "coin", 7, 0, 0)]
    assert len({float(one) for one in draws}) == 3
    assert uniform(0, "coin", 2, 3) != uniform(0, "coin", 3, 2)


def test_no_two_purposes_and_no_two_seeds_share_a_draw():
    draws = [uniform(seed, purpose, np.arange(50)) for seed in range(4) for purpose in PURPOSES]
    assert len(np.unique(draws)) == 4 * len(PURPOSES) * 50


@pytest.mark.parametrize("keys", [(np.arange(40_000),), (np.arange(200)[:, None], np.arange(200))])
def test_draws_are_uniform_and_neighbours_have_nothing_to_do_with_each_other(keys):
    # 40,000 draws: mean .5 ± 4·.2887/200, variance 1/12; r of neighbours and of two purposes
    # within 4/200 of 0
    draws = uniform(3, "agent", *keys).ravel()
    assert draws.mean() == pytest.approx(0.5, abs=4 * 0.2887 / 200)
    assert draws.var() == pytest.approx(1 / 12, rel=0.03)
    assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < 0.02
    assert abs(np.corrcoef(draws, uniform(3, "coin", *keys).ravel())[0, 1]) < 0.02
    assert abs(np.corrcoef(draws, uniform(4, "agent", *keys).ravel())[0, 1]) < 0.02


def test_without_keys_there_is_one_number():
    assert uniform(0, "coin").shape == ()
    assert uniform(0, "coin", np.zeros(0, np.int64)).shape == (0,)


def test_a_generator_is_fresh_every_time_and_another_one_per_purpose():
    first, second, other = (generator(1, name) for name in ("shuffles", "shuffles", "control"))
    assert (first.random(5) == second.random(5)).all()
    assert first.random() != other.random()


@pytest.mark.parametrize("seed", [-1, 1.0, "0", None, True, [1], np.float64(2)])
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    uniform(1, "coin", 0)  # an equal value of another type must not be served from a cache
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0, got"):
        uniform(seed, "coin", 0)
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0, got"):
        generator(seed, "coin")


def test_numpy_seeds_and_very_large_seeds_count():
    assert uniform(np.int64(5), "coin", 1) == uniform(5, "coin", 1)
    assert uniform(10**30, "coin", 1) != uniform(10**30 + 1, "coin", 1)


def test_an_unknown_purpose_is_refused_with_the_list():
    with pytest.raises(ValueError, match="purpose must be one of agent, mistake, .*got 'coffee'"):
        uniform(0, "coffee", 1)


def test_keys_that_are_no_whole_numbers_are_refused():
    with pytest.raises(ValueError, match="keys must be whole numbers, got float64; cast them"):
        uniform(0, "coin", [0.5, 1.5])


@given(st.lists(st.text(), max_size=8), st.randoms())
def test_a_label_key_depends_on_the_label_not_on_its_place(labels, random):
    keys = dict(zip(labels, label_keys(labels).tolist(), strict=True))
    shuffled = list(labels)
    random.shuffle(shuffled)
    assert label_keys(shuffled).tolist() == [keys[label] for label in shuffled]
    assert len(set(keys.values())) == len(keys)


def test_half_an_emoji_has_a_key_and_changes_nobody_elses():
    assert label_keys(["a", "\ud83d"])[0] == label_keys(["a"])[0]
    assert label_keys(["\ud83d"])[0] != label_keys(["\ud83e"])[0]


def test_numbers_have_the_key_of_their_text():
    assert (label_keys([1, 2]) == label_keys(["1", "2"])).all()
    assert label_keys([]).shape == (0,)


def test_the_seed_check_gives_an_int():
    assert type(streams.check_seed(np.int32(3))) is int
