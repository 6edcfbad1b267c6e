"""A serving engine in a few lines: random laws, drafts and decisions, with hooks for the ways to get them wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.auditor.steps import StepsWriter
from specdemo.verifiers import get
from specdemo.verifiers.sampling import draw

Alter = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Block:
    """One simulated block: what the engine did, and the laws that it logs."""

    tokens: IntArray
    draft: FloatArray
    target: FloatArray
    uniforms: FloatArray
    accepted: int
    next_token: int


def same(laws: FloatArray) -> FloatArray:
    """No alteration."""
    return laws


def simulated(
    count: int,
    rule: str = "block",
    *,
    seed: int = 0,
    size: int = 20,
    gamma: int = 4,
    closeness: float = 0.6,
    drafting: Alter = same,
    verifying_draft: Alter = same,
    verifying_target: Alter = same,
    ends_in_bonus_row: bool = False,
) -> list[Block]:
    """`count` blocks over `size` tokens: drafted from `drafting(D)`, decided by `rule` on the altered laws, logged with D and T."""
    rng, verifier, memory, blocks = np.random.default_rng(seed), get(rule), None, []
    for _ in range(count):
        draft = rng.dirichlet(np.full(size, 0.5), gamma + 1)
        target = closeness * draft + (1 - closeness) * rng.dirichlet(np.full(size, 0.5), gamma + 1)
        draft = draft if ends_in_bonus_row else draft[:gamma]
        drawn = drafting(draft)
        tokens = np.array([draw(drawn[i], rng.random()) for i in range(gamma)], dtype=np.int64)
        uniforms = rng.random(gamma + 1)
        with np.errstate(all="ignore"):
            plan = verifier.core_plan(tokens, verifying_draft(draft), verifying_target(target), memory)
            verdict = plan.decide_unchecked(uniforms)
        memory = verdict.memory
        blocks.append(Block(tokens, draft, target, uniforms, verdict.accepted, verdict.next_token))
    return blocks


def sharing(
    what: str, count: int, laws: tuple[FloatArray, FloatArray] | None = None, *, rule: str = "token", seed: int = 0
) -> list[Block]:
    """Blocks of an engine that uses one uniform for two draws; `laws` are the rows (V,) of one-token blocks, else random ones of three.

    `what`: "failed coin" draws the correction, "first coin" the next token, "drafted" decides the token that it drew, "refused" draws
    the correction of the token it drew, "next coin" and "next draft" are what drew the next token before; "" nothing.
    """
    rng, verifier, blocks, gamma = np.random.default_rng(seed), get(rule), [], 3 if laws is None else 1
    before = rng.random()
    for _ in range(count):
        if laws is None:
            draft = rng.dirichlet(np.ones(8), gamma)
            target = 0.5 * np.vstack([draft, rng.dirichlet(np.ones(8))]) + 0.5 * rng.dirichlet(np.ones(8), gamma + 1)
        else:
            draft, target = laws[0][None], np.tile(laws[1], (2, 1))
        drafted, uniforms = rng.random(gamma), rng.random(gamma + 1)
        if what == "next draft":
            drafted[0] = before
        tokens = np.array([draw(row, u) for row, u in zip(draft, drafted, strict=True)])
        if what == "drafted":
            uniforms[:gamma] = drafted
        if what == "next coin":
            uniforms[0] = before
        plan = verifier.core_plan(tokens, draft, target, None)
        accepted = plan.decide_unchecked(uniforms).accepted
        if what in ("failed coin", "refused") and accepted < gamma:
            uniforms[-1] = (uniforms if what == "failed coin" else drafted)[accepted]
        if what == "first coin":
            uniforms[-1] = uniforms[0]
        next_token = draw(plan.next_law(accepted), uniforms[-1])
        before = float(uniforms[-1])
        blocks.append(Block(tokens, draft, target, uniforms, accepted, next_token))
    return blocks


def logged(
    path: Path,
    blocks: list[Block],
    *,
    uniforms: bool = True,
    rule: str | None = "block",
    draft: Alter = same,
    target: Alter = same,
    laws: Any = "inline",
    dtype: Any = np.float64,
    temperature: float | None = None,
) -> Path:
    """The blocks as a log in the folder `path`, `draft` and `target` laws altered on the way into it."""
    log = path / "steps.jsonl"
    precision = "float64" if dtype is np.float64 else None
    with StepsWriter(log, laws=laws, rule=rule, temperature=temperature, precision=precision) as writer:
        for block in blocks:
            writer.write(
                tokens=block.tokens,
                draft=draft(block.draft).astype(dtype),
                target=target(block.target).astype(dtype),
                accepted=block.accepted,
                next_token=block.next_token,
                uniforms=block.uniforms if uniforms else None,
            )
    return log


def changed(block: Block, **values: Any) -> Block:
    """The block with other values."""
    return replace(block, **values)
