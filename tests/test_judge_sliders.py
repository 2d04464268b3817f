"""Another judge on a share of rows, and flipped verdicts: each row turns over at most once."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore import judges
from whilecore.agent import seeded_agent
from whilecore.judges import answer_key, blend, coin, grade, long_reply, short_reply, with_flips
from whilecore.rollouts import Rollouts
from whilecore.simulate import simulate
from whilecore.tools import tool


@tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


def run(repeats: int = 4, tasks: int = 500, seed: int = 3) -> Rollouts:
    return simulate(seeded_agent([get_order]), repeats=repeats, budget=repeats * tasks, seed=seed)


DATA = run()
KEY, LONG = grade(DATA, answer_key).reward, grade(DATA, long_reply).reward
shares = st.floats(0, 1)


class Constant:
    """A judge that always says the same."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def score(self, frame: pd.DataFrame) -> Any:
        return np.full(len(frame), self.value)


@settings(max_examples=30, deadline=None)
@given(one=shares, two=shares, seed=st.integers(0, 5))
def test_raising_the_share_turns_rows_over_to_the_other_judge_and_never_back(
    one: float, two: float, seed: int
) -> None:
    low, high = sorted((one, two))
    few = grade(DATA, blend(Constant(0.0), Constant(1.0), low), seed=seed).reward
    more = grade(DATA, blend(Constant(0.0), Constant(1.0), high), seed=seed).reward
    assert (few <= more).all()


def test_a_share_of_none_or_all_is_one_judge_alone() -> None:
    assert grade(DATA, blend(answer_key, long_reply, 0)).reward.tolist() == KEY.tolist()
    assert grade(DATA, blend(answer_key, long_reply, 1)).reward.tolist() == LONG.tolist()


def test_the_other_judge_decides_its_share_of_the_rows() -> None:
    taken = grade(DATA, blend(Constant(0.0), Constant(1.0), 0.3)).reward
    # n = 2000: standard error √(0.21/2000) = 0.0102.
    assert abs(taken.mean() - 0.3) < 4 * 0.0102
    mixed = grade(DATA, blend(answer_key, long_reply, 0.3)).reward
    assert mixed.tolist() == np.where(taken == 1, LONG, KEY).tolist()


def test_who_decides_has_nothing_to_do_with_the_mistakes() -> None:
    taken = grade(DATA, blend(Constant(0.0), Constant(1.0), 0.5)).reward
    assert abs(np.corrcoef(taken, KEY)[0, 1]) < 4 / np.sqrt(len(KEY))
    assert abs(np.corrcoef(taken, grade(DATA, coin).reward)[0, 1]) < 4 / np.sqrt(len(KEY))


def test_a_blend_of_a_blend_draws_afresh() -> None:
    # The inner one hands half of its rows to 1.0; the outer takes 0.4 of all rows for 0.5.
    inner = blend(Constant(0.0), Constant(1.0), 0.5)
    got = grade(DATA, blend(inner, Constant(0.5), 0.4)).reward
    counts = [(got == value).mean() for value in (0.0, 1.0, 0.5)]
    assert counts == pytest.approx([0.3, 0.3, 0.4], abs=4 * 0.011)


def test_a_blend_accepts_functions_of_one_row_and_asks_each_only_where_it_decides() -> None:
    asked: list[str] = []

    def noted(row: Any) -> float:
        asked.append(row["scenario_id"])
        return 1.0

    data = run(tasks=50)
    reward = grade(data, blend(lambda row: 0.0, noted, 0.25)).reward
    assert len(asked) == int(reward.sum())
    assert 20 < len(asked) < 80


def test_an_unscored_row_of_one_judge_is_scored_where_the_other_decides() -> None:
    verdicts = grade(DATA, blend(lambda row: None, Constant(1.0), 0.5))
    taken = grade(DATA, blend(Constant(0.0), Constant(1.0), 0.5)).reward == 1
    assert (verdicts.status[taken] == "ok").all()
    assert set(verdicts.status[~taken].tolist()) == {"no reward"}


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 50), share=shares)
def test_a_blend_takes_the_seed_of_grade_unless_it_has_one(seed: int, share: float) -> None:
    free = grade(DATA, blend(answer_key, coin, share), seed=seed).reward
    fixed = blend(answer_key, coin(seed=seed), share, seed=seed)
    assert grade(DATA, fixed, seed=99).reward.tolist() == free.tolist()


@pytest.mark.parametrize(
    "judge",
    [
        blend(answer_key, coin, 0.5),
        with_flips(answer_key, 0.2),
        blend(with_flips(answer_key, 0.2), short_reply, 0.3),
    ],
)
def test_raising_repeats_leaves_earlier_verdicts_unchanged(judge: judges.Judge) -> None:
    many = run(repeats=9)
    earlier = many.frame["rollout"].to_numpy() < 4
    assert grade(many, judge).reward[earlier].tolist() == grade(DATA, judge).reward.tolist()


@pytest.mark.parametrize(
    "judge", [blend(answer_key, long_reply, 0.4), with_flips(answer_key, 0.2), coin]
)
def test_scoring_a_frame_grading_and_asking_row_by_row_agree(judge: judges.Judge) -> None:
    graded = grade(DATA, judge).reward
    assert np.asarray(judge.score(DATA.frame)).tolist() == graded.tolist()
    assert [judge(row) for row in DATA.rows[:60]] == graded[:60].tolist()


def test_flips_turn_the_verdict_round_on_their_share_of_the_rows() -> None:
    flipped = grade(DATA, with_flips(answer_key, 0.2)).reward != KEY
    assert abs(flipped.mean() - 0.2) < 4 * np.sqrt(0.16 / len(KEY))
    assert abs(np.corrcoef(flipped, KEY)[0, 1]) < 4 / np.sqrt(len(KEY))
    assert (grade(DATA, with_flips(answer_key, 1.0)).reward == 1 - KEY).all()


def test_flips_of_flips_draw_afresh() -> None:
    twice = grade(DATA, with_flips(with_flips(answer_key, 0.5), 0.5)).reward
    assert 0.4 < (twice != KEY).mean() < 0.6  # with shared draws every row would flip back


def test_a_fractional_reward_is_mirrored_and_an_unscored_one_stays_unscored() -> None:
    assert set(grade(DATA, with_flips(Constant(0.75), 0.5)).reward.tolist()) == {0.25, 0.75}
    verdicts = grade(DATA, with_flips(lambda row: "good", 1.0))
    assert set(verdicts.status.tolist()) == {"not a number"}
    assert np.isnan(verdicts.reward).all()


def test_names_say_what_was_mixed() -> None:
    made = blend(with_flips(answer_key, 0.1), long_reply, 0.25)
    assert made.name == "answer_key (flips 10%) (25% long_reply)"


@pytest.mark.parametrize("share", [-0.1, 1.1, 30, float("nan"), True])
def test_a_share_outside_zero_to_one_is_refused(share: Any) -> None:
    with pytest.raises(ValueError, match=r"share must be a number in \[0, 1\].*30 % is 0.3"):
        blend(answer_key, long_reply, share)
    with pytest.raises(ValueError, match="rate must be a number"):
        with_flips(answer_key, share)


def test_a_blend_wants_two_judges() -> None:
    with pytest.raises(ValueError, match=r"judges.named\('coin'\)"):
        blend(answer_key, "coin", 0.5)
