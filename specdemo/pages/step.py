"""The Step page: one plain HTML component that the viewer (assets/viewer) fills, and the two functions it calls.

The template is constant: Gradio evaluates what a template interpolates as JavaScript, so nothing is ever interpolated.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import gradio as gr

from specdemo.pages.context import Context

TEMPLATE = '<div class="specdemo-root" data-state="empty"></div>'

# `props.config` is JSON text, never part of a template. The modules are the ones the document has loaded early.
ON_LOAD = """
const root = element.querySelector('.specdemo-root');
const config = JSON.parse(props.config);
config.base = new URL(config.base, document.baseURI).href;
Promise.all([import(config.base + 'viewer/main.js'), import(config.base + 'viewer/bridge.js')])
  .then(([main, bridge]) => main.mount(root, bridge.createBridge({ config })))
  .catch((error) => {
    root.dataset.state = 'error';
    root.textContent = 'The page could not be loaded completely. Reload it; if that does not help, the server may have been updated.';
    console.error(error);
  });
"""


def build(context: Context) -> None:
    """Adds the component and the functions `decode` (queued, one at a time) and `cancel` (at once)."""
    service = context.service

    def decode(request: str) -> Iterator[str]:
        yield from service.decode(request)

    def cancel(run: str) -> str:
        service.cancel(run)
        return "ok"

    gr.HTML(
        html_template=TEMPLATE,
        js_on_load=ON_LOAD,
        apply_default_css=False,
        config=json.dumps({**service.config(), "base": context.files.base}, ensure_ascii=False, allow_nan=False),
    )
    gr.api(
        decode,
        api_name="decode",
        api_visibility="undocumented",
        concurrency_id="model",
        concurrency_limit=1,
    )
    gr.api(cancel, api_name="cancel", api_visibility="undocumented", queue=False)
