"""Bytes at the gate: whatever the path and the body, an answer that is not a failure of the server's, and Gradio is reached by calls alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as any_of
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from specdemo.sandbox.answers import ANSWERS
from specdemo.server import BrowserFiles, middleware
from tests.fuzzing.hostile import values
from tests.server.test_gate import in_a_loop

PATHS = any_of.sampled_from(
    [
        "/gradio_api/call/decode", "/gradio_api/call/race", "/gradio_api/run/cancel", "/gradio_api/queue/join", "/gradio_api/upload",
        "/specdemo-api/sandbox", "/specdemo-api/presets", "/specdemo-api/longrun", "/", "/config", "/healthz", "/specdemo/0/viewer/main.js",
        "/specdemo/0/../../app.py", "/gradio_api/call/decode/..", "//etc/passwd", "/gradio_api/file=/etc/passwd",
    ]
) | any_of.text(alphabet="abc/._-=%0\u00e9:?#", max_size=20).map(lambda text: "/" + text)  # fmt: skip
BODIES = any_of.binary(max_size=200) | values.map(json.dumps).map(str.encode) | any_of.builds(
    lambda value: json.dumps({"data": [value]}).encode(), values
)  # fmt: skip
ASKED = any_of.lists(
    any_of.tuples(any_of.sampled_from(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"]), PATHS, BODIES), min_size=100, max_size=100
)  # fmt: skip


async def _inside(request: Request) -> JSONResponse:
    """Stands for Gradio: fails at a body that it would have failed at."""
    if request.method == "POST":
        call = json.loads(await request.body())
        assert list(call) == ["data"] and len(call["data"]) == 1 and isinstance(call["data"][0], str)
    return JSONResponse({})


def test_whatever_is_sent_the_answer_is_no_failure(tmp_path: Path) -> None:
    app = Starlette(
        routes=[Route("/{path:path}", _inside, methods=["GET", "POST", "PUT", "DELETE", "OPTIONS"])],
        middleware=middleware(BrowserFiles(tmp_path), dict, ANSWERS),
    )
    seen: set[int] = set()

    async def ask(requests: list[tuple[str, str, bytes]]) -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:
            for method, path, body in requests:
                answer = await client.request(method, "http://test" + quote(path), content=body)
                seen.add(answer.status_code)
                assert answer.status_code < 500, (method, path, body)
                assert answer.headers["x-content-type-options"] == "nosniff"

    @settings(
        max_examples=5, deadline=None, derandomize=True, database=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck)
    )  # fmt: skip
    @given(ASKED)
    def knock(requests: Any) -> None:
        in_a_loop(lambda: ask(requests))

    knock()
    assert {200, 400, 404} <= seen
