"""LiveChart and LiveBoard without a browser: what is sent, and when."""

from __future__ import annotations

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whilecore.charts import live, runtime
from whilecore.charts.live import LiveBoard, LiveChart


def picture():
    return alt.Chart(alt.NamedData("rows")).mark_point().encode(x="x:Q", y="y:Q")


def sent(widget):
    """Return a list that grows by the keys of each message the widget sends from now on."""
    messages = []
    widget.observe(lambda change: messages.append(change["name"]))
    return messages


def state(chart):
    return json.loads(chart.chart)


def test_push_sends_columns_as_lists():
    chart = LiveChart(picture())
    chart.push(rows={"x": np.arange(3), "y": [1.5, 2.5, 3.5]})
    assert state(chart)["data"] == {"rows": {"x": [0, 1, 2], "y": [1.5, 2.5, 3.5]}}


def test_what_is_not_pushed_stays():
    chart = LiveChart(picture(), title="first", summary="one")
    chart.push(rows={"x": [1]}, table={"n": [1]})
    chart.push(title="second")
    assert state(chart) == {
        "title": "second",
        "summary": "one",
        "data": {"rows": {"x": [1]}},
        "table": {"n": [1]},
    }


def test_nan_and_infinity_become_null():
    chart = LiveChart(picture())
    chart.push(rows={"x": np.array([1.0, np.nan, np.inf]), "y": [-np.inf, None, np.nan]})
    assert state(chart)["data"]["rows"] == {"x": [1.0, None, None], "y": [None, None, None]}


def test_numpy_scalars_in_object_columns_and_series_are_plain_values():
    chart = LiveChart(picture())
    mixed = np.array([np.int64(3), "three", np.bool_(True), np.float64("nan")], dtype=object)
    chart.push(rows={"x": mixed, "y": pd.Series(["a", "b", "c", "d"])})
    assert state(chart)["data"]["rows"] == {
        "x": [3, "three", True, None],
        "y": ["a", "b", "c", "d"],
    }


@given(st.lists(st.floats() | st.integers(-(2**53), 2**53) | st.text() | st.booleans() | st.none()))
def test_any_column_of_plain_values_survives_the_way(values):
    column = np.empty(len(values), dtype=object)
    column[:] = values
    back = json.loads(live._json({"column": live._values(column)}))["column"]
    expected = [None if isinstance(v, float) and not np.isfinite(v) else v for v in values]
    assert back == expected


def test_one_push_changes_one_trait():
    chart = LiveChart(picture())
    messages = sent(chart)
    chart.push(title="t", summary="s", rows={"x": [1]}, table={"n": [1]})
    assert messages == ["chart"]


def test_push_of_the_same_data_sends_nothing():
    chart = LiveChart(picture())
    chart.push(rows={"x": [1]})
    messages = sent(chart)
    chart.push(rows={"x": [1]})
    assert messages == []


def test_board_sends_all_charts_in_one_message():
    board = LiveBoard()
    one, two = board.chart("one", picture()), board.chart("two", picture())
    messages = []
    board.comm.send = lambda data, **_: messages.append(sorted(data["state"]))
    with board.together():
        one.push(rows={"x": [1]})
        two.push(rows={"x": [2]})
    one.push(rows={"x": [3]})
    assert messages == [["chart_one", "chart_two"], ["chart_one"]]


def test_board_sends_what_was_pushed_before_an_error():
    board = LiveBoard()
    chart = board.chart("one", picture())
    with pytest.raises(RuntimeError), board.together():
        chart.push(rows={"x": [5]})
        raise RuntimeError
    assert json.loads(board.chart_one)["data"] == {"rows": {"x": [5]}}


def test_together_inside_together_still_sends_once():
    board = LiveBoard()
    one, two = board.chart("one", picture()), board.chart("two", picture())
    messages = []
    board.comm.send = lambda data, **_: messages.append(sorted(data["state"]))
    with board.together():
        with board.together():
            one.push(rows={"x": [1]})
        two.push(rows={"x": [2]})
    assert messages == [["chart_one", "chart_two"]]


def test_chart_of_a_board_names_the_board_and_keeps_no_data_of_its_own():
    board = LiveBoard()
    chart = board.chart("one", picture())
    chart.push(rows={"x": [1]})
    assert chart.board == board.model_id
    assert chart.chart == ""


def test_two_boards_share_nothing():
    first, second = LiveBoard(), LiveBoard()
    first.chart("one", picture()).push(rows={"x": [1]})
    second.chart("one", picture())
    assert json.loads(second.chart_one)["data"] == {}


def test_reserved_height_is_the_charts_own_unless_told():
    assert LiveChart(picture().properties(height=100)).look["min_height"] > 100
    assert LiveChart(picture(), min_height=321).look["min_height"] == 321


def test_module_carries_the_runtime_outside_the_server_and_its_address_inside():
    alone = LiveChart(picture())._esm
    with runtime.served_at("/_whilecore/vega-1.js"):
        served = LiveChart(picture())._esm
    assert len(alone) > len(runtime.bundle())
    assert '{"path": "/_whilecore/vega-1.js"}' in served
    assert len(served) < 20_000


def test_unknown_dataset_is_refused_with_the_names_the_chart_reads():
    chart = LiveChart(picture(), name="dots")
    with pytest.raises(ValueError, match="dots: the chart reads rows; got data for row"):
        chart.push(row={"x": [1]})


def test_columns_of_unequal_length_are_refused_with_their_lengths():
    chart = LiveChart(picture(), name="dots")
    with pytest.raises(
        ValueError, match=r"dots\.rows: columns must have one length, got x: 2, y: 1"
    ):
        chart.push(rows={"x": [1, 2], "y": [1]})


def test_column_with_two_dimensions_is_refused():
    with pytest.raises(ValueError, match=r"one dimension, got shape \(1, 2\)"):
        LiveChart(picture()).push(rows={"x": np.zeros((1, 2))})


def test_refused_push_changes_nothing():
    chart = LiveChart(picture(), title="before")
    with pytest.raises(ValueError, match="one length"):
        chart.push(title="after", rows={"x": [1], "y": [1, 2]})
    with pytest.raises(ValueError, match="one length"):
        chart.push(rows={"x": [1]}, table={"n": [1], "m": []})
    with pytest.raises(TypeError, match="numbers, text"):
        chart.push(title="after", rows={"x": [object()]})
    chart.push(summary="s")
    assert state(chart)["title"] == "before"
    assert state(chart)["data"] == {}


def test_value_that_json_cannot_carry_is_refused():
    with pytest.raises(TypeError, match="numbers, text, truth values or None"):
        LiveChart(picture()).push(rows={"x": [object()]})


def test_name_must_be_lower_case():
    with pytest.raises(ValueError, match="name must be lower-case letters"):
        LiveChart(picture(), name="The Grid")


def test_name_must_be_new_on_its_board():
    board = LiveBoard()
    board.chart("one", picture())
    with pytest.raises(ValueError, match="unique on its board, got 'one' again"):
        board.chart("one", picture())
