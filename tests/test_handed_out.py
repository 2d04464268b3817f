"""What lesson 11 hands out is what the command writes, and its manifest repeats it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from whilecore.commands import export as command
from whilecore.course import handed_out
from whilecore.course.your_rows import given, read
from whilecore.readers import SAMPLES, sample

BAND = (0.2, 0.8)
COLUMNS = {
    "crashes_scored_zero.jsonl": {},
    "every_try_its_own_id.csv": {"task": "ticket"},
    "two_steps_two_rewards.jsonl": {"reward": "style_reward", "step": False},
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_the_command_makes_the_same_files_from_the_manifest(
    name: str, mode: str, tmp_path: Path
) -> None:
    what, columns = given([], "", name), COLUMNS[name]
    rollouts = read(what, columns).rollouts
    cut = 0.4 if name.startswith("two") else None
    options = {"band": BAND, "pass_at_least": cut} if mode == "rl" else (
        {} if cut is None else {"min_reward": cut})  # fmt: skip
    chosen = rollouts.select(mode, seed=5, **options)
    settings = handed_out.export_settings(columns, BAND, "scored", cut, 5)
    about = handed_out.manifest(chosen, what, settings, 5)
    (tmp_path / name).write_bytes(sample(name))
    (tmp_path / "like.json").write_bytes(about)
    out = tmp_path / handed_out.NAMES[mode]
    ran = CliRunner().invoke(
        command, [str(tmp_path / name), "-o", str(out), "--like", str(tmp_path / "like.json")]
    )
    assert ran.exit_code == 0, ran.output
    assert out.read_bytes() == handed_out.rows(chosen)
    control = out.with_name(out.name.replace(".jsonl", ".control.jsonl"))
    assert control.read_bytes() == handed_out.control(chosen, 5)
    written = json.loads(out.with_name(out.name.replace(".jsonl", ".manifest.json")).read_text())
    for key in ("counts", "files"):
        assert written[key] == json.loads(about)[key], key
    assert written["input"]["sha256"] == json.loads(about)["input"]["sha256"]


def test_control_and_rows_have_one_size() -> None:
    rollouts = read(given([], "", "crashes_scored_zero.jsonl")).rollouts
    for mode in ("rl", "sft"):
        chosen = rollouts.select(mode)
        made = handed_out.rows(chosen)
        assert made.count(b"\n") == handed_out.control(chosen, 0).count(b"\n") > 0


def test_figures_without_texts_and_an_empty_selection_say_why_not() -> None:
    figures = read(given([], '{"task": 1, "reward": 1}\n{"task": 1, "reward": 0}', "")).rollouts
    assert "holds no prompts" in handed_out.why_not(figures.select("rl"))
    rollouts = read(given([], "", "crashes_scored_zero.jsonl")).rollouts
    assert handed_out.why_not(rollouts.select("rl", band=(0.5, 0.5))) in ("", "no row is kept")
    assert handed_out.why_not(rollouts.take([]).select("sft")) == "no row is kept"
    assert handed_out.why_not(rollouts.select("sft")) == ""
