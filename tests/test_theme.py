"""Colours of the charts."""

from __future__ import annotations

import itertools
import re

import pytest

from whilecore.charts import theme

LIGHT_PAGE, DARK_PAGE = "#FFFFFF", "#181C1A"


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    """Return the contrast ratio of two colours."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def both(colour) -> tuple[str, str]:
    """Return a theme colour as (light, dark)."""
    dark, light = re.findall(r"'(#[0-9A-Fa-f]{6})'", str(colour.to_dict()["expr"]))
    return light, dark


def test_contrast_of_black_on_white_is_21():
    # (1 + 0.05) / (0 + 0.05) = 21
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("name", ["PASS", "FAIL"])
def test_marks_stand_out_three_to_one_on_both_pages(name):
    light, dark = both(getattr(theme, name))
    assert contrast(light, LIGHT_PAGE) >= 3
    assert contrast(dark, DARK_PAGE) >= 3


@pytest.mark.parametrize("name", ["INK", "MUTED"])
def test_text_reads_at_four_and_a_half_to_one_on_both_pages(name):
    light, dark = both(getattr(theme, name))
    assert contrast(light, LIGHT_PAGE) >= 4.5
    assert contrast(dark, DARK_PAGE) >= 4.5


def test_pass_and_fail_have_the_colours_and_shapes_of_the_course():
    assert both(theme.PASS)[0] == "#0072B2"
    assert both(theme.FAIL)[0] == "#D55E00"
    assert (theme.PASS_SHAPE, theme.FAIL_SHAPE) == ("circle", "square")


def test_no_colour_is_the_same_in_light_and_dark():
    colours = [both(getattr(theme, name)) for name in ("PASS", "FAIL", "INK", "MUTED", "GRID")]
    assert all(light != dark for light, dark in colours)
    assert len(set(itertools.chain.from_iterable(colours))) == 10


def test_config_is_fresh_each_time():
    theme.config()["axis"]["labelColor"] = "red"
    assert theme.config()["axis"]["labelColor"] == theme.INK.to_dict()
