"""Runs with a pull, on the road of the run without."""

from __future__ import annotations

import numpy as np
import pytest

from whilecore.charts import brake, spec

REWARD = np.array([0.2, 0.4, 0.6])
TRUTH = np.array([0.6, 0.7, 0.5])


def test_the_picture_reads_its_datasets() -> None:
    assert set(spec.compiled(brake.picture()).datasets) == {
        "paths",
        "ends",
        "start",
        "now",
        "answer",
    }


def test_the_gap_is_taken_at_the_same_reward() -> None:
    # at reward 0.3 the free run is halfway from 0.6 to 0.7: 0.65; the pulled one is at 0.64
    pulled = np.array([0.2, 0.3]), np.array([0.6, 0.64])
    assert brake.furthest_off({0.0: (REWARD, TRUTH), 0.1: pulled}) == pytest.approx(0.01)
    same = np.array([0.2, 0.5]), np.array([0.6, 0.6])
    assert brake.furthest_off({0.0: (REWARD, TRUTH), 0.1: same}) == pytest.approx(0)


def test_every_path_ends_in_a_ring_and_mine_in_a_diamond_with_its_pull() -> None:
    paths = {0.0: (REWARD, TRUTH), 0.1: (REWARD[:2], TRUTH[:2])}
    pushed = brake.push(paths, 0.05, (REWARD[:2], TRUTH[:2]), True, "half")
    assert pushed["ends"]["x"].tolist() == [0.6, 0.4] and pushed["ends"]["y"].tolist() == [0.5, 0.7]
    assert pushed["now"] == {"x": [0.4], "y": [0.7], "said": ["yours, 0.05"]}
    assert len(pushed["answer"]["x"]) == 0
    said = brake.push(paths, 0.05, (REWARD[:2], TRUTH[:2]), True, "half", 0.1)["answer"]
    assert said["x"].tolist() == [0.4] and said["y"].tolist() == [0.8] and said["said"] == ["you"]
    assert pushed["title"].startswith("With a pull of 0.05 the run ends at reward 0.40, true rate")


def test_before_the_answer_nothing_is_sent() -> None:
    pushed = brake.push({0.0: (REWARD, TRUTH)}, 0.0, (REWARD, TRUTH), False, "half", 0.1)
    assert all(len(pushed[name]["x"]) == 0 for name in ("paths", "ends", "start", "now", "answer"))
    assert "0.5" not in pushed["title"] + pushed["summary"]
