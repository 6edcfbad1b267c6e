"""Crowds: visitors who step now and then for some minutes, or sessions that decode whole runs one after the other."""

from __future__ import annotations

import asyncio
import functools
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import httpx

from specdemo.load.process import ServerProcess
from specdemo.load.visitors import Notes, Visitor

Progress = Callable[[str], None]

SETTINGS = {
    "verifier": "block", "gamma": 4, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "max_new_tokens": 64, "prompt_mode": "text",
}  # fmt: skip
SAMPLE_SECONDS = 1.0
SAMPLES = 15
CHECKED_RUNS = 5
AT_ONCE = 8
BLOCKS_BEFORE = 20


@dataclass(frozen=True)
class Found:
    """What came of a crowd. Memory in bytes: in the first seconds that count, in the last, the most; times in seconds.

    `differing`: of `checked` runs that were decoded again in one go, how many have other digests than the blocks that came one by one.
    `wanted`: how many whole runs there should be; the time was over where there are fewer.
    """

    notes: Notes
    seconds: float
    cpu_seconds: float | None
    memory: tuple[int, int, int]
    checked: int
    differing: int
    status: int | None = None
    wanted: int = 0


async def stepping(
    server: ServerProcess, texts: Sequence[str], pair: str, visitors: int, minutes: float, every: float, seed: int, progress: Progress
) -> Found:  # fmt: skip
    """`visitors` people who each wish for a new block every `every` seconds on average, at exponentially distributed times.

    When it begins to count, everybody is somewhere in a run.
    """
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
            visitor = Visitor(client, server.url, notes, chance, _address(number))
            visitor.begin(_new_run(pair, texts, chance))
            people.append((visitor, chance))
        few = asyncio.Semaphore(AT_ONCE)

        async def begin(visitor: Visitor, chance: random.Random) -> None:
            async with few:
                await visitor.more(chance.randint(1, BLOCKS_BEFORE))

        await asyncio.gather(*(begin(visitor, chance) for visitor, chance in people))
        return [functools.partial(visit, visitor, chance) for visitor, chance in people]

    return await _measured(server, crowd, 60 * minutes, finished, progress)


async def running(
    server: ServerProcess, texts: Sequence[str], pair: str, runs: int, sessions: int, minutes: float, seed: int, progress: Progress
) -> Found:  # fmt: skip
    """`runs` whole runs of the page's default length, from `sessions` visitors in turn, eight at a time; none is begun after `minutes`.

    Before it counts every visitor has taken one step of a run that is left standing, as on the page, and some have had a whole one.
    """
    finished: list[Visitor] = []

    async def crowd(client: httpx.AsyncClient, notes: Notes) -> list[Callable[[float], Awaitable[None]]]:
        numbers = iter(range(runs))
        people = [(random.Random(f"{seed} {number}"), _address(number), asyncio.Lock()) for number in range(sessions)]
        few = asyncio.Semaphore(AT_ONCE)

        def visitor_of(number: int) -> Visitor:
            chance, address, _ = people[number]
            visitor = Visitor(client, server.url, notes, chance, address)
            visitor.begin(_new_run(pair, texts, chance))
            return visitor

        async def begin(number: int, count: int) -> None:
            async with few:
                await visitor_of(number % sessions).more(count)

        async def worker(until: float) -> None:
            for number in numbers:
                if time.monotonic() >= until:
                    return
                async with people[number % sessions][2]:
                    visitor = visitor_of(number % sessions)
                    if not await visitor.more(0):
                        continue
                notes.runs += 1
                if len(finished) < CHECKED_RUNS:
                    finished.append(visitor)
                if notes.runs % 50 == 0:
                    progress(f"{notes.runs} runs, {server.memory() / 1e6:.0f} MB")

        await asyncio.gather(*(begin(number, 1) for number in range(sessions)))
        await asyncio.gather(*(begin(number, 0) for number in range(20)))
        return [worker] * AT_ONCE

    return replace(await _measured(server, crowd, 60 * minutes, finished, progress), wanted=runs)


async def _measured(
    server: ServerProcess,
    crowd: Callable[[httpx.AsyncClient, Notes], Awaitable[list[Callable[[float], Awaitable[None]]]]],
    seconds: float,
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
        began, cpu = time.monotonic(), server.cpu_seconds()
        samples = [server.memory()]

        async def watch() -> None:
            while True:
                await asyncio.sleep(SAMPLE_SECONDS)
                samples.append(server.memory())
                if len(samples) % 15 == 0:
                    told = f"{notes.blocks} blocks, {notes.busy} told that it is busy, {len(notes.errors)} errors"
                    progress(f"{time.monotonic() - began:.0f} s: {told}, {samples[-1] / 1e6:.0f} MB")

        watching = asyncio.create_task(watch())
        await asyncio.gather(*(visit(began + seconds) for visit in people))
        took = time.monotonic() - began
        watching.cancel()
        used = server.cpu_seconds()
        samples.append(server.memory())
        differing = sum([await _differs(visitor) for visitor in finished])
    spent = None if used is None or cpu is None else used - cpu
    # Memory that was freed stays for some seconds: one look alone would be chance.
    start, end = (int(median(some)) for some in (samples[:SAMPLES], samples[-SAMPLES:]))
    return Found(notes, took, spent, (start, end, max(samples)), len(finished), differing)


async def _differs(visitor: Visitor) -> bool:
    """Whether the run, decoded again in one go, has other digests."""
    digests = [block["digest"] for block in visitor.blocks]
    again = Visitor(visitor._client, visitor._url.removesuffix("/specdemo-run/decode"), Notes(), random.Random(0))
    again.begin(visitor.request)
    return not await again.more(0) or [block["digest"] for block in again.blocks] != digests


def _address(number: int) -> str:
    """What a proxy would say of a visitor."""
    return f"10.0.{number // 250}.{1 + number % 250}"


def _new_run(pair: str, texts: Sequence[str], chance: random.Random) -> dict[str, Any]:
    settings = {**SETTINGS, "seed": chance.randrange(2**31)}
    return {"pair": pair, "draft": None, "prompt": chance.choice(texts), "settings": settings}
