"""Selecting in parts that hold whole tasks equals selecting the whole."""

import logging
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whilecore
from whilecore import Rollouts
from whilecore.partitions import (
    add_reports,
    common_cut,
    kept_rows,
    reward_range,
    select_partitions,
)
from whilecore.parts import SUMS, combine, select_part

ROWS = st.lists(
    st.fixed_dictionaries({
        "task": st.sampled_from("abcdefg"),
        "reward": st.sampled_from([0.0, 1.0, 0.25, 0.75, None]),
        "reply": st.sampled_from(["yes", "no", "it is late", "sorry, no", "I think so"]),
        "leak": st.sampled_from([False, False, False, True]),
        "incomplete": st.sampled_from([False, False, False, True]),
        "truncated": st.sampled_from([False, False, False, True]),
        "error": st.sampled_from(["", "", "", "timeout"]),
        "behavior": st.sampled_from(["looked up", "refunded", "asked"]),
    }),
    min_size=1, max_size=40,
)  # fmt: skip
OPTIONS = st.fixed_dictionaries({
    "band": st.sampled_from([(0.2, 0.8), (0, 1), (0.5, 0.5)]),
    "measure_on": st.sampled_from(["scored", "surviving"]),
    "duplicates": st.sampled_from(["drop", "keep"]),
})  # fmt: skip


def numbered(rows):
    """Return a frame whose rollouts are numbered over the whole, as in a real file."""
    frame = pd.DataFrame(rows)
    return frame.assign(rollout=frame.groupby("task").cumcount())


def parts_of(frame, cut):
    """Deal the tasks out to up to ``cut`` parts."""
    place = frame["task"].map(lambda task: ord(task) % cut)
    return [part for _, part in frame.groupby(place)]


def equal(one, two):
    """Compare two reports; floats to rounding."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(equal(one[key], two[key]) for key in one)
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-12)
    return one == two


@given(rows=ROWS, options=OPTIONS, cut=st.integers(1, 5))
@settings(max_examples=120, deadline=None)
def test_added_reports_of_parts_equal_the_report_of_the_whole(rows, options, cut):
    frame = numbered(rows)
    whole = Rollouts.from_frame(frame)
    parts = [Rollouts.from_frame(part) for part in parts_of(frame, cut)]
    for mode, chosen in (("rl", {**options, "pass_at_least": 0.5}), ("sft", {"min_reward": 0.75})):
        expected = whole.select(mode, **chosen).report
        added = add_reports(part.select(mode, **chosen).report for part in parts)
        assert {name: added[name] for name in SUMS[mode]} == {
            name: expected[name] for name in SUMS[mode]
        }
        assert sum(added["row_fates"].values()) == added["rows"] == len(frame)


@given(rows=ROWS, options=OPTIONS, cut=st.integers(1, 5), target=st.none() | st.integers(1, 9))
@settings(max_examples=120, deadline=None)
def test_combined_parts_give_every_number_of_the_whole(rows, options, cut, target):
    frame = numbered(rows)
    whole = Rollouts.from_frame(frame)
    for mode, chosen in (("rl", {**options, "pass_at_least": 0.5}), ("sft", {"min_reward": 0.75})):
        expected = whole.select(mode, target=target, **chosen)
        parts = [select_part(part, mode, chosen) for part in parts_of(frame, cut)]
        report, stays = combine(parts, mode, target=target, features=(), seed=0)
        for name in expected.report.keys() - {"notes"}:
            assert equal(report[name], expected.report[name]), name
        kept = set(whole.task_labels[whole.task_codes[expected.kept]])
        assert set(stays) == kept


@given(rows=ROWS, cut=st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_the_kept_rows_of_the_parts_are_those_of_the_whole(rows, cut):
    frame = numbered(rows)
    for mode, options in (("rl", {"pass_at_least": 0.5}), ("sft", {"min_reward": 0.75})):
        whole = frame.iloc[Rollouts.from_frame(frame).select(mode, **options).kept]
        parts = [kept_rows(part, mode, **options) for part in parts_of(frame, cut)]
        pd.testing.assert_frame_equal(pd.concat(parts).sort_index(), whole)


def test_kept_rows_of_nothing_are_nothing_and_a_target_is_refused():
    frame = pd.DataFrame({"task": ["a", "a"], "reward": [1, 0]})
    assert len(kept_rows(frame.iloc[:0])) == 0
    with pytest.raises(ValueError, match="give it to select_partitions"):
        kept_rows(frame, target=3)


def test_reports_with_other_settings_cannot_be_added():
    rollouts = Rollouts.from_records({"task": "a", "reward": r} for r in (0, 1))
    with pytest.raises(ValueError, match="same settings"):
        add_reports([rollouts.select(pass_at_least=cut).report for cut in (0.5, 1)])
    with pytest.raises(ValueError, match="one part at least"):
        add_reports([])


def test_a_task_in_two_parts_is_refused():
    frame = pd.DataFrame({"task": ["a", "a", "b", "b"], "reward": [1, 0, 1, 0]})
    parts = [select_part(frame.iloc[at], "rl", {"pass_at_least": 0.5}) for at in ([0, 2], [1, 3])]
    with pytest.raises(ValueError, match=r"but 2 lie in several; shuffle first"):
        combine(parts, "rl", target=None, features=(), seed=0)


@pytest.mark.parametrize(
    ("parts", "cut"),
    [
        ([[0, 1], [1, 0.5]], 0.5),
        ([[-1, 1], [1, -1]], 0.5),  # coded −1 and 1 in every part
        ([[1, 1], [-1, None]], 0.5),
        ([[None], [None]], 0.5),
    ],
)
def test_the_cut_is_chosen_from_the_rewards_of_all_parts(parts, cut):
    frames = [pd.DataFrame({"task": "a", "reward": rewards}) for rewards in parts]
    assert common_cut([reward_range(frame) for frame in frames], None, "rl") == cut


@pytest.mark.parametrize("parts", [[[0, 1], [0, 2]], [[-1, 1], [0.5, 1]], [[-1, 1], [0, 1]]])
def test_rewards_outside_0_to_1_ask_for_a_cut_whichever_part_they_are_in(parts):
    frames = [pd.DataFrame({"task": "a", "reward": rewards}) for rewards in parts]
    ranges = [reward_range(frame) for frame in frames]
    with pytest.raises(ValueError, match="pass_at_least"):
        common_cut(ranges, None, "rl")
    with pytest.raises(ValueError, match="min_reward"):
        common_cut(ranges, None, "sft")
    assert common_cut(ranges, 1.5, "rl") == 1.5


def test_without_dask_the_message_says_what_to_install(monkeypatch):
    import importlib

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"pip install 'whilecore\[dask\]'"):
        select_partitions(None)
    with pytest.raises(ValueError, match="mode must be one of rl, sft"):
        select_partitions(None, "dpo")


# --- on a cluster of two workers ------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    pytest.importorskip("dask.dataframe", reason="dask is not installed: pip install '.[dask]'")
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    logging.getLogger("distributed").setLevel(logging.ERROR)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as workers,
        distributed.Client(workers) as client,
    ):  # fmt: skip
        client.wait_for_workers(2)
        yield client


def run_of(tasks=60, tries=8):
    rng = np.random.default_rng(5)
    rows = [{"task": f"t{i:03}", "rollout": j, "reward": float(rng.random() < rate),
             "reply": f"reply {rng.integers(0, 40)} " * int(rng.integers(1, 9)),
             "behavior": f"b{rng.integers(0, 5)}", "error": ""}
            for i in range(tasks) for rate in [rng.random()] for j in range(tries)]  # fmt: skip
    return pd.DataFrame(rows).sample(frac=1, random_state=1).reset_index(drop=True)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_of_two_workers_gives_what_one_machine_gives(cluster):
    import dask.dataframe as dd
    import distributed

    assert len(cluster.scheduler_info()["workers"]) == 2
    frame = run_of()
    whole = Rollouts.from_frame(frame)
    spread = dd.from_pandas(frame, npartitions=6).shuffle("task").persist()
    distributed.wait(spread)
    used = cluster.run(lambda dask_worker: len(dask_worker.data))
    assert min(used.values()) > 0  # both workers hold parts
    for mode in ("rl", "sft"):
        for target in (None, 25):
            expected = whole.select(mode, target=target)
            found = select_partitions(spread, mode, target=target)
            for name in expected.report.keys() - {"notes"}:
                assert equal(found.report[name], expected.report[name]), (mode, target, name)
            assert str(found).split("\n")[0] == str(expected).split("\n")[0]
            kept = found.kept.compute()
            keys = set(zip(kept["task"], kept["rollout"], strict=True))
            rows = whole.frame.iloc[expected.kept]
            assert keys == set(zip(rows["task"], rows["rollout"], strict=True))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_refuses_tasks_that_lie_in_two_partitions(cluster):
    import dask.dataframe as dd

    mixed = dd.from_pandas(run_of(), npartitions=4)
    with pytest.raises(ValueError, match="shuffle first: ddf.shuffle"):
        select_partitions(mixed)


def test_the_name_is_there_without_dask():
    assert whilecore.select_partitions is select_partitions
    assert "applyInPandas" in kept_rows.__doc__
