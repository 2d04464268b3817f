"""The two published forms, and where n draws can be on the first."""

from __future__ import annotations

import math

import pytest

from whilecore.charts import forms, spec


def test_the_picture_reads_its_datasets() -> None:
    assert set(spec.compiled(forms.picture()).datasets) == {"picks", "trained", "peaks", "now"}


def test_peaks_and_the_mark_of_n_are_where_the_formulas_say() -> None:
    pushed = forms.push(4, 1.0, 0.5, True)
    # d(1 − d/2) peaks at 1 with 1/2; d(1 − log(d)/2) at e with e/2
    assert pushed["peaks"]["x"] == pytest.approx([1.0, math.e])
    assert pushed["peaks"]["y"] == pytest.approx([0.5, math.e / 2])
    d = math.sqrt(math.log(4) - 3 / 4)
    assert pushed["now"]["x"] == pytest.approx([d])
    assert pushed["now"]["y"] == pytest.approx([d * (1 - d / 2)])


def test_the_form_for_rl_is_not_drawn_near_zero() -> None:
    pushed = forms.push(4, 1.0, 0.5, True)
    assert min(pushed["trained"]["x"]) == forms.FROM and min(pushed["picks"]["x"]) == 0


def test_before_the_answer_nothing_is_sent() -> None:
    pushed = forms.push(4, 1.0, 0.5, False)
    assert all(len(pushed[name]["x"]) == 0 for name in ("picks", "trained", "peaks", "now"))
