"""Each feature's correlation with the reward, and the floor."""

from __future__ import annotations

import pytest

from tests import pictures
from whilecore.charts import spec, tracking
from whilecore.reward_scan import SCANNED


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(tracking.picture()).datasets) == {"floor", "zero", "features"}


def test_dots_are_the_report_s_correlations_and_the_shade_its_floor() -> None:
    selection = pictures.printed()
    pushed = tracking.push(selection, "seed 0")
    found = selection.report["correlations"]
    names = [link.removeprefix("scan.") for link in pushed["features"]["link"]]
    assert names[: len(found)] == [name for name in SCANNED if name in found]
    for at, name in enumerate(names[: len(found)]):
        assert pushed["features"]["within"][at] == found[name]["within"]
        assert pushed["features"]["pooled"][at] == found[name]["pooled"]
    floor = selection.report["scanned"]["floor"]
    assert pushed["floor"] == {"x": [-floor], "x2": [floor], "link": ["scan"]}


def test_the_title_names_what_clears_the_floor_with_its_value() -> None:
    title = tracking.push(pictures.printed(), "seed 0")["title"]
    assert title.startswith("Reply length (-0.75) clears the noise floor of 0.")


def test_every_scanned_feature_keeps_its_line_also_where_the_file_lacks_it() -> None:
    pushed = tracking.push(pictures.hand(), "seed 0")
    assert len(pushed["features"]["feature"]) == len(SCANNED)
    assert pushed["features"]["note"].count("not in this file") == len(SCANNED) - 1


def test_without_a_floor_the_title_says_why() -> None:
    title = tracking.push(pictures.hand(), "seed 0")["title"]
    assert title.startswith("No noise floor: 1 task has mixed rewards")


@pytest.mark.parametrize("name", ["floor", "features"])
def test_before_the_answer_the_picture_is_empty(name: str) -> None:
    assert all(not column for column in tracking.blank()[name].values())
