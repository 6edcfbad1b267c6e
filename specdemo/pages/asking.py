"""Who asks, as Gradio knows it."""

from __future__ import annotations

import gradio as gr

from specdemo.pages.open_runs import Asker
from specdemo.server.crowd import visitor_of
from specdemo.server.paths import STREAM
from specdemo.server.waiting import has_begun


def asker_of(request: gr.Request) -> Asker:
    """The asker of a call whose turn has come: its session is Gradio's own, or that of a stream (specdemo/server/runs.py); the gate lets nobody
    name one."""
    session = request.session_hash or ""
    scope = request.request.scope if request.request is not None else {"headers": []}
    has_begun(scope)
    return Asker(session, visitor_of(scope), session.startswith(STREAM))
