"""Many expected trainings at once are what each of them is alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from whilecore.expected import along, expected_paths
from whilecore.overoptimise import biased_judge_world
from whilecore.training import Plan, train
from whilecore.world import draw_world

PLAN = Plan(runs=1, sampled=False, step_size=2.0, steps=40)
CURVES = ("held_out", "proxy", "long_share", "kl", "silent", "push", "rollouts", "drawn", "missing",
          "open", "step_size", "screening")  # fmt: skip


def test_together_they_are_what_training_one_by_one_gives() -> None:
    worlds = [
        biased_judge_world(),
        biased_judge_world(ceiling=np.inf),
        biased_judge_world(long_cost=0.0),
        biased_judge_world(skill=-1.0, long_share=0.6),
    ]
    plans = [
        replace(PLAN, bias=bias, kl=kl, k=k)
        for bias, kl, k in ((0.0, 0.0, 8), (0.5, 0.0, 8), (0.5, 0.3, 4), (1.0, 0.1, 2))
    ]
    settings = [(world, plan) for world in worlds for plan in plans]
    skill, length = expected_paths(settings)
    for at, (world, plan) in enumerate(settings):
        run, alone = along(world, plan, skill[:, at], length[:, at]), train(world, plan)
        for name in CURVES:
            there, wanted = getattr(run, name), getattr(alone, name)
            assert there.shape == wanted.shape, name
            np.testing.assert_allclose(there, wanted, atol=1e-9, err_msg=name)
        assert str(run) == str(alone)


@pytest.mark.parametrize(
    ("world", "plan", "says"),
    [
        (draw_world(), PLAN, "one task"),
        (biased_judge_world(per_topic=2), PLAN, "one task"),
        (biased_judge_world(long_share=0.0), PLAN, "long replies"),
        (biased_judge_world(), replace(PLAN, sampled=True), "not sampled"),
        (biased_judge_world(), replace(PLAN, how="spread"), "centred"),
        (biased_judge_world(), replace(PLAN, runs=2), "one run"),
    ],
)
def test_what_two_numbers_cannot_hold_is_refused(world, plan, says) -> None:
    with pytest.raises(ValueError, match=says):
        expected_paths([(world, plan)])


def test_plans_of_unequal_length_are_refused() -> None:
    world = biased_judge_world()
    with pytest.raises(ValueError, match="same number of steps"):
        expected_paths([(world, PLAN), (world, replace(PLAN, steps=3))])
