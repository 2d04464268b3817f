"""One dot per seed, what chance predicts, and the learner's own number."""

from __future__ import annotations

import pytest

from tests import pictures
from whilecore.charts import luck, spec

COUNTS = (19, 19, 13, 29)


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(luck.picture()).datasets) == {"seeds", "expected", "answer"}


def test_the_title_gives_the_range_and_what_chance_predicts() -> None:
    pushed = luck.push(COUNTS, 19, 19.36, True, "65 %", 35)
    assert pushed["title"] == (
        "Over 4 seeds 13 to 29 of 100 groups agree; chance predicts 19.4 (65 %)"
    )
    assert pushed["table"]["groups that agree"] == ["13", "19", "29"]
    assert pushed["table"]["seeds"].tolist() == [1, 2, 1]


def test_there_is_a_dot_for_each_seed_and_one_for_the_run_on_the_page() -> None:
    seeds = luck.push(COUNTS, 19, 19.4, True, "")["seeds"]
    assert seeds["x"].tolist() == [13, 19, 19, 29, 19]
    assert seeds["y"].tolist() == [0.5, 0.5, 1.5, 0.5, 0.6]
    assert seeds["now"].tolist() == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("count", [0, 100])
def test_a_hundred_equal_seeds_fit_into_the_picture(count: int) -> None:
    seeds = luck.push((count,) * 100, count, float(count), True, "")["seeds"]
    assert max(seeds["y"]) < luck.TALLEST
    assert len(set(seeds["y"].tolist())) == 101


def test_the_learners_answer_is_drawn() -> None:
    assert luck.push(COUNTS, 19, 19.4, True, "", 35)["answer"] == {"x": [35], "said": ["you: 35"]}
    assert luck.push(COUNTS, 19, 19.4, True, "")["answer"] == {"x": [], "said": []}


def test_before_the_answer_no_count_is_sent() -> None:
    pushed = luck.push(COUNTS, 19, 19.4, False, "65 %", 35)
    told = pictures.text_of(pushed)
    assert "19" not in told and "29" not in told and "35" not in told
    assert all(len(pushed[name]["x"]) == 0 for name in ("seeds", "expected", "answer"))
