"""How many summaries may be open at once: of one visitor and in all, refused in words before they are read, and none held open for ever."""

from __future__ import annotations

from typing import Any

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from specdemo.server.crowd import CrowdMiddleware
from specdemo.server.paths import CROWDED
from tests.server.test_gate import in_a_loop

ADDRESS = "/specdemo-api/lab-summary"
EACH, IN_ALL = CROWDED["lab-summary"]


class House:
    """An application in which questions stay until they are let go."""

    def __init__(self, read_seconds: float = 5.0) -> None:
        self.inside, self.most, self.read = 0, 0, 0
        self.let_go = anyio.Event()
        self.app = Starlette(
            routes=[Route("/{path:path}", self._stay, methods=["POST"])],
            middleware=[Middleware(CrowdMiddleware, read_seconds=read_seconds)],
        )

    async def _stay(self, request: Request) -> JSONResponse:
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            self.read += len(await request.body())
            await self.let_go.wait()
        finally:
            self.inside -= 1
        return JSONResponse({"there": True})

    async def ask(self, answers: list[httpx.Response], visitor: str, path: str = ADDRESS, content: Any = b"{}") -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=self.app), base_url="http://here") as client:
            answers.append(await client.post(path, content=content, headers={"X-Forwarded-For": visitor}))


def test_a_visitor_has_a_few_and_all_together_some_more() -> None:
    async def run() -> None:
        house = House()
        answers: list[httpx.Response] = []
        async with anyio.create_task_group() as group:
            for _ in range(EACH):
                group.start_soon(house.ask, answers, "one")
            await anyio.wait_all_tasks_blocked()
            await house.ask(answers, "one")
            assert answers[-1].status_code == 503 and "of your questions" in answers[-1].json()["error"]
            assert answers[-1].headers["x-content-type-options"] == "nosniff"
            for visitor in range(IN_ALL - EACH):
                group.start_soon(house.ask, answers, f"other {visitor}")
            await anyio.wait_all_tasks_blocked()
            assert house.inside == IN_ALL
            await house.ask(answers, "late", content=b"x" * 1000)
            assert answers[-1].status_code == 503 and "for others" in answers[-1].json()["error"]
            assert house.read == 2 * IN_ALL, "what is refused is not read"
            group.start_soon(house.ask, [], "one", "/specdemo-api/lab-plan")  # others go on
            await anyio.wait_all_tasks_blocked()
            assert house.inside == IN_ALL + 1
            house.let_go.set()
        assert sorted(answer.status_code for answer in answers) == [200] * IN_ALL + [503] * 2
        more: list[httpx.Response] = []
        await house.ask(more, "one")
        assert more[0].status_code == 200, "places are given back"

    async def in_time() -> None:
        with anyio.fail_after(20):  # whoever is let in by mistake stays for ever
            await run()

    in_a_loop(in_time)


@pytest.mark.parametrize("after", [0, 1])
def test_what_does_not_arrive_is_given_up_and_its_place_is_free_again(after: int) -> None:
    async def run() -> None:
        house = House(read_seconds=0.05)
        house.let_go.set()
        answers: list[httpx.Response] = []
        with anyio.fail_after(5):
            for _ in range(EACH + 1):
                sent = [{"type": "http.request", "body": b"{", "more_body": True}] * after

                async def receive(sent: list[Any] = sent) -> Any:
                    if sent:
                        return sent.pop()
                    await anyio.sleep(20)

                told: list[Any] = []

                async def send(message: Any, told: list[Any] = told) -> None:
                    told.append(message)

                scope = {
                    "type": "http", "method": "POST", "path": ADDRESS, "root_path": "", "headers": [], "client": ("1.2.3.4", 5),
                    "query_string": b"", "http_version": "1.1", "scheme": "http", "server": ("here", 80),
                }  # fmt: skip
                await house.app(scope, receive, send)
                assert told[0]["status"] == 408 and b"too long to arrive" in told[1]["body"]
        await house.ask(answers, "1.2.3.4")
        assert answers[0].status_code == 200

    in_a_loop(run)
