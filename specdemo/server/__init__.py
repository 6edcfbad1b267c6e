"""What stands between the network and the pages: which paths are open, how large a request may be, what a browser may load.

Pure ASGI, no Gradio: the pages hand `middleware(...)` to the server they start. Only paths that the pages need are open
(`gate.py`), the document says what its scripts may do (`document.py`), the browser's own files are served from memory
under an address that changes with their content (`files.py`), quick questions are answered by plain functions (`answers.py`), and runs by
one stream each (`runs.py`). Of the largest questions a few may be open at once (`crowd.py`), and of the places of runs that wait a visitor
may hold three quarters (`waiting.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.middleware import Middleware

from specdemo.server.answers import Answers, AnswersMiddleware
from specdemo.server.crowd import CrowdMiddleware
from specdemo.server.document import DocumentMiddleware
from specdemo.server.files import BrowserFiles, FilesMiddleware
from specdemo.server.gate import GateMiddleware
from specdemo.server.runs import RunsMiddleware
from specdemo.server.unheard import UnheardMiddleware
from specdemo.server.waiting import WaitingMiddleware

__all__ = [
    "Answers",
    "AnswersMiddleware",
    "BrowserFiles",
    "DocumentMiddleware",
    "FilesMiddleware",
    "GateMiddleware",
    "RunsMiddleware",
    "middleware",
]


def middleware(
    files: BrowserFiles,
    health: Callable[[], dict[str, Any]],
    answers: Answers | None = None,
    unready: Callable[[], str | None] = lambda: None,
    left: Callable[[str], None] = lambda session: None,
) -> list[Middleware]:
    """The layers, outermost first.

    `health` answers /healthz, `answers` the questions of API_PREFIX/NAME; `unready` says for /readyz why no visitor should be sent here,
    `left` is given the session of a run that nobody waits for any more.
    """
    return [
        Middleware(CrowdMiddleware),
        Middleware(GateMiddleware),
        Middleware(FilesMiddleware, files=files, health=health, unready=unready),
        Middleware(WaitingMiddleware),
        Middleware(UnheardMiddleware),
        Middleware(RunsMiddleware, left=left),
        Middleware(AnswersMiddleware, answers=answers or {}),
        Middleware(DocumentMiddleware, files=files),
    ]
