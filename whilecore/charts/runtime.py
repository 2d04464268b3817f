"""The Vega runtime: bundled from an installed package, kept on disk, served once.

A chart needs about 0.9 MB of JavaScript. It comes from ``vl-convert-python``, never from a
content network. Bundling takes one to two seconds, so the result is cached per version. The course
server serves it at one address whose name holds the versions, so that a browser fetches it once
for all lessons and for good. Without that server each widget carries the bundle itself.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

import vl_convert

VEGA_LITE: Final = "6.4"
_SNIPPET: Final = "export { vegaEmbed };"
_served_at: str | None = None


def file_name() -> str:
    """Name the bundle after everything its content depends on.

    Returns:
        A file name such as ``vega-6.2.0-vlc1.9.0-0f3c….js``.
    """
    recipe = hashlib.sha256(f"{VEGA_LITE} {_SNIPPET}".encode()).hexdigest()[:8]
    return f"vega-{vl_convert.get_vega_version()}-vlc{version('vl-convert-python')}-{recipe}.js"


def cache_folder() -> Path:
    """Return the folder of the user's caches that holds the bundle.

    Convention: ``WHILECORE_CACHE`` wins; else the platform's folder for caches.
    """
    chosen = os.environ.get("WHILECORE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "whilecore"


@lru_cache(maxsize=1)
def bundle() -> str:
    """Return the Vega runtime as one ES module that exports ``vegaEmbed``.

    Returns:
        JavaScript source, about 0.9 MB. Read from the cache, or bundled and put there.

    Convention: a cache that cannot be read or written costs the time of bundling, never an
        error. Two processes may write at once: each renames a whole file into place.
    """
    path = cache_folder() / file_name()
    with suppress(OSError, UnicodeDecodeError):
        text = path.read_text(encoding="utf-8")
        if text.strip():
            return text
    text = vl_convert.javascript_bundle(_SNIPPET, vl_version=VEGA_LITE)
    with suppress(OSError):
        _write_whole(path, text)
    return text


def _write_whole(path: Path, text: str) -> None:
    """Write a file so that no reader ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            os.unlink(part)
        raise


@contextmanager
def served_at(path: str) -> Iterator[None]:
    """Tell charts made meanwhile that the bundle is served at a path of their own origin.

    One value for the whole process and all its visitors, set by the server while it runs.

    Args:
        path: Absolute path on the server, such as ``/_whilecore/vega-….js``.
    """
    global _served_at
    before, _served_at = _served_at, path
    try:
        yield
    finally:
        _served_at = before


def served_path() -> str | None:
    """Return the path the bundle is served at, or None outside the course server."""
    return _served_at
