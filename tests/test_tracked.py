"""The words of lesson 5."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import whilecore as wc
from whilecore.course import Page, Prediction, tracked
from whilecore.course.settings import JUDGE
from whilecore.course.teacher import code_of
from whilecore.reward_scan import shuffle_feature


def said(html: str) -> str:
    """Return the text of some HTML."""
    return re.sub(r"<[^>]*>", "", html).replace("\u00a0", " ")


def selection(judge: str = "answer_key", repeats: int = 8) -> wc.Selection:
    return tracked._tries(repeats, 0).grade(wc.judges.named(judge), seed=0).select(mode="rl")


def placed(
    page: Page, rl: wc.Selection, source: str = "agent", seen: bool = True, measured: bool = True
) -> dict[str, Any]:
    rollouts, rows, preset = tracked.rows_of(source, rl, 0)
    found = (preset.correlations if preset else rl.report["correlations"])["reply_chars"]
    shuffled = shuffle_feature(rollouts, rows, "reply_chars")
    return tracked.places(page, rl, found, shuffled, seen, measured)


def page_with(**values: Any) -> Page:
    page = Page(tracked.SETTINGS)
    page.settle(**values)
    return page


def test_the_worked_case_by_hand() -> None:
    # inside: lengths about 98⅓ and 283⅓, rewards about ⅔ and ⅓
    # Sxy = 8⅓·⅔ + 1⅔·⅓ + 6⅔·⅓ + 13⅓·⅓ + 3⅓·⅓ + 16⅔·⅔ = 25
    # Sxx = 116⅔ + 466⅔, Syy = 4/3: r = 25/√(583⅓ · 4/3) = 0.8964
    one = tracked.worked_scan()
    assert one["within"] == pytest.approx(25 / math.sqrt(583 + 1 / 3) / math.sqrt(4 / 3))
    assert one["pooled"] < 0
    assert "r = −0.24. Inside the tasks, r = +0.90." in said(tracked.worked())


def test_the_right_answer_about_the_coin_is_the_core_s() -> None:
    report = selection("coin").report
    right = [option.label for option in tracked.coin_options() if option.right]
    assert right == [f"{report['kept']} rows, no warning"] == ["34 rows, no warning"]
    assert not report["warnings"]


def test_of_three_printed_correlations_the_smallest_survives() -> None:
    three = tracked.printed_three()
    assert [one.clears for one in three] == [False, False, True]
    sizes = [abs(one.within) for one in three]
    assert sizes == sorted(sizes, reverse=True)
    right = [option.label for option in tracked.claim_options() if option.right]
    assert right == [three[2].label]


def test_side_by_side_is_what_select_says_of_each_judge() -> None:
    for (name, words), one in zip(JUDGE.choices.items(), tracked.side_by_side(8, 3), strict=True):
        scored = tracked._tries(8, 3).grade(wc.judges.named(name), seed=3)
        rl, sft = scored.select(mode="rl", seed=3), scored.select(mode="sft", seed=3)
        assert one.name == words
        assert (one.kept, one.rows) == (rl.report["kept"], 128)
        assert one.conflicts == rl.report["conflicting_rewards"]
        assert one.copies == rl.report["row_fates"]["duplicate"]
        flagged = [n for n, found in rl.report["correlations"].items() if found["clears"]]
        assert list(one.flagged) == [wc.reward_scan.label(n) for n in flagged]
        mistakes = (scored.frame["mistake"].to_numpy(object)[sft.kept] != "").sum()
        assert (one.mistakes, one.picks) == (mistakes, len(sft))
        key = tracked._tries(8, 3).grade(wc.judges.answer_key).reward
        assert one.agreement == pytest.approx((scored.reward == key).mean())


def test_the_coin_is_said_to_be_flagged_by_luck_where_the_chart_flags_it() -> None:
    quiet = said(tracked._six(page_with(seed=0)))
    assert "The judge “names the order” passes 128 of 128 tries and leaves 0 to train on." in quiet
    assert "The coin leaves 34; no feature clears the floor." in quiet
    assert "the same reply, two rewards, 36 times" in quiet
    flagged = next(one for one in tracked.side_by_side(8, 7) if one.name == "coin toss").flagged
    assert flagged == ("apology",)
    assert "flags it for apology, by luck" in said(tracked._six(page_with(seed=7)))


@pytest.mark.parametrize(
    ("pooled", "more", "less"), [(0.2, "higher", "lower"), (-0.2, "lower", "higher")]
)
def test_parted_signs_are_said_of_the_tasks_and_blame_no_hardness(
    pooled: float, more: str, less: str
) -> None:
    text = said(tracked._panels(page_with(), {"pooled": pooled, "within": -pooled}))
    assert f"tasks with more passes have {more} values of this feature" in text
    assert f"tries that pass have {less} ones" in text
    assert "hard" not in text
    same = said(tracked._panels(page_with(), {"pooled": pooled, "within": pooled}))
    assert "signs" not in same


def test_only_the_coin_judges_copies_differently() -> None:
    conflicts = {one.name: one.conflicts for one in tracked.side_by_side(8, 0)}
    assert conflicts.pop("coin toss") == 36 == tracked.coin_conflicts({"repeats": 8, "seed": 0})
    assert set(conflicts.values()) == {0}


def test_over_a_hundred_seeds_a_coin_seldom_trips_a_warning() -> None:
    # at most 1 in 15
    seen = tracked.coin_seeds()
    assert len(seen["kept"]) == 100
    assert seen["flagged"] <= 100 / 15
    assert seen["conflicts"].min() > 0
    alone = tracked._tries(8, 41).grade(wc.judges.coin, seed=41).select(mode="rl").report
    assert seen["kept"][41] == alone["kept"]


def test_the_first_share_that_clears_does_and_the_one_below_does_not() -> None:
    first = tracked.first_clear()
    assert first is not None
    for share, clears in ((first, True), (first - 1, False)):
        judge = wc.judges.blend(wc.judges.coin, wc.judges.long_reply, share / 100, seed=0)
        report = tracked._tries(8, 0).grade(judge, seed=0).select(mode="rl").report
        assert report["correlations"]["reply_chars"]["clears"] is clears


def test_the_sentences_hold_the_report_s_numbers() -> None:
    rl = selection()
    places = placed(page_with(), rl)
    one = rl.report["correlations"]["reply_chars"]
    assert f"{one['within']:+.2f}".replace("-", "−") in said(places["tracking_reading"])
    assert said(places["tracking_reading"]).startswith(
        "Under the judge “answer key”, reply length (−0.92) clears the noise floor of 0.40."
    )
    assert said(places["panels_reading"]).startswith("Pooled r = −0.72, inside tasks r = −0.92.")
    assert "−0.92 clears it." in said(places["floor_reading"])
    assert "gave 0 of 70 copies another reward" in said(places["conflicts"])
    assert 'data-name="judges.coin.conflicts">36' in places["bench"]


def test_the_preset_s_signs_part_and_forty_seeds_stand_beside_it() -> None:
    text = said(placed(page_with(rows="hard"), selection(), "hard")["panels_reading"])
    assert "The signs part: hard tasks have long replies and few passes" in text
    assert "Mean of 40 seeds: −0.31 pooled, +0.59 inside; the signs part in 40 of 40." in text
    figures = said(placed(page_with(rows="figures"), selection(), "figures")["panels_reading"])
    assert figures.startswith("Pooled r = −0.07, inside tasks r = +0.81. The signs part")


def test_shuffles_drawn_are_counted_with_the_last_one_s_r() -> None:
    rl = selection("coin")
    shuffled = shuffle_feature(rl.source, rl.kept, "reply_chars")
    assert shuffled is not None
    text = said(placed(page_with(judge="coin", shuffles=30), rl)["floor_reading"])
    reached = int((np.abs(shuffled.r[:30]) >= abs(shuffled.observed) - 1e-12).sum())
    last = f"{shuffled.r[29]:+.2f}".replace("-", "−")
    assert text.startswith(f"30 drawn, the last with r = {last}; {reached} reach as far")
    assert "does not clear it." in text


def test_a_hidden_judge_is_named_nowhere_but_in_the_list_of_all() -> None:
    link = {"hide": "judge", "judge_code": code_of(JUDGE, "short_reply")}
    page = Page(tracked.SETTINGS, link)
    page.settle(judge="short_reply")
    places = placed(page, selection("short_reply"))
    for name, html in places.items():
        if html and name != "bench":
            assert "short" not in html, name
    assert "the hidden judge" in places["tracking_reading"]
    assert "the hidden judge" in places["bench"]
    assert 'data-do="show"' in places["uncover"]
    assert tracked.at_work(page) == ""
    page.shown = ["judge"]
    assert "“short reply”" in placed(page, selection("short_reply"))["tracking_reading"]


@pytest.mark.parametrize("hidden", [False, True])
def test_before_the_answer_the_coin_s_rows_are_covered(hidden: bool) -> None:
    link = {"hide": "judge", "judge_code": code_of(JUDGE, "coin")} if hidden else {}
    page = Page(tracked.SETTINGS, link)
    page.settle(judge="coin")
    assert tracked.covers(page)
    places = placed(page, selection("coin"), seen=False, measured=False)
    for name in ("tracking_reading", "panels_reading", "floor_reading", "six"):
        assert places[name] == tracked.HIDDEN
    assert not places["bench"] + places["conflicts"] + places["coin_seeds"]
    assert places["say"] is None
    assert not re.search(r"kept \d", said(places["reading"]))


def test_a_hidden_judge_is_covered_whichever_it_is() -> None:
    for judge in JUDGE.choices:
        page = Page(tracked.SETTINGS, {"hide": "judge", "judge_code": code_of(JUDGE, judge)})
        assert tracked.covers(page), judge


def test_the_answer_about_the_coin_is_read_from_its_label() -> None:
    prediction = Prediction("05.coin", "?", tracked.coin_options())
    prediction.answer = {"choice": "128 rows, a warning", "state": "answered"}
    assert tracked.coin_answer(prediction, page_with()) == ("coin toss", 128, True)
    assert tracked.coin_answer(prediction, page_with(repeats=9)) is None


def test_a_feature_the_rows_lack_gives_way_to_the_length() -> None:
    rollouts, _, _ = tracked.rows_of("hard", selection(), 0)
    assert tracked.feature_of(rollouts, "hedging") == "reply_chars"
    assert tracked.feature_of(selection().source, "hedging") == "hedging"


def test_a_judge_that_leaves_nothing_says_why_there_is_no_floor() -> None:
    rl = selection("names_the_order")
    text = said(placed(page_with(judge="names_the_order"), rl)["tracking_reading"])
    assert "0 tasks have mixed rewards; a noise floor needs 3" in text


def test_a_move_that_only_looks_says_so() -> None:
    page = page_with()
    placed(page, selection())
    page.settle(shuffles=1)
    reading = said(placed(page, selection())["reading"])
    assert "no change: shuffles 0 → 1; it looks at rows and drops none" in reading
