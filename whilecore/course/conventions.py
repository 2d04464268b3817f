"""One formula, six code bases, seven recipes: what each pushes with, computed where it can be.

Spread and ε are restated from the public code. The pushes are computed with ``groups.advantages``.
What a group of one gets is as read there: it has no siblings, so the core has no answer to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from whilecore.charts.baseline import signed
from whilecore.course.numbers import num
from whilecore.groups import advantages

ONE_IN_EIGHT: Final = (1.0, 0, 0, 0, 0, 0, 0, 0)
CLOSE: Final = (0.501, 0.5, 0.5, 0.5)


@dataclass(frozen=True)
class Convention:
    """How one code base turns rewards into pushes.

    Attributes:
        code: Its name.
        how: Centred, divided by the spread or by the mean, or against the others.
        ddof: 0 for the population spread, 1 for the sample spread.
        epsilon: Added to the spread.
        alone: What a group of one with reward 0.7 gets, as read in the code.
    """

    code: str
    how: Literal["centred", "spread", "leave_one_out", "mean"]
    ddof: Literal[0, 1]
    epsilon: float
    alone: str

    def first_and_others(self, rewards: tuple[float, ...]) -> tuple[float, float]:
        """Return the push on the first try and on each of the others."""
        if self.how == "mean":
            pushes = advantages(rewards) / (sum(rewards) / len(rewards))
        else:
            pushes = advantages(rewards, how=self.how, ddof=self.ddof, epsilon=self.epsilon)
        return float(pushes[0]), float(pushes[1])

    @property
    def divisor(self) -> str:
        """Say what the distance is divided by."""
        if self.how != "spread":
            return {"centred": "nothing", "leave_one_out": "nothing (others' average)",
                    "mean": "the average"}[self.how]  # fmt: skip
        kind = ("population", "sample")[self.ddof]
        power = f"{self.epsilon:.0e}".partition("e-")[2].lstrip("0")
        return f"{kind} spread + 10<sup>−{power}</sup>"


CONVENTIONS: Final = (
    Convention("GRPO-Zero", "spread", 0, 1e-4, "0"),
    Convention("TRL", "spread", 1, 1e-4, "0"),
    Convention("verl", "spread", 1, 1e-6, "0.7"),
    Convention("rlhf-book, GRPO", "spread", 1, 1e-8, "not a number"),
    Convention("rlhf-book, RLOO", "leave_one_out", 0, 0.0, "an error"),
    Convention("nanochat, prime-rl GRPO", "centred", 0, 0.0, "0"),
    Convention("prime-rl, MaxRL", "mean", 0, 0.0, "0"),
)


def table() -> str:
    """Return the table as HTML, in a box that scrolls by itself where the page is narrow."""
    heads = ("code", "divides by", "1 pass in 8", ".501 among .5", "a group of one")
    rows = "".join(_row(at, one) for at, one in enumerate(CONVENTIONS))
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    return (
        '<div class="wc-table" role="region" tabindex="0" aria-label="Six code bases">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(at: int, one: Convention) -> str:
    """Return one line of the table; its numbers are named after its place."""
    first, _ = one.first_and_others(ONE_IN_EIGHT)
    close, _ = one.first_and_others(CLOSE)
    cells = (
        one.divisor,
        num(f"conventions.{at}.first", signed(first, 3)),
        num(f"conventions.{at}.close", signed(close, 3 if close > 0.01 else 5)),
        escape(one.alone),
    )
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{escape(one.code)}</th>{inside}</tr>'
