"""A run as one request: what of the queue reaches the asker, what is refused, and that who leaves is noticed. Behind it a stand-in for Gradio."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from specdemo.server import BrowserFiles, middleware
from specdemo.server.runs import BUSY, RUNS, RunsMiddleware
from tests.server.test_gate import in_a_loop

RUN = "/specdemo-run/decode"
START = {"msg": "process_starts", "eta": None}
DONE = {"msg": "process_completed", "success": True, "output": {"data": ["again"]}}


def generating(message: str) -> dict[str, Any]:
    return {"msg": "process_generating", "success": True, "output": {"data": [message]}}


class Queue:
    """Answers as Gradio's queue does: a place by POST call/NAME, then the news of that session by GET queue/data."""

    def __init__(self, news: list[dict[str, Any]], status: int = 200, detail: str = "", piece: int = 50) -> None:
        self.news, self.status, self.detail, self.piece = news, status, detail, piece
        self.calls: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.left = False

    async def join(self, request: Request) -> Response:
        self.calls.append({"name": request.path_params["name"], **json.loads(await request.body())})
        self.headers.append(dict(request.headers))
        if self.status != 200:
            return JSONResponse({"detail": self.detail}, self.status)
        return JSONResponse({"event_id": "e"})

    async def data(self, request: Request) -> Response:
        assert request.query_params["session_hash"] == self.calls[-1]["session_hash"]
        self.headers.append(dict(request.headers))

        async def events() -> AsyncIterator[str]:
            whole = "".join(f"data: {json.dumps(one)}\n\n" for one in self.news)
            for start in range(0, len(whole), self.piece):
                yield whole[start : start + self.piece]
            if self.news and self.news[-1].get("msg") == "process_starts":
                try:
                    await anyio.sleep_forever()
                finally:
                    self.left = True

        return StreamingResponse(events(), media_type="text/event-stream")

    def app(self, tmp_path: Path, **more: Any) -> Starlette:
        routes = [
            Route("/gradio_api/call/{name}", self.join, methods=["POST"]),
            Route("/gradio_api/queue/data", self.data),
        ]
        return Starlette(routes=routes, middleware=middleware(BrowserFiles(tmp_path), dict, **more))


def post(app: Any, content: bytes, path: str = RUN, **headers: str) -> httpx.Response:
    async def run() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:
            return await client.post(path, content=content, headers=headers)

    answer: httpx.Response = in_a_loop(run)
    return answer


@pytest.mark.parametrize("piece", [50, 10_000])  # no event as one piece, all in one
def test_places_and_messages_come_and_the_last_one_only_once(tmp_path: Path, piece: int) -> None:
    places = [{"msg": "estimation", "rank": rank, "queue_size": 3, "rank_eta": None} for rank in (1, 0)]
    messages = ['{"kind":"start","text":"ein Wort – ⏎"}', '{"kind":"end"}']
    news: list[dict[str, Any]] = [
        *places,
        START,
        {"msg": "heartbeat"},
        *map(generating, messages),
        DONE,
        {"msg": "close_stream"},
    ]
    queue, left = Queue(news, piece=piece), list[str]()
    answer = post(
        queue.app(tmp_path, left=left.append), b'{"run": "r"}', **{"X-IP-Token": "visitor", "Accept-Encoding": "gzip"}
    )
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store" and "content-encoding" not in answer.headers
    assert answer.text.split("\n\n") == [
        "event: ahead\ndata: 1", "event: ahead\ndata: 0", "event: ahead\ndata: null", ": still here",
        *(f"data: {message}" for message in messages), "",
    ]  # fmt: skip
    assert left == [], "nobody has gone"
    assert queue.calls[0]["name"] == "decode" and queue.calls[0]["data"] == ['{"run": "r"}']
    assert [headers["x-ip-token"] for headers in queue.headers] == ["visitor"] * 2, "a lender knows visitors by it"


def test_every_request_is_a_session_of_its_own(tmp_path: Path) -> None:
    queue = Queue([DONE])
    app = queue.app(tmp_path)
    for name in RUNS:
        assert post(app, b"{}", f"/specdemo-run/{name}").status_code == 200
    assert len({call["session_hash"] for call in queue.calls}) == len(RUNS) == len({c["name"] for c in queue.calls})


@pytest.mark.parametrize("kind", ["process_generating", "process_completed"])
def test_a_run_that_fails_says_so_and_nothing_else(tmp_path: Path, kind: str) -> None:
    queue = Queue([START, {"msg": kind, "success": False, "output": {"error": "secret"}}, DONE])
    assert post(queue.app(tmp_path), b"{}").text == "event: ahead\ndata: null\n\nevent: failed\ndata: null\n\n"


def test_a_queue_that_stops_just_ends(tmp_path: Path) -> None:
    queue = Queue([{"msg": "unexpected_error", "message": "Server stopped unexpectedly.", "success": False}])
    assert post(queue.app(tmp_path), b"{}").text == ""


def test_a_full_queue_is_words_and_another_refusal_keeps_its_own(tmp_path: Path) -> None:
    full = post(Queue([], 503, "Queue is full. Max size is 20 and size is 20.").app(tmp_path), b"{}")
    assert full.status_code == 429 and full.json()["detail"] == BUSY and full.headers["retry-after"]
    stopped = post(Queue([], 503, "Queue is stopped.").app(tmp_path), b"{}")
    assert stopped.status_code == 503 and stopped.json()["detail"] == "Queue is stopped."


def test_other_names_and_what_is_no_text_are_refused(tmp_path: Path) -> None:
    app = Queue([DONE]).app(tmp_path)
    assert post(app, b"{}", "/specdemo-run/cancel").status_code == 404
    assert post(app, b"\xff").status_code == 400
    assert post(app, b"x" * 1_000_001).status_code == 413
    alone = RunsMiddleware(app)  # without the gate
    assert [post(alone, body, path).status_code for path, body in ((RUN, b"\xff"), ("/specdemo-run/x", b""))] == [
        400,
        404,
    ]


def test_the_address_below_a_proxys_path_is_found(tmp_path: Path) -> None:
    queue = Queue([generating("{}"), DONE])
    app = queue.app(tmp_path)

    async def below(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "root_path": "/demo", "path": "/demo" + scope["path"]}, receive, send)

    assert post(below, b"{}").text == "data: {}\n\n"


def test_who_leaves_is_noticed(tmp_path: Path) -> None:
    """The queue's stream is ended, and the service is told what it need not answer any more."""
    queue = Queue([generating("{}"), START])
    told: list[str] = []
    app = queue.app(tmp_path, left=told.append)
    sent: list[Any] = []

    async def run() -> None:
        body = [{"type": "http.request", "body": b'{"run": "gone"}', "more_body": False}]
        came = anyio.Event()

        async def receive() -> Any:
            if body:
                return body.pop()
            await came.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            if b"null" in message.get("body", b""):
                came.set()

        scope = {
            "type": "http",
            "method": "POST",
            "path": RUN,
            "headers": [],
            "query_string": b"",
            "asgi": {"spec_version": "2.3"},
        }
        with anyio.fail_after(10):
            await app(scope, receive, send)

    in_a_loop(run)
    assert (
        told == [queue.calls[0]["session_hash"]]
        and queue.left
        and b"data: {}\n\n" in b"".join(message.get("body", b"") for message in sent)
    )
