"""How many of the waiting requests may be one visitor's: whoever asks for much at once leaves room for others.

A request for a run holds a place from its arrival until its turn comes (`has_begun`), or until nobody waits for it any more.
A class behind one address still has three quarters of all places. Pure ASGI, inside the gate, around Gradio's queue and the streams.
"""

from __future__ import annotations

import re
import threading
import weakref
from collections import Counter
from collections.abc import Callable
from weakref import WeakValueDictionary

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specdemo.sentences import told
from specdemo.server.crowd import visitor_of
from specdemo.server.paths import RUN_PREFIX, path_of
from specdemo.server.runs import BUSY, RETRY
from specdemo.server.unheard import CALL, NEWS, id_in

MAX_WAITING = 20
MAX_WAITING_EACH = MAX_WAITING * 3 // 4

_STREAM = re.compile(rf"/{RUN_PREFIX}/\w+")
_PLACE = "specdemo.place"


class Places:
    """How many each visitor holds. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._held.total()

    def take(self, visitor: str, most: int) -> Place | None:
        """One more for this visitor; None where it holds `most`."""
        with self._lock:
            if self._held[visitor] >= most:
                return None
            self._held[visitor] += 1
        return Place(lambda: self._give_back(visitor))

    def _give_back(self, visitor: str) -> None:
        with self._lock:
            self._held -= Counter({visitor: 1})


class Place:
    """One that a visitor holds; given back once, however often that is asked for."""

    def __init__(self, give_back: Callable[[], None]) -> None:
        # The last resort is that the request it belongs to is forgotten.
        self.give_back = weakref.finalize(self, give_back)
        self.give_back.atexit = False


def has_begun(scope: Scope) -> None:
    """This request's turn has come: it waits no longer. Called in the server's own loop, or in any thread."""
    place = scope.get(_PLACE)
    if isinstance(place, Place):
        place.give_back()


class WaitingMiddleware:
    """Refuses, 429 and in words, requests for runs of a visitor who has `each` that wait; hands everything else on."""

    def __init__(self, app: ASGIApp, each: int = MAX_WAITING_EACH, places: Places | None = None) -> None:
        self._app, self._each = app, each
        self._places = Places() if places is None else places
        # What was asked for by Gradio's call, by the id under which its news are asked for; Gradio keeps the request while it waits.
        self._called: WeakValueDictionary[str, Place] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on where there is room."""
        path = path_of(scope) if scope["type"] == "http" else ""
        if scope.get("method") == "GET" and (news := NEWS.fullmatch(path)):
            try:
                return await self._app(scope, receive, send)
            finally:  # heard to its end, or left
                if place := self._called.pop(news[1], None):
                    place.give_back()
        call = CALL.fullmatch(path)
        if scope.get("method") != "POST" or not (call or _STREAM.fullmatch(path)):
            return await self._app(scope, receive, send)
        place = self._places.take(visitor_of(scope), self._each)
        if place is None:
            headers = {"Cache-Control": "no-store", **RETRY}
            return await JSONResponse({"error": BUSY, "detail": BUSY, **told(BUSY)}, 429, headers=headers)(
                scope, receive, send
            )
        scope = {**scope, _PLACE: place}
        if call:
            return await self._take(scope, receive, send, place)
        try:
            await self._app(scope, receive, send)
        finally:
            place.give_back()

    async def _take(self, scope: Scope, receive: Receive, send: Send, place: Place) -> None:
        """Hand a call on and read the id that Gradio gives it; without one it does not wait."""
        content = b""

        async def take(message: Message) -> None:
            nonlocal content
            content += message.get("body", b"")
            await send(message)

        name = None
        try:
            await self._app(scope, receive, take)
            name = id_in(content)
        finally:
            if name is None:
                place.give_back()
        if name is not None:
            self._called[name] = place
