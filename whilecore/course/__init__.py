"""What the lessons share: the page's state in the link, predictions, challenges, the bar."""

from __future__ import annotations

from whilecore.course.bar import bar, cause_of, change, reading
from whilecore.course.numbers import Line, block, fill, flatten, masked, num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
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
    "Choice",
    "Line",
    "Option",
    "Page",
    "Prediction",
    "Whole",
    "bar",
    "block",
    "cause_of",
    "change",
    "fill",
    "flatten",
    "masked",
    "num",
    "reading",
]
