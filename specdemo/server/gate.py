"""The gate: only the paths the pages need, and only bodies of a bounded size.

Gradio opens far more to strangers than these pages use: uploads, a fetch proxy, calls into components, deep links, files.
So this is a list of what is open, not of what is closed. A page that needs another path adds it here, and says why.
"""

from __future__ import annotations

import json
import re

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specdemo.server.paths import API_PREFIX, CROWDED, LARGER, PREFIX, RUN_PREFIX, path_of

# A prompt of 20,000 characters, escaped twice, and the ids of the longest context fit several times over.
MAX_BODY_BYTES = 1_000_000
# For a whole body; a sweep's rows may take longer (crowd.py).
READ_SECONDS = 30.0

READ = re.compile(
    rf"""
      / | /config/? | /theme\.css | /favicon\.ico | /robots\.txt | /manifest\.json | /healthz | /readyz
    | /{PREFIX}/[0-9a-f]+/[\w./-]+              # the browser's own files
    | /(assets|static)/[\w./-]+                 # Gradio's
    | /gradio_api/(app_id|startup-events|theme\.css|queue/status|info)/?
    | /gradio_api/(call/(decode|race|law|lab)/[0-9a-f]+)  # the messages of one run
    """,
    re.VERBOSE,
)
WRITE = re.compile(
    rf"""
      /gradio_api/(call/(decode|race|law|lab)|run/cancel)/?  # one text each (CALL)
    | /{API_PREFIX}/(sandbox|optimum|longrun|audit|presets)  # the Sandbox's numbers (answers.py)
    | /{RUN_PREFIX}/(decode|race|law|lab)                    # one request, answered by its whole stream (runs.py)
    | /{API_PREFIX}/lab-(plan|summary)                       # what a sweep would be, and what it adds up to
    """,
    re.VERBOSE,
)

# What Gradio is asked: any other body would go far into it before it fails.
CALL = re.compile(r"/gradio_api/.*")

# Addresses that name their content, so that they never change.
IMMUTABLE = re.compile(r"/assets/[\w./-]+")

HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}


class GateMiddleware:
    """Closed paths answer 404, oversized bodies 413, late ones 408, bodies that are no call 400; every answer carries the protective headers."""

    def __init__(self, app: ASGIApp, max_body_bytes: int = MAX_BODY_BYTES, read_seconds: float = READ_SECONDS) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes
        self._read_seconds = read_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through, or refuse."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if scope["type"] != "http":
            return await send({"type": "websocket.close", "code": 1008})
        path = path_of(scope)
        send = _with_headers(send, path)
        allowed = {"GET": READ, "HEAD": READ, "POST": WRITE}.get(scope["method"])
        if allowed is None or ".." in path or not allowed.fullmatch(path):
            return await _refuse(404, "This address is not open.", scope, receive, send)
        if scope["method"] == "POST":
            name = path.removeprefix(f"/{API_PREFIX}/")
            most = LARGER.get(name, self._max_body_bytes)
            body, late = None, True
            with anyio.move_on_after(None if name in CROWDED else self._read_seconds):
                body, late = await self._body(scope, receive, most), False
            if late:
                return await _refuse(408, "The request took too long to arrive: ask again.", scope, receive, send)
            if body is None:
                text = f"A request may have {most:,} bytes at most."
                return await _refuse(413, text, scope, receive, send)
            if not _is_text(body):
                return await _refuse(400, "A request is JSON text.", scope, receive, send)
            if CALL.fullmatch(path) and not _is_call(body):
                return await _refuse(400, 'A call is {"data": [TEXT]}.', scope, receive, send)
            receive = _replay(body, receive)
        await self._app(scope, receive, send)

    async def _body(self, scope: Scope, receive: Receive, most: int) -> bytes | None:
        """The whole body, or None where it is too large; what is announced too large is not read."""
        announced = Headers(scope=scope).get("content-length", "0")
        if not announced.isdecimal() or int(announced) > most:
            return None
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > most or message["type"] == "http.disconnect":  # half a body is no question
                return None
            if not message.get("more_body", False):
                return body


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_call(body: bytes) -> bool:
    """Whether the body is a call of a function with one text, and nothing else that Gradio would listen to."""
    try:
        call = json.loads(body)
    except (ValueError, RecursionError):
        return False
    data = call.get("data") if isinstance(call, dict) and len(call) == 1 else None
    return isinstance(data, list) and len(data) == 1 and isinstance(data[0], str)


async def _refuse(status: int, text: str, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"Cache-Control": "no-store", **({"Connection": "close"} if status in (408, 413) else {})}
    await JSONResponse({"error": text, "detail": text}, status, headers=headers)(scope, receive, send)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body that was read, then whatever comes after it (the news that the client has gone)."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


def _with_headers(send: Send, path: str) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if message["status"] == 200 and IMMUTABLE.fullmatch(path):
                headers["Cache-Control"] = "public, max-age=31536000, immutable"
        await send(message)

    return send_with_headers
