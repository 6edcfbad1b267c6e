"""Questions to plain functions behind the gate: what is answered, what is refused, and that nothing leaks or piles up."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from specdemo.sandbox.answers import ANSWERS
from specdemo.server import BrowserFiles, middleware
from specdemo.server.answers import AT_ONCE, COMPRESSED_FROM, MAX_QUESTION_BYTES, WAITING
from tests.sandbox.states import two_symbols
from tests.server.test_gate import in_a_loop

SANDBOX = "/specdemo-api/sandbox"


async def _elsewhere(request: Request) -> JSONResponse:
    return JSONResponse({"elsewhere": True})


def application(tmp_path: Path, answers: Mapping[str, Any]) -> Starlette:
    return Starlette(
        routes=[Route("/{path:path}", _elsewhere, methods=["GET", "POST"])],
        middleware=middleware(BrowserFiles(tmp_path), dict, answers),
    )


def ask(app: Starlette, *requests: tuple[str, str, dict[str, Any]]) -> list[httpx.Response]:
    """The requests, all at once."""

    async def run() -> list[httpx.Response]:
        answers: list[Any] = [None] * len(requests)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:

            async def one(i: int, method: str, path: str, more: dict[str, Any]) -> None:
                answers[i] = await client.request(method, path, **more)

            async with anyio.create_task_group() as group:
                for i, request in enumerate(requests):
                    group.start_soon(one, i, *request)
        return answers

    found: list[httpx.Response] = in_a_loop(run)
    return found


def post(app: Starlette, content: Any, path: str = SANDBOX, **headers: str) -> httpx.Response:
    return ask(app, ("POST", path, {"content": content, "headers": headers}))[0]


def test_the_sandbox_is_answered(tmp_path: Path) -> None:
    answer = post(application(tmp_path, ANSWERS), json.dumps(two_symbols(2)))
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store" and answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json()["rules"]["block"]["expected_fraction"] == "11/9"
    for name in ANSWERS:
        assert post(application(tmp_path, ANSWERS), "{}", f"/specdemo-api/{name}").status_code in (200, 400)


def test_problems_are_an_answer_not_an_error(tmp_path: Path) -> None:
    answer = post(application(tmp_path, ANSWERS), json.dumps({**two_symbols(2), "draft": [[["10^400", "1/0"]]]}))
    assert answer.status_code == 200 and [p["symbol"] for p in answer.json()["problems"]] == [0, 1]


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"null", b"[" * 60_000, b"\xff\xfe", b"\x00", b'{"symbols": 1e999}', b'{"rules": "../../etc/passwd"}', b"<script>"],
)  # fmt: skip
def test_hostile_bodies_get_one_sentence(tmp_path: Path, content: bytes) -> None:
    answer = post(application(tmp_path, ANSWERS), content)
    assert answer.status_code == 400 and set(answer.json()) <= {"error", "detail"}
    text = answer.json()["error"]
    assert text.endswith(".") and "Traceback" not in text and "File " not in text and len(text) < 500
    assert answer.headers["cache-control"] == "no-store"


def test_a_question_is_bounded(tmp_path: Path) -> None:
    app = application(tmp_path, {"sandbox": lambda text: json.dumps({"length": len(text)})})
    assert post(app, b"x" * MAX_QUESTION_BYTES).json() == {"length": MAX_QUESTION_BYTES}
    assert post(app, b"x" * (MAX_QUESTION_BYTES + 1)).status_code == 413

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(MAX_QUESTION_BYTES // 1000 + 1):
            yield b"x" * 1000

    assert post(app, pieces()).status_code == 413


def test_only_these_addresses_are_open(tmp_path: Path) -> None:
    app = application(tmp_path, {**ANSWERS, "other": lambda text: "{}"})
    for method, path in (
        ("GET", SANDBOX),
        ("PUT", SANDBOX),
        ("DELETE", SANDBOX),
        ("OPTIONS", SANDBOX),
        ("POST", "/specdemo-api/other"),
        ("POST", "/specdemo-api/"),
        ("POST", "/specdemo-api/sandbox/"),
        ("POST", "/specdemo-api/sandbox%2F..%2Faudit"),
        ("POST", "/specdemo-api/sandboxes"),
    ):
        assert ask(app, (method, path, {}))[0].status_code == 404, (method, path)


def test_without_functions_nothing_is_answered_and_the_rest_goes_on(tmp_path: Path) -> None:
    app = application(tmp_path, {})
    answer = post(app, "{}")
    assert answer.status_code == 404 and answer.json()["error"]
    assert ask(app, ("POST", "/gradio_api/call/decode", {"json": {"data": ["{}"]}}))[0].json() == {"elsewhere": True}


def test_a_failure_of_ours_says_nothing_of_its_inside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fails(text: str) -> str:
        raise RuntimeError("secret path /home")

    answer = post(application(tmp_path, {"sandbox": fails}), "{}")
    assert answer.status_code == 500 and "secret" not in answer.text and "secret" in caplog.text


def test_long_answers_are_compressed_where_the_browser_can_read_that(tmp_path: Path) -> None:
    app = application(tmp_path, {"sandbox": lambda text: json.dumps(["0.123"] * int(text))})
    short, plain, packed = (
        post(app, "3", **{"Accept-Encoding": "gzip"}),
        post(app, "900", **{"Accept-Encoding": "identity"}),
        post(app, "900", **{"Accept-Encoding": "gzip, br"}),
    )
    assert "content-encoding" not in short.headers and "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip" and packed.json() == plain.json()
    assert len(plain.content) > COMPRESSED_FROM
    assert int(packed.headers["content-length"]) == len(gzip.compress(plain.content, 1)) < len(plain.content) / 4


def test_few_at_a_time_and_too_many_are_sent_away(tmp_path: Path) -> None:
    """A slow name holds up neither the loop nor another name."""
    running, most, gate, lock = 0, 0, threading.Event(), threading.Lock()

    def slow(text: str) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        gate.wait(10)
        with lock:
            running -= 1
        return "{}"

    def quick(text: str) -> str:
        gate.set()
        return '{"quick": true}'

    app = application(tmp_path, {"audit": slow, "sandbox": quick})
    many = [("POST", "/specdemo-api/audit", {"content": "{}"})] * (AT_ONCE + WAITING + 3)
    *answers, last = ask(app, *many, ("POST", SANDBOX, {"content": "{}"}))
    assert last.json() == {"quick": True}
    statuses = [answer.status_code for answer in answers]
    assert most == AT_ONCE and statuses.count(503) == 3 and statuses.count(200) == AT_ONCE + WAITING
    assert "again" in next(answer for answer in answers if answer.status_code == 503).json()["error"]
    assert post(app, "{}", "/specdemo-api/audit").status_code == 200, "what was waiting is not counted for ever"
