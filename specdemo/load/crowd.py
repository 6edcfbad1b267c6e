"""Crowds: visitors who step now and then for some minutes, or sessions that decode whole runs one after the other."""

from __future__ import annotations

import asyncio
import functools
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from specdemo.load.process import ServerProcess
from specdemo.load.visitors import Notes, Visitor

Progress = Callable[[str], None]

SETTINGS = {
    "verifier": "block", "gamma": 4, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "max_new_tokens": 64, "prompt_mode": "text",
}  # fmt: skip
SAMPLE_SECONDS = 1.0
CHECKED_RUNS = 5


@dataclass(frozen=True)
class Found:
    """What came of a crowd. Memory in bytes: at the start (every visitor has had a first answer), at the end, the most; times in seconds.

    `differing`: of `checked` runs that were decoded again in one go, how many have other digests than the blocks that came one by one.
    """

    notes: Notes
    seconds: float
    cpu_seconds: float | None
    memory: tuple[int, int, int]
    checked: int
    differing: int
    status: int | None = None


async def stepping(
    server: ServerProcess, texts: Sequence[str], pair: str, visitors: int, minutes: float, every: float, seed: int, progress: Progress
) -> Found:  # fmt: skip
    """`visitors` people who each wish for a new block every `every` seconds on average, at exponentially distributed times."""
    finished: list[Visitor] = []

    async def visit(visitor: Visitor, chance: random.Random, until: float) -> None:
        wish = time.monotonic() + chance.expovariate(1 / every)
        while wish < until:
            await asyncio.sleep(max(0.0, wish - time.monotonic()))
            if visitor.finished:
                if len(finished) < CHECKED_RUNS:
                    done = Visitor(visitor._client, server.url, Notes(), chance)
                    done.request, done.blocks = visitor.request, visitor.blocks
                    finished.append(done)
                visitor.begin(_new_run(pair, texts, chance))
            if not await visitor.more(1):
                visitor.begin(_new_run(pair, texts, chance))
            # Who has waited for a block does not wish for the next one before having seen it.
            wish = max(time.monotonic(), wish + chance.expovariate(1 / every))

    async def crowd(client: httpx.AsyncClient, notes: Notes) -> list[Callable[[float], Awaitable[None]]]:
        people = []
        for number in range(visitors):
            chance = random.Random(f"{seed} {number}")
            visitor = Visitor(client, server.url, notes, chance)
            visitor.begin(_new_run(pair, texts, chance))
            people.append((visitor, chance))
        await asyncio.gather(*(visitor.more(1) for visitor, _ in people))
        return [functools.partial(visit, visitor, chance) for visitor, chance in people]

    return await _measured(server, crowd, 60 * minutes, finished, progress)


async def running(
    server: ServerProcess, texts: Sequence[str], pair: str, runs: int, sessions: int, seed: int, progress: Progress
) -> Found:
    """`runs` whole runs of the page's default length, from `sessions` sessions of which eight are there at a time."""
    finished: list[Visitor] = []

    async def crowd(client: httpx.AsyncClient, notes: Notes) -> list[Callable[[float], Awaitable[None]]]:
        numbers = iter(range(runs))

        async def whole(session: int) -> None:
            chance = random.Random(f"{seed} {session}")
            visitor = Visitor(client, server.url, notes, chance)
            visitor.begin(_new_run(pair, texts, chance))
            if await visitor.more(0):
                notes.runs += 1
                if len(finished) < CHECKED_RUNS:
                    finished.append(visitor)
            if notes.runs % 50 == 0:
                progress(f"{notes.runs} runs, {server.memory() / 1e6:.0f} MB")

        async def worker(until: float) -> None:
            for number in numbers:
                await whole(number % sessions + sessions * (number // sessions))

        await asyncio.gather(*(whole(-1 - number) for number in range(20)))
        return [worker] * 8

    return await _measured(server, crowd, None, finished, progress)


async def _measured(
    server: ServerProcess,
    crowd: Callable[[httpx.AsyncClient, Notes], Awaitable[list[Callable[[float], Awaitable[None]]]]],
    seconds: float | None,
    finished: list[Visitor],
    progress: Progress,
) -> Found:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
    async with httpx.AsyncClient(timeout=httpx.Timeout(120.0), limits=limits, trust_env=False) as client:
        notes = Notes()
        people = await crowd(client, notes)
        if notes.errors:
            raise RuntimeError(f"the first requests failed: {notes.errors[0]}")
        progress(f"everybody has had an answer; the server holds {server.memory() / 1e6:.0f} MB")
        # From here on it counts.
        for name, value in vars(Notes()).items():
            setattr(notes, name, value)
        began, cpu, start = time.monotonic(), server.cpu_seconds(), server.memory()
        samples = [start]

        async def watch() -> None:
            while True:
                await asyncio.sleep(SAMPLE_SECONDS)
                samples.append(server.memory())
                if len(samples) % 15 == 0:
                    told = f"{notes.blocks} blocks, {notes.busy} told that it is busy, {len(notes.errors)} errors"
                    progress(f"{time.monotonic() - began:.0f} s: {told}, {samples[-1] / 1e6:.0f} MB")

        watching = asyncio.create_task(watch())
        await asyncio.gather(*(visit(began + (seconds or 0)) for visit in people))
        took = time.monotonic() - began
        watching.cancel()
        used = server.cpu_seconds()
        end = server.memory()
        differing = sum([await _differs(visitor) for visitor in finished])
    spent = None if used is None or cpu is None else used - cpu
    return Found(notes, took, spent, (start, end, max(*samples, end)), len(finished), differing)


async def _differs(visitor: Visitor) -> bool:
    """Whether the run, decoded again in one go, has other digests."""
    digests = [block["digest"] for block in visitor.blocks]
    again = Visitor(visitor._client, visitor._url.removesuffix("/specdemo-run/decode"), Notes(), random.Random(0))
    again.begin(visitor.request)
    return not await again.more(0) or [block["digest"] for block in again.blocks] != digests


def _new_run(pair: str, texts: Sequence[str], chance: random.Random) -> dict[str, Any]:
    settings = {**SETTINGS, "seed": chance.randrange(2**31)}
    return {"pair": pair, "draft": None, "prompt": chance.choice(texts), "settings": settings}
