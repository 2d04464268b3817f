"""Four rules on one axis."""

from __future__ import annotations

from tests import pictures
from whilecore.charts import rules, spec

MEANS = [
    rules.Mean("best, graded", 1.59, 0.05, 0.9),
    rules.Mean("best, pass or fail", 0.88, 0.05, 0.8),
    rules.Mean("any pass", 0.89, 0.05, 0.8),
    rules.Mean("any reply", 0.19, 0.07, 0.5),
]


def test_the_picture_reads_its_two_datasets() -> None:
    assert set(spec.compiled(rules.picture()).datasets) == {"rules", "answer"}


def test_the_title_takes_the_random_pass_as_the_measure() -> None:
    pushed = rules.push(MEANS, 1099, True, "n = 10", None)
    # 0.88 − 0.89 = −0.01; 1.59 − 0.89 = +0.70
    assert pushed["title"] == (
        "Best of n minus a random pass: −0.01 if the judge says pass or fail, +0.70 if it grades "
        "(1,099 tasks, n = 10)"
    )
    assert pushed["rules"]["x"] == [1.59, 0.88, 0.89, 0.19]
    assert pushed["rules"]["low"][3] == 0.19 - 0.07
    assert pushed["answer"]["x"] == []


def test_the_learners_answer_stands_that_far_above_the_random_pass() -> None:
    answer = rules.push(MEANS, 12, True, "", 1.5)["answer"]
    assert answer["x"] == [0.89 + 1.5]
    assert answer["said"] == ["you: +1.50"]
    assert answer["y"][0] < pushed_lane() < answer["y2"][0]


def pushed_lane() -> float:
    """Return where the second rule is drawn."""
    return float(rules.push(MEANS, 12, True, "", None)["rules"]["y"][1])


def test_before_the_answer_no_mean_is_sent() -> None:
    told = pictures.text_of(rules.push(MEANS, 12, False, "n = 10", 1.5))
    assert not any(number in told for number in ("0.88", "1.59", "0.19", "0.7", "2.39"))
