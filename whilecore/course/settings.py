"""What a link may say: the settings of a lesson, each with its range and its words.

A setting is read from the query string, where a bad value is refused with a sentence, and from a
control, where it is clamped: a slider's range binds the browser only, so a value from outside may
be anything.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

Value = int | str
_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True)
class Whole:
    """A whole number on a slider (or in a box, where ``typed``).

    Args:
        name: The parameter in the link, and the name of the control.
        default: Value without a parameter.
        low: Smallest value allowed.
        high: Largest value allowed.
        step: Distance between neighbours, counted from ``low``.
        label: Words beside the control; the name, unless told.
        unit: Unit after the label, such as "%".
        typed: True for a box to type in instead of a slider.

    Raises:
        ValueError: If the default is not one of the allowed values.
    """

    name: str
    default: int
    low: int
    high: int
    step: int = 1
    label: str = ""
    unit: str = ""
    typed: bool = False

    def __post_init__(self) -> None:
        """Refuse a default the setting itself would refuse."""
        if self.clamp(self.default) != self.default:
            raise ValueError(f"{self.name}: default must be {self.allowed}, got {self.default}")

    @property
    def allowed(self) -> str:
        """Say in words which values there are."""
        steps = f" in steps of {self.step}" if self.step > 1 else ""
        return f"a whole number from {self.low} to {self.high}{steps}"

    @property
    def words(self) -> str:
        """Return the label with its unit, as HTML: a sheet may move "%" behind the value."""
        unit = f", {self.unit}" if self.unit else ""
        if self.unit == "%":
            unit = '<span class="wc-percent">, %</span>'
        return f"{self.label or self.name}{unit}"

    def read(self, text: str) -> int:
        """Return the value a link names.

        Raises:
            ValueError: If it is no whole number, out of range or off the steps.

        >>> Whole("repeats", 4, 2, 32).read("8")
        8
        >>> Whole("repeats", 4, 2, 32).read("99")
        Traceback (most recent call last):
            ...
        ValueError: repeats must be a whole number from 2 to 32, got '99'
        """
        given = text.strip()
        if _WHOLE.fullmatch(given) and self.clamp(int(given)) == int(given):
            return int(given)
        raise ValueError(f"{self.name} must be {self.allowed}, got {_short(text)}")

    def clamp(self, value: object) -> int:
        """Return the allowed value nearest to what a control sent.

        **Convention.** A box sends text: "7" is 7. What is no number at all (None, "x", NaN, a
        list) becomes the default.

        >>> Whole("band_low", 20, 0, 50, 5).clamp(10**9), Whole("band_low", 20, 0, 50, 5).clamp(23)
        (50, 25)
        """
        if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return self.default
        if isinstance(value, float) and math.isnan(value):
            return self.default
        inside = min(max(value, self.low), self.high)
        snapped = self.low + self.step * math.floor((inside - self.low) / self.step + 0.5)
        return min(snapped, self.high - (self.high - self.low) % self.step)


@dataclass(frozen=True)
class Choice:
    """One of a few named values, on a menu.

    Args:
        name: The parameter in the link, and the name of the control.
        default: Value without a parameter.
        choices: Each value with the words the menu shows for it.
        label: Words beside the control; the name, unless told.

    Raises:
        ValueError: If the default is not one of the choices, or two choices share their words.
    """

    name: str
    default: str
    choices: Mapping[str, str] = field(hash=False)
    label: str = ""

    def __post_init__(self) -> None:
        """Refuse a default the menu lacks and a menu with two equal lines."""
        if self.default not in self.choices:
            raise ValueError(f"{self.name}: default must be {self.allowed}, got {self.default!r}")
        if len(set(self.choices.values())) < len(self.choices):
            raise ValueError(f"{self.name}: every choice needs words of its own")

    @property
    def allowed(self) -> str:
        """Say in words which values there are."""
        return "one of " + ", ".join(self.choices)

    @property
    def words(self) -> str:
        """Return the label."""
        return self.label or self.name

    def read(self, text: str) -> str:
        """Return the choice a link names.

        Raises:
            ValueError: If there is no such choice.
        """
        if text in self.choices:
            return text
        raise ValueError(f"{self.name} must be {self.allowed}, got {_short(text)}")

    def clamp(self, value: object) -> str:
        """Return the choice a control sent; anything that is none becomes the default."""
        return value if isinstance(value, str) and value in self.choices else self.default


Setting = Whole | Choice


def _short(text: str, most: int = 40) -> str:
    """Quote what was given, cut to a length a message can hold."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


REPEATS: Final = Whole("repeats", 4, 2, 32)
BAND_LOW: Final = Whole("band_low", 20, 0, 50, 5, label="band from", unit="%")
BAND_HIGH: Final = Whole("band_high", 80, 50, 100, 5, label="band to", unit="%")
JUDGE_SHARE: Final = Whole(
    "judge_share", 0, 0, 100, label="verdicts decided by the longer reply", unit="%"
)
SEED: Final = Whole("seed", 0, 0, 9_999, typed=True)
JUDGE: Final = Choice(
    "judge",
    "answer_key",
    {
        "answer_key": "answer key",
        "looked_up_and_led": "looked up and led",
        "names_the_order": "names the order",
        "long_reply": "long reply",
        "short_reply": "short reply",
        "coin": "coin toss",
    },
)
SOURCE: Final = Choice(
    "source",
    "simulated",
    {
        "simulated": "simulated here",
        "printed": "as printed on the course page",
        "file": "your file",
    },
    label="rows",
)
HOLD: Final = Choice(
    "hold",
    "tasks",
    {"tasks": "the number of tasks", "budget": "the budget of tries"},
    label="when repeats move, keep",
)
