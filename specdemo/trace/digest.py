"""The digest of a run: a chain of hashes over what is discrete, so that a link can be checked at any block.

The last bits of floats differ between machines and kernels; the tokens, uniforms and decisions do not (unless a margin is tiny).
The verdicts of rules that did not decode stay outside, so that a link outlives the adding of a rule.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

PAIR_FIELDS = ("name", "draft", "draft_revision", "target_revision", "vocab_size")  # which weights these are
_BLOCK_FIELDS = ("index", "start", "gamma", "verifier", "uniforms", "kept", "committed", "finish")


def head_digest(head: dict[str, Any]) -> str:
    """The digest of a run before its first block: schema, pair, revisions, settings and prompt ids."""
    pair = {key: head["pair"][key] for key in PAIR_FIELDS}
    return _hash([head["schema"], pair, head["settings"], head["prompt"]["ids"]])


def chained(before: str, block: dict[str, Any]) -> str:
    """The digest after a block, from the digest before it."""
    deciding = block["verdicts"][block["verifier"]]
    content = {key: block[key] for key in _BLOCK_FIELDS}
    return _hash(
        [before, content, [path["tokens"] for path in block["paths"]], deciding["accepted"], deciding["next_token"]]
    )


def _hash(content: Any) -> str:
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()
