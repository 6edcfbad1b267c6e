"""A run belongs to who began it: a name in use is refused in words, and nobody else's request or leaving touches it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import gradio as gr
import httpx
import pytest
from starlette.requests import Request

from specdemo.pages.asking import asker_of
from specdemo.pages.models import Models
from specdemo.pages.open_runs import NAME_IN_USE, Asker, OpenRuns
from specdemo.pages.service import Service
from specdemo.server.paths import STREAM
from tests.pages.conftest import request as page_request
from tests.pages.test_service import nothing, request, told
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def service() -> Service:
    pair = tiny_pair(context=600, eos=None)
    found = Service(Models(load=lambda name, draft, progress: pair, fetch=nothing))
    found.open_runs = OpenRuns(name_seconds=0.2)
    return found


def until_a_block(messages: Iterator[str]) -> None:
    while json.loads(next(messages))["kind"] != "blocks":
        pass


def test_a_name_in_use_is_refused_and_the_first_run_goes_on(service: Service) -> None:
    expected = told(service.decode(request(max_new_tokens=60)))[-1]
    messages = service.decode(request(max_new_tokens=60), Asker("one", "a"))
    until_a_block(messages)
    other = service.decode(request(max_new_tokens=60), Asker("other", "b"))
    (refused,) = told(other)
    assert refused["kind"] == "error" and refused["text"] == NAME_IN_USE and "name" in NAME_IN_USE
    service.leave("other")  # who was refused goes away
    last = [json.loads(message) for message in messages][-1]
    assert (last["kind"], last["block"]) == ("end", expected["block"])
    assert told(service.decode(request(blocks=1)))[-1]["kind"] == "end", "the name is free again"


@pytest.mark.parametrize("kind", ["race", "law"])
def test_measurements_are_refused_in_the_same_words(service: Service, kind: str) -> None:
    messages = service.decode(request(max_new_tokens=60))
    until_a_block(messages)
    asked: dict[str, Any] = {
        "run": "r",
        "pair": "stories",
        "draft": None,
        "prompt": "the cat",
        "rules": ["token", "block"],
    }
    asked |= {"settings": {"max_new_tokens": 4}, "seeds": 1} if kind == "race" else {"settings": {}, "samples": 100}
    assert [m["text"] for m in told(getattr(service, kind)(json.dumps(asked)))] == [NAME_IN_USE]
    assert [json.loads(message)["kind"] for message in messages][-1] == "end"


def test_leaving_stops_the_asker_s_own_run_alone(service: Service) -> None:
    mine, theirs = (service.decode(request(run=name, max_new_tokens=60), Asker(name)) for name in ("mine", "theirs"))
    for messages in (mine, theirs):
        until_a_block(messages)
    service.leave("mine")
    kinds = [[json.loads(message)["kind"] for message in messages] for messages in (mine, theirs)]
    assert "end" not in kinds[0] and kinds[1][-1] == "end"


def test_cancelling_by_name_stops_calls_and_no_stream(service: Service) -> None:
    stream = service.decode(request(max_new_tokens=60), Asker("s", "a", stream=True))
    until_a_block(stream)
    service.cancel("r")
    assert [json.loads(message)["kind"] for message in stream][-1] == "end"
    call = service.decode(request(max_new_tokens=60), Asker("c", "a"))
    until_a_block(call)
    service.cancel("r")
    assert "end" not in [json.loads(message)["kind"] for message in call]


def test_a_name_is_waited_for_while_its_run_ends() -> None:
    runs = OpenRuns(name_seconds=5.0)
    first = runs.begin("x")
    assert first is not None and len(runs) == 1 and not runs.wait(0.01)
    ending = threading.Timer(0.1, runs.end, (first,))
    ending.start()
    began = time.monotonic()
    second = runs.begin("x")
    assert second is not None and second is not first and first.is_set() and time.monotonic() - began < 4
    runs.end(first)  # twice: the second one's name is not taken from it
    assert len(runs) == 1
    runs.stop()
    assert second.is_set()
    runs.end(second)
    assert runs.wait(0)


@pytest.mark.parametrize(
    ("client", "forwarded", "visitor"),
    [(("1.2.3.4", 5), "", "1.2.3.4"), (("1.2.3.4", 5), "6.7.8.9", "1.2.3.4 6.7.8.9"), (None, "", "")],
)
def test_gradio_tells_who_asks(client: Any, forwarded: str, visitor: str) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    scope = {"type": "http", "headers": headers, "client": client}
    asker = asker_of(gr.Request(request=Request(scope), session_hash=f"{STREAM}1"))
    assert asker == Asker(f"{STREAM}1", visitor, stream=True)
    assert not asker_of(gr.Request(request=Request(scope), session_hash="e")).stream


@pytest.mark.slow
def test_over_the_network_a_stolen_name_stops_nothing(app: Any) -> None:
    """The name is used again by a stream that is left at once, by a call, and for cancelling."""
    asked = json.dumps(page_request(max_new_tokens=400, run="mine"))
    url, last, blocks = f"{app.url}/specdemo-run/decode", "", 0
    with httpx.stream("POST", url, content=asked, timeout=120) as stream:
        for line in stream.iter_lines():
            if not line.startswith("data: {"):
                continue
            last = json.loads(line.removeprefix("data: "))["kind"]
            blocks += last == "blocks"
            if blocks == 1:
                blocks += 1
                with httpx.stream("POST", url, content=asked, timeout=60) as thief:
                    next(thief.iter_bytes())
                call = httpx.post(f"{app.url}/gradio_api/call/decode", json={"data": [asked]}, timeout=60)
                assert call.status_code == 200
                httpx.post(f"{app.url}/gradio_api/run/cancel", json={"data": ["mine"]}, timeout=60)
    assert last == "end" and blocks > 3
    refused = httpx.get(f"{app.url}/gradio_api/call/decode/{call.json()['event_id']}", timeout=60).text
    assert "name of its own" in refused or '\\"kind\\":\\"end\\"' in refused
