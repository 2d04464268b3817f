"""Reports by people who do this job: what a reader of files must make of each, and its neighbours.

The numbers R24, R26, ... name the report a test comes from: a link is in its docstring.
"""

import codecs
import json
import math

import numpy as np
import pytest

from whilecore import advantages
from whilecore.formats.tables import ReadError
from whilecore.readers import read_rollouts


def jsonl(*rows):
    return "".join(
        (one if isinstance(one, str) else json.dumps(one)) + "\n" for one in rows
    ).encode()


def graded(rewards, **columns):
    """Return rows of one task with these rewards, and further columns by row."""
    return [{"task": "t", "reward": reward, **{name: column[i] for name, column in columns.items()}}
            for i, reward in enumerate(rewards)]  # fmt: skip


def pushes(rollouts, how="centred"):
    """Return the push of every row, NaN for unscored ones."""
    usable = np.where(rollouts.scored, rollouts.reward, np.nan)
    return advantages(usable, rollouts.task_codes, how=how).tolist()


# --- R24: every repeat gets its own id ------------------------------------------------------------

PATHS = [
    {"id": f"u{i}", "prompt": f"Repo at /srv/ws_{name} is broken. Mend it.", "reward": reward}
    for i, (name, reward) in enumerate(zip(("a1", "b7", "c3", "d9"), (1, 0, 1, 0), strict=True))
]


def test_r24_the_task_column_groups_tries_whose_ids_and_prompts_are_their_own():
    """github.com/rllm-org/rllm/pull/924: a uuid per rollout makes singletons."""
    rollouts = read_rollouts(jsonl(*({**row, "task": "fix-12"} for row in PATHS)))
    assert dict(rollouts.read_report.group_sizes) == {4: 1}
    assert rollouts.pass_at.pass_at_1 == 0.5
    assert pushes(rollouts) == [0.5, -0.5, 0.5, -0.5]
    assert rollouts.read_report.other_group_sizes["id"] == {1: 4}
    assert "by id: 4 groups of 1" in str(rollouts.read_report)


def test_r24_single_rows_throughout_stop_and_offer_the_other_columns_with_their_group_sizes():
    rows = [{**row, "repository": "core", "ticket": f"T-{i // 2}"} for i, row in enumerate(PATHS)]
    with pytest.raises(ReadError, match="by 'id', 4 of 4 groups hold a single row") as caught:
        read_rollouts(jsonl(*rows))
    offers = caught.value.group_sizes
    assert offers["ticket"] == {2: 2} and offers["repository"] == {4: 1}
    assert offers["prompt~"] == {4: 1}
    assert list(offers)[0] == "ticket"  # one group of everything is the last resort
    assert "ticket: 2 groups of 2" in str(caught.value) and "task='ticket'" in str(caught.value)


@pytest.mark.parametrize(
    "own",
    ["/srv/ws_{}/repo", "C:\\work\\run{}\\src", "2026-11-30T12:00:0{}Z", "2026-11-30 10:00:0{}",
     "run 8f14e45f-ceea-467f-a{}12-0242ac120002", "commit 9fceb02d0ae598e95dc970b74767f1937{}b"],
)  # fmt: skip
def test_r24_a_prompt_with_something_of_its_own_is_a_key_once_that_is_masked(own):
    rows = [
        {"prompt": f"Task {task}: in {own.format(task * 4 + i)}, add the two numbers.",
         "reward": i % 2}
        for task in range(2) for i in range(4)
    ]  # fmt: skip
    with pytest.raises(ReadError, match="prompt~: 2 groups of 4"):
        read_rollouts(jsonl(*rows))
    assert dict(read_rollouts(jsonl(*rows), task="prompt~").read_report.group_sizes) == {4: 2}


def test_r24_masking_leaves_apart_what_differs_in_numbers_and_words():
    rows = [{"prompt": f"What is {i} + 3/{j}?", "reward": 1} for i in range(3) for j in (2, 4)]
    rollouts = read_rollouts(jsonl(*rows), task="prompt~")
    assert rollouts.n_tasks == 6


def test_r24_a_running_number_as_id_gives_way_to_the_prompt_where_the_format_says_so():
    # verifiers: example_id is checked against the prompt
    rows = [{"example_id": i, "prompt": f"p{i // 4}", "completion": f"{i}", "reward": i % 2}
            for i in range(8)]  # fmt: skip
    report = read_rollouts(jsonl(*rows)).read_report
    assert report.columns["task"] == "prompt" and dict(report.group_sizes) == {4: 2}
    assert any("'example_id' is another for every row" in note for note in report.notes)


def test_r24_a_named_task_is_taken_even_if_it_makes_single_rows():
    assert dict(read_rollouts(jsonl(*PATHS), task="id").read_report.group_sizes) == {1: 4}


def test_r24_nine_in_ten_single_rows_pass_and_more_do_not():
    def rows(singles, groups):
        return [{"task": f"s{i}", "reward": 1} for i in range(singles)] + [
            {"task": f"g{i}", "reward": j} for i in range(groups) for j in range(2)
        ]

    assert len(read_rollouts(jsonl(*rows(9, 1)))) == 11  # 9 of 10 groups: not over 90 %
    with pytest.raises(ReadError, match="10 of 11 groups"):
        read_rollouts(jsonl(*rows(10, 1)))


def test_r24_rows_are_never_grouped_by_position():
    rows = [{"reward": i % 2, "note": f"n{i}"} for i in range(8)]
    with pytest.raises(ReadError, match="no column says .*never grouped by their position"):
        read_rollouts(jsonl(*rows))


def test_ids_that_start_anew_in_each_data_set_are_told_apart():
    rows = [{"id": i, "dataset": name, "prompt": f"{name} {i}", "reward": j}
            for name in ("gsm", "aime") for i in range(3) for j in range(2)]  # fmt: skip
    report = read_rollouts(jsonl(*rows)).read_report
    assert report.columns["task"] == "dataset + id" and dict(report.group_sizes) == {2: 6}
    apart = [{**row, "id": f"{row['dataset']}-{row['id']}"} for row in rows]
    assert read_rollouts(jsonl(*apart)).read_report.columns["task"] == "id"


# --- R26: several training steps in one file ------------------------------------------------------


@pytest.mark.parametrize("name", ["step", "global_step", "iteration", "policy_version", "model"])
@pytest.mark.parametrize("as_text", [False, True])
def test_r26_tries_of_two_policies_are_two_groups(name, as_text):
    """github.com/huggingface/trl/pull/4818: the same prompt comes back at step 40."""
    steps = [(1, 0)] * 4 + [(40, 1)] * 4
    rows = [{"prompt": "P", name: str(step) if as_text else step, "reward": reward}
            for step, reward in steps]  # fmt: skip
    rollouts = read_rollouts(jsonl(*rows))
    report = rollouts.read_report
    assert report.columns["task"] == f"{name} + prompt" and dict(report.group_sizes) == {4: 2}
    selected = rollouts.select().report
    assert (selected["unanimous_groups"]["as_drawn"], selected["kept"]) == (2, 0)
    # pass rate by step: 0, then 1
    assert dict(report.steps) == {f"{name} 1": (4, 4, 0.0), f"{name} 40": (4, 4, 1.0)}
    assert f"{name} 1: mean reward 0 " in str(report) and f"{name} 40: mean reward 1" in str(report)


def test_r26_an_id_comes_back_at_another_step_as_well_as_a_prompt():
    rows = [{"task_id": "a", "step": step, "reward": i % 2} for step in (1, 2) for i in range(4)]
    assert dict(read_rollouts(jsonl(*rows)).read_report.group_sizes) == {4: 2}


def test_r26_pooling_is_there_for_whoever_asks():
    rows = [{"prompt": "P", "step": step, "reward": int(step == 40)}
            for step in (1, 40) for _ in range(4)]  # fmt: skip
    rollouts = read_rollouts(jsonl(*rows), step=False)
    assert dict(rollouts.read_report.group_sizes) == {8: 1} and rollouts.pass_at.pass_at_1 == 0.5


def test_r26_one_try_per_step_stops_and_offers_to_pool():
    rows = [
        {"prompt": f"p{i}", "step": step, "reward": 1} for i in range(3) for step in range(5, 9)
    ]
    with pytest.raises(ReadError, match="step=False") as caught:
        read_rollouts(jsonl(*rows))
    assert caught.value.group_sizes["without step (pools them)"] == {4: 3}


def test_r26_without_a_step_column_a_group_of_twice_the_usual_size_is_flagged():
    def rows(odd):
        sizes = [4, 4, odd, 4, 4, 4]
        return [
            {"prompt": f"p{i}", "reward": j % 2}
            for i, size in enumerate(sizes)
            for j in range(size)
        ]

    report = read_rollouts(jsonl(*rows(8))).read_report
    assert any("1 tasks have a multiple of the usual 4 rows" in note for note in report.notes)
    assert not read_rollouts(jsonl(*rows(5))).read_report.notes


def test_an_epoch_that_numbers_the_tries_is_no_training_step():
    rows = [{"task_id": f"t{i}", "epoch": j, "reward": j % 2} for i in range(4) for j in range(3)]
    report = read_rollouts(jsonl(*rows)).read_report
    assert dict(report.group_sizes) == {3: 4} and report.columns["repeat"] == "epoch"
    trained = [{**row, "epoch": e} for row in rows for e in range(2)]
    again = read_rollouts(jsonl(*trained)).read_report
    assert again.columns["task"] == "epoch + task_id" and dict(again.group_sizes) == {3: 8}


def test_an_empty_step_on_some_rows_is_a_step_of_its_own():
    rows = [{"task": "a", "step": step, "reward": 1} for step in (1, 1, None, None, 2, 2)]
    assert dict(read_rollouts(jsonl(*rows)).read_report.group_sizes) == {2: 3}


# --- R28, R29: one rollout written as several rows ------------------------------------------------


@pytest.mark.parametrize("name", ["rollout_id", "trajectory_id", "traj_uid", "episode_id"])
def test_r28_one_rollout_in_several_rows_is_one_rollout(name):
    """github.com/THUDM/slime/pull/2302: the baseline counts it more than once."""
    rollouts = read_rollouts(jsonl(*graded([1, 1, 1, 0], **{name: ["r1", "r1", "r1", "r2"]})))
    # baseline (1 + 0)/2, not 3/4
    assert pushes(rollouts) == [0.5, -0.5]
    assert rollouts.pass_at.pass_at_1 == 0.5
    report = rollouts.read_report
    assert (report.rows, report.rollouts, dict(report.group_sizes)) == (4, 2, {2: 1})
    assert "4 rows, 2 rollouts" in str(report) and name in " ".join(report.notes)


def test_r28_the_rows_of_a_rollout_need_not_stand_together():
    rows = graded([1, 0, 1, 0], rollout_id=["r1", "r2", "r1", "r2"])
    assert read_rollouts(jsonl(*rows)).reward.tolist() == [1, 0]


def test_r28_the_last_scored_row_decides_where_only_the_end_is_graded():
    rows = graded([0, 0, 1, None, 0], rollout_id=["a", "a", "a", "b", "b"], reply=list("vwxyz"))
    rollouts = read_rollouts(jsonl(*rows))
    assert rollouts.reward.tolist() == [1, 0]
    assert rollouts.frame["reply"].tolist() == ["x", "z"]


def test_r28_an_id_that_all_tries_of_a_batch_share_joins_nothing():
    # Some trainers call the number of the training step rollout_id: rewards under it differ.
    rows = [{"task": f"t{i}", "rollout_id": 7, "reward": j % 2} for i in range(3) for j in range(4)]
    report = read_rollouts(jsonl(*rows)).read_report
    assert dict(report.group_sizes) == {4: 3}
    assert any("different rewards, so it is not taken for the rollout" in n for n in report.notes)


def test_r28_a_named_column_joins_and_false_joins_nothing():
    rows = graded([1, 0, 1, 0], sample=["a", "a", "b", "b"], rollout_id=list("wxyz"))
    joined = read_rollouts(jsonl(*rows), rollout="sample")
    assert joined.reward.tolist() == [0, 0]
    assert any("2 rollouts have rows with different rewards" in n for n in joined.notes)
    shared = graded([1, 1, 0, 0], rollout_id=["a", "a", "b", "b"])
    assert len(read_rollouts(jsonl(*shared), rollout=False)) == 4


def test_r28_a_rollout_cut_in_one_row_is_cut():
    rows = graded([1, 1, 0], rollout_id=["a", "a", "b"], truncated=[True, False, False])
    assert read_rollouts(jsonl(*rows)).flag("truncated").tolist() == [True, False]


@pytest.mark.parametrize("counter", ["rollout_id", "turn", "turn_idx", "step"])
@pytest.mark.parametrize("first", [0, 1])
def test_r29_a_rollout_counts_once_however_many_turns_it_took(counter, first):
    """github.com/NVIDIA-NeMo/labs-molt/pull/64: failures run to the cap and own more rows."""
    turns = [*range(3), *range(15)]
    names = ["good"] * 3 + ["bad"] * 15
    column = names if counter == "rollout_id" else [turn + first for turn in turns]
    rollouts = read_rollouts(jsonl(*graded([1] * 3 + [0] * 15, **{counter: column})))
    # per row 3/18 = .1667, per rollout .5
    assert rollouts.reward.mean() == 0.5 and rollouts.pass_at.pass_at_1 == 0.5
    assert rollouts.read_report.rows == 18


def test_r29_turns_inside_training_steps_are_told_from_them():
    rows = [{"task": "t", "step": step, "turn": turn, "reward": reward}
            for step in (10, 20) for reward in (0, 1) for turn in range(3)]  # fmt: skip
    report = read_rollouts(jsonl(*rows)).read_report
    assert report.columns["task"] == "step + task" and dict(report.group_sizes) == {2: 2}


def test_a_row_that_a_resumed_run_wrote_again_counts_once():
    rows = [{"task": "t", "attempt": i, "completion": "same", "reward": i % 2} for i in range(4)]
    report = read_rollouts(jsonl(*rows, *rows[:2])).read_report
    assert dict(report.group_sizes) == {4: 1}
    assert any("2 rows are the same as an earlier one" in note for note in report.notes)


def test_two_equal_replies_of_two_tries_both_count():
    rows = [{"task": "t", "attempt": i, "completion": "same", "reward": 1} for i in range(4)]
    assert len(read_rollouts(jsonl(*rows))) == 4
    nameless = [{"task": "t", "completion": "same", "reward": 1}] * 4
    assert len(read_rollouts(jsonl(*nameless))) == 4


def test_a_retry_with_another_outcome_is_kept_and_said():
    rows = [{"task": "t", "attempt": 0, "reward": 0}, {"task": "t", "attempt": 0, "reward": 1},
            {"task": "t", "attempt": 1, "reward": 1}]  # fmt: skip
    report = read_rollouts(jsonl(*rows)).read_report
    assert report.rollouts == 3
    rows += [rows[0]]
    report = read_rollouts(jsonl(*rows)).read_report
    assert report.rollouts == 3
    assert any("further rows have the attempt of another row" in n for n in report.notes)


# --- R30, R31, R32, R36, R39: rows without a usable reward ----------------------------------------


def test_r30_null_is_unscored_and_moves_nobody():
    """github.com/huggingface/trl/pull/5902: an all-None row became 0.0."""
    rollouts = read_rollouts(jsonl(*graded([1, 0, None, 1])))
    assert rollouts.scored.sum() == 3
    assert pushes(rollouts) == pytest.approx([1 / 3, -2 / 3, math.nan, 1 / 3], nan_ok=True)
    assert rollouts.read_report.unscored == {"no reward": 1}
    absent = jsonl(*graded([1, 0]), {"task": "t"}, *graded([1]))
    assert read_rollouts(absent).scored.tolist() == [True, True, False, True]


@pytest.mark.parametrize(
    "column",
    [
        {"error": [None, None, None, "ConnectError"]},
        {"error": ["", "None", "null", {"type": "ConnectError", "message": "refused"}]},
        {"error": [False, False, False, True]},
        {"error": [[], {}, 0, ["refused"]]},
        {"exception": [None, None, None, "Traceback ..."]},
        {"timed_out": [False, False, False, True]},
        {"is_error": [0, 0, 0, 1]},
        {"status": ["completed", "success", "ok", "timeout"]},
        {"status": ["done", "done", "done", "ERROR"]},
        {"judge_status": ["ok", "OK ", "success", "timeout"]},
    ],
    ids=lambda column: "-".join(f"{name}-{cells[-1]}" for name, cells in column.items())[:40],
)
def test_r31_a_crash_is_unscored_and_both_counts_are_said(column):
    """github.com/benchflow-ai/benchflow/issues/1071: a dead sandbox graded as a failure."""
    rollouts = read_rollouts(jsonl(*graded([1, 1, 1, 0], tool_calls=[2, 2, 2, 0], **column)))
    assert rollouts.scored.tolist() == [True, True, True, False]
    selection = rollouts.select()
    # excluded: 3 of 3, unanimous. As 0: 3 of 4, in the band.
    assert selection.report["unanimous_groups"]["as_drawn"] == 1
    assert "3 of 4" in str(selection) and "3 of 3" in str(selection)


def test_r31_a_status_that_says_how_the_task_went_is_no_error():
    rows = graded([1, 0, 1, 0], status=["passed", "failed", "completed", "failed"])
    assert read_rollouts(jsonl(*rows)).scored.all()


@pytest.mark.parametrize(
    "column", [{"valid": [1, 1, 1, 0]}, {"is_valid": [True, True, True, False]},
               {"masked": [0, 0, 0, 1]}, {"remove_sample": [False, False, False, True]}],
)  # fmt: skip
def test_r32_a_masked_row_does_not_move_its_siblings(column):
    """github.com/verl-project/verl/pull/6452: its loss is zeroed, its reward still counts."""
    rollouts = read_rollouts(jsonl(*graded([1, 3, 2, 0], **column)))
    # mean over the three valid rows 2, not 1.5
    assert pushes(rollouts) == pytest.approx([-1, 1, 0, math.nan], nan_ok=True)
    (reason,) = rollouts.read_report.unscored
    assert reason == "error" and "marked" in rollouts.frame["error"].iloc[3]


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_r36_free_text_is_unscored_with_its_reason(kind):
    """github.com/OpenAgentHQ/openagent-eval/issues/74: first number, silent 0, silent .5."""
    values = ["1", "0.85", "10", "Score: 8/10", "There are 5 reasons this is a 9", "",
              "[ERROR] 500", "not excellent"]  # fmt: skip
    data = jsonl(*graded(values))
    if kind == "csv":
        data = ("task,reward\n" + "".join(f't,"{value}"\n' for value in values)).encode()
    rollouts = read_rollouts(data)
    assert rollouts.reward[:2].tolist() == [1, 0.85]
    assert rollouts.scored.tolist() == [True, True] + [False] * 6
    reasons = " ".join(rollouts.read_report.unscored)
    assert "not a number: Score: 8/10" in reasons and "out of the range 0 to 1" in reasons
    assert rollouts.read_report.coerced == {"rewards were text and read as numbers": 2}
    assert any("2 rewards were text" in note for note in rollouts.notes)


def test_r39_letters_truth_values_and_nan():
    """inspect.aisi.org.uk/scorers.html: C, I, P, N, true, false, NaN."""
    lines = [f'{{"task":"a","score":{value}}}'
             for value in ('"C"', '"I"', '"P"', '"N"', "true", "false", "NaN")]  # fmt: skip
    rollouts = read_rollouts(jsonl(*lines))
    assert rollouts.reward[:6].tolist() == [1, 0, 0.5, 0, 1, 0]
    assert rollouts.scored.tolist() == [True] * 6 + [False]
    assert any("letter grades" in what for what in rollouts.read_report.coerced)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["True", "False", "true"], [1, 0, 1]),
        (["pass", "fail", "PASS"], [1, 0, 1]),
        (["correct", "incorrect", "correct"], [1, 0, 1]),
        ([{"value": "C"}, {"value": "I"}, {"value": "C"}], [1, 0, 1]),
        ([{"score": 0.5, "why": "x"}, {"score": 1}, {"score": 0}], [0.5, 1, 0]),
        ([[0.25, 0.25], [0, 0], [1]], [0.5, 0, 1]),
        (["A", "B", "C"], [None, None, None]),
        (["C", "I", "good"], [None, None, None]),
        ([{"a": 1}, [], ["x"]], [None, None, None]),
        ([-1, 1, -1], [-1, 1, -1]),
    ],
)
def test_r39_whatever_is_written_for_a_grade_is_read_or_unscored(values, expected):
    rollouts = read_rollouts(jsonl(*graded(values)), reward="reward")
    read = [None if math.isnan(one) else one for one in rollouts.reward]
    assert read == expected
    if expected[0] is None:
        assert rollouts.scored.sum() == 0 and sum(rollouts.read_report.unscored.values()) == 3


def test_r39_a_csv_of_truth_values_with_a_gap():
    rollouts = read_rollouts(b"task,passed\na,True\na,False\na,\na,True\n")
    assert rollouts.scored.tolist() == [True, True, False, True]
    assert rollouts.reward[[0, 1, 3]].tolist() == [1, 0, 1]


# --- R12, R13: scales -----------------------------------------------------------------------------


def test_r12_rewards_outside_0_to_1_ask_for_a_cut_and_still_have_contrast():
    rollouts = read_rollouts(jsonl(*graded([-18, -18, -18, -15])))
    with pytest.raises(ValueError, match="pass_at_least"):
        rollouts.select()
    assert rollouts.select(pass_at_least=-16).report["kept"] == 4
    assert pushes(rollouts) == [-0.75, -0.75, -0.75, 2.25]


def test_r13_minus_one_and_one_are_said():
    assert "-1 and 1" in str(read_rollouts(jsonl(*graded([-1, 1, 1, -1]))).select())


# --- R34, R35: judges that pay for nothing --------------------------------------------------------


@pytest.mark.parametrize("name", ["gold", "answer", "target", "ground_truth", "expected_answer"])
@pytest.mark.parametrize("nothing", ["", None])
def test_r34_all_pass_groups_without_a_reference_are_flagged(name, nothing):
    groups = [1, 0], [0, 0], [0, 1], [1, 1]
    rows = [{"task": f"t{i}", "reward": reward, name: nothing if i == 3 else "4"}
            for i, rewards in enumerate(groups) for reward in rewards]  # fmt: skip
    rollouts = read_rollouts(jsonl(*rows))
    assert rollouts.pass_at.pass_at_1 == 0.5
    for mode in ("rl", "sft"):
        assert "all-pass groups with an empty reference" in str(rollouts.select(mode))


def test_r35_empty_replies_that_pass_are_flagged():
    rows = graded([1, 1, 0, 1], completion=["", "  ", "wolf", None])
    assert "empty reply with a pass: 3" in str(read_rollouts(jsonl(*rows)).select("sft"))


# --- R50, R58 -------------------------------------------------------------------------------------


def test_r50_the_same_rows_in_another_order_give_the_same_numbers():
    rng = np.random.default_rng(3)
    rows = [{"task": f"t{i}", "reward": int(rng.random() < 0.6), "completion": "word " * n}
            for i in range(9) for n in rng.integers(1, 40, 5).tolist()]  # fmt: skip
    first = read_rollouts(jsonl(*rows))
    rng.shuffle(rows)
    again = read_rollouts(jsonl(*rows))
    assert again.pass_at == first.pass_at
    floors = [one.select().report["scanned"]["floor"] for one in (first, again)]
    assert floors[0] == pytest.approx(floors[1], abs=1e-12)


def test_r58_length_is_in_code_points_however_a_reply_is_escaped():
    replies = ["你好世界", "🔥🎉💯", "👨‍👩‍👧"]
    for ascii_only in (True, False):
        lines = [json.dumps({"task": "a", "reply": one, "reward": 1}, ensure_ascii=ascii_only)
                 for one in replies]  # fmt: skip
        assert read_rollouts(jsonl(*lines)).frame["reply_chars"].tolist() == [4, 3, 5]


# --- R62, R64: bytes ------------------------------------------------------------------------------

TWO = '{"task_id":"a","reward":1}\n{"task_id":"a","reward":0}\n'


@pytest.mark.parametrize(
    "data",
    [codecs.BOM_UTF8 + TWO.encode(), TWO.encode("utf-16"), TWO.encode("utf-32"),
     codecs.BOM_UTF8 + TWO.replace("\n", "\r\n").encode(), TWO.rstrip().encode(),
     codecs.BOM_UTF8 + b"task_id,reward\na,1\na,0\n",
     "task_id;reward\r\na;1\r\na;0\r\n".encode("utf-16"),
     codecs.BOM_UTF8 + b"[" + TWO.strip().replace("\n", ",").encode() + b"]",
     TWO.replace("\n", "\n\n  \n").encode(), TWO.replace("}\n", "},\n").encode(),
     b'{"task_id":"a","reward":1}\n' + codecs.BOM_UTF8 + b'{"task_id":"a","reward":0}\n',
     TWO.replace(",", ",\n").encode(), TWO.replace("\n", "\r").encode()],
    ids=["bom", "utf16", "utf32", "bom crlf", "no last newline", "bom csv", "utf16 csv",
         "bom array", "blank lines", "trailing commas", "bom inside", "several lines each", "cr"],
)  # fmt: skip
def test_r62_marks_and_line_ends_belong_to_no_key(data):
    """github.com/huggingface/datasets/issues/8241: the first line lost, or a wrong first key."""
    rollouts = read_rollouts(data)
    assert rollouts.reward.tolist() == [1, 0] and rollouts.task_labels.tolist() == ["a"]
    assert "task_id" in rollouts.frame


def test_r64_what_is_not_finite_is_unscored_and_a_cut_line_is_reported():
    """github.com/comet-ml/opik/issues/8455: Python's json accepts NaN, browsers do not."""
    rollouts = read_rollouts(
        b'{"task_id":"a","reward":NaN}\n{"task_id":"a","reward":Infinity}\n'
        b'{"task_id":"a","reward":1}\n{"task_id":"a",'
    )
    assert rollouts.scored.tolist() == [False, False, True]
    assert rollouts.read_report.unscored == {"not finite": 2}
    assert [one.number for one in rollouts.read_report.bad] == [4]
    assert "line 4 is cut short" in str(rollouts.read_report)
    assert rollouts.pass_at.pass_at_1 == 1.0
    assert "line 4" in " ".join(rollouts.notes)


@pytest.mark.parametrize("huge", ["1e999", "-1e400", "9" * 400])
def test_r64_a_number_beyond_all_floats_is_unscored(huge):
    rollouts = read_rollouts(f'{{"task":"a","reward":{huge}}}\n{{"task":"a","reward":1}}'.encode())
    assert rollouts.scored.tolist() == [False, True]


def test_a_key_written_twice_is_said_with_its_line():
    rollouts = read_rollouts(jsonl(*graded([1]), '{"task":"t","reward":0,"reward":1}'))
    assert rollouts.reward.tolist() == [1, 1]
    assert any("line 2: 'reward' stands 2 times" in note for note in rollouts.notes)
    nested = jsonl(*graded([1, 0], info=[{"reward": 3}, {"reward": 4}]))
    assert not read_rollouts(nested).notes


def test_a_csv_cut_in_its_last_line_leaves_that_line_out():
    rollouts = read_rollouts(b"task,reply,reward\na,x,1\na,y,0\na,z")
    assert rollouts.reward.tolist() == [1, 0]
    assert "line 4 is cut short: 2 cells where the header has 3" in str(rollouts.read_report)


def test_a_broken_array_gives_what_came_before():
    rollouts = read_rollouts(b'[\n{"task":"a","reward":1},\n{"task":"a","reward":0},\n{"task":"a"')
    assert rollouts.reward.tolist() == [1, 0]
    (bad,) = rollouts.read_report.bad
    assert bad.number == 3 and "(line 4) is cut short" in bad.reason
    unclosed = read_rollouts(b'[{"task":"a","reward":1}, {"task":"a","reward":0}')
    assert len(unclosed) == 2 and "the array does not end" in unclosed.read_report.bad[0].reason


# --- R67: prompts are lists of messages -----------------------------------------------------------


def called(reward, prompt):
    call = {"name": "cancel", "arguments": '{"id":12}'}
    answer = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"prompt": [prompt], "completion": [answer], "reward": reward}


def test_r67_message_lists_are_one_key_whatever_the_order_of_their_keys():
    """github.com/PrimeIntellect-ai/verifiers/pull/948: lists cannot be hashed; content is null."""
    rows = [called(1, {"role": "user", "content": "cancel 12"}),
            called(0, {"content": "cancel 12", "role": "user"})]  # fmt: skip
    rollouts = read_rollouts(jsonl(*rows))
    assert dict(rollouts.read_report.group_sizes) == {2: 1}
    assert rollouts.reward.tolist() == [1, 0]
    assert rollouts.frame["reply"].tolist() == ["", ""]
    assert rollouts.frame["reply_chars"].tolist() == [0, 0]
    assert rollouts.frame["tool_calls"].tolist() == [1, 1]
    assert "empty reply" not in str(rollouts.select())


def test_r67_other_calls_are_other_deeds():
    rows = [called(1, {"role": "user", "content": "cancel 12"}) for _ in range(2)]
    rows[1]["completion"][0]["tool_calls"] = [{"name": "refund", "arguments": "{}"}]
    assert read_rollouts(jsonl(*rows)).select().report["row_fates"]["duplicate"] == 0


def test_r67_the_prompt_part_of_one_list_of_messages_is_the_key():
    def row(question, answer, reward):
        said = (("system", "Help."), ("user", question), ("assistant", answer))
        messages = [{"role": who, "content": text} for who, text in said]
        return {"messages": messages, "reward": reward}

    rows = [row(q, a, r) for q in ("one", "two") for a, r in (("x", 1), ("y", 0))]
    rollouts = read_rollouts(jsonl(*rows))
    assert rollouts.task_labels.tolist() == ["one", "two"]
    assert rollouts.frame["reply"].tolist() == ["x", "y", "x", "y"]


def test_r67_a_talk_whose_later_questions_differ_is_told_by_its_opening():
    rows = [
        {"messages": [{"role": "user", "content": f"ask {task}"},
                      {"role": "assistant", "content": "Which?"},
                      {"role": "user", "content": f"I mean {task} {i}"},
                      {"role": "assistant", "content": "Done."}], "reward": i % 2}
        for task in range(3) for i in range(4)
    ]  # fmt: skip
    report = read_rollouts(jsonl(*rows)).read_report
    assert dict(report.group_sizes) == {4: 3}
    assert any("before the first answer" in note for note in report.notes)


def test_r67_examples_in_front_of_the_question_do_not_make_one_task_of_all():
    shots = [{"role": "user", "content": "1+1?"}, {"role": "assistant", "content": "2"}]
    rows = [{"messages": [*shots, {"role": "user", "content": f"{task}+3?"},
                          {"role": "assistant", "content": f"{i}"}], "reward": i % 2}
            for task in range(3) for i in range(4)]  # fmt: skip
    rollouts = read_rollouts(jsonl(*rows))
    assert dict(rollouts.read_report.group_sizes) == {4: 3}
    assert rollouts.frame["assistant_turns"].tolist() == [1] * 12


@pytest.mark.parametrize("content", [[{"type": "text", "text": "7"}], "7", ["7"]])
def test_content_in_parts_is_text(content):
    rows = [{"prompt": "p", "completion": [{"role": "assistant", "content": content}],
             "reward": i} for i in range(2)]  # fmt: skip
    assert read_rollouts(jsonl(*rows)).frame["reply"].tolist() == ["7", "7"]


def test_a_row_without_a_task_is_left_out_with_its_line():
    rollouts = read_rollouts(jsonl(*graded([1, 0]), {"reward": 1}, {"task": "", "reward": 1}))
    assert len(rollouts) == 2
    assert [(one.number, "names no task" in one.reason) for one in rollouts.read_report.bad] == [
        (3, True), (4, True)]  # fmt: skip


# --- further neighbours ---------------------------------------------------------------------------


def test_ids_that_stand_for_several_prompts_are_told_apart_by_them():
    # Two shards, each numbered from 0: pooled, an easy and a hard task become one of the band.
    rows = [{"id": i, "prompt": f"{shard} {i}", "reward": int(shard == "easy")}
            for shard in ("easy", "hard") for i in range(3) for _ in range(4)]  # fmt: skip
    rollouts = read_rollouts(jsonl(*rows))
    assert dict(rollouts.read_report.group_sizes) == {4: 6}
    assert rollouts.read_report.columns["task"] == "id + prompt"
    assert any("3 values of 'id' stand for several prompts" in note for note in rollouts.notes)
    assert rollouts.select().report["unanimous_groups"]["as_drawn"] == 6
    assert dict(read_rollouts(jsonl(*rows), task="id").read_report.group_sizes) == {8: 3}


def test_ids_of_talks_are_told_apart_by_their_question():
    rows = [{"id": i, "messages": [{"role": "user", "content": f"{shard} {i}"},
                                   {"role": "assistant", "content": f"{j}"}], "reward": j % 2}
            for shard in "ab" for i in range(3) for j in range(4)]  # fmt: skip
    assert dict(read_rollouts(jsonl(*rows)).read_report.group_sizes) == {4: 6}


def test_a_prompt_that_differs_in_every_try_splits_no_task():
    rows = [{"id": i // 4, "prompt": f"seed {i}", "reward": i % 2} for i in range(12)]
    assert dict(read_rollouts(jsonl(*rows)).read_report.group_sizes) == {4: 3}


def test_a_scenario_may_hold_two_prompts():
    rows = [{"scenario_id": "s", "final_text": f"{i}", "prompt": f"p{i // 4}", "reward": i % 2}
            for i in range(8)]  # fmt: skip
    assert dict(read_rollouts(jsonl(*rows)).read_report.group_sizes) == {8: 1}


@pytest.mark.parametrize("own", ["uuid", "id", "completion_id"])
def test_a_row_with_an_id_of_its_own_that_is_there_twice_counts_once(own):
    rows = [{"task": "t", own: f"u{i}", "completion": "same", "reward": i % 2} for i in range(6)]
    report = read_rollouts(jsonl(*rows, *rows[:2])).read_report
    assert dict(report.group_sizes) == {6: 1}


@pytest.mark.parametrize(
    "names",
    [("Task ID", "Reward", "Response"), ("taskId", "REWARD", "response "),
     ("task-id", " reward", "Response")],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_names_in_another_spelling_are_known(names, kind):
    task, reward, reply = names
    rows = [{task: f"t{i // 2}", reward: i % 2, reply: f"a{i}"} for i in range(4)]
    data = jsonl(*rows)
    if kind == "csv":
        lines = [",".join(names), *(",".join(map(str, row.values())) for row in rows)]
        data = "\n".join(lines).encode()
    report = read_rollouts(data).read_report
    assert dict(report.columns) == {"task": "task_id", "reward": "reward", "reply": "response",
                                    "repeat": ""}  # fmt: skip
    assert any("read under their usual names" in note for note in report.notes)
    assert read_rollouts(data, task=task, reward=reward).reward.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("write", [json.dumps, str], ids=["json", "python"])
def test_messages_in_the_cells_of_a_csv_are_messages(write):
    import csv
    import io

    out = io.StringIO()
    writer = csv.DictWriter(out, ["prompt", "completion", "reward"])
    writer.writeheader()
    for i in range(4):
        prompt = [{"role": "user", "content": f"It's {i // 2}?"}]
        completion = [{"role": "assistant", "content": None, "tool_calls": [{"name": f"f{i}"}]}]
        writer.writerow({"prompt": write(prompt), "completion": write(completion), "reward": i % 2})
    rollouts = read_rollouts(out.getvalue().encode())
    assert rollouts.task_labels.tolist() == ["It's 0?", "It's 1?"]
    assert rollouts.frame["tool_calls"].tolist() == [1] * 4
    assert rollouts.frame["reply"].tolist() == [""] * 4


def test_a_reply_that_is_json_itself_stays_text():
    rows = [{"task": "t", "completion": f'{{"answer": {i}}}', "reward": i} for i in range(2)]
    assert read_rollouts(jsonl(*rows)).frame["reply"].tolist() == ['{"answer": 0}', '{"answer": 1}']


ROWS = [{"step": 1, "prompt": f"p{i // 2}", "completion": f"{i}", "reward": i % 2}
        for i in range(4)]  # fmt: skip
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}


@pytest.mark.parametrize(
    "document",
    [
        {"columns": list(COLUMNS), "data": [list(row.values()) for row in ROWS]},
        {"columns": list(COLUMNS), "index": [0, 1, 2, 3], "data": [list(r.values()) for r in ROWS]},
        {"results": ROWS},
        {"config": {"n": 4}, "rows": ROWS},
        COLUMNS,
        {name: dict(enumerate(column)) for name, column in COLUMNS.items()},
    ],
    ids=["wandb table", "pandas split", "results", "config and rows", "lists", "pandas columns"],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_table_in_one_json_document_is_read(document, indent):
    rollouts = read_rollouts(json.dumps(document, indent=indent).encode())
    assert rollouts.reward.tolist() == [0, 1, 0, 1]
    assert rollouts.task_labels.tolist() == ["p0", "p1"]


def test_a_zip_of_one_file_and_an_inspect_log_in_its_zip_form():
    import io
    import zipfile

    def packed(files):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return out.getvalue()

    rows = jsonl(*graded([1, 0]))
    assert read_rollouts(packed({"run.jsonl": rows})).reward.tolist() == [1, 0]
    samples = {
        f"samples/s{i}_epoch_{e}.json": json.dumps(
            {"id": f"s{i}", "epoch": e, "output": {"completion": f"{e}"}, "error": None,
             "scores": {"match": {"value": "C" if e == 1 else "I"}}})
        for i in range(2) for e in (1, 2)
    }  # fmt: skip
    log = read_rollouts(packed({"header.json": "{}", **samples}))
    assert log.read_report.format == "Inspect log" and log.reward.tolist() == [1, 0, 1, 0]
    with pytest.raises(ReadError, match="zip without samples"):
        read_rollouts(packed({"a.txt": "x", "b.txt": "y"}))
