"""Loading the two models and the tokenizer of a pair, from folders of the project or from the hub, with progress.

Code from a repository is never run (`trust_remote_code` stays off). The hub is reached only when a hub pair is asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from specdemo.pairs.pair import Pair
from specdemo.pairs.registry import PairEntry, Source, get

# What a model and its tokenizer are read from.
_FETCHED = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]
PRECISIONS = ("float64", "float32", "bfloat16", "float16")
Progress = Callable[[str, float | None], None]


class PairUnavailable(RuntimeError):
    """A pair cannot be loaded: files are missing, or the hub cannot be reached."""


def load_pair(
    name: str, *, draft: str | None = None, device: str = "auto", dtype: str = "auto", progress: Progress | None = None
) -> Pair:
    """Load a pair of the registry, or, with `draft`, any two hub ids (`name` is then the target's id).

    `device` "auto" is CUDA, else MPS, else CPU; `dtype` "auto" is bfloat16 on CUDA and float32 elsewhere. `progress(text, fraction)`
    is called before each part. Raises ValueError for an unknown name, PairUnavailable, or TokenizersDiffer.
    """
    entry = _entry_of(name, draft)
    draft_name = draft if draft is not None else next(iter(entry.drafts))
    draft_source = entry.drafts[draft_name][1]
    return _load(entry, draft_name, draft_source, device, dtype, progress or (lambda text, fraction: None))


def fetch_pair(name: str, draft: str | None = None, progress: Progress | None = None) -> None:
    """Bring a pair's files from the hub to this machine, where they are not here yet; nothing is loaded into memory.

    Raises ValueError for an unknown name, PairUnavailable where the hub cannot be reached.
    """
    entry = _entry_of(name, draft)
    draft_source = entry.drafts[draft if draft is not None else next(iter(entry.drafts))][1]
    say = progress or (lambda text, fraction: None)
    for what, source in (("draft", draft_source), ("target", entry.target)):
        if source.repo is None:
            continue
        say(f"Fetching the {what} model {source.repo} from the hub", None)
        try:
            from huggingface_hub import snapshot_download

            snapshot_download(source.repo, revision=source.revision or "main", allow_patterns=_FETCHED)
        except Exception as error:  # the hub client raises many kinds; all mean the same to the person
            raise _unreachable(source.repo, error) from error


def load_folders(draft_dir: Path, target_dir: Path, *, device: str = "auto", dtype: str = "auto") -> Pair:
    """A pair from two folders; see Pair.from_folders."""
    entry = PairEntry(
        target_dir.name,
        target_dir.name,
        Source(folder=target_dir),
        {draft_dir.name: (draft_dir.name, Source(folder=draft_dir))},
    )
    return _load(entry, draft_dir.name, Source(folder=draft_dir), device, dtype, lambda text, fraction: None)


def _entry_of(name: str, draft: str | None) -> PairEntry:
    if "/" in name:
        if not draft:
            raise ValueError(f"{name!r} is a hub id: give the draft's hub id too (draft=…)")
        return PairEntry(name, name, Source(repo=name), {draft: (draft, Source(repo=draft))})
    entry = get(name)
    if draft is not None and draft not in entry.drafts:
        raise ValueError(f"the pair {name!r} has no draft {draft!r}: choose one of {', '.join(entry.drafts)}")
    return entry


def _load(entry: PairEntry, draft_name: str, draft_source: Source, device: str, dtype: str, progress: Progress) -> Pair:
    progress("Starting PyTorch", 0.0)
    import torch

    from specdemo.pairs.weights import suited_to_few_rows

    try:
        place = torch.device(_best_device() if device == "auto" else device)
    except RuntimeError as error:
        raise ValueError(
            f"device must be 'auto' or a device of PyTorch such as 'cpu' or 'cuda', got {device!r}"
        ) from error
    if dtype not in ("auto", *PRECISIONS):
        raise ValueError(f"dtype must be 'auto', {', '.join(map(repr, PRECISIONS))}, got {dtype!r}")
    element = (
        _best_dtype(place) if dtype == "auto" and entry.dtype == "auto" else dtype if dtype != "auto" else entry.dtype
    )
    progress("Loading the tokenizer", 0.1)
    tokenizer, _ = _part("AutoTokenizer", entry.target)
    draft_tokenizer, _ = _part("AutoTokenizer", draft_source)
    progress("Loading the draft model", 0.3)
    draft_model, draft_revision = _part("AutoModelForCausalLM", draft_source, dtype=getattr(torch, element))
    progress("Loading the target model", 0.5)
    target_model, target_revision = _part("AutoModelForCausalLM", entry.target, dtype=getattr(torch, element))
    progress("Moving the models to the device", 0.9)
    try:
        draft_model, target_model = draft_model.to(place), target_model.to(place)
    except (AssertionError, RuntimeError, NotImplementedError) as error:
        raise PairUnavailable(
            f"the models could not be moved to the device {str(place)!r} ({_first_line(error)}): try device='cpu'"
        ) from error
    pair = Pair.from_models(
        suited_to_few_rows(draft_model),
        suited_to_few_rows(target_model),
        tokenizer,
        draft_tokenizer=draft_tokenizer,
        name=entry.name,
        title=entry.title,
        draft_name=draft_name,
        draft_revision=draft_revision,
        target_revision=target_revision,
    )
    progress("Ready", 1.0)
    return pair


def _part(auto_class: str, source: Source, **arguments: Any) -> tuple[Any, str]:
    """One tokenizer or model and the revision that was really loaded."""
    import transformers

    loader = getattr(transformers, auto_class)
    if source.folder is not None:
        if not (source.folder / "config.json").is_file():
            raise PairUnavailable(
                f"the folder {source.folder.name!r} has no config.json: the pair's files are missing or incomplete"
            )
        try:
            with _quiet(transformers):
                part = loader.from_pretrained(str(source.folder), local_files_only=True, **arguments)
            return part, folder_revision(source.folder)
        except Exception as error:  # a file that is cut off or only a pointer to one raises kinds of its own
            reason = _first_line(error).replace(str(source.folder), source.folder.name)
            raise PairUnavailable(
                f"the files in the folder {source.folder.name!r} cannot be read ({reason}): fetch them again"
            ) from error
    assert source.repo is not None
    try:
        part = loader.from_pretrained(
            source.repo, revision=source.revision or "main", trust_remote_code=False, **arguments
        )
    except Exception as error:  # the hub client raises many kinds; all mean the same to the person
        raise _unreachable(source.repo, error) from error
    resolved = getattr(getattr(part, "config", None), "_commit_hash", None)
    return part, str(resolved or source.revision or "main")


def _unreachable(repo: str, error: Exception) -> PairUnavailable:
    return PairUnavailable(
        f"{repo} could not be loaded from the hub ({_first_line(error)}). "
        "Check the connection and the name; the embedded pair works offline."
    )


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


def folder_revision(folder: Path) -> str:
    """A content hash of a folder's configuration, tokenizer and weights: "sha256:" and 16 hex digits."""
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.safetensors")]):
        digest.update(path.name.encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"sha256:{digest.hexdigest()[:16]}"


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _best_dtype(device: Any) -> str:
    return "bfloat16" if device.type == "cuda" else "float32"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
