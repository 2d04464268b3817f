# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Live charts.

question: Do the pictures follow the controls?
minutes: 1
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="full",
    app_title="Live charts",
    css_file="../../../lessons/lesson.css",
)

with app.setup(hide_code=True):
    import altair as alt
    import marimo as mo
    import numpy as np

    from whilecore.charts import theme
    from whilecore.charts.live import LiveBoard, LiveChart


@app.cell(hide_code=True)
def title():
    mo.md("""
    # Live charts
    """)
    return


@app.cell(hide_code=True)
def controls():
    count_slider = mo.ui.slider(0, 16, value=4, label="count")
    cut_slider = mo.ui.slider(0, 100, step=10, value=50, label="cut")
    mo.hstack([count_slider, cut_slider], justify="start")
    return count_slider, cut_slider


@app.cell(hide_code=True)
def settings(count_slider, cut_slider):
    count = min(max(int(count_slider.value), 0), 16)
    cut = min(max(int(cut_slider.value), 0), 100)
    return count, cut


@app.cell(hide_code=True)
def pictures():
    _verdicts = ["pass", "fail"]
    _colours = alt.Scale(domain=_verdicts, range=[theme.PASS, theme.FAIL])
    _shapes = alt.Scale(domain=_verdicts, range=[theme.PASS_SHAPE, theme.FAIL_SHAPE])
    _dots = (
        alt.Chart(alt.NamedData("rows"))
        .mark_point(size=150)
        .encode(
            x=alt.X("x:Q", scale=alt.Scale(domain=[0, 17])),
            y=alt.Y("y:Q", scale=alt.Scale(domain=[0, 100])),
            color=alt.Color("verdict:N", scale=_colours),
            shape=alt.Shape("verdict:N", scale=_shapes),
            opacity=alt.condition(theme.UNLIT, alt.value(0.2), alt.value(1)),
            tooltip=["x:Q", "verdict:N"],
        )
        .properties(height=180)
    )
    _line = alt.Chart(alt.NamedData("cut")).mark_rule(strokeWidth=2).encode(y="y:Q")
    _bars = (
        alt.Chart(alt.NamedData("counts"))
        .mark_bar(color=theme.PASS)
        .encode(
            x=alt.X("n:Q", scale=alt.Scale(domain=[0, 16])),
            y=alt.Y("verdict:N", scale=alt.Scale(domain=_verdicts)),
            opacity=alt.condition(theme.UNLIT, alt.value(0.2), alt.value(1)),
        )
        .properties(height=80)
    )
    _alone = (
        alt.Chart(alt.NamedData("rows"))
        .mark_tick()
        .encode(x=alt.X("x:Q", scale=alt.Scale(domain=[0, 17])))
        .properties(height=30)
    )
    board = LiveBoard()
    dots = board.chart("dots", _dots + _line)
    bars = board.chart("bars", _bars, show_summary=True)
    alone = LiveChart(_alone, name="alone")
    return alone, bars, board, dots


@app.cell(hide_code=True)
def dots_shown(dots):
    dots_element = mo.ui.anywidget(dots)
    dots_element
    return (dots_element,)


@app.cell(hide_code=True)
def bars_shown(bars):
    bars
    return


@app.cell(hide_code=True)
def alone_shown(alone):
    alone
    return


@app.cell(hide_code=True)
def push(alone, bars, board, count, cut, dots):
    _x = np.arange(1, count + 1)
    _y = (_x * 37) % 100
    _verdict = np.where(_y >= cut, "pass", "fail")
    _passes = int((_y >= cut).sum())
    _counts = {"verdict": ["pass", "fail"], "n": [_passes, count - _passes]}
    with board.together():
        dots.push(
            title=f"{_passes} of {count} dots reach {cut}",
            summary=f"Of {count} dots {_passes} lie at {cut} or above.",
            rows={"x": _x, "y": _y, "verdict": _verdict, "link": _verdict, "key": _x},
            cut={"y": [cut]},
            table={"dot": _x, "height": _y, "verdict": _verdict},
        )
        bars.push(
            title=f"{_passes} pass, {count - _passes} fail",
            summary=f"{_passes} dots pass and {count - _passes} fail.",
            counts={**_counts, "link": _counts["verdict"]},
            table=_counts,
        )
    alone.push(title=f"{count} ticks", summary=f"{count} ticks.", rows={"x": _x})
    passes = _passes
    return (passes,)


@app.cell(hide_code=True)
def reading(count, dots_element, passes):
    _clicked = dots_element.value.get("clicked", {})
    _numbers = {"passes": passes, "count": count, "clicked": _clicked.get("key", "none")}
    mo.Html(
        "".join(
            f'<div>{name}: <span data-name="{name}">{value}</span></div>'
            for name, value in _numbers.items()
        )
    )
    return


if __name__ == "__main__":
    app.run()
