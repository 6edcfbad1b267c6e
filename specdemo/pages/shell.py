"""The frame around the pages: tabs, looks, and how the server is started."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

# Read by Gradio when it is imported: no telemetry, and no statistics over all past requests after every request.
for _name, _value in {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "GRADIO_ANALYTICS_MAX_EVENTS": "1",
    "GRADIO_ANALYTICS_CACHE_FREQUENCY": str(10**12),
    "HF_HUB_DISABLE_TELEMETRY": "1",
}.items():
    os.environ.setdefault(_name, _value)

import gradio as gr  # noqa: E402

from specdemo.pages.context import Context  # noqa: E402
from specdemo.pages.lab_answers import lab_answers  # noqa: E402
from specdemo.pages.lending import service_for_here  # noqa: E402
from specdemo.pages.registry import PAGES  # noqa: E402
from specdemo.pages.service import Service  # noqa: E402
from specdemo.pages.stopping import wait_for_the_end  # noqa: E402
from specdemo.sandbox.answers import ANSWERS  # noqa: E402
from specdemo.server import BrowserFiles, middleware  # noqa: E402
from specdemo.server.log import begin_logging  # noqa: E402
from specdemo.server.waiting import MAX_WAITING  # noqa: E402

ASSETS = Path(__file__).resolve().parents[2] / "assets"
TITLE = "specdemo: speculative decoding, taken apart"
# Importing PyTorch holds up everything else: the first page, opened as soon as the server answers, goes first.
WARM_UP_AFTER_SECONDS = 3.0

# Gradio's frame gets out of the way: full width, no padding of its own.
FRAME_CSS = """
.gradio-container .main.fillable { max-width: none; padding: 0 !important; }
.gradio-container .specdemo-page, .gradio-container .specdemo-page .html-container { padding: 0; }
/* "hidden" would be a scroller of its own, in which nothing sticks to the window. */
.gradio-container { background: var(--page); overflow: clip !important; }
.gradio-container .tab-wrapper { height: auto; padding-bottom: 0; margin-bottom: 0; }
.gradio-container .tab-container { height: 32px; }
/* All tabs fit a phone. */
.gradio-container .tab-container button { padding: 0 clamp(5px, 1.25vw, 16px) !important; }
/* Gradio's blue does not reach 4.5:1 on this ground. */
.gradio-container .tab-container button.selected { color: var(--focus); }
.specdemo-root { max-width: 1440px; margin: 0 auto; padding: 12px; }
/* Gradio draws these itself; the pages mean the browser's own. */
.gradio-container .specdemo-root :is(input[type="radio"], input[type="checkbox"], input[type="range"]) {
  appearance: auto; width: auto; height: auto; border: revert; border-radius: revert; background: none; box-shadow: none;
  padding: 0; accent-color: var(--draft);
}
.gradio-container .specdemo-root :is(input[type="radio"], input[type="checkbox"], input[type="range"]):focus-visible {
  outline: 2px solid var(--focus); outline-offset: 1px;
}
"""


def build(context: Context) -> gr.Blocks:
    """All pages; with a single one there is no bar of tabs."""
    with gr.Blocks(title=TITLE, fill_width=True, analytics_enabled=False) as demo:
        if len(PAGES) == 1:
            with gr.Column(elem_id=f"page-{PAGES[0].name}", elem_classes="specdemo-page"):
                PAGES[0].build(context)
        else:
            with gr.Tabs():
                for page in PAGES:
                    with gr.Tab(page.title, id=page.name, elem_id=f"page-{page.name}", elem_classes="specdemo-page"):
                        page.build(context)
    # A Space's id would make the browser ask that Space's own address and a font server.
    demo.space_id = None
    return demo


def launch(service: Service | None = None, *, port: int | None = None, block: bool = True) -> gr.Blocks:
    """Start the server, then, a little later, begin to load the models in a thread; with `block` it returns when the server ends.

    The address is 127.0.0.1:7860, or what GRADIO_SERVER_NAME and GRADIO_SERVER_PORT say. SystemExit with a sentence where it is taken.
    """
    begin_logging()
    service = service or service_for_here()
    port = _port() if port is None else port
    files = BrowserFiles(ASSETS)
    demo = build(Context(service, files))
    demo.queue(max_size=MAX_WAITING, api_open=False)
    try:
        demo.launch(**_options(files, service), server_port=port, prevent_thread_lock=True)
    except OSError as error:
        # Gradio's own sentence speaks of a range of ports.
        raise SystemExit(
            f"The server could not be started on port {port}; another program may be using it. End that one, or choose another "
            f"port: GRADIO_SERVER_PORT={port + 1} python app.py"
        ) from error
    print(f"specdemo is at {demo.local_url}", flush=True)
    warm_up = threading.Timer(WARM_UP_AFTER_SECONDS, service.warm_up)
    warm_up.daemon = True
    warm_up.start()
    if block:
        wait_for_the_end(service.stop)
        # Whoever still listens has been told to ask again.
        demo.server.config.timeout_graceful_shutdown = 1
        demo.close(verbose=False)
    return demo


def _port() -> int:
    """The port that was chosen. Gradio, left to itself, would take the next free one, which nobody is told."""
    text = os.environ.get("GRADIO_SERVER_PORT", "") or "7860"
    if not text.isdecimal() or not 0 < int(text) < 2**16:
        raise SystemExit(f"GRADIO_SERVER_PORT is {text!r}: it must be a port, 1 … 65535")
    return int(text)


def _options(files: BrowserFiles, service: Service) -> dict[str, Any]:
    answers = {**ANSWERS, **lab_answers(service.models.turn)}
    return {
        "app_kwargs": {"middleware": middleware(files, service.health, answers, service.unready, service.leave)},
        "css": FRAME_CSS,
        "theme": gr.themes.Base(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]),
        "footer_links": [],
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "show_error": False,
        "pwa": False,
        "mcp_server": False,
        "share": False,
        "quiet": True,
        # Gradio would ask itself for the page, and give up the whole server where that takes three seconds, as on a busy machine.
        "_frontend": False,
        "max_file_size": "100kb",
        "state_session_capacity": 200,
    }
