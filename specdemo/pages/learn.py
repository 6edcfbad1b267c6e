"""Learn: the tour and the glossary (assets/viewer/learn); its pictures are those of the other pages, fed with examples and the Sandbox's answers."""

from __future__ import annotations

from specdemo.pages.context import Context
from specdemo.pages.mounting import viewer


def build(context: Context) -> None:
    """Adds the component; nothing of it decodes."""
    viewer(context, "learn", "viewer/learn/main.js")
