"""The Step page: the viewer (assets/viewer), and the two functions it calls."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr

from specdemo.pages.asking import asker_of
from specdemo.pages.context import Context
from specdemo.pages.mounting import viewer

# They take turns block by block: nobody waits for somebody's whole run, or for somebody's models to be fetched.
RUNS_AT_ONCE = 4


def build(context: Context) -> None:
    """Adds the component and the functions `decode` (queued, a few at a time, block by block in turns) and `cancel` (at once)."""
    service = context.service

    def decode(request: str, asked: gr.Request) -> Iterator[str]:
        yield from service.decode(request, asker_of(asked))

    def cancel(run: str) -> str:
        service.cancel(run)
        return "ok"

    viewer(context, "step", "viewer/main.js")
    gr.api(
        decode,
        api_name="decode",
        api_visibility="undocumented",
        concurrency_id="model",
        concurrency_limit=RUNS_AT_ONCE,
    )
    gr.api(cancel, api_name="cancel", api_visibility="undocumented", queue=False)
