"""Files that hypothesis makes: rows load or are reported with their number; never a traceback."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from whilecore.formats.tables import ReadError
from whilecore.readers import ReadRollouts, read_rollouts

KEYS = (
    "task", "task_id", "id", "prompt", "messages", "completion", "reward", "score", "scores",
    "rollout", "rollout_id", "step", "turn", "error", "judge_status", "truncated", "leak",
    "tool_calls", "steps", "reply", "behavior", "reply_key", "finish_reason", "valid", "answer",
    "metrics", "resps", "doc_id", "filter", "epoch", "traces", "env", "samples", "completions",
    "rewards", "index", "input", "output", "gts", "mistake", "reply_chars", "", "\ud83d", "a.b",
)  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)  # half emoji and NUL among them
ATOMS = (
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
    | st.sampled_from(["C", "I", "1", "0.5", "8/10", "ok", "error", "nan", 10**400, 1e308, -0.0])
)  # fmt: skip
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool", 7, None])},
        optional={"content": ATOMS, "tool_calls": ATOMS | st.lists(ATOMS, max_size=2)},
    ),
    max_size=4,
)
VALUES = st.recursive(
    ATOMS | MESSAGES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
RECORDS = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=7)
NESTED = st.integers(2, 3000).map(lambda n: '{"task": ' + "[" * n + "]" * n + "}")
LINES = (
    RECORDS.map(json.dumps)
    | RECORDS.map(json.dumps).map(lambda line: line[: len(line) // 2])
    | RECORDS.map(lambda one: json.dumps(one, ensure_ascii=False))
    | NESTED
    | st.sampled_from(
        ['{"task": "a", "reward": 1}', '{"task": "a", "reward": 0, "reward": 1}', "[1, 2]", "7",
         '"text"', "", "   ", "{}", '{"task":"a","reward":1},', '{"task":"a","reward":' + "9" * 5000
         + "}", "\x00\x00\x00", '{"task": "a", "reply": "one\u2028two", "reward": 0}', "null",
         '{"task": "a", "reward": 1}{"task": "a", "reward": 0}'],
    )
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\r\n", "\n\n"])


def loads_or_says(data: bytes, **options: Any) -> ReadRollouts | None:
    """Read; a refusal must be a sentence."""
    try:
        rollouts = read_rollouts(data, **options)
    except ReadError as error:
        assert len(str(error)) > 20
        return None
    told = str(rollouts.read_report)
    assert told.isprintable() or all(line.isprintable() for line in told.split("\n"))
    assert json.dumps(rollouts.read_report.to_dict())
    assert sum(size * n for size, n in rollouts.read_report.group_sizes.items()) == len(rollouts)
    for mode in ("rl", "sft"):
        try:
            selection = rollouts.select(mode)
        except ValueError as error:
            assert "rewards lie in" in str(error)
        else:
            assert sum(selection.report["row_fates"].values()) == len(rollouts)
            assert str(selection)
    return rollouts


@given(lines=st.lists(LINES, max_size=8), end=ENDS, bom=st.booleans(), last=st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_lines_load_or_are_reported(lines: list[str], end: str, bom: bool, last: bool) -> None:
    data = (end.join(lines) + (end if last else "")).encode("utf-8", "surrogatepass")
    rollouts = loads_or_says(b"\xef\xbb\xbf" * bom + data)
    if rollouts is not None:
        report = rollouts.read_report
        numbers = [one.number for one in report.bad]
        assert numbers == sorted(numbers) and all(one.reason for one in report.bad)
        items = len(rollouts) + len(report.bad)
        most = data.count(b"\n") + 1 if report.unit == "line" else items
        assert all(1 <= number <= most for number in numbers)


@example(records=[{"step": []}, {"step": {}, "task": None, "rollout_id": []}], given="task")
@example(records=[{"step": 10**400, "task": "a"}, {"step": 1, "task": "a"}], given="task")
@given(records=st.lists(RECORDS, min_size=1, max_size=6), given=st.sampled_from(KEYS))
@settings(max_examples=120, deadline=None)
def test_any_choice_of_columns_loads_or_says_why_not(
    records: list[dict[str, Any]], given: str
) -> None:
    data = "\n".join(map(json.dumps, records)).encode()
    loads_or_says(data, task=given)
    loads_or_says(data, task="task", reward=(given, "reward"))
    loads_or_says(data, task="task", reply=given, rollout=given, step=given)


@given(
    records=st.lists(RECORDS, max_size=6), cut=st.integers(0, 40), indent=st.sampled_from([None, 1])
)
@settings(max_examples=80, deadline=None)
def test_any_array_loads_or_is_reported(
    records: list[dict[str, Any]], cut: int, indent: int | None
) -> None:
    text = json.dumps(records, indent=indent)
    loads_or_says(text[: len(text) - cut].encode())
    loads_or_says(json.dumps({"samples": records}, indent=indent).encode())


@given(data=st.binary(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_bytes_load_or_are_refused_with_a_sentence(data: bytes) -> None:
    loads_or_says(data)
    loads_or_says(b'{"task": "a", "reward": 1}\n' + data)
    loads_or_says(b"task,reward\na,1\n" + data)


@given(
    rows=st.lists(
        st.lists(TEXTS | st.sampled_from(['"', "1", "0", "", "a,b"]), max_size=5), max_size=6
    ),
    header=st.lists(st.sampled_from(KEYS), min_size=1, max_size=5),
)
@settings(max_examples=120, deadline=None)
def test_any_csv_loads_or_is_reported(rows: list[list[str]], header: list[str]) -> None:
    lines = [",".join(row) for row in [header, *rows]]
    loads_or_says("\n".join(lines).encode("utf-8", "surrogatepass"))


@given(cut=st.integers(1, 60))
@settings(max_examples=30, deadline=None)
def test_a_packed_file_cut_short_loads_or_is_refused_with_a_sentence(cut: int) -> None:
    lines = b"".join(b'{"task": "t%d", "reward": %d}\n' % (i // 4, i % 2) for i in range(400))
    packed = gzip.compress(lines)
    loads_or_says(packed[: max(1, len(packed) - cut)])


@pytest.mark.parametrize("depth", [65, 1_000, 100_000])
def test_deep_nesting_is_a_bad_line_and_the_rest_loads(depth: int) -> None:
    deep = b'{"task": "a", "reward": 1, "x": ' + b"[" * depth + b"]" * depth + b"}\n"
    rollouts = loads_or_says(b'{"task": "a", "reward": 0}\n' + deep + b'{"task": "a", "reward": 1}')
    assert rollouts is not None and len(rollouts) == 2
    assert [(one.number, "nested" in one.reason) for one in rollouts.read_report.bad] == [(2, True)]
