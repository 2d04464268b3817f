"""A pool of two kinds of task lies on the chord, above the curve at its mean."""

from __future__ import annotations

import pytest

from whilecore.charts import mixtures, spec
from whilecore.course import agreeing
from whilecore.groups import unanimous_probability


def test_the_picture_reads_what_the_push_sends() -> None:
    names = set(spec.compiled(mixtures.picture()).datasets)
    for revealed in (False, True):
        sent = mixtures.push(0.4, 4, revealed).keys() - {"title", "summary", "table"}
        assert sent == names


def test_half_at_10_and_half_at_90_against_all_at_50() -> None:
    # .9⁴ + .1⁴ = .6561 + .0001 = .6562; .5⁴ + .5⁴ = .125
    pushed = mixtures.push(0.4, 4, True)
    assert pushed["points"]["y"] == pytest.approx([0.125, 0.6562])
    assert pushed["title"].replace("\xa0", " ") == (
        "Half the tasks at 10 %, half at 90 %: 65.6 % of groups agree; the mean rate would predict "
        "12.5 % (4 tries)"
    )


@pytest.mark.parametrize("spread", range(0, 51, 5))
@pytest.mark.parametrize("k", [2, 4, 20])
def test_the_pool_is_never_below_its_mean_and_is_the_average_of_its_tasks(
    spread: int, k: int
) -> None:
    plugged, pool = mixtures.push(spread / 100, k, True)["points"]["y"]
    assert pool >= plugged - 1e-12
    assert (pool > plugged + 1e-9) == (spread > 0)
    assert pool == pytest.approx(float(unanimous_probability(agreeing.pool(spread), k).mean()))


def test_before_the_answer_only_the_rates_are_sent() -> None:
    pushed = mixtures.push(0.4, 4, False, answer=0.13)
    assert mixtures.BELOW < 0  # no chance can be read off
    assert pushed["pool"] == {"x": [0.1, 0.9], "y": [mixtures.BELOW, mixtures.BELOW]}
    for name in ("curve", "chord", "points", "answer"):
        assert all(len(column) == 0 for column in pushed[name].values())
    assert "groups that agree" not in pushed["table"]
    assert "12.5" not in pushed["title"] + pushed["summary"]


def test_the_learners_answer_is_drawn_as_a_level() -> None:
    answer = mixtures.push(0.4, 4, True, answer=0.13)["answer"]
    assert answer["y"] == [0.13] and answer["said"][0].split() == ["you:", "13", "%"]


def test_a_mean_rate_that_hardly_ever_agrees_is_not_called_0() -> None:
    pushed = mixtures.push(0.4, 15, True)
    assert "under 0.1" in pushed["title"] and " 0.0" not in pushed["title"] + pushed["summary"]
    assert pushed["points"]["said"][0].startswith("mean rate: <0.1")


def test_without_spread_both_pools_are_one() -> None:
    assert mixtures.push(0.0, 4, True)["title"].startswith("All tasks at 50 %")
