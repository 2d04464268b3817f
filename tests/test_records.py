"""Rows as mappings: what a judge may do to one, and records in and out."""

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from tests.tables import numbered, records, table
from whilecore import printed_run
from whilecore.rollouts import Rollouts

PAGE = ("prompt", "messages", "steps", "final_text", "seeded", "reward", "rollout_index",
        "scenario_id", "task")  # fmt: skip
STEPS = [{"tool": "get_order", "arguments": {"order_id": "A-1"}, "result": {"status": "sent"}}]


def talk():
    """Two rollouts of one task with everything a row can hold."""
    return Rollouts.from_records(
        {
            "task": "a",
            "prompt": "Where is A-1?",
            "reply": reply,
            "steps": STEPS,
            "reward": reward,
            "mistake": "",
            "extra": {"list": [1]},
        }
        for reply, reward in (("It is sent.", 1), ("It is lost.", None))
    )


def test_a_row_has_the_keys_of_the_course_page_beside_our_own():
    row = talk().rows[1]
    assert set(PAGE) <= set(row)
    assert row["final_text"] == row["reply"] == "It is lost."
    assert (row["scenario_id"], row["rollout_index"], row["seeded"]) == ("a", 1, "")
    assert row["reward"] is None


def test_messages_tell_the_rollout_from_the_prompt_to_the_reply():
    run = talk()
    run.system_prompt = "Help."
    assert [one["role"] for one in run.rows[0]["messages"]] == [
        "system", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    asked, called, answered, said = run.rows[0]["messages"][1:]
    assert asked["content"] == "Where is A-1?"
    assert called["tool_calls"] == [{"name": "get_order", "arguments": {"order_id": "A-1"}}]
    assert answered["content"] == {"status": "sent"}
    assert said == {"role": "assistant", "content": "It is sent."}


def test_a_failed_call_is_told_as_an_error():
    run = table({"a": [1]}, reply=["Gone."], steps=[[{"tool": "get", "error": "404"}]])
    assert run.rows[0]["messages"][1]["content"] == {"error": "404"}


def test_what_a_file_of_figures_does_not_know_is_none_not_empty():
    row = table({"a": [1]}).rows[0]
    assert (row["final_text"], row["seeded"], row["prompt"]) == (None, None, None)
    assert (row["steps"], row["messages"]) == ([], [])


def test_what_a_judge_writes_stays_in_its_copy():
    run = talk()
    row = run.rows[0]
    row["reward"] = 7
    row["steps"].append("x")
    row["steps"][0]["arguments"]["order_id"] = "B"
    row["extra"]["list"].clear()
    del row["reply"]
    again = run.rows[0]
    assert (again["reward"], again["reply"]) == (1.0, "It is sent.")
    assert (again["steps"], again["extra"]) == (STEPS, {"list": [1]})
    assert run.frame["steps"][0] == STEPS
    assert (row["reward"], "reply" in row) == (7, False)


@pytest.mark.parametrize("touch", [lambda row: None, lambda row: row["reply"], len])
def test_a_row_is_a_dict_before_and_after_the_first_look(touch):
    def fresh():
        row = talk().rows[0]
        touch(row)
        return row

    plain = dict(fresh())
    assert {**fresh()} == plain == fresh() == fresh().copy()
    assert not fresh() != plain and not plain != fresh()
    assert json.loads(json.dumps(fresh())) == json.loads(json.dumps(plain)) == plain
    assert json.loads(json.dumps(fresh(), indent=1)) == plain
    assert list(fresh()) == list(fresh().keys()) and list(reversed(fresh())) == list(plain)[::-1]
    assert list(fresh().values()) == list(plain.values())
    assert dict(fresh().items()) == plain
    assert fresh() | {"z": 1} == plain | {"z": 1} and {"z": 1} | fresh() == {"z": 1} | plain
    assert eval(repr(fresh())) == plain
    assert (len(fresh()), bool(fresh())) == (len(plain), True)
    assert "messages" in fresh() and "nope" not in fresh()
    assert fresh().get("nope", 3) == 3 and fresh().get("reply") == "It is sent."
    assert fresh().setdefault("reward", 9) == 1.0 and fresh().setdefault("nope", 9) == 9
    assert fresh().pop("reply") == "It is sent." and fresh().pop("nope", None) is None
    assert "{reply}".format_map(fresh()) == "It is sent."
    row = fresh()
    row.update(reply="x")
    row |= {"more": 1}
    assert dict(row) == plain | {"reply": "x", "more": 1}
    row.clear()
    assert (dict(row), row.get("reply")) == ({}, None)
    with pytest.raises(KeyError):
        row["reply"]


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
def test_a_copied_row_is_a_plain_dict_of_its_own(way):
    row = talk().rows[0]
    other = way(row)
    assert type(other) is dict and other == row


def test_a_pickled_row_does_not_carry_the_table():
    run = Rollouts.from_records({"task": str(i), "reply": "x" * 100} for i in range(2000))
    assert len(pickle.dumps(run.rows[0])) < 2000


def test_rows_are_a_sequence():
    rows = talk().rows
    assert len(rows) == 2 and rows[-1]["rollout"] == 1
    assert [row["rollout"] for row in rows] == [row["rollout"] for row in rows[0:2]] == [0, 1]
    assert rows[np.int64(1)]["rollout"] == 1
    with pytest.raises(IndexError, match=r"row must be in 0\.\.1, got 2"):
        rows[2]
    with pytest.raises(KeyError, match="nope"):
        rows[0]["nope"]


def test_arrays_of_a_parquet_file_come_out_as_lists():
    steps = pd.Series([np.array([{"tool": "a", "ids": np.array([1, 2])}], dtype=object)])
    run = Rollouts.from_frame(pd.DataFrame({"task": ["a"], "reply": ["x"], "steps": steps}))
    assert json.loads(json.dumps(run.rows[0]))["steps"] == [{"tool": "a", "ids": [1, 2]}]


# --- records in -----------------------------------------------------------------------------------


def test_the_course_pages_keys_are_read_as_our_columns():
    run = Rollouts.from_records(
        [{"scenario_id": "s", "rollout_index": 3, "final_text": "Hi.", "seeded": ["hedging"]},
         {"scenario_id": "s", "rollout_index": 4, "final_text": "Ho.", "seeded": False}]
    )  # fmt: skip
    assert run.frame["task"].tolist() == ["s", "s"]
    assert run.frame["rollout"].tolist() == [3, 4]
    assert run.frame["reply"].tolist() == ["Hi.", "Ho."]
    assert run.frame["mistake"].tolist() == ['["hedging"]', ""]


def test_our_name_wins_over_the_pages_unless_it_says_nothing():
    (one, two) = Rollouts.from_records(
        [{"task": "a", "scenario_id": "x"}, {"scenario_id": "b", "task": None}]
    ).frame["task"]
    assert (one, two) == ("a", "b")


def test_chat_messages_give_prompt_reply_and_calls():
    said = [
        {"role": "system", "content": "Help."},
        {"role": "user", "content": [{"type": "text", "text": "Cancel "}, {"text": "12"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"name": "cancel"}]},
        {"role": "tool", "content": "done"},
        {"role": "assistant", "content": "Done."},
    ]
    frame = Rollouts.from_records([{"task": "a", "messages": said}]).frame
    assert (frame["prompt"][0], frame["reply"][0]) == ("Cancel 12", "Done.")
    assert (frame["tool_calls"][0], frame["assistant_turns"][0]) == (1, 2)
    assert frame["behavior"][0] == '[{"name": "cancel"}]'


def test_a_reply_of_tool_calls_alone_is_empty_with_its_calls_counted():
    # R67: content null and a tool call; both rewards are kept, the two rows are no copies
    def chat(call, reward):
        calls = [{"name": call, "arguments": "{}"}]
        messages = [{"role": "assistant", "content": None, "tool_calls": calls}]
        return {"task": [{"role": "user"}], "messages": messages, "reward": reward}

    run = Rollouts.from_records([chat("cancel", 1), chat("refund", 0), chat("cancel", 0)])
    assert run.frame["reply"].tolist() == ["", "", ""]
    assert run.frame["reply_chars"].tolist() == [0, 0, 0]
    assert run.frame["tool_calls"].tolist() == [1, 1, 1]
    report = run.select().report
    assert (report["row_fates"]["duplicate"], report["conflicting_rewards"]) == (1, 1)
    assert report["kept"] == 2
    assert not any("empty reply" in note for note in report["notes"])


def test_keys_that_some_records_lack_are_missing_there():
    run = Rollouts.from_records([{"task": "a"}, {"task": "a", "reward": 1, "extra": [1]}])
    assert run.scored.tolist() == [False, True]
    assert run.rows[0]["extra"] is None and run.rows[1]["extra"] == [1]


@pytest.mark.parametrize(("given", "kind"), [([1], "int"), ({"task": 1}, "str"), (["x"], "str")])
def test_a_record_that_is_no_mapping_is_refused_with_its_place(given, kind):
    with pytest.raises(ValueError, match=f"must be a mapping .*, got {kind} at position 0"):
        Rollouts.from_records(given)


def same_selection(one, two):
    for mode in ("rl", "sft"):
        first, second = one.select(mode), two.select(mode)
        assert first.fate.tolist() == second.fate.tolist()
        assert {k: v for k, v in first.report.items() if k != "notes"} == {
            k: v for k, v in second.report.items() if k != "notes"
        }


WAYS = {
    "rows": list,
    "dicts": lambda rows: [dict(row) for row in rows],
    "json": lambda rows: [json.loads(json.dumps(row)) for row in rows],
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_rows_that_went_out_come_back_as_the_same_rollouts(way):
    figures = table({"a": [1, 0, 1], "b": [1, None, 0]})
    words = table({"a": [1, 0, 1]}, reply=["Hi.", "hi", "Hi. "], prompt=["x", None, "y"])
    for run in (printed_run(), figures, words, talk()):
        back = Rollouts.from_records(way(run.rows))
        same_selection(run, back)
        same_selection(back, Rollouts.from_records(way(back.rows)))


@settings(max_examples=40)
@given(records(min_size=1))
def test_any_rows_come_back_from_json_as_the_same_rollouts(rows):
    run = Rollouts.from_records(numbered(rows))
    same_selection(run, Rollouts.from_records(WAYS["json"](run.rows)))
    same_selection(run, Rollouts.from_frame(run.frame))
