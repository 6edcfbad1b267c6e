"""The Audit page: the auditor's report on a registered rule, in the browser (assets/viewer/sandbox/audit_main.js)."""

from __future__ import annotations

from specdemo.pages.context import Context
from specdemo.pages.mounting import viewer


def build(context: Context) -> None:
    """Adds the component; it asks the server's own answers, like the Sandbox."""
    viewer(context, "audit", "viewer/sandbox/audit_main.js")
