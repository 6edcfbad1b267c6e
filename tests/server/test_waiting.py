"""How many places a visitor holds in the queue: three quarters at most, given back when its turn comes, when it leaves, and where it was refused."""

from __future__ import annotations

import gc

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from specdemo.server.runs import BUSY
from specdemo.server.waiting import MAX_WAITING, MAX_WAITING_EACH, Places, WaitingMiddleware, has_begun
from tests.server.test_gate import in_a_loop

STREAM, CALL = "/specdemo-run/race", "/gradio_api/call/decode"


class Queue:
    """An application in which requests wait until they are let go; a call gets an id at once, as Gradio's does."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.waiting: list[Request] = []
        self.let_go = anyio.Event()
        self.places = Places()
        self.app = Starlette(
            routes=[
                Route("/gradio_api/call/{name}", self._call, methods=["POST"]),
                Route("/gradio_api/call/{name}/{id}", self._stay),
                Route("/{path:path}", self._stay, methods=["POST"]),
            ],
            middleware=[Middleware(WaitingMiddleware, places=self.places)],
        )

    async def _call(self, request: Request) -> Response:
        if self.status != 200:
            return JSONResponse({"detail": "no"}, self.status)
        self.waiting.append(request)
        return JSONResponse({"event_id": f"{len(self.waiting):x}"})

    async def _stay(self, request: Request) -> Response:
        self.waiting.append(request)
        await self.let_go.wait()
        return JSONResponse({"there": True})

    async def ask(self, answers: list[httpx.Response], visitor: str, path: str = STREAM, method: str = "POST") -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=self.app), base_url="http://here") as client:
            answers.append(await client.request(method, path, headers={"X-Forwarded-For": visitor}))


def test_a_visitor_holds_three_quarters_of_the_places_until_its_turns_come() -> None:
    async def run() -> None:
        queue, answers, busy = Queue(), list[httpx.Response](), list[httpx.Response]()
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for _ in range(MAX_WAITING_EACH):
                    group.start_soon(queue.ask, answers, "a class")
                await anyio.wait_all_tasks_blocked()
                await queue.ask(busy, "a class")
                await queue.ask(busy, "a class", CALL)
                group.start_soon(queue.ask, answers, "another")
                group.start_soon(queue.ask, answers, "a class", "/specdemo-api/lab-plan")  # no run, no place
                await anyio.wait_all_tasks_blocked()
                assert len(queue.waiting) == MAX_WAITING_EACH + 2 and len(queue.places) == MAX_WAITING_EACH + 1
                has_begun(queue.waiting[3].scope)
                has_begun(queue.waiting[3].scope)
                group.start_soon(queue.ask, answers, "a class")
                await anyio.wait_all_tasks_blocked()
                await queue.ask(busy, "a class")
                queue.let_go.set()
        assert [answer.status_code for answer in answers] == [200] * (MAX_WAITING_EACH + 3)
        for answer in busy:
            assert answer.status_code == 429 and answer.json()["error"] == BUSY and answer.headers["retry-after"] == "2"
        assert len(busy) == 3 and len(queue.places) == 0

    in_a_loop(run)
    assert MAX_WAITING_EACH == 15 and MAX_WAITING == 20


def test_a_call_holds_its_place_until_it_begins_or_is_left_or_forgotten() -> None:
    async def run() -> None:
        queue, answers = Queue(), list[httpx.Response]()
        for _ in range(MAX_WAITING_EACH + 1):
            await queue.ask(answers, "one", CALL)
        assert [answer.status_code for answer in answers] == [200] * MAX_WAITING_EACH + [429]
        has_begun(queue.waiting[0].scope)
        assert len(queue.places) == MAX_WAITING_EACH - 1
        with anyio.move_on_after(0.05):  # its news are listened to, for a while
            await queue.ask(answers, "one", CALL + "/2", "GET")
        assert len(queue.places) == MAX_WAITING_EACH - 2
        queue.waiting.clear()
        gc.collect()
        assert len(queue.places) == 0
        await queue.ask(answers, "one", CALL)
        assert answers[-1].status_code == 200

    in_a_loop(run)


@pytest.mark.parametrize("status", [400, 503])
def test_what_the_queue_refuses_holds_no_place(status: int) -> None:
    async def run() -> None:
        queue, answers = Queue(status), list[httpx.Response]()
        for _ in range(MAX_WAITING_EACH + 1):
            await queue.ask(answers, "one", CALL)
        assert {answer.status_code for answer in answers} == {status} and len(queue.places) == 0

    in_a_loop(run)


def test_who_leaves_gives_its_place_back() -> None:
    async def run() -> None:
        queue, answers = Queue(), list[httpx.Response]()
        with anyio.move_on_after(0.05):
            await queue.ask(answers, "one")
        assert not answers and len(queue.waiting) == 1 and len(queue.places) == 0

    in_a_loop(run)
