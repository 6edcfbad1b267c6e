"""The Compare page: the viewer's other half (assets/viewer/compare), and the two measurements it can ask for."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr

from specdemo.pages.asking import asker_of
from specdemo.pages.context import Context
from specdemo.pages.mounting import viewer


def build(context: Context) -> None:
    """Adds the component and the functions `race` and `law` (queued, one at a time, beside the decoding of others)."""
    service = context.service

    def race(request: str, asked: gr.Request) -> Iterator[str]:
        yield from service.race(request, asker_of(asked))

    def law(request: str, asked: gr.Request) -> Iterator[str]:
        yield from service.law(request, asker_of(asked))

    viewer(context, "compare", "viewer/compare/main.js")
    for measurement, name in ((race, "race"), (law, "law")):
        gr.api(
            measurement,
            api_name=name,
            api_visibility="undocumented",
            concurrency_id="measure",
            concurrency_limit=1,
        )
