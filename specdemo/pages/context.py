"""What every page is given when it is built."""

from __future__ import annotations

from dataclasses import dataclass

from specdemo.pages.service import Service
from specdemo.server import BrowserFiles


@dataclass(frozen=True)
class Context:
    """The engine's service, and the files the browser loads."""

    service: Service
    files: BrowserFiles
