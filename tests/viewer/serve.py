"""Serves the repository and decodes made-up runs, so that the viewer can be developed and tested without the engine.

    python tests/viewer/serve.py 8123            then open http://127.0.0.1:8123/assets/viewer/dev.html

POST /decode takes the request of docs/viewer.md and answers its messages, one JSON a line. With `rules` (docs/compare.md), and for
/race and /law, tiny real models answer: http://127.0.0.1:8123/assets/viewer/compare/dev.html
"""

from __future__ import annotations

import functools
import http.server
import json
import pathlib
import sys
import time
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from specdemo.standalone import PAGES, template  # noqa: E402
from tests.viewer import make_trace, tiny_runs  # noqa: E402


def standalone_template(address: str) -> bytes | None:
    """The template of a standalone page where that is what an address asks for, as the app serves it."""
    page = address.rpartition("/standalone/")[2].removesuffix(".txt")
    return template(page).encode() if page in PAGES and address.endswith(".txt") else None


class Handler(http.server.SimpleHTTPRequestHandler):
    delay = 0.0

    def do_GET(self) -> None:
        if found := standalone_template(self.path):
            return self._answer("text/plain; charset=utf-8", found)
        if self.path != "/compare_config":
            return super().do_GET()
        self._answer("application/json", json.dumps(tiny_runs.config()).encode())

    def _answer(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.end_headers()
        for seq, message in enumerate(self.messages(request)):
            line = json.dumps({"run": request["run"], "seq": seq, **message}) + "\n"
            try:
                self.wfile.write(line.encode())
            except OSError:
                return

    def messages(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if "fail" in request["prompt"]:
            yield {"kind": "error", "text": "The prompt asked for an error."}
        elif "rules" in request:
            answer = {"/decode": tiny_runs.decode, "/race": tiny_runs.race, "/law": tiny_runs.law}[self.path]
            for message in answer(request):
                time.sleep(self.delay)
                yield message
        else:
            yield from self.made_up(request)

    def made_up(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        settings, resume = request["settings"], request["resume"]
        head = make_trace.make_head(request["prompt"], **settings)
        if resume is None:
            yield {"kind": "start", "head": head}
            blocks = make_trace.decode(head, blocks=request["blocks"])
        else:
            yield {"kind": "start"}
            blocks = make_trace.decode(
                head, resume["ids"], resume["block"], resume["digest"], settings["verifier"], request["blocks"]
            )
        finish = None
        for block in blocks:
            time.sleep(self.delay)
            finish = block["finish"]
            yield {"kind": "blocks", "first": block["index"], "blocks": [block], "memory": None}
        yield {"kind": "end", "finish": finish}

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


def make_server(port: int = 0) -> http.server.ThreadingHTTPServer:
    handler = functools.partial(Handler, directory=str(ROOT))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


if __name__ == "__main__":
    Handler.delay = 0.02
    make_server(int(sys.argv[1]) if len(sys.argv) > 1 else 8123).serve_forever()
