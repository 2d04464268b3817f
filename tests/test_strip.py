"""Where the tries put a task, and where it truly is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests import pictures
from whilecore.charts import spec, strip
from whilecore.filing import Filing


def test_the_picture_reads_its_four_datasets() -> None:
    assert set(spec.compiled(strip.picture()).datasets) == {"band", "ticks", "tasks", "truth"}


def test_dots_stand_at_the_measured_rates_inside_their_intervals() -> None:
    # a: 3 of 4, b: 2 of 2, c: 1 of 6
    tasks = strip.push(pictures.hand(), True, "seed 0", False)["tasks"]
    assert np.allclose(tasks["x"], [3 / 4, 1, 1 / 6])
    assert (tasks["low"] <= tasks["x"]).all()
    assert (tasks["x"] <= tasks["high"]).all()
    assert tasks["full"].tolist() == [1, 0, 0]


def test_a_half_per_cent_is_rounded_up_as_on_the_axis() -> None:
    one_of_eight = strip.Seen(
        labels=np.array(["a", "b"], dtype=object),
        passes=np.array([1, 7]),
        rows=np.array([8, 8]),
        kept=np.array([False, False]),
        links=np.array(["", ""], dtype=object),
        band=(0.2, 0.8),
    )  # 1/8 = 12.5 %, 7/8 = 87.5 %
    assert "from 13 to 88\N{NO-BREAK SPACE}%" in strip.show(one_of_eight, True, "", False)["title"]


def test_ticks_are_the_rates_that_the_commonest_number_of_tries_can_show() -> None:
    ticks = strip.push(pictures.printed(), True, "seed 0", False)["ticks"]
    assert np.asarray(ticks["x"]).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert ticks["link"] == ["difficulty"] * 5


def test_true_rates_are_sent_only_when_asked_for_and_known() -> None:
    assert strip.push(pictures.hand(), True, "seed 0", False)["truth"] == {"x": [], "y": []}
    shown = strip.push(pictures.hand(), True, "seed 0", True)
    assert np.asarray(shown["truth"]["x"]).tolist() == [0.6, 0.9, 0.1]
    assert "true" in shown["table"]
    assert strip.push(pictures.printed(), True, "seed 0", True)["truth"] == {"x": [], "y": []}


def test_misfiled_counts_tasks_on_the_other_side_of_an_edge() -> None:
    # a: 0.75 and 0.6 both inside; b: 1 and 0.9 both above; c: 0.17 and 0.1 both below
    seen = strip.seen(pictures.hand())
    assert seen.misfiled == 0
    # a truly at 0.95: measured inside, truly outside
    assert replace(seen, true=np.array([0.95, 0.9, 0.1])).misfiled == 1


def hand_filed() -> strip.Seen:
    """1 of 4 truly 0.1 (wrongly kept), 4 of 4 truly 0.9, 1 of 8 truly 0.3 (wrongly dropped)."""
    return strip.filed(
        Filing(
            labels=np.array(list("abc"), dtype=object),
            passes=np.array([1, 4, 1]),
            rows=np.array([4, 4, 8]),
            true=np.array([0.1, 0.9, 0.3]),
            band=(0.2, 0.8),
        )
    )


def test_a_filing_s_tasks_are_linked_by_number_and_say_how_they_ended() -> None:
    pushed = strip.show(hand_filed(), True, "seed 0", True)
    assert pushed["tasks"]["link"].tolist() == ["task0", "task1", "task2"]
    assert pushed["tasks"]["tally"] == ["1/4", "4/4", "1/8"]
    assert pushed["table"]["ending"] == ("kept", "all agree", "outside the band")
    assert pushed["title"] == "4 tries put 2 of 3 tasks on the wrong side (seed 0)"


def test_true_rates_among_the_plausible_ones_are_counted() -> None:
    # Wilson: 1/4 0.046 to 0.699 holds 0.1; 4/4 from 0.51 holds 0.9; 1/8 0.022 to 0.471 holds 0.3
    summary = strip.show(hand_filed(), True, "seed 0", True)["summary"]
    assert "3 true rates lie among the plausible ones" in summary
    off = replace(hand_filed(), true=np.array([0.9, 0.9, 0.3]))
    assert "2 true rates lie" in strip.show(off, True, "seed 0", True)["summary"]


def test_without_the_band_neither_edge_nor_ending_is_sent() -> None:
    pushed = strip.show(hand_filed(), False, "seed 0", False, band=False)
    assert pushed["band"] == {"x": [], "x2": [], "edge": [], "link": []}
    assert "20\N{NO-BREAK SPACE}%" not in pictures.text_of(pushed)
    assert not any(word in pictures.text_of(pushed) for word in pictures.FATE_WORDS)


def test_before_the_answer_every_dot_looks_alike() -> None:
    pushed = strip.push(pictures.hand(), False, "seed 0", False)
    assert pushed["tasks"]["full"].tolist() == [1, 1, 1]
    assert set(pushed["tasks"]["link"]) == {""}
    assert "ending" not in pushed["table"]


def test_a_table_without_rows_says_so() -> None:
    assert "No task" in strip.push(pictures.nothing(), True, "seed 0", True)["title"]
