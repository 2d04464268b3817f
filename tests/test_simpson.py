"""A pooled correlation of one sign, and every task's of the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from whilecore import simpson
from whilecore.reward_scan import scan
from whilecore.rollouts import Rollouts

PEER = Path(__file__).parent / "data" / "peer_runs" / "w131_hand_simpson.csv"


def length(rollouts: Rollouts, seed: int = 0) -> dict[str, float]:
    """Scan all rows and return what the scan says of the reply length."""
    one: dict[str, float] = scan(rollouts, np.arange(len(rollouts)), seed=seed).correlations[
        "reply_chars"
    ]
    return one


def test_over_40_seeds_the_pooled_mean_is_negative_and_the_one_within_positive() -> None:
    found = [length(simpson.hard_tasks(seed)) for seed in range(40)]
    pooled = np.array([one["pooled"] for one in found])
    within = np.array([one["within"] for one in found])
    # about −0.33 and +0.58; standard errors of the means are near 0.01
    assert abs(pooled.mean() + 0.33) < 0.04
    assert abs(within.mean() - 0.58) < 0.04
    assert (pooled < 0).all()
    assert (within > 0).all()
    assert all(one["clears"] for one in found)


def test_lengths_follow_the_formula() -> None:
    # length − (80 + 320(1 − p) + 30·pass) is the noise: mean 0, sd 18 over 40 · 128 draws
    frames = [simpson.hard_tasks(seed).frame for seed in range(40)]
    noise = np.concatenate(
        [f.reply_chars - (80 + 320 * (1 - f.true_pass_rate) + 30 * f.reward) for f in frames]
    )
    assert abs(noise.mean()) < 4 * 18 / np.sqrt(noise.size)
    assert noise.std() == pytest.approx(18, rel=4 / np.sqrt(2 * noise.size))
    rates = np.concatenate([f.reward - f.true_pass_rate for f in frames])
    assert abs(rates.mean()) < 4 * 0.5 / np.sqrt(rates.size)


def test_it_has_16_tasks_of_8_tries_from_one_to_nine_tenths() -> None:
    frame = simpson.hard_tasks(3).frame
    assert frame.groupby("task").size().tolist() == [8] * 16
    assert sorted(set(frame["true_pass_rate"]))[::15] == pytest.approx([0.1, 0.9])


def test_the_figures_are_those_of_the_peer_s_run() -> None:
    names = ["task", "rollout", "reward", "reply_chars"]
    peer = pd.read_csv(PEER)[names]
    ours = simpson.figures().frame
    for name in names[1:]:
        assert ours[name].tolist() == peer[name].tolist()
    assert ours["task"].tolist() == peer["task"].astype(str).tolist()


def test_the_figures_read_minus_seven_hundredths_pooled_and_plus_eighty_one_within() -> None:
    one = length(simpson.figures())
    assert round(one["pooled"], 2) == -0.07
    assert round(one["within"], 2) == 0.81
    assert one["clears"]


def test_a_seed_that_is_no_whole_number_is_refused() -> None:
    with pytest.raises(ValueError, match="seed must be a whole number"):
        simpson.hard_tasks(-1)
