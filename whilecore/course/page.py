"""One widget for each lesson page: its state in the link, its changing text, its live region.

Everything that changes with a control goes to the page in one message: numbers and sentences into
named places (``place``, ``show``), the settings into the address, one sentence into the live
region. A cell that returns HTML costs about a third of a slider's round trip; this costs a sixth
for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from html import escape
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any, Final

import anywidget
import marimo as mo
import traitlets

from whilecore.course.settings import Choice, Setting, Value, Whole
from whilecore.course.teacher import Teacher, choice_of, code_name, code_of

BOX_NOTES: Final = "notes"  # the place in the bar for what its boxes may not say
ONE_MOVE_SECONDS: Final = 0.7  # two steps of one control that follow closer than this are one move


class Page(anywidget.AnyWidget):
    """The state of one visitor's lesson page.

    Args:
        settings: What the link and the controls may say.
        query: The query string, from ``mo.query_params()``.
        version: The lesson's version; a link carries it as ``v``.

    Attributes:
        teacher: What the link asks on a teacher's behalf.
        values: The settings as last settled (at first: as the link has them).
        notices: Sentences about parameters of the link that were refused; the page shows them.
        moved: The settings that the last move changed, each with (old, new); a hidden one is left
            out. Steps of one drag, or of an arrow key pressed again at once, are one move.
    """

    _esm = Path(__file__).with_name("page.js")

    slots: Any = traitlets.Dict().tag(sync=True)
    said: Any = traitlets.Unicode("").tag(sync=True)
    link: Any = traitlets.Dict().tag(sync=True)
    owned: Any = traitlets.List().tag(sync=True)
    notices: Any = traitlets.List().tag(sync=True)
    resets: Any = traitlets.Int(0).tag(sync=True)
    shown: Any = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(
        self, settings: Sequence[Setting], query: Mapping[str, Any] | None = None, version: int = 1
    ) -> None:
        """Read the link."""
        super().__init__()
        self.settings = {setting.name: setting for setting in settings}
        self.version = version
        given = {name: _last(value) for name, value in _plain(query).items()}
        self.teacher = Teacher.from_query(given)
        self.moved: Mapping[str, tuple[Value, Value]] = {}
        self._moves = 0
        self._last_step: tuple[set[str], float] = set(), -math.inf
        self._box_notes: dict[str, str] = {}
        self._unsaid = ""
        self._kept: dict[str, tuple[Any, Any, int]] = {}
        self._start, notices = self._read(given)
        self.values: Mapping[str, Value] = MappingProxyType(dict(self._start))
        self._before: Mapping[str, Value] = self.values
        self.notices = notices
        self.owned = [name for one in settings for name in _parameters(one)] + ["v"]
        self.link = self._link(self._start)

    def control(self, name: str) -> Any:
        """Return the marimo control of a setting, at the link's value.

        A slider for a ``Whole``, a box for a typed one, a menu for a ``Choice``. A menu the
        teacher hides has one line, "hidden", and still the hidden value.
        """
        setting, value = self._setting(name), self._start[name]
        if isinstance(setting, Choice):
            if self.hides(name):
                return mo.ui.dropdown({"hidden": value}, value="hidden", label=setting.words)
            words = {label: choice for choice, label in setting.choices.items()}
            return mo.ui.dropdown(words, value=setting.choices[str(value)], label=setting.words)
        ends = setting.low, setting.high, setting.step
        if setting.typed:  # mo.ui.number's accessible name is raw HTML
            return mo.ui.text(str(value), label=setting.words, max_length=9)
        return mo.ui.slider(*ends, value=int(value), label=setting.words, show_value=True)

    def settle(self, **values: object) -> Mapping[str, Value]:
        """Clamp what the controls say, write it into the link, and return it.

        A setting that is not named keeps its value.
        """
        now = dict(self.values)
        for name, value in values.items():
            now[name] = self._setting(name).clamp(value)
            self._note_box(name, value, now[name])
        if changed := {name for name, value in now.items() if value != self.values[name]}:
            same, since = self._last_step
            self._last_step = changed, monotonic()
            if changed != same or self._last_step[1] - since > ONE_MOVE_SECONDS:
                self._moves += 1
                self._before = self.values
            old = self._before
            self.moved = MappingProxyType(
                {n: (old[n], v) for n, v in now.items() if v != old[n] and not self.hides(n)}
            )
            self.values = MappingProxyType(now)
        self.link = self._link(now)
        return self.values

    def _note_box(self, name: str, typed: object, used: Value) -> None:
        """Say what is used instead of what a box may not say, as long as the box says it."""
        setting, note = self.settings[name], ""
        if isinstance(setting, Whole) and setting.typed and isinstance(typed, str):
            try:
                setting.read(typed)
            except ValueError as error:
                note = f"In the box, {error}. This page uses {used}."
        if note == self._box_notes.get(name, ""):
            return
        self._box_notes[name] = self._unsaid = note
        told = (escape(one) for one in self._box_notes.values() if one)
        self.slots = {**self.slots, BOX_NOTES: " ".join(told)}

    def place(self, name: str, kind: str = "span") -> str:
        """Return the HTML of a place that ``show`` fills: a "span" in a sentence or a "div"."""
        return f'<{kind} data-place="{escape(name)}"></{kind}>'

    def show(self, say: str | None = None, **html: str) -> None:
        """Fill places with HTML, and say one sentence in the live region.

        Args:
            say: Plain text for the live region; None says nothing new.
            html: The HTML for each place; ``rl__kept`` fills the place named "rl.kept". Text from
                a file must be escaped.
        """
        with self.hold_sync():
            self.slots = {**self.slots, **{k.replace("__", "."): v for k, v in html.items()}}
            if say is not None:
                self.said, self._unsaid = f"{self._unsaid} {say}".strip(), ""

    def before(self, key: str, now: Any) -> Any:
        """Return what a key held before the last move (at first ``now`` itself); remember ``now``.

        Asked again without a move, as after an answer, it returns the same once more.
        """
        base, last, moves = self._kept.get(key, (now, now, self._moves))
        if moves != self._moves:
            base = last
        self._kept[key] = (base, now, self._moves)
        return base

    def hides(self, name: str) -> bool:
        """Return whether the teacher's link hides a name, and nobody has revealed it yet."""
        return name in self.teacher.hidden and name not in self.shown

    def uncover(self, name: str, text: str) -> str:
        """Return the HTML of the button that ends a teacher's hiding; nothing if none is hidden."""
        if not self.hides(name):
            return ""
        return (
            f'<button type="button" class="wc-button" data-do="show" data-name="{escape(name)}">'
            f"{escape(text)}</button>"
        )

    @traitlets.observe("resets")
    def _reset(self, change: Any) -> None:
        """Start the next controls at the defaults; what a teacher hides stays as it is."""
        self._start = {
            name: self.values[name] if self.hides(name) else setting.default
            for name, setting in self.settings.items()
        }
        self.notices, self._box_notes, self._unsaid = [], {}, ""
        self.slots = {**self.slots, BOX_NOTES: ""}

    @traitlets.observe("shown")
    def _reveal(self, change: Any) -> None:
        """Start the next controls where the present ones are, without the cover."""
        self._start = dict(self.values)
        self.owned = sorted({*self.owned, "hide"})
        self.link = self._link(self.values)

    def _setting(self, name: str) -> Setting:
        """Return a setting by name."""
        if name not in self.settings:
            raise ValueError(f"this page has the settings {', '.join(self.settings)}; got {name!r}")
        return self.settings[name]

    def _read(self, given: Mapping[str, str]) -> tuple[dict[str, Value], list[str]]:
        """Return the values a link gives and a sentence for each it may not give."""
        values: dict[str, Value] = {}
        notices: list[str] = []
        for name, setting in self.settings.items():
            values[name] = setting.default
            try:
                if isinstance(setting, Choice) and code_name(setting) in given:
                    values[name] = choice_of(setting, given[code_name(setting)])
                elif name in given:
                    values[name] = setting.read(given[name])
            except ValueError as error:
                notices.append(f"In the link, {error}. This page uses {setting.default}.")
        for name in given:
            near = get_close_matches(name, self.settings, n=1, cutoff=0.8)
            if near and name not in self.settings:
                notices.append(f"In the link, {name} is no setting; did you mean {near[0]}?")
        asked = given.get("v", str(self.version))
        if asked != str(self.version):
            notices.append(
                f"The link was made with version {asked[:12]} of this lesson; this is version"
                f" {self.version}, so its numbers may differ."
            )
        return values, notices

    def _link(self, values: Mapping[str, Value]) -> dict[str, str]:
        """Return the parameters that say these values: only what differs from the defaults."""
        link: dict[str, str] = {}
        for name, setting in self.settings.items():
            if values[name] == setting.default:
                continue
            if isinstance(setting, Choice) and self.hides(name):
                link[code_name(setting)] = code_of(setting, str(values[name]))
            else:
                link[name] = str(values[name])
        left = sorted(self.teacher.hidden - set(self.shown))
        if self.shown and left:
            link["hide"] = ",".join(left)
        return {**link, "v": str(self.version)} if link else link


def _parameters(setting: Setting) -> tuple[str, ...]:
    """Return the parameters a setting may travel under."""
    return (setting.name, code_name(setting)) if isinstance(setting, Choice) else (setting.name,)


def _plain(query: Any) -> dict[str, Any]:
    """Return a query, as marimo or a test hands it over, as a dict."""
    if query is None:
        return {}
    return dict(query.to_dict() if hasattr(query, "to_dict") else query)


def _last(value: object) -> str:
    """Return the last of repeated parameters."""
    return str(value[-1] if isinstance(value, list | tuple) and value else value)
