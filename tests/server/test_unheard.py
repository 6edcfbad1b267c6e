"""What becomes of a run that somebody began by Gradio's call and never asked for: its messages do not stay in the server's memory."""

from __future__ import annotations

import json
from typing import Any

import anyio
import gradio as gr
import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount

from specdemo.server.unheard import UnheardMiddleware, id_in
from tests.server.test_gate import in_a_loop

WAIT = 1.0


def an_app() -> tuple[Any, Starlette]:
    """Gradio's own, with a call that says a lot."""

    def tell(text: str) -> Any:
        for _ in range(20):
            yield text * 1000

    with gr.Blocks() as blocks:
        field = gr.Textbox()
        field.submit(tell, field, field, api_name="tell")
    blocks.queue()
    inner = gr.routes.App.create_app(blocks)
    blocks.run_startup_events()
    return blocks, Starlette(routes=[Mount("/", inner)], middleware=[Middleware(UnheardMiddleware, seconds=WAIT)])


def messages_kept(blocks: Any) -> int:
    return sum(queue.qsize() for queue in blocks._queue.pending_messages_per_session.values())


def test_news_that_nobody_asks_for_are_dropped_and_others_are_told() -> None:
    async def main() -> None:
        blocks, app = an_app()
        blocks._queue.start()
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url="http://here", timeout=30
        ) as client:

            async def call() -> str:
                found = id_in((await client.post("/gradio_api/call/tell", json={"data": ["x"]})).content)
                assert found is not None
                return found

            for _ in range(3):
                await call()
            with anyio.fail_after(20):
                while messages_kept(blocks) < 30:
                    await anyio.sleep(0.02)
            heard = await call()
            news = await client.get(f"/gradio_api/call/tell/{heard}")
            assert news.text.count("event: generating") >= 19 and "event: complete" in news.text
            with anyio.fail_after(20):
                while messages_kept(blocks):
                    await anyio.sleep(0.05)

    in_a_loop(main)


def test_the_id_of_an_answer() -> None:
    assert id_in(json.dumps({"event_id": "ab12"}).encode()) == "ab12"
    assert id_in(b'{"event_id": 7}') is id_in(b"[]") is id_in(b"no") is id_in(b'{"detail": "full"}') is None
