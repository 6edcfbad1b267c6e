"""Makes traces for developing and testing the viewer: a made-up pair of 62 symbols, the rules 'token' and 'block'.

Everything follows docs/trace.md; the formulas are those of Leviathan et al. (token, Alg. 1) and Sun et al. (block,
Alg. 2), written a second time on purpose, so that the viewer can be tested without the engine. No model is involved:
a law is a seeded function of the last two tokens. It is not fast, and it is not the engine.

    python tests/viewer/make_trace.py            writes build/dev/trace.json and build/dev/trace-token.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

Record = dict[str, Any]
Law = np.ndarray

WORDS = [
    "·the",
    "·fox",
    "·river",
    "·was",
    "·kind",
    "·old",
    "·lived",
    "·near",
    "·one",
    "·cold",
    "·morning",
    "·Mia",
    "·She",
    "·no",
    "·food",
    "·inst",
    "·tiny",
    "·took",
    "·her",
    "·lake",
    "·playing",
    "·by",
    "·except",
    "·money",
    "·gift",
    "·long",
    "·more",
    "·umbrella",
    "·thing",
    "·doubt",
    "·answer",
    "·great",
    "·and",
    "·a",
    "·Once",
    "·upon",
    "·time",
    "·It",
    "ing",
    "ly",
    "·there",
    "·who",
    ".",
    ",",
    "!",
    "?",
    '"',
    "'",
]
HOSTILE = ["${1+1}", "`", "\\", "<b>x</b>", "\n", "\t", "{{value}}", "&amp;", "·", "é"]
PIECES: list[Any] = [w.replace("·", " ") for w in WORDS + HOSTILE] + [
    {"bytes": "f09f"},
    {"bytes": "a68a"},
    {"special": "<|bos|>"},
    {"special": "<|eos|>"},
]
V = len(PIECES)
HALF, REST_HALF, BOS, EOS = V - 4, V - 3, V - 2, V - 1
TOP = 8


def encode(text: str) -> list[int]:
    """Longest match over the pieces, beginning with BOS; what no piece covers is skipped."""
    ids, at = [BOS], 0
    texts = [
        (p.encode() if isinstance(p, str) else bytes.fromhex(p["bytes"]) if "bytes" in p else b"\0\0", i)
        for i, p in enumerate(PIECES)
    ]
    data = (" " + text).encode() if text else b""
    while at < len(data):
        found = max(((p, i) for p, i in texts if data.startswith(p, at)), key=lambda t: len(t[0]), default=None)
        if found:
            ids.append(found[1])
        at += len(found[0]) if found else 1
    return ids


def encode_message(text: str) -> tuple[list[int], list[int]]:
    """A message between a made-up template's tokens, and its range."""
    line, message = PIECES.index("\n"), encode(text)[1:]
    before = [*encode("She was kind"), EOS, line, BOS, line]
    return [*before, *message, EOS, line, BOS, line], [len(before), len(before) + len(message)]


def logits(context: list[int]) -> tuple[Law, Law]:
    """Draft and target logits after a context: equal for one context in nine, far apart for one in seven."""
    key = context[-1] * V + context[-2] if len(context) > 1 else context[-1]
    random = np.random.default_rng([7, key])
    target = random.gumbel(size=V) * 1.7
    distance = 0.0 if key % 9 == 0 else 3.0 if key % 7 == 0 else 0.9
    draft = target + distance * random.normal(size=V)
    for row in (draft, target):
        row[BOS], row[EOS] = -30.0, row[EOS] - 4
        row[HALF + 1] -= 6
        row[HALF] += 1
        if context[-1] == HALF:
            row[REST_HALF] += 13
    return draft, target


def law(values: Law, settings: Record) -> Law:
    t, k, p = settings["temperature"], settings["top_k"], settings["top_p"]
    if t == 0:
        return np.eye(V)[np.argmax(values)]
    x = np.exp((values - values.max()) / t)
    order = np.argsort(-x, kind="stable")
    x /= x.sum()
    if k:
        x[order[k:]] = 0
        x /= x.sum()
    if p < 1:
        before = np.cumsum(x[order]) - x[order]
        x[order[before >= p]] = 0
        x /= x.sum()
    return x


def draw(probabilities: Law, u: float) -> tuple[int, float]:
    total = np.cumsum(probabilities)
    token = int(np.argmax(total > u)) if (total > u).any() else int(np.flatnonzero(probabilities)[-1])
    return token, float(np.min(np.abs(total - u)))


def verdict(
    rule: str, tokens: list[int], draft: list[Law], target: list[Law], uniforms: list[float]
) -> tuple[Record, list[tuple[Law, Law, Law]], float]:
    gamma = len(tokens)
    ratios = [target[i][x] / draft[i][x] for i, x in enumerate(tokens)]
    weights = [1.0]
    for r in ratios:
        weights.append(weights[-1] * min(1.0, r) if rule == "token" else min(1.0, weights[-1] * r))
    scale = [1.0] * (gamma + 1) if rule == "token" else weights
    if rule == "token":
        accept = [min(1.0, r) for r in ratios]
        lengths = [max(0.0, weights[i] - (weights[i + 1] if i < gamma else 0)) for i in range(gamma + 1)]
        accepted = next((i for i in range(gamma) if not uniforms[i] < accept[i]), gamma)
    else:
        accept = []
        for i in range(1, gamma):
            a = np.maximum(weights[i] * target[i] - draft[i], 0).sum()
            accept.append(min(1.0, a / (a + 1 - weights[i])) if a + 1 - weights[i] > 0 else 1.0)
        accept += [weights[gamma]] if gamma else []
        lengths, left = [0.0] * (gamma + 1), 1.0
        for i in range(gamma, 0, -1):
            lengths[i], left = left * accept[i - 1], max(0.0, left * (1 - accept[i - 1]))
        lengths[0] = max(left, 0.0)
        accepted = next((i for i in range(gamma, 0, -1) if uniforms[i - 1] < accept[i - 1]), 0)
    rows = []
    for i in range(gamma):
        s = scale[i]
        rows.append(
            (
                np.minimum(draft[i], s * target[i]),
                np.maximum(s * target[i] - draft[i], 0),
                np.maximum(draft[i] - s * target[i], 0),
            )
        )
    if accepted == gamma:
        after = target[gamma]
    else:
        residual = rows[accepted][1]
        after = residual / residual.sum() if residual.sum() > 0 else target[accepted]
    y, margin = draw(after, uniforms[gamma])
    margin = min([margin] + [abs(uniforms[i] - accept[i]) for i in range(gamma)])
    return (
        {
            "accept_prob": [float(x) for x in accept],
            "prefix_weight": [float(x) for x in weights],
            "residual_scale": [float(x) for x in scale],
            "length_law": [float(x) for x in lengths],
            "expected_accepted": float(sum(i * p for i, p in enumerate(lengths))),
            "accepted": accepted,
            "next_token": y,
            "next_kind": "bonus" if accepted == gamma else "correction",
            "next_draft": None if accepted == gamma else float(draft[accepted][y]),
            "next_target": float(target[accepted][y]),
            "next_prob": float(after[y]),
            "order": "left_to_right" if rule == "token" else "right_to_left",
        },
        rows,
        margin,
    )


def entropy(p: Law) -> float:
    return float(-(p[p > 0] * np.log(p[p > 0])).sum())


def record_row(
    i: int, tokens: list[int], draft: list[Law], target: list[Law], masses: Record, verdicts: Record
) -> Record:
    last = i == len(tokens)
    d, t = np.zeros(V) if last else draft[i], target[i]
    chosen = set(np.argsort(-t, kind="stable")[:TOP].tolist())
    if not last:
        chosen |= set(np.argsort(-d, kind="stable")[:TOP].tolist()) | {tokens[i]}
        for rows in masses.values():
            chosen |= {v for v in np.argsort(-rows[i][1], kind="stable")[:TOP].tolist() if rows[i][1][v] > 0}
    chosen |= {v["next_token"] for v in verdicts.values() if v["accepted"] == i}
    ids = sorted(chosen, key=lambda v: (-max(t[v], d[v]), v))
    rest = np.setdiff1d(np.arange(V), ids)
    for rule, rows in masses.items():
        names = ("overlap", "residual", "excess")
        cells = (
            {}
            if last
            else {n: float(x.sum()) for n, x in zip(names, rows[i], strict=True)}
            | {"rest_" + n: float(x[rest].sum()) for n, x in zip(names, rows[i], strict=True)}
        )
        verdicts[rule].setdefault("rows", []).append(None if last else cells)
    x = -1 if last else tokens[i]
    return {
        "token": None if last else x,
        "draft": None if last else float(d[x]),
        "target": None if last else float(t[x]),
        "ratio": None if last else float(t[x] / d[x]),
        "tv": None if last else float(np.abs(d - t).sum() / 2),
        "draft_entropy": None if last else entropy(d),
        "target_entropy": entropy(t),
        "shown": {
            "ids": [int(v) for v in ids],
            "draft": None if last else [float(d[v]) for v in ids],
            "target": [float(t[v]) for v in ids],
        },
        "rest": {
            "count": V - len(ids),
            "draft": None if last else float(d[rest].sum()),
            "target": float(t[rest].sum()),
        },
    }


def hashed(before: str, content: object) -> str:
    return "sha256:" + hashlib.sha256((before + json.dumps(content, sort_keys=True)).encode()).hexdigest()


def make_head(
    prompt: str = "Once upon a time there was a kind old fox who lived near the river", **changes: Any
) -> Record:
    settings: Record = {
        "verifier": "block",
        "gamma": 5,
        "temperature": 1.0,
        "top_k": 0,
        "top_p": 1.0,
        "seed": 0,
        "stream": 0,
        "max_new_tokens": 160,
        "prompt_mode": "text",
    } | changes
    settings |= {name: float(settings[name]) for name in ("temperature", "top_p")}
    part: Record = {"text": prompt, "ids": encode(prompt), "notice": None}
    if settings["prompt_mode"] == "chat":
        part["ids"], part["message"] = encode_message(prompt)
    ids = part["ids"]
    pair = {
        "name": "made-up",
        "title": "Made-up pair",
        "draft": "near",
        "draft_revision": "1",
        "target_revision": "1",
        "vocab_size": V,
        "context_limit": 1024,
        "device": "cpu",
        "dtype": "float64",
        "eos_token_ids": [EOS],
    }
    return {
        "schema": "specdemo.trace/1",
        "created": "2026-01-01T00:00:00Z",
        "versions": {"numpy": np.__version__},
        "pair": pair,
        "settings": settings,
        "prompt": part,
        "pieces": {str(i): PIECES[i] for i in ids},
        "verifiers": ["token", "block"],
        "blocks": [],
        "finish": None,
        "smallest_margin": None,
        "memory": None,
        "digest": hashed("", [pair["name"], settings, ids]),
        "head_digest": hashed("", [pair["name"], settings, ids]),
    }


def make_block(head: Record, ids: list[int], index: int, digest: str, rule: str) -> Record:
    settings, gamma = head["settings"], head["settings"]["gamma"]

    def uniform(role: int, count: int) -> list[float]:
        return cast("list[float]", np.random.default_rng([settings["seed"], index, role]).random(count).tolist())

    drafts, etas = uniform(0, gamma), uniform(1, gamma + 1)
    tokens: list[int] = []
    draft: list[Law] = []
    target: list[Law] = []
    for i in range(gamma + 1):
        d, t = logits(ids + tokens)
        target.append(law(t, settings))
        if i < gamma:
            draft.append(law(d, settings))
            tokens.append(draw(draft[-1], drafts[i])[0])
    verdicts: Record = {}
    masses: Record = {}
    margin = 1.0
    for name in head["verifiers"]:
        verdicts[name], masses[name], m = verdict(name, tokens, draft, target, etas)
        margin = min(margin, m) if name == rule else margin
    rows = [record_row(i, tokens, draft, target, masses, verdicts) for i in range(gamma + 1)]
    kept, y = verdicts[rule]["accepted"], verdicts[rule]["next_token"]
    committed, finish = [*tokens[:kept], y], None
    if EOS in committed:
        committed, finish = committed[: committed.index(EOS) + 1], "eos"
    room = settings["max_new_tokens"] - (len(ids) - len(head["prompt"]["ids"]))
    if (len(committed) >= room and finish is None) or len(committed) > room:
        committed, finish = committed[:room], "length"
    mentioned = set(tokens) | {y} | {v for row in rows for v in row["shown"]["ids"]}
    ms = np.random.default_rng([3, index]).gamma(9, 0.1, gamma + 4)
    return {
        "index": index,
        "start": len(ids),
        "gamma": gamma,
        "verifier": rule,
        "memory": None,
        "uniforms": {"draft": drafts, "verify": etas},
        "paths": [{"tokens": tokens, "rows": rows}],
        "verdicts": verdicts,
        "kept": kept,
        "gained": kept + 1,
        "committed": committed,
        "shown_tokens": len(committed),
        "finish": finish,
        "pieces": {str(i): PIECES[i] for i in sorted(mentioned)},
        "margin": margin,
        "digest": hashed(
            digest,
            [tokens, drafts, etas, rule, committed, {r: [v["accepted"], v["next_token"]] for r, v in verdicts.items()}],
        ),
        "timings": {
            "draft": float(ms[:gamma].sum()),
            "target": float(4 + ms[-1]),
            "verify": float(ms[-2] / 5),
            "rest": float(ms[-3] / 3),
            "record": 0.8,
            "draft_steps": [float(x) for x in ms[:gamma]],
        },
    }


def decode(
    head: Record,
    ids: list[int] | None = None,
    index: int = 0,
    digest: str | None = None,
    rule: str | None = None,
    blocks: int = 0,
) -> Iterator[Record]:
    """Yields blocks; `blocks` 0 means to the end."""
    ids, digest, rule, last = (
        list(ids or head["prompt"]["ids"]),
        digest or head["digest"],
        rule or head["settings"]["verifier"],
        index + blocks,
    )
    while True:
        block = make_block(head, ids, index, digest, rule)
        yield block
        ids, digest, index = ids + block["committed"], block["digest"], index + 1
        if block["finish"] or index == last:
            return


def make_run(prompt: str | None = None, **changes: Any) -> Record:
    head = make_head(**({"prompt": prompt} if prompt is not None else {}), **changes)
    head["blocks"] = list(decode(head))
    if head["blocks"]:
        last = head["blocks"][-1]
        head |= {
            "finish": last["finish"],
            "digest": last["digest"],
            "smallest_margin": min(b["margin"] for b in head["blocks"]),
        }
    return head


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="build/dev", type=pathlib.Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    runs: dict[str, Record] = {
        "trace": {},
        "trace-token": {"verifier": "token"},
        "trace-16": {"gamma": 16, "seed": 3},
        "trace-cold": {"temperature": 0.0, "seed": 2},
    }
    for name, changes in runs.items():
        run = make_run(**changes)
        (out / f"{name}.json").write_text(json.dumps(run, separators=(",", ":")))
        print(name, len(run["blocks"]), "blocks; kept", [b["kept"] for b in run["blocks"]], run["finish"])


if __name__ == "__main__":
    main()
