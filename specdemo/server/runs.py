"""Long answers as one request: POST RUN_PREFIX/NAME with a JSON text is answered by the stream of that run's messages.

Behind it is Gradio's own queue, asked in this process by its documented interface: POST call/NAME takes a place in it, GET queue/data
streams what becomes of it. Between the two Gradio remembers the asker, so over a network both would have to reach the same server;
here they do. The asker's headers go along, because a Space whose GPUs are lent knows its visitors by them.

The stream is text/event-stream: an event without a name is a message (docs/viewer.md), `ahead` says how many requests come first
(null: it is this one's turn), `failed` that the run broke down. A stream that just ends was cut off:
the same request, sent again to any server, goes on.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection
from typing import Any

import anyio
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specdemo.sentences import sentence, told
from specdemo.server.answers import whole_body
from specdemo.server.paths import RUN_PREFIX, STREAM, path_of

# The kinds that the pages ask for; the gate opens them.
RUNS = ("decode", "race", "law", "lab")
MAX_BODY_BYTES = 1_000_000
BUSY = sentence("busy")
RETRY = {"Retry-After": "2"}
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # proxies hand on each event as it comes
]


class RunsMiddleware:
    """Answers POST RUN_PREFIX/NAME for the names it knows; hands everything else on. `left(session)` is told of one that nobody waits for."""

    def __init__(self, app: ASGIApp, names: Collection[str] = RUNS, left: Callable[[str], None] = lambda session: None):
        self._app, self._names, self._left = app, names, left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        path = path_of(scope) if scope["type"] == "http" else ""
        if not path.startswith(f"/{RUN_PREFIX}/"):
            return await self._app(scope, receive, send)
        name = path.removeprefix(f"/{RUN_PREFIX}/")
        if scope["method"] != "POST" or name not in self._names:
            return await _refuse(404, sentence("nothing_to_run"), scope, receive, send)
        body = await whole_body(receive, MAX_BODY_BYTES)
        if body is None:
            return await _refuse(413, sentence("request_large", most=MAX_BODY_BYTES), scope, receive, send)
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return await _refuse(400, sentence("request_text"), scope, receive, send)
        session = STREAM + secrets.token_hex(16)
        call = json.dumps({"data": [text], "session_hash": session}).encode()
        status, answer = await self._join(inner(scope, "POST", f"/gradio_api/call/{name}", call), call)
        if status != 200:
            full = status == 503 and "full" in answer.lower()
            return await _refuse(429 if full else status, BUSY if full else answer, scope, receive, send)
        await self._stream(inner(scope, "GET", "/gradio_api/queue/data", b"", session), session, receive, send)

    async def _join(self, scope: Scope, body: bytes) -> tuple[int, str]:
        """The status of Gradio's answer and, where it refuses, its reason."""
        status, content = 500, b""

        async def take(message: Message) -> None:
            nonlocal status, content
            if message["type"] == "http.response.start":
                status = message["status"]
            content += message.get("body", b"")

        await self._app(scope, given(body), take)
        try:
            detail = json.loads(content).get("detail")
        except (ValueError, AttributeError):
            detail = None
        return status, detail if isinstance(detail, str) else sentence("not_accepted")

    async def _stream(self, scope: Scope, session: str, receive: Receive, send: Send) -> None:
        """Hand on what the queue says until the run ends, or until its asker has gone, which ends the run at its next block."""
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        gone = False
        rest = b""

        async def watch() -> None:
            nonlocal gone
            while (await receive())["type"] != "http.disconnect":
                pass
            gone = True
            group.cancel_scope.cancel()

        async def take(message: Message) -> None:
            nonlocal rest
            *parts, rest = (rest + message.get("body", b"")).split(b"\n\n")
            if events := b"".join(_translated(json.loads(part.removeprefix(b"data: "))) for part in parts):
                await send({"type": "http.response.body", "body": events, "more_body": True})

        async with anyio.create_task_group() as group:
            group.start_soon(watch)
            await self._app(scope, given(b""), take)
            group.cancel_scope.cancel()
        if gone:
            self._left(session)
        else:
            await send({"type": "http.response.body", "body": b""})


def _translated(news: dict[str, Any]) -> bytes:
    """What Gradio says of a place in its queue, as an event of the answer; b"" where it is nothing to anybody."""
    kind = news.get("msg")
    if kind == "process_generating" and news.get("success"):
        return f"data: {news['output']['data'][0]}\n\n".encode()
    if kind == "process_starts":
        return b"event: ahead\ndata: null\n\n"
    if kind == "estimation":
        return f"event: ahead\ndata: {int(news['rank'])}\n\n".encode()
    # The last message comes again with the news that all went well.
    if kind in ("process_generating", "process_completed") and not news.get("success"):
        return b"event: failed\ndata: null\n\n"
    return b": still here\n\n" if kind == "heartbeat" else b""


def inner(scope: Scope, method: str, path: str, body: bytes, session: str | None = None) -> Scope:
    """The asker's request as one to another path of the same app."""
    own = (b"content-length", b"content-type", b"transfer-encoding", b"accept-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name not in own]
    if body:
        headers += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    whole = scope.get("root_path", "").rstrip("/") + path if path_of(scope) != scope["path"] else path
    query = f"session_hash={session}".encode() if session else b""
    return {
        **scope, "method": method, "path": whole, "raw_path": whole.encode(), "query_string": query, "headers": headers, "state": {},
    }  # fmt: skip


def given(body: bytes) -> Receive:
    """A `receive` that gives a body, and then nothing more."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if not pending:
            await anyio.sleep_forever()
        return pending.pop()

    return receive


async def _refuse(status: int, text: str, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"Cache-Control": "no-store", **(RETRY if status in (429, 503) else {})}
    await JSONResponse({"error": text, "detail": text, **told(text)}, status, headers=headers)(scope, receive, send)
