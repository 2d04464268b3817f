"""The command: first the address, clear errors, a quick end."""

from __future__ import annotations

import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import click
import pytest
from click.testing import CliRunner
from websockets.sync.client import connect

from tests.running import FIXTURE_LESSONS, command, running
from whilecore import cli


@contextmanager
def visit(course, stem):
    """Open a lesson as a browser does: its page, then the socket that starts a session."""
    with urllib.request.urlopen(f"{course.url}{stem}/", timeout=30) as page:
        assert page.status == 200
    address = course.url.replace("http", "ws") + f"{stem}/ws?session_id=s_123456"
    with connect(address, max_size=None, max_queue=None, close_timeout=1) as visitor:
        visitor.recv(timeout=30)
        yield


@pytest.fixture
def no_serving(monkeypatch):
    """Bind and say everything, but serve nothing; returns the sockets."""
    served, opened = [], []
    monkeypatch.setattr(cli, "_serve", lambda listening, lessons: served.append(lessons))
    monkeypatch.setattr(cli.webbrowser, "open", opened.append)
    return served, opened


def test_address_is_the_first_line_and_answers():
    with running("--lessons", str(FIXTURE_LESSONS)) as course:
        assert course.first_line == f"The course is at {course.url} (Ctrl-C ends it)\n"
        assert course.url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(course.url, timeout=30) as home:
            assert b"Which rollouts are worth training on?" in home.read()
        assert course.told() == ""


def test_ctrl_c_ends_the_course_within_five_seconds():
    with running("--lessons", str(FIXTURE_LESSONS)) as course:
        urllib.request.urlopen(course.url, timeout=30).close()
        assert course.interrupt() < 5
        assert course.process.returncode == 0


def test_ctrl_c_ends_the_course_within_five_seconds_while_a_lesson_is_open():
    with running("--lessons", str(FIXTURE_LESSONS)) as course:
        with visit(course, "02_live_charts"):
            assert course.interrupt() < 5
        assert course.process.returncode == 0


def test_ctrl_c_ends_the_course_within_five_seconds_after_a_lesson_was_closed():
    with running("--lessons", str(FIXTURE_LESSONS)) as course:
        with visit(course, "02_live_charts"):
            pass
        assert course.interrupt() < 5
        assert course.process.returncode == 0


def test_busy_port_is_an_error_that_names_the_option():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [command(), "--no-browser", "--port", str(port)],
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert done.returncode == 1
    assert f"port {port} is in use" in done.stderr
    assert f"--port {port + 1}" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_browser_opens_at_the_address_unless_told_not_to(no_serving):
    _, opened = no_serving
    said = CliRunner().invoke(cli.main, ["--port", "0"]).stdout
    assert len(opened) == 1
    assert opened[0] in said
    CliRunner().invoke(cli.main, ["--port", "0", "--no-browser"])
    assert len(opened) == 1


def test_loopback_hosts_are_not_warned_about(no_serving):
    for host in ("127.0.0.1", "localhost"):
        done = CliRunner().invoke(cli.main, ["--port", "0", "--no-browser", "--host", host])
        assert (done.exit_code, done.stderr) == (0, "")


def test_wider_host_is_told_in_a_plain_sentence(no_serving):
    done = CliRunner().invoke(cli.main, ["--port", "0", "--no-browser", "--host", "0.0.0.0"])
    assert done.exit_code == 0
    assert (
        "Anyone who can reach this computer over the network can now open the course" in done.stderr
    )
    assert "Without --host 0.0.0.0 only this computer reaches it." in done.stderr
    assert "http://localhost:" in done.stdout


def test_host_of_another_computer_is_refused(no_serving):
    done = CliRunner().invoke(cli.main, ["--port", "0", "--no-browser", "--host", "192.0.2.1"])
    assert done.exit_code == 1
    assert "--host must be an address of this computer, got 192.0.2.1" in done.stderr


@pytest.mark.parametrize("port", ["-1", "65536", "many"])
def test_port_that_is_none_is_refused(no_serving, port):
    done = CliRunner().invoke(cli.main, ["--port", port, "--no-browser"])
    assert done.exit_code == 2
    assert "--port" in done.stderr
    assert no_serving == ([], [])


@pytest.mark.parametrize(
    ("host", "bound", "address"),
    [
        ("127.0.0.1", "127.0.0.1", "http://127.0.0.1:{port}/"),
        ("localhost", "127.0.0.1", "http://localhost:{port}/"),
        ("0.0.0.0", "0.0.0.0", "http://localhost:{port}/"),
    ],
)
def test_address_names_the_host_a_browser_can_open(host, bound, address):
    with socket.create_server((bound, 0)) as listening:
        port = listening.getsockname()[1]
        assert cli._address(host, listening) == address.format(port=port)


def test_version_is_the_packages_own():
    done = CliRunner().invoke(cli.main, ["--version"])
    assert done.exit_code == 0
    assert done.stdout.strip().endswith("0.1.0")


def test_command_takes_subcommands():
    assert isinstance(cli.main, click.Group)


def test_the_core_and_the_command_import_neither_altair_nor_marimo():
    code = (
        "import sys, whilecore, whilecore.cli;"
        "print([n for n in ('altair', 'marimo', 'anywidget', 'starlette') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
