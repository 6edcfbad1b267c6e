"""Where a command writes: checked before anything is measured, so that nothing is lost that it writes elsewhere, or reads."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

Place = tuple[str, Path]  # the option, or what else a person knows it by, and the file
Identity = tuple[Any, ...] | None
_OF_A_MODEL = ("*.json", "*.safetensors", "*.bin", "*.model", "*.txt", "*.jinja")


def check_written(options: argparse.Namespace, *names: str, read: Iterable[Place | TextIO] = ()) -> None:
    """`check_place` of every option of these names that was given, and `check_apart` of them all."""
    written = [(f"--{name}", Path(getattr(options, name))) for name in names if getattr(options, name) is not None]
    for option, path in written:
        check_place(option, path)
    check_apart(written, read)


def check_place(option: str, path: Path) -> None:
    """ValueError where a file cannot be written there: what takes long should not fail at its end."""
    if path.is_dir():
        raise ValueError(f"{option}: {path} is a folder, a file is needed")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"{option}: the folder of {path} does not exist")


def check_apart(written: Sequence[Place], read: Iterable[Place | TextIO] = ()) -> None:
    """ValueError where a file that is written is also read, or is written twice: also through links, in letters of another case
    where the file system takes them for the same, and where the shell leads standard output to it, or from it a stream that is read."""
    if not written:
        return
    known = [_known(place, "reads") for place in (*read, sys.stdout)]
    for option, path in written:
        identity = _identity(path)
        for there, words in known:
            if identity is not None and identity == there:
                raise ValueError(f"{option} {path} would be written over {words}: name another file")
        known.append(_known((option, path), "writes"))


def model_files(options: argparse.Namespace, drafts: Iterable[str | None], option: str = "--draft") -> list[Place]:
    """The files that models are read from, where `--pair` and the drafts of `option` are folders."""
    from specdemo.pairs.folders import is_model_folder

    folders = [("--pair", options.pair), *((option, draft) for draft in drafts if draft is not None)]
    return [
        (who, path)
        for who, folder in folders
        if is_model_folder(folder)
        for kind in _OF_A_MODEL
        for path in Path(folder).glob(kind)
    ]


def _known(place: Place | TextIO | None, does: str) -> tuple[Identity, str]:
    """What a file is known by, and the words for it."""
    if isinstance(place, tuple):
        return _identity(place[1]), f"{place[1]}, which {place[0]} {does}"
    try:
        status = os.fstat(place.fileno()) if place is not None else None
    except (AttributeError, OSError, ValueError):  # closed, or another thing in the place of a stream
        status = None
    known = None if status is None or not stat.S_ISREG(status.st_mode) else (status.st_dev, status.st_ino)
    return known, f"the file of standard {'input' if place is sys.stdin else 'output'}"


def _identity(path: Path) -> Identity:
    """What two paths of one file share, whether it is there yet or not; None for the null device, where nothing can be lost."""
    if os.path.realpath(path) == os.devnull:
        return None
    try:
        status = path.stat()
        return status.st_dev, status.st_ino
    except OSError:  # not there yet: the folder, and the name in it
        real = Path(os.path.realpath(path))
    try:
        folder = real.parent.stat()
    except OSError:
        return (str(real),)
    name = real.name.casefold() if _ignores_case(real.parent) else real.name
    return folder.st_dev, folder.st_ino, name


def _ignores_case(folder: Path) -> bool:
    """Whether a name in letters of another case names the same file in this folder, as a name that is there shows."""
    try:
        names = [path for path in (*folder.iterdir(), folder) if path.name.isascii()]
        for path in names:
            if path.name.swapcase() != path.name:
                return path.samefile(path.with_name(path.name.swapcase()))
    except OSError:
        pass
    return False
