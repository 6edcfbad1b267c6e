"""The Sandbox: the browser's editor and pictures (assets/viewer/sandbox), on the answers of `specdemo.sandbox`."""

from __future__ import annotations

from specdemo.pages.context import Context
from specdemo.pages.mounting import viewer


def build(context: Context) -> None:
    """Adds the component; its questions go past Gradio's queue, to the server's own answers."""
    viewer(context, "sandbox", "viewer/sandbox/main.js")
