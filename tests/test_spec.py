"""From an Altair chart to Vega."""

from __future__ import annotations

import importlib
import json
import re

import altair as alt
import pytest

from tests.running import ROOT
from whilecore.charts import spec, theme


def chart(**properties):
    rows = alt.Chart(alt.NamedData("rows")).mark_point()
    return rows.encode(x=alt.X("x:Q", scale=alt.Scale(domain=[0, 4]))).properties(**properties)


def test_every_chart_can_turn_dark_and_be_lit():
    vega = json.loads(spec.compiled(chart()).vega)
    signals = {one["name"]: one.get("value") for one in vega["signals"]}
    assert signals["dark"] is False
    assert signals["lit"] == ""


def test_a_parameter_the_chart_brings_itself_stays():
    own = chart().add_params(alt.param(name="lit", value="kept"))
    vega = json.loads(spec.compiled(own).vega)
    assert [one["value"] for one in vega["signals"] if one["name"] == "lit"] == ["kept"]


def test_datasets_are_the_names_the_chart_reads():
    line = alt.Chart(alt.NamedData("cut")).mark_rule().encode(x="x:Q")
    assert spec.compiled(chart() + line).datasets == ("rows", "cut")


def test_chart_without_a_width_follows_its_container():
    assert spec.compiled(chart()).fluid
    assert spec.compiled(chart() + chart()).fluid
    assert not spec.compiled(chart(width=300)).fluid
    assert not spec.compiled(chart(width=300) | chart(width=300)).fluid


def test_height_is_what_the_chart_takes_with_its_axis():
    # The x axis below needs ticks (5), labels (12) and a title (12) and the gaps between them.
    plain = spec.compiled(chart(height=200)).height
    assert 225 <= plain <= 250
    assert spec.compiled(chart(height=300)).height == plain + 100


def test_what_the_chart_configures_wins_and_the_rest_of_the_theme_stays():
    vega = json.loads(spec.compiled(chart().configure_axis(labelFontSize=20)).vega)
    assert vega["config"]["axis"]["labelFontSize"] == 20
    assert vega["config"]["axis"]["titleFontSize"] == theme.config()["axis"]["titleFontSize"]


def test_marks_carry_no_description_of_each_row():
    assert "description" not in spec.compiled(chart()).vega


def test_equal_charts_are_compiled_once():
    assert spec.compiled(chart(height=77)) is spec.compiled(chart(height=77))


def test_chart_without_named_data_is_refused_with_the_way_out():
    fixed = alt.Chart(alt.Data(values=[{"x": 1}])).mark_point().encode(x="x:Q")
    with pytest.raises(ValueError, match=r'alt\.NamedData\("rows"\)'):
        spec.compiled(fixed)


def pictures():
    """Return every function of the charts that makes one chart per process, by its name."""
    for path in sorted((ROOT / "whilecore" / "charts").glob("*.py")):
        module = importlib.import_module(f"whilecore.charts.{path.stem}")
        for name, one in vars(module).items():
            if hasattr(one, "cache_info") and one.__annotations__.get("return") == "ChartType":
                yield f"{path.stem}.{name}", one


PICTURES = dict(pictures())
NEEDED = {"bench.picture": (6,), "scatter.picture": (True,), "tallies.picture": ("tries",)}


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_valid_and_made_once(name: str) -> None:
    picture, given = PICTURES[name], NEEDED.get(name, ())
    assert picture(*given) is picture(*given)
    own = picture.__wrapped__(*given)
    assert own.to_dict(validate=True) == own.to_dict(validate=False)
    assert spec.compiled(own) == picture(*given)


def test_no_picture_of_a_lesson_is_made_for_each_visitor() -> None:
    lessons = "".join(path.read_text() for path in (ROOT / "lessons").glob("*.py"))
    shown = set(re.findall(r'board\.chart\("\w+", (\w+\.\w+)\(', lessons))
    assert {"grid.picture", "picks.quality"} < shown
    assert shown - PICTURES.keys() == {"batch.picture"}  # that of baseline, in two rows


def test_a_picture_is_made_anew_for_other_arguments_only() -> None:
    made = []

    @spec.once
    def picture(height: int) -> alt.Chart:
        made.append(height)
        return chart(height=height)

    heights = [picture(one).height for one in (50, 80, 50, 80)]
    assert made == [50, 80]
    assert heights[:2] == heights[2:] and heights[1] == heights[0] + 30
    assert spec.compiled(picture(50)) is picture(50)
