"""Models of the hub that a visitor names: whether that is allowed, what an id looks like, and what is refused before anything is fetched.

Who names a repository chooses what this machine reads. So: ids and never paths, files that anybody may read and never with the operator's own
token, weights as safetensors alone, and a bound on their size. Code from a repository is never run.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from pathlib import Path

from specdemo.pairs.errors import PairUnavailable

# Of one repository, as much as is fetched of it: 1.7 billion weights in bfloat16, twice.
MOST_BYTES = 6_000_000_000
# The hub's own rule, with an owner: no "..", no "--", and letters or digits at both ends of a name.
_NAME = r"[A-Za-z0-9](?:(?!\.\.|--)[A-Za-z0-9._-]){0,94}(?<![.-])"
_HUB_ID = re.compile(f"{_NAME}/{_NAME}")
_SECONDS = 15.0


def hub_ids_allowed() -> bool:
    """Whether requests may name any model of the hub: SPECDEMO_HUB_IDS=1."""
    return os.environ.get("SPECDEMO_HUB_IDS", "").strip().lower() in ("1", "true", "yes")


def is_hub_id(text: str) -> bool:
    """Whether a text has the form owner/name.

    >>> is_hub_id("openai-community/gpt2"), is_hub_id("../gpt2"), is_hub_id("gpt2"), is_hub_id("https://a/b"), is_hub_id("a/b/c")
    (True, False, False, False, False)
    """
    return _HUB_ID.fullmatch(text) is not None and not text.endswith(".git")


def check_hub_ids(target: str, draft: str | None) -> None:
    """ValueError in words unless both are ids of the hub, and no folders of this machine."""
    for what, name in (("target", target), ("draft", draft)):
        if not name:
            raise ValueError(f"{target!r} is an id of the hub: give the {what}'s id too, as owner/name")
        if not is_hub_id(name) or Path(name).exists():
            raise ValueError(
                f"the {what}'s id {name!r} is none of the hub: it has the form owner/name, as in openai-community/gpt2"
            )


def check_hub_files(repo: str, patterns: list[str]) -> None:
    """PairUnavailable in words where a repository is not open to everybody, holds no such model, or more than MOST_BYTES of it match the patterns.

    The hub's list of its files is asked for; where the hub is never to be asked (HF_HUB_OFFLINE=1), nothing is fetched and nothing checked.
    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    if constants.HF_HUB_OFFLINE:
        return
    try:
        found = HfApi(token=False).model_info(repo, files_metadata=True, timeout=_SECONDS)
    except GatedRepoError as error:
        raise PairUnavailable(
            f"{repo} is gated: its owner decides who may read it. Choose a model that is open to everybody"
        ) from error
    except RepositoryNotFoundError as error:
        raise PairUnavailable(
            f"the hub has no model {repo} that is open to everybody: check its owner and its name"
        ) from error
    except Exception as error:  # the client raises many kinds; all mean the same to the person
        raise PairUnavailable(
            f"the hub could not be asked for {repo}: try again when there is a network, or choose another pair"
        ) from error
    if found.gated:
        raise PairUnavailable(
            f"{repo} is gated: its owner decides who may read it. Choose a model that is open to everybody"
        )
    sizes = {one.rfilename: one.size for one in found.siblings or []}
    if "config.json" not in sizes or "adapter_config.json" in sizes:
        raise PairUnavailable(
            f"{repo} is no whole model in the form of transformers (a config.json and no adapter): choose another one"
        )
    if not any(name.endswith(".safetensors") and "/" not in name for name in sizes):
        raise PairUnavailable(
            f"{repo} has no weights as safetensors, and no other kind is read here: choose another one"
        )
    total = sum(size or 0 for name, size in sizes.items() if any(fnmatch(name, pattern) for pattern in patterns))
    if total > MOST_BYTES or any(size is None for size in sizes.values()):
        said = (
            f"has {total / 1e9:.1f} GB of files" if total > MOST_BYTES else "has files whose size the hub does not tell"
        )
        raise PairUnavailable(
            f"{repo} {said}: at most {MOST_BYTES / 1e9:.0f} GB are fetched here. Choose a smaller model"
        )
