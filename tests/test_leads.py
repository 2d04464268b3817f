"""Leads over all tasks, with intervals."""

from __future__ import annotations

from whilecore.charts import leads, spec

LANE = {"middle once": (-0.02, -0.03, -0.01), "middle re-measured": (0.0, -0.01, 0.01),
        "oracle": (0.02, 0.01, 0.03)}  # fmt: skip
LANES = {name: LANE for name in "abcd"}


def test_the_picture_reads_its_datasets() -> None:
    assert set(spec.compiled(leads.picture()).datasets) == {"leads", "lanes", "answer"}


def test_intervals_clear_of_zero_are_counted_and_every_pool_has_a_place_in_every_lane() -> None:
    pushed = leads.push(LANES, True, "seed 0", 0.05)
    assert pushed["title"] == "8 of 12 leads over “all” have an interval clear of 0 (seed 0)"
    assert len(set(pushed["leads"]["y"].tolist())) == 12
    assert pushed["answer"]["x"] == [0.05] and int(pushed["answer"]["y"][0]) == leads.MATCHED
    assert pushed["table"]["middle once"][0] == "-0.020 [-0.030..-0.010]"


def test_before_the_answer_nothing_is_sent() -> None:
    pushed = leads.push({}, False, "seed 0", 0.05)
    assert all(len(pushed[name]["y"]) == 0 for name in ("leads", "lanes", "answer"))
