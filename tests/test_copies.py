"""When two rollouts of a task are copies."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import table
from whilecore.rollouts import Rollouts


def copies_of_the_first(*replies, **columns):
    """Tell which rows of one task are copies of its first row."""
    columns = {name: list(values) for name, values in columns.items()}
    rollouts = table({"a": [1] * len(replies)}, reply=list(replies), **columns)
    return (rollouts.reply_codes == rollouts.reply_codes[0]).tolist()[1:]


def test_white_space_and_the_way_an_accent_is_typed_make_no_difference():
    assert copies_of_the_first("café  ok", "cafe\u0301 ok\n", " café ok", "cafe ok", "Café ok") == [
        True, True, False, False,
    ]  # fmt: skip


def test_the_same_words_after_other_deeds_are_no_copy():
    look, other = [{"tool": "get", "arguments": {"id": 1, "x": 2}}], [{"tool": "get"}]
    same_call = [{"arguments": {"x": 2, "id": 1}, "tool": "get"}]
    assert copies_of_the_first("ok", "ok", "ok", steps=[look, same_call, other]) == [True, False]
    assert copies_of_the_first("ok", "ok", "ok", behavior=["x", "x", "y"]) == [True, False]
    assert copies_of_the_first("ok", "ok", ask=[1, 2]) == [False]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array(["ab", "cd"]), np.array(["abcd"])),
        (np.array([[1, 2]]), np.array([1, 2])),
        (np.bool_(True), np.uint8(1)),
        (b"ab", "ab"),
    ],
    ids=["texts", "shape", "scalars", "bytes"],
)
def test_deeds_that_lie_alike_in_memory_are_no_copies(one, other):
    done = [[{"tool": "get", "arguments": value}] for value in (one, one, other)]
    assert copies_of_the_first("ok", "ok", "ok", steps=done) == [True, False]


def test_deeds_that_cannot_be_pickled_are_told_apart_too():
    def deed(name):
        return [{"tool": name, "call": (lambda: name)}]

    same = deed("a")
    assert copies_of_the_first("ok", "ok", "ok", steps=[same, same, deed("b")]) == [True, False]


def test_replies_of_tool_calls_alone_are_told_apart_by_their_calls():
    assert copies_of_the_first("", "", "", tool_calls=[1, 1, 2]) == [True, False]
    cancel, lookup = [{"name": "cancel"}], [{"name": "look up"}]
    assert copies_of_the_first("", "", "", tool_calls=[cancel, cancel, lookup]) == [True, False]


def test_a_key_given_is_the_identity_whatever_the_words():
    keys = [(1, 2), (1, 2), (1, 3), [1, 2]]
    assert copies_of_the_first("a", "b", "a", "c", reply_key=keys) == [True, False, True]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_row_without_a_key_is_nobodys_copy(missing):
    rollouts = table({"a": [1, 0, 1, 0]}, reply_key=["x", missing, missing, "x"])
    codes = rollouts.reply_codes
    assert codes[0] == codes[3] and len(np.unique(codes)) == 3
    assert rollouts.select().report["row_fates"]["duplicate"] == 1


def test_rows_of_figures_without_a_reply_are_nobodys_copies():
    rollouts = table({"a": [1, 0, 1, 0]})
    assert len(np.unique(rollouts.reply_codes)) == 4
    assert rollouts.select().report["kept"] == 4


@pytest.mark.parametrize("blank", [[None] * 4, [np.nan] * 4])
def test_a_reply_that_no_row_has_is_not_known_and_a_reply_of_no_words_is(blank):
    unknown = Rollouts.from_frame(pd.DataFrame({"task": ["a"] * 4, "reward": [1, 0, 1, 0],
                                                "reply": blank}))  # fmt: skip
    assert unknown.select().report["kept"] == 4
    assert any("taken as not known" in note for note in unknown.notes)
    empty = table({"a": [1, 0, 1, 0]}, reply=[""] * 4)
    assert empty.select().report["row_fates"]["duplicate"] == 3


def test_reply_codes_of_a_file_of_figures_are_codes_not_words():
    rollouts = table({"a": [1, 0, 1]}, reply=[0, 1, 0], ask=[0, 0, 0], behavior=[2, 2, 2])
    assert rollouts.select().report["row_fates"]["duplicate"] == 1
    assert "reply_chars" not in rollouts.frame
    with_gap = table({"a": [1, 0, 1]}, reply=[0.0, np.nan, np.nan])
    assert len(np.unique(with_gap.reply_codes)) == 3


@given(st.lists(st.tuples(st.sampled_from(["x", "y", ""]), st.integers(0, 2)), min_size=1))
def test_two_rows_are_copies_exactly_if_words_and_deeds_are_equal(pairs):
    words, deeds = zip(*pairs, strict=True)
    codes = table({"a": [1] * len(pairs)}, reply=words, behavior=list(map(str, deeds))).reply_codes
    for i, one in enumerate(pairs):
        for j, two in enumerate(pairs):
            assert (codes[i] == codes[j]) == (one == two)


@given(st.lists(st.sampled_from(["x", "y", "z", "\ud83d"]), min_size=1), st.randoms())
def test_the_key_of_a_reply_is_the_same_in_any_order_of_rows(replies, random):
    key = dict(zip(replies, table({"a": [1] * len(replies)}, reply=replies).reply_hashes.tolist(),
                   strict=True))  # fmt: skip
    shuffled = list(replies)
    random.shuffle(shuffled)
    again = table({"a": [1] * len(replies)}, reply=shuffled).reply_hashes
    assert again.tolist() == [key[reply] for reply in shuffled]
    assert len(set(key.values())) == len(key)


def test_without_a_reply_the_rollout_number_is_the_key():
    rollouts = table({"a": [1, 1, 1]}, rollout=[5, 3, 5])
    hashes = rollouts.reply_hashes
    assert hashes[0] == hashes[2] != hashes[1]
