"""The sheet of the lessons: what marimo's copy into shadow roots would lose."""

from __future__ import annotations

import re

from tests.running import ROOT

SHEET = (ROOT / "lessons" / "lesson.css").read_text(encoding="utf-8")
SHORTHANDS = ("border", "font", "background", "margin", "padding", "outline", "inset", "flex")
NO_PART = ("outline-offset", "border-radius")


def lost(sheet: str) -> list[str]:
    """Return declarations that override a part of a shorthand with a variable in their own rule.

    marimo copies the sheet rule by rule as the browser prints it, and a browser prints no
    shorthand that holds a variable once a part of it is overridden.
    """
    found: list[str] = []
    for rule in re.findall(r"\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)):
        seen: set[str] = set()
        for declaration in (part.strip() for part in rule.split(";")):
            name, _, value = declaration.partition(":")
            if name not in NO_PART and any(name.startswith(f"{one}-") for one in seen):
                found.append(declaration)
            if name in SHORTHANDS and "var(" in value:
                seen.add(name)
    return found


def test_no_shorthand_with_a_variable_is_overridden_in_part() -> None:
    assert lost(".a { border: 1px solid var(--x); border-top: 0 }") == ["border-top: 0"]
    assert len(SHEET) > 5_000
    assert lost(SHEET) == []


def test_every_variable_used_is_defined_or_has_a_fallback() -> None:
    defined = set(re.findall(r"(--wc-[\w-]+):", SHEET))
    used = set(re.findall(r"var\((--wc-[\w-]+)\)", SHEET))
    assert len(used) > 10
    assert used - defined == set()


def test_dark_gives_every_colour_that_light_gives_and_another_one() -> None:
    def colours(selector: str) -> dict[str, str]:
        rule = re.search(rf"^{re.escape(selector)} \{{(.*?)^\}}", SHEET, re.DOTALL | re.MULTILINE)
        assert rule is not None
        return dict(re.findall(r"(--wc-[\w-]+): (#[0-9a-f]{6});", rule[1]))

    light, dark = colours("body"), colours("body.dark")
    assert len(light) > 5
    assert light.keys() == dark.keys()
    assert [name for name in light if light[name] == dark[name]] == []
