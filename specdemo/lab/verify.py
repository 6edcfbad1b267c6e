"""What one plan and decision cost, as a ratio to reading the laws once: the floor of any verifier that looks at whole rows."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from specdemo.arrays import FloatArray, IntArray
from specdemo.verifiers import get
from specdemo.verifiers.sampling import draw


@dataclass(frozen=True)
class VerifyCost:
    """One rule at one size, measured in turns with the floor: milliseconds are medians, `ratio` the median of the paired ratios."""

    rule: str
    vocab_size: int
    gamma: int
    reading_ms: float
    core_ms: float
    public_ms: float
    ratio: float
    public_ratio: float

    def to_json(self) -> dict[str, str | int | float]:
        """The fields by name."""
        return asdict(self)


def made_up_block(vocab_size: int, gamma: int, seed: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Tokens (γ,), draft (γ, V) and target (γ+1, V) of two models that agree somewhat, as laws of real models do."""
    rng = np.random.default_rng(seed)
    logits = rng.standard_normal((gamma + 1, vocab_size)) * 3
    target = np.exp(logits)
    draft = np.exp(logits[:gamma] + rng.standard_normal((gamma, vocab_size)))
    target /= target.sum(axis=1, keepdims=True)
    draft /= draft.sum(axis=1, keepdims=True)
    return np.array([draw(row, float(u)) for row, u in zip(draft, rng.random(gamma), strict=True)]), draft, target


def verify_cost(rule: str, vocab_size: int, gamma: int, repeats: int = 30, seed: int = 0) -> VerifyCost:
    """Time core plan + decide of a rule, the public `verify`, and one reading of both arrays, in turns; ValueError on a bad size."""
    if min(vocab_size, gamma, repeats) < 1:
        raise ValueError(f"vocab_size, gamma and repeats must be at least 1, got {vocab_size}, {gamma}, {repeats}")
    verifier = get(rule)
    tokens, draft, target = made_up_block(vocab_size, gamma, seed)
    uniforms = np.random.default_rng(seed + 1).random((repeats + 1, gamma + 1))
    times: dict[str, list[float]] = {"reading": [], "core": [], "public": []}
    for turn, u in enumerate(uniforms):

        def core(u: FloatArray = u) -> object:
            return verifier.core_plan(tokens, draft, target).decide_unchecked(u)

        def public(u: FloatArray = u) -> object:
            return verifier.verify(tokens, draft, target, u)

        jobs: dict[str, Callable[[], object]] = {
            "reading": lambda: (draft.sum(), target.sum()),
            "core": core,
            "public": public,
        }
        for name, job in jobs.items():
            started = time.perf_counter()
            job()
            if turn:  # the first turn warms caches up
                times[name].append(1e3 * (time.perf_counter() - started))
    medians = {name: statistics.median(values) for name, values in times.items()}
    ratios = {
        name: statistics.median(a / b for a, b in zip(times[name], times["reading"], strict=True))
        for name in ("core", "public")
    }
    return VerifyCost(
        rule,
        vocab_size,
        gamma,
        medians["reading"],
        medians["core"],
        medians["public"],
        ratios["core"],
        ratios["public"],
    )


def verify_report(costs: list[VerifyCost]) -> str:
    """The costs as a table: times, and ratios to one reading of the two arrays."""
    lines = [
        f"{'rule':<14} {'V':>8} {'γ':>3} {'read once':>11} {'plan+decide':>12} {'ratio':>7} {'with validation':>16} {'ratio':>7}"
    ]
    for c in costs:
        core, public = f"{c.core_ms:>9.3f} ms {c.ratio:>6.2f}×", f"{c.public_ms:>13.3f} ms {c.public_ratio:>6.2f}×"
        lines.append(f"{c.rule:<14} {c.vocab_size:>8,} {c.gamma:>3} {c.reading_ms:>8.3f} ms {core} {public}")
    return "\n".join(lines)
