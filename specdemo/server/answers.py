"""Questions that a page asks outside of Gradio: POST PREFIX-api/NAME, JSON text both ways, answered by a function in a thread.

For answers that take milliseconds and follow each other while something is dragged, where a queue and its messages would cost
more than the answer. A function gets the body as text and returns text; its ValueError is the asker's mistake, and its message is told.
"""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Callable, Mapping

import anyio
from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from specdemo.sentences import sentence, sentence_of, told
from specdemo.server.paths import API_PREFIX, LARGER, path_of

Answers = Mapping[str, Callable[[str], str]]

MAX_QUESTION_BYTES = 64_000
# So many questions of one name are answered at a time, and so many wait: a slow one holds up no other name.
AT_ONCE, WAITING = 2, 16
# Shorter answers fit into one packet as they are.
COMPRESSED_FROM = 1400

logger = logging.getLogger(__name__)


class AnswersMiddleware:
    """Answers POST API_PREFIX/NAME for the names it knows; hands everything else on."""

    def __init__(self, app: ASGIApp, answers: Answers) -> None:
        self._app, self._answers = app, answers
        self._limits: dict[str, anyio.CapacityLimiter] = {}
        self._open = dict.fromkeys(answers, 0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        path = path_of(scope) if scope["type"] == "http" else ""
        if not path.startswith(f"/{API_PREFIX}/"):
            return await self._app(scope, receive, send)
        name = path.removeprefix(f"/{API_PREFIX}/")
        if scope["method"] != "POST" or name not in self._answers:
            status, text = _error(404, sentence("nothing_to_ask"))
        else:
            most = LARGER.get(name, MAX_QUESTION_BYTES)
            body = await whole_body(receive, most)
            if body is None:
                status, text = _error(413, sentence("question_large", most=most))
            else:
                status, text = await self._answer(name, body)
        await (await _response(status, text, scope))(scope, receive, send)

    async def _answer(self, name: str, body: bytes) -> tuple[int, bytes]:
        if self._open[name] >= AT_ONCE + WAITING:
            return _error(503, sentence("questions_waiting"))
        # Made here, because a limiter belongs to the loop that is running.
        limit = self._limits.setdefault(name, anyio.CapacityLimiter(AT_ONCE))
        self._open[name] += 1
        try:
            return await run_sync(_answered, self._answers[name], body, limiter=limit)
        finally:
            self._open[name] -= 1


def _answered(function: Callable[[str], str], body: bytes) -> tuple[int, bytes]:
    try:
        return 200, function(body.decode()).encode()
    except UnicodeDecodeError:
        return _error(400, sentence("question_text"))
    except ValueError as error:
        return _error(400, sentence_of(error))
    except Exception:
        logger.exception("a question could not be answered")
        return _error(500, sentence("not_answered"))


def _error(status: int, text: str) -> tuple[int, bytes]:
    return status, json.dumps({"error": text, **told(text)}, ensure_ascii=False).encode()


async def whole_body(receive: Receive, most: int) -> bytes | None:
    """The whole body, or None where it is too large or its sender has gone."""
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > most:
            return None
        if not message.get("more_body", False):
            return body


async def _response(status: int, content: bytes, scope: Scope) -> Response:
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if len(content) >= COMPRESSED_FROM and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
        # The least effort: rows of numbers shrink to a seventh at once.
        content = await run_sync(gzip.compress, content, 1)
        headers["Content-Encoding"] = "gzip"
    return Response(content, status, headers, "application/json")
