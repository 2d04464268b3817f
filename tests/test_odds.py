"""The map of chances is the core's, and blank until it may be read."""

from __future__ import annotations

import pytest

from whilecore.charts import odds, spec
from whilecore.course import agreeing
from whilecore.groups import unanimous_probability


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(odds.picture()).datasets) == {"cells", "heads", "now"}


def test_every_cell_holds_the_cores_chance() -> None:
    cells = odds.push(0.65, 4, True)["cells"]
    assert len(cells["x"]) == 11 * 19
    for x, k, chance in zip(cells["x"], cells["y"], cells["chance"], strict=True):
        rate = (50 + 5 * (x - 0.5)) / 100
        assert chance == pytest.approx(float(unanimous_probability(rate, k)), abs=6e-5)


@pytest.mark.parametrize("rate", range(0, 101, 5))
@pytest.mark.parametrize("repeats", [2, 4, 20])
def test_the_frame_stands_on_the_cell_of_the_controls(rate: int, repeats: int) -> None:
    pushed = odds.push(rate / 100, repeats, True)
    left, top = pushed["now"]["left"][0], pushed["now"]["top"][0]
    here = (pushed["cells"]["left"] == left) & (pushed["cells"]["top"] == top)
    assert here.sum() == 1
    chance = float(unanimous_probability(rate / 100, repeats))
    assert pushed["cells"]["chance"][here][0] == pytest.approx(chance, abs=6e-5)
    assert f"{odds.tenths(100 * chance)}\N{NO-BREAK SPACE}%" in pushed["title"]


def test_the_map_covers_every_control() -> None:
    assert odds.TRIES[0] == agreeing.REPEATS.low and odds.TRIES[-1] == agreeing.REPEATS.high
    assert agreeing.RATE.step == 5 and (agreeing.RATE.low, agreeing.RATE.high) == (0, 100)


def test_65_per_cent_and_four_tries_is_19() -> None:
    cells = odds.push(0.65, 4, True)["cells"]
    here = (cells["x"] == 3.5) & (cells["y"] == 4)
    assert cells["said"][int(here.argmax())] == "19"


def test_a_half_is_rounded_up_as_in_the_questions() -> None:
    cells = odds.push(0.5, 4, True)["cells"]
    said = {(x, k): one for x, k, one in zip(cells["x"], cells["y"], cells["said"], strict=True)}
    # .5⁴ + .5⁴ = .125; .55² + .45² = .505; .95² + .05² = .905
    assert (said[0.5, 4], said[1.5, 2], said[9.5, 2]) == ("13", "51", "91")


def test_what_is_nearly_never_is_not_called_0() -> None:
    pushed = odds.push(0.5, 15, True)
    assert "under 0.1" in pushed["title"] and "under 0.1" in pushed["summary"]
    assert pushed["table"]["50 %"][13] == "<0.1"


def test_before_the_answer_the_cells_are_blank() -> None:
    pushed = odds.push(0.65, 4, False)
    assert set(pushed["cells"]["said"]) == {"?"}
    assert set(pushed["cells"]["chance"]) == {0.0}
    assert list(pushed["table"]) == ["tries"]
    assert "19" not in pushed["title"] + pushed["summary"]
