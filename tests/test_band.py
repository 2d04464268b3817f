"""The band in exact fractions."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import table
from whilecore.band import band_edges, below, edge


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (0.2, Fraction(1, 5)),
        (np.float64(0.2), Fraction(1, 5)),
        (np.float32(0.2), Fraction(1, 5)),
        (Decimal("0.2"), Fraction(1, 5)),
        (Fraction(1, 3), Fraction(1, 3)),
        ("1/3", Fraction(1, 3)),
        ("0.2", Fraction(1, 5)),
        (0, Fraction(0)),
        (1, Fraction(1)),
        (0.1 + 0.2, Fraction("0.30000000000000004")),
        (5e-324, Fraction("5e-324")),
    ],
)
def test_an_edge_is_the_number_written_not_the_float_beside_it(value, exact):
    assert edge(value, "edge") == exact


@pytest.mark.parametrize(
    "value", [-0.1, 1.1, 20, "20%", "", "1/0", None, True, np.nan, np.inf, [0.2], "a"]
)
def test_an_edge_that_is_no_rate_is_refused(value):
    with pytest.raises(
        ValueError, match=r"band's low edge must be a pass rate in \[0, 1\] such as"
    ):
        band_edges((value, 0.8))
    with pytest.raises(ValueError, match="band's high edge must be a pass rate"):
        band_edges((0, value))


@pytest.mark.parametrize("band", [None, 0.2, (0.2,), (0.2, 0.5, 0.8), "abc"])
def test_a_band_is_two_rates(band):
    with pytest.raises(ValueError, match=r"band must be two pass rates \(low, high\) such as"):
        band_edges(band)


def test_a_band_the_wrong_way_round_is_refused():
    with pytest.raises(ValueError, match=r"from low to high, got \(0.8, 0.2\); swap the two"):
        band_edges((0.8, 0.2))
    assert band_edges((0.5, "1/2")) == (Fraction(1, 2), Fraction(1, 2))


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(sorted), max_size=20),
    st.fractions(0, 1),
)
def test_below_is_the_comparison_of_fractions(pairs, rate):
    passes = np.array([one for one, _ in pairs], np.int64)
    rows = np.array([two for _, two in pairs], np.int64)
    expected = [two > 0 and Fraction(one, two) < rate for one, two in pairs]
    assert below(passes, rows, rate).tolist() == expected


def test_no_rows_are_below_nothing():
    assert below(np.array([0]), np.array([0]), Fraction(1)).tolist() == [False]
    assert below(np.zeros(0, np.int64), np.zeros(0, np.int64), Fraction(1, 2)).shape == (0,)


@pytest.mark.parametrize(("k", "low"), [(5, 0.2), (10, 0.1), (10, 0.3), (3, "1/3"), (7, "1/7")])
def test_a_task_on_the_low_edge_stays_and_one_pass_less_goes(k, low):
    # Fraction(0.2) > 1/5 would drop 1 of 5; 3 of 10 against 0.30000000000000004 would go too
    on = round(k * float(Fraction(str(low))))
    edges = {"on": [1] * on + [0] * (k - on), "high": [1] * (k - 1) + [0]}
    assert table(edges).select(band=(low, 1)).report["groups_kept"] == 2
    if on > 1:
        under = {"under": [1] * (on - 1) + [0] * (k - on + 1)}
        assert table(under).select(band=(low, 1)).report["too_hard_groups"] == 1


@pytest.mark.parametrize(("k", "high"), [(5, 0.8), (10, 0.9), (10, 0.7), (3, "2/3"), (20, 0.95)])
def test_a_task_on_the_high_edge_stays_and_one_pass_more_goes(k, high):
    on = round(k * float(Fraction(str(high))))
    assert table({"on": [1] * on + [0] * (k - on)}).select(band=(0, high)).report["kept"] == k
    if on + 1 < k:
        over = {"over": [1] * (on + 1) + [0] * (k - on - 1)}
        assert table(over).select(band=(0, high)).report["too_easy_groups"] == 1
