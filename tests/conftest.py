"""Fixtures of all tests: a running course."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import settings

from tests.running import FIXTURE_LESSONS, Course, running

# A shared machine may stall for a second; no test here is about time.
settings.register_profile("whilecore", deadline=None)
settings.load_profile("whilecore")


@pytest.fixture(autouse=True)
def hand(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds between two steps of a control; a slow hand unless a test says otherwise."""
    seconds, now = [1.0], count()
    monkeypatch.setattr("whilecore.course.page.monotonic", lambda: seconds[0] * next(now))
    return seconds


@pytest.fixture(scope="session")
def server() -> Iterator[Course]:
    """The course with its own lessons, started once by the real command."""
    with running() as course:
        yield course


@pytest.fixture(scope="session")
def fixture_server() -> Iterator[Course]:
    """The course with the small lessons in ``tests/browser/lessons``."""
    with running("--lessons", str(FIXTURE_LESSONS)) as course:
        yield course
