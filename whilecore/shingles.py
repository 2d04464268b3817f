"""Texts that are nearly the same: shingles, Jaccard similarity, and a search by MinHash."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

WIDTH: Final = 5  # characters per shingle
HASHES: Final = 64
RECALL: Final = 0.9995  # share of pairs at the threshold that the search must find
WORDS: Final = re.compile(r"\w+")
FEW: Final = 100_000  # pairs that are measured without a look at their signatures
AT_ONCE: Final = 2_000_000  # shingles looked up at a time
GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)


def plain(text: str) -> str:
    """Fold what does not change a question: case, the form of letters, spaces, punctuation.

    >>> plain("  Where is ＯＲ-12？ ")
    'where is or 12'
    """
    return " ".join(WORDS.findall(unicodedata.normalize("NFKC", text).casefold()))


def numbers(text: str) -> str:
    """Return the words of a plain text that hold a digit, sorted: what tells template asks apart.

    >>> numbers("is 12 more than x7 or 3")
    '12 3 x7'
    """
    return " ".join(sorted(word for word in text.split() if any(c.isdigit() for c in word)))


@dataclass(frozen=True)
class Shingles:
    """The distinct shingles of some texts, those of one text side by side, in rising order.

    Attributes:
        code: 64-bit hash of each, shape (shingles,).
        start: Where each text begins, shape (texts + 1,).
    """

    code: Hashes
    start: Ints

    @property
    def size(self) -> Ints:
        """Distinct shingles per text, at least 1."""
        return np.diff(self.start)


def shingles(texts: Sequence[str]) -> Shingles:
    """Cut texts into overlapping runs of 5 characters; a shorter text is one shingle.

    Convention:
        Shingles are compared by a 64-bit hash; among a million of them two that differ hash alike
        with a chance of 3 in 100 million.
    """
    padded = [text.ljust(WIDTH, "\0") for text in texts]
    length = np.array([len(text) for text in padded], np.int64)
    joined = "".join(padded).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(joined, np.uint32).astype(np.uint64)
    owner = np.repeat(np.arange(len(padded)), length)
    windows = max(len(points) - WIDTH + 1, 0)
    code = np.zeros(windows, np.uint64)
    with np.errstate(over="ignore"):
        for place in range(WIDTH):
            code = (code + points[place : place + windows]) * GAMMA
            code ^= code >> np.uint64(29)
    whole = owner[:windows] == owner[len(owner) - windows :]
    owner, code = owner[:windows][whole], code[whole]
    order = np.lexsort((code, owner))
    owner, code = owner[order], code[order]
    fresh = np.ones(len(code), np.bool_)
    fresh[1:] = (code[1:] != code[:-1]) | (owner[1:] != owner[:-1])
    return Shingles(code[fresh], np.searchsorted(owner[fresh], np.arange(len(padded) + 1)))


def similarity(some: Shingles, first: Ints, second: Ints) -> Floats:
    """Return the Jaccard similarity of pairs of texts: |A∩B| / |A∪B|, shape (pairs,).

    >>> some = shingles(["abcdef", "abcdefg"])  # abcde bcdef | abcde bcdef cdefg
    >>> round(float(similarity(some, np.array([0]), np.array([1]))[0]), 3)
    0.667
    """
    codes = pd.factorize(some.code)[0].astype(np.int64)
    high = int(codes.max(initial=0)) + 1
    keys = np.sort(np.repeat(np.arange(len(some.size)), some.size) * high + codes)
    size, common = some.size, np.zeros(len(first), np.int64)
    step = max(1, AT_ONCE // max(int(size.max(initial=1)), 1))
    for low in range(0, len(first), step):
        a, b = first[low : low + step], second[low : low + step]
        pair = np.repeat(np.arange(len(a)), size[a])
        before = np.cumsum(size[a]) - size[a]
        inside = np.arange(len(pair)) - before[pair] + some.start[a][pair]
        wanted = b[pair] * high + codes[inside]
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        common[low : low + step] = np.bincount(pair[keys[at] == wanted], minlength=len(a))
    return np.asarray(common / (size[first] + size[second] - common))


def signatures(some: Shingles) -> Hashes:
    """Return MinHash signatures, shape (texts, 64): equal in place i with chance Jaccard."""
    out = np.empty((len(some.size), HASHES), np.uint64)
    with np.errstate(over="ignore"):
        for place in range(HASHES):
            mixed = (some.code ^ (some.code >> np.uint64(31))) + np.uint64(place + 1) * GAMMA
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            out[:, place] = np.minimum.reduceat(mixed ^ (mixed >> np.uint64(31)), some.start[:-1])
    return out


def rows_per_band(least: float) -> int:
    """Return into bands of how many hashes signatures are cut to find pairs of some similarity.

    A pair of similarity t shares a whole band with chance 1 − (1 − tʳ)^⌊64/r⌋; the longest r that
    finds 99.95 % is taken, since it compares the fewest other pairs.

    >>> [rows_per_band(t) for t in (0.9, 0.7, 0.5, 0.2)]
    [5, 3, 2, 1]
    """
    for rows in range(8, 1, -1):
        if 1 - (1 - least**rows) ** (HASHES // rows) >= RECALL:
            return rows
    return 1


def near_pairs(
    texts: Sequence[str], left: Ints, right: Ints, least: float, key: Ints
) -> tuple[Ints, Ints, Floats]:
    """Find the pairs of texts, one of each side, whose similarity is at least some value.

    Args:
        texts: Plain texts, all different.
        left: Positions of the texts of one side.
        right: Positions of the texts of the other.
        least: Smallest similarity, above 0 and at most 1.
        key: A number per text; only texts with the same one are paired.

    Returns:
        Positions in ``texts`` of both sides of each pair, and their similarity, which is exact.

    Convention:
        The search is by MinHash without any randomness in the run: the same texts give the same
        pairs. It misses at most 5 in 10,000 pairs that just reach the threshold, and fewer above.

    Source:
        Broder 1997 (shingles, MinHash); Indyk and Motwani 1998 (bands).
    """
    left, right = left[np.isin(key[left], key[right])], right[np.isin(key[right], key[left])]
    if not len(left):
        none = np.zeros(0, np.int64)
        return none, none, np.zeros(0)
    used = np.union1d(left, right)  # the others share their numbers with no text of the other side
    some, rows, key = shingles([texts[at] for at in used]), rows_per_band(least), key[used]
    left, right = np.searchsorted(used, left), np.searchsorted(used, right)
    signed = signatures(some)
    short = signed.astype(np.uint8)
    found = np.zeros(0, np.int64)
    for low in range(0, HASHES - rows + 1, rows):
        band = key.astype(np.uint64)
        with np.errstate(over="ignore"):
            for place in range(low, low + rows):
                band = (band ^ signed[:, place]) * GAMMA
                band ^= band >> np.uint64(32)
        first, second = _same(band[left], band[right])
        a, b = left[first], right[second]
        likely = _likely(short, a, b, least)
        pairs = a[likely] * len(used) + b[likely]
        found = np.union1d(found, pairs)
    a, b = np.divmod(found, len(used))
    a, b = a[a != b], b[a != b]
    alike = similarity(some, a, b)
    near = (alike >= least - 1e-12) & (key[a] == key[b])
    return used[a[near]], used[b[near]], alike[near]


def _likely(short: npt.NDArray[np.uint8], a: Ints, b: Ints, least: float) -> npt.NDArray[np.bool_]:
    """Tell which pairs have signatures alike enough to be measured.

    A pair at the threshold agrees in a share of the 64 hashes that is its similarity, give or take
    √(t(1−t)/64); one that lies 5 of those lower is not measured. Asks made from one template give
    millions of such pairs.
    """
    fewest = HASHES * (least - 5 * (least * (1 - least) / HASHES) ** 0.5)
    if fewest <= 1 or len(a) < FEW:
        return np.ones(len(a), np.bool_)
    step = AT_ONCE // HASHES * 16
    parts = [
        (short[a[low : low + step]] == short[b[low : low + step]]).sum(1) >= fewest
        for low in range(0, len(a), step)
    ]
    return np.concatenate(parts)


def _same(left: Hashes, right: Hashes) -> tuple[Ints, Ints]:
    """Return the places of all pairs of equal values, one of each side."""
    order = np.argsort(right, kind="stable")
    there = right[order]
    low = np.searchsorted(there, left, "left")
    many = np.searchsorted(there, left, "right") - low
    before = np.cumsum(many) - many
    inside = np.arange(int(many.sum())) - np.repeat(before, many)
    return np.repeat(np.arange(len(left)), many), order[np.repeat(low, many) + inside]
