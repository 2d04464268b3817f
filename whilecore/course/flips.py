"""A row of tries the learner flips: each button is a mark, and the chart's marks flip too.

Buttons, so that keyboard and screen reader reach each try. The pattern of passes and fails
travels in the link as text, such as "1110".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anywidget
import traitlets

MOST: Final = 8
_PATTERN: Final = re.compile(f"[01]{{2,{MOST}}}")


@dataclass(frozen=True)
class Pattern:
    """A setting whose value says of each try whether it passed, "1", or failed, "0".

    Args:
        name: The parameter in the link.
        default: Value without a parameter, one digit for each of ``MOST`` tries.
        label: Words for it; the name, unless told.

    Raises:
        ValueError: If the default has another length or other signs.
    """

    name: str
    default: str
    label: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        """Refuse a default that is no full pattern."""
        if len(self.default) != MOST or not _PATTERN.fullmatch(self.default):
            raise ValueError(f"{self.name}: default must be {MOST} digits 0 or 1, {self._got()}")

    def _got(self) -> str:
        return f"got {self.default!r}"

    @property
    def allowed(self) -> str:
        """Say in words which values there are."""
        return f"2 to {MOST} digits, 1 for a pass and 0 for a fail"

    @property
    def words(self) -> str:
        """Return the label."""
        return self.label or self.name

    def read(self, text: str) -> str:
        """Return the pattern a link names, completed with the default's last tries.

        Raises:
            ValueError: If it has another length or other signs.

        >>> Pattern("tries", "11101011").read("0110")
        '01101011'
        """
        if not _PATTERN.fullmatch(text):
            raise ValueError(f"{self.name} must be {self.allowed}, got {text[:40]!r}")
        return text + self.default[len(text) :]

    def clamp(self, value: object) -> str:
        """Return a full pattern; what is none becomes the default."""
        return value if isinstance(value, str) and _full(value) else self.default


class Flips(anywidget.AnyWidget):
    """A button for each try; pressing it flips the try between pass and fail.

    Args:
        tries: The pattern to start from, one digit for each of ``MOST`` tries.

    Attributes:
        tries: The pattern now. What the browser sends is checked.
        shown: How many of the tries are on the page.
        place: Where the chart below has its columns: domain from, domain to.
    """

    _esm = Path(__file__).with_name("flips.js")
    _css = Path(__file__).with_name("flips.css")

    tries: Any = traitlets.Unicode().tag(sync=True)
    shown: Any = traitlets.Int(4).tag(sync=True)
    place: Any = traitlets.List().tag(sync=True)

    def __init__(self, tries: str, place: tuple[float, float] = (0.0, float(MOST))) -> None:
        """Lay the tries out."""
        super().__init__(tries=tries, place=list(place))

    def flip(self, key: object) -> None:
        """Flip the try with a number from "1" on; anything else changes nothing."""
        if isinstance(key, str) and key.isdecimal() and 1 <= int(key) <= self.shown:
            at = int(key) - 1
            other = "0" if self.tries[at] == "1" else "1"
            self.tries = self.tries[:at] + other + self.tries[at + 1 :]

    def follow(self, chart: Any) -> None:
        """Flip a try whenever its mark on a ``LiveChart`` is clicked."""
        chart.observe(lambda change: self.flip(change["new"].get("key")), "clicked")

    @traitlets.validate("tries")
    def _sent(self, proposal: Any) -> str:
        """Keep what stands where the browser sends no full pattern."""
        sent = proposal["value"]
        return str(sent) if _full(sent) else str(self.tries)


def _full(text: str) -> bool:
    """Return whether a text says pass or fail for each of ``MOST`` tries."""
    return len(text) == MOST and _PATTERN.fullmatch(text) is not None
