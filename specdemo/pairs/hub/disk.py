"""The share of the disk that models which visitors name may take: what was used longest ago, and is not in use, makes room for the next.

They lie in a folder of their own, a folder for each commit of a repository, so that nothing else on this disk is ever touched: neither the
registered pairs' files nor what its owner keeps in the hub's cache. A model in use is leased; leases are locks of the system, which other
processes see, and which end with theirs.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import time
import weakref
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from specdemo.locks import ForkSafeLock
from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.hub.limits import disk_bytes, gigabytes

try:
    import fcntl
except ImportError:  # a system without such locks: other processes' models may go, which costs them fetching again
    fcntl = None  # type: ignore[assignment]

FOLDER = "specdemo-visitors"
_LEASES, _GONE = ".leases", ".gone-"
# What everything else on the machine needs to go on.
LEAST_FREE = 500_000_000

_lock = ForkSafeLock()
_held: Counter[str] = Counter()


class Lease:
    """A model's folder while it is in use. It ends with `release`, or when nobody holds it any more."""

    def __init__(self, folder: Path, handle: int) -> None:
        self.folder = folder
        _held[folder.name] += 1
        self.release = weakref.finalize(self, _release, folder, handle, os.getpid())


def base() -> Path:
    """The folder of all of them, beside the hub's cache: it need not be there."""
    from huggingface_hub import constants

    return Path(constants.HF_HOME) / FOLDER


def folder_of(repo: str, commit: str) -> Path:
    """Where a commit of a repository is kept: an id holds no "--", so that no two share a folder."""
    return base() / f"{repo.replace('/', '--')}@{commit}"


def kept_folders(repo: str) -> list[Path]:
    """The folders of a repository's commits that are here, the one that was used last first."""
    return sorted(base().glob(f"{repo.replace('/', '--')}@*"), key=_used, reverse=True)


def leased(folder: Path, count: int, repo: str) -> Lease:
    """A lease of a folder for a model of `count` bytes, after room has been made for it; the folder is made.

    PairUnavailable in words where what is in use leaves too little of the share, or the disk itself has too little; OSError where nothing
    can be written there.
    """
    (base() / _LEASES).mkdir(parents=True, exist_ok=True)
    with _lock, _alone(base() / _LEASES / "lock"):
        handle = os.open(base() / _LEASES / folder.name, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            # What it will have, for others who count meanwhile.
            os.ftruncate(handle, 0)
            os.write(handle, str(count).encode())
            _make_room(folder, count, repo)
            folder.mkdir(exist_ok=True)
        except BaseException:
            os.close(handle)
            raise
        return Lease(folder, handle)


def discard(lease: Lease) -> None:
    """End a lease, and remove its folder unless somebody else has one too."""
    lease.release()
    with _lock, _alone(base() / _LEASES / "lock"):
        if not _in_use(lease.folder):
            _remove(lease.folder)


def _make_room(folder: Path, count: int, repo: str) -> None:
    for gone in base().glob(_GONE + "*"):  # of a process that was killed in the midst of it
        shutil.rmtree(gone, ignore_errors=True)
    sizes = {other: max(_bytes_of(other), _promised(other)) for other in base().glob("*@*") if other != folder}
    for other in sorted(sizes, key=_used):
        if sum(sizes.values()) + count <= disk_bytes():
            break
        if _in_use(other):
            gc.collect()  # a pair that nobody has any more may hold itself in a circle, and its lease with it
        if not _in_use(other):
            _remove(other)
            del sizes[other]
    left = disk_bytes() - sum(sizes.values())
    if count > left:
        raise PairUnavailable(
            f"{repo} has {gigabytes(count)}, and of the {gigabytes(disk_bytes())} that models of the hub may take here "
            f"{gigabytes(max(0, left))} are left beside those in use: choose a smaller model, or try again later"
        )
    free = shutil.disk_usage(base()).free + _bytes_of(folder) - LEAST_FREE
    if count > free:
        raise PairUnavailable(
            f"{repo} has {gigabytes(count)}, and the server's disk has room for {gigabytes(max(0, free))}: choose a smaller model, or ask "
            "the server's operator to make room"
        )


def _remove(folder: Path) -> None:
    gone = folder.with_name(f"{_GONE}{os.getpid()}-{time.monotonic_ns()}")
    with contextlib.suppress(OSError):
        folder.rename(gone)  # nobody meets half of it
        shutil.rmtree(gone, ignore_errors=True)
        (base() / _LEASES / folder.name).unlink()


def _in_use(folder: Path) -> bool:
    if _held[folder.name]:
        return True
    if fcntl is None:
        return False
    try:
        handle = os.open(base() / _LEASES / folder.name, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _promised(folder: Path) -> int:
    try:
        return int((base() / _LEASES / folder.name).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def _used(folder: Path) -> float:
    try:
        return (base() / _LEASES / folder.name).stat().st_mtime
    except OSError:
        return 0.0


def _bytes_of(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size
    return total


def _release(folder: Path, handle: int, owner: int) -> None:
    if os.getpid() == owner:
        with _lock:
            _held[folder.name] -= 1
        with contextlib.suppress(OSError):
            os.utime(folder.parent / _LEASES / folder.name)
    with contextlib.suppress(OSError):
        os.close(handle)


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """While no other process makes room: that takes no time."""
    if fcntl is None:
        yield
        return
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
