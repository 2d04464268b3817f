"""A chart that is drawn once and afterwards receives only data.

Embedding a new chart on each move of a slider takes five to twelve times as long as showing a
number, and the page jumps. ``LiveChart`` keeps one Vega view alive and replaces its rows.
``LiveBoard`` sends the rows of several charts in one message.

    board = LiveBoard()
    grid = board.chart("grid", alt.Chart(alt.NamedData("rows")).mark_point().encode(...))
    bars = board.chart("bars", ...)

    with board.together():                      # in the cell that reads the sliders
        grid.push(title="29 of 64 rows kept", summary="...", rows={"x": x, "y": y})
        bars.push(title="...", rows={...})

Every chart gets two parameters. ``dark`` says whether the page is dark (``theme.py`` has colours
that follow it). ``lit`` holds the key of what the reader points at: a mark whose row has that
key in a column ``link`` can test it with ``theme.LIT``. It is "" where nothing is pointed at, and
where no row of the chart has the key: a picture that is not meant stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import anywidget
import msgspec
import numpy as np
import numpy.typing as npt
import traitlets
from altair.typing import ChartType

from whilecore.charts import runtime, spec
from whilecore.charts.spec import Compiled

Columns: TypeAlias = Mapping[str, npt.ArrayLike]
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_SCRIPT: Final = Path(__file__).with_name("live.js")


class LiveBoard(anywidget.AnyWidget):
    """The charts of one page, fed by one message per move.

    The board itself shows nothing; it is the model from which its charts read their data.
    """

    _esm = "export default { render() {} };"

    def __init__(self) -> None:
        """Make an empty board."""
        super().__init__()
        self._waiting: dict[str, str] | None = None

    def chart(self, name: str, chart: ChartType | Compiled, **look: Any) -> LiveChart:
        """Add a chart to the board.

        Args:
            name: Lower-case name, unique on the board; also the ``data-livechart`` of the figure.
            chart: An Altair chart that reads named data, or one of the lessons' pictures.
            **look: Further arguments of ``LiveChart``.

        Returns:
            The chart, to be shown in a cell of its own.
        """
        if self.has_trait(f"chart_{name}"):
            raise ValueError(f"a chart's name must be unique on its board, got {name!r} again")
        return LiveChart(chart, name=name, board=self, **look)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Send everything that is pushed inside the block in one message."""
        if self._waiting is not None:
            yield
            return
        self._waiting = {}
        try:
            yield
        finally:
            waiting, self._waiting = self._waiting, None
            with self.hold_sync():
                for trait, text in waiting.items():
                    setattr(self, trait, text)

    def _publish(self, trait: str, text: str) -> None:
        """Send one chart's state, now or at the end of the block."""
        if not self.has_trait(trait):
            self.add_traits(**{trait: traitlets.Unicode("").tag(sync=True)})
        if self._waiting is None:
            setattr(self, trait, text)
        else:
            self._waiting[trait] = text


class LiveChart(anywidget.AnyWidget):
    """One Altair chart, embedded once, whose named data is replaced by ``push``.

    Title, summary and table are HTML around the canvas: they wrap on a phone, and a screen reader
    finds them. The chart itself needs no title.

    Args:
        chart: An Altair chart that reads ``alt.NamedData``, or a picture of the lessons; several
            names are fine. Without a width it takes the width of its container.
        name: Lower-case name of the figure on the page.
        board: The board whose messages carry this chart's data; use ``LiveBoard.chart``.
        title: First title, the finding with n and seed.
        summary: First one-sentence summary.
        min_height: Height in pixels kept free for the canvas. Default: what the chart takes
            without rows.
        title_lines: Lines kept free for the title on a wide page (twice as many on a phone).
        level: Heading level of the title, 2 to 6.
        show_summary: Whether the summary is seen, or left to screen readers.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)
    board = traitlets.Unicode().tag(sync=True)
    spec = traitlets.Unicode().tag(sync=True)
    look = traitlets.Dict().tag(sync=True)
    chart = traitlets.Unicode().tag(sync=True)
    clicked = traitlets.Dict().tag(sync=True)
    """``{"key": ..., "n": ...}`` after a click on a mark whose row has a column ``key``; comes
    from the browser, so compare it with what is known before using it."""

    def __init__(
        self,
        chart: ChartType | Compiled,
        *,
        name: str = "chart",
        board: LiveBoard | None = None,
        title: str = "",
        summary: str = "",
        min_height: int | None = None,
        title_lines: int = 1,
        level: int = 3,
        show_summary: bool = False,
    ) -> None:
        """Compile the chart and open its model."""
        if not _NAME.fullmatch(name):
            raise ValueError(
                "name must be lower-case letters, digits and underscores, starting with a letter, "
                f"got {name!r}"
            )
        compiled = spec.compiled(chart)
        self._feed = board
        self._state: dict[str, Any] = {"title": title, "summary": summary, "data": {}}
        self._datasets = compiled.datasets
        super().__init__(
            _esm=_script(runtime.served_path()),
            name=name,
            board="" if board is None else board.model_id,
            spec=compiled.vega,
            look={
                "min_height": compiled.height if min_height is None else min_height,
                "title_lines": title_lines,
                "level": level,
                "show_summary": show_summary,
                "fluid": compiled.fluid,
            },
        )
        self._publish(self._state)

    def push(
        self,
        *,
        title: str | None = None,
        summary: str | None = None,
        table: Columns | None = None,
        **datasets: Columns,
    ) -> None:
        """Replace data and words of the chart; what is not given stays.

        Args:
            title: The finding, with n and seed.
            summary: One sentence computed from the same numbers.
            table: Column to values, the numbers behind the picture; the first column heads each
                row. Shown behind "Numbers as a table".
            **datasets: For each named dataset of the chart its columns, name to values, all of
                one length. NaN and infinity become null.

        Raises:
            ValueError: A dataset the chart does not read, or columns of unequal length.
        """
        unknown = datasets.keys() - set(self._datasets)
        if unknown:
            raise ValueError(
                f"{self.name}: the chart reads {', '.join(self._datasets)}; "
                f"got data for {', '.join(sorted(unknown))}"
            )
        data = {name: _listed(columns, f"{self.name}.{name}") for name, columns in datasets.items()}
        words = {"title": title, "summary": summary}
        fresh: dict[str, Any] = {name: text for name, text in words.items() if text is not None}
        if table is not None:
            fresh["table"] = _listed(table, f"{self.name}.table")
        self._publish({**self._state, **fresh, "data": {**self._state["data"], **data}})

    def _publish(self, state: dict[str, Any]) -> None:
        """Hand the whole state over as one string, the cheapest thing a model can carry."""
        text = _json(state)
        self._state = state
        if self._feed is None:
            self.chart = text
        else:
            self._feed._publish(f"chart_{self.name}", text)


@lru_cache(maxsize=4)
def _script(path: str | None) -> str:
    """Return the widget's module, with the runtime's address or the runtime itself in it."""
    where = {"source": runtime.bundle()} if path is None else {"path": path}
    return _SCRIPT.read_text(encoding="utf-8").replace("/*RUNTIME*/ null", json.dumps(where), 1)


def _listed(columns: Columns, what: str) -> dict[str, list[Any]]:
    """Return columns as lists that JSON can carry, after a check of their lengths."""
    lists = {name: _values(column) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in lists.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name}: {n}" for name, n in lengths.items())
        raise ValueError(f"{what}: columns must have one length, got {told}")
    return lists


def _values(column: npt.ArrayLike) -> list[Any]:
    """Return one column as a list of plain values."""
    array = np.asarray(column)
    if array.ndim != 1:
        raise ValueError(f"a column must have one dimension, got shape {array.shape}")
    return cast(list[Any], array.tolist())


def _plain(value: object) -> object:
    """Turn a numpy scalar inside an object column into a Python one."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a chart's data must be numbers, text, truth values or None, got {value!r}")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_plain)


def _json(state: Mapping[str, Any]) -> str:
    """Return a state as JSON in which NaN and infinity are null."""
    try:
        return _ENCODER.encode(state).decode()
    except (UnicodeEncodeError, OverflowError):  # a lone surrogate, a whole number of 20 digits
        return json.dumps(_without_nan(state), allow_nan=False, default=_plain)


def _without_nan(value: Any) -> Any:
    """Return a state with None for NaN and infinity, at any depth."""
    if isinstance(value, Mapping):
        return {name: _without_nan(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value
