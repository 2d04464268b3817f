"""One server for the whole course: home page, every lesson, one copy of what they share.

marimo serves each lesson in run mode, where a visitor can move controls but neither run code nor
read files. One process, one worker: marimo's sessions live in its memory.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final

import marimo
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from whilecore import charts, course
from whilecore.charts import runtime
from whilecore.course import home
from whilecore.course.assets import Assets, script_route
from whilecore.course.catalogue import lessons
from whilecore.course.private import WithoutFolders

SHARED: Final = "/_whilecore"
MARIMO: Final = "/_marimo"


def lessons_folder() -> Path:
    """Return the folder of the lessons that belong to this package.

    Returns:
        ``_lessons`` beside the package's modules (a wheel carries it), else ``lessons`` beside the
        package (a clone).

    Raises:
        FileNotFoundError: Neither is there.
    """
    package = Path(__file__).resolve().parents[1]
    places = (package / "_lessons", package.parent / "lessons")
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"the lessons must lie in {places[0]} or {places[1]}, found neither; "
        "install whilecore again"
    )


def create_app(lessons_dir: Path | None = None) -> Starlette:
    """Build the course as an ASGI application.

    Args:
        lessons_dir: Folder of the lessons; default ``lessons_folder()``. Files that are no lessons
            are not served.

    Returns:
        The application: ``/`` is the home page, ``/<file stem>/`` a lesson.
    """
    folder = lessons_folder() if lessons_dir is None else lessons_dir
    listed = lessons(folder)
    vega = f"{SHARED}/{runtime.file_name()}"
    builder = marimo.create_asgi_app(
        quiet=True,
        include_code=False,
        asset_url=MARIMO,
        html_head=f'<link rel="modulepreload" href="{vega}">',
    )
    for lesson in listed:
        builder = builder.with_app(path=f"/{lesson.stem}", root=str(folder / f"{lesson.stem}.py"))
    notebooks = builder.build()
    page = home.page(listed, f"{SHARED}/pictures", f"{SHARED}/icon.svg")
    return Starlette(
        routes=[
            Route("/", _html(page)),
            Route("/favicon.ico", _icon),
            Route(f"{SHARED}/icon.svg", _icon),
            Mount(f"{SHARED}/pictures", StaticFiles(directory=home.PICTURES, check_dir=False)),
            Route(f"{SHARED}/{{name}}", script_route(runtime.file_name(), runtime.bundle)),
            Mount(MARIMO, Assets(directory=Path(marimo.__file__).parent / "_static")),
            Mount("/", WithoutFolders(notebooks, folder)),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)],
        lifespan=_lifespan(notebooks, vega),
    )


def _lifespan(
    notebooks: object, vega: str
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return the hook around the server's life.

    A mounted application's own end is never called, so the sessions of all lessons are shut down
    here; otherwise their threads keep the process alive after Ctrl-C.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        with runtime.served_at(vega):
            threading.Thread(target=_get_ready, daemon=True).start()
            yield
            for route in getattr(notebooks, "routes", []):
                state = getattr(getattr(route, "app", None), "state", None)
                manager = getattr(state, "session_manager", None)
                ended = manager.shutdown() if manager is not None else None
                if inspect.isawaitable(ended):
                    await ended

    return lifespan


def _get_ready() -> None:
    """Get ready while the visitor still reads the home page.

    Bundle Vega, load what lessons import, and make one picture: the first takes a second, since
    Altair reads its schema for it and the compiler starts.
    """
    runtime.bundle()
    for package in (charts, course):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    from whilecore.charts import baseline  # not above: altair takes a second to load

    baseline.picture()


def _html(page: str) -> Callable[[Request], Response]:
    """Return a route that serves one page of HTML."""

    def route(_: Request) -> Response:
        return HTMLResponse(page, headers={"Cache-Control": "no-cache"})

    return route


def _icon(_: Request) -> Response:
    """Serve the course's icon."""
    return Response(
        home.ICON, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"}
    )
