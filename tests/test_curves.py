"""What a training reports of itself."""

import math

import numpy as np
import pytest

from whilecore import reward_scan
from whilecore.overoptimise import biased_judge_world
from whilecore.policy import true_rates
from whilecore.rollouts import Rollouts
from whilecore.student_t import t_quantile
from whilecore.training import Plan, train
from whilecore.world import draw_world


@pytest.fixture(scope="module")
def run():
    return train(draw_world(4, 4), Plan(steps=20, runs=6))


@pytest.fixture(scope="module")
def biased():
    return train(biased_judge_world(), Plan(steps=8, runs=3, bias=0.5, batch=16, step_size=2.0))


def test_curves_start_at_the_start_and_have_one_entry_per_step(run):
    assert run.held_out.shape == run.trained_on.shape == run.rollouts.shape == (6, 21)
    world = run.world
    at_start = true_rates(world, world.start(6), world.held_out).mean(1)
    np.testing.assert_array_equal(run.held_out[:, 0], at_start)
    assert (run.held_out[:, -1] > at_start + 0.1).all()
    assert (run.trained_on[:, -1] > run.trained_on[:, 0] + 0.1).all()
    assert run.kl[:, 0].tolist() == [0] * 6 and (run.kl[:, -1] > 0.05).all()


def test_the_end_is_the_mean_over_runs_with_students_interval(run):
    last = run.held_out[:, -1]
    half = t_quantile(0.975, 5) * last.std(ddof=1) / math.sqrt(6)
    assert run.end == pytest.approx((last.mean(), last.mean() - half, last.mean() + half))


def test_a_single_run_has_no_interval():
    one = train(draw_world(2, 2), Plan(steps=2, runs=1))
    assert math.isnan(one.end[1]) and "[" not in str(one)


def test_it_prints_where_it_went_on_what_and_what_it_cost(run):
    mean, low, high = run.end
    text = str(run)
    assert f"{run.held_out[:, 0].mean():.3f} → {mean:.3f} [{low:.3f}..{high:.3f}]" in text
    assert "20 steps, 6 runs, seed 0" in text
    assert "2,560 rollouts a run, 0 of them screening" in text  # 20·16·8


def test_the_push_is_the_mean_size_of_the_advantage(run):
    passes = run.below[0, 0, 0]
    # mean |A| of c passes in 8 is 2c(8−c)/64
    assert run.push[0, 0] == pytest.approx((2 * passes * (8 - passes) / 64).mean())
    assert run.silent[0, 0] == ((passes == 0) | (passes == 8)).mean()


def test_without_bias_the_judge_pays_the_true_rate(run):
    np.testing.assert_allclose(run.proxy, run.held_out)


def test_with_bias_it_pays_a_mixture_of_right_and_long(biased):
    np.testing.assert_allclose(biased.proxy, 0.5 * biased.held_out + 0.5 * biased.long_share)
    assert biased.long_share[:, 0] == pytest.approx(0.25)
    assert (biased.long_share[:, -1] > 0.4).all()


def test_the_length_correlation_is_that_of_the_reward_scan(biased):
    r, floor = biased.length_correlation
    below = biased.below[0, :, 0]  # first step, first run: (3, 16)
    counts = np.diff(below, axis=0, prepend=0, append=8)
    tries = [np.repeat(np.arange(4), counts[:, g]) for g in range(16)]
    data = Rollouts.from_records(
        {
            "task": f"t{group}",
            "reward": [0.5, 0.0, 1.0, 0.5][try_],
            "long": int(try_ >= 2),
            "reply_key": number,
        }
        for group, some in enumerate(tries)
        for number, try_ in enumerate(some)
    )
    scanned = reward_scan.scan(data, np.arange(len(data)), features=["long"])
    found = scanned.correlations["long"]
    assert r[0, 0] == pytest.approx(found["within"])
    # The scan shuffles (and takes the largest over its features); ours is the normal limit.
    assert floor[0, 0] == pytest.approx(found["floor"], abs=0.04)


def test_where_length_cannot_vary_the_correlation_is_undefined(run):
    r, floor = run.length_correlation
    assert r.shape == (6, 20) and np.isnan(r).all() and np.isnan(floor).all()


def test_an_honest_judge_stays_under_the_floor_as_often_as_it_says():
    world = biased_judge_world(long_cost=0.0, per_topic=16)
    r, floor = train(world, Plan(runs=40, steps=25, step_size=0.0, batch=16)).length_correlation
    over = (np.abs(r) > floor).mean()
    assert abs(over - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 1000)


def test_an_evaluation_holds_every_task_with_its_true_rate(run):
    data = run.evaluate(tries=3, run=2)
    assert len(data) == 48 and data.n_tasks == 16 and data.scored.all()
    assert data.frame["true_pass_rate"].mean() == pytest.approx(run.held_out[2, -1])
    assert data.task_labels.tolist() == run.world.held_out.labels.tolist()
    pool = run.evaluate(0, tasks="pool", tries=1)
    assert pool.task_labels.tolist() == run.world.pool.labels.tolist()


def test_evaluations_measure_the_true_rate_and_repetitions_draw_afresh(run):
    draws = [run.evaluate(0, tries=64, draw=draw) for draw in (0, 1)]
    p = draws[0].frame["true_pass_rate"].to_numpy()
    for data in draws:
        error = math.sqrt((p * (1 - p)).sum()) / len(p)
        assert abs(data.reward.mean() - p.mean()) < 4 * error
    assert (draws[0].reward != draws[1].reward).mean() > 0.2
    again = run.evaluate(0, tries=64)
    np.testing.assert_array_equal(again.reward, draws[0].reward)
    other = run.evaluate(0, tries=64, tasks="pool")
    assert (other.reward != again.reward).any()


def test_more_tries_leave_the_first_ones_of_an_evaluation_as_they_were(run):
    few, more = run.evaluate(tries=2), run.evaluate(tries=5)
    np.testing.assert_array_equal(few.reward.reshape(-1, 2), more.reward.reshape(-1, 5)[:, :2])


def test_a_step_or_run_there_is_none_of_is_refused(run):
    with pytest.raises(IndexError):
        run.evaluate(21)
    with pytest.raises(IndexError):
        run.evaluate(run=6)


def test_repeated_evaluations_measure_what_evaluate_draws():
    run = train(draw_world(2, 3), Plan(steps=2, runs=2))
    rates = run.pass_rates(1, 1, tries=5, draws=[0, 3])
    assert rates.shape == (2, 6)
    for row, draw in enumerate((0, 3)):
        rewards = run.evaluate(1, 1, tries=5, draw=draw).reward.reshape(6, 5)
        np.testing.assert_array_equal(rates[row], rewards.mean(1))
