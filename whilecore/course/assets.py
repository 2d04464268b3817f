"""Files that never change under their name: packed once, kept by the browser for good."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

FOREVER: Final = "public, max-age=31536000, immutable"
_PACKED: Final = {".js", ".css", ".svg", ".html", ".json", ".map"}


class Assets(StaticFiles):
    """A folder of files with content hashes in their names, served packed.

    A workshop opens the course all at once; packing the same two megabytes for each visitor would
    keep one core busy for seconds. Each file is packed at its first request and kept.
    """

    async def get_response(self, path: str, scope: MutableMapping[str, Any]) -> Response:
        """Return one file, packed where that pays and the browser takes it."""
        response = await super().get_response(path, scope)
        if response.status_code != 200 or not isinstance(response, FileResponse):
            return response
        response.headers["Cache-Control"] = FOREVER
        file = Path(response.path)
        if file.suffix not in _PACKED or "gzip" not in Request(scope).headers.get(
            "accept-encoding", ""
        ):
            return response
        packed = await run_in_threadpool(_packed_file, file)
        return _gzipped(packed, mimetypes.guess_type(file.name)[0] or "text/plain")


def script_route(name: str, source: Callable[[], str]) -> Callable[[Request], Any]:
    """Return a route that serves one generated script under its name, which holds its version.

    Args:
        name: The file name; any other name is not found.
        source: Makes the script; called at the first request, kept by its maker.
    """

    @lru_cache(maxsize=1)
    def packed() -> bytes:
        return gzip.compress(source().encode(), compresslevel=6)

    async def route(request: Request) -> Response:
        if request.path_params["name"] != name:
            raise HTTPException(404)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return _gzipped(await run_in_threadpool(packed), "text/javascript")
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        text = await run_in_threadpool(source)
        return Response(text, media_type="text/javascript", headers=headers)

    return route


@lru_cache(maxsize=512)
def _packed_file(path: Path) -> bytes:
    """Return a file's content as gzip."""
    return gzip.compress(path.read_bytes(), compresslevel=6)


def _gzipped(content: bytes, kind: str) -> Response:
    """Return packed content with what a browser must know about it."""
    headers = {
        "Cache-Control": FOREVER,
        "Content-Encoding": "gzip",
        "Vary": "Accept-Encoding",
    }
    return Response(content, media_type=kind, headers=headers)
