"""The equal-size random pick that a selection has to beat."""

from __future__ import annotations

import numpy as np
import pytest

import whilecore as wc
from tests import pictures
from whilecore.control import control_rows
from whilecore.gates import row_gates


@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_the_control_has_as_many_rows_as_the_selection_and_none_a_row_gate_takes(mode: str) -> None:
    selection = wc.printed_run().select(mode=mode)
    drawn = control_rows(selection, seed=1)
    assert len(drawn) == len(set(drawn.tolist())) == len(selection)
    assert (row_gates(selection.source)[drawn] < 0).all()


def test_an_rl_control_is_whole_tasks_but_for_the_last() -> None:
    selection = pictures.printed()
    codes = selection.source.task_codes
    usable = row_gates(selection.source) < 0
    drawn = np.bincount(codes[control_rows(selection, seed=2)], minlength=16)
    cut = (drawn > 0) & (drawn < np.bincount(codes[usable], minlength=16))
    assert cut.sum() <= 1


def test_an_sft_control_is_one_row_a_task() -> None:
    selection = wc.printed_run().select(mode="sft")
    tasks = selection.source.task_codes[control_rows(selection)]
    assert len(np.unique(tasks)) == len(tasks) == 16


def test_seeds_draw_different_controls_and_one_seed_the_same() -> None:
    selection = pictures.printed()
    first = control_rows(selection, seed=0).tolist()
    assert first == control_rows(selection, seed=0).tolist()
    assert any(control_rows(selection, seed=seed).tolist() != first for seed in range(1, 6))
