"""Files that no format is named for: other spellings, other shapes, other faults."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from whilecore import read_rollouts
from whilecore.readers import ReadError

ALTERNATE = (1, 0, 1, 0)


def lines(rows: list[dict[str, Any]]) -> bytes:
    """Return rows as JSON lines."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in rows)


def rows(make: Any, count: int = 8) -> bytes:
    """Return ``count`` rows of tasks of two tries, made from their number."""
    return lines([make(n) for n in range(count)])


@pytest.mark.parametrize(
    ("data", "task", "reward"),
    [
        (rows(lambda n: {"meta": {"task_id": f"t{n // 2}"}, "reward": ALTERNATE[n % 4]}),
         "meta.task_id", "reward"),
        (rows(lambda n: {"task": f"t{n // 2}", "result": {"reward": ALTERNATE[n % 4]}}),
         "task", "result.reward"),
        (rows(lambda n: {"metadata": {"task": f"t{n // 2}"}, "out": {"score": ALTERNATE[n % 4]}}),
         "metadata.task", "out.score"),
    ],
)  # fmt: skip
def test_a_task_or_a_reward_one_level_down_is_found(data: bytes, task: str, reward: str) -> None:
    found = read_rollouts(data)
    assert found.read_report.columns["task"] == task
    assert found.read_report.columns["reward"] == reward
    assert found.read_report.group_sizes == {2: 4}
    assert found.reward.tolist() == list(ALTERNATE) * 2


def test_columns_that_were_made_flat_are_known_by_their_last_name() -> None:
    data = rows(lambda n: {"info.task_id": f"t{n // 2}", "result.reward": ALTERNATE[n % 4]})
    found = read_rollouts(data)
    assert found.read_report.columns["task"] == "info.task_id"
    assert found.reward.tolist() == list(ALTERNATE) * 2


def test_a_web_page_is_no_table() -> None:
    with pytest.raises(ReadError, match="web page"):
        read_rollouts(b"<html><body>404 not found</body></html>")


def test_a_column_on_top_goes_before_one_inside() -> None:
    data = rows(lambda n: {"task": f"t{n // 4}", "info": {"task_id": f"u{n}"}, "reward": n % 2})
    assert read_rollouts(data).read_report.columns["task"] == "task"


def test_a_list_of_replies_beside_a_list_of_rewards_is_one_row_each() -> None:
    # as one reward per token each line would be a single try of reward 1
    data = lines([{"prompt": p, "responses": ["a", "b", "c"], "rewards": [1, 0, 0]} for p in "xy"])
    found = read_rollouts(data)
    assert found.read_report.group_sizes == {3: 2}
    assert found.reward.tolist() == [1, 0, 0, 1, 0, 0]
    assert found.frame["reply"].tolist() == ["a", "b", "c"] * 2


def test_a_list_of_numbers_beside_one_reply_is_still_one_reward_per_token() -> None:
    data = lines([{"task": "a", "response": "x y", "rewards": [0, n]} for n in (0, 1)])
    found = read_rollouts(data)
    assert found.reward.tolist() == [0, 1]
    assert found.read_report.group_sizes == {2: 1}


def test_tries_nested_in_their_task_are_rows() -> None:
    tries = [{"response": "a", "reward": 1}, {"response": "b", "reward": 0, "error": "boom"}]
    found = read_rollouts(lines([{"prompt": p, "samples": tries} for p in "xy"]))
    assert found.read_report.group_sizes == {2: 2}
    assert found.scored.tolist() == [True, False] * 2


def test_tries_that_name_their_task_themselves_are_grouped_by_it() -> None:
    tries = [{"task_id": "a", "reward": 1}, {"task_id": "b", "reward": 0}]
    found = read_rollouts(lines([{"name": "run", "tries": tries}, {"name": "run", "tries": tries}]))
    assert found.task_labels.tolist() == ["a", "b"]


def test_the_steps_of_a_rollout_are_no_tries() -> None:
    steps = [{"action": "look", "reward": 0}, {"action": "answer", "reward": 1}]
    found = read_rollouts(lines([{"task": "a", "steps": steps, "reward": r} for r in (1, 0)]))
    assert found.read_report.group_sizes == {2: 1}


def test_a_document_of_tries_by_task_is_read_by_task() -> None:
    document = {"a": [{"reward": 1}, {"reward": 0}], "b": [{"reward": 1}, {"reward": 1}]}
    found = read_rollouts(json.dumps(document).encode())
    assert found.task_labels.tolist() == ["a", "b"]
    assert found.read_report.group_sizes == {2: 2}


@pytest.mark.parametrize(
    ("words", "expected"),
    [(("yes", "no"), [1, 0]), (("Yes", "NO"), [1, 0]), (("resolved", "unresolved"), [1, 0]),
     (("success", "failure"), [1, 0]), (("TRUE", "FALSE"), [1, 0])],
)  # fmt: skip
def test_words_for_pass_and_fail_are_read_and_said(words: tuple[str, ...], expected: list[int]):
    found = read_rollouts("\n".join(["task,passed", *(f"a,{word}" for word in words)]).encode())
    assert found.reward.tolist() == expected


def test_an_error_beside_pass_and_fail_is_unscored_and_leaves_the_others_scored() -> None:
    said = ("PASS", "FAIL", "PASS", "ERROR")
    found = read_rollouts(lines([{"task": "a", "verdict": word} for word in said]))
    assert found.scored.tolist() == [True, True, True, False]
    assert found.read_report.unscored == {"not a number: ERROR": 1}


@pytest.mark.parametrize(
    ("column", "value", "scored"),
    [
        ("status", "TimeoutError", False), ("status", "infra_error", False),
        ("exit_reason", "timed out", False), ("termination_reason", "ERROR", False),
        ("finish_reason", "error", False), ("finish_reason", "abort", False),
        ("status", "no_error", True), ("status", "completed", True),
        ("finish_reason", "stop", True),
        ("errors", ["boom"], False), ("errors", [], True),
        ("info", {"error": "ConnectError"}, False), ("info", {"error": None}, True),
    ],
)  # fmt: skip
def test_an_ending_that_is_no_answer_leaves_a_row_unscored(
    column: str, value: Any, scored: bool
) -> None:
    data = lines([{"task": "a", "reward": 0, column: value}, {"task": "a", "reward": 1}])
    found = read_rollouts(data)
    assert found.scored.tolist() == [scored, True]
    if not scored:
        assert found.read_report.unscored == {"error": 1}


def test_ids_of_a_csv_keep_all_their_digits() -> None:
    # as floats, which a missing cell makes of them, the two tasks would be one
    data = b"task_id,reward\n9007199254740993,1\n9007199254740993,0\n9007199254740992,1\n,0\n"
    found = read_rollouts(data)
    assert found.task_labels.tolist() == ["9007199254740993", "9007199254740992"]
    assert [one.number for one in found.read_report.bad] == [5]
    assert read_rollouts(b"Task ID,reward\n007,1\n7,0\n").n_tasks == 2


def test_a_decimal_comma_is_read_where_cells_are_parted_by_semicolons() -> None:
    found = read_rollouts(b"task;reward\na;0,5\na;1,0\n")
    assert found.reward.tolist() == [0.5, 1.0]
    assert "decimal comma" in str(found.read_report)
    mixed = read_rollouts(b"task;reward\na;0,5\na;eight\n")
    assert not mixed.scored.any()


def test_conversations_are_messages() -> None:
    def talk(n: int) -> dict[str, Any]:
        turns = [{"from": "human", "value": f"q{n // 2}"}, {"from": "gpt", "value": f"a{n}"}]
        return {"conversations": turns, "reward": ALTERNATE[n % 4]}

    found = read_rollouts(rows(talk))
    assert found.task_labels.tolist() == ["q0", "q1", "q2", "q3"]
    assert found.frame["reply"].tolist() == [f"a{n}" for n in range(8)]


def test_a_task_that_most_rows_leave_empty_is_still_the_task() -> None:
    data = lines([{"task": None, "reward": 1}, {"reward": 1}, {"task": "a", "reward": 1},
                  {"task": "a", "reward": 0}])  # fmt: skip
    found = read_rollouts(data)
    assert len(found) == 2
    assert [one.number for one in found.read_report.bad] == [1, 2]


def test_the_number_of_a_try_behind_an_id_is_masked_when_asked() -> None:
    data = lines([{"id": f"fix{n // 4}#{n % 4}", "reward": n % 2} for n in range(16)])
    with pytest.raises(ReadError, match="task='id~'") as caught:
        read_rollouts(data)
    assert caught.value.group_sizes["id~"] == {4: 4}
    assert read_rollouts(data, task="id~").read_report.group_sizes == {4: 4}


@pytest.mark.parametrize(
    "names", [("chosen_response", "rejected_response"), ("chosen", "rejected")]
)
def test_preference_pairs_are_refused_however_their_columns_are_called(names: tuple[str, str]):
    with pytest.raises(ReadError, match="preference pairs"):
        read_rollouts(lines([{"prompt": "q", names[0]: "a", names[1]: "b", "score": 1}]))


def test_half_an_emoji_in_a_reward_is_no_number_and_no_crash() -> None:
    data = b'{"task":"a","reward":"\\ud83d"}\n{"task":"a","reward":"1"}\n'
    assert read_rollouts(data).scored.tolist() == [False, True]


@pytest.mark.parametrize(
    "data",
    [
        b'{"task":"a","reward":1}{"task":"a","reward":0}\n',
        gzip.compress(b'\xef\xbb\xbf{"task":"a","reward":1}\r\n\r\n{"task":"a","reward":0}'),
        b'task,reward,reward\na,1,9\na,0,9\n',
        b'TASK,REWARD\na,1\na,0\n',
    ],
)  # fmt: skip
def test_two_rows_are_two_rows_however_they_are_packed(data: bytes) -> None:
    found = read_rollouts(data)
    assert found.reward.tolist() == [1, 0]
    assert found.read_report.group_sizes == {2: 1}
