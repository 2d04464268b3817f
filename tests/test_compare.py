"""Two runs on the same tasks: what moved, and what was not shown."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore import Rollouts
from whilecore.compare import NOT_SHOWN, compare, paired_error
from whilecore.student_t import t_quantile
from whilecore.training import Plan, draw_world, train


def run(rewards, **columns):
    """Build rollouts from rewards per task; further columns are per task."""
    rows = [
        {"task": task, "reward": reward} | {name: of[task] for name, of in columns.items()}
        for task, some in rewards.items()
        for reward in some
    ]
    return Rollouts.from_frame(pd.DataFrame(rows))


BEFORE = {"a": [1, 0, 0, 0], "b": [1, 1, 0, 0], "c": [1, 1, 1, 0], "d": [0, 0, 0, 0]}
AFTER = {"a": [1, 1, 1, 0], "b": [1, 1, 1, 1], "c": [1, 1, 1, 1], "d": [0, 0, 1, 0]}


def test_four_tasks_by_hand():
    found = compare(run(BEFORE), run(AFTER))
    # rates .25 .5 .75 0 → .75 1 1 .25; differences .5 .5 .25 .25, mean .375, Σ away² = .0625
    # least scatter 2·(1/4) = .5 is more: error √(.5/(3·4)) = .2041, t₃ = 3.182: ±.6496
    assert (found.before, found.after, found.change) == (0.375, 0.75, 0.375)
    assert found.standard_error == pytest.approx(0.2041, abs=5e-5)
    assert found.interval == pytest.approx((-0.2746, 1.0), abs=5e-4)
    assert found.verdict == NOT_SHOWN and found.tries == (4, 4)


def test_where_tasks_differ_enough_it_is_the_paired_t_interval():
    rng = np.random.default_rng(0)
    before, after = ({f"t{i}": rng.integers(0, 2, 4) for i in range(30)} for _ in range(2))
    found = compare(run(before), run(after))
    differences = np.array([after[t].mean() - before[t].mean() for t in before])
    error = differences.std(ddof=1) / math.sqrt(30)
    half = t_quantile(0.975, 29) * error
    assert found.standard_error == pytest.approx(error)
    assert found.interval == pytest.approx((found.change - half, found.change + half))
    assert found.smallest_change == pytest.approx(
        (t_quantile(0.975, 29) + 0.8542) * error, rel=1e-3
    )


def test_tasks_that_all_stayed_the_same_leave_a_width():
    found = compare(
        run({f"t{i}": [1] * 4 for i in range(10)}), run({f"t{i}": [1] * 4 for i in range(10)})
    )
    # √(2·.25/(9·10)) = .0745, t₉ = 2.262: ±.1686
    assert found.change == 0 and found.interval == pytest.approx((-0.1686, 0.1686), abs=5e-5)
    assert found.smallest_change > 0.2 and NOT_SHOWN in str(found)


def test_it_prints_the_change_the_verdict_and_what_could_have_been_shown():
    text = str(compare(run(BEFORE), run(AFTER)))
    assert (
        "pass rate 0.375 → 0.750, change +0.375 [-0.275..+1.000] (4 tasks, paired, 4 tries each)"
        in text
    )
    assert "not shown to have moved: 4 rose, 0 fell, 0 the same" in text
    # (3.182 + .978)·.2041 = .849
    assert "a change of 0.849 would have been shown in 4 of 5" in text


def test_an_interval_away_from_zero_moved_and_says_nothing_of_what_could_have_been_shown():
    low, high = ({f"t{i}": some for i in range(20)} for some in ([0, 0, 1, 0], [1, 1, 1, 0]))
    up, down = compare(run(low), run(high)), compare(run(high), run(low))
    assert (up.verdict, down.verdict) == ("moved up", "moved down")
    assert up.interval[0] > 0 > down.interval[1] and "would have been shown" not in str(up)
    assert up.change == -down.change == 0.5


@settings(max_examples=40)
@given(st.data())
def test_swapping_the_runs_turns_the_sign_and_row_order_changes_nothing(data):
    rewards = st.lists(st.integers(0, 1), min_size=1, max_size=5)
    tasks = data.draw(st.lists(st.text("abcdef", min_size=1), min_size=2, max_size=8, unique=True))
    old, new = ({t: data.draw(rewards) for t in tasks} for _ in range(2))
    there = compare(run(old), run(new))
    back = compare(run(new), run(old))
    assert back.change == -there.change
    assert back.interval == pytest.approx((-there.interval[1], -there.interval[0]))
    rows = run(new).frame
    shuffled = rows.sample(frac=1, random_state=data.draw(st.integers(0, 99)))
    again = compare(run(old), Rollouts.from_frame(shuffled))
    assert (again.interval, again.change) == (there.interval, there.change)
    low, high = there.interval
    assert -1 <= low < high <= 1 and low <= there.change <= high


def test_each_task_counts_once_however_often_it_was_tried():
    old = run({"a": [0] * 40, "b": [0, 0]})
    found = compare(old, run({"a": [1], "b": [0, 1]}))
    assert found.change == 0.75 and found.tries == (21, 1.5)


def test_different_tasks_are_refused_and_some_are_named():
    new = {"a": [1], "b": [1], **{f"new{i}": [1] for i in range(9)}}
    with pytest.raises(ValueError, match=r"only before: c, d; only after: new0, .* and 4 more"):
        compare(run(BEFORE), run(new))
    with pytest.raises(ValueError, match=r"\(2 in both\); try the missing ones, or keep"):
        compare(run(BEFORE), run(new))


def test_a_task_without_a_scored_try_is_left_out_and_named():
    after = AFTER | {"d": [math.nan] * 4}
    found = compare(run(BEFORE), run(after))
    assert found.tasks.tolist() == ["a", "b", "c"]
    assert found.before == 0.5
    assert "left out, with no scored try in one of the runs: d" in str(found)


def test_one_task_has_a_change_and_no_interval():
    found = compare(run({"a": [0, 1]}), run({"a": [1, 1]}))
    assert found.change == 0.5 and found.interval is None and math.isnan(found.standard_error)
    assert found.verdict == NOT_SHOWN and "[n/a]" in str(found)
    assert "needs at least 2 tasks" in str(found)


def test_nothing_scored_is_refused():
    with pytest.raises(ValueError, match="grade both first"):
        compare(run({"a": [math.nan]}), run({"a": [1]}))


def test_other_things_than_rollouts_are_refused():
    with pytest.raises(TypeError, match=r"after must be Rollouts, got list; .*from_frame"):
        compare(run(BEFORE), [1, 2])


def test_the_cut_of_a_pass_can_be_moved_and_is_asked_for_outside_zero_to_one():
    old, new = run({"a": [0.3, 0.6], "b": [0.4, 0.7]}), run({"a": [0.6, 0.6], "b": [0.7, 0.9]})
    assert compare(old, new).change == 0.5
    assert compare(old, new, pass_at_least=0.7).change == 0.25
    with pytest.raises(ValueError, match="pass_at_least"):
        compare(old, run({"a": [3.0], "b": [5.0]}))


def test_texts_that_differ_under_one_label_are_noted():
    old = run(BEFORE, prompt=dict(a="One?", b="Two?", c="Three?", d="Four?"))
    new = run(AFTER, prompt=dict(a="One?", b="2?", c="Three?", d="Four?"))
    assert "the text of 1 tasks differs between the runs: b" in str(compare(old, new))
    assert compare(old, old).notes == ()


# --- clusters -------------------------------------------------------------------------------------


def passages():
    groups = {f"t{i}": "first" if i < 3 else "second" for i in range(6)}
    old = {t: [0] * 4 for t in groups}
    new = {t: [1, 1, 1, 1] if groups[t] == "first" else [0] * 4 for t in groups}
    return run(old, passage=groups), run(new, passage=groups)


def test_r49_tasks_of_one_passage_are_not_independent():
    # differences 1,1,1,0,0,0: the plain error is .2236, the clustered one .5 on 1 degree of freedom
    plain = compare(*passages())
    found = compare(*passages(), cluster="passage")
    assert plain.standard_error == pytest.approx(0.2236, abs=5e-5) and plain.clusters is None
    assert found.standard_error == pytest.approx(0.5) and found.clusters == 2
    assert found.interval == (-1.0, 1.0) and "6 tasks in 2 clusters" in str(found)


def test_with_a_task_per_cluster_nothing_changes():
    groups = {t: t for t in BEFORE}
    old, new = run(BEFORE, passage=groups), run(AFTER, passage=groups)
    assert compare(old, new, cluster="passage").interval == compare(old, new).interval


def test_one_cluster_is_refused():
    groups = dict.fromkeys(BEFORE, "all")
    with pytest.raises(ValueError, match="at least 2 clusters, got 1"):
        compare(run(BEFORE, passage=groups), run(AFTER), cluster="passage")


def test_a_task_in_two_clusters_is_refused_by_name():
    frame = run(BEFORE).frame.assign(passage=["x", "y"] + ["z"] * 14)
    with pytest.raises(ValueError, match=r"several or none for a in column 'passage'"):
        compare(Rollouts.from_frame(frame), run(AFTER), cluster="passage")


def test_an_unknown_cluster_column_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="got 'passage'; it has task"):
        compare(run(BEFORE), run(AFTER), cluster="passage")


# --- how often it is right ------------------------------------------------------------------------


def rate_outside(p, q, k, tasks, runs=3000, seed=0):
    """Share of intervals that leave the true change out."""
    rng = np.random.default_rng(seed)
    rates = rng.beta(2, 1, (runs, tasks)) if p is None else np.full((runs, tasks), p)
    moved = rates if q is None else np.full((runs, tasks), q)
    old, new = rng.binomial(k, rates) / k, rng.binomial(k, moved) / k
    truth = 0.0 if q is None else q - p
    outside = 0
    for differences in new - old:
        error, df = paired_error(differences, 1 / k)
        outside += abs(differences.mean() - truth) > t_quantile(0.975, df) * error
    return outside / runs


@pytest.mark.parametrize("p", [None, 0.65])
def test_without_a_change_one_comparison_in_twenty_of_30_tasks_says_there_is_one(p):
    assert abs(rate_outside(p, None, 4, 30) - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 3000)


def test_from_ten_tasks_the_interval_holds_the_change():
    assert rate_outside(0.6, 0.75, 4, 10) < 0.07
    assert rate_outside(0.9, 0.96, 1, 10) < 0.07  # most differences are zero


def test_training_that_moved_the_toy_is_shown_and_training_that_did_not_is_not():
    world = draw_world(8, 8)
    moved = train(world, Plan(runs=1))
    still = train(world, Plan(runs=1, step_size=0.0, steps=1))
    assert compare(moved.evaluate(0), moved.evaluate(60)).verdict == "moved up"
    verdicts = [
        compare(still.evaluate(0, draw=draw), still.evaluate(1, draw=draw)).verdict
        for draw in range(40)
    ]
    assert verdicts.count(NOT_SHOWN) >= 33  # 38 expected, 5 is 3.6 standard errors


def test_two_tasks_say_that_they_would_show_nothing_rather_than_a_change_above_one():
    said = compare(run(dict(a=[1, 0], b=[1, 1])), run(dict(a=[1, 1], b=[0, 1])))
    assert said.smallest_change > 1
    assert "so few tasks would have shown no change, however large" in str(said)
    assert f"{said.smallest_change:.3f}" not in str(said)
