"""A stand-in for the server that lends GPUs, as the package `spaces` 0.51.3 asks it (`spaces/zero/api.py`)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

# What visitors who have not signed in may have at a time, and the token of one who has nothing left.
LONGEST_SECONDS = 120
USED_UP = "used-up"


class Lender(ThreadingHTTPServer):
    """Remembers what it was asked for: `asked` the seconds, `calls` the paths in order."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[int] = []
        self.calls: list[str] = []

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Lender

    def do_POST(self) -> None:
        address = urlsplit(self.path)
        given = {name: values[0] for name, values in parse_qs(address.query).items()}
        self.server.calls.append(address.path)
        if address.path != "/schedule":
            return self._answer(200, {})
        seconds = int(given["durationSeconds"])
        self.server.asked.append(seconds)
        if given.get("token") == USED_UP:
            return self._answer(429, {"left": 3, "wait": 3600.0}, {"X-Approve-Result": "quota-exceeded"})
        if seconds > LONGEST_SECONDS:
            return self._answer(429, {"left": 120, "wait": -1.0}, {"X-Approve-Result": "illegal-duration"})
        lent = {
            "idle": False,
            "nvidiaIndex": 0,
            "nvidiaUUID": "GPU-0",
            "allowToken": f"allowed-{len(self.server.asked)}",
        }
        self._answer(200, lent)

    def _answer(self, status: int, content: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Nothing: the test says what it needs."""


@contextmanager
def lending() -> Iterator[Lender]:
    """A lender on a port of its own."""
    server = Lender()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
