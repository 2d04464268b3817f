"""A file bigger than a browser likes: 120,000 rows of talk, about 150 MB."""

import json
import subprocess
import sys

import numpy as np
import pytest

from tests.bench.bench_readers import CODE, chat_rows, measured
from tests.counting import calls
from whilecore.readers import read_rollouts

ROWS = 120_000
BYTES = 1.5e9


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The file, and its rewards."""
    path, rewards = tmp_path_factory.mktemp("large") / "large.jsonl", []
    with path.open("w") as out:
        for row in chat_rows(ROWS):
            rewards.append(row["reward"])
            out.write(json.dumps(row) + "\n")
    return path, np.array(rewards, float)


@pytest.mark.slow
def test_r66_a_large_file_is_reported_on_in_little_memory(large):
    """github.com/marimo-team/marimo/issues/5155: upload limits, whole-file parses.

    How long it takes is measured in tests/bench/bench_readers.py.
    """
    path, _ = large
    assert 140e6 < path.stat().st_size < 170e6
    found = measured([sys.executable, "-c", CODE, "report", str(path)])
    assert found["peak"] < BYTES


@pytest.mark.slow
def test_r66_the_numbers_of_a_large_file_are_those_of_its_rewards(large):
    path, rewards = large
    told = subprocess.run(
        [sys.executable, "-c", "from whilecore.cli import main; main()", "report", path, "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(told.stdout)
    assert found["read"]["group_sizes"] == {"4": ROWS // 4}
    assert found["pass_at"]["pass_at_1"] == pytest.approx(rewards.mean(), abs=1e-12)
    sums = rewards.reshape(-1, 4).sum(axis=1)
    assert found["rl"]["unanimous_groups"]["as_drawn"] == int(((sums == 0) | (sums == 4)).sum())
    assert sum(found["rl"]["row_fates"].values()) == ROWS


def test_a_part_of_the_file_gives_the_numbers_of_that_part():
    rows = list(chat_rows(400))
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    rollouts = read_rollouts(lines.encode())
    expected = np.mean([row["reward"] for row in rows])
    assert rollouts.pass_at.pass_at_1 == pytest.approx(expected)
    assert rollouts.frame["tool_calls"].tolist() == [1] * 400
    assert rollouts.frame["assistant_turns"].tolist() == [2] * 400


def test_r66_twice_the_rows_are_twice_the_work():
    def work(n):
        lines = "".join(json.dumps(row) + "\n" for row in chat_rows(n)).encode()
        return calls(lambda: str(read_rollouts(lines).select()))

    work(40)
    assert work(1600) / work(800) < 2.1
