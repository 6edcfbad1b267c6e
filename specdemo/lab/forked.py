"""Processes forked from this one, of one thread each: how work on small models comes to use several cores.

Several threads do not help there. PyTorch's own wait for each other at every operator, of which a pass has hundreds; Python's take turns between
the operators. A forked process has the models without loading or copying them and computes the same bits (docs/benchmarks.md, "Batches").
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specdemo.pairs.pair import Pair

_MOST = 16  # each has caches of its own

Work = Callable[[Any], None]


def can_be_forked(pair: Pair) -> bool:
    """Whether forked processes compute what this one does: not on a GPU, nor with passes of several threads, which are the parent's."""
    import torch

    return sys.platform == "linux" and pair.device.type == "cpu" and torch.get_num_threads() == 1


def processes_suited_to(pair: Pair) -> int:
    """As many as there are cores, or as OMP_NUM_THREADS says; 1 where they cannot be forked."""
    from specdemo.pairs import weights

    return max(1, min(weights._AVAILABLE_THREADS, _MOST)) if can_be_forked(pair) else 1


class Forked:
    """A process that calls `work` with its end of a pipe; `pipe` is ours. What `work` raises arrives as a message, and so do its results.

    `before`: those forked earlier, whose pipes the new process lets go, so that it cannot keep open what we close.
    """

    def __init__(self, work: Work, before: list[Forked]) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe()
        ours = [self.pipe, *(other.pipe for other in before)]
        self._process = context.Process(target=_begin, args=(work, theirs, ours), daemon=True)
        with warnings.catch_warnings():
            # Python warns where other threads are: here PyTorch's, which sleep, as under its own DataLoader.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        theirs.close()

    def receive(self) -> Any:
        """The next message; what `work` raised is raised here, and RuntimeError where the process is gone without a word."""
        try:
            message = self.pipe.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            raise RuntimeError(
                f"a process that measured has ended (status {self._process.exitcode}); where memory is short, fewer of them may do (--workers)"
            ) from None
        if isinstance(message, BaseException):
            raise message
        return message

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _begin(work: Work, pipe: Any, of_the_parent: list[Any]) -> None:
    import torch

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal, and the parent decides
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    torch.set_num_threads(1)
    gc.freeze()  # looking through the parent's objects would copy the memory that they lie in
    for other in of_the_parent:
        other.close()
    try:
        work(pipe)
    except (EOFError, ConnectionError):
        return  # the parent is gone
    except Exception as error:
        pipe.send(_portable(error))


def _portable(error: Exception) -> Exception:
    """The exception, or its words where it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
