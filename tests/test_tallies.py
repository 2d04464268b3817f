"""Tasks counted in columns: few marks however many tasks, and every task in one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whilecore as wc
from whilecore.charts import spec, tallies


def counts(pushed: dict[str, Any]) -> dict[str, str]:
    """Return the count over each named column that has one."""
    columns = pushed["columns"]
    return {name: count for name, count in zip(columns["name"], columns["count"], strict=True)
            if count}  # fmt: skip


def run(passes: list[int], tries: int) -> wc.Selection:
    """Return the RL selection of tasks with so many passes, no copies among them."""
    records = [
        {"task": task, "reply": f"{task} {n}", "reward": int(n < many)}
        for task, many in enumerate(passes)
        for n in range(tries)
    ]
    return wc.Rollouts.from_records(records).select("rl")


def test_a_column_for_every_size_while_there_are_twelve_or_fewer() -> None:
    pushed = tallies.sizes({4: 10, 1: 3, 7: 1}, "x")
    assert counts(pushed) == {"1": "3", "4": "10", "7": "1"}
    assert pushed["title"] == "10 of 14 tasks have 4 tries (x)"
    assert "3 of them hold a single try" in pushed["summary"]


def test_more_sizes_are_put_together_by_doubling() -> None:
    pushed = tallies.sizes({size: 1 for size in (*range(1, 21), 5000)}, "x")
    # 1 | 2 | 3, 4 | 5 to 8 | 9 to 16 | 17 to 20 | 5000
    assert counts(pushed) == {"1": "1", "2": "1", "≤4": "2", "≤8": "4", "≤16": "8", "≤32": "4",
                              ">1024": "1"}  # fmt: skip


@given(st.dictionaries(st.integers(1, 10**6), st.integers(1, 10**6), min_size=1, max_size=60))
def test_every_task_stands_in_one_of_at_most_twelve_columns(groups: dict[int, int]) -> None:
    pushed = tallies.sizes(groups, "x")
    assert sum(int(n.replace(",", "")) for n in counts(pushed).values()) == sum(groups.values())
    assert len(pushed["parts"]["x"]) <= 12
    assert max(pushed["parts"]["y2"]) <= 1


def test_a_rate_on_an_edge_stands_in_the_step_above_it_by_whole_numbers() -> None:
    # of 10 tries: 0 | 3 is 30 % | 7 is 70 %, where 0.7 · 10 rounds down in floats | 10
    pushed = tallies.rates(run([0, 3, 7, 10], 10), False, "x")
    assert counts(pushed) == {"0": "1", "30+": "1", "70+": "1", "100": "1"}
    assert pushed["title"] == "2 of 4 tasks pass never or always (x)"


def test_without_a_reveal_no_part_tells_a_fate() -> None:
    selection = run([0, 1, 5, 9, 10], 10)
    hidden = tallies.rates(selection, False, "x")
    assert set(hidden["parts"]["link"]) == {""}
    assert set(hidden["table"]) == {"pass rate, %", "tasks"}
    told = tallies.rates(selection, True, "x")
    assert told["summary"].endswith("1 kept, 2 all agree, 2 outside the band.")
    assert sorted(told["parts"]["link"]) == ["band", "band", "kept", "unanimous", "unanimous"]
    assert told["parts"]["full"][list(told["parts"]["link"]).index("kept")] == 1


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40))
def test_the_parts_of_a_column_add_up_to_it(passes: list[int]) -> None:
    pushed = tallies.rates(run(passes, 6), True, "x")
    table = pushed["table"]
    parts = np.sum([table[words] for words in tallies.WORDS.values()], axis=0)
    assert parts.tolist() == np.asarray(table["tasks"]).tolist()
    assert parts.sum() == len(passes)


@pytest.mark.parametrize("revealed", [False, True])
def test_no_tasks_are_no_marks(revealed: bool) -> None:
    empty = run([1], 2).source.take([]).select("rl")
    assert len(tallies.rates(empty, revealed, "x")["parts"]["x"]) == 0
    assert tallies.sizes({}, "x")["title"] == "No tasks yet (x)"


def test_the_picture_compiles_and_reads_what_is_pushed() -> None:
    assert set(spec.compiled(tallies.picture("tries")).datasets) == {"parts", "columns"}
