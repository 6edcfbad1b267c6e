"""The app as a Space whose GPUs are lent runs it, with tiny models and the real `spaces`: `python tests/zero_gpu/app.py FOLDER PORT`.

SPACES_ZERO_DEVICE_API_URL is the address of a stand-in for its lender's server (lender.py).
"""

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


def without_a_card() -> None:
    """Have the package take this machine for one with the lender's newer cards, and a forked process not look for its card."""
    import torch

    if not hasattr(torch._C, "_cuda_init"):  # the package is for PyTorch's builds for CUDA
        torch.version.cuda, torch._C._cuda_init, torch.cuda._is_in_bad_fork = "12.8", int, bool
    from spaces.zero import config
    from spaces.zero import torch as borrowing

    config.get_config.cache_clear()
    config._read_gpu_information = lambda: "Model: \t NVIDIA RTX PRO 6000 Blackwell Server Edition"
    borrowing.init = lambda uuid: None
    borrowing.move = lambda callback=None: None


if __name__ == "__main__":
    without_a_card()
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    folder = Path(sys.argv[1])
    drafts = {"tiny-draft": ("tiny draft", Source(folder=folder / "draft"))}
    register(PairEntry("tiny", "Tiny random models", Source(folder=folder / "target"), drafts, dtype="float64"))
    launch(TinyLendingService(Models(load_without_gpu), stays=lambda entry: False), port=int(sys.argv[2]))
