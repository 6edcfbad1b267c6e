"""What is open to strangers and what is not, without a browser and without Gradio."""

from __future__ import annotations

import gzip
import hashlib
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from specdemo.server import BrowserFiles, middleware
from specdemo.server.gate import MAX_BODY_BYTES, GateMiddleware
from specdemo.server.paths import LARGER

DOCUMENT = """<head><base href="./"><meta property="og:image" content="https://example.com/a.png" />
<script>window.a = 1;</script><script src="./b.js"></script></head>"""


def in_a_loop(run: Callable[[], Awaitable[Any]]) -> Any:
    """Run to the end in a thread of its own: the browser's tests keep a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, run).result()


async def _echo(request: Request) -> JSONResponse:
    return JSONResponse({"bytes": len(await request.body())})


async def _document(request: Request) -> HTMLResponse:
    return HTMLResponse(DOCUMENT)


@pytest.fixture
def files(tmp_path: Path) -> BrowserFiles:
    (tmp_path / "viewer").mkdir()
    (tmp_path / "viewer" / "main.js").write_text("export {};\n" * 200)
    (tmp_path / "viewer" / "dev_bridge.js").write_text("")
    (tmp_path / "viewer" / "secret.txt").write_text("no")
    return BrowserFiles(tmp_path)


@pytest.fixture
def ask(files: BrowserFiles) -> Any:
    """Ask a small application behind the gate that would answer every path."""
    app = Starlette(
        routes=[Route("/", _document), Route("/{path:path}", _echo, methods=["GET", "POST", "PUT"])],
        middleware=middleware(files, lambda: {"status": "ok"}),
    )

    def one(method: str, path: str, **arguments: Any) -> httpx.Response:
        async def run() -> httpx.Response:
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                return await client.request(method, path, **arguments)

        answer: httpx.Response = in_a_loop(run)
        return answer

    return one


@pytest.mark.parametrize(
    "method_and_path",
    [
        "POST /gradio_api/upload",
        "GET /gradio_api/upload_progress",
        "GET /gradio_api/file=https://example.com/",
        "GET /gradio_api/file=/etc/passwd",
        "GET /gradio_api/file/app.py",
        "GET /gradio_api/proxy=https://example.com/",
        "GET /gradio_api/deep_link",
        "POST /gradio_api/component_server",
        "POST /gradio_api/vibe-edit",
        "POST /gradio_api/process_recording",
        "POST /gradio_api/stream/0",
        "GET /gradio_api/runs",
        "GET /gradio_api/custom_component/a/client/b/c",
        "GET /monitoring",
        "POST /login",
        "GET /assets/../app.py",
        "PUT /gradio_api/queue/join",
        "GET /gradio_api/queue/join",
        "POST /gradio_api/queue/join",
        "GET /gradio_api/queue/data",
        "GET /gradio_api/heartbeat/a1",
        "POST /gradio_api/run/decode",
        "POST /gradio_api/call/cancel",
        "POST /gradio_api/cancel",
        "POST /gradio_api/reset",
        "POST /specdemo-api/lab-nosuch",
        "POST /gradio_api/call/nosuch",
        "GET /gradio_api/call/nosuch/0123",
    ],
)
def test_what_the_pages_do_not_need_is_closed(ask: Any, method_and_path: str) -> None:
    method, path = method_and_path.split(" ")
    assert ask(method, path).status_code == 404


@pytest.mark.parametrize(
    "method_and_path",
    [
        "GET /",
        "HEAD /",
        "GET /config",
        "GET /theme.css?v=1",
        "GET /assets/index-a_b.js",
        "GET /static/js/a.js",
        "GET /gradio_api/call/decode/0123abc",
        "GET /gradio_api/call/lab/0123abc",
        "GET /gradio_api/queue/status",
        "GET /healthz",
        "GET /readyz",
    ],
)
def test_what_the_pages_need_is_open(ask: Any, method_and_path: str) -> None:
    method, path = method_and_path.split(" ")
    assert ask(method, path).status_code == 200


def test_a_body_of_the_largest_size_passes_whole(ask: Any) -> None:
    body = b'{"data":["' + b"x" * (MAX_BODY_BYTES - 13) + b'"]}'
    assert len(body) == MAX_BODY_BYTES
    answer = ask("POST", "/gradio_api/call/decode", content=body)
    assert answer.json() == {"bytes": MAX_BODY_BYTES}


def test_a_larger_body_is_refused(ask: Any) -> None:
    assert ask("POST", "/gradio_api/call/decode", content=b"x" * (MAX_BODY_BYTES + 1)).status_code == 413


def test_the_rows_of_a_sweep_may_be_larger_than_other_questions(ask: Any) -> None:
    body, path = b"x" * LARGER["lab-summary"], "/specdemo-api/lab-summary"
    assert ask("POST", path, content=body).json()["error"] == "There is nothing to ask here."  # through the gate
    assert ask("POST", path, content=body + b"x").status_code == 413
    assert ask("POST", "/specdemo-api/audit", content=body).status_code == 413


def test_a_larger_body_in_pieces_is_refused(ask: Any) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(MAX_BODY_BYTES // 100_000 + 1):
            yield b"x" * 100_000

    assert ask("POST", "/gradio_api/call/decode", content=pieces()).status_code == 413


@pytest.mark.parametrize("path", ["call/decode", "call/race", "call/law", "call/lab", "run/cancel"])
def test_a_call_is_one_text_and_nothing_else(ask: Any, path: str) -> None:
    """Gradio would fail far inside at anything else, with a trace in the log for each."""
    assert ask("POST", f"/gradio_api/{path}", content=b'{"data": ["{}"]}').status_code == 200
    for body in (
        b"", b"x", b"[]", b"7", b"{}", b'{"data": "x"}', b'{"data": []}', b'{"data": [1]}', b'{"data": ["a", "b"]}', b'{"data": [{}]}',
        b'{"data": ["a"], "fn_index": 7}', b'{"data": ["a"], "session_hash": "x"}', b"[" * 100_000, b'{"data": [' + b"9" * 9000 + b"]}",
    ):  # fmt: skip
        answer = ask("POST", f"/gradio_api/{path}", content=body)
        assert answer.status_code == 400 and answer.json()["detail"] == 'A call is {"data": [TEXT]}.', body[:40]


@pytest.mark.parametrize(("path", "word"), [("/healthz", "failed"), ("/readyz", "not ready")])
def test_a_server_that_is_unwell_or_not_ready_says_why(files: BrowserFiles, path: str, word: str) -> None:
    health = {"status": "failed", "reason": "the GPU is gone"}
    app = Starlette(middleware=middleware(files, lambda: health, unready=lambda: "the GPU is gone"))

    async def run() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:
            return await client.get(path)

    answer = in_a_loop(run)
    assert answer.status_code == 503 and answer.headers["cache-control"] == "no-store"
    assert answer.json() == {"status": word, "reason": "the GPU is gone"}


def test_files_are_kept_for_ever_under_their_own_version_only(ask: Any, files: BrowserFiles) -> None:
    answer = ask("GET", f"/{files.base}viewer/main.js")
    assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert ask("GET", "/specdemo/0123/viewer/main.js").headers["cache-control"] == "no-store"
    for name in ("viewer/secret.txt", "viewer/dev_bridge.js", "viewer/none.js", "../app.py"):
        assert ask("GET", f"/{files.base}{name}").status_code == 404
    assert "immutable" in ask("GET", "/assets/index-a_b.js").headers["cache-control"]


def test_the_version_follows_the_content(files: BrowserFiles, tmp_path: Path) -> None:
    (tmp_path / "viewer" / "main.js").write_text("export const changed = 1;")
    assert BrowserFiles(tmp_path).version != files.version


def test_the_document_allows_its_own_inline_scripts_by_hash_and_no_other_host(ask: Any, files: BrowserFiles) -> None:
    answer = ask("GET", "/")
    policy = answer.headers["content-security-policy"]
    own = b64encode(hashlib.sha256(b"window.a = 1;").digest()).decode()
    script = next(rule for rule in policy.split("; ") if rule.startswith("script-src"))
    assert script == f"script-src 'self' 'unsafe-eval' 'sha256-{own}'"
    assert "connect-src 'self';" in policy and "frame-ancestors 'self' https://huggingface.co" in policy
    assert "og:image" not in answer.text
    assert f'<link rel="modulepreload" href="{files.base}viewer/main.js" />' in answer.text


def test_the_document_is_compressed_where_the_browser_can_read_that(ask: Any) -> None:
    assert "content-encoding" not in ask("GET", "/", headers={"Accept-Encoding": "identity"}).headers
    answer = ask("GET", "/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip" and answer.headers["vary"] == "Accept-Encoding"
    assert int(answer.headers["content-length"]) == len(gzip.compress(answer.content, 6))


def test_websockets_are_closed(files: BrowserFiles) -> None:
    sent: list[Any] = []

    async def run() -> None:
        app = Starlette(middleware=middleware(files, dict))

        async def receive() -> dict[str, Any]:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await app({"type": "websocket", "path": "/", "headers": []}, receive, send)

    in_a_loop(run)
    assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize("sent", [0, 1])
def test_a_body_that_does_not_arrive_is_given_up_and_half_of_one_is_no_request(sent: int) -> None:
    told: list[Any] = []
    reached: list[str] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["path"])

    async def run(then: dict[str, Any] | None) -> None:
        messages = [{"type": "http.request", "body": b"{", "more_body": True}] * sent

        async def receive() -> Any:
            if messages:
                return messages.pop()
            if then is None:
                await anyio.sleep(20)
            return then

        async def send(message: Any) -> None:
            told.append(message)

        scope = {"type": "http", "method": "POST", "path": "/specdemo-run/decode", "headers": [], "query_string": b""}
        with anyio.fail_after(5):
            await GateMiddleware(inside, read_seconds=0.05)(scope, receive, send)

    in_a_loop(lambda: run(None))
    assert told[0]["status"] == 408 and b"too long to arrive" in told[1]["body"]
    in_a_loop(lambda: run({"type": "http.disconnect"}))
    assert reached == []
