"""One tokenizer or model from where its source says it is: a folder, an installed package, or the hub; and the revision of its weights.

Code from a repository is never run (`trust_remote_code` stays off).
"""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.kept import file_hash
from specdemo.pairs.packaged import check_again, unpacked
from specdemo.pairs.registry import Source
from specdemo.sentences import sentence

if TYPE_CHECKING:
    from specdemo.pairs.hub.ready import Ready

# What a model and its tokenizer are read from.
FETCHED = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]
# One of these is in every folder with a tokenizer; for some kinds transformers makes an empty one where there is none.
_OF_A_TOKENIZER = ["tokenizer.json", "*.model", "vocab*", "merges.txt", "*.spm", "*.tiktoken", "tekken.json"]
Progress = Callable[[str, float | None], None]


def make_ready(source: Source, what: str, progress: Progress) -> object:
    """Bring a source's files to this machine, or unpack them, where that has not been done; nothing is loaded into memory.

    The files of a repository that a visitor named may be removed again when nobody holds what is returned. Raises PairUnavailable where a
    folder is missing, a package cannot be unpacked, the hub cannot be reached, or a visitor named what is not read here.
    """
    check_here(source)
    if source.folder is not None:
        return None
    if source.package is not None and source.package.installed:
        unpacked(source.package, lambda text: progress(text, None))
    elif source.repo is not None:
        progress(sentence(f"fetching_{what}", repo=source.repo), None)
        if source.open:
            return _visitors_own(source, progress, reads_prompts=what == "target")
        nowhere = no_network()
        try:
            from huggingface_hub import snapshot_download

            snapshot_download(
                source.repo, revision=source.revision or "main", allow_patterns=FETCHED, local_files_only=nowhere is not None
            )  # fmt: skip
        except Exception as error:  # the hub client raises many kinds; all mean the same to the person
            raise _unreachable(source, nowhere or error) from error
    return None


def check_here(source: Source) -> None:
    """Raises PairUnavailable where a source is a folder that is not there."""
    if source.folder is not None and not (source.folder / "config.json").is_file():
        raise PairUnavailable(
            f"the folder {source.folder.name!r} has no config.json: the pair's files are missing or incomplete"
        )


def load_tokenizer(source: Source, progress: Progress) -> Any:
    """The tokenizer of a source. Raises PairUnavailable."""
    if source.folder is not None:
        check_here(source)
        if not any(any(source.folder.glob(pattern)) for pattern in _OF_A_TOKENIZER):
            raise PairUnavailable(
                f"the folder {source.folder.name!r} has no tokenizer.json, nor another file of a tokenizer: save the tokenizer there too"
            )
    return _part("AutoTokenizer", source, progress, hashed=False)[0]


def load_model(source: Source, progress: Progress, **arguments: Any) -> tuple[Any, str]:
    """The model of a source, with `arguments` for transformers, and the revision that was really loaded. Raises PairUnavailable."""
    return _part("AutoModelForCausalLM", source, progress, hashed=True, **arguments)


def folder_revision(folder: Path) -> str:
    """A content hash of a folder's configuration, tokenizer and weights: "sha256:" and 16 hex digits."""
    digest = hashlib.sha256()
    for path in sorted(path for kind in ("*.json", "*.safetensors", "*.bin") for path in folder.glob(kind)):
        digest.update(path.name.encode())
        digest.update(bytes.fromhex(file_hash(path)))
    return f"sha256:{digest.hexdigest()[:16]}"


def first_line(error: BaseException) -> str:
    """What an error says, as far as it fits into a sentence."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


def _part(auto_class: str, source: Source, progress: Progress, *, hashed: bool, **arguments: Any) -> tuple[Any, str]:
    import transformers

    loader = getattr(transformers, auto_class)
    if source.folder is not None:
        check_here(source)
        try:
            part = _from_folder(loader, source.folder, **arguments)
            return part, folder_revision(source.folder) if hashed else ""
        except Exception as error:  # a file that is cut off or only a pointer to one raises kinds of its own
            reason = first_line(error).replace(str(source.folder), source.folder.name)
            raise PairUnavailable(
                f"the files in the folder {source.folder.name!r} cannot be read ({reason}): fetch them again"
            ) from error
    if source.package is not None and source.package.installed:
        return _from_package(loader, source, progress, **arguments)
    if source.repo is None:
        assert source.package is not None
        unpacked(source.package)  # says how to get it
    assert source.repo is not None
    if hashed:
        arguments["use_safetensors"] = True
    if source.open:
        return _from_visitors_own(loader, source, progress, hashed=hashed, **arguments)
    if Path(source.repo).is_dir():  # which transformers would read in its place
        raise PairUnavailable(
            f"here is a folder {source.repo!r}, in the way of the hub's model: start from another folder"
        )
    nowhere = no_network()
    try:
        part = loader.from_pretrained(
            source.repo, revision=source.revision or "main", trust_remote_code=False, local_files_only=nowhere is not None, **arguments
        )  # fmt: skip
    except Exception as error:  # the hub client raises many kinds; all mean the same to the person
        raise _unreachable(source, nowhere or error) from error
    return part, _commit(source.repo, source.revision or "main") if hashed else ""


def no_network() -> OSError | None:
    """Why the hub's name leads nowhere, if it does not: then what is cached is all there is, and a minute of tries would not change it."""
    from huggingface_hub import constants

    host = urlsplit(constants.ENDPOINT).hostname
    if host is None or getproxies():  # a proxy may know names that this machine does not
        return None
    try:
        socket.getaddrinfo(host, None)
    except OSError as error:
        return error
    return None


def _commit(repo: str, revision: str) -> str:
    """The commit that a revision of a repository stands for in the hub's cache; the revision itself where nothing is there."""
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(repo, "config.json", revision=revision)
    return Path(found).parent.name if isinstance(found, str) else revision


def _visitors_own(source: Source, progress: Progress, *, reads_prompts: bool = True) -> Ready:
    from specdemo.pairs.hub import ready

    assert source.repo is not None
    try:
        return ready.make_ready(source.repo, lambda text: progress(text, None), reads_prompts=reads_prompts)
    except PairUnavailable:
        raise
    except Exception as error:  # as above
        raise _unreachable(source, error) from error


def _from_visitors_own(
    loader: Any, source: Source, progress: Progress, *, hashed: bool, **arguments: Any
) -> tuple[Any, str]:
    """From the folder that was checked, and from nowhere else."""
    from specdemo.pairs.hub import ready
    from specdemo.pairs.hub.reading import BoundedTokenizer

    found = ready.at_hand(source.repo or "") or _visitors_own(source, progress)
    try:
        part = _from_folder(loader, found.folder, trust_remote_code=False, **arguments)
    except Exception as error:  # a file that is no such file raises kinds of its own
        reason = first_line(error).replace(str(found.folder), "…")
        raise PairUnavailable(f"the files of {source.repo} cannot be read ({reason}). Choose another model") from error
    if not hashed:
        return BoundedTokenizer(part, found.reader, found), ""
    found.kept_with(part)
    return part, found.commit


def _from_folder(loader: Any, folder: Path, **arguments: Any) -> Any:
    import transformers

    with _quiet(transformers):
        return loader.from_pretrained(str(folder), local_files_only=True, **arguments)


def _from_package(loader: Any, source: Source, progress: Progress, **arguments: Any) -> tuple[Any, str]:
    assert source.package is not None
    ready = unpacked(source.package, lambda text: progress(text, None))
    try:
        return _from_folder(loader, ready.folder, **arguments), ready.revision
    except Exception:  # another process may just be putting a whole folder in the place of a damaged one
        check_again(ready)
        ready = unpacked(source.package, lambda text: progress(text, None))
    try:
        return _from_folder(loader, ready.folder, **arguments), ready.revision
    except Exception as error:
        reason = first_line(error).replace(str(ready.folder), ready.folder.name)
        raise PairUnavailable(f"the unpacked weights of {source.package.title} cannot be loaded ({reason})") from error


def _unreachable(source: Source, error: Exception) -> PairUnavailable:
    from huggingface_hub import constants

    reason = first_line(error).replace(str(constants.HF_HUB_CACHE), "…")
    repo = str(source.repo)
    if source.package is not None:
        package, how = source.package.title, source.package.how
        return PairUnavailable(sentence("hub_unreachable_package", package=package, repo=repo, reason=reason, how=how))
    return PairUnavailable(sentence("hub_unreachable", repo=repo, reason=reason))


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """No progress bars: reading a folder takes less time than drawing one. A download from the hub keeps them."""
    logging = transformers.utils.logging
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
