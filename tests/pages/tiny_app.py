"""The app with a pair of tiny random models, for tests: `python tests/pages/tiny_app.py FOLDER PORT`."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pages.shell import launch
from specdemo.pairs.registry import PairEntry, Source, register


class TinyService(Service):
    """Warms up with the tiny pair instead of the one that ships."""

    def warm_up(self) -> None:
        """See Service."""
        self.models.start("tiny", "tiny-draft")


def load_in_float64(name: str, **options: Any) -> Any:
    """Load a pair whose Llamas compute in float64 throughout, so that the page's numbers can be compared to the last digits."""
    from specdemo.pairs import load_pair
    from tests.tiny import compute_in_float64

    compute_in_float64()
    return load_pair(name, **options)


def end_with(parent: int) -> None:
    """End this process when the tests that started it are gone."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    folder = Path(sys.argv[1])
    drafts = {"tiny-draft": ("tiny draft", Source(folder=folder / "draft"))}
    target = Source(folder=folder / "target")
    register(PairEntry("tiny", "Tiny random models", target, drafts, dtype="float64", chat_template=True))
    launch(TinyService(Models(load_in_float64)), port=int(sys.argv[2]))
