"""Learning curves along steps or rollouts, and the share of silent groups."""

from __future__ import annotations

import numpy as np
import pytest

from whilecore.charts import learning, spec
from whilecore.course.train_prove import all_expected, trained
from whilecore.pools import POOLS


def pushed(by: str = "steps", revealed: bool = True, answer: str = "") -> dict:
    runs = trained("middle once", "no", "half", 0)
    return learning.push(all_expected("no", "half"), runs, by, revealed, "same", answer)


def test_the_picture_reads_runs_answer_and_one_dataset_per_pool() -> None:
    names = {"runs", "answer", "pool0", "pool1", "pool2", "pool3"}
    assert set(spec.compiled(learning.picture()).datasets) == names
    assert tuple(learning.LOOKS) == POOLS


def test_along_rollouts_measuring_moves_the_line_to_the_right() -> None:
    steps, rollouts = pushed(), pushed("rollouts")
    assert steps["pool1"]["x"].tolist() == list(range(61))
    # before the first step 64 tasks × 8 tries = 512 rollouts, 4 batches of 16 × 8
    assert rollouts["pool1"]["x"][:2].tolist() == [4, 5]
    assert rollouts["pool0"]["x"].tolist() == list(range(61))
    assert np.array_equal(steps["pool1"]["y"], rollouts["pool1"]["y"])
    assert max(rollouts["pool2"]["x"]) == 60 + 6 * 4 <= learning.FURTHEST


def test_the_title_names_the_highest_pool_and_the_runs_drawn() -> None:
    told = pushed(answer="oracle")
    assert told["title"] == (
        "“middle re-measured” ends highest, at 0.967; “middle once” at 0.892 "
        "(same; 20 worlds, seed 0)"
    )
    assert told["answer"]["y"] == [told["pool3"]["y"][-1]]
    assert len(told["runs"]["x"]) == 20 * 61
    assert min(told["runs"]["y"]) > 0.3


def test_the_oracles_line_of_silence_ends_where_no_world_drew_a_group() -> None:
    quiet = learning.quiet(all_expected("no", "half"), "steps", True, "same")
    assert max(quiet["pool3"]["x"]) < 60 and max(quiet["pool0"]["x"]) == 60
    once = quiet["pool1"]["y"]
    assert once[0] == pytest.approx(0.10, abs=0.01) and once[-1] > 0.6


def test_before_the_answer_nothing_is_sent_but_the_first_steps_asked_for() -> None:
    runs, lines = trained("middle once", "no", "half", 0), all_expected("no", "half")
    begun = learning.push(lines, runs, "steps", False, "same", "all", first=10)
    assert begun["pool2"]["x"].tolist() == list(range(11))
    assert len(begun["runs"]["x"]) == len(begun["answer"]["x"]) == 0
    for told in (
        pushed(revealed=False, answer="all"),
        learning.quiet(lines, "steps", False, "same"),
    ):
        assert all(len(told[name]["x"]) == 0 for name in ("runs", "answer", "pool0", "pool2"))
        assert "0." not in told["title"] + told["summary"] and told["table"] == {"pool": []}


def test_with_one_skill_and_matched_steps_no_pool_is_called_highest() -> None:
    lines = all_expected("every step", "one")
    runs = trained("oracle", "every step", "one", 0)
    title = learning.push(lines, runs, "steps", True, "matched")["title"]
    assert title.startswith("All four end at 0.90, within 0.00") and "highest" not in title
