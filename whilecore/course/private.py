"""Keeps the server's folders out of the pages it sends.

marimo writes a notebook's absolute path into its page. A visitor has no use for it, and it may
hold a user name; the bare file name is left.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The places where marimo 0.25 names files: an element, and keys of the page's settings.
_PLACES = re.compile(
    r'<marimo-filename[^>]*>[^<]*|"(?:filename|cwd|documentUri|rootUri)":\s*"[^"]*"'
)


class WithoutFolders:
    """Serves another application's pages with the folders taken out.

    Args:
        app: The application.
        folder: Where its notebooks lie; its parents are taken out too.
    """

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        """Note what must not be sent."""
        self.app = app
        absolute = folder.resolve()
        self.folders = [str(one) for one in (absolute, *absolute.parents[:-1])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold back a page of HTML until it is whole, and clean it; pass on everything else."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start: Message | None = None
        parts: list[bytes] = []

        async def cleaned(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_html(message):
                start = message
            elif start is None:
                await send(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body", False):
                    body = self.clean(b"".join(parts).decode()).encode()
                    MutableHeaders(raw=start["headers"])["content-length"] = str(len(body))
                    await send(start)
                    await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, cleaned)

    def clean(self, page: str) -> str:
        """Return a page with the folders taken out where marimo names files."""
        return _PLACES.sub(lambda place: self._bare(place[0]), page)

    def _bare(self, text: str) -> str:
        """Return a text without the first folder found in it, the deepest first."""
        for folder in self.folders:
            if folder in text:
                return text.replace(f"{folder}/", "").replace(folder, "")
        return text


def _is_html(message: Any) -> bool:
    """Tell whether a response is a page."""
    headers = MutableHeaders(raw=message["headers"])
    return headers.get("content-type", "").startswith("text/html")
