"""A crowd's visitor tries again as the page does, and what it notes is what happened; the figures fail where they should."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from specdemo.load import crowd, visitors
from specdemo.load.crowd import Found
from specdemo.load.report import record_of, report, what_fails
from specdemo.load.visitors import Notes, Visitor

BUSY = httpx.Response(429, json={"detail": "The server is busy."})


def event(kind: str, **fields: Any) -> str:
    return f"data: {json.dumps({'kind': kind, **fields})}\n\n"


def blocks(first: int, count: int) -> str:
    made = [
        {"committed": [9], "digest": f"d{n}", "finish": "length" if n == 9 else None}
        for n in range(first, first + count)
    ]
    return event("blocks", first=first, blocks=made)


START = event("start", head={"prompt": {"ids": [1, 2]}})
AHEAD = "event: ahead\ndata: 1\n\n"


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "RETRY_AFTER", (0.0, 0.0, 0.0))


def asked(answers: list[Any], count: int) -> tuple[bool, Visitor, Notes, list[Any]]:
    """What a visitor who wishes for `count` blocks makes of the answers: texts of streams, or whole answers."""
    requests: list[Any] = []
    given = iter(answers)
    notes = Notes()

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(json.loads(request.content))
        one = next(given)
        if isinstance(one, Exception):
            raise one
        return one if isinstance(one, httpx.Response) else httpx.Response(200, text=one)

    async def run() -> tuple[bool, Visitor]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
            visitor = Visitor(client, "http://test", notes, random.Random(0))
            visitor.begin({"pair": "p", "prompt": "x", "settings": {}})
            return await visitor.more(count), visitor

    with ThreadPoolExecutor(1) as thread:  # the browser's tests keep a loop in this one
        came, visitor = thread.submit(asyncio.run, run()).result()
    return came, visitor, notes, requests


def test_a_busy_server_and_a_broken_stream_are_asked_again_for_the_rest() -> None:
    came, visitor, notes, requests = asked(
        [BUSY, AHEAD + START + blocks(0, 2), httpx.ConnectError("gone"), blocks(1, 2) + event("end", block=3)], 3
    )
    assert came and [block["digest"] for block in visitor.blocks] == ["d0", "d1", "d2"]
    assert (notes.requests, notes.blocks, notes.busy, notes.wordless, notes.broken, notes.lost) == (4, 3, 1, 0, 2, 0)
    assert [request["blocks"] for request in requests] == [3, 3, 1, 1] and len(notes.seconds) == 1
    assert requests[-1]["resume"] == {
        "ids": [1, 2, 9, 9],
        "prompt_length": 2,
        "block": 2,
        "memory": None,
        "digest": "d1",
    }
    assert len({request["run"] for request in requests}) == 4


def test_who_gets_on_may_try_as_often_again() -> None:
    broken = [httpx.Response(502)] * 3
    answers = [*broken, START + blocks(0, 1), *broken, blocks(1, 1) + event("end", block=2)]
    came, visitor, notes, requests = asked(answers, 2)
    assert came and len(visitor.blocks) == 2 and (notes.lost, len(requests)) == (0, 8)


@pytest.mark.parametrize(("answer", "count"), [(START + blocks(0, 1), 1), (START + blocks(0, 10), 0)])
def test_an_end_that_is_lost_is_not_asked_for(answer: str, count: int) -> None:
    came, _, notes, requests = asked([answer], count)
    assert came and len(requests) == 1 and notes.lost == 0


def test_who_tries_in_vain_has_lost_the_run_and_errors_are_not_tried_again() -> None:
    came, _, notes, requests = asked([httpx.Response(502)] * 9, 1)
    assert not came and notes.lost == 1 and len(requests) == 4
    for wrong in (event("error", text="no such pair"), "event: failed\ndata: null\n\n", httpx.Response(404, text="x")):
        came, _, notes, requests = asked([wrong], 1)
        assert not came and len(notes.errors) == len(requests) == 1 and notes.lost == 0


def test_the_figures_fail_where_they_should() -> None:
    notes = Notes(requests=100, blocks=100, seconds=[0.5] * 94 + [2.0] * 6)
    good = Found(notes, 10.0, 4.0, (1000, 1040, 1050), 2, 0, 0)
    assert what_fails(record_of(good)) == []
    record = record_of(good)
    assert record["blocks_a_second"] == 10.0 and record["memory"]["ratio"] == 1.04
    assert record["new_block_seconds"]["p50"] == 0.5 and record["new_block_seconds"]["p99"] == 2.0
    times = record_of(replace(good, notes=Notes(seconds=[n / 100 for n in range(101)])))["new_block_seconds"]
    assert times == pytest.approx({"p50": 0.5, "p95": 0.95, "p99": 0.99})
    assert "40 ms a block, 0.40 cores" in report(record)
    for wrong, word in (
        (replace(good, memory=(1000, 1060, 1060)), "memory"),
        (replace(good, memory=(1000, 900, 1060)), "memory"),
        (replace(good, differing=1), "differ"),
        (replace(good, status=-9), "did not end"),
        (replace(good, wanted=1), "in time"),
        (replace(good, notes=Notes(seconds=[0.5] * 90 + [4.0] * 10)), "3 s"),
        (replace(good, notes=Notes()), "3 s"),
        (replace(good, notes=Notes(seconds=[1.0], lost=1)), "lost"),
        (replace(good, notes=Notes(seconds=[1.0], wordless=1)), "without words"),
        (replace(good, notes=Notes(seconds=[1.0], errors=["x"])), "errors"),
    ):
        (words,) = what_fails(record_of(wrong))
        assert word in words and report(record_of(wrong))


def test_runs_are_shared_out_among_sessions_and_end_with_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for a visitor that counts; the bounds and the sharing are the crowd's own."""
    asked_for: list[tuple[str, int]] = []
    inside: dict[str, int] = {}

    class Counting(Visitor):
        async def more(self, count: int) -> bool:
            address = self._headers["X-Forwarded-For"]
            inside[address] = inside.get(address, 0) + 1
            assert inside[address] == 1, "a session has one run at a time"
            await asyncio.sleep(0.001)
            inside[address] -= 1
            asked_for.append((address, count))
            return True

    monkeypatch.setattr(crowd, "Visitor", Counting)
    monkeypatch.setattr(crowd, "CHECKED_RUNS", 0)

    def found(runs: int, minutes: float) -> Found:
        asked_for.clear()
        server: Any = SimpleNamespace(url="http://test", memory=lambda: 1000, cpu_seconds=lambda: None)
        work = crowd.running(server, ["x"], "stories", runs, 30, minutes, 0, lambda text: None)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, work).result()

    record = record_of(found(90, 1.0))
    whole = Counter(address for address, count in asked_for[50:])
    assert record["runs"] == record["wanted_runs"] == 90 and set(whole.values()) == {3} and len(whole) == 30
    assert [count for _, count in asked_for[:30]] == [1] * 30, "everybody has a run that stands before it counts"
    late = record_of(found(90, 0.0))
    assert late["runs"] == 0 and "not all runs came in time" in what_fails({**late, "exit_status": 0})
    assert "whole runs: 0 of 90" in report(late)


@pytest.mark.slow
def test_a_small_crowd_at_a_real_server(capsys: pytest.CaptureFixture[str]) -> None:
    from specdemo.cli import main

    main(["bench", "server", "--visitors", "4", "--minutes", "0.2", "--every", "1"])
    said = capsys.readouterr().out
    assert "errors: 0" in said and "lost runs: 0" in said and "0 differ" in said and "ended with status 0" in said
