"""Draw the home page's pictures from the lessons' own charts: python tests/make_pictures.py."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import whilecore as wc
from whilecore import filing
from whilecore.charts import still, strip, waterfall
from whilecore.course.home import PICTURES


@wc.tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


def start() -> wc.Selection:
    """Return a selection that does not give away the answer of the course's first run."""
    tries = wc.simulate(wc.seeded_agent([get_order]), tools=[get_order], seed=11)
    return tries.grade(wc.judges.answer_key).select(mode="rl")


def third() -> str:
    """Draw tasks by what eight tries say of them, and where they truly are."""
    agent = wc.seeded_agent([get_order], rate=0.5, skill="mixed")
    tries = wc.simulate(agent, repeats=8, budget=128, seed=11).grade(wc.judges.answer_key)
    seen = strip.filed(filing.filed(tries))
    return still.svg(strip.picture(tally=True), strip.show(seen, True, "seed 11", True), 440)


def sixth() -> str:
    """Draw where the rows went."""
    return still.svg(waterfall.picture(), waterfall.push(start(), True, "seed 11", None), 440)


DRAWN: Final[dict[str, Callable[[], str]]] = {
    "03_the_band": third,
    "06_which_rows_to_train_on": sixth,
}

if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for stem, draw in DRAWN.items():
        (PICTURES / f"{stem}.svg").write_text(draw() + "\n", encoding="utf-8")
        sys.stdout.write(f"{stem}.svg\n")
