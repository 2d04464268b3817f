"""The built-in judges and ``grade``."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore import judges
from whilecore.agent import seeded_agent
from whilecore.judges import BUILT_IN, coin, grade, named
from whilecore.rollouts import Rollouts
from whilecore.simulate import simulate
from whilecore.tools import tool


@tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


def run(repeats: int = 4, tasks: int = 16, seed: int = 0, **options: Any) -> Rollouts:
    agent = seeded_agent([get_order], **options)
    return simulate(agent, repeats=repeats, budget=repeats * tasks, seed=seed)


DATA = run(tasks=200, seed=3)
FIGURES = Rollouts.from_frame(
    pd.DataFrame(
        {
            "task": ["a", "a", "b"],
            "reply_chars": [99, 100, 101],
            "mistake": ["", "hedging", ""],
            "reply_key": [1, 1, 2],
        }
    )
)


def test_the_answer_key_passes_the_honest_tries() -> None:
    reward = grade(DATA, judges.answer_key).reward
    assert reward.tolist() == (DATA.frame["mistake"] == "").astype(float).tolist()


def test_the_pages_own_judge_agrees_with_the_answer_key() -> None:
    pages = grade(DATA, lambda row: {"reward": int(not row["seeded"])})
    assert pages.reward.tolist() == grade(DATA, judges.answer_key).reward.tolist()
    assert set(pages.status.tolist()) == {"ok"}


def test_long_and_short_replies_part_at_the_threshold() -> None:
    assert grade(FIGURES, judges.long_reply).reward.tolist() == [0.0, 1.0, 1.0]
    assert grade(FIGURES, judges.short_reply).reward.tolist() == [1.0, 0.0, 0.0]


def test_about_half_of_the_default_agents_replies_are_long() -> None:
    assert 0.4 < grade(run(tasks=2000), judges.long_reply).reward.mean() < 0.6


def test_length_is_read_off_the_text_where_there_is_no_column_for_it() -> None:
    frame = pd.DataFrame({"reply": ["x" * 99, "x" * 100]})
    assert judges.long_reply.score(frame).tolist() == [0.0, 1.0]


def test_the_careful_rule_passes_every_honest_try_and_no_false_claim() -> None:
    for variety in (0.0, 1.0):
        data = run(tasks=300, variety=variety)
        reward = grade(data, judges.looked_up_and_led).reward
        mistake = data.frame["mistake"].to_numpy(object)
        assert (reward[mistake == ""] == 1).all()
        assert (reward[mistake == "ignored_failure"] == 0).all()
        # It cannot see every mistake: a hedge behind the answer claims nothing.
        assert 0.1 < reward[mistake != ""].mean() < 0.9


def test_the_loose_rule_passes_false_claims_too() -> None:
    reward = grade(DATA, judges.names_the_order).reward
    claims = DATA.frame["ignored_failure"].to_numpy()
    assert claims.sum() > 3
    assert (reward[claims] == 1).all()


def test_a_coin_passes_half_and_tracks_nothing() -> None:
    data = run(tasks=5000)
    heads = grade(data, coin).reward
    honest = grade(data, judges.answer_key).reward
    # n = 20000: standard error of a share 0.0035, of a correlation 1/√n = 0.0071.
    assert abs(heads.mean() - 0.5) < 4 * 0.0035
    assert abs(np.corrcoef(heads, honest)[0, 1]) < 4 * 0.0071


def test_a_coin_per_text_tosses_once_for_all_copies_of_a_task() -> None:
    frame = DATA.frame.assign(toss=grade(DATA, coin(per="text")).reward)
    assert (frame.groupby(["task", "reply"])["toss"].nunique() == 1).all()
    assert (frame.groupby(["task", "reply"])["toss"].first()).nunique() == 2
    per_try = frame.assign(toss=grade(DATA, coin).reward)
    assert per_try.groupby(["task", "reply"])["toss"].nunique().max() == 2


def test_a_coin_per_text_takes_reply_codes_where_there_is_no_text() -> None:
    toss = grade(FIGURES, coin(per="text")).reward
    assert toss[0] == toss[1]


def test_repeated_rows_do_not_share_a_toss() -> None:
    frame = pd.DataFrame({"task": ["a"] * 400, "rollout": [0] * 400})
    assert 0.3 < coin.score(frame).mean() < 0.7


@settings(deadline=None)
@given(st.integers(0, 99), st.integers(0, 99))
def test_a_coin_keeps_its_own_seed_and_otherwise_takes_that_of_grade(one: int, two: int) -> None:
    same = grade(DATA, coin(seed=one), seed=two).reward
    assert same.tolist() == grade(DATA, coin, seed=one).reward.tolist()


def test_another_seed_is_another_coin() -> None:
    assert 0.3 < (grade(DATA, coin, seed=1).reward == grade(DATA, coin).reward).mean() < 0.7


@pytest.mark.parametrize("name", BUILT_IN)
@settings(max_examples=20, deadline=None)
@given(rows=st.lists(st.integers(0, 799), min_size=1, max_size=30, unique=True))
def test_a_verdict_does_not_depend_on_the_other_rows(name: str, rows: list[int]) -> None:
    judge = BUILT_IN[name]
    whole = np.asarray(judge.score(DATA.frame))
    part = np.asarray(judge.score(DATA.frame.iloc[rows]))
    assert part.tolist() == whole[rows].tolist()


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_judge_can_be_called_on_one_row(name: str) -> None:
    judge = BUILT_IN[name]
    whole = np.asarray(judge.score(DATA.frame))
    assert [judge(row) for row in DATA.rows[:40]] == whole[:40].tolist()


@pytest.mark.parametrize("name", BUILT_IN)
def test_raising_repeats_leaves_earlier_verdicts_unchanged(name: str) -> None:
    few, many = run(repeats=4), run(repeats=16)
    earlier = many.frame["rollout"].to_numpy() < 4
    assert (
        grade(many, named(name)).reward[earlier].tolist() == grade(few, named(name)).reward.tolist()
    )


def test_built_ins_are_found_by_name() -> None:
    assert set(BUILT_IN) == {
        "answer_key", "looked_up_and_led", "names_the_order", "long_reply", "short_reply", "coin",
    }  # fmt: skip
    assert named("answer_key") is judges.answer_key
    assert named("coin", seed=7) == coin(seed=7)


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="one of answer_key, .*coin, got 'dice'"):
        named("dice")


@pytest.mark.parametrize("name", ["answer_key", "names_the_order", "looked_up_and_led"])
def test_a_missing_column_is_named(name: str) -> None:
    bare = Rollouts.from_frame(pd.DataFrame({"task": ["a"], "reward": [1]}))
    with pytest.raises(ValueError, match=f"judge {name} needs the column '(mistake|prompt)'"):
        grade(bare, named(name))


def test_a_file_of_codes_has_no_text_to_read() -> None:
    coded = Rollouts.from_frame(pd.DataFrame({"task": ["a"], "prompt": ["?"], "reply": [7]}))
    with pytest.raises(ValueError, match="names_the_order reads the text in column 'reply'"):
        grade(coded, judges.names_the_order)


def test_a_coin_tosses_per_rollout_or_per_text() -> None:
    with pytest.raises(ValueError, match="per must be 'rollout' or 'text', got 'task'"):
        coin(per="task")


@pytest.mark.parametrize("seed", [-1, 1.5, True])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed must be a whole number"):
        grade(DATA, coin, seed=seed)


def test_broken_answers_leave_rows_unscored_each_with_its_reason() -> None:
    answers = iter([1, 0.5, "0.85", None, -1, float("nan"), {"points": 3}, {"score": 0}])
    verdicts = grade(run(repeats=2, tasks=4), lambda row: next(answers))
    assert verdicts.reward[[0, 1, 7]].tolist() == [1.0, 0.5, 0.0]
    assert np.isnan(verdicts.reward[2:7]).all()
    assert verdicts.status.tolist() == [
        "ok", "ok", "not a number", "no reward", "out of range", "not a number", "no reward", "ok",
    ]  # fmt: skip
    assert all(verdicts.reason[2:7])


def test_a_judge_that_fails_on_some_rows_scores_the_others() -> None:
    def judge(row: Any) -> float:
        if row["rollout_index"] == 1:
            raise ConnectionError("judge is down")
        return 1.0

    verdicts = grade(run(repeats=2, tasks=3), judge)
    assert verdicts.status.tolist() == ["ok", "error"] * 3
    assert verdicts.reason[1] == "ConnectionError: judge is down"


def test_a_keyboard_interrupt_stops_the_grading() -> None:
    def judge(row: Any) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(DATA, judge)


def test_what_a_judge_does_to_its_row_changes_nothing() -> None:
    data = run()
    before = [dict(row) for row in data.rows]

    def vandal(row: Any) -> float:
        row["steps"].append("mine")
        for step in row["steps"][:1]:
            if isinstance(step, dict):
                step["arguments"].clear()
        row["messages"].clear()
        row["seeded"] = ""
        return 1.0

    grade(data, vandal)
    after = [dict(row) for row in data.rows]
    for row in (*before, *after):
        row.pop("reward")  # NaN is not equal to itself
    assert after == before


def test_an_object_that_scores_frames_gets_a_copy() -> None:
    class Vandal:
        def score(self, frame: pd.DataFrame) -> Any:
            frame["mistake"] = ""
            return np.ones(len(frame))

    data = run()
    before = data.frame["mistake"].tolist()
    assert grade(data, Vandal()).reward.tolist() == [1.0] * 64
    assert data.frame["mistake"].tolist() == before


def test_an_object_may_return_a_series_with_gaps() -> None:
    class Gaps:
        def score(self, frame: pd.DataFrame) -> Any:
            return pd.Series([None, 0.5, 2.0], index=[7, 8, 9])

    verdicts = grade(FIGURES, Gaps())
    assert verdicts.status.tolist() == ["not a number", "ok", "out of range"]


def test_an_object_that_scores_too_few_rows_is_refused_by_name() -> None:
    class Short:
        def score(self, frame: pd.DataFrame) -> Any:
            return [1.0]

    with pytest.raises(ValueError, match=r"judge Short must return one number per row.*\(3,\)"):
        grade(FIGURES, Short())


def test_an_empty_table_is_graded_to_nothing() -> None:
    empty = DATA.take([])
    for judge in (*BUILT_IN.values(), lambda row: 1):
        assert len(grade(empty, judge)) == 0


def test_an_empty_reply_passes_a_substring_judge_and_is_there_to_be_seen() -> None:
    # R35: ``gold in reply or reply in gold`` is true for an empty reply.
    replies = ["", "", "wolf", ""]
    data = Rollouts.from_frame(pd.DataFrame({"task": ["t"] * 4, "reply": replies}))
    gold = "husky"
    reward = grade(data, lambda row: gold in row["final_text"] or row["final_text"] in gold).reward
    assert reward.tolist() == [1.0, 1.0, 0.0, 1.0]
