"""The Lab page: the browser's half is assets/viewer/lab, the sweep is `specdemo.lab`'s, cut into turns so that others get theirs."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr

from specdemo.pages.asking import asker_of
from specdemo.pages.context import Context
from specdemo.pages.mounting import viewer


def build(context: Context) -> None:
    """Adds the component and the function `lab` (queued with the Compare page's measurements, one at a time)."""
    service = context.service

    def lab(request: str, asked: gr.Request) -> Iterator[str]:
        yield from service.lab(request, asker_of(asked))

    viewer(context, "lab", "viewer/lab/main.js")
    gr.api(lab, api_name="lab", api_visibility="undocumented", concurrency_id="measure", concurrency_limit=1)
