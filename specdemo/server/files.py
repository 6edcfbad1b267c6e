"""The browser's own files: read once, served from memory, under an address that changes with their content.

With them go the templates of standalone pages, made of the same files (specdemo/standalone), as text: a page without its record.

The version is one hash over all files, and it is a folder in the address, so that modules which import each other by
relative paths always belong together and may be cached for ever. It does not watch the folder: a change needs a restart.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from specdemo.server.paths import PREFIX, path_of
from specdemo.standalone import PAGES, template

log = logging.getLogger(__name__)

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}

FILES = MEDIA_TYPES.keys() - {".txt"}


class BrowserFiles:
    """The files of some folders of `assets/`, by their path relative to it; "dev…" files are left out.

    `version` is 16 hex digits over names and contents; `base` is the address prefix, relative to the page's.
    """

    def __init__(self, assets: Path, folders: Iterable[str] = ("viewer", "examples")) -> None:
        self._files: dict[str, bytes] = {}
        for folder in folders:
            for file in sorted((assets / folder).rglob("*")):
                if file.is_file() and file.suffix in FILES and not file.name.startswith("dev"):
                    self._files[file.relative_to(assets).as_posix()] = file.read_bytes()
        for page, parts in PAGES.items():
            if f"viewer/{parts.entry}" in self._files:
                try:
                    self._files[f"standalone/{page}.txt"] = template(page, assets / "viewer").encode()
                except (OSError, ValueError, LookupError) as error:  # a file is missing; what does not need it goes on
                    log.warning("pages of %r cannot be saved as HTML: %s", page, error)
        digest = hashlib.sha256()
        for name, content in self._files.items():
            digest.update(json.dumps([name, len(content)]).encode())
            digest.update(content)
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
    """Answers /healthz (is this process well?), /readyz (should visitors be sent here?) and the browser's files; hands everything else on."""

    def __init__(
        self,
        app: ASGIApp,
        files: BrowserFiles,
        health: Callable[[], dict[str, Any]],
        unready: Callable[[], str | None],
    ) -> None:
        self._app = app
        self._files = files
        self._health = health
        self._unready = unready

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path = path_of(scope)
        if path == "/healthz":
            health = self._health()
            answer: Response = _state(health, well=health.get("status", "ok") == "ok")
        elif path == "/readyz":
            reason = self._unready()
            ready = {"status": "ready"} if reason is None else {"status": "not ready", "reason": reason}
            answer = _state(ready, well=reason is None)
        elif path.startswith(f"/{PREFIX}/"):
            version, _, name = path.removeprefix(f"/{PREFIX}/").partition("/")
            answer = self._files.response(name, version)
        else:
            return await self._app(scope, receive, send)
        await answer(scope, receive, send)


def _state(state: dict[str, Any], *, well: bool) -> Response:
    return JSONResponse(state, 200 if well else 503, headers={"Cache-Control": "no-store"})
