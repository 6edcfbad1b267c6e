"""The browser's own files: read once, served from memory, under an address that changes with their content.

The version is one hash over all files, and it is a folder in the address, so that modules which import each other by
relative paths always belong together and may be cached for ever. It does not watch the folder: a change needs a restart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from specdemo.server.paths import PREFIX, path_of

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


class BrowserFiles:
    """The files of some folders of `assets/`, by their path relative to it; "dev…" files are left out.

    `version` is 16 hex digits over names and contents; `base` is the address prefix, relative to the page's.
    """

    def __init__(self, assets: Path, folders: Iterable[str] = ("viewer", "examples")) -> None:
        self._files: dict[str, bytes] = {}
        digest = hashlib.sha256()
        for folder in folders:
            for file in sorted((assets / folder).rglob("*")):
                if file.is_file() and file.suffix in MEDIA_TYPES and not file.name.startswith("dev"):
                    name = file.relative_to(assets).as_posix()
                    self._files[name] = file.read_bytes()
                    digest.update(json.dumps([name, len(self._files[name])]).encode())
                    digest.update(self._files[name])
        self.version = digest.hexdigest()[:16]
        self.base = f"{PREFIX}/{self.version}/"

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def names(self) -> list[str]:
        """All names, in order."""
        return list(self._files)

    def response(self, name: str, version: str) -> Response:
        """The file, cacheable for ever under the current version and not at all under another; 404 where there is none."""
        content = self._files.get(name)
        if content is None:
            return JSONResponse({"error": "no such file"}, 404, headers={"Cache-Control": "no-store"})
        age = "public, max-age=31536000, immutable" if version == self.version else "no-store"
        return Response(content, media_type=MEDIA_TYPES[Path(name).suffix], headers={"Cache-Control": age})


class FilesMiddleware:
    """Answers /healthz and the browser's files; hands everything else on."""

    def __init__(self, app: ASGIApp, files: BrowserFiles, health: Callable[[], dict[str, Any]]) -> None:
        self._app = app
        self._files = files
        self._health = health

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path = path_of(scope)
        if path == "/healthz":
            answer: Response = JSONResponse(self._health(), headers={"Cache-Control": "no-store"})
        elif path.startswith(f"/{PREFIX}/"):
            version, _, name = path.removeprefix(f"/{PREFIX}/").partition("/")
            answer = self._files.response(name, version)
        else:
            return await self._app(scope, receive, send)
        await answer(scope, receive, send)
