"""Feature against reward, pooled and about the task means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tables import table
from whilecore.charts import scatter, spec
from whilecore.reward_scan import scan, shuffle_feature

# a: lengths 90 100 105, rewards 0 1 1; b: 270 280 300, rewards 0 0 1; c: 120 150, rewards 1 0
ROLLOUTS = table(
    {"a": [0, 1, 1], "b": [0, 0, 1], "c": [1, 0]},
    reply_chars=[90, 100, 105, 270, 280, 300, 120, 150],
    hedging=[True, False, False, True, True, False, False, False],
)
ROWS = np.arange(8)
FOUND = scan(ROLLOUTS, ROWS).correlations


def pushed(centred: bool, feature: str = "reply_chars", drawn: int = 0) -> dict[str, Any]:
    shuffled = shuffle_feature(ROLLOUTS, ROWS, feature)
    found = FOUND[feature]
    return scatter.push(ROLLOUTS, ROWS, feature, found, centred, "8 rows", shuffled, drawn)


@pytest.mark.parametrize("centred", [False, True])
def test_the_picture_reads_its_five_datasets(centred: bool) -> None:
    datasets = set(spec.compiled(scatter.picture(centred)).datasets)
    assert datasets == {"dots", "line", "tasks", "ticks", "swapped"}


def test_pooled_marks_stand_at_their_length_near_pass_or_fail() -> None:
    dots = pushed(False)["dots"]
    lengths = ROLLOUTS.frame["reply_chars"].to_numpy(float)
    assert np.allclose(dots["x"], lengths / scatter.LONGEST)
    assert (np.abs(dots["y"] - ROLLOUTS.reward) <= 0.12).all()
    assert dots["shape"].tolist()[:3] == ["square", "circle", "circle"]


def test_centred_marks_stand_at_their_distance_from_the_task_mean() -> None:
    dots = pushed(True)["dots"]
    # a: mean length 98⅓, mean reward ⅔: the first try −8⅓ and −⅔
    assert dots["x"][0] == pytest.approx((scatter.AWAY - 25 / 3) / (2 * scatter.AWAY))
    assert dots["y"][0] == pytest.approx(-2 / 3, abs=0.031)


def test_the_line_has_the_least_squares_slope() -> None:
    line = pushed(False)["line"]
    lengths = ROLLOUTS.frame["reply_chars"].to_numpy(float)
    slope, height = np.polyfit(lengths, ROLLOUTS.reward, 1)
    assert line["y"][0] == pytest.approx(height + slope * 90)
    assert line["y2"][0] == pytest.approx(height + slope * 300)
    assert (line["x"][0], line["x2"][0]) == pytest.approx((90 / 450, 300 / 450))


def test_each_task_has_a_line_with_the_slope_inside_tasks() -> None:
    tasks = pushed(False)["tasks"]
    rise = (np.array(tasks["y2"]) - np.array(tasks["y"])) / (
        np.array(tasks["x2"]) - np.array(tasks["x"])
    )
    assert np.allclose(rise, rise[0])
    assert tasks["link"] == ["task0", "task1", "task2"]
    assert rise[0] > 0 > pushed(False)["line"]["y2"][0] - pushed(False)["line"]["y"][0]
    assert not pushed(True)["tasks"]["x"]


def test_the_last_shuffle_drawn_is_shown_with_the_rewards_dealt_anew() -> None:
    assert not len(pushed(True)["swapped"]["x"])
    found = shuffle_feature(ROLLOUTS, ROWS, "reply_chars")
    assert found is not None
    swapped = pushed(True, drawn=3)["swapped"]
    dealt = ROLLOUTS.reward[found.rows][found.places[2]]
    codes = ROLLOUTS.task_codes[found.rows]
    for task in range(3):
        mine = dealt[codes == task]
        assert np.allclose(swapped["y"][codes == task], mine - mine.mean())
    assert not len(pushed(False, drawn=3)["swapped"]["x"])


def test_yes_and_no_have_an_axis_of_their_own() -> None:
    shown = pushed(False, "hedging")
    assert shown["ticks"]["text"] == ["no", "yes"]
    yes = ROLLOUTS.frame["hedging"].to_numpy(bool)
    middle = shown["ticks"]["x"].mean()
    assert ((shown["dots"]["x"] > middle) == yes).all()


def test_titles_state_r_and_the_rows() -> None:
    assert pushed(True)["title"] == (
        f"Reply length, inside tasks: r = {scatter.signed(FOUND['reply_chars']['within'])} (8 rows)"
    )
    assert pushed(False)["title"].startswith("Reply length, pooled: r = −0.")
    assert scatter.signed(None) == "undefined"


def test_without_a_correlation_there_is_no_line() -> None:
    found = {"within": None, "pooled": None}
    shown = scatter.push(ROLLOUTS, ROWS, "hedging", found, False, "8 rows")
    assert not shown["line"]["x"]
    assert not shown["tasks"]["x"]
    assert "undefined" in shown["summary"]


@pytest.mark.parametrize("centred", [False, True])
def test_before_the_answer_the_picture_is_empty(centred: bool) -> None:
    blank = scatter.blank(centred)
    assert all(not blank[name]["x"] for name in ("dots", "line", "tasks", "ticks", "swapped"))
    assert "r =" not in blank["title"]
