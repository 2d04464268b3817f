"""Pages without the server's folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from whilecore.course.private import WithoutFolders

FOLDER = Path("/home/ada/course/lessons")
PAGE = """<marimo-filename hidden>/home/ada/course/lessons/06.py</marimo-filename>
"filename": "/home/ada/course/lessons/06.py", "cwd": "/home/ada/course/lessons",
"lspWorkspace": {"documentUri": "file:///home/ada/course/lessons/06.py",
"rootUri": "file:///home/ada"}, <p>A lesson about /home/ada</p>"""


@pytest.mark.parametrize("split", [1, 7, 40, 10_000])
def test_file_names_stay_and_folders_go_however_the_page_is_cut(split):
    chunks = [PAGE[i : i + split] for i in range(0, len(PAGE), split)]

    async def page(_):
        return StreamingResponse(iter(chunks), media_type="text/html")

    app = WithoutFolders(Starlette(routes=[Route("/", page)]), FOLDER)
    response = TestClient(app).get("/")
    assert response.text == (
        "<marimo-filename hidden>06.py</marimo-filename>\n"
        '"filename": "06.py", "cwd": "",\n'
        '"lspWorkspace": {"documentUri": "file://06.py",\n'
        '"rootUri": "file://"}, <p>A lesson about /home/ada</p>'
    )
    assert int(response.headers["content-length"]) == len(response.content)


def test_what_is_no_page_passes_unchanged():
    app = WithoutFolders(Starlette(routes=[Route("/", lambda _: PlainTextResponse(PAGE))]), FOLDER)
    assert TestClient(app).get("/").text == PAGE


def test_page_that_names_no_file_passes_unchanged():
    text = "<p>/home/ada/course/lessons</p>"
    app = WithoutFolders(Starlette(routes=[Route("/", lambda _: HTMLResponse(text))]), FOLDER)
    assert TestClient(app).get("/").text == text
