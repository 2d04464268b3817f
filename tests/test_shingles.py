"""Shingles, their similarity, and the search for near copies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore.shingles import (
    HASHES,
    WIDTH,
    _same,
    near_pairs,
    numbers,
    plain,
    rows_per_band,
    shingles,
    signatures,
    similarity,
)

TEXT = st.text("abcd é🔥", max_size=14)


def cut(text):
    """Cut a text by plain Python."""
    text = text.ljust(WIDTH, "\0")
    return {text[i : i + WIDTH] for i in range(len(text) - WIDTH + 1)}


def jaccard(a, b):
    return len(cut(a) & cut(b)) / len(cut(a) | cut(b))


@given(st.lists(TEXT, min_size=2, max_size=8))
def test_similarity_is_that_of_the_sets_cut_by_hand(texts):
    some = shingles(texts)
    assert some.size.tolist() == [len(cut(text)) for text in texts]
    a, b = (i.ravel() for i in np.indices((len(texts), len(texts))))
    expected = [jaccard(texts[i], texts[j]) for i, j in zip(a, b, strict=True)]
    np.testing.assert_allclose(similarity(some, a, b), expected)


def test_half_an_emoji_is_cut_like_any_character():
    assert shingles(["\ud83d abcd", "abcdef"]).size.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  Where IS\tmy order?! ", "where is my order"),
        ("Café", "café"),  # composed and decomposed
        ("ｏｒｄｅｒ　１２", "order 12"),  # full width
        ("Straße", "strasse"),
        ("你好，世界。", "你好 世界"),
        ("?!", ""),
    ],
)
def test_case_spaces_punctuation_and_the_form_of_letters_are_folded(text, folded):
    assert plain(text) == folded


def test_numbers_are_the_words_with_a_digit_in_any_order():
    assert numbers("take 12 from x7 or 3") == numbers("x7 3 and 12") == "12 3 x7"
    assert numbers("take twelve") == ""


def test_signatures_agree_as_often_as_the_similarity():
    base = " ".join(f"word{i}" for i in range(300))
    texts = [base, base[: len(base) // 2] + base[: len(base) // 2 : -1]]
    some = shingles(texts)
    alike = similarity(some, np.array([0]), np.array([1]))[0]
    agree = (signatures(some)[0] == signatures(some)[1]).mean()
    assert 0.2 < alike < 0.8
    assert abs(agree - alike) < 4 * np.sqrt(alike * (1 - alike) / HASHES)


@pytest.mark.parametrize("least", [0.2, 0.3, 0.5, 0.7, 0.9, 1.0])
def test_bands_find_nearly_all_pairs_at_the_threshold(least):
    rows = rows_per_band(least)
    found = 1 - (1 - least**rows) ** (HASHES // rows)
    assert found >= 0.9995


@settings(max_examples=40)
@given(st.lists(TEXT.filter(bool), min_size=2, max_size=20, unique=True), st.data())
def test_the_search_finds_the_pairs_over_the_threshold_and_no_other(texts, data):
    key = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(texts), max_size=len(texts))))
    left = np.arange(0, len(texts), 2)
    right = np.arange(len(texts))
    a, b, alike = near_pairs(texts, left, right, 0.6, key)
    expected = {
        (i, j)
        for i in left
        for j in right
        if i != j and key[i] == key[j] and jaccard(texts[i], texts[j]) >= 0.6
    }
    assert set(zip(a.tolist(), b.tolist(), strict=True)) == expected
    for i, j, x in zip(a, b, alike, strict=True):
        assert x == pytest.approx(jaccard(texts[i], texts[j]))


def test_nothing_to_search_gives_no_pairs():
    a, _, alike = near_pairs(
        ["one text", "another"], np.array([0]), np.array([1]), 0.7, np.array([0, 1])
    )
    assert len(a) == len(alike) == 0


@given(st.lists(st.integers(0, 6), max_size=9), st.lists(st.integers(0, 6), max_size=9))
def test_equal_values_are_all_paired(left, right):
    first, second = _same(np.array(left, np.uint64), np.array(right, np.uint64))
    wanted = [(i, j) for i, a in enumerate(left) for j, b in enumerate(right) if a == b]
    assert sorted(zip(first.tolist(), second.tolist(), strict=True)) == wanted


def test_leaving_out_unlike_signatures_loses_no_near_copy(monkeypatch):
    texts = [f"question number {n} about a thing {7 * n}" for n in range(300)]
    sides = np.arange(0, 150), np.arange(150, 300)
    key = np.zeros(300, np.int64)
    every = near_pairs(texts, *sides, 0.6, key)
    monkeypatch.setattr("whilecore.shingles.FEW", 0)
    some = near_pairs(texts, *sides, 0.6, key)
    assert len(every[0]) > 100
    for one, other in zip(every, some, strict=True):
        np.testing.assert_array_equal(one, other)
