"""A hub on this machine: folders served over loopback as the hub serves repositories, and what was asked of it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from specdemo.pairs.hub import ready
from specdemo.pairs.hub.process import answered, counted, read_tokenizer

COMMIT = "1" * 40


class StandIn:
    """A hub with repositories by id. `asked` holds (method, path, authorization) of every request."""

    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}
        self.commits: dict[str, str] = {}
        self.asked: list[tuple[str, str, str | None]] = []
        # Said of a file in the list in place of its real size.
        self.sizes: dict[str, int] = {}
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                hub._answer(self, with_body=True)

            def do_HEAD(self) -> None:
                hub._answer(self, with_body=False)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()

    def fetched(self) -> list[str]:
        """The names of the files that were fetched, in order."""
        return [path.rpartition("/")[2] for method, path, _ in self.asked if method == "GET" and "/resolve/" in path]

    def _answer(self, request: BaseHTTPRequestHandler, *, with_body: bool) -> None:
        path = request.path.partition("?")[0]
        self.asked.append((request.command, path, request.headers.get("Authorization")))
        kind, repo, name = self._meant(path)
        folder = self.folders.get(repo)
        commit = self.commits.get(repo, COMMIT)
        headers = {"X-Repo-Commit": commit}
        if folder is None or (kind == "resolve" and not (folder / name).is_file()):
            headers["X-Error-Code"] = "RepoNotFound" if folder is None else "EntryNotFound"
            self._send(request, 404, b"", headers, with_body=with_body)
            return
        if kind == "models":
            siblings = [
                {"rfilename": file.name, "size": self.sizes.get(file.name, file.stat().st_size)}
                for file in sorted(folder.iterdir())
            ]
            told = {"id": repo, "modelId": repo, "sha": commit, "gated": False, "siblings": siblings, "tags": []}
            self._send(request, 200, json.dumps(told).encode(), headers, with_body=with_body)
            return
        content = (folder / name).read_bytes()
        headers["ETag"] = f'"{hashlib.sha256(content).hexdigest()}"'
        self._send(request, 200, content, headers, with_body=with_body)

    @staticmethod
    def _meant(path: str) -> tuple[str, str, str]:
        if found := re.fullmatch(r"/api/models/([^/]+/[^/]+)(?:/revision/[^/]+)?", path):
            return "models", found[1], ""
        if found := re.fullmatch(r"/([^/]+/[^/]+)/resolve/[^/]+/([^/]+)", path):
            return "resolve", found[1], found[2]
        return "", "", ""

    @staticmethod
    def _send(
        request: BaseHTTPRequestHandler, status: int, content: bytes, headers: dict[str, str], *, with_body: bool
    ) -> None:
        request.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            request.send_header(name, value)
        request.end_headers()
        if with_body:
            request.wfile.write(content)


def use_hub(hub: StandIn, home: Path, patch: pytest.MonkeyPatch) -> None:
    """Have the hub's client ask this hub, and keep its files under `home`; with a token that no request may carry."""
    from huggingface_hub import constants

    patch.setattr(constants, "HF_HUB_OFFLINE", False)
    patch.setattr(constants, "ENDPOINT", hub.url)
    patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.url + "/{repo_id}/resolve/{revision}/{filename}")
    patch.setattr(constants, "HF_HOME", str(home))
    patch.setattr(constants, "HF_HUB_CACHE", str(home / "hub"))
    patch.setenv("HF_TOKEN", "hf_of_the_operator")


class HereReader:
    """What the reader's process does, in this process: starting one takes seconds. tests/pairs/hub/test_reading.py has the process."""

    def __init__(self, folder: Path, repo: str) -> None:
        self.facts = counted(str(folder))
        self._tokenizer = read_tokenizer(str(folder))

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        return answered(self._tokenizer, question)

    def one_prompt(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass


def read_here(patch: pytest.MonkeyPatch) -> None:
    """Read tokenizers in this process."""
    patch.setattr(ready, "Reader", HereReader)
