"""CSV and JSONL files of graded rollouts."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from whilecore import Rollouts, read_rollouts

RUNS = sorted((Path(__file__).parent / "data" / "peer_runs").glob("*.csv"))


@pytest.fixture
def write(tmp_path):
    """Write a file of text or bytes and return its path."""

    def made(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return made


def lines(*records):
    return "\n".join(json.dumps(record) for record in records)


# --- CSV ------------------------------------------------------------------------------------------


def test_a_csv_by_hand(write):
    text = 'task,rollout,reward,reply,leak\na,0,1,Hi.,\na,1,0,"Two\nlines, é",1\nb,0,,Ho.,0\n'
    rollouts = read_rollouts(write("run.csv", text))
    assert rollouts.frame["task"].tolist() == ["a", "a", "b"]
    assert rollouts.scored.tolist() == [True, True, False]
    assert rollouts.frame["reply"].tolist() == ["Hi.", "Two\nlines, é", "Ho."]
    assert rollouts.flag("leak").tolist() == [False, True, False]


def test_labels_stay_as_they_are_written(write):
    text = "task,reply_key,reward\n007,01,1\n7,1,0\nNA,x,1\nnull,x,0\n1.0,x,1\nTrue,x,0\n"
    rollouts = read_rollouts(write("run.csv", text), task="task")
    assert rollouts.task_labels.tolist() == ["007", "7", "NA", "null", "1.0", "True"]
    assert rollouts.frame["reply_key"].tolist()[:2] == ["01", "1"]


def test_a_csv_of_a_windows_program(write):
    text = "\ufefftask,reward\r\na,1\r\na,0\r\n"
    rollouts = read_rollouts(write("RUN.CSV", text))
    assert list(rollouts.frame.columns[:2]) == ["task", "reward"]
    assert rollouts.reward.tolist() == [1.0, 0.0]


def test_one_cell_that_is_no_number_costs_one_row(write):
    rollouts = read_rollouts(write("run.csv", "task,reward\na,1\na,0.25\na,oops\na,0\n"))
    assert rollouts.scored.tolist() == [True, True, False, True]
    assert rollouts.unscored_reasons() == {"not a number: oops": 1}
    signed = read_rollouts(write("signed.csv", "task,reward\na,1\na,-1\na,oops\n"))
    assert signed.reward[:2].tolist() == [1.0, -1.0]


def test_a_header_alone_is_no_rows(write):
    assert len(read_rollouts(write("run.csv", "task,reward\n"))) == 0


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_csv_read_by_pandas_is_the_same(path):
    ours, theirs = read_rollouts(path), Rollouts.from_frame(pd.read_csv(path))
    for mode in ("rl", "sft"):
        assert ours.select(mode).fate.tolist() == theirs.select(mode).fate.tolist()
        assert ours.select(mode).report == theirs.select(mode).report


@pytest.mark.parametrize("path", RUNS[:3], ids=lambda path: path.stem)
@pytest.mark.parametrize("kind", ["tuple", "text", "number"])
def test_a_key_made_by_hand_gives_the_same_copies(path, kind):
    frame = pd.read_csv(path)
    triples = list(zip(frame["ask"], frame["reply"], frame["behavior"], strict=True))
    key = {
        "tuple": triples,
        "text": ["|".join(map(str, one)) for one in triples],
        "number": pd.factorize(pd.Series(triples))[0],
    }[kind]
    plain = Rollouts.from_frame(frame).select()
    keyed = Rollouts.from_frame(frame.drop(columns="reply").assign(reply_key=key)).select()
    assert plain.fate.tolist() == keyed.fate.tolist()


def test_what_was_written_is_read_again(write, tmp_path):
    rollouts = read_rollouts(RUNS[0])
    rollouts.frame.to_csv(tmp_path / "again.csv", index=False)
    again = read_rollouts(tmp_path / "again.csv")
    assert again.select().report == rollouts.select().report
    write("again.jsonl", lines(*rollouts.rows))
    assert read_rollouts(tmp_path / "again.jsonl").select().report == rollouts.select().report


# --- JSONL ----------------------------------------------------------------------------------------


def test_jsonl_by_hand(write):
    text = (
        lines({"task": "a", "reward": 1, "reply": "你好"}, {"task": "a", "reward": None}) + "\n\n"
    )
    rollouts = read_rollouts(write("run.jsonl", text))
    assert rollouts.scored.tolist() == [True, False]
    assert rollouts.frame["reply_chars"].tolist() == [2, 0]
    assert rollouts.notes == ()


def test_a_byte_order_mark_belongs_to_no_key(write):
    # R62
    text = b'\xef\xbb\xbf{"task":"a","reward":1}\n{"task":"a","reward":0}\n'
    rollouts = read_rollouts(write("run.jsonl", text))
    assert len(rollouts) == 2 and list(rollouts.frame.columns[:2]) == ["task", "reward"]


def test_nan_infinity_and_a_broken_line(write):
    # R64: 1 scored, 2 unscored, line 4 reported, the rest loads
    text = '{"task":"a","reward":NaN}\n{"task":"a","reward":Infinity}\n{"task":"a","reward":1}\n{"t'
    rollouts = read_rollouts(write("run.jsonl", text))
    assert rollouts.scored.tolist() == [False, False, True]
    assert rollouts.unscored_reasons() == {"not finite": 2}
    (note,) = rollouts.notes
    assert note == "1 lines of run.jsonl were left out: line 4"
    assert rollouts.pass_at.pass_at_1 == 1.0
    assert note in str(rollouts.select())


@pytest.mark.parametrize("line", [b"[1]", b"3", b"nope", b"\xff\xfe", b"[" * 5000])
def test_a_line_that_holds_no_object_is_left_out_with_its_number(write, line):
    text = b'{"task":"a"}\r\n\r\n' + line + b'\r\n{"task":"b"}'
    rollouts = read_rollouts(write("run.jsonl", text))
    assert rollouts.frame["task"].tolist() == ["a", "b"]
    assert rollouts.notes[0].endswith("left out: line 3")


def test_many_bad_lines_are_counted_and_ten_are_named(write):
    rollouts = read_rollouts(write("run.jsonl", "x\n" * 30 + '{"task": "a"}'))
    assert rollouts.notes[0].startswith("30 lines") and rollouts.notes[0].endswith("9, 10, ...")


def test_half_an_emoji_and_a_line_separator_inside_a_string(write):
    text = '{"task":"a","reply":"x\u2028y \\ud83d","reward":1}\n{"task":"a","reply":"z","reward":0}'
    rollouts = read_rollouts(write("run.jsonl", text))
    assert rollouts.frame["reply"].tolist() == ["x\u2028y \ud83d", "z"]
    assert rollouts.select().report["kept"] == 2


# --- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
@pytest.mark.parametrize("name", ["run.jsonl", "run.csv"])
def test_an_empty_file_is_refused(write, name, content):
    with pytest.raises(ValueError, match=f"{name} is empty; "):
        read_rollouts(write(name, content))


def test_a_file_in_which_nothing_can_be_read_is_refused(write):
    with pytest.raises(ValueError, match="no line of run.jsonl .* and 1 more; every line must"):
        read_rollouts(write("run.jsonl", "a\nb\n"))


def test_a_csv_line_with_too_many_cells_is_left_out_with_its_number(write):
    rollouts = read_rollouts(write("run.csv", 'task,reward\na,1\n"a\nb",1\na,1,2\na,0\n'))
    assert rollouts.reward.tolist() == [1.0, 1.0, 0.0]
    (bad,) = rollouts.read_report.bad
    assert (bad.number, bad.reason) == (5, "has 3 cells where the header has 2")


def test_bytes_that_are_not_utf8_are_replaced_and_said(write):
    rollouts = read_rollouts(write("run.csv", b"task,reply\na,\xff\na,x\n"))
    assert rollouts.frame["reply"].tolist() == ["\ufffd", "x"]
    assert any("not UTF-8" in what for what in rollouts.read_report.coerced)


def test_a_file_of_another_kind_is_refused(write):
    with pytest.raises(ValueError, match="run.parquet is no JSON lines, .* one JSON object per"):
        read_rollouts(write("run.parquet", "x"))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file at .*nope.csv; give the path of a JSONL"):
        read_rollouts(tmp_path / "nope.csv")
    with pytest.raises(ValueError, match="is a folder; give one file in it"):
        read_rollouts(tmp_path)


def test_the_path_may_be_text(write):
    path = str(write("run.csv", "task,reward\na,1\na,0\n"))
    assert read_rollouts(path).reward.tolist() == [1.0, 0.0]


def test_a_file_without_tasks_says_which_columns_it_has(write):
    with pytest.raises(ValueError, match="columns: note, reward.*name it: task='column'"):
        read_rollouts(write("run.csv", "note,reward\na,1\n"))


def test_a_large_csv_of_mixed_cells_is_read_in_one_piece(write):
    # In chunks pandas would warn of mixed types and give 1 and "1" in one column.
    body = "".join(f"t{i // 4},{i % 2},{i if i < 150_000 else 'x'}\n" for i in range(200_000))
    rollouts = read_rollouts(write("run.csv", "task,reward,tag\n" + body))
    assert len(rollouts) == 200_000 and rollouts.n_tasks == 50_000
    assert rollouts.select().report["kept"] == 200_000
    assert np.isin(rollouts.frame["tag"].iloc[[0, -1]], ["0", "x"]).all()
