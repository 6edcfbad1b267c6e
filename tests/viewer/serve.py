"""Serves the repository and decodes made-up runs, so that the viewer can be developed and tested without the engine.

    python tests/viewer/serve.py 8123            then open http://127.0.0.1:8123/assets/viewer/dev.html

POST /decode takes the request of docs/viewer.md and answers its messages, one JSON a line. With `rules` (docs/compare.md), and for
/race and /law, tiny real models answer: http://127.0.0.1:8123/assets/viewer/compare/dev.html
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Iterator
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
from tests.viewer import make_trace, tiny_runs
from tests.viewer.servers import FilesHandler, Server


class Handler(FilesHandler):
    delay = 0.0

    def do_GET(self) -> None:
        if self.path == "/compare_config":
            return self.send_json(200, tiny_runs.config())
        return super().do_GET()

    def do_POST(self) -> None:
        request = json.loads(self.text())
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Connection", "close")  # which is the end of an answer whose length nobody knows yet
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


def make_server(port: int = 0) -> Server:
    return Server(Handler, port)


if __name__ == "__main__":
    Handler.delay = 0.02
    make_server(int(sys.argv[1]) if len(sys.argv) > 1 else 8123).serve_forever()
