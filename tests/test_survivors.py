"""Pass rates before and after copies are removed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import whilecore as wc
from whilecore import survivors


def rollouts(tasks: dict[str, list[tuple[int, int]]], leak: tuple[int, ...] = ()) -> wc.Rollouts:
    """Build a run from (reward, reply) per try of each task."""
    rows = [(task, reward, key) for task, tries in tasks.items() for reward, key in tries]
    frame = pd.DataFrame(rows, columns=["task", "reward", "reply_key"])
    frame["leak"] = [place in leak for place in range(len(frame))]
    return wc.Rollouts.from_frame(frame)


ELEVEN = [(1, 0)] * 11 + [(0, key) for key in range(1, 6)]


def test_eleven_copies_of_sixteen_become_one_of_six_and_cross_the_band() -> None:
    moved = survivors.shift(rollouts({"a": ELEVEN, "b": [(1, 0), (1, 0), (1, 0), (0, 1)]}))
    assert moved.before.tolist() == [11 / 16, 3 / 4]
    assert moved.after.tolist() == [1 / 6, 1 / 2]
    assert moved.crossed.tolist() == [True, False]
    assert not moved.entered.any()


def test_a_task_that_was_too_easy_comes_in_when_its_copies_leave() -> None:
    # 7 of 8, the passes alike: 1 of 2 afterwards
    moved = survivors.shift(rollouts({"a": [(1, 0)] * 7 + [(0, 1)]}))
    assert (moved.before.tolist(), moved.after.tolist()) == ([7 / 8], [1 / 2])
    assert moved.entered.tolist() == [True]


def test_a_wider_band_is_not_crossed() -> None:
    assert not survivors.shift(rollouts({"a": ELEVEN}), (0.1, 0.9)).crossed.any()


def test_a_task_that_no_try_is_left_of_has_no_rate_and_does_not_cross() -> None:
    moved = survivors.shift(rollouts({"a": [(0, 0), (0, 1)]}, leak=(0, 1)))
    assert moved.before.tolist() == [0.0]
    assert np.isnan(moved.after).all()
    assert not moved.crossed.any()


def test_first_tries_are_the_first_of_each_task_in_row_order() -> None:
    frame = pd.DataFrame({"task": list("ababab"), "reward": [0, 1, 0, 1, 1, 0]})
    two = survivors.first_tries(wc.Rollouts.from_frame(frame), 2)
    assert two.frame["task"].tolist() == list("abab")
    assert two.reward.tolist() == [0, 1, 0, 1]
    assert len(survivors.first_tries(wc.Rollouts.from_frame(frame), 9)) == 6


def test_fewer_than_one_try_is_refused() -> None:
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        survivors.first_tries(rollouts({"a": ELEVEN}), 0)


def test_rows_kept_by_tries_by_hand() -> None:
    # 2 tries: two copies of a pass: unanimous. 12: one pass and one fail, rate 11/12: too easy;
    # measured on survivors 1/2: both kept. 16: 11/16 inside, six rows kept; 1/6 outside, none.
    kept = survivors.kept_by_tries(rollouts({"a": ELEVEN}), [2, 12, 16])
    assert {how: rows.tolist() for how, rows in kept.items()} == {
        "scored": [0, 0, 6],
        "surviving": [0, 2, 0],
    }


def test_many_seeds_are_the_runs_of_the_simulation_under_each_other() -> None:
    @wc.tool
    def get_order(order_id: str) -> dict[str, str]:
        """Look up an order by id."""
        return {}

    agent = wc.seeded_agent([get_order], rate=0.4, skill="mixed", variety=0.3)
    whole = survivors.many_seeds(agent, seeds=5, n_tasks=7, repeats=6)
    fate = whole.select(mode="rl").fate_names.reshape(5, 42)
    for seed in (0, 4):
        tries = wc.simulate(agent, repeats=6, budget=42, seed=seed)
        alone = tries.grade(wc.judges.answer_key).select(mode="rl").fate_names
        assert fate[seed].tolist() == alone.tolist()
    assert {"leak", "duplicate", "kept"} <= set(fate.ravel())


@pytest.mark.parametrize("variety", [0.0, 0.5, 1.0])
def test_rows_kept_by_tries_are_what_a_run_of_so_many_tries_keeps(variety: float) -> None:
    @wc.tool
    def get_order(order_id: str) -> dict[str, str]:
        """Look up an order by id."""
        return {}

    agent = wc.seeded_agent([get_order], variety=variety)

    def run(repeats: int) -> wc.Rollouts:
        tries = wc.simulate(agent, repeats=repeats, budget=16 * repeats, seed=3)
        return tries.grade(wc.judges.answer_key)

    found = survivors.kept_by_tries(run(32), [4, 9, 32])
    for how, rows in found.items():
        single = [run(k).select(mode="rl", measure_on=how).report["kept"] for k in (4, 9, 32)]
        assert rows.tolist() == single
