"""What the development servers of the tests share: the repository's files, an answer's head, and a thread while a test file needs them."""

from __future__ import annotations

import contextlib
import http.server
import json
import pathlib
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from specdemo.standalone import PAGES, template

ROOT = pathlib.Path(__file__).parents[2]


def standalone_template(address: str) -> bytes | None:
    """The template of a standalone page where that is what an address asks for, as the app serves it."""
    page = address.rpartition("/standalone/")[2].removesuffix(".txt")
    return template(page).encode() if page in PAGES and address.endswith(".txt") else None


class FilesHandler(http.server.SimpleHTTPRequestHandler):
    """The repository's files and the templates of standalone pages; a page's own server adds its answers."""

    # A page is made of more than a hundred files: a connection for each would cost more than the files.
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart: the second would wait for a late acknowledgement

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, directory=str(ROOT), **options)

    def do_GET(self) -> None:
        if found := standalone_template(self.path):
            return self.send(200, "text/plain; charset=utf-8", found)
        return super().do_GET()

    def text(self) -> str:
        """The body of a POST."""
        return self.rfile.read(int(self.headers["Content-Length"])).decode()

    def send_answer(self, answers: Mapping[str, Callable[[str], str]], refusals: type[Exception]) -> None:
        """Answer a POST with what the function of the address's last part makes of its body; status 400 where it refuses."""
        text = self.text()
        try:
            status, answer = 200, json.loads(answers[self.path.rsplit("/", 1)[1]](text))
        except refusals as error:
            status, answer = 400, {"error": str(error)}
        self.send_json(status, answer)

    def send_json(self, status: int, answer: Any) -> None:
        """Answer with a value."""
        self.send(status, "application/json", json.dumps(answer).encode())

    def send(self, status: int, kind: str, body: bytes) -> None:
        """Answer with bytes of a media type."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):  # the page has been left
            self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """On this machine alone; without a port it takes a free one."""

    request_queue_size = 64  # a connection that is turned away is tried again a second later

    def __init__(self, handler: type[FilesHandler], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)


@contextlib.contextmanager
def running(server: Server) -> Iterator[str]:
    """The server's address, while it answers in a thread of its own."""
    # It looks so often whether to end; the half second that is usual would be waited for after each file of tests.
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
