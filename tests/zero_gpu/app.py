"""The app as a Space whose GPUs are lent would run it, with tiny models: `python tests/zero_gpu/app.py FOLDER PORT`, stand-in on the path."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

from specdemo.pages.lending import LendingService
from specdemo.pages.models import Models
from specdemo.pages.shell import launch
from specdemo.pairs.registry import PairEntry, Source, register
from tests.pages.tiny_app import end_with, load_in_float64


def load_without_gpu(name: str, **options: Any) -> Any:
    """As the app does."""
    return load_in_float64(name, device="cpu", **options)


class TinyLendingService(LendingService):
    """Warms up with the tiny pair, and lends it a GPU."""

    def warm_up(self) -> None:
        """See Service."""
        self.models.start("tiny", "tiny-draft")


if __name__ == "__main__":
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    folder = Path(sys.argv[1])
    drafts = {"tiny-draft": ("tiny draft", Source(folder=folder / "draft"))}
    register(PairEntry("tiny", "Tiny random models", Source(folder=folder / "target"), drafts, dtype="float64"))
    launch(TinyLendingService(Models(load_without_gpu), stays=lambda entry: False), port=int(sys.argv[2]))
