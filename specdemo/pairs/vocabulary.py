"""Tokens as text pieces, and the check that two tokenizers are one.

A byte-level token may hold only part of a character. A piece is then `{"bytes": hex}`; the page joins neighbours until they decode.
"""

from __future__ import annotations

import functools
import json
import re
from typing import Any

Piece = str | dict[str, str]

_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


class TokenizersDiffer(ValueError):
    """Draft and target tokenizer do not agree on what an id means."""


def check_same_tokenizer(draft: Any, target: Any) -> None:
    """Raise TokenizersDiffer, showing the first difference, unless both tokenizers give every token the same id.

    Padding of the models' embedding matrices may differ; what the ids mean may not.
    """
    draft_ids, target_ids = draft.get_vocab(), target.get_vocab()
    if draft_ids == target_ids:
        return
    by_id = {i: t for t, i in draft_ids.items()}, {i: t for t, i in target_ids.items()}
    for i in sorted(by_id[0].keys() | by_id[1].keys()):
        mine, theirs = by_id[0].get(i), by_id[1].get(i)
        if mine != theirs:
            says = [f"{t!r}" if t is not None else "nothing" for t in (mine, theirs)]
            raise TokenizersDiffer(
                f"the draft and the target have different tokenizers: id {i} is {says[0]} for the draft and {says[1]} for the target "
                f"({len(draft_ids)} and {len(target_ids)} tokens). Speculative decoding needs one vocabulary: choose a draft made for this target."
            )


class Pieces:
    """The look of every token of a tokenizer. `pieces(id)` is a string, `{"bytes": hex}` or `{"special": name}`."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._special = set(tokenizer.all_special_ids)
        self._added = set(getattr(tokenizer, "added_tokens_decoder", {}))
        backend = getattr(tokenizer, "backend_tokenizer", None)
        decoder = json.loads(backend.to_str()).get("decoder") if backend is not None else None
        self._byte_level = "ByteLevel" in json.dumps(decoder)
        self._cache: dict[int, Piece] = {}

    def __call__(self, token_id: int) -> Piece:
        """The piece of one id; an id of the padding, which no tokenizer knows, is the special piece `<id>`."""
        if token_id not in self._cache:
            self._cache[token_id] = self._piece(token_id)
        return self._cache[token_id]

    def table(self, token_ids: Any) -> dict[str, Piece]:
        """`{"<id>": piece}` for some ids, sorted."""
        return {str(i): self(i) for i in sorted(set(token_ids))}

    def _piece(self, token_id: int) -> Piece:
        try:
            token = self._tokenizer.convert_ids_to_tokens(token_id)
        except (IndexError, KeyError, ValueError):  # tokenizers that are not backed by the tokenizers library
            token = None
        if token is None:
            return {"special": f"<{token_id}>"}
        if token_id in self._special:
            return {"special": token}
        if token_id in self._added:
            return token  # stored as plain text, not in the byte alphabet
        raw = self._bytes(token)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return {"bytes": raw.hex()}

    def _bytes(self, token: str) -> bytes:
        if self._byte_level:
            table = _byte_of_character()
            if all(character in table for character in token):
                return bytes(table[character] for character in token)
            return token.encode("utf-8")
        if match := _BYTE_TOKEN.fullmatch(token):
            return bytes([int(match[1], 16)])
        return token.replace("▁", " ").encode("utf-8")


@functools.cache
def _byte_of_character() -> dict[str, int]:
    """The inverse of GPT-2's table that gives each byte a printable character (Radford et al. 2019)."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    table = {chr(b): b for b in printable}
    others = [b for b in range(256) if b not in table.values()]
    table.update({chr(256 + n): b for n, b in enumerate(others)})
    return table


def join_pieces(pieces: list[Piece]) -> str:
    """The text of consecutive pieces; bytes that never become a character are shown as U+FFFD."""
    raw = b"".join(
        p.encode("utf-8")
        if isinstance(p, str)
        else bytes.fromhex(p["bytes"])
        if "bytes" in p
        else p["special"].encode("utf-8")
        for p in pieces
    )
    return raw.decode("utf-8", errors="replace")
