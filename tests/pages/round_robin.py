"""A proxy that sends every single request to the next of several servers, whoever asks: nothing sticks."""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from itertools import count

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CONNECTION = re.compile(rb"\r\n(connection|keep-alive):[^\r]*", re.IGNORECASE)


class RoundRobin:
    """A context manager. `ports` are the servers', and may be changed; `asked` holds (request line, port) in order.

    One request a connection; where a server does not answer, the asker gets 502; who leaves is left by the server's connection too.
    """

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        self.asked: list[tuple[str, int]] = []
        self.url = ""
        self._turn = count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> RoundRobin:
        self._thread.start()
        server = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop).result(
            10
        )
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _serve(self, asker: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError), contextlib.closing(answer):
            head = await asker.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await asker.readexactly(int(length[1])) if length else b""
            port = self.ports[next(self._turn) % len(self.ports)]
            self.asked.append((head.split(b"\r\n")[0].decode(), port))
            try:
                server, upstream = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                answer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return await answer.drain()
            with contextlib.closing(upstream):
                upstream.write(_closing(head) + body)
                passing = asyncio.ensure_future(_pass_on(server, answer))
                leaving = asyncio.ensure_future(asker.read(1))
                await asyncio.wait({passing, leaving}, return_when=asyncio.FIRST_COMPLETED)
                for task in (passing, leaving):
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError, OSError):
                        await task


async def _pass_on(server: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
    head = await server.readuntil(b"\r\n\r\n")
    answer.write(_closing(head))
    while content := await server.read(65536):
        answer.write(content)
        await answer.drain()


def _closing(head: bytes) -> bytes:
    return _CONNECTION.sub(b"", head).removesuffix(b"\r\n\r\n") + b"\r\nConnection: close\r\n\r\n"
