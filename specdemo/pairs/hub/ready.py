"""A model that a visitor named, made ready to be loaded: listed, fetched, checked and counted, in this order, and kept while it is in use.

Loading is from its folder alone, at the commit that was checked: nothing is asked of the hub a second time.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

from specdemo.locks import ForkSafeLock
from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.hub.claims import check_claims, check_tokenizer_settings
from specdemo.pairs.hub.disk import Lease, discard, folder_of, kept_folders, leased
from specdemo.pairs.hub.limits import gigabytes
from specdemo.pairs.hub.listing import MOST_OF_FILE, Listing, is_weights, listing
from specdemo.pairs.hub.reading import Reader
from specdemo.pairs.hub.weights import check_counts, stored_weights

Say = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Ready:
    """A model's folder, checked. Its files stay for as long as somebody holds this."""

    repo: str
    commit: str
    folder: Path
    reader: Reader
    lease: Lease | None

    def kept_with(self, model: object) -> None:
        """Hold this for as long as the model is there."""
        weakref.finalize(model, _nothing, self).atexit = False


_ready: WeakValueDictionary[str, Ready] = WeakValueDictionary()
_locks: WeakValueDictionary[str, ForkSafeLock] = WeakValueDictionary()
_lock = ForkSafeLock()


def at_hand(repo: str) -> Ready | None:
    """What has been made ready and is still held by somebody."""
    return _ready.get(repo)


def make_ready(repo: str, say: Say, *, reads_prompts: bool = True) -> Ready:
    """The model of a repository as the hub has it now, or, where the hub is never to be asked, as it is here.

    `reads_prompts`: whether its tokenizer will be needed. PairUnavailable in words where anything about it is not as it should be; where
    files cannot be fetched or written, what the client or the system raises.
    """
    from huggingface_hub import constants

    with _lock:
        lock = _locks.setdefault(repo, ForkSafeLock())
    with lock:
        found = None if constants.HF_HUB_OFFLINE else listing(repo)
        folder, commit, lease = _here(repo) if found is None else _fetched(found, say)
        ready = _ready.get(repo)
        if ready is not None and ready.folder == folder:
            if reads_prompts:
                ready.reader.start()
            return ready
        say(f"Checking what {repo} claims")
        with _gone_if_refused(lease, found is not None):
            reader = _checked(folder, repo)
        if not reads_prompts:
            reader.stop()
        ready = _ready[repo] = Ready(repo, commit, folder, reader, lease)
        return ready


def _checked(folder: Path, repo: str) -> Reader:
    _check_small(folder, repo)
    stored = stored_weights(folder, repo)
    reader = Reader(folder, repo)
    try:
        check_counts(reader.facts, stored, repo)
    except PairUnavailable:
        reader.stop()
        raise
    return reader


@contextmanager
def _gone_if_refused(lease: Lease | None, can_be_fetched: bool) -> Iterator[None]:
    """What is refused is not kept: names of such repositories cost nothing to make up."""
    try:
        yield
    except PairUnavailable:
        if lease is not None and can_be_fetched:
            discard(lease)
        raise


def _fetched(found: Listing, say: Say) -> tuple[Path, str, Lease | None]:
    """The folder with all files of a listing. What is wrong with the small ones is said before the weights are fetched."""
    from huggingface_hub import hf_hub_download

    folder = _in_the_cache(found)
    if folder is not None:
        return folder, found.commit, None
    folder = folder_of(found.repo, found.commit)
    lease = leased(folder, found.bytes, found.repo)
    small = [name for name in found.names if not is_weights(name)]
    with _gone_if_refused(lease, True):
        for names in (small, [name for name in found.names if is_weights(name)]):
            for name in names:
                if not _whole(folder, name, found.sizes[name]):
                    say(f"Fetching {name} of {found.repo} from the hub ({gigabytes(found.sizes[name])})")
                    hf_hub_download(found.repo, name, revision=found.commit, local_dir=folder, token=False)
                if not _whole(folder, name, found.sizes[name]):
                    raise PairUnavailable(
                        f"{found.repo}: its {name} did not come with the {gigabytes(found.sizes[name])} that the hub's list tells: try again"
                    )
            _check_small(folder, found.repo)
    return folder, found.commit, lease


def _in_the_cache(found: Listing) -> Path | None:
    """The operator's own copy of this commit, where all of it is there; it is read and never removed."""
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(found.repo, "config.json", revision=found.commit)
    folder = Path(path).parent if isinstance(path, str) else None
    return folder if folder and all(_whole(folder, name, size) for name, size in found.sizes.items()) else None


def _here(repo: str) -> tuple[Path, str, Lease | None]:
    from huggingface_hub import snapshot_download

    for folder in kept_folders(repo):
        if (folder / "config.json").is_file():
            return folder, folder.name.rpartition("@")[2], leased(folder, 0, repo)
    folder = Path(snapshot_download(repo, revision="main", local_files_only=True, token=False))
    return folder, folder.name, None


def _check_small(folder: Path, repo: str) -> None:
    if not (folder / "config.json").is_file() or (folder / "adapter_config.json").exists():
        raise PairUnavailable(
            f"{repo} is no whole model in the form of transformers (a config.json and no adapter): choose another one"
        )
    for name, most in MOST_OF_FILE.items():
        path = folder / name
        if path.is_file() and path.stat().st_size > most:
            raise PairUnavailable(
                f"{repo}: its {name} has {gigabytes(path.stat().st_size)}; at most {gigabytes(most)} are read. Choose another model"
            )
    check_claims((folder / "config.json").read_bytes(), repo)
    check_tokenizer_settings(folder / "tokenizer_config.json", repo)


def _whole(folder: Path, name: str, size: int) -> bool:
    path = folder / name
    return path.is_file() and path.stat().st_size == size


def _nothing(held: object) -> None:
    """What is held goes with this."""
