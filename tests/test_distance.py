"""Training and best-of-n, each at its own distance from the start."""

from __future__ import annotations

import numpy as np
import pytest

from whilecore.charts import distance, spec
from whilecore.course.wrong_judge import DRAWS, expected, picks


def test_the_picture_reads_its_datasets() -> None:
    assert set(spec.compiled(distance.picture()).datasets) == {"trained", "end", "picks"}


def test_draws_stand_at_the_root_of_their_exact_kl_and_one_is_mine() -> None:
    curve = picks(0.5)
    pushed = distance.push(expected(0.5, 0.0), curve, 8, True, "half")
    assert pushed["picks"]["x"][1:] == pytest.approx(np.sqrt(curve.kl[1:]), abs=1e-4)
    assert pushed["picks"]["now"].tolist() == [int(n == 8) for n in DRAWS]
    assert pushed["title"].startswith(
        "Best of 8: true rate 0.90 at d = 0.88; training ends at 0.51"
    )


@pytest.mark.parametrize("bias", [0.0, 0.5, 0.8, 1.0])
def test_every_mark_lies_inside_the_axes(bias: float) -> None:
    pushed = distance.push(expected(bias, 0.0), picks(bias), 1, True, "")
    for name in ("trained", "picks"):
        assert max(pushed[name]["x"]) <= 1.6
        assert min(pushed[name]["y"]) >= 0.3 and max(pushed[name]["y"]) <= 1.05


def test_before_the_answer_nothing_is_sent() -> None:
    pushed = distance.push(expected(0.5, 0.0), picks(0.5), 8, False, "half")
    assert all(len(pushed[name]["x"]) == 0 for name in ("trained", "end", "picks"))
    assert pushed["table"]["n"] == []


def test_names_that_would_overlap_are_left_out_but_never_mine() -> None:
    said = distance.push(expected(1.0, 0.0), picks(1.0), 32, True, "all")["picks"]["said"]
    assert said[-1] == "32" and said[-2] == "" and said[0] == "1"
    assert distance.push(expected(1.0, 0.0), picks(1.0), 16, True, "all")["picks"]["said"][-2:] == [
        "16",
        "",
    ]
