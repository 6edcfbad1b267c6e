"""News of a call that nobody asks for: they are heard out here, because Gradio keeps them until two thousand others have come.

POST /gradio_api/call/NAME begins a run, and GET …/NAME/ID tells what became of it. Who posts and never asks would leave a megabyte of
messages behind each time. Pure ASGI, around Gradio's queue.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specdemo.server.paths import path_of
from specdemo.server.runs import given, inner

UNHEARD_SECONDS = 60

CALL = re.compile(r"/gradio_api/call/\w+/?")
NEWS = re.compile(r"/gradio_api/call/\w+/([0-9a-f]+)")
_log = logging.getLogger("specdemo.server")


class UnheardMiddleware:
    """After `seconds` asks for the news of a call itself, and drops them, unless somebody has asked; hands everything on."""

    def __init__(self, app: ASGIApp, seconds: float = UNHEARD_SECONDS) -> None:
        self._app, self._seconds = app, seconds
        self._unheard: set[str] = set()
        self._hearing: set[asyncio.Task[None]] = set()  # a task that nobody holds may be collected

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and remember what was called."""
        path = path_of(scope) if scope["type"] == "http" else ""
        if scope.get("method") == "GET" and (news := NEWS.fullmatch(path)):
            self._unheard.discard(news[1])
        if scope.get("method") != "POST" or not CALL.fullmatch(path):
            return await self._app(scope, receive, send)
        content = b""

        async def take(message: Message) -> None:
            nonlocal content
            content += message.get("body", b"")
            await send(message)

        await self._app(scope, receive, take)
        name = id_in(content)
        if name is not None:
            self._unheard.add(name)
            task = asyncio.get_running_loop().create_task(self._hear_out(scope, path.rstrip("/"), name))
            self._hearing.add(task)
            task.add_done_callback(self._hearing.discard)

    async def _hear_out(self, scope: Scope, path: str, name: str) -> None:
        await asyncio.sleep(self._seconds)
        if name not in self._unheard:
            return
        self._unheard.discard(name)
        try:
            await self._app(inner(scope, "GET", f"{path}/{name}", b""), given(b""), _nowhere)
        except Exception as error:  # Gradio ends the stream of an event that it has forgotten so
            _log.info("the news of a call that nobody asked for ended with %s", type(error).__name__)


async def _nowhere(message: Message) -> None:
    pass


def id_in(content: bytes) -> str | None:
    """The id that Gradio's answer to a call gives to its news; None for any other answer."""
    try:
        name = json.loads(content).get("event_id")
    except (ValueError, AttributeError):
        return None
    return name if isinstance(name, str) else None
