"""The command ``whilecore``: opens the course, or reports on and exports a file of rollouts.

Heavy imports wait until the address is printed; a command that does not need them never pays.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from whilecore import commands

DEFAULT_PORT: Final = 2718


@click.group(invoke_without_command=True)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="Port to serve the course at; 0 takes any free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to serve at. The default is reached from this computer only.",
)
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@click.option(
    "--lessons",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of lessons to serve instead of the course's own.",
)
@click.version_option(package_name="whilecore")
@click.pass_context
def main(
    context: click.Context, port: int, host: str, no_browser: bool, lessons: Path | None
) -> None:
    """Open the interactive course: which rollouts are worth training on?"""
    if context.invoked_subcommand is None:
        _open_course(host, port, lessons, browser=not no_browser)


main.add_command(commands.report)
main.add_command(commands.export)


def _open_course(host: str, port: int, lessons: Path | None, *, browser: bool) -> None:
    """Serve the course until Ctrl-C."""
    with _bound(host, port) as listening:
        address = _address(host, listening)
        click.echo(f"The course is at {address} (Ctrl-C ends it)")
        if not _is_loopback(listening):
            click.echo(
                f"Anyone who can reach this computer over the network can now open the course and "
                f"use this computer's processor for it; they cannot run code or read files. "
                f"Without --host {host} only this computer reaches it.",
                err=True,
            )
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        _serve(listening, lessons)


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens already, so that a browser may connect at once.

    Raises:
        click.ClickException: The port is taken, or the address is none of this computer's.
    """
    try:
        family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(where[:2], family=family, backlog=128)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise click.ClickException(
                f"port {port} is in use by another program (or an earlier whilecore); "
                f"choose another with --port, such as --port {port % 65535 + 1}, "
                "or --port 0 for any free one"
            ) from error
        if error.errno in (errno.EACCES, errno.EPERM):
            raise click.ClickException(
                f"port {port} is reserved for the system; choose one from 1024 up with --port"
            ) from error
        raise click.ClickException(
            f"--host must be an address of this computer, got {host}: {error}"
        ) from error


def _address(host: str, listening: socket.socket) -> str:
    """Return the URL to open; a wildcard host is reached as localhost."""
    port = listening.getsockname()[1]
    name = "localhost" if host in ("0.0.0.0", "::", "") else host
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def _is_loopback(listening: socket.socket) -> bool:
    """Tell whether only this computer reaches a socket."""
    return ipaddress.ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback


def _serve(listening: socket.socket, lessons: Path | None) -> None:
    """Run the server on a bound socket, in one worker."""
    import uvicorn

    from whilecore.course.server import create_app

    config = uvicorn.Config(
        create_app(lessons), log_level="warning", lifespan="on", timeout_graceful_shutdown=1
    )
    with suppress(KeyboardInterrupt):  # raised again by uvicorn once everything is shut down
        uvicorn.Server(config).run(sockets=[listening])
    click.echo("The course has ended.")
