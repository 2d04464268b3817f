"""The words of lesson 3."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.test_cells import TASKS
from whilecore import filing
from whilecore.course import Page, Prediction, filed
from whilecore.course.settings import BAND_HIGH, BAND_LOW
from whilecore.intervals import wilson

SETTINGS = (filed.REPEATS, BAND_LOW, BAND_HIGH, filed.SKILL, filed.TRUTH, filed.SEED)


def said(html: str) -> str:
    """Return the text of some HTML."""
    return re.sub(r"<[^>]*>", "", html).replace("\u00a0", " ")


def placed(revealed: bool = True, truth: bool = True, tasks: Any = TASKS) -> dict[str, Any]:
    page = Page(SETTINGS)
    return filed.places(page, tasks, 8, "mixed", 0, revealed, truth)


def test_the_right_option_is_what_the_core_drops_at_four_tries() -> None:
    right = [option.label for option in filed.options() if option.right]
    assert right == [str(16 * (filing.band_cost(4).dropped > 0))] == ["0"]


def test_the_worked_case_is_three_times_75_percent_with_ever_narrower_bars() -> None:
    seen = filed.worked()
    assert seen.rate.tolist() == [0.75] * 3
    low, high = wilson(seen.passes, seen.rows)
    assert (np.diff(high - low) < 0).all()
    assert said(filed.plausible(3, 4)) == "30 to 95 %"


def test_runs_are_the_runs_of_the_simulation() -> None:
    shares = filed.runs("u-shaped", (0.2, 0.8))
    assert shares.shape == (100, 63)
    agent = filed.seeded_agent([filed._get_order], rate=0.5, skill="u-shaped")
    so_far = filing.passes_so_far(agent, 7, 16, 5)[:, -1]
    kept = filing.keeps(so_far, 5, (0.2, 0.8))
    truly = filing.truly_inside(agent.true_pass_rates(7, 16), (0.2, 0.8))
    assert shares[7, 5 - 2] == (kept != truly).mean()


def test_flat_and_u_shaped_agents_are_misfiled_less_than_a_spread_one() -> None:
    mean = {skill: filed.runs(skill, (0.2, 0.8)).mean(axis=0) for skill in filed.SKILL.choices}
    for k in (4, 8, 16, 32, 64):
        assert mean["flat"][k - 2] < mean["mixed"][k - 2]
        assert mean["u-shaped"][k - 2] < mean["mixed"][k - 2]


def test_the_sentences_hold_the_numbers_of_the_run() -> None:
    places = placed()
    # 8 tasks: 3 misfiled, of them a and c dropped, h kept
    assert "3 tasks are on the wrong side: 2 dropped and truly inside" in said(
        places["strip_reading"]
    )
    assert "2 tasks have tries that all agree. Of the other 6 the band drops 2." in said(
        places["cells_reading"]
    )
    assert (
        "at 8 tries 2 of 7 mixed outcomes with 16.7 % of the signal (as many at random: 28.6 %)"
        in said(places["ladder_reading"])
    )
    assert "26 % at 4, 21 % at 8, 16.5 % at 16, 11 % at 32, 8 % at 64" in said(
        places["misfiled_reading"]
    )
    assert said(places["reading"]).startswith("keeps 4 of 8 tasks")


@pytest.mark.parametrize(
    ("band", "start"),
    [
        # 1 of 6 is the first measured rate under 20 %; 1 of 3 the first under 40 %
        ((0.2, 0.8), "At 5 tries and fewer a band from 20 to 80 % drops nothing that agreement"),
        ((0.4, 0.6), "At 2 tries and fewer a band from 40 to 60 % drops nothing that agreement"),
        ((0.0, 1.0), "A band from 0 to 100 % drops nothing that agreement does not"),
    ],
)
def test_the_takeaway_follows_the_band(band: tuple[float, float], start: str) -> None:
    assert filed.takeaway(band).startswith(start)
    bites = [k for k in range(2, 65) if filing.band_cost(k, band).dropped]
    first = re.search(r"At (\d+) tries and fewer", filed.takeaway(band))
    assert (int(first[1]) + 1 if first else None) == (bites[0] if bites else None)


def test_the_rise_from_five_to_six_tries_is_explained_and_only_where_there_is_one() -> None:
    text = filed.zigzag((0.2, 0.8))
    assert "from 5 to 6 the dashed line rises from 24 to 28 %" in text
    assert "1 of 6 (16.7 %)" in text
    even = filed.even_shares((0.3, 0.7))
    assert even[4 - 2] < even[3 - 2]
    assert "does not rise" in filed.zigzag((0.3, 0.7))
    assert "does not rise" in filed.zigzag((0.0, 1.0))


def test_the_three_agents_shares_are_those_of_their_runs() -> None:
    # at 6 tries tasks at 50 % are misfiled twice as often as at 8: no fixed words would do
    for repeats in (4, 6, 8):
        text = said(filed._agents((0.2, 0.8), repeats))
        assert f"at {repeats} tries" in text
        for skill in filed.SKILL.choices:
            share = filed.runs(skill, (0.2, 0.8))[:, repeats - 2].mean()
            assert f"{100 * share:.0f} % at “{filed.SKILL.choices[skill]}”" in text


def test_where_the_band_drops_nothing_the_random_pick_is_said_to_be_the_same() -> None:
    four = filing.Filing(TASKS.labels, TASKS.passes // 2, TASKS.rows // 2, TASKS.true, TASKS.band)
    assert not four.dropped.any()
    assert "is the same pick" in said(placed(tasks=four)["cells_reading"])


def test_before_the_answer_no_place_holds_a_count() -> None:
    places = placed(revealed=False)
    assert places["say"] is None
    for name, html in places.items():
        if html is not None and name != "reading":
            assert html == filed.HIDDEN
    assert 'data-name="band.kept"' in places["reading"]
    assert not re.search(r"keeps \d", said(places["reading"]))


def test_a_move_without_effect_says_why() -> None:
    page = Page(SETTINGS)
    page.settle(band_high=80)
    filed.places(page, TASKS, 8, "mixed", 0, True, False)
    page.settle(band_high=75)
    places = filed.places(page, TASKS, 8, "mixed", 0, True, False)
    assert "no mixed task lies between the old edge and the new" in said(places["reading"])
    page.settle(truth="shown")
    places = filed.places(page, TASKS, 8, "mixed", 0, True, True)
    assert "the band sees the tries, not the true rates" in said(places["reading"])


def test_the_learner_s_answer_is_drawn_only_at_the_question_s_settings() -> None:
    prediction = Prediction("03.dropped", "?", filed.options())
    prediction.answer = {"choice": "5", "state": "answered"}
    assert filed.answer(prediction, TASKS, 4) == 5
    assert filed.answer(prediction, TASKS, 8) is None
    prediction.answer = {"choice": "", "state": "skipped"}
    assert filed.answer(prediction, TASKS, 4) is None


def test_the_challenges_answers_are_computed() -> None:
    assert filed.fewest_under() == 64
    assert filed.idle_tops() == [75, 85, 90, 95, 100]
    assert not filed.same_outcomes(70)


def test_the_run_the_lesson_starts_from_is_typical_as_it_says() -> None:
    start = filed.SEED.default
    tries, rates = filed._drawn("mixed")
    evenly = 0.05 + 0.9 * (np.arange(filed.TASKS) + 0.5) / filed.TASKS
    assert np.abs(np.sort(rates[start]) - evenly).max() < 0.1
    misfiled = filed.TASKS * filed.runs("mixed", (0.2, 0.8))
    at = [k - 2 for k in filed.NAMED]
    assert np.abs(misfiled[start, at] - misfiled[:, at].mean(0)).max() < 1.5
