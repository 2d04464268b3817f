"""Standard errors when tasks come in clusters."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.clustered import FORMS, clustered_error

PASSAGES = [1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("form", "error"),
    [
        # deviations ±.5, sums ±1.5: √(1.5² + 1.5²)/6 = 2.1213/6
        ("robust", 0.3536),
        # times √(2/1)
        ("small sample", 0.5),
        # s² = .3, s²/6 = .05; cross terms (2.25 − .75)·2/36 = .0833; √.1333
        ("sandwich plus sample variance", 0.3651),
    ],
)
def test_r49_two_passages_of_three_questions(form, error):
    """github.com/UKGovernmentBEIS/inspect_ai/issues/1251: three values are defended, name one."""
    assert clustered_error(*PASSAGES, form) == pytest.approx(error, abs=5e-5)
    naive = np.std(PASSAGES[0], ddof=1) / math.sqrt(6)
    assert naive == pytest.approx(0.2236, abs=5e-5) and error > naive


@given(st.lists(st.integers(0, 8), min_size=2, max_size=12))
def test_with_a_task_per_cluster_the_default_is_the_plain_error(values):
    n = len(values)
    plain = np.std(values, ddof=1) / math.sqrt(n)
    assert clustered_error(values, np.arange(n)) == pytest.approx(plain, abs=1e-12)
    assert clustered_error(values, np.arange(n), FORMS[2]) == pytest.approx(plain, abs=1e-12)


@given(st.permutations(range(8)), st.sampled_from(FORMS))
def test_neither_order_nor_the_names_of_clusters_matter(order, form):
    values, clusters = np.arange(8) ** 2, np.array([0, 0, 1, 1, 1, 2, 2, 2])
    mixed = clustered_error(values[list(order)], 7 * clusters[list(order)] + 3, form)
    assert mixed == pytest.approx(clustered_error(values, clusters, form)) and mixed > 0


def test_one_cluster_is_refused():
    with pytest.raises(ValueError, match="at least 2 clusters, got 1"):
        clustered_error([1, 0, 1], [4, 4, 4])


def test_shapes_and_forms_are_checked():
    with pytest.raises(ValueError, match="one entry per task"):
        clustered_error([1, 0, 1], [0, 1])
    with pytest.raises(ValueError, match="small sample, robust"):
        clustered_error([1, 0], [0, 1], "hc3")
