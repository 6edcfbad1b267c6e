"""Folders that are made once and kept in the user's cache folder: complete or not there, checked before use, made again where damaged.

A folder is made under another name and renamed, so that a reader never meets half of it. Of several processes one makes it, where the
system has locks; without them each makes its own, and one of these stays. What is in it is the caller's business.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from specdemo.locks import ForkSafeLock

MANIFEST = "made-from.json"
# What a process that was killed has left behind is nobody's after so long.
LEAVINGS_SECONDS = 3600
# Longer than making takes: whoever holds the lock after that has been stopped.
PATIENCE_SECONDS = 120.0

Facts = Mapping[str, str | int]
Fill = Callable[[Path], None]

_lock = ForkSafeLock()
_temporary: dict[str, tempfile.TemporaryDirectory[str]] = {}
_checked: dict[Path, list[tuple[Any, ...]]] = {}


def cache_base() -> Path:
    """`specdemo` in the user's cache folder: $XDG_CACHE_HOME, or ~/.cache. RuntimeError where the user has no home folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "specdemo"


def kept_folder(name: str, facts: Facts, fill: Fill, say: Callable[[str], None]) -> Path:
    """The folder `name` with what `fill` writes into an empty one, made unless it is there, was made from the same `facts` and is whole.

    `say` is told why it is made again, or why it cannot be kept: where the cache folder cannot be written a temporary one serves, which
    lasts as long as the process. OSError where that cannot be written either.
    """
    with _lock:
        folder, reason = _place(name), "the user has no home folder"
        if folder is not None and intact(folder, facts):
            return folder
        if name in _temporary:
            spare = Path(_temporary[name].name) / name
            return spare if intact(spare, facts) else _made(spare, facts, fill)
        if folder is not None:
            try:
                return _made_alone(folder, facts, fill, say)
            except OSError as error:
                reason = error.strerror or type(error).__name__
        say(f"The cache folder cannot be written ({reason}): a temporary folder is used, until the program ends")
        _temporary[name] = tempfile.TemporaryDirectory(prefix="specdemo-", ignore_cleanup_errors=True)
        return _made(Path(_temporary[name].name) / name, facts, fill)


def intact(folder: Path, facts: Facts) -> bool:
    """Whether the folder was made from these facts and every file in it still is what was written.

    What has been read once is not read again in this process, unless a file's size, time or place has changed.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files: dict[str, str] = manifest["files"]
        if manifest["made_from"] != dict(facts) or not files:
            return False
        looks = [(name, *_look(folder / name)) for name in sorted(files)]
        if _checked.get(folder) == looks:
            return True
        if any(file_hash(folder / name) != digest for name, digest in files.items()):
            return False
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # no manifest, or one that is cut off
        return False
    _checked[folder] = looks
    return True


def doubt(folder: Path) -> None:
    """Read the folder's files again when they are next asked for."""
    _checked.pop(folder, None)


def file_hash(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


@contextmanager
def _alone(base: Path, say: Callable[[str], None]) -> Iterator[None]:
    """While no other process does the same; where there are no locks, or one is held too long, without that promise."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(base, os.O_RDONLY)
    try:
        until = time.monotonic() + PATIENCE_SECONDS
        for attempt in itertools.count():
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if attempt == 0:
                    say("Another process is at it: waiting until it is done")
                if time.monotonic() > until:
                    break
                time.sleep(0.1)
            except OSError:  # a file system without locks
                break
        yield
    finally:
        os.close(handle)


def _place(name: str) -> Path | None:
    try:
        return cache_base() / name
    except RuntimeError:
        return None


def _made_alone(folder: Path, facts: Facts, fill: Fill, say: Callable[[str], None]) -> Path:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _alone(folder.parent, say):
        if intact(folder, facts):  # by now
            return folder
        if folder.exists():
            say("What was kept in the cache folder is damaged or of another kind: it is made again")
        return _made(folder, facts, fill)


def _made(folder: Path, facts: Facts, fill: Fill) -> Path:
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=folder.name + "."))
    try:
        fill(fresh)
        files = {path.name: file_hash(path) for path in sorted(fresh.iterdir())}
        manifest = {"made_from": dict(facts), "files": files}
        (fresh / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        for path in fresh.iterdir():
            path.chmod(0o644)
        fresh.chmod(0o755)
        _put(fresh, folder, facts)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def _put(fresh: Path, folder: Path, facts: Facts) -> None:
    try:
        fresh.rename(folder)
        return
    except OSError:
        if intact(folder, facts):  # another process was quicker
            return
    old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=folder.name + "."))
    try:
        folder.rename(old / "damaged")
        fresh.rename(folder)
    except OSError:
        if not intact(folder, facts):
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _sweep(folder: Path) -> None:
    for path in folder.parent.glob(folder.name + ".*"):
        try:
            if time.time() - path.stat().st_mtime > LEAVINGS_SECONDS:
                shutil.rmtree(path, ignore_errors=True)
        except OSError:  # swept by another process meanwhile
            continue


def _look(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ino
