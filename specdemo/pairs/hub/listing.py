"""What the hub says of a repository before anything of it is fetched: whether anybody may read it, and which of its files are needed.

Asked without a token. Each kind of file has a bound of its own, the weights the operator's (limits.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.hub.limits import gigabytes, most_bytes
from specdemo.sentences import sentence

_SECONDS = 15.0
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
SHARD = re.compile(r"model-\d{5}-of-\d{5}\.safetensors")
_MB = 1_000_000
# The largest in use: a tokenizer of 262,144 tokens has 33 MB.
MOST_OF_FILE = {
    "config.json": 1 * _MB, "generation_config.json": 1 * _MB, "tokenizer.json": 50 * _MB, "vocab.json": 20 * _MB, "merges.txt": 20 * _MB,
    "tokenizer_config.json": 5 * _MB, "special_tokens_map.json": 1 * _MB, "added_tokens.json": 5 * _MB, "chat_template.jinja": 1 * _MB,
    INDEX: 10 * _MB,
}  # fmt: skip
_WITHOUT_A_TOKENIZER_FILE = ("vocab.json", "merges.txt")


@dataclass(frozen=True)
class Listing:
    """A repository at a commit, and the bytes of each of its files that are needed."""

    repo: str
    commit: str
    sizes: Mapping[str, int]

    @property
    def bytes(self) -> int:
        """Of all of them."""
        return sum(self.sizes.values())

    @property
    def names(self) -> list[str]:
        """The small files first, so that what is wrong with them is known before the weights are fetched."""
        return sorted(self.sizes, key=lambda name: (is_weights(name), name))


def is_weights(name: str) -> bool:
    """Whether a file of this name is one of those that hold the weights."""
    return name == WEIGHTS or SHARD.fullmatch(name) is not None


def listing(repo: str) -> Listing:
    """What has to be fetched of a repository, by the hub's own list.

    PairUnavailable in words where it is not open to everybody, holds no whole model with safetensors and a tokenizer, or where a file, or
    all of them, are larger than is fetched here.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    gated = sentence("hub_gated", repo=repo)
    try:
        found = HfApi(token=False).model_info(repo, files_metadata=True, timeout=_SECONDS)
    except GatedRepoError as error:
        raise PairUnavailable(gated) from error
    except RepositoryNotFoundError as error:
        raise PairUnavailable(sentence("hub_no_model", repo=repo)) from error
    except Exception as error:  # the client raises many kinds; all mean the same to the person
        raise PairUnavailable(sentence("hub_not_asked", repo=repo)) from error
    if found.gated:
        raise PairUnavailable(gated)
    return Listing(repo, str(found.sha), needed(repo, {one.rfilename: one.size for one in found.siblings or []}))


def needed(repo: str, sizes: Mapping[str, int | None]) -> dict[str, int]:
    """Of a repository's files those that a model and its tokenizer are read from. PairUnavailable as above."""
    if "config.json" not in sizes or "adapter_config.json" in sizes:
        raise PairUnavailable(
            f"{repo} is no whole model in the form of transformers (a config.json and no adapter): choose another one"
        )
    names = [name for name in MOST_OF_FILE if name in sizes and name != INDEX]
    names = [name for name in names if "tokenizer.json" not in sizes or name not in _WITHOUT_A_TOKENIZER_FILE]
    names += [WEIGHTS] if WEIGHTS in sizes else [name for name in sizes if name == INDEX or SHARD.fullmatch(name)]
    if not any(is_weights(name) for name in names):
        raise PairUnavailable(
            f"{repo} has no weights as safetensors (a {WEIGHTS}, or an index and its parts), and no other kind is read here: "
            "choose another one"
        )
    if "tokenizer.json" not in names and not set(_WITHOUT_A_TOKENIZER_FILE) <= set(names):
        raise PairUnavailable(
            f"{repo} has no tokenizer that is read here (a tokenizer.json, or a vocab.json with its merges.txt): choose another one"
        )
    found: dict[str, int] = {}
    for name in names:
        size, most = sizes[name], MOST_OF_FILE.get(name, most_bytes())
        if size is None or size < 0:
            raise PairUnavailable(f"{repo}: the hub does not tell the size of its {name}. Choose another model")
        if size > most:
            raise PairUnavailable(
                f"{repo}: its {name} has {gigabytes(size)}; at most {gigabytes(most)} are fetched of this file. Choose a smaller model"
            )
        found[name] = size
    total = sum(found.values())
    if total > most_bytes():
        raise PairUnavailable(
            sentence("hub_files_large", repo=repo, size=gigabytes(total), most=gigabytes(most_bytes()))
        )
    return found
