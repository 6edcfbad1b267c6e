"""How a worker elsewhere comes by the sweep's pairs: by name, from its own copy of the project or the hub, or as the files themselves.

The pair of a person's own folders travels as data; no path of the machine that asks is opened on another.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from specdemo.lab.sweep_cells import PairIdentity
from specdemo.pairs.loading import load_folders, load_named
from specdemo.pairs.pair import Pair
from specdemo.pairs.sources import FETCHED

Put = Callable[[Any], Any]
Get = Callable[[Any], Any]
Files = Mapping[str, Any]  # name → what `put` made of the content


class PairSource(Protocol):
    """Plain data from which a pair can be loaded on any machine."""

    def load(self, get: Get) -> Pair:
        """The pair; `get` gives back what `put` was given. Raises what `load_pair` raises."""


@dataclass(frozen=True)
class NamedPair:
    """A pair of the registry or of the hub; arguments as for `load_named`."""

    name: str
    draft: str | None
    device: str
    dtype: str

    def load(self, get: Get) -> Pair:
        """See PairSource."""
        return load_named(self.name, draft=self.draft, device=self.device, dtype=self.dtype)


@dataclass(frozen=True)
class FolderPair:
    """The files of two folders; `identity` gives the names by which the pair is known where they come from."""

    identity: PairIdentity
    draft: Files
    target: Files
    device: str

    def load(self, get: Get) -> Pair:
        """See PairSource. The files are written to a temporary folder of this machine, and removed when they are read."""
        with tempfile.TemporaryDirectory(prefix="specdemo-pair-", ignore_cleanup_errors=True) as place:
            folders = []
            for name, files in (("draft", self.draft), ("target", self.target)):
                folder = Path(place, name)
                folder.mkdir()
                for file, content in files.items():
                    np.asarray(get(content)).tofile(folder / file)
                folders.append(folder)
            pair = load_folders(*folders, device=self.device, dtype=self.identity.dtype)
        return replace(pair, name=self.identity.pair, title=self.identity.pair, draft_name=self.identity.draft)


def folder_pairs(
    target: Path, drafts: Sequence[tuple[PairIdentity, Path]], device: str, put: Put
) -> dict[str, PairSource]:
    """Sources of pairs that share a target's folder, by their drafts' names; each folder's files are `put` once."""
    files = _files(target, put)
    return {identity.draft: FolderPair(identity, _files(folder, put), files, device) for identity, folder in drafts}


def _files(folder: Path, put: Put) -> Files:
    paths = sorted({path for pattern in FETCHED for path in folder.glob(pattern) if path.is_file()})
    return {path.name: put(_content(path)) for path in paths}


def _content(path: Path) -> Any:
    # Mapped, not read: a file of many gigabytes need not fit into memory beside the store. An empty file cannot be mapped.
    if not path.stat().st_size:
        return np.zeros(0, dtype=np.uint8)
    return np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
