"""The structure of the repository, and the package it builds."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
import urllib.request
import venv
import zipfile

import pytest

from tests.running import ROOT, running
from whilecore.course.catalogue import lessons

TRACKED = subprocess.run(
    ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=False,
).stdout.split("\0")
FILES = [ROOT / name for name in TRACKED if name and (ROOT / name).is_file()]
MODULES = sorted((ROOT / "whilecore").rglob("*.py"))
LESSONS = lessons(ROOT / "lessons")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Built from parts, so that this file does not hold what it looks for.
REGISTRIES = (
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "registry.npm" + "js.org",
    "npm" + "js.com",
    "debian" + ".org",
    "deb." + "debian",
    "index" + "-url",
    "find" + "-links",
)
NETWORKS = (
    "cdn." + "jsdelivr",
    "un" + "pkg.com",
    "cdn" + "js.",
    "esm" + ".sh",
    "fonts.google" + "apis",
)


def texts():
    """Return the text files of the repository with their content."""
    for file in FILES:
        content = file.read_bytes()
        if b"\0" not in content:
            yield file, content.decode("utf-8")


def test_the_lists_these_tests_go_through_are_not_empty():
    assert len(FILES) > 40
    assert len(MODULES) > 20
    assert LESSONS
    assert sum(1 for _ in texts()) > 40


def test_no_file_holds_the_address_of_a_package_registry():
    found = [
        (file.relative_to(ROOT), word)
        for file, text in texts()
        for word in REGISTRIES
        if word in text
    ]
    assert found == []


def test_nothing_is_loaded_from_a_content_network():
    code = {".py", ".js", ".css", ".html", ".svg"}
    found = [
        (file.relative_to(ROOT), word)
        for file, text in texts()
        if file.suffix in code
        for word in NETWORKS
        if word in text
    ]
    assert found == []


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is(module):
    assert ast.get_docstring(ast.parse(module.read_text()))


def test_every_module_has_a_test_file_of_its_stem_or_is_imported_by_one():
    """A reader's steps (``formats/``) are tested as one, in ``test_formats.py``."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    stems = {path.stem.removeprefix("test_") for path in files}
    imports = " ".join(
        line for path in files for line in path.read_text().splitlines() if "import" in line
    )
    missing = [
        str(path.relative_to(ROOT))
        for path in MODULES
        if path.stem != "__init__"
        and not {path.stem, path.parent.name} & stems
        and not re.search(rf"\b{path.stem}\b", imports)
    ]
    assert missing == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_lesson_follows_the_theme_of_the_system(lesson):
    head = (ROOT / "lessons" / f"{lesson.stem}.py").read_text().partition("import marimo")[0]
    assert '# theme = "system"' in head
    assert "dependencies" not in head


def test_lessons_change_nothing_for_other_visitors():
    words = ("alt.theme.enable", "alt.renderers.enable", "alt.data_transformers", "np.random.seed")
    places = [*MODULES, *(ROOT / "lessons").glob("*.py")]
    assert [(str(p), word) for p in places for word in words if word in p.read_text()] == []


def test_every_dependency_has_both_bounds():
    extras = PROJECT["optional-dependencies"]
    named = [one for extra in extras.keys() - {"dev"} for one in extras[extra]]
    needed = [one for one in PROJECT["dependencies"] + named if not one.startswith("whilecore[")]
    assert len(needed) > 10
    assert [one for one in needed if ">=" not in one or "<" not in one] == []
    assert [one for one in extras["dev"] if "==" not in one] == []


def test_licence_is_apache_2():
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License" in text
    assert "whilecore authors" in text
    assert PROJECT["license"] == "Apache-2.0"


def test_changelog_starts_with_what_is_unreleased():
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "[Unreleased]"


def test_readme_fits_on_120_lines_and_names_every_lesson():
    lines = (ROOT / "README.md").read_text().splitlines()
    assert 20 < len(lines) <= 120
    for lesson in LESSONS:
        assert lesson.title in "\n".join(lines)


def test_readme_links_to_files_that_exist():
    links = re.findall(r"\]\(([^)#]+)", (ROOT / "README.md").read_text())
    local = [link for link in links if not link.startswith("http")]
    assert [link for link in local if not (ROOT / link).exists()] == []


def test_ci_runs_the_test_command_of_the_readme_last():
    steps = [line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line.strip()]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert steps[-1] == "pytest"
    assert "pip install -e '.[test]' && pytest" in (ROOT / "README.md").read_text()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The package as a wheel, built from the working tree."""
    folder = tmp_path_factory.mktemp("wheel")
    line = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "-w",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(line, check=True, timeout=300)
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_wheel_carries_lessons_scripts_and_figures_and_no_tests(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for lesson in LESSONS:
        assert f"whilecore/_lessons/{lesson.stem}.py" in names
    assert {"whilecore/_lessons/lesson.css", "whilecore/charts/live.js"} <= names
    kept = {".py", ".js", ".css", ".svg", ".csv", ".json"}
    for path in (ROOT / "whilecore").rglob("*"):
        if path.suffix in kept and "__marimo__" not in path.parts:
            assert path.relative_to(ROOT).as_posix() in names
    assert not [name for name in names if name.startswith("tests/") or "__pycache__" in name]


@pytest.mark.slow
def test_installed_wheel_opens_the_course_far_from_the_repository(wheel, tmp_path):
    place = tmp_path / "empty"
    venv.create(place, with_pip=True)
    scripts = place / ("Scripts" if os.name == "nt" else "bin")
    line = [scripts / "python", "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(line, check=True, timeout=600, cwd=tmp_path)
    with running(program=str(scripts / "whilecore"), cwd=tmp_path) as course:
        for path in ("", *(f"{lesson.stem}/" for lesson in LESSONS)):
            with urllib.request.urlopen(course.url + path, timeout=60) as page:
                assert page.status == 200
        assert course.told() == ""
        assert course.interrupt() < 5
    code = "import whilecore; print(whilecore.__file__, whilecore.printed_run().select(mode='rl'))"
    done = subprocess.run(
        [scripts / "python", "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert str(place) in done.stdout
    assert "kept 29 of 64 rows" in done.stdout
