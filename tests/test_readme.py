"""The README's program prints what the README says, and its table and tree are the tree."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from whilecore.course.catalogue import lessons

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def fenced(language: str) -> list[str]:
    """Return the README's fenced blocks of a language, in order."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_program_prints_what_the_readme_says() -> None:
    (program,), (printed,) = fenced("python"), fenced("text")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "README.md", "exec"), {})
    assert len(printed.splitlines()) > 5
    assert out.getvalue() == printed


def test_the_readme_stays_readable() -> None:
    assert len(README.splitlines()) <= 120
    assert max(len(line) for line in README.splitlines() if not line.startswith("|")) <= 110


def test_the_table_lists_every_lesson_with_its_question() -> None:
    for lesson in lessons(ROOT / "lessons"):
        assert f"| {lesson.number}. {lesson.title} | {lesson.question} |" in README


def test_every_module_of_the_core_stands_in_the_tree() -> None:
    tree = README.partition("## Where everything lives")[2].partition("## Sources")[0]
    modules = sorted((ROOT / "whilecore").glob("*.py"))
    assert modules
    for module in modules:
        assert module.name.startswith("__") or module.name in tree, module.name
