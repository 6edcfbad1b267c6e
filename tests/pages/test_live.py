"""The running app as the network meets it: Gradio behind the gate."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any

import httpx
import pytest

from tests.pages.conftest import request


@pytest.fixture
def client(app: Any) -> httpx.Client:
    return httpx.Client(base_url=app.url, timeout=30)


def test_it_says_that_it_is_well(client: httpx.Client) -> None:
    answer = client.get("/healthz")
    assert answer.json()["status"] == "ok" and answer.headers["cache-control"] == "no-store"


def test_uploads_files_and_proxies_are_closed(client: httpx.Client) -> None:
    assert client.post("/gradio_api/upload", files={"files": b"x"}).status_code == 404
    for path in ("file=https://example.com/", "file=app.py", "proxy=https://example.com/", "deep_link"):
        assert client.get(f"/gradio_api/{path}").status_code == 404
    assert client.post("/gradio_api/component_server", json={}).status_code == 404
    assert client.get("/monitoring/summary").status_code == 404


def test_an_oversized_request_is_refused(client: httpx.Client) -> None:
    assert client.post("/gradio_api/call/decode", json={"data": ["x" * 1_100_000]}).status_code == 413


def test_the_document_is_small_protected_and_its_files_are_kept(client: httpx.Client) -> None:
    answer = client.get("/")
    assert (
        answer.headers["content-encoding"] == "gzip"
        and "script-src 'self'" in answer.headers["content-security-policy"]
    )
    assert "unsafe-inline" not in answer.headers["content-security-policy"].split("style-src")[0]
    for path in re.findall(r'(?:href|src)="\.?/?((?:assets|specdemo)/[^"]+)"', answer.text):
        loaded = client.get("/" + path)
        assert loaded.status_code == 200 and "immutable" in loaded.headers["cache-control"]


def test_the_document_names_no_other_host(client: httpx.Client) -> None:
    hosts = set(re.findall(r"https?://([^/\"'\s\\]+)", client.get("/").text))
    assert hosts <= {httpx.URL(str(client.base_url)).netloc.decode(), "127.0.0.1"}


def test_garbage_is_answered_and_harms_nothing(client: httpx.Client) -> None:
    for data in ([], [None], [7], ["{"], ["x", "y"], [{"a": [1]}]):
        assert client.post("/gradio_api/call/decode", json={"data": data}).status_code < 500
    assert client.post("/gradio_api/call/decode", content=b"\xff").status_code < 500
    assert client.post("/gradio_api/call/nothing", json={"data": []}).status_code in (400, 404, 422, 500)
    with contextlib.suppress(httpx.HTTPError):  # Gradio ends the stream of an unknown event by closing the connection
        client.get("/gradio_api/call/decode/0123")
    assert client.get("/healthz").status_code == 200


def test_a_run_is_one_request(client: httpx.Client) -> None:
    answer = client.post("/specdemo-run/decode", content=json.dumps(request(blocks=1)))
    data = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
    kinds = [json.loads(line)["kind"] for line in data]
    assert "blocks" in kinds and kinds[-1] == "end" and kinds.count("end") == 1
    wrong = client.post("/specdemo-run/decode", content="{")
    assert wrong.status_code == 200 and '"kind":"error"' in wrong.text and "not JSON" in wrong.text


def test_a_program_can_decode_with_plain_http(client: httpx.Client) -> None:
    posted = client.post("/gradio_api/call/decode", json={"data": [json.dumps(request(blocks=1))]}).json()
    with client.stream("GET", f"/gradio_api/call/decode/{posted['event_id']}") as stream:
        data = [line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: [")]
    kinds = [json.loads(json.loads(line)[0])["kind"] for line in data]
    assert kinds[0] in ("start", "progress") and "blocks" in kinds and kinds[-1] == "end"
