"""The real command as a process of its own, as a person starts it."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
FIXTURE_LESSONS = ROOT / "tests" / "browser" / "lessons"
START_SECONDS = 60


def command() -> str:
    """Return the path of the installed ``whilecore`` command of this environment."""
    found = shutil.which("whilecore", path=str(Path(sys.executable).parent))
    assert found, "whilecore must be installed: pip install -e '.[test]'"
    return found


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Course:
    """A running course."""

    url: str
    first_line: str
    process: subprocess.Popen[str]
    errors: IO[str]

    def interrupt(self) -> float:
        """Press Ctrl-C and return the seconds until the process has ended."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)
        return time.monotonic() - start

    def told(self) -> str:
        """Return what the course has written to standard error so far."""
        self.errors.flush()
        return Path(self.errors.name).read_text()


@contextmanager
def running(
    *arguments: str, program: str | None = None, cwd: Path | None = None
) -> Iterator[Course]:
    """Start the course on a free port, wait for its first line, and end it afterwards."""
    line = [program or command(), "--port", "0", "--no-browser", *arguments]
    with (
        tempfile.NamedTemporaryFile("w", suffix=".log") as errors,
        subprocess.Popen(
            line, cwd=cwd, stdout=subprocess.PIPE, stderr=errors, text=True, bufsize=1
        ) as process,
    ):
        assert process.stdout is not None
        alarm = threading.Timer(START_SECONDS, process.kill)
        alarm.start()
        first = process.stdout.readline()
        alarm.cancel()
        address = re.search(r"http://\S+/", first)
        try:
            assert address, f"no address in {first!r}; {Path(errors.name).read_text()}"
            yield Course(address[0], first, process, errors)
        finally:
            process.kill()
