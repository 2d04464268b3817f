"""Simulated runs: common random numbers, whole tasks, a true table, and options refused."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore import features
from whilecore.agent import SeededAgent, seeded_agent
from whilecore.rollouts import Rollouts
from whilecore.simulate import simulate
from whilecore.tools import tool


@tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    raise AssertionError("the stand-in never runs a tool")


@tool
def cancel_booking(booking_id: int, reason: str) -> bool:
    """Cancel a booking."""
    raise AssertionError("the stand-in never runs a tool")


def agents() -> st.SearchStrategy[SeededAgent]:
    return st.builds(
        seeded_agent,
        st.sampled_from([[get_order], [get_order, cancel_booking]]),
        rate=st.sampled_from([0.2, 0.35, 0.7]),
        skill=st.sampled_from(["flat", "mixed", "u-shaped"]),
        variety=st.sampled_from([0.0, 0.5, 1.0]),
    )


def run(repeats: int = 4, tasks: int = 16, seed: int = 0, **options: Any) -> Rollouts:
    agent = seeded_agent([get_order], **options)
    return simulate(agent, repeats=repeats, budget=repeats * tasks, seed=seed)


@settings(max_examples=60, deadline=None)
@given(
    agent=agents(),
    seed=st.integers(0, 1000),
    repeats=st.integers(1, 6),
    more_repeats=st.integers(0, 6),
    tasks=st.integers(1, 8),
    more_tasks=st.integers(0, 8),
)
def test_raising_repeats_or_budget_leaves_earlier_tries_unchanged(
    agent: SeededAgent, seed: int, repeats: int, more_repeats: int, tasks: int, more_tasks: int
) -> None:
    few = simulate(agent, repeats=repeats, budget=repeats * tasks, seed=seed)
    longer = repeats + more_repeats
    many = simulate(agent, repeats=longer, budget=longer * (tasks + more_tasks), seed=seed)
    frame = many.frame
    kept = frame[(frame["rollout"] < repeats) & frame["task"].isin(few.task_labels)]
    pd.testing.assert_frame_equal(kept.reset_index(drop=True), few.frame)


def test_the_budget_buys_whole_tasks_and_the_rest_is_said() -> None:
    data = simulate(seeded_agent([get_order]), repeats=4, budget=66)
    assert len(data) == 64
    assert data.notes == ("budget 66 pays for 16 whole tasks of 4 tries; 2 rollouts not spent",)
    assert simulate(seeded_agent([get_order]), repeats=4, budget=64).notes == ()


def test_rows_come_task_by_task_in_the_order_drawn() -> None:
    data = run(repeats=3, tasks=4)
    assert data.frame["task"].tolist() == [f"T{i:03d}" for i in range(4) for _ in range(3)]
    assert data.frame["rollout"].tolist() == [0, 1, 2] * 4
    assert data.task_codes.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert data.task_labels.tolist() == ["T000", "T001", "T002", "T003"]


def test_the_seed_reaches_the_agent() -> None:
    one, two = run(tasks=50, seed=0), run(tasks=50, seed=1)
    assert (one.frame["mistake"] != two.frame["mistake"]).mean() > 0.2
    assert (one.frame["prompt"] != two.frame["prompt"]).mean() > 0.8


def test_the_mode_changes_nothing_in_the_draw() -> None:
    agent = seeded_agent([get_order])
    pd.testing.assert_frame_equal(
        simulate(agent, mode="rl").frame, simulate(agent, mode="sft").frame
    )


def test_the_measured_pass_rate_recovers_the_true_one() -> None:
    for skill in ("flat", "mixed", "u-shaped"):
        frame = run(repeats=4, tasks=5000, skill=skill).frame
        honest = frame["mistake"].to_numpy(object) == ""
        true = frame["true_pass_rate"].to_numpy()
        # Σ(honest − p) has variance Σp(1 − p); four standard errors.
        assert abs((honest - true).sum()) < 4 * np.sqrt((true * (1 - true)).sum())


def test_honest_replies_of_a_task_are_identical_without_variety() -> None:
    frame = run(repeats=8, tasks=200).frame
    honest = frame[frame["mistake"] == ""]
    assert (honest.groupby("task")["reply"].nunique() == 1).all()


def test_the_same_mistake_repeats_now_and_then() -> None:
    frame = run(repeats=16, tasks=400).frame
    copies = frame.duplicated(["task", "reply_key"])
    wrong = (frame["mistake"] != "")[copies].mean()
    assert 0.01 < wrong < 0.1


def test_with_full_variety_copies_all_but_vanish() -> None:
    frame = run(repeats=16, tasks=400, variety=1.0).frame
    assert frame.duplicated(["task", "reply"]).mean() < 0.002


def test_reply_key_is_equal_exactly_where_the_replies_of_a_task_are() -> None:
    for variety in (0.0, 0.5):
        data = run(repeats=16, tasks=100, variety=variety)
        frame = data.frame
        by_key = frame.groupby(["task", "reply_key"]).ngroup()
        by_text = frame.groupby(["task", "reply"]).ngroup()
        assert len(set(zip(by_key, by_text, strict=True))) == by_key.nunique() == by_text.nunique()
        assert data.reply_codes.tolist() == frame["reply_key"].tolist()


def test_the_features_are_those_a_reader_of_the_file_would_compute() -> None:
    frame = run(repeats=8, tasks=300, variety=0.5).frame
    for name, values in features.text_features(frame["reply"].to_numpy(object)).items():
        assert frame[name].tolist() == values.tolist()
    failed = [bool(steps and "error" in steps[-1]) for steps in frame["steps"]]
    ignored = features.ignored_failure(frame["reply"].to_numpy(object), failed)
    assert frame["ignored_failure"].tolist() == ignored.tolist()
    assert ignored.sum() > 20


def test_each_planted_habit_is_the_one_that_is_found() -> None:
    frame = run(repeats=8, tasks=300).frame
    for habit in ("hedging", "sycophancy", "apology", "boilerplate"):
        assert (frame[habit] == (frame["mistake"] == habit)).all()
    assert not frame["refusal"].any()


def test_mistakes_that_add_words_make_replies_longer() -> None:
    frame = run(repeats=8, tasks=300).frame
    adds = frame["mistake"].isin(["hedging", "sycophancy", "apology", "boilerplate", "leak"])
    honest = frame[frame["mistake"] == ""].groupby("task")["reply_chars"].first()
    added = (frame["reply_chars"] - frame["task"].map(honest))[adds].dropna()
    assert added.between(30, 90).all()
    assert honest.between(30, 120).all()
    assert honest.std() > 15


def test_leaks_are_flagged_and_claims_come_only_after_a_failed_call() -> None:
    frame = run(repeats=8, tasks=500).frame
    assert (frame["leak"] == (frame["mistake"] == "leak")).all()
    assert frame["leak"].sum() > 50
    claims = frame[frame["mistake"] == "ignored_failure"]
    assert len(claims) > 20
    assert all(steps[-1]["error"] for steps in claims["steps"])


def test_counts_of_calls_and_turns_fit_the_steps() -> None:
    frame = run(tasks=200).frame
    calls = frame["steps"].map(len)
    assert (frame["tool_calls"] == calls).all()
    assert (frame["assistant_turns"] == calls + 1).all()
    assert set(calls) == {0, 1, 2}


def test_nothing_is_scored_yet() -> None:
    data = run()
    assert data.frame["reward"].isna().all()
    assert not data.scored.any()


def test_a_changed_table_does_not_reach_the_next_run() -> None:
    first = run()
    first.frame.loc[:, "prompt"] = "changed"
    first.task_labels[:] = "changed"
    for steps in first.frame["steps"]:
        steps.append("changed")
    again = run()
    assert again.frame["prompt"].nunique() > 8
    assert again.task_labels[0] == "T000"
    assert all("changed" not in steps for steps in again.frame["steps"])


def test_the_system_prompt_stays_with_the_run() -> None:
    data = simulate(seeded_agent([get_order]), system_prompt="Help customers.")
    assert data.system_prompt == "Help customers."


def test_given_rates_shorter_than_the_tasks_are_refused() -> None:
    with pytest.raises(ValueError, match="each of the 16 tasks drawn, got 3"):
        simulate(seeded_agent([get_order], skill=[0.5, 0.5, 0.5]))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"simulator": True}, ValueError, "simulates offline only; pass simulator=False"),
        ({"simulator": "gpt"}, ValueError, "simulates offline only"),
        ({"mode": "dpo"}, ValueError, "mode must be 'rl' or 'sft', got 'dpo'"),
        ({"repeat_policy": "adaptive"}, ValueError, "repeat_policy must be 'fixed'"),
        ({"repeats": 0}, ValueError, "repeats must be at least 1, got 0"),
        ({"repeats": True}, TypeError, "repeats must be a whole number, got True"),
        ({"repeats": 4.0}, TypeError, "repeats must be a whole number, got 4.0"),
        ({"budget": 3}, ValueError, "budget must be at least 4, got 3; one task takes"),
        ({"budget": "64"}, TypeError, "budget must be a whole number"),
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"seed": None}, TypeError, "seed must be a whole number"),
        ({"system_prompt": None}, TypeError, "system_prompt must be text"),
        ({"tools": [cancel_booking]}, ValueError, "tools must be the agent's own, get_order"),
    ],
)
def test_other_values_are_refused_with_what_is_allowed(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        simulate(seeded_agent([get_order]), **options)


def test_another_agent_is_sent_to_the_readers() -> None:
    with pytest.raises(TypeError, match="Rollouts.from_records"):
        simulate(lambda prompt: "hello")  # type: ignore[arg-type]


def test_numpy_whole_numbers_are_whole_numbers() -> None:
    data = simulate(seeded_agent([get_order]), repeats=np.int64(2), budget=np.int32(4))
    assert len(data) == 4
