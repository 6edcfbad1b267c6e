"""What stands between the network and the pages: which paths are open, how large a request may be, what a browser may load.

Pure ASGI, no Gradio: the pages hand `middleware(...)` to the server they start. Only paths that the pages need are open
(`gate.py`), the document says what its scripts may do (`document.py`), the browser's own files are served from memory
under an address that changes with their content (`files.py`), and quick questions are answered by plain functions (`answers.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.middleware import Middleware

from specdemo.server.answers import Answers, AnswersMiddleware
from specdemo.server.document import DocumentMiddleware
from specdemo.server.files import BrowserFiles, FilesMiddleware
from specdemo.server.gate import GateMiddleware

__all__ = [
    "Answers",
    "AnswersMiddleware",
    "BrowserFiles",
    "DocumentMiddleware",
    "FilesMiddleware",
    "GateMiddleware",
    "middleware",
]


def middleware(
    files: BrowserFiles,
    health: Callable[[], dict[str, Any]],
    answers: Answers | None = None,
    unready: Callable[[], str | None] = lambda: None,
) -> list[Middleware]:
    """The layers, outermost first.

    `health` answers /healthz, `answers` the questions of API_PREFIX/NAME; `unready` says for /readyz why no visitor should be sent here.
    """
    return [
        Middleware(GateMiddleware),
        Middleware(FilesMiddleware, files=files, health=health, unready=unready),
        Middleware(AnswersMiddleware, answers=answers or {}),
        Middleware(DocumentMiddleware, files=files),
    ]
