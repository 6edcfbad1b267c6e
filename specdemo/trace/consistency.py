"""What holds between the parts of a trace and is in no schema: all that the viewer asks of a file before it draws it.

The viewer's own check is assets/viewer/validate.js; a test holds the two to the same answers. The mathematics is not computed again.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from specdemo.trace.schema import InvalidTrace

MOST_VOCABULARY, MOST_EXACT = 10_000_000, 2**53 - 1
_LITTLE = 1e-6  # sums of probabilities may be off by rounding
_ID = re.compile(r"[0-9]{1,9}")
_BYTES = re.compile(r"([0-9a-fA-F]{2})+")

Problem = tuple[str, str]


def check_consistent(trace: dict[str, Any]) -> dict[str, Any]:
    """`trace` itself, a record of the schema, if its parts fit together; InvalidTrace naming the first place where they do not."""
    for place, words in itertools.chain(_too_large(trace, ""), _of_run(trace)):
        raise InvalidTrace(f"the trace is wrong at {place[:200]}: {words[:300]}")
    return trace


def _too_large(value: Any, at: str) -> Iterator[Problem]:
    if isinstance(value, int) and abs(value) > MOST_EXACT:
        yield at, f"a browser cannot hold the whole number {value} exactly: 2^53 − 1 is the largest"
    elif isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _too_large(inner, f"{at}/{key}" if at else str(key))


def _of_run(trace: dict[str, Any]) -> Iterator[Problem]:
    vocabulary, prompt = trace["pair"]["vocab_size"], trace["prompt"]["ids"]
    if vocabulary > MOST_VOCABULARY:
        yield "pair/vocab_size", f"it is {vocabulary}, at most {MOST_VOCABULARY} can be shown"
    yield from _of_ids(prompt, "prompt/ids", vocabulary)
    yield from _of_pieces(trace["pieces"], "pieces")
    if not trace["verifiers"]:
        yield "verifiers", "a trace has at least one rule"
    start = len(prompt)
    for k, block in enumerate(trace["blocks"]):
        yield from _of_block(block, k, start, trace["verifiers"], vocabulary)
        start += len(block["committed"])


def _of_block(block: dict[str, Any], k: int, start: int, rules: list[str], vocabulary: int) -> Iterator[Problem]:
    at, gamma, path, verdicts = f"blocks/{k}", block["gamma"], block["paths"][0], block["verdicts"]
    if block["index"] != k:
        yield f"{at}/index", f"it must be {k}: a block is missing, or is not in its place"
    if block["start"] != start:
        yield f"{at}/start", f"it must be {start}, where the text before it ends"
    yield from _of_ids(path["tokens"], f"{at}/paths/0/tokens", vocabulary)
    for i, row in enumerate(path["rows"]):
        token = path["tokens"][i] if i < gamma else None
        yield from _of_row(row, f"{at}/paths/0/rows/{i}", token, vocabulary)
    for rule in rules:
        if rule not in verdicts:
            yield f"{at}/verdicts", f"the rule {rule[:40]!r} has no verdict"
    for rule, verdict in verdicts.items():
        yield from _of_verdict(verdict, f"{at}/verdicts/{rule[:40]}", gamma, vocabulary)
    own = verdicts[block["verifier"]]
    if block["kept"] != own["accepted"]:
        yield f"{at}/kept", f"it must be {own['accepted']}, what the deciding rule accepted"
    if block["gained"] != block["kept"] + 1:
        yield f"{at}/gained", f"it must be {block['kept'] + 1}, one more than was kept"
    whole = [*path["tokens"][: block["kept"]], own["next_token"]]
    if block["committed"] != whole[: len(block["committed"])]:
        yield f"{at}/committed", "it must be the kept tokens and the next one, or the first of these"
    if block["shown_tokens"] != len(block["committed"]):
        yield f"{at}/shown_tokens", f"it must be {len(block['committed'])}, as many as were committed"
    yield from _of_pieces(block["pieces"], f"{at}/pieces")


def _of_row(row: dict[str, Any], at: str, token: int | None, vocabulary: int) -> Iterator[Problem]:
    """A row's laws; `token` is the drafted one, None in the last row, which has no draft."""
    shown, count = row["shown"], len(row["shown"]["ids"])
    last = token is None
    if last:
        for name in ("draft", "target", "tv"):
            if row[name] is not None:
                yield f"{at}/{name}", "it must be null in the last row, where nothing is drafted"
        if shown["draft"] is not None:
            yield f"{at}/shown/draft", "it must be null in the last row, where nothing is drafted"
    else:
        if row["token"] != token:
            yield f"{at}/token", f"it must be {token}, the token that was drafted here"
        for name in ("draft", "target", "tv", "ratio", "draft_entropy"):
            if row[name] is None:
                yield f"{at}/{name}", "it is missing: only the last row has none"
        if row["rest"]["draft"] is None:
            yield f"{at}/rest/draft", "it is missing: only the last row has none"
        if shown["draft"] is None or len(shown["draft"]) != count:
            yield f"{at}/shown/draft", f"it must have {count} entries, one for each of the ids"
        if token not in shown["ids"]:
            yield f"{at}/shown/ids", f"the drafted token {token} is missing"
    yield from _of_ids(shown["ids"], f"{at}/shown/ids", vocabulary)
    if len(set(shown["ids"])) != count:
        yield f"{at}/shown/ids", "an id is there twice"
    if len(shown["target"]) != count:
        yield f"{at}/shown/target", f"it must have {count} entries, one for each of the ids"


def _of_verdict(verdict: dict[str, Any], at: str, gamma: int, vocabulary: int) -> Iterator[Problem]:
    for name in ("prefix_weight", "residual_scale"):
        if verdict[name] is not None and len(verdict[name]) != gamma + 1:
            yield f"{at}/{name}", f"it must have {gamma + 1} entries, one for each prefix"
    if verdict["expected_accepted"] > gamma + _LITTLE:
        yield f"{at}/expected_accepted", f"it must be at most {gamma}, the number of drafted tokens"
    yield from _of_ids([verdict["next_token"]], f"{at}/next_token", vocabulary)
    correction = verdict["accepted"] < gamma
    if correction and verdict["next_draft"] is None:
        yield f"{at}/next_draft", "it is missing: only a bonus has none"
    if verdict["next_kind"] != (kind := "correction" if correction else "bonus"):
        yield f"{at}/next_kind", f"it must be {kind!r} where {verdict['accepted']} of {gamma} are accepted"
    for i, law in enumerate((verdict.get("effective_target") or [])[:gamma]):
        if law is not None and law["drafted"] is None:
            yield f"{at}/effective_target/{i}/drafted", "it is missing: only the last row has none"


def _of_ids(ids: list[int], at: str, vocabulary: int) -> Iterator[Problem]:
    for id_ in ids:
        if id_ >= vocabulary:
            yield at, f"the vocabulary has no id {id_}, only 0 … {vocabulary - 1}"
            return


def _of_pieces(pieces: dict[str, Any], at: str) -> Iterator[Problem]:
    for id_, piece in pieces.items():
        if not _ID.fullmatch(id_):
            yield f"{at}/{id_[:20]}", "it must be named by a token's id"
        if isinstance(piece, dict) and "special" not in piece and not _BYTES.fullmatch(piece.get("bytes", "")):
            yield f"{at}/{id_[:20]}", 'it must be a text, {"special": a text} or {"bytes": hexadecimal digits}'
