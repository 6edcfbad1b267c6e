"""The Compare page: the viewer's other half (assets/viewer/compare), and the two measurements it can ask for."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr

from specdemo.pages.context import Context
from specdemo.pages.mounting import viewer


def build(context: Context) -> None:
    """Adds the component and the functions `race` and `law` (queued, one at a time, beside the decoding of others)."""
    service = context.service

    def race(request: str) -> Iterator[str]:
        yield from service.race(request)

    def law(request: str) -> Iterator[str]:
        yield from service.law(request)

    viewer(context, "compare", "viewer/compare/main.js")
    for measurement, name in ((race, "race"), (law, "law")):
        gr.api(
            measurement,
            api_name=name,
            api_visibility="undocumented",
            concurrency_id="measure",
            concurrency_limit=1,
        )
