"""Every format of the list, told by its keys: what is taken for task, reward, reply and repeat."""

import gzip
import io
import json
import subprocess
import sys

import pytest

from whilecore.formats.tables import ReadError
from whilecore.readers import read_rollouts


def jsonl(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def user(text):
    return {"role": "user", "content": text}


def assistant(text, **more):
    return {"role": "assistant", "content": text, **more}


WHILEAI = [
    {"schema_version": "1", "scenario_id": f"sc-{i}", "rollout_index": j, "prompt": "Where?",
     "steps": [{"tool": "get_order", "arguments": {}, "result": "sent"}] * j,
     "final_text": f"Answer {j}.", "reward": (1, 0, None)[j], "finish_reason": "stop",
     "judge_status": ("ok", "ok", "timeout")[j]}
    for i in range(2) for j in range(3)
]  # fmt: skip
EXPORT = [
    {"messages": [{"role": "system", "content": "Help."}, user("Where?"), assistant(f"A{j}")],
     "loss_mask": [0, 0, 1], "reward": j % 2, "prompt": "Where?", "scenario_id": f"s{i}",
     "group_id": f"s{i}", "k": 2, "n0": 1, "n1": 1, "reward_mean": 0.5, "reward_std": 0.5}
    for i in range(2) for j in range(2)
]  # fmt: skip
EXPORT_TRL = [
    {"messages": row["messages"], "reward": row["reward"], "scenario_id": row["scenario_id"]}
    for row in EXPORT
]
TRL = [
    {"step": 12, "prompt": f"user: 3+{i}?", "completion": f"{j}", "accuracy_reward": float(j % 2),
     "format_reward": None if j == 3 else 0.5, "advantage": 0.87}
    for i in range(2) for j in range(4)
]  # fmt: skip
TRL_TABLE = [
    {"step": f"{s}", "prompt": "p", "completion": f"{j}", "reward": j % 2}
    for s in (1, 2) for j in range(4)
]  # fmt: skip
VERIFIERS = [
    {"example_id": i, "prompt": [user(f"3+{i}?")], "completion": [assistant(f"{j}")],
     "answer": "7", "reward": float(j % 2), "error": None, "is_completed": True,
     "is_truncated": j == 2, "stop_condition": "done", "metrics": {"exact": 1.0}, "exact": 1.0,
     "timing": {"total_ms": 12}}
    for i in range(2) for j in range(3)
]  # fmt: skip
TRACES = [
    {"id": f"r{i}{j}", "env": "toy", "task": {"id": f"t{i}", "q": "3+4"},
     "traces": [{"rewards": [{"name": "x", "value": j % 2}, {"name": "f", "value": 0.5}],
                 "nodes": [{"message": user("q"), "sampled": False},
                           {"message": assistant(f"A{j}"), "sampled": True}]}]}
    for i in range(2) for j in range(2)
]  # fmt: skip
VERL = [
    {"input": f"user\n3+{i}?\nassistant\n", "output": f"{j}", "gts": "7",
     "score": (1.0, -1.0)[j % 2], "step": 40, "acc": j % 2 == 0}
    for i in range(2) for j in range(4)
]  # fmt: skip
SKYRL = [
    {"input_prompt": f"3+{i}?", "output_response": f"{j}", "score": [0, 0, float(j % 2)],
     "stop_reason": "stop", "env_class": "toy", "env_extras": {}, "data_source": "toy"}
    for i in range(2) for j in range(2)
]  # fmt: skip
OPEN_INSTRUCT = [
    {"step": s, "sample_idx": j, "prompt_idx": 0, "prompt_tokens": [5, 9],
     "response_tokens": [7, j // 2], "reward": 10.0 * (j % 2), "advantage": 1.0,
     "finish_reason": "stop", "dataset": "toy", "ground_truth": [7]}
    for s in (1, 2) for j in range(4)
]  # fmt: skip
LM_EVAL = [
    {"doc_id": i, "doc": {"q": "2+2?"}, "target": "4", "arguments": {}, "resps": [["4", "5"]],
     "filtered_resps": [["4", "5"]], "filter": name, "metrics": ["exact_match"], "doc_hash": "a1",
     "prompt_hash": "b2", "target_hash": "c3", "exact_match": [1.0, 0.0]}
    for name in ("none", "strict") for i in range(2)
]  # fmt: skip
INSPECT = {
    "version": 2, "status": "success", "eval": {"task": "toy"}, "plan": {}, "results": {},
    "samples": [
        {"id": f"s{i}", "epoch": e + 1, "input": "3+4?", "target": "7",
         "output": {"completion": f"{e}", "stop_reason": "max_tokens" if e == 3 else "stop"},
         "scores": {"match": {"value": "CIPN"[e], "answer": "7"}}, "error": None}
        for i in range(2) for e in range(4)
    ],
}  # fmt: skip
TINKER = [
    {"schema_version": 1, "split": "train", "iteration": s, "group_idx": g, "traj_idx": j,
     "tags": ["toy"], "total_reward": float(j % 2), "final_reward": 1.0, "trajectory_metrics": {},
     "steps": [{"step_idx": k, "ob_len": 9, "ac_len": 4 + j, "reward": 1.0} for k in range(2)]}
    for s in (3, 4) for g in range(2) for j in range(2)
]  # fmt: skip
RLLM = [
    {"idx": i, "attempt": j, "reward": float(j % 2), "is_correct": bool(j % 2)}
    for i in range(2) for j in range(3)
]  # fmt: skip
RLHF_BOOK = [
    {"question": "q1", "completions": ["a", "b", "c"], "rewards": [1, 0, 1]},
    {"question": "q2", "completions": ["a", "b", "d"], "rewards": [0, 0, 0]},
]
POLARIS = [{"index": [0, 0, 1, 1], "score": [1, 0, 1, 1]}] * 2
HUMAN_EVAL = [
    {"task_id": f"HumanEval/{i}", "completion": f"return {j}", "passed": j % 2 == 0}
    for i in range(2) for j in range(3)
]  # fmt: skip
EVAL_PLUS = {
    "date": "x", "hash": "h",
    "eval": {f"HumanEval/{i}": [{"task_id": f"HumanEval/{i}", "solution": f"s{j}",
                                 "base_status": "pass", "plus_status": ("pass", "fail")[j % 2]}
                                for j in range(3)] for i in range(2)},
}  # fmt: skip
CHAT = [
    {"id": f"t{i}", "messages": [user("3+4?"), assistant(f"{j}")], "score": j % 2}
    for i in range(2) for j in range(2)
]  # fmt: skip

# data, format, group sizes, task, reward, reply, repeat, rewards of the first rows, first reply
KNOWN = {
    "whileai rows": (WHILEAI, "whileai rows", {3: 2}, "scenario_id", "reward", "final_text",
                     "rollout_index", [1, 0], "Answer 0."),
    "whileai export openai": (EXPORT, "whileai export", {2: 2}, "group_id", "reward", "messages",
                              "", [0, 1], "A0"),
    "whileai export trl": (EXPORT_TRL, "whileai export", {2: 2}, "scenario_id", "reward",
                           "messages", "", [0, 1], "A0"),
    "TRL table": (TRL_TABLE, "TRL completions", {4: 2}, "step + prompt", "reward", "completion",
                  "", [0, 1], "0"),
    "verifiers results": (VERIFIERS, "verifiers results", {3: 2}, "example_id", "reward",
                          "completion", "", [0, 1], "0"),
    "verifiers traces": (TRACES, "verifiers traces", {2: 2}, "task", "reward", "reply", "",
                         [0.5, 1.5], "A0"),
    "verl": (VERL, "verl rollout dump", {4: 2}, "input", "score", "output", "", [1, -1], "0"),
    "SkyRL": (SKYRL, "SkyRL dump", {2: 2}, "input_prompt", "score", "output_response", "",
              [0, 1], "0"),
    "open-instruct": (OPEN_INSTRUCT, "open-instruct traces", {4: 2}, "step + prompt_idx",
                      "reward", "", "sample_idx", [0, 10], None),
    "lm-eval": (LM_EVAL, "lm-eval samples", {2: 4}, "filter + doc_id", "exact_match", "reply",
                "rollout", [1, 0], "4"),
    "Inspect": (INSPECT, "Inspect log", {4: 2}, "id", "scores.match", "reply", "epoch",
                [1, 0, 0.5, 0], "0"),
    "tinker": (TINKER, "tinker rollout summaries", {2: 4}, "iteration + group_idx",
               "total_reward", "", "traj_idx", [0, 1], None),
    "rllm": (RLLM, "rllm results", {3: 2}, "idx", "reward", "", "attempt", [0, 1], None),
    "rlhf-book": (RLHF_BOOK, "rlhf-book cache", {3: 2}, "question", "rewards", "completions",
                  "rollout", [1, 0, 1, 0], "a"),
    "POLARIS": (POLARIS, "POLARIS steps", {2: 4}, "step + index", "score", "", "rollout",
                [1, 0, 1, 1], None),
    "HumanEval": (HUMAN_EVAL, "HumanEval or EvalPlus samples", {3: 2}, "task_id", "passed",
                  "completion", "", [1, 0], "return 0"),
    "EvalPlus": (EVAL_PLUS, "HumanEval or EvalPlus samples", {3: 2}, "task_id", "plus_status",
                 "solution", "", [1, 0], "s0"),
    "chat": (CHAT, "chat rows", {2: 2}, "id", "score", "messages", "", [0, 1], "0"),
}  # fmt: skip


def packed(rows):
    return json.dumps(rows, indent=1).encode() if isinstance(rows, dict) else jsonl(*rows)


@pytest.mark.parametrize("name", KNOWN)
def test_a_format_is_told_by_its_keys(name):
    rows, form, sizes, task, reward, reply, repeat, rewards, first = KNOWN[name]
    rollouts = read_rollouts(packed(rows))
    report = rollouts.read_report
    assert report.format == form
    assert dict(report.group_sizes) == sizes
    assert dict(report.columns) == {"task": task, "reward": reward, "reply": reply,
                                    "repeat": repeat}  # fmt: skip
    assert rollouts.reward[: len(rewards)].tolist() == rewards
    if first is None:
        assert "reply" not in rollouts.frame
    else:
        assert rollouts.frame["reply"].iloc[0] == first
    told = str(report)
    assert f"task: {task}" in told and f"reward: {reward}" in told and form in told


@pytest.mark.parametrize("name", KNOWN)
def test_an_array_and_a_packed_file_are_read_like_the_lines(name):
    rows = KNOWN[name][0]
    plain = read_rollouts(packed(rows))
    others = [gzip.compress(packed(rows)), io.BytesIO(packed(rows))]
    if isinstance(rows, list):
        others += [json.dumps(rows).encode(), json.dumps(rows, indent=2).encode(),
                   json.dumps({"results": rows}).encode()]  # fmt: skip
    for data in others:
        again = read_rollouts(data)
        assert again.reward.tolist() == pytest.approx(plain.reward.tolist(), nan_ok=True)
        assert again.task_labels.tolist() == plain.task_labels.tolist()


def test_rows_that_timed_out_are_unscored_whatever_their_format():
    rollouts = read_rollouts(jsonl(*WHILEAI))
    assert rollouts.scored.tolist() == [True, True, False] * 2
    assert rollouts.unscored_reasons() == {"judge: timeout": 2}


def test_tool_calls_are_counted_by_the_steps():
    assert read_rollouts(jsonl(*WHILEAI)).frame["tool_calls"].tolist() == [0, 1, 2] * 2


def test_truncated_rollouts_are_marked_by_flag_and_by_stop_reason():
    assert read_rollouts(jsonl(*VERIFIERS)).flag("truncated").tolist() == [False, False, True] * 2
    assert read_rollouts(packed(INSPECT)).flag("truncated").tolist() == [False] * 3 + [
        True] + [False] * 3 + [True]  # fmt: skip


def test_several_reward_columns_are_asked_for():
    with pytest.raises(ReadError, match="accuracy_reward, format_reward. Say which") as caught:
        read_rollouts(jsonl(*TRL))
    assert caught.value.columns == ("accuracy_reward", "format_reward")


def test_a_sum_of_rewards_leaves_out_what_abstains():
    rollouts = read_rollouts(jsonl(*TRL), reward=("accuracy_reward", "format_reward"))
    # 0 + .5, 1 + .5, 0 + .5, 1 + nothing
    assert rollouts.reward[:4].tolist() == [0.5, 1.5, 0.5, 1.0]
    assert any("2 rows have no value in some reward column" in one for one in rollouts.notes)
    weighted = read_rollouts(jsonl(*TRL), reward={"accuracy_reward": 1.0, "format_reward": 0.2})
    assert weighted.reward[:4].tolist() == pytest.approx([0.1, 1.1, 0.1, 1.0])
    assert weighted.read_report.columns["reward"] == "accuracy_reward + 0.2 × format_reward"
    single = read_rollouts(jsonl(*TRL), reward="format_reward")
    assert single.scored.tolist() == [True, True, True, False] * 2


def test_a_row_on_which_all_rewards_abstain_is_unscored():
    rows = [{**row, "accuracy_reward": None} for row in TRL]
    rollouts = read_rollouts(jsonl(*rows), reward=("accuracy_reward", "format_reward"))
    assert rollouts.scored.tolist() == [True, True, True, False] * 2


def test_a_prompt_drawn_twice_in_a_step_is_two_groups_where_the_blocks_say_so():
    rows = [{**row, "reward": 1.0} for row in TRL]
    twice = rows[:4] + rows[4:] + rows[:4]
    report = read_rollouts(jsonl(*twice)).read_report
    assert dict(report.group_sizes) == {4: 3}
    assert any("drawn more than once in a step" in note for note in report.notes)


def test_an_interleaved_order_is_grouped_by_the_prompt_all_the_same():
    rows = [{**row, "reward": 1.0} for row in TRL]
    mixed = [row for pair in zip(rows[:4], rows[4:], strict=True) for row in pair]
    assert dict(read_rollouts(jsonl(*mixed)).read_report.group_sizes) == {4: 2}


def test_equal_token_lists_are_copies_although_there_is_no_text():
    rollouts = read_rollouts(jsonl(*OPEN_INSTRUCT))
    # tokens [7, 0] twice and [7, 1] twice in either step
    assert rollouts.select(pass_at_least=5).report["row_fates"]["duplicate"] == 4
    assert any("no text" in note for note in rollouts.notes)
    assert rollouts.frame["reply_tokens"].tolist() == [2] * 8


def test_lm_eval_with_one_answer_per_document_says_that_there_is_nothing_to_compare():
    rows = [{**row, "filtered_resps": ["4"], "resps": [["4"]], "exact_match": 1.0}
            for row in LM_EVAL]  # fmt: skip
    with pytest.raises(ReadError, match="by 'filter . doc_id', 4 of 4 groups hold a single row"):
        read_rollouts(jsonl(*rows))


def test_scorers_of_inspect_are_asked_for_if_there_are_two():
    samples = [{**one, "scores": {**one["scores"], "judge": {"value": 0.5}}}
               for one in INSPECT["samples"]]  # fmt: skip
    data = json.dumps({**INSPECT, "samples": samples}).encode()
    with pytest.raises(ReadError, match="scores.match, scores.judge"):
        read_rollouts(data)
    assert set(read_rollouts(data, reward="scores.judge").reward) == {0.5}
    assert read_rollouts(data, reward="scores.match").reward[:4].tolist() == [1, 0, 0.5, 0]


def test_an_inspect_sample_that_broke_is_unscored():
    samples = [dict(one) for one in INSPECT["samples"]]
    samples[0]["error"] = {"message": "sandbox died", "traceback": "..."}
    rollouts = read_rollouts(json.dumps({**INSPECT, "samples": samples}).encode())
    assert rollouts.frame["error"].iloc[0] == "sandbox died"
    assert not rollouts.scored[0] and rollouts.scored[1:].all()


@pytest.mark.parametrize("more", [{}, {"prompt": "a"}, {"reward": 1}])
def test_preference_pairs_are_refused_with_the_reason(more):
    with pytest.raises(ReadError, match="one pair is not a group"):
        read_rollouts(jsonl({"chosen": "x", "rejected": "y", **more}))


def test_an_empty_reference_is_found_under_its_other_names():
    rows = [{**row, "answer": "" if row["example_id"] else "7", "reward": 1.0}
            for row in VERIFIERS]  # fmt: skip
    text = str(read_rollouts(jsonl(*rows)).select())
    assert "all-pass groups with an empty reference (column 'reference'): 1, 2 rows" in text or (
        "all-pass groups with an empty reference" in text)  # fmt: skip
    blank = [{**row, "answer": "", "reward": 1.0} for row in VERIFIERS]
    assert "reference" not in read_rollouts(jsonl(*blank)).frame


def test_keywords_override_every_choice():
    rows = [{"id": i, "kind": "k", "p": f"p{i // 2}", "reward": 0, "mark": i % 2, "said": f"s{i}",
             "text": "t", "n": i % 2} for i in range(4)]  # fmt: skip
    rollouts = read_rollouts(jsonl(*rows), task="p", reward="mark", reply="said", rollout="n")
    assert rollouts.task_labels.tolist() == ["p0", "p1"]
    assert rollouts.reward.tolist() == [0, 1, 0, 1]
    assert rollouts.frame["reply"].tolist() == ["s0", "s1", "s2", "s3"]
    assert rollouts.frame["rollout"].tolist() == [0, 1, 0, 1]
    both = read_rollouts(jsonl(*rows), task=("kind", "p"))
    assert both.task_labels.tolist() == ["kind k · p0", "kind k · p1"]


def test_a_dotted_name_reaches_into_a_cell():
    rows = [{"info": {"id": i // 2}, "out": {"score": {"final": i % 2}}} for i in range(4)]
    rollouts = read_rollouts(jsonl(*rows), task="info.id", reward="out.score.final")
    assert rollouts.task_labels.tolist() == ["0", "1"]
    assert rollouts.reward.tolist() == [0, 1, 0, 1]
    with pytest.raises(ReadError, match="no column 'info.name'; the file has: info, out"):
        read_rollouts(jsonl(*rows), task="info.name", reward="out.score.final")


def test_other_columns_that_could_be_meant_are_named():
    rows = [{"task": f"t{i // 2}", "reward": i % 2, "score": 0.5, "completion": "a",
             "response": "b"} for i in range(4)]  # fmt: skip
    report = read_rollouts(jsonl(*rows)).read_report
    assert report.others["reward"] == ("score",) and report.others["reply"] == ("response",)
    assert "reward: reward (also there: score)" in str(report)


def test_a_column_with_one_of_our_names_and_another_meaning_is_kept_aside():
    rows = [{"example_id": i // 2, "task": "toy", "refusal": 0.3 * i, "reward": i % 2}
            for i in range(4)]  # fmt: skip
    rollouts = read_rollouts(jsonl(*rows), task="example_id")
    assert rollouts.frame["task_in_file"].tolist() == ["toy"] * 4
    assert rollouts.frame["refusal_in_file"].tolist() == pytest.approx([0, 0.3, 0.6, 0.9])
    assert any("refusal" in note for note in rollouts.notes)


# --- Parquet --------------------------------------------------------------------------------------


def parquet(rows, **options):
    pa = pytest.importorskip("pyarrow", reason="reading Parquet needs pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out, **options)
    return out.getvalue()


@pytest.mark.parametrize("name", ["verifiers results", "TRL table", "verl", "chat", "rllm"])
def test_parquet_is_read_like_the_lines(name):
    rows = KNOWN[name][0]
    plain, again = read_rollouts(jsonl(*rows)), read_rollouts(parquet(rows))
    assert again.reward.tolist() == plain.reward.tolist()
    assert again.task_labels.tolist() == plain.task_labels.tolist()
    assert again.read_report.container == "Parquet"
    assert again.select(pass_at_least=0.5).report == plain.select(pass_at_least=0.5).report
    packed_once_more = read_rollouts(gzip.compress(parquet(rows)))
    assert packed_once_more.reward.tolist() == plain.reward.tolist()


def test_short_floats_of_parquet_keep_their_numeral():
    pa = pytest.importorskip("pyarrow", reason="reading Parquet needs pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    reward = pa.array([0.7, 0.1], pa.float32())
    pq.write_table(pa.table({"task": ["a", "a"], "reward": reward}), out)
    assert read_rollouts(out.getvalue()).reward.tolist() == [0.7, 0.1]


def test_a_broken_parquet_file_is_refused_with_a_sentence():
    with pytest.raises(ReadError, match="broken Parquet file: .*write it again"):
        read_rollouts(parquet(RLLM)[:100])


def test_without_pyarrow_the_message_says_what_to_install_or_to_save():
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import whilecore\n"
        "try: whilecore.read_rollouts(b'PAR1xxxxxxxxPAR1')\n"
        "except ValueError as error: print(error)\n"
        'print(len(whilecore.read_rollouts(b\'{"task":"a","reward":1}\')))'
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'whilecore[parquet]'" in told.stdout and "JSON lines" in told.stdout
    assert told.stdout.split()[-1] == "1"


def test_importing_the_package_loads_neither_pyarrow_nor_dask():
    code = "import whilecore, sys; print({'pyarrow', 'dask', 'distributed'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # pandas itself looks for pyarrow where it is installed
    pandas_code = code.replace("whilecore", "pandas")
    pandas_alone = subprocess.run(
        [sys.executable, "-c", pandas_code], capture_output=True, text=True, check=True
    )
    assert told.stdout == pandas_alone.stdout
