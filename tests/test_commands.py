"""``whilecore report`` and ``whilecore export``, run as a person runs them."""

import json
import os
import pty
import subprocess
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import whilecore
from tests.counting import calls
from tests.running import command
from whilecore import commands
from whilecore.cli import main
from whilecore.readers import SAMPLES, sample

PRINTED = Path(whilecore.__file__).parent / "data" / "printed_run.csv"


def run(*arguments):
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture
def write(tmp_path):
    def made(rows, name="rows.jsonl"):
        path = tmp_path / name
        if isinstance(rows, bytes):
            path.write_bytes(rows)
        else:
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return made


def graded(*groups, **more):
    return [{"task": f"t{i}", "prompt": f"Q{i}", "completion": f"A{i}{j}", "reward": reward, **more}
            for i, group in enumerate(groups) for j, reward in enumerate(group)]  # fmt: skip


# --- report ---------------------------------------------------------------------------------------


def test_the_report_says_how_the_file_was_read_then_pass_at_1_then_both_modes():
    told = run("report", PRINTED)
    assert told.exit_code == 0, told.output
    places = [told.output.index(one) for one in (
        "printed_run.csv: figures, CSV, 64 rows", "groups: 16 groups of 4", "pass@1 0.67 [0.53",
        "rl selection: kept 29 of 64 rows", "noise floor", "warning: the reward falls with reply",
        "sft selection: kept 16 of 64 rows")]  # fmt: skip
    assert places == sorted(places)
    assert told.stderr == ""


@pytest.mark.parametrize(("mode", "absent"), [("rl", "sft selection"), ("sft", "rl selection")])
def test_one_mode_is_told_alone(mode, absent):
    told = run("report", PRINTED, "--mode", mode)
    assert f"{mode} selection" in told.output and absent not in told.output


def test_options_reach_the_selection():
    narrow = run("report", PRINTED, "--band", "30%..70%", "--mode", "rl")
    assert "band 30%..70% pass rate: " in narrow.output
    surviving = run("report", PRINTED, "--measure-on", "surviving", "--mode", "rl")
    assert "on surviving rows" in surviving.output


def test_json_holds_the_same_numbers_and_nothing_that_is_no_json(write):
    told = run("report", PRINTED, "--json")
    found = json.loads(told.output, parse_constant=lambda name: pytest.fail(name))
    assert found["read"]["group_sizes"] == {"4": 16}
    assert found["rl"]["kept"] == 29 and found["sft"]["kept"] == 16
    assert found["pass_at"]["pass_at_1"] == pytest.approx(0.672, abs=1e-3)
    assert found["rl"]["correlations"]["refusal"]["within"] is None
    lone = write(graded([1, 0]))
    assert json.loads(run("report", lone, "--json").output)["pass_at"]["pass_at_1_interval"] is None


def test_columns_can_be_named(write):
    rows = [{"id": i, "p": f"p{i // 4}", "a": i % 2, "b": 1, "s": f"x{i}"} for i in range(8)]
    path = write(rows)
    told = run("report", path, "--task", "p", "--reward", "a", "--reply", "s", "--json")
    read = json.loads(told.output)["read"]
    assert read["columns"] == {"task": "p", "reward": "a", "reply": "s", "repeat": ""}
    summed = run("report", path, "--task", "p", "--reward", "a", "--reward", "b", "--json",
                 "--pass-at-least", "2")  # fmt: skip
    assert json.loads(summed.output)["read"]["columns"]["reward"] == "a + b"
    both = run("report", path, "--task", "b", "--task", "p", "--reward", "a", "--json")
    assert json.loads(both.output)["read"]["columns"]["task"] == "b + p"


def test_steps_are_pooled_and_rollouts_kept_apart_on_request(write):
    rows = [{"task": "t", "step": s, "rollout_id": f"{s}{i // 2}", "reward": i // 2}
            for s in (1, 2) for i in range(4)]  # fmt: skip
    path = write(rows)
    assert json.loads(run("report", path, "--json").output)["read"]["group_sizes"] == {"2": 2}
    pooled = run("report", path, "--json", "--step", "none", "--rollout", "none")
    assert json.loads(pooled.output)["read"]["group_sizes"] == {"8": 1}


# --- exit codes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        ([[0, 0], [0, 0]], "4 unanimous"),
        ([[None, None]], "2 unscored"),
    ],
)
def test_nothing_to_train_on_is_exit_code_1_and_says_why(write, groups, why):
    told = run("report", write(graded(*groups)))
    assert told.exit_code == 1
    assert "nothing to train on: rl keeps 0 of" in told.stderr and why in told.stderr
    assert "rl selection: kept 0" in told.stdout


def test_a_file_that_only_sft_can_use_is_fine_unless_only_rl_was_asked_for(write):
    path = write(graded([1, 1], [1, 1]))
    assert run("report", path).exit_code == 0
    assert run("report", path, "--mode", "rl").exit_code == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "no line of rows.jsonl could be read"),
        (b"{broken\n{broken\n", "no line of rows.jsonl could be read"),
        (b'{"prompt":"a","chosen":"b","rejected":"c"}\n', "one pair is not a group"),
        (b'{"note": "a"}\n', "no column says"),
        (b"PAR1nonsense", "rows.jsonl"),
        (b"\x1f\x8bnonsense", "cannot be unpacked"),
        (b"PK\x03\x04nonsense", "cannot be unpacked"),
        (b"(\xb5/\xfdnonsense", "packed with zstd"),
        (b"[" * 100_000, "rows.jsonl"),
    ],
    ids=["empty", "png", "broken", "pairs", "no task", "parquet", "gz", "zip", "zstd", "deep"],
)
def test_what_cannot_be_read_is_exit_code_2_and_one_sentence(write, content, said):
    for line in (["report"], ["export", "--mode", "rl", "-o", "out.jsonl"]):
        told = run(line[0], write(content), *line[1:])
        assert told.exit_code == 2
        assert said in told.stderr and "Traceback" not in told.output
        assert told.stdout == ""


def test_a_missing_file_a_folder_and_bad_options_are_exit_code_2(tmp_path):
    for arguments, said in (
        (("report", tmp_path / "nope.jsonl"), "no file at"),
        (("report", tmp_path), "is a folder"),
        (("report", PRINTED, "--band", "wide"), "band must be two pass rates"),
        (("report", PRINTED, "--task", "nope"), "no column 'nope'"),
        (("report", PRINTED, "--mode", "dpo"), "'dpo' is not one of"),
        (("export", PRINTED, "-o", tmp_path / "a.jsonl"), "say --mode rl or --mode sft"),
        (("export", PRINTED, "--mode", "rl", "-o", tmp_path / "no" / "a.jsonl"), ""),
    ):
        told = run(*arguments)
        assert told.exit_code == 2, arguments
        assert said in told.stderr and "Traceback" not in told.stderr


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_with_a_question_in_it_asks_in_the_words_of_the_command_line(write, name):
    told = run("report", write(sample(name), name))
    assert told.exit_code == (0 if name.startswith("crashes") else 2)


def test_rewards_outside_0_to_1_ask_for_a_cut_and_show_what_holds_without_one(write):
    path = write(graded([-18, -18, -18, -15], [-3, -3, -3, -3]))
    told = run("report", path)
    assert told.exit_code == 2 and "give --pass-at-least" in told.stderr
    assert "groups with contrast: 1 of 2" in told.stdout
    assert "rewards from -18 to -3" in told.stdout
    cut = run("report", path, "--pass-at-least", "-16")
    assert cut.exit_code == 0 and "a reward of at least -16" in cut.stdout


# --- colours and progress -------------------------------------------------------------------------


def on_a_terminal(*arguments, **environment):
    """Run the installed command with a terminal as its output and return what it wrote."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [command(), *map(str, arguments)], stdout=child, stderr=child, stdin=child,
        env={**os.environ, "TERM": "xterm", **environment},
    )  # fmt: skip
    os.close(child)
    written = b""
    try:
        while part := os.read(parent, 1 << 16):
            written += part
    except OSError:  # the other end is closed
        pass
    os.close(parent)
    process.wait(timeout=60)
    return written.decode()


def test_a_terminal_gets_colours_and_a_pipe_gets_none():
    coloured = on_a_terminal("report", PRINTED)
    assert "\x1b[1mrl selection" in coloured and "\x1b[33m  warning" in coloured
    assert "\x1b[" not in on_a_terminal("report", PRINTED, NO_COLOR="1")
    piped = subprocess.run([command(), "report", PRINTED], capture_output=True, text=True)
    assert "\x1b[" not in piped.stdout and piped.stdout == click.unstyle(piped.stdout)
    assert "rl selection: kept 29" in piped.stdout


def test_a_bar_appears_only_after_two_seconds_and_only_on_a_terminal(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(commands.time, "monotonic", lambda: now[0])
    drawn = []

    class Bar:
        pos = 0

        def __init__(self, **options):
            drawn.append(options["length"])

        def __enter__(self):
            return self

        def update(self, n):
            self.pos += n

        def render_finish(self):
            drawn.append(self.pos)

    monkeypatch.setattr(commands.click, "progressbar", Bar)
    for terminal, expected in ((False, []), (True, [100, 100])):
        drawn.clear()
        now[0] = 0.0
        monkeypatch.setattr(commands.sys.stderr, "isatty", lambda yes=terminal: yes, raising=False)
        with commands._progress(Path("x")) as told:
            told(10, 100)
            assert drawn == []
            now[0] = 2.5
            told(60, 100)
            told(100, 100)
        assert drawn == expected


def test_the_commands_wait_with_heavy_imports():
    code = "import sys, whilecore.commands; print('datasets' in sys.modules, 'dask' in sys.modules)"
    python = Path(command()).parent / "python"
    told = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False False\n"


# --- export ---------------------------------------------------------------------------------------


def test_export_writes_three_files_and_says_what_is_in_them(write, tmp_path):
    path = write(graded([1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1]))
    told = run("export", path, "--mode", "rl", "-o", tmp_path / "out.jsonl")
    assert told.exit_code == 0, told.output
    assert "out.jsonl: 2 lines (8 of 12 rows, 2 of 3 tasks)" in told.stdout
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert [json.loads(line)["task"] for line in lines] == ["t0", "t2"]
    assert len((tmp_path / "out.control.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_running_again_from_the_manifest_gives_the_same_files(write, tmp_path, mode):
    rows = graded([1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 0, 1], [0, 0, 1, 1])
    path = write([{**row, "other": 1 - row["reward"], "key": row["task"]} for row in rows])
    options = ["--mode", mode, "--reward", "other", "--task", "key", "--seed", "7", "--target", "6",
               "--form", "messages"]  # fmt: skip
    options += ["--band", "0.2,0.7"] if mode == "rl" else []
    first = run("export", path, *options, "-o", tmp_path / "one.jsonl")
    assert first.exit_code == 0, first.output
    again = run(
        "export", path, "--like", tmp_path / "one.manifest.json", "-o", tmp_path / "two.jsonl"
    )
    assert again.exit_code == 0, again.output
    for ending in (".jsonl", ".control.jsonl"):
        assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()
    one, two = (json.loads((tmp_path / f"{name}.manifest.json").read_text())
                for name in ("one", "two"))  # fmt: skip
    for part in ("counts", "report", "settings", "input"):
        assert one[part] == two[part]
    changed = run("export", path, "--like", tmp_path / "one.manifest.json", "--seed", "8",
                  "-o", tmp_path / "three.jsonl")  # fmt: skip
    assert changed.exit_code == 0
    three = json.loads((tmp_path / "three.manifest.json").read_text())
    assert three["settings"]["seed"] == 8 and three["settings"]["reward"] == ["other"]


def test_export_neither_overwrites_nor_eats_its_own_input(write, tmp_path):
    path = write(graded([1, 0], [1, 0]))
    before = path.read_bytes()
    assert run("export", path, "--mode", "rl", "-o", path, "--force").exit_code == 2
    assert path.read_bytes() == before
    (tmp_path / "a.control.jsonl").write_text("mine")
    refused = run("export", path, "--mode", "rl", "-o", tmp_path / "a.jsonl")
    assert refused.exit_code == 2 and "is there already" in refused.stderr
    assert not (tmp_path / "a.jsonl").exists()
    forced = run("export", path, "--mode", "rl", "-o", tmp_path / "a.jsonl", "--force")
    assert forced.exit_code == 0 and (tmp_path / "a.control.jsonl").read_text() != "mine"


def test_export_of_nothing_is_exit_code_1_and_writes_nothing(write, tmp_path):
    told = run("export", write(graded([0, 0])), "--mode", "rl", "-o", tmp_path / "a.jsonl")
    assert told.exit_code == 1 and "2 unanimous" in told.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_twice_the_rows_are_less_than_twice_the_work_to_report(write):
    def work(tasks):
        path = write(graded(*[[1, 0, 1, 0]] * tasks))
        return calls(lambda: run("report", path))

    work(10)
    assert work(400) / work(200) < 2.1
