"""The words of lesson 4."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import whilecore as wc
from whilecore.course import Page, Prediction, copied
from whilecore.survivors import shift


def said(html: str) -> str:
    """Return the text of some HTML."""
    return re.sub(r"<[^>]*>", "", html).replace("\u00a0", " ")


def placed(repeats: int, seen: bool = True, measured: bool = True) -> dict[str, Any]:
    scored = copied._run(0.0, 0.35, repeats, 0)
    rl = scored.select(mode="rl")
    other = scored.select(mode="rl", measure_on="surviving")
    return copied.places(Page(copied.SETTINGS), rl, other, shift(scored), seen, measured)


def test_the_worked_case_pushes_are_the_core_s() -> None:
    # 1,1,1,0: +.25, −.75; 1,0,0,0: +.75, −.25; 1,0: ±.5
    text = said(copied.pushes())
    assert "+0.25 each, −0.75" in text
    assert "+0.75, −0.25 each" in text
    assert "+0.50, −0.50" in text
    assert re.findall(r">(\d+)\u00a0%", copied.pushes()) == ["75", "25", "50"]


def test_nearly_all_copies_of_the_first_run_pass_and_the_options_count_them() -> None:
    right = [option for option in copied.what_goes() if option.right]
    assert [option.label for option in right] == ["passes"]
    assert "25 of 27 here" in right[0].why


def test_measured_on_survivors_the_rows_shrink_from_4_to_32_tries() -> None:
    right = [option for option in copied.what_follows() if option.right]
    assert [option.label for option in right] == ["fewer"]
    assert "From 29 to 0." in right[0].why


def test_the_page_s_rows_lose_27_passes() -> None:
    assert "27 of 27 copies pass" in said(copied._printed())


def test_the_sentences_hold_the_reports_numbers() -> None:
    places = placed(16)
    # 160 of 256 are copies: 150 pass, 10 fail
    assert "160 of 256 tries are copies; 150 of them pass and 10 fail." in said(
        places["cards_reading"]
    )
    # 9 tasks cross: 7 out of the band; two at 13 of 16 come in
    assert "9 of 16 tasks cross an edge of the band: 7 fall out of it, 2 come in." in said(
        places["slopes_reading"]
    )
    cells = re.findall(r'data-name="(\w+\.\w+)">(\d+)', places["two_ways"])
    assert dict(cells) == {
        "scored.too_hard_groups": "0", "scored.too_easy_groups": "2", "scored.groups_kept": "14",
        "scored.kept": "79", "surviving.too_hard_groups": "7", "surviving.too_easy_groups": "0",
        "surviving.groups_kept": "9", "surviving.kept": "39",
    }  # fmt: skip


def test_before_the_answers_no_place_tells_them() -> None:
    places = placed(16, seen=False, measured=False)
    for name in ("cards_reading", "slopes_reading", "two_ways", "variety"):
        assert places[name] == copied.HIDDEN
    assert places["say"] is None
    assert not places["printed"] + places["seeds"]
    assert not re.search(r"kept \d", said(places["reading"]))


def test_a_hundred_seeds_are_a_hundred_runs() -> None:
    found = copied.hundred()
    assert found["surviving"].shape == (100, 2)
    for seed in (0, 63):
        for at, repeats in enumerate((4, 32)):
            scored = copied._run(0.0, 0.35, repeats, seed)
            for how in ("scored", "surviving"):
                kept = scored.select(mode="rl", measure_on=how).report["kept"]
                assert found[how][seed, at] == kept
    assert found["passing"] / found["copies"] > 0.95
    assert (found["surviving"][:, 1] < found["surviving"][:, 0]).all()
    assert (found["scored"][:, 1] > found["scored"][:, 0]).all()


def test_rows_by_tries_are_those_of_the_run() -> None:
    kept = copied.by_tries(50, 20, 3)
    scored = copied._run(0.5, 0.2, 32, 3)
    assert kept["scored"][-1] == scored.select(mode="rl").report["kept"]


def test_without_variety_and_mistakes_the_copies_gate_takes_most_and_none_is_kept() -> None:
    fates = copied.silent()
    assert (fates["duplicate"], fates["unanimous"], fates["kept"]) == (48, 16, 0)


def test_the_varieties_at_which_both_ways_agree_are_computed() -> None:
    found = copied.agreeing()
    assert found == list(range(30, 95, 5))
    # above, one task is at 25 of 32 on all tries and at 25 of 31 without the one that leaks
    scored = copied._run(1.0, 0.35, 32, 0)
    moved = shift(scored)
    at = np.flatnonzero(moved.crossed)
    assert (moved.passes_before[at].tolist(), moved.rows_before[at].tolist()) == ([25], [32])
    assert (moved.passes_after[at].tolist(), moved.rows_after[at].tolist()) == ([25], [31])
    assert int(scored.frame["leak"][scored.task_codes == at[0]].sum()) == 1


def test_the_answer_is_drawn_only_at_the_question_s_settings() -> None:
    page = Page(copied.SETTINGS)
    prediction = Prediction("04.goes", "?", copied.what_goes())
    prediction.answer = {"choice": "fails", "state": "answered"}
    assert copied.answer(prediction, page, "variety", "mistakes") == "fails"
    page.settle(variety=50)
    assert copied.answer(prediction, page, "variety", "mistakes") == ""


def test_a_move_without_effect_says_why() -> None:
    page = Page(copied.SETTINGS)
    page.settle(variety=0)
    scored = copied._run(0.0, 0.35, 4, 0)
    rl = scored.select(mode="rl")
    both = rl, scored.select(mode="rl", measure_on="surviving")
    copied.places(page, *both, shift(scored), True, True)
    page.settle(variety=5)
    places = copied.places(page, *both, shift(scored), True, True)
    assert "no change: variety 0 → 5 %; other words, but as many copies" in said(places["reading"])


def test_a_run_with_no_copy_says_so() -> None:
    scored = copied._run(1.0, 0.35, 2, 0)
    rl = scored.select(mode="rl")
    assert isinstance(rl, wc.Selection)
    assert copied._copies(rl).startswith("None of the ")
