"""What goes wrong on a server and is nobody's mistake: words for the person at the page, and a line for the log that holds no prompt."""

from __future__ import annotations

import errno
import traceback

from specdemo.sentences import sentence

UNEXPECTED = sentence("unexpected")
NO_MEMORY = sentence("no_memory")
NO_DISK = sentence("no_disk")
GPU_LOST = sentence("gpu_lost")

# A shorter one would be found in words that have nothing to do with it.
_LEAST_CHARACTERS = 4


def words_for(error: BaseException) -> str:
    """A sentence for the person at the page."""
    return words_of_machine(error) or UNEXPECTED


def words_of_machine(error: BaseException | None) -> str | None:
    """The same where the machine lacks something, else None."""
    if is_out_of_memory(error):
        return NO_MEMORY
    if is_gpu_lost(error):
        return GPU_LOST
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return NO_DISK
    return None


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether memory was missing, the GPU's or the machine's: PyTorch tells the latter by words alone."""
    words = str(error).lower()
    out = isinstance(error, RuntimeError) and ("out of memory" in words or "can't allocate memory" in words)
    return out or isinstance(error, MemoryError)


def is_gpu_lost(error: BaseException | None) -> bool:
    """Whether a GPU has failed in a way that only a new process gets over."""
    words = str(error)
    return isinstance(error, RuntimeError) and "CUDA error" in words and not is_out_of_memory(error)


def log_text(error: BaseException, *texts: str) -> str:
    """The traceback, in which each of the visitor's `texts` is replaced."""
    found = "".join(traceback.format_exception(error)).rstrip()
    for text in texts:
        if len(text) >= _LEAST_CHARACTERS:
            for form in (text, repr(text)[1:-1]):
                found = found.replace(form, "[what was typed]")
    return found
