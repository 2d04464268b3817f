"""The strip of completions and the picks' true quality."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import pictures
from whilecore.charts import picks, spec
from whilecore.rejection import RULES, Rejection, rejection_sample

RATES = np.array([0.05, 0.5, 0.95])


def drawn(n: int = 10, noise: float = 0.5) -> Rejection:
    return rejection_sample(RATES, n, noise=noise, seed=0)


def push(rule: str = "best of n", revealed: bool = True, **how: Any) -> dict[str, Any]:
    return picks.push(drawn(**how), RATES, rule, revealed, "by hand")


def test_the_pictures_read_their_datasets() -> None:
    strip = {"tries", "rings", "tasks", "mark"}
    assert set(spec.compiled(picks.picture()).datasets) == strip
    assert set(spec.compiled(picks.quality()).datasets) == {"picks", "line"}


@pytest.mark.parametrize("rule", RULES)
def test_the_picks_are_ringed_where_they_lie(rule: str) -> None:
    run, pushed = drawn(), push(rule)
    kept = np.flatnonzero(run.picks[rule] >= 0)
    assert pushed["rings"]["x"] == pytest.approx(run.score[kept, run.picks[rule][kept]], abs=1e-3)
    assert pushed["tries"]["full"].sum() == len(kept) > 0
    assert (np.floor(pushed["rings"]["y"]) == kept).all()
    assert f"{len(kept)} of 3 tasks" in pushed["title"]


def test_shape_tells_the_truth_and_place_what_the_judge_sees() -> None:
    run, tries = drawn(), push()["tries"]
    assert (tries["shape"] == "circle").tolist() == (run.quality >= 0).ravel().tolist()
    assert ((tries["x"] >= 0) == run.passed.ravel()).all()


@pytest.mark.parametrize("n", [1, 30])
def test_more_completions_leave_the_first_where_they_were(n: int) -> None:
    x = push(n=n)["tries"]["x"].reshape(3, n)
    assert (x[:, :1] == push(n=30)["tries"]["x"].reshape(3, 30)[:, :1]).all()


def test_marks_stay_inside_the_picture_at_the_largest_noise() -> None:
    tries = push(n=30, noise=1.5)["tries"]
    assert picks.LOW <= tries["x"].min() and tries["x"].max() <= picks.HIGH
    assert tries["y"].min() > 0 and tries["y"].max() < 3


def test_without_noise_a_pick_is_as_good_as_it_looks_and_with_noise_the_best_looks_better() -> None:
    exact = picks.push_quality(drawn(noise=0.0), "best of n", True, "")["picks"]
    assert exact["y"].tolist() == exact["x"].tolist()
    run = rejection_sample(np.tile(RATES, 200), 10, noise=1.0, seed=0)
    table = picks.push_quality(run, "best of n", True, "")["table"]
    assert table["seen"].mean() > table["true"].mean() + 0.5


def test_before_the_answer_no_pick_is_sent() -> None:
    pushed = push(revealed=False)
    assert len(pushed["rings"]["x"]) == 0
    assert set(pushed["tries"]["full"]) == {1}
    assert not any("pick" in name for name in pushed["table"])
    hidden = picks.push_quality(drawn(), "best of n", False, "by hand")
    assert len(hidden["picks"]["x"]) == 0
    assert "look +" not in pictures.text_of(hidden)


def test_a_run_without_a_pass_says_so() -> None:
    run = rejection_sample([0.001], 1, seed=0)
    assert picks.push_quality(run, "best of n", True, "by hand")["title"].startswith("No task")
    assert "0 of 1 tasks" in picks.push(run, np.array([0.001]), "best of n", True, "")["title"]
