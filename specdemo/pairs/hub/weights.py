"""What the weights' files of a model that a visitor named hold, by their headers, and whether that is what its configuration claims.

Whatever a configuration claims beyond what the files hold would be made up by transformers, in memory. The safetensors library checks that
a header's shapes, types and places come to the file's bytes; here its length is bounded before it is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from specdemo.pairs.errors import PairUnavailable
from specdemo.pairs.hub.limits import gigabytes, most_bytes, most_weights
from specdemo.pairs.hub.listing import INDEX, WEIGHTS, is_weights

# A thousand tensors take a tenth of a megabyte.
MOST_OF_HEADER = 10_000_000
_KINDS = ("F64", "F32", "F16", "BF16")
# Masks and tables of positions that older files carry along; the largest has fifteen million.
MOST_BUFFERS = 100_000_000


def stored_weights(folder: Path, repo: str) -> int:
    """How many numbers the weights' files of the folder hold. PairUnavailable in words where a file or the index is not what it should be."""
    names = [WEIGHTS] if (folder / WEIGHTS).is_file() else _parts(folder, repo)
    total = sum((folder / name).stat().st_size for name in names)
    if total > most_bytes():
        raise PairUnavailable(
            f"{repo} has {gigabytes(total)} of weights: at most {gigabytes(most_bytes())} are read here"
        )
    count = sum(_stored(folder / name, repo) for name in names)
    if count > most_weights():
        raise PairUnavailable(
            f"{repo} holds {count:,} weights: at most {most_weights():,} are read here. Choose a smaller model"
        )
    return count


def check_counts(facts: Mapping[str, int], stored: int, repo: str) -> None:
    """PairUnavailable unless the weights that the configuration comes to, `facts` of process.py, are those that the files hold."""
    weights, buffers = facts["weights"], facts["buffers"]
    if weights > stored or buffers > MOST_BUFFERS:
        raise PairUnavailable(
            f"the config.json of {repo} comes to {weights:,} weights and {buffers:,} other numbers, but its files hold {stored:,}: "
            "they do not belong together. Choose another model"
        )
    if stored > 2 * weights + MOST_BUFFERS:
        raise PairUnavailable(
            f"the files of {repo} hold {stored:,} weights, but its config.json comes to {weights:,}: they do not belong together. "
            "Choose another model"
        )


def _parts(folder: Path, repo: str) -> list[str]:
    try:
        names = sorted(set(json.loads((folder / INDEX).read_bytes())["weight_map"].values()))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise PairUnavailable(f"{repo}: its {INDEX} is missing or damaged. Choose another model") from error
    for name in names:
        # transformers joins them to the folder's path, and a name may hold slashes.
        if not isinstance(name, str) or not is_weights(name):
            raise PairUnavailable(
                f"{repo}: its {INDEX} names the file {str(name)[:60]!r}; parts are called model-00001-of-00002.safetensors. Choose another model"
            )
        if not (folder / name).is_file():
            raise PairUnavailable(f"{repo}: its {INDEX} names {name}, which it does not have. Choose another model")
    return names


def _stored(path: Path, repo: str) -> int:
    from safetensors import SafetensorError, safe_open

    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= min(MOST_OF_HEADER, path.stat().st_size - 8):
        raise PairUnavailable(
            f"{repo}: the header of its {path.name} claims {gigabytes(length)}; at most {gigabytes(MOST_OF_HEADER)}, and no more than the "
            "file has, are read. Choose another model"
        )
    count = 0
    try:
        with safe_open(path, framework="numpy") as tensors:
            for name in tensors.keys():  # noqa: SIM118  (no mapping, and not iterable)
                part = tensors.get_slice(name)
                size = 1
                for length in part.get_shape():
                    size *= length
                if (
                    size
                    and part.get_dtype() not in _KINDS
                    and "mask" not in name
                    and "bias" not in name
                    and size > 1_000_000
                ):
                    raise PairUnavailable(
                        f"{repo}: {name[:80]} in its {path.name} is stored as {part.get_dtype()}; weights are read as {', '.join(_KINDS)}. "
                        "Choose another model"
                    )
                count += size
    except (SafetensorError, OSError, ValueError) as error:
        raise PairUnavailable(
            f"{repo}: its {path.name} cannot be read ({str(error)[:200]}). Choose another model"
        ) from error
    return count
