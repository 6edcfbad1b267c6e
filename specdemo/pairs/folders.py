"""Two model folders of this machine in the place of a pair's name: on the command line and in Python, where people name their own.

What a visitor of the server sends never comes here: the pages load by `loading.load_named`, which knows registered pairs and ids of the hub.
"""

from __future__ import annotations

import os
from pathlib import Path

from specdemo.pairs import registry
from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.hub_ids import is_hub_id
from specdemo.pairs.registry import PairEntry, Source

Name = str | Path
_BOTH = "give the folders of both"


def is_model_folder(name: Name) -> bool:
    """Whether this names a folder that holds a config.json; a registered pair's name is that pair, and `./stories` the folder."""
    return name != "" and not _is_registered(name) and (Path(name) / "config.json").is_file()


def folder_pair(target: Name, draft: Name | None) -> PairEntry | None:
    """The pair of two folders; None where `target` is a registered pair or has the form of a hub id and is no folder here.

    Raises ValueError where only one of the two is a folder, or `target` is nothing that is known; PairUnavailable for a folder that is not
    there, or has no config.json.
    """
    if _is_registered(target):
        return None
    if is_model_folder(target):
        if draft is None:
            raise ValueError(f"{str(target)!r} is a folder: give the draft's folder too (draft=…)")
        if not is_model_folder(draft):
            _check_no_path(draft)
            raise ValueError(f"the target {str(target)!r} is a folder and the draft {str(draft)!r} is none: {_BOTH}")
        return entry_of_folders(Path(draft), Path(target))
    _check_no_path(target)
    if not is_hub_id(str(target)):
        try:
            registry.get(str(target))
        except ValueError as error:
            raise ValueError(f"{error}, or give a folder with a config.json") from None
    if draft is not None:
        if is_model_folder(draft):
            raise ValueError(f"the draft {str(draft)!r} is a folder and the target {str(target)!r} is none: {_BOTH}")
        _check_no_path(draft)
    return None


def entry_of_folders(draft: Path, target: Path) -> PairEntry:
    """The entry of two folders, under their own names. Raises PairUnavailable where one of them is not there."""
    for folder in (target, draft):
        if not folder.is_dir():
            raise PairUnavailable(f"there is no folder {folder.name!r}")
    name, draft_name = _own_name(target), _own_name(draft)
    return PairEntry(name, name, Source(folder=target), {draft_name: (draft_name, Source(folder=draft))})


def _is_registered(name: Name) -> bool:
    return isinstance(name, str) and name in registry.names()


def _own_name(folder: Path) -> str:
    return Path(os.path.abspath(folder)).name  # "." and ".." have one too


def _check_no_path(name: Name) -> None:
    """PairUnavailable for a path, and for a folder without a model; an id of the hub and any other name pass."""
    text = str(name)
    hub_id = isinstance(name, str) and is_hub_id(text)
    if name != "" and Path(name).is_dir():
        hub = "; for the hub's model of this name start from another folder" if hub_id else ""
        raise PairUnavailable(f"the folder {text!r} has no config.json: there is no model in it{hub}")
    if isinstance(name, Path) or (not hub_id and ("/" in text or os.sep in text)):
        raise PairUnavailable(f"there is no folder {text!r}")
