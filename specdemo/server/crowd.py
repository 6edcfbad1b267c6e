"""How many of the largest questions may be open at once, of one visitor and in all: each holds megabytes from its first byte to its answer.

What is too many is refused in words before any of it is read; the page asks again. Pure ASGI, outside the gate, which reads bodies.
"""

from __future__ import annotations

import time
from collections import Counter

import anyio
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specdemo.server.gate import HEADERS
from specdemo.server.paths import API_PREFIX, CROWDED, path_of

READ_SECONDS = 90.0  # for a whole body: 8 MB at 1 Mbit/s take 64


class CrowdMiddleware:
    """Refuses what is too much at once, 503, and what takes too long to arrive, 408; hands everything else on."""

    def __init__(self, app: ASGIApp, read_seconds: float = READ_SECONDS) -> None:
        self._app, self._read_seconds = app, read_seconds
        self._open: dict[str, Counter[str]] = {name: Counter() for name in CROWDED}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on where there is room."""
        path = path_of(scope) if scope["type"] == "http" else ""
        name = path.removeprefix(f"/{API_PREFIX}/")
        if not path.startswith(f"/{API_PREFIX}/") or name not in CROWDED:
            return await self._app(scope, receive, send)
        there, visitor = self._open[name], visitor_of(scope)
        each, in_all = CROWDED[name]
        if there[visitor] >= each:
            words = (
                f"{each} of your questions of this kind are being answered already: ask again when one of them is done."
            )
        elif there.total() >= in_all:
            words = f"{in_all} questions of this kind are being answered for others just now: ask again in a moment."
        else:
            words = ""
        if words:
            return await _refuse(503, words, scope, receive, send)
        there[visitor] += 1
        try:
            await self._app(scope, _in_time(receive, time.monotonic() + self._read_seconds), send)
        except _LateError:
            await _refuse(408, "The question took too long to arrive: ask again.", scope, receive, send)
        finally:
            there[visitor] -= 1
            if not there[visitor]:
                del there[visitor]


def visitor_of(scope: Scope) -> str:
    """Who asks: its address, and what proxies say of it, the last of which is nearest. Whoever makes up a proxy's word is still counted in all."""
    forwarded = Headers(scope=scope).get("x-forwarded-for", "")
    client = scope.get("client") or ("",)
    return f"{client[0]} {forwarded[-200:]}".strip()


class _LateError(Exception):
    """A body that is not there in time."""


def _in_time(receive: Receive, deadline: float) -> Receive:
    """A `receive` that waits for the body until then; what comes after the body (that the asker has gone) may take any time."""
    whole = False

    async def received() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        with anyio.move_on_after(max(0.0, deadline - time.monotonic())):
            message = await receive()
            whole = not message.get("more_body", False)
            return message
        raise _LateError

    return received


async def _refuse(status: int, text: str, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {**HEADERS, "Cache-Control": "no-store", "Connection": "close"}
    await JSONResponse({"error": text}, status, headers=headers)(scope, receive, send)
