'''What the lessons share, and how a lesson is put together.

Each piece is one file: ``settings`` (what a link may say), ``page`` (the link, the changing text,
the live region), ``bar``, ``numbers``, ``predict``, ``challenge``, ``progress``, ``glossary``,
``navigation``, ``teacher``. The look of all of them is ``lessons/lesson.css``.

A lesson has as few cells as it can, because each cell that runs costs messages: on a move, and on
an answer, only *simulate* runs. Everything that changes stands in *places*, which it fills in one
message; the cells that hold the text never run again. In order::

    page = Page((REPEATS, BAND_LOW), mo.query_params())   # page_state: reads the link
    page_element = mo.ui.anywidget(page)
    head("06_…", page_element, page.teacher)              # skip link, links, notices

    mo.md("# The claim …")                                # title

    repeats_slider = page_element.control("repeats")      # controls: run again on Reset, because
    bar([repeats_slider], more=[])                        # they name page_element, not page

    kept = Prediction("06.kept", "How many …?", options, revealed=page.teacher.reveal)
    kept_element = mo.ui.anywidget(kept)                  # question

    now = page.settle(repeats=repeats_slider.value)       # simulate, visible: clamps, links
    rows = wc.simulate(repeats=now["repeats"], …)         # counts
    kept_element.value                                    # runs on an answer too
    chart.push(…)                                         # draws
    page.show(say="29 of 64 rows kept.", reading=reading(…), rl__kept=num("rl.kept", 29))

    mo.md(f"""Of 64 rows {page.place("rl.kept")} are left. {term("rollout")} …""")

    Challenge("06.edge", "…", check=lambda now: now["repeats"] >= 6, page=page, hint=…, solution=…)
    glossary(); Progress(); foot("06_…", page.teacher); page.teacher.notes(…)

Two traps. ``mo.md`` turns ``</p>`` into ``</span>``: write ``<div>`` around text with a class, or
use ``mo.Html``. ``mo.md`` drops elements and attributes it does not know; ``data-…`` stays.
'''

from __future__ import annotations

from whilecore.course.bar import bar, cause_of, change, reading
from whilecore.course.challenge import Challenge
from whilecore.course.glossary import glossary, term
from whilecore.course.navigation import foot, head
from whilecore.course.numbers import Line, block, fill, flatten, masked, num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.progress import Progress
from whilecore.course.settings import (
    BAND_HIGH,
    BAND_LOW,
    HOLD,
    JUDGE,
    JUDGE_SHARE,
    REPEATS,
    SEED,
    SOURCE,
    Choice,
    Whole,
)

__all__ = [
    "BAND_HIGH",
    "BAND_LOW",
    "HOLD",
    "JUDGE",
    "JUDGE_SHARE",
    "REPEATS",
    "SEED",
    "SOURCE",
    "Challenge",
    "Choice",
    "Line",
    "Option",
    "Page",
    "Prediction",
    "Progress",
    "Whole",
    "bar",
    "block",
    "cause_of",
    "change",
    "fill",
    "flatten",
    "foot",
    "glossary",
    "head",
    "masked",
    "num",
    "reading",
    "term",
]
