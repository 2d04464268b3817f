"""A chart as an SVG that follows a light or a dark page."""

from __future__ import annotations

from pathlib import Path

from tests import pictures
from whilecore.charts import still, theme, waterfall
from whilecore.course.home import PICTURES

LESSONS = Path(__file__).parent.parent / "lessons"


def test_the_svg_holds_every_mark_in_light_and_a_rule_for_dark() -> None:
    drawn = still.svg(waterfall.picture(), waterfall.push(pictures.printed(), True, "seed 0", None))
    # 43 of the 64 rows pass; each row stands twice: in the wall and at its gate
    assert drawn.count(f'stroke="{theme.PASS_LIGHT.lower()}"') >= 2 * 43
    assert f'[fill="{theme.PASS_LIGHT.lower()}"]{{fill:{theme.PASS_DARK.lower()}}}' in drawn
    assert "prefers-color-scheme: dark" in drawn


def test_every_lesson_has_a_small_picture_for_the_home_page() -> None:
    stems = [path.stem for path in sorted(LESSONS.glob("[0-9][0-9]_*.py"))]
    assert stems
    for stem in stems:
        picture = PICTURES / f"{stem}.svg"
        assert picture.is_file(), f"draw it with python tests/make_pictures.py: {picture.name}"
        assert picture.stat().st_size < 120_000
