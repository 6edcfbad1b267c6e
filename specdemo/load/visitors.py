"""A visitor: asks for blocks as the page does (assets/viewer/bridge.js), and notes how long they took and what went wrong."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx

# The page's own waits before it asks again, in seconds.
RETRY_AFTER = (0.3, 0.7, 1.5, 2.5, 4.0, 5.0)


@dataclass
class Notes:
    """What all visitors met. `seconds`: from wishing for blocks to the first of them, tries included."""

    requests: int = 0
    blocks: int = 0
    runs: int = 0
    busy: int = 0
    wordless: int = 0
    broken: int = 0
    lost: int = 0
    errors: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


class Broken(Exception):
    """The stream ended before its end."""


class Full(Exception):
    """So many wait that nobody more is let in."""


class Visitor:
    """One person with a run that grows; `request` holds the pair, the prompt and the settings of a new one; `address` is what a proxy says."""

    def __init__(
        self, client: httpx.AsyncClient, url: str, notes: Notes, chance: random.Random, address: str = ""
    ) -> None:
        self._client, self._url, self._notes, self._chance = client, f"{url}/specdemo-run/decode", notes, chance
        self._headers = {"X-Forwarded-For": address} if address else {}
        self.head: dict[str, Any] = {}
        self.request: dict[str, Any] = {}
        self.blocks: list[dict[str, Any]] = []

    def begin(self, request: dict[str, Any]) -> None:
        """Leave the run there is, if any, for a new one."""
        self.request, self.head, self.blocks = request, {}, []

    @property
    def finished(self) -> bool:
        """Whether the run has ended."""
        return bool(self.blocks) and self.blocks[-1]["finish"] is not None

    async def more(self, count: int) -> bool:
        """So many more blocks (0: to the end), tried again as the page does; whether they came."""
        notes, wished, before, tries = self._notes, time.monotonic(), len(self.blocks), 0
        told = False
        while True:
            have = len(self.blocks)
            try:
                notes.requests += 1
                async for first in self._ask(count - (have - before) if count else 0):
                    if not told:
                        notes.seconds.append(first - wished)
                        told = True
                return True
            except Full as error:
                notes.busy += 1
                notes.wordless += not str(error)
                wait = 1 + self._chance.random()
            except (Broken, httpx.TransportError):
                notes.broken += 1
                wait = 1.0
            except RuntimeError as error:
                notes.errors.append(str(error))
                return False
            if self.finished or (count and len(self.blocks) - before >= count):
                return True
            tries = 0 if len(self.blocks) > have else tries + 1
            if tries > len(RETRY_AFTER):
                notes.lost += 1
                return False
            await asyncio.sleep(RETRY_AFTER[max(0, tries - 1)] * wait)

    async def _ask(self, count: int) -> AsyncIterator[float]:
        """One request; the times at which blocks came."""
        asked = {**self.request, "run": secrets.token_hex(16), "blocks": count, "resume": self._resume()}
        async with self._client.stream("POST", self._url, content=json.dumps(asked), headers=self._headers) as answer:
            if answer.status_code != 200:
                content = await answer.aread()
                if answer.status_code == 429:
                    raise Full(json.loads(content).get("detail", ""))
                if answer.status_code >= 500:
                    raise Broken(str(answer.status_code))
                raise RuntimeError(f"status {answer.status_code}: {content[:300]!r}")
            async for line in answer.aiter_lines():
                if line == "event: failed":
                    raise RuntimeError("the server failed")
                if not line.startswith("data: {"):
                    continue
                message = json.loads(line.removeprefix("data: "))
                if message["kind"] == "start":
                    self.head = message["head"]
                elif message["kind"] == "blocks":
                    fresh = message["blocks"][len(self.blocks) - message["first"] :]
                    self._notes.blocks += len(fresh)
                    # A page holds the whole record; what a visitor needs of it is little.
                    self.blocks += [
                        {name: block[name] for name in ("committed", "digest", "finish")} for block in fresh
                    ]
                    yield time.monotonic()
                elif message["kind"] == "error":
                    raise RuntimeError(message["text"])
                elif message["kind"] == "end":
                    return
        raise Broken("no end")

    def _resume(self) -> dict[str, Any] | None:
        if not self.blocks:
            return None
        prompt = self.head["prompt"]["ids"]
        ids = [*prompt, *(token for block in self.blocks for token in block["committed"])]
        return {
            "ids": ids, "prompt_length": len(prompt), "block": len(self.blocks), "memory": None, "digest": self.blocks[-1]["digest"],
        }  # fmt: skip
