"""Files that a browser fetches once."""

from __future__ import annotations

import gzip

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from whilecore.course.assets import FOREVER, Assets, script_route

SOURCE = "export const answer = 42;\n" * 100


@pytest.fixture
def client(tmp_path):
    (tmp_path / "app.js").write_text(SOURCE)
    (tmp_path / "dot.png").write_bytes(b"\x89PNG")
    made = []

    def make():
        made.append(1)
        return SOURCE

    routes = [
        Mount("/files", Assets(directory=tmp_path)),
        Route("/shared/{name}", script_route("vega-6.js", make)),
    ]
    with TestClient(Starlette(routes=routes)) as client:
        client.made = made
        yield client


@pytest.mark.parametrize("path", ["/files/app.js", "/shared/vega-6.js"])
def test_scripts_are_packed_and_kept_for_good(client, path):
    response = client.get(path)
    assert response.text == SOURCE
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["cache-control"] == FOREVER
    assert response.headers["content-type"].startswith("text/javascript")
    assert int(response.headers["content-length"]) == len(gzip.compress(SOURCE.encode(), 6))


@pytest.mark.parametrize("path", ["/files/app.js", "/shared/vega-6.js"])
def test_a_client_that_takes_no_gzip_gets_plain_text(client, path):
    response = client.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in response.headers
    assert response.text == SOURCE
    assert response.headers["cache-control"] == FOREVER


def test_pictures_are_not_packed_again(client):
    response = client.get("/files/dot.png")
    assert "content-encoding" not in response.headers
    assert response.content == b"\x89PNG"


def test_script_is_packed_once(client):
    client.get("/shared/vega-6.js")
    client.get("/shared/vega-6.js")
    assert client.made == [1]


@pytest.mark.parametrize("path", ["/files/none.js", "/files/../app.js", "/shared/vega-5.js"])
def test_any_other_name_is_not_found(client, path):
    assert client.get(path).status_code == 404
