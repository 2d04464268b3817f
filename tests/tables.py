"""Small tables of rollouts for the tests of the core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from whilecore.rollouts import Rollouts

TASKS = ("a", "b", "Straße", "🔥", "1")
REWARDS = (0.0, 1.0, 0.5, 0.1, 0.95, None)


def table(tasks: Mapping[Any, Iterable[Any]], **columns: Any) -> Rollouts:
    """Build rollouts from rewards per task, and further columns over all rows in order."""
    pairs = [(task, reward) for task, rewards in tasks.items() for reward in rewards]
    return Rollouts.from_records(
        {"task": task, "reward": reward} | {name: values[i] for name, values in columns.items()}
        for i, (task, reward) in enumerate(pairs)
    )


def records(min_size: int = 0, max_size: int = 40, binary: bool = False) -> st.SearchStrategy[Any]:
    """Draw lists of records in which every gate has something to do."""
    rare = st.sampled_from([False] * 9 + [True])
    row = st.fixed_dictionaries(
        {
            "task": st.sampled_from(TASKS),
            "reward": st.sampled_from((0.0, 1.0, None) if binary else REWARDS),
            "reply_key": st.integers(0, 5),
            "behavior": st.sampled_from(("looked up", "refused", "")),
            "leak": rare,
            "incomplete": rare,
            "truncated": rare,
            "error": st.sampled_from([""] * 9 + ["ConnectError"]),
            "judge_status": st.sampled_from(["ok"] * 5 + ["", "timeout"]),
            "reply_chars": st.integers(0, 300),
            "hedging": st.booleans(),
        }
    )
    return st.lists(row, min_size=min_size, max_size=max_size)


def numbered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give every row its rollout number, so that it keeps it in any order."""
    return [row | {"rollout": place} for place, row in enumerate(rows)]
