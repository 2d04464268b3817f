"""The course's server: what it serves, and what it refuses."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.running import FIXTURE_LESSONS, ROOT
from whilecore.charts import runtime
from whilecore.course import server
from whilecore.course.catalogue import lessons

STEM = "02_live_charts"
RUNTIME = f"/_whilecore/{runtime.file_name()}"


@pytest.fixture(scope="module")
def client():
    with TestClient(server.create_app(FIXTURE_LESSONS)) as client:
        yield client


def test_home_lists_every_lesson_with_question_and_minutes(client):
    response = client.get("/")
    assert response.status_code == 200
    found = lessons(FIXTURE_LESSONS)
    assert len(found) >= 2
    for lesson in found:
        assert f'href="{lesson.stem}/"' in response.text
        assert lesson.question in response.text


def test_each_lesson_is_served_at_its_stem(client):
    for lesson in lessons(FIXTURE_LESSONS):
        assert client.get(f"/{lesson.stem}/").status_code == 200


def test_address_without_the_slash_leads_to_the_lesson(client):
    response = client.get(f"/{STEM}", follow_redirects=True)
    assert response.status_code == 200
    assert response.url.path == f"/{STEM}/"


def test_lessons_take_marimo_and_the_runtime_from_one_place(client):
    text = client.get(f"/{STEM}/").text
    assert f'<link rel="modulepreload" href="{RUNTIME}">' in text
    script = re.search(r'src="(/_marimo/assets/[^"]+\.js)"', text)
    assert script
    response = client.get(script[1])
    assert response.status_code == 200
    assert "immutable" in response.headers["cache-control"]
    assert response.headers["content-encoding"] == "gzip"


def test_runtime_never_changes_under_its_name(client):
    response = client.get(RUNTIME)
    assert response.status_code == 200
    assert "immutable" in response.headers["cache-control"]
    assert response.text == runtime.bundle()
    assert client.get("/_whilecore/vega-0.js").status_code == 404


def test_charts_made_while_the_server_runs_carry_no_runtime(client):
    assert runtime.served_path() == RUNTIME


def test_icon_is_there(client):
    for path in ("/favicon.ico", "/_whilecore/icon.svg"):
        response = client.get(path)
        assert response.status_code == 200
        assert response.headers["content-type"] == "image/svg+xml"


def test_files_that_are_no_lessons_are_not_served(tmp_path):
    source = (FIXTURE_LESSONS / f"{STEM}.py").read_text()
    (tmp_path / "03_lesson.py").write_text(source)
    (tmp_path / "notes.py").write_text("raise SystemExit")
    (tmp_path / "lesson.css").write_text("")
    with TestClient(server.create_app(tmp_path)) as client:
        assert "notes" not in client.get("/").text
        assert client.get("/03_lesson/").status_code == 200
        for path in ("/notes/", "/lesson.css", "/03_lesson.py", "/03_lesson/03_lesson.py"):
            assert client.get(path).status_code == 404


def test_no_page_tells_where_the_lessons_lie(client):
    for path in ("/", f"/{STEM}/"):
        text = client.get(path).text
        assert str(FIXTURE_LESSONS) not in text
        assert str(ROOT) not in text


def test_no_page_holds_the_source_of_a_lesson(client):
    assert "LiveBoard()" in (FIXTURE_LESSONS / f"{STEM}.py").read_text()
    assert "LiveBoard()" not in client.get(f"/{STEM}/").text


def test_lessons_folder_is_found_and_holds_lessons():
    assert lessons(server.lessons_folder())


def test_missing_lessons_are_an_error_that_says_where_they_should_be(monkeypatch, tmp_path):
    monkeypatch.setattr(server, "__file__", str(tmp_path / "whilecore" / "course" / "server.py"))
    with pytest.raises(FileNotFoundError, match=r"_lessons or .*lessons, found neither"):
        server.lessons_folder()


def test_lessons_inside_the_package_go_before_a_folder_beside_it(monkeypatch, tmp_path):
    monkeypatch.setattr(server, "__file__", str(tmp_path / "whilecore" / "course" / "server.py"))
    (tmp_path / "lessons").mkdir()
    assert server.lessons_folder() == tmp_path / "lessons"
    (tmp_path / "whilecore" / "_lessons").mkdir(parents=True)
    assert server.lessons_folder() == tmp_path / "whilecore" / "_lessons"


# Routes of marimo's editor that must stay closed to a visitor who has a session of his own. Each
# stands with a body that the route would accept.
REFUSED = {
    "kernel/instantiate": {"objectIds": [], "values": [], "autoRun": True},
    "kernel/run": {"cellIds": ["0"], "codes": ["open('/etc/passwd').read()"]},
    "kernel/scratchpad/run": {"code": "1"},
    "kernel/save": {
        "cellIds": ["0"],
        "codes": ["1"],
        "names": ["_"],
        "filename": "x.py",
        "configs": [{}],
    },
    "kernel/read_code": {},
    "kernel/rename": {"filename": "x.py"},
    "kernel/save_user_config": {"config": {}},
    "kernel/shutdown": {},
    "kernel/restart_session": {},
    "files/list_files": {"path": "/"},
    "files/file_details": {"path": "/etc/passwd"},
    "files/create": {"path": "/tmp", "type": "file", "name": "x"},
    "files/delete": {"path": "/tmp/x"},
    "files/update": {"path": "/tmp/x", "contents": "x"},
    "files/search": {"query": "passwd"},
    "files/open": {"path": "/etc/passwd"},
    "packages/add": {"package": "x"},
    "kernel/install_missing_packages": {"manager": "pip", "versions": {}},
    "kernel/pdb/pm": {"cellId": "0"},
    "kernel/stdin": {"text": "x"},
    "export/script": {"download": False},
    "export/ipynb": {"download": False},
    "export/markdown": {"download": False},
    "secrets/keys": {"requestId": "1"},
}


@pytest.fixture(scope="module")
def session(fixture_server):
    """A visitor with an open session: a function that posts to a route of the lesson."""
    root = f"{fixture_server.url}{STEM}/"
    with urllib.request.urlopen(root, timeout=30) as response:
        token = re.search(r'"serverToken": "([^"]*)"', response.read().decode())

    def post(route, body):
        request = urllib.request.Request(
            f"{root}api/{route}",
            data=json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                "Marimo-Session-Id": "s_visit1",
                "Marimo-Server-Token": token[1] if token else "",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    address = root.replace("http", "ws") + "ws?session_id=s_visit1"
    with connect(address, max_size=None, max_queue=None, close_timeout=1) as visitor:
        visitor.recv(timeout=30)
        yield post


def test_a_visitor_may_move_controls(session):
    assert session("kernel/set_ui_element_value", {"objectIds": [], "values": []}) == 200


@pytest.mark.parametrize("route", REFUSED)
def test_a_visitor_may_not_run_save_or_read(session, route):
    assert session(route, REFUSED[route]) in (401, 403)


def test_a_visitor_gets_no_terminal(fixture_server, session):
    address = f"{fixture_server.url}{STEM}/terminal/ws".replace("http", "ws")
    with pytest.raises(InvalidStatus, match="HTTP 403"), connect(address):
        pass
