"""Exports: what trainers read, the control beside it, the manifest, and files that are never half.

TRL's documented columns: SFTTrainer takes ``messages``, or ``prompt`` and ``completion`` (both
texts or both lists of messages); GRPOTrainer takes ``prompt`` and hands on every other column.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from tests.counting import calls
from whilecore import Rollouts, training_rows
from whilecore.control import control_rows, control_tasks
from whilecore.export import beside, describe, export, read_manifest, write_files
from whilecore.readers import read_rollouts, sample


def chat_rows(tasks=8, tries=4):
    """Rows of a tool user: a call, its result, an answer; the pass rate differs by task."""
    rows = []
    for task in range(tasks):
        for j in range(tries):
            call = {"name": "get_order", "arguments": f'{{"id": {task}}}'}
            rows.append({
                "task_id": f"t{task}",
                "messages": [
                    {"role": "system", "content": "Help."},
                    {"role": "user", "content": f"Where is order {task}?"},
                    {"role": "assistant", "content": None, "tool_calls": [call]},
                    {"role": "tool", "content": "sent"},
                    {"role": "assistant", "content": f"It was sent, {'very ' * j}surely."},
                ],
                "reward": int(j < task % (tries + 1)),
                "answer": f"sent {task}",
            })  # fmt: skip
    return rows


@pytest.fixture
def rollouts():
    return read_rollouts("".join(json.dumps(row) + "\n" for row in chat_rows()).encode())


def written(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def is_message(one):
    return isinstance(one, dict) and isinstance(one["role"], str) and (
        one["content"] is None or isinstance(one["content"], str)
    )  # fmt: skip


# --- rows for trainers ----------------------------------------------------------------------------


def test_sft_writes_conversations_as_sfttrainer_reads_them(rollouts, tmp_path):
    selection = rollouts.select("sft")
    export(selection, tmp_path / "sft.jsonl")
    rows = written(tmp_path / "sft.jsonl")
    # tasks 1 to 4 and 6 to 7 have a pass; task % 5 = 0 has none
    assert len(rows) == len(selection) == 6
    for row in rows:
        assert list(row) == ["messages", "task", "reward"]
        assert all(is_message(one) for one in row["messages"])
        assert [one["role"] for one in row["messages"]] == [
            "system", "user", "assistant", "tool", "assistant"]  # fmt: skip
        assert row["reward"] == 1.0
    call = rows[0]["messages"][2]["tool_calls"][0]
    assert call == {"type": "function", "function": {"name": "get_order",
                                                     "arguments": '{"id": 1}'}}  # fmt: skip


def test_prompt_and_completion_are_split_where_the_model_begins(rollouts, tmp_path):
    export(rollouts.select("sft"), tmp_path / "pc.jsonl", form="prompt-completion")
    for row in written(tmp_path / "pc.jsonl"):
        assert [one["role"] for one in row["prompt"]] == ["system", "user"]
        assert [one["role"] for one in row["completion"]] == ["assistant", "tool", "assistant"]


def test_plain_texts_are_there_for_base_models(rollouts, tmp_path):
    export(rollouts.select("sft"), tmp_path / "pc.jsonl", form="prompt-completion", chat=False)
    row = written(tmp_path / "pc.jsonl")[0]
    assert row["prompt"] == "Where is order 1?" and row["completion"] == "It was sent, surely."


def test_rl_writes_one_prompt_per_kept_task_as_grpotrainer_reads_them(rollouts, tmp_path):
    selection = rollouts.select("rl")
    export(selection, tmp_path / "rl.jsonl")
    rows = written(tmp_path / "rl.jsonl")
    kept = rollouts.task_labels[np.unique(rollouts.task_codes[selection.kept])]
    assert [row["task"] for row in rows] == list(kept) == ["t1", "t2", "t3", "t6", "t7"]
    assert rows[0]["prompt"] == [{"role": "system", "content": "Help."},
                                 {"role": "user", "content": "Where is order 1?"}]  # fmt: skip
    assert [row["mean_reward"] for row in rows] == [0.25, 0.5, 0.75, 0.25, 0.5]
    assert rows[0]["tries"] == 4 and rows[0]["reference"] == "sent 1"


def test_rl_writes_the_kept_rollouts_if_asked(rollouts, tmp_path):
    selection = rollouts.select("rl")
    export(selection, tmp_path / "rl.jsonl", form="messages")
    rows = written(tmp_path / "rl.jsonl")
    assert [row["reward"] for row in rows] == rollouts.reward[selection.kept].tolist()


def test_rows_of_text_become_messages(tmp_path):
    data = Rollouts.from_records(
        {"task": "a", "prompt": "Q", "reply": f"A{j}", "reward": j} for j in range(2)
    )
    export(data.select("sft"), tmp_path / "a.jsonl")
    assert written(tmp_path / "a.jsonl")[0]["messages"] == [
        {"role": "user", "content": "Q"}, {"role": "assistant", "content": "A1"}]  # fmt: skip


def test_half_an_emoji_and_nan_do_not_break_the_lines(tmp_path):
    data = Rollouts.from_records(
        {"task": "a", "prompt": "Q \ud83d", "reply": f"line\u2028two {j}", "reward": j}
        for j in range(2)
    )
    export(data.select("sft"), tmp_path / "a.jsonl")
    (row,) = [json.loads(line) for line in (tmp_path / "a.jsonl").read_bytes().split(b"\n")[:-1]]
    assert row["messages"][1]["content"] == "line\u2028two 1"


@pytest.mark.parametrize("form", [None, "messages", "prompt-completion", "prompt"])
@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_a_file_of_figures_has_nothing_to_train_on(mode, form, tmp_path):
    from whilecore import printed_run

    with pytest.raises(ValueError, match="no prompts.*give the file with the texts"):
        export(printed_run().select(mode), tmp_path / "x.jsonl", form=form)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_form_is_refused(rollouts, tmp_path):
    with pytest.raises(ValueError, match="form must be one of messages, prompt-completion, prompt"):
        export(rollouts.select("sft"), tmp_path / "x.jsonl", form="text")


def test_a_selection_of_nothing_is_refused(tmp_path):
    data = Rollouts.from_records({"task": "a", "prompt": "Q", "reward": 1} for _ in range(3))
    with pytest.raises(ValueError, match="kept no row"):
        export(data.select("rl"), tmp_path / "x.jsonl")


def test_datasets_reads_every_form(rollouts, tmp_path):
    datasets = pytest.importorskip("datasets", reason="the Hugging Face library is not installed")
    for form in training_rows.FORMS:
        export(rollouts.select("sft"), tmp_path / f"{form}.jsonl", form=form)
        table = datasets.Dataset.from_json(str(tmp_path / f"{form}.jsonl"))
        assert len(table) == 6


# --- the control ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["messages", "prompt-completion", "prompt"])
@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_the_control_is_as_long_as_the_selection_and_drawn_from_all_tasks(mode, form, tmp_path):
    data = read_rollouts("".join(json.dumps(row) + "\n" for row in chat_rows(60)).encode())
    done = export(data.select(mode), tmp_path / "a.jsonl", form=form)
    rows, control = written(done.output), written(done.control)
    assert len(rows) == len(control) == done.counts["lines"] == done.counts["control_lines"]
    kept, drawn = {row["task"] for row in rows}, {row["task"] for row in control}
    assert drawn - kept  # a random pick holds tasks that the selection dropped
    assert list(rows[0]) == list(control[0])


def test_forty_of_a_hundred_tasks_are_drawn_by_the_seed_and_not_by_the_order_of_rows():
    # R61, github.com/asuzukosi/post-training-experiments/issues/8: the random arm may win
    records = [{"task": f"t{i}", "rollout": j, "reward": float(j < (2 if i < 40 else 0)),
                "reply": f"{i} {j}"} for i in range(100) for j in range(4)]  # fmt: skip
    selection = Rollouts.from_records(records).select()
    assert selection.report["groups_kept"] == 40
    drawn = control_tasks(selection, seed=1)
    assert len(drawn) == 40 and len(np.unique(drawn)) == 40
    labels = selection.source.task_labels[drawn].tolist()
    np.random.default_rng(0).shuffle(records)
    again = Rollouts.from_records(records).select()
    assert again.source.task_labels[control_tasks(again, seed=1)].tolist() == labels
    assert again.source.task_labels[control_tasks(again, seed=2)].tolist() != labels
    # 40 of 100 at random: 16 of them in the band on average, hypergeometric std 2.4
    in_band = sum(int(label[1:]) < 40 for label in labels)
    assert 6 <= in_band <= 26


def test_the_rl_control_holds_whole_tasks_but_for_the_last():
    records = [{"task": f"t{i}", "rollout": j, "reward": float(j < (2 if i < 10 else 0)),
                "reply": f"{i} {j}"} for i in range(30) for j in range(4)]  # fmt: skip
    selection = Rollouts.from_records(records).select()
    rows = control_rows(selection, seed=3)
    sizes = np.bincount(selection.source.task_codes[rows])
    assert len(rows) == len(selection) == 40 and sorted(set(sizes)) == [0, 4]


def test_the_control_takes_no_row_that_no_training_set_may_hold():
    records = [{"task": f"t{i}", "reward": 1.0, "reply": f"{i} {j}", "leak": j == 0,
                "truncated": j == 1} for i in range(9) for j in range(4)]  # fmt: skip
    selection = Rollouts.from_records(records).select("sft")
    rows = control_rows(selection)
    assert len(rows) == 9 and set(rows % 4) <= {2, 3}
    assert len(np.unique(selection.source.task_codes[rows])) == 9


# --- the manifest ---------------------------------------------------------------------------------


def test_the_manifest_vouches_for_the_files(rollouts, tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in chat_rows()))
    done = export(rollouts.select("rl", band=(0.3, 0.8)), tmp_path / "a.jsonl",
                  settings={"band": "0.3,0.8"}, source=describe(source))  # fmt: skip
    about = read_manifest(done.manifest)
    assert about["input"]["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert about["settings"]["band"] == "0.3,0.8" and about["settings"]["mode"] == "rl"
    for name, file in about["files"].items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == file["sha256"]
    # of 8 tasks, rates 0 .25 .5 .75 1 0 .25 .5 lie on either side of .3 to .8
    assert about["counts"]["kept_tasks"] == 3 and about["report"]["too_hard_groups"] == 2
    assert about["versions"]["whilecore"] and "compare on tasks in neither" in about["compare"]


def test_a_file_that_is_no_manifest_is_refused(tmp_path):
    (tmp_path / "x.json").write_text('{"kind": "other"}')
    with pytest.raises(ValueError, match="no manifest of an export"):
        read_manifest(tmp_path / "x.json")
    with pytest.raises(ValueError, match="no manifest that can be read"):
        read_manifest(tmp_path / "nope.json")


# --- never half a file ----------------------------------------------------------------------------


def test_a_file_that_is_there_is_not_overwritten_unless_forced(rollouts, tmp_path):
    selection = rollouts.select("sft")
    for name in ("a.jsonl", "a.control.jsonl", "a.manifest.json"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(FileExistsError, match=f"{name}.* is there already; .*--force"):
            export(selection, tmp_path / "a.jsonl")
        assert (tmp_path / name).read_text() == "mine"
        assert [path.name for path in tmp_path.iterdir()] == [name]
        (tmp_path / name).unlink()
    (tmp_path / "a.jsonl").write_text("mine")
    export(selection, tmp_path / "a.jsonl", force=True)
    assert len(written(tmp_path / "a.jsonl")) == 6


def test_whoever_comes_first_keeps_the_name(tmp_path):
    def late():
        yield b"ours"
        (tmp_path / "a").write_text("theirs")

    with pytest.raises(FileExistsError, match="written meanwhile"):
        write_files({tmp_path / "a": late()})
    assert (tmp_path / "a").read_text() == "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_an_error_half_way_leaves_nothing_behind(tmp_path):
    def breaks():
        yield b"half"
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        write_files({tmp_path / "a": b"whole", tmp_path / "b": breaks()})
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path):
    write_files({tmp_path / "a": b"x"})
    (tmp_path / "b").write_bytes(b"x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def run(code, tmp_path, **options):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="limits of file size are a matter of POSIX")
def test_a_full_disk_leaves_no_half_file(tmp_path):
    code = """
        import resource, sys
        from pathlib import Path
        from whilecore.export import write_files
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        folder = Path(sys.argv[1])
        try:
            write_files({folder / "small": b"x", folder / "big": [b"x" * 60_000] * 3})
        except OSError as error:
            print("refused:", error.strerror)
    """
    process = run(code, tmp_path)
    out, err = process.communicate(timeout=60)
    assert "refused: File too large" in out, err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a matter of POSIX")
def test_a_killed_process_leaves_no_half_file_under_the_final_name(tmp_path):
    code = """
        import sys, time
        from pathlib import Path
        from whilecore.export import write_files
        def slow():
            yield b"half" * 20_000
            print("writing", flush=True)
            time.sleep(60)
        folder = Path(sys.argv[1])
        write_files({folder / "a.jsonl": slow(), folder / "b.jsonl": b"x"}, force=True)
    """
    (tmp_path / "b.jsonl").write_text("before")
    process = run(code, tmp_path)
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    process.stdout.close()
    process.stderr.close()
    left = sorted(path.name for path in tmp_path.iterdir())
    assert "a.jsonl" not in left and (tmp_path / "b.jsonl").read_text() == "before"
    assert all(name == "b.jsonl" or (name.startswith(".") and name.endswith(".part"))
               for name in left)  # fmt: skip


def test_the_samples_are_small_made_by_their_script_and_have_their_faults():
    from tests.make_samples import SAMPLES as MADE
    from whilecore.readers import SAMPLES

    assert list(MADE) == list(SAMPLES)
    for name, make in MADE.items():
        data = sample(name)
        assert data == make().encode() and len(data) < 60_000
    with pytest.raises(ValueError, match="the samples are .*; got 'x'"):
        sample("x")
    report = read_rollouts(sample("crashes_scored_zero.jsonl")).read_report
    assert [one.number for one in report.bad] == [41, 78]
    assert report.unscored["error"] == 9 and len(report.unscored) > 2
    with pytest.raises(ValueError, match="task='ticket'"):
        read_rollouts(sample("every_try_its_own_id.csv"))
    mended = read_rollouts(sample("every_try_its_own_id.csv"), task="ticket")
    assert dict(mended.read_report.group_sizes) == {4: 25}
    with pytest.raises(ValueError, match="correct_reward, style_reward"):
        read_rollouts(sample("two_steps_two_rewards.jsonl"))
    style = read_rollouts(sample("two_steps_two_rewards.jsonl"), reward="style_reward")
    assert dict(style.read_report.group_sizes) == {8: 24}
    assert any("reply length" in one for one in style.select(band=(0, 1)).report["warnings"])


def test_twice_the_rows_are_twice_the_work_to_export(tmp_path):
    def work(tasks: int) -> int:
        rows = chat_rows(tasks=tasks)
        data = read_rollouts("".join(json.dumps(row) + "\n" for row in rows).encode())
        selection, path = data.select("rl"), tmp_path / f"{tasks}.jsonl"
        return calls(lambda: export(selection, path, form="messages"))

    work(10)
    assert work(400) / work(200) < 2.1


def test_the_names_beside_an_output():
    from pathlib import Path

    assert [path.name for path in beside(Path("x/data"))] == ["data.control.jsonl",
                                                              "data.manifest.json"]  # fmt: skip
