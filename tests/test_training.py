"""Training the toy policy, held to the theory of one group update."""

import math
from dataclasses import replace

import numpy as np
import pytest

from whilecore.policy import kl_to_start, true_rates
from whilecore.pools import POOLS
from whilecore.pushes import expected_pushes, live_chance
from whilecore.training import MATCHES, Plan, train
from whilecore.world import draw_world

FLAT = {"topics": 1, "topic_spread": 0.0, "task_spread": 0.0, "transfer": 1.0}
MIDDLES = POOLS[1:]


def skill_gain(run):
    """First step's move of the general skill, per run."""
    return run.path.general[1] - run.path.general[0]


def paired(a, b):
    """Mean difference of the ends of two trainings on the same draws, and its standard error."""
    difference = a.held_out[:, -1] - b.held_out[:, -1]
    return difference.mean(), difference.std(ddof=1) / math.sqrt(len(difference))


# --- one step -------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["centred", "spread", "leave_one_out"])
def test_one_step_moves_the_skill_by_the_expected_push_on_average(how):
    # p = σ(.619) = .65, k = 4, centred: η·p(1−p)(k−1)/k = .65·.35·.75 = .1706
    world = draw_world(per_topic=4, skill=math.log(0.65 / 0.35), **FLAT)
    gain = skill_gain(train(world, Plan(steps=1, runs=400, k=4, step_size=1.0, how=how)))
    expected = float(expected_pushes([0.65, 0.35], [1, 0], 4, how)[0])
    if how == "centred":
        assert expected == pytest.approx(0.1706, abs=5e-5)
    assert abs(gain.mean() - expected) < 4 * gain.std() / 20
    exact = train(world, Plan(steps=1, runs=1, k=4, step_size=1.0, how=how, sampled=False))
    assert skill_gain(exact)[0] == pytest.approx(expected)


def test_leave_one_out_moves_k_over_k_minus_1_times_as_far_as_centred():
    world = draw_world(4, 4)
    centred, leave = (
        skill_gain(train(world, Plan(steps=1, k=4, how=how)))
        for how in ("centred", "leave_one_out")
    )
    assert (centred > 0).all()
    np.testing.assert_allclose(leave, centred * 4 / 3)


def test_a_step_moves_a_topic_by_its_own_groups_alone():
    world = draw_world(3, 2, transfer=0.0)
    run = train(world, Plan(steps=1, runs=8, batch=1, k=8))
    moved = run.path.topic[1] != 0
    assert (moved.sum(1) <= 1).all() and moved.any()
    # one group of c passes: η·topics·c(k−c)/k²
    passes = run.below[0, 0, :, 0]
    np.testing.assert_allclose(run.path.topic[1].sum(1), 0.5 * 3 * passes * (8 - passes) / 64)


def test_transfer_moves_learning_between_skills_and_keeps_its_total():
    plan = Plan(steps=1, runs=50, sampled=False)
    for world in (draw_world(transfer=0.2), draw_world(transfer=0.2, memorised=0.3)):
        run, one = train(world, plan), train(replace(world, transfer=1.0, memorised=0.0), plan)
        total = run.path.general[1] + run.path.topic[1].mean(1) + run.path.memory[1].mean(1)
        np.testing.assert_allclose(total, one.path.general[1])
        assert (run.path.topic[1].std(1) > 0).all()


# --- silence and KL -------------------------------------------------------------------------------


def sure_world():
    """Every try passes: all groups are silent."""
    return draw_world(per_topic=4, skill=50.0, **FLAT)


def test_silent_groups_move_nothing_without_kl():
    run = train(sure_world(), Plan(steps=3, runs=4, k=4))
    assert (run.silent == 1).all() and (run.push == 0).all()
    assert (run.path.general == 50.0).all()


def test_at_the_start_kl_moves_nothing():
    run = train(sure_world(), Plan(steps=2, runs=2, kl=0.5))
    assert (run.path.general == 50.0).all()


def test_kl_gradient_is_the_slope_of_kl():
    world = draw_world(2, 3, long_share=0.3, long_cost=1.0, transfer=1.0)
    free, pulled = (
        train(world, Plan(steps=2, runs=1, kl=kl, bias=0.5, sampled=False)) for kl in (0.0, 1.0)
    )
    # Step 1 starts at the start, where the slope of KL is 0: the two runs part in step 2 only.
    assert free.path.general[1] == pulled.path.general[1]
    at, h = free.path.at(1), 1e-5
    for name in ("general", "length"):
        up, down = (replace(at, **{name: getattr(at, name) + by}) for by in (h, -h))
        slope = (kl_to_start(world, up, world.pool) - kl_to_start(world, down, world.pool)) / (
            2 * h
        )
        apart = getattr(free.path, name)[2] - getattr(pulled.path, name)[2]
        np.testing.assert_allclose(apart, 0.5 * slope, rtol=1e-4)
        assert abs(slope[0]) > 1e-4


def test_over_the_ceiling_skill_neither_counts_nor_moves():
    world = draw_world(per_topic=4, skill=2.0, ceiling=1.0, **FLAT)
    run = train(world, Plan(steps=2, runs=3))
    assert (run.path.general == 2.0).all() and (run.push > 0).any()
    np.testing.assert_allclose(run.held_out, 1 / (1 + math.exp(-1)))


# --- expectation and sampling ---------------------------------------------------------------------


@pytest.mark.parametrize("change", [{}, {"how": "spread"}, {"kl": 0.2}, {"refill": 20}])
def test_the_expected_path_runs_through_the_sampled_ones(change):
    world = draw_world(4, 8, seed=3)
    plan = Plan(steps=40, runs=60, batch=32, **change)
    line = train(world, replace(plan, runs=1, sampled=False)).held_out[0]
    runs = train(world, plan).held_out
    for step in (5, 20, 40):
        error = runs[:, step].std(ddof=1) / math.sqrt(60)
        # The line is the path of mean steps; the mean of bent paths is a little off it.
        assert abs(runs[:, step].mean() - line[step]) < 4 * error + 0.003


def test_expected_refilling_is_the_mean_over_live_groups():
    world = draw_world(2, 2, transfer=1.0)
    plan = Plan(steps=1, runs=1, k=4, step_size=1.0, sampled=False)
    p = true_rates(world, world.start(1), world.pool)[0]
    live = live_chance([p, 1 - p], [1, 0], 4)
    gain = skill_gain(train(world, replace(plan, refill=50)))[0]
    # Σ p(1−p)(k−1)/k over the tasks, per live group
    assert gain == pytest.approx((p * (1 - p) * 0.75).sum() / live.sum())
    assert gain > skill_gain(train(world, plan))[0]


# --- pools ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scalar():
    """One scalar skill; every run has a world of its own."""
    world = draw_world(worlds=20, transfer=1.0, seed=1)
    plan = Plan(match="every step")
    return {pool: train(world, replace(plan, pool=pool)) for pool in POOLS}


@pytest.mark.parametrize("pool", MIDDLES)
def test_with_one_scalar_skill_and_equal_expected_steps_every_pool_ends_in_the_same_place(
    scalar, pool
):
    mean, error = paired(scalar[pool], scalar["all"])
    assert abs(mean) < 4 * error and error < 0.005
    gain = scalar[pool].held_out[:, -1] - scalar[pool].held_out[:, 0]
    assert gain.mean() > 0.25  # far more than the difference could be
    assert (scalar[pool].step_size != 0.5).all()


@pytest.mark.parametrize("pool", MIDDLES)
def test_with_one_scalar_skill_and_no_sampling_the_paths_are_the_same(pool):
    world = draw_world(worlds=3, transfer=1.0)
    plan = Plan(runs=3, match="every step", sampled=False)
    one, other = train(world, plan), train(world, replace(plan, pool=pool))
    np.testing.assert_allclose(one.held_out, other.held_out, atol=1e-12)


def test_with_one_scalar_skill_unmatched_pools_part_by_their_step_size(scalar):
    world = scalar["all"].world
    oracle = train(world, Plan(pool="oracle"))
    mean, error = paired(oracle, train(world, Plan()))
    assert mean > 4 * error


def test_matching_at_the_start_makes_the_first_expected_push_equal():
    world = draw_world()
    plan = Plan(steps=3, runs=2, sampled=False)
    every = skill_gain(train(world, plan))
    for pool in MIDDLES:
        run = train(world, replace(plan, pool=pool, match="start"))
        np.testing.assert_allclose(skill_gain(run), every)
        assert np.ptp(run.step_size, axis=1).max() == 0
        assert (run.step_size < plan.step_size).all()  # the middle has the larger pushes


def test_the_middle_chosen_once_expires():
    run = train(draw_world(), Plan(pool="middle once"))
    assert run.silent[:, :5].mean() < 0.3 and run.silent[:, -5:].mean() > 0.5


def test_all_tasks_fall_silent_too_as_they_are_learned():
    run = train(draw_world(), Plan())
    assert run.silent[:, -5:].mean() > run.silent[:, :5].mean() + 0.2


def test_the_oracle_draws_from_the_band_of_true_rates_alone():
    world = draw_world()
    run = train(world, Plan(pool="oracle", steps=10, runs=3))
    for step in (0, 5):
        rates = true_rates(world, run.path.at(step), world.pool)
        inside = ((rates >= 0.2) & (rates <= 0.8)).sum(1)
        np.testing.assert_array_equal(run.open[:, step], inside)
    assert (run.open < len(world.pool)).all() and (run.screening == 0).all()


def test_a_run_without_a_task_in_the_band_stands_still_spends_nothing_and_says_so():
    run = train(sure_world(), Plan(pool="oracle", steps=2, runs=2))
    assert run.rollouts[:, -1].tolist() == [0, 0]
    assert np.isnan(run.silent).all() and (run.path.general == 50.0).all()
    assert "no task was in the pool in 4 of 4 steps" in str(run)


# --- cost -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pool", "screenings"),
    [("all", 0), ("middle once", 1), ("middle re-measured", 3), ("oracle", 0)],
)
def test_screening_is_counted_in_rollouts(pool, screenings):
    # 64 tasks × 8 tries = 512 a screening, at steps 0, 10 and 20; 25 steps × 16 groups × 8 = 3,200
    run = train(draw_world(), Plan(pool=pool, steps=25, runs=2, step_size=0.1))
    assert run.screening.sum(1).tolist() == [512 * screenings] * 2
    assert run.rollouts[:, -1].tolist() == [3200 + 512 * screenings] * 2
    assert run.rollouts[0, 0] == (512 if screenings else 0)


# --- leaking --------------------------------------------------------------------------------------


def test_a_leaked_task_flatters_a_policy_that_memorises_and_no_other():
    plan = Plan(runs=10)
    for memorised, flattered in ((0.6, True), (0.0, False)):
        world = draw_world(8, 4, memorised=memorised, transfer=0.2, skill=-1.0, seed=2)
        clean, leaked = (train(one, plan) for one in (world, world.leaked(8)))
        np.testing.assert_array_equal(clean.path.general, leaked.path.general)
        at = leaked.world.held_out.trained >= 0  # the leaked tasks, and whom they replaced

        def gain(run, at=at):
            rates = true_rates(run.world, run.path, run.world.held_out)[..., at].mean((1, 2))
            return rates[-1] - rates[0]

        extra = gain(leaked) - gain(clean)
        assert (extra > 0.1) == flattered


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"pool": "hard"}, "all, middle once, middle re-measured, oracle"),
        ({"how": "std"}, "centred, spread, leave_one_out"),
        ({"match": "end"}, ", ".join(MATCHES)),
        ({"k": 1}, "k must be a whole number of at least 2"),
        ({"steps": 0}, "steps must be a whole number of at least 1"),
        ({"batch": 1.5}, "batch must be a whole number"),
        ({"step_size": -1.0}, "step_size must be a number of at least 0"),
        ({"kl": math.inf}, "kl must be a number of at least 0"),
        ({"bias": 1.5}, "share in"),
        ({"band": (0.8, 0.2)}, "swap the two"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_what_cannot_be_planned_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        Plan(**change)


def test_worlds_and_runs_must_fit():
    with pytest.raises(ValueError, match="worlds=1 or worlds=20"):
        train(draw_world(worlds=3), Plan(runs=20))
