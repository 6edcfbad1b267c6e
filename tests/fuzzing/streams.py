"""The door of runs as it is on the network: one request, one stream, asked of the whole app over loopback, well-behaved or not."""

from __future__ import annotations

import contextlib
import functools
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx
from hypothesis import strategies as any_of

from specdemo.pages.failures import UNEXPECTED
from specdemo.server.runs import MAX_BODY_BYTES, RUNS
from tests.fuzzing.hostile import texts

# A run that is left has ended by then; so has any of these with a tiny pair.
SECONDS = 20.0
_ENCODINGS = ("utf-8", "utf-16", "utf-32", "latin-1", "utf-7")
_HEADERS: tuple[dict[str, bytes], ...] = (
    {}, {"Content-Type": b"text/plain"}, {"Content-Encoding": b"gzip"}, {"Accept-Encoding": b"identity"}, {"Accept": b"image/png"},
    {"X-Forwarded-For": b", ".join([b"1.2.3.4"] * 90)}, {"X-IP-Token": "\u00e9".encode()}, {"Cookie": b"session=\"';--"},
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """A request: to which kind, with what, and how its asker behaves.

    `leave`: after so many bytes of the answer, or, `cut`, after so many of the body; `twice`: two at once, of the same run;
    `cancel`: what is said to Gradio's cancelling meanwhile.
    """

    kind: str
    body: bytes
    headers: dict[str, bytes] = field(default_factory=dict)
    leave: int | None = None
    cut: int | None = None
    twice: bool = False
    cancel: str | None = None


@any_of.composite
def asked(draw: Any, *good: Any) -> Asked:
    """Hostile requests; each of the `good` ones is {"kind", "request"}."""
    one = draw(any_of.sampled_from(good))
    kind = (
        one["kind"]
        if draw(any_of.integers(0, 9))
        else draw(any_of.sampled_from([*RUNS, "cancel", "", "..", "x" * 3000]))
    )
    text = draw(any_of.one_of(any_of.just(json.dumps(one["request"])), texts(one["request"]), texts(one["request"])))
    manner = draw(any_of.sampled_from(["plain", "encoding", "bytes", "large", "leave", "cut", "twice", "cancel"]))
    body = text.encode("utf-8", "surrogatepass")
    if manner == "encoding":
        body = text.encode(draw(any_of.sampled_from(_ENCODINGS)), "replace")
    elif manner == "bytes":
        at = draw(any_of.integers(0, len(body)))
        body = body[:at] + draw(any_of.binary(min_size=1, max_size=4)) + body[at:]
    elif manner == "large":
        body = body + b" " * (MAX_BODY_BYTES - len(body) + draw(any_of.integers(-1, 1)))
    return Asked(
        kind,
        body,
        draw(any_of.sampled_from(_HEADERS)),
        leave=draw(any_of.sampled_from([0, 1, 40, 400, 4000])) if manner == "leave" else None,
        cut=draw(any_of.integers(0, len(body))) if manner == "cut" else None,
        twice=manner == "twice",
        cancel=draw(any_of.sampled_from(["r", "nobody", "\ud800", "", "x" * 9000, text]))
        if manner == "cancel"
        else None,
    )


@functools.cache
def _address() -> str:
    """Starts the app; it ends with this process."""
    from specdemo.pages.shell import launch
    from tests.fuzzing.doors import service

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    launch(service(), port=port, block=False)
    return f"http://127.0.0.1:{port}"


def knock(one: Asked | str) -> bool:
    """Whether it was answered by a run that ended; a text is a good request as JSON."""
    if isinstance(one, str):
        good = json.loads(one)
        one = Asked(good["kind"], json.dumps(good["request"]).encode())
    if one.cut is not None:
        _cut_off(one)
        ended = False
    elif one.twice:
        with ThreadPoolExecutor(2) as both:
            ended = any(list(both.map(_answered, [one, one])))
    elif one.cancel is not None:
        with ThreadPoolExecutor(1) as beside:
            answer = beside.submit(_answered, one)
            call = json.dumps({"data": [one.cancel]})
            headers = {"Content-Type": "application/json"}
            told = httpx.post(f"{_address()}/gradio_api/run/cancel", content=call, headers=headers, timeout=SECONDS)
            assert told.status_code == 200 and told.json()["data"] == ["ok"], told.text[:300]
            ended = answer.result()
    else:
        ended = _answered(one)
    from tests.fuzzing.doors import service

    assert service().open_runs.wait(SECONDS), "a run goes on that nobody waits for"
    return ended


def _answered(one: Asked) -> bool:
    from tests.fuzzing.doors import is_sentence

    headers = {name.encode(): value for name, value in one.headers.items()}
    url = f"{_address()}/specdemo-run/{one.kind}"
    with httpx.stream("POST", url, content=one.body, headers=headers, timeout=SECONDS) as answer:
        assert answer.headers["x-content-type-options"] == "nosniff"
        if answer.status_code != 200:
            assert answer.status_code in (400, 404, 413, 429), (answer.status_code, answer.read()[:300])
            is_sentence(json.loads(answer.read())["detail"])
            return False
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        content = b""
        for piece in answer.iter_bytes():
            content += piece
            if one.leave is not None and len(content) >= one.leave:
                return False
    messages = list(_messages(content))
    assert [message["seq"] for message in messages] == list(range(len(messages)))
    assert messages[-1]["kind"] in ("end", "error"), messages[-1]["kind"]
    if messages[-1]["kind"] == "error":
        is_sentence(messages[-1]["text"])
        assert messages[-1]["text"] != UNEXPECTED, one
    return bool(messages[-1]["kind"] == "end")


def _messages(content: bytes) -> Iterator[dict[str, Any]]:
    """The messages of a whole stream, in which nothing but messages and places in the queue may stand."""
    assert content.endswith(b"\n\n")
    for event in content.decode().removesuffix("\n\n").split("\n\n"):
        if event.startswith("event: ahead\ndata: "):
            place = json.loads(event.removeprefix("event: ahead\ndata: "))
            assert place is None or place >= 0
        elif event != ": still here":
            assert event.startswith("data: {") and "\n" not in event, event[:300]
            yield json.loads(event.removeprefix("data: "), parse_constant=_refuse)


def _cut_off(one: Asked) -> None:
    """Announces a body, sends a part of it and is gone."""
    host, port = _address().removeprefix("http://").split(":")
    head = f"POST /specdemo-run/decode HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(one.body) + 1}\r\n\r\n"
    with socket.create_connection((host, int(port)), SECONDS) as connection, contextlib.suppress(OSError):
        connection.sendall(head.encode() + one.body[: one.cut])


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no number of JSON")
