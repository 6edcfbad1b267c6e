"""The app with a pair of tiny random models, for tests: `python tests/pages/tiny_app.py FOLDER PORT`."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from specdemo.pages.service import Service
from specdemo.pages.shell import launch
from specdemo.pairs.registry import PairEntry, Source, register


class TinyService(Service):
    """Warms up with the tiny pair instead of the one that ships."""

    def warm_up(self) -> None:
        """See Service."""
        self.models.start("tiny", "tiny-draft")


def end_with(parent: int) -> None:
    """End this process when the tests that started it are gone."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    folder = Path(sys.argv[1])
    drafts = {"tiny-draft": ("tiny draft", Source(folder=folder / "draft"))}
    register(PairEntry("tiny", "Tiny random models", Source(folder=folder / "target"), drafts, dtype="float64"))
    launch(TinyService(), port=int(sys.argv[2]))
