"""Verifiers that compute in float32, as engines do: right ones, and ones with a fault no larger than rounding is (1e-8 to 1e-5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Single = np.float32
Row = Any
Verify = Callable[[Any, Any, Any, Any], tuple[int, Any]]


def by_search(law: Row, uniform: Any) -> int:
    sums = np.cumsum(law)
    return int(min(np.searchsorted(sums / sums[-1], uniform, side="right"), np.nonzero(law)[0][-1]))


def by_search_to_the_end(law: Row, uniform: Any) -> int:
    """What is above the last sum gives the last token, possible or not."""
    return int(min(np.searchsorted(np.cumsum(law), uniform, side="right"), len(law) - 1))


def by_argmax(law: Row, uniform: Any) -> int:
    sums = np.cumsum(law)
    sums /= sums[-1]
    return int(np.argmax(sums > uniform))


def by_scaled_uniform(law: Row, uniform: Any) -> int:
    sums = np.cumsum(law)
    return int(min(np.searchsorted(sums, uniform * sums[-1], side="right"), np.nonzero(law)[0][-1]))


def downwards(law: Row, uniform: Any) -> int:
    """The likeliest token first, as samplers with a sorted law do."""
    order = np.argsort(-law, kind="stable")
    return int(order[by_search(law[order], uniform)])


def normalised(residual: Row, target: Row) -> Row:
    total = residual.sum()
    return residual / total if total > 0 else target


def unchanged(value: Any) -> Any:
    return value


def verifier(
    rule: str,
    *,
    draw: Callable[[Row, Any], int] = by_search,
    ratio: Callable[[Any, Any], Any] = lambda t, d: t / d,
    law: Callable[[Row, Row], Row] = normalised,
    bonus: Callable[[Row], Row] = unchanged,
    target: Callable[[Row], Row] = unchanged,
    coin: Callable[[Any], Any] = unchanged,
    weight: Callable[[Any], Any] = unchanged,
    denominator: Callable[[Any, Any], Any] = lambda mass, weight: mass + (1 - weight),
    precision: Any = Single,
) -> Verify:
    """The token rule, the block rule or a match with a sample in `precision`, with something put in another way."""

    def verify(tokens: Any, draft: Any, targets: Any, uniforms: Any) -> tuple[int, int]:
        D, T, u = (np.asarray(array, precision) for array in (draft, targets, uniforms))
        T = np.array([target(row) for row in T])
        one, gamma = precision(1), len(tokens)
        if rule == "block":
            weights, kept = [one], 0
            for i in range(1, gamma + 1):
                r = ratio(T[i - 1, tokens[i - 1]], D[i - 1, tokens[i - 1]])
                weights.append(weight(min(one, weights[-1] * r)))
                chance = weights[-1]
                if i < gamma:
                    mass = np.maximum(weights[-1] * T[i] - D[i], 0).sum()
                    below = denominator(mass, weights[-1])
                    chance = mass / below if below > 0 else one
                if u[i - 1] < coin(chance):
                    kept = i
            residual = None if kept == gamma else np.maximum(weights[kept] * T[kept] - D[kept], 0)
        else:
            kept, residual = gamma, None
            for i, token in enumerate(tokens):
                chance = T[i, token] if rule == "match" else min(one, ratio(T[i, token], D[i, token]))
                if not u[i] < coin(chance):
                    others = np.where(np.arange(T.shape[1]) == token, precision(0), T[i])
                    kept, residual = i, others if rule == "match" else np.maximum(T[i] - D[i], 0)
                    break
        return kept, draw(bonus(T[kept]) if residual is None else law(residual, T[kept]), u[-1])

    return verify


def by_product(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, Any]:
    """The token rule without a quotient, with the law of the next token for an answer."""
    D, T, u = (np.asarray(array, Single) for array in (draft, target, uniforms))
    for i, token in enumerate(tokens):
        if not u[i] * D[i, token] < T[i, token]:
            return i, normalised(np.maximum(T[i] - D[i], 0), T[i])
    return len(tokens), T[len(tokens)]


def by_logarithms(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[int, int]:
    """The token rule on logarithms, which has uniforms in another place and looks at 1 − u."""
    D, T, u = (np.asarray(array, Single) for array in (draft, target, uniforms))
    with np.errstate(divide="ignore"):
        for i, token in enumerate(tokens):
            if not np.log(1 - u[1 + i]) <= np.log(T[i, token]) - np.log(D[i, token]):
                return i, downwards(normalised(np.maximum(T[i] - D[i], 0), T[i]), u[0])
    return len(tokens), downwards(T[len(tokens)], u[0])


def greedy_block(tokens: Any, draft: Any, target: Any, uniforms: Any, memory: Any) -> tuple[int, int, Any]:
    """Greedy block verification with its modified continuation; the memory holds [R, remaining], outermost first."""
    D, T, u = (np.asarray(array, Single) for array in (draft, target, uniforms))
    gamma, windows = len(tokens), []

    def ratios(start: Any, rows: Row) -> list[Any]:
        found = [Single(start)]
        for i, token in enumerate(tokens):
            found.append(found[-1] * (rows[i, token] / D[i, token]))
        return found

    for start, remaining in memory or []:
        R, modified = ratios(start, T), T.copy()
        for i in range(min(gamma + 1, remaining)):
            modified[i] = normalised(np.maximum(R[i] * T[i] - D[i], 0), T[i])
        windows.append((R, T, remaining))
        T = modified
    R, kept = ratios(1, T), 0
    for i in range(1, gamma + 1):
        coin = min(Single(1), R[i])
        if i < gamma and coin < 1:
            wanted = np.maximum(R[i] * T[i] - D[i], 0).sum()
            coin = wanted / (wanted + (1 - R[i]))
        if u[i - 1] < coin:
            kept = i
    law = T[gamma] if kept == gamma else normalised(np.maximum(R[kept] * T[kept] - D[kept], 0), T[kept])
    y = by_search(law, u[-1])
    after = []
    for ratio, rows, remaining in [*windows, *([(R, T, gamma)] if kept < gamma else [])]:
        left = remaining - kept - 1
        if left > 0 and D[kept, y] > 0 and (following := ratio[kept] * (rows[kept, y] / D[kept, y])) > 0:
            after.append([float(following), left])
    return kept, y, after or None


def batched_in_torch(tokens: Any, draft: Any, target: Any, uniforms: Any) -> tuple[Any, Any]:
    """The token rule of a whole batch in torch float32, as an engine writes it."""
    import torch

    x, D, T, u = (torch.as_tensor(np.asarray(array)) for array in (tokens, draft, target, uniforms))
    D, T, u = D.float(), T.float(), u.float()
    gamma = x.shape[1]
    chances = T[:, :gamma].gather(-1, x[..., None])[..., 0] / D.gather(-1, x[..., None])[..., 0]
    kept = (u[:, :gamma] < chances).long().cumprod(1).sum(1)
    place = kept[:, None, None].expand(-1, 1, T.shape[-1])
    residuals = (T - torch.cat([D, torch.zeros_like(T[:, :1])], 1)).clamp(min=0)
    law, rows = residuals.gather(1, place)[:, 0], T.gather(1, place)[:, 0]
    total = law.sum(-1, keepdim=True)
    sums = torch.where(total > 0, law / total, rows).cumsum(-1)
    sums /= sums[:, -1:].clone()
    return kept, (sums > u[:, -1:]).long().argmax(-1)


def through_logits(row: Row) -> Row:
    with np.errstate(divide="ignore"):
        powers = np.exp(np.log(row))
    return powers / powers.sum()


RIGHT: dict[str, Verify] = {
    "token, searched": verifier("token"),
    "token, searched to the end": verifier("token", draw=by_search_to_the_end),
    "token, argmax": verifier("token", draw=by_argmax),
    "token, downwards": verifier("token", draw=downwards),
    "token, through logits": verifier("token", target=through_logits),
    "block, through logits": verifier("block", target=through_logits),
    "token, a law": by_product,
    "token, logarithms": by_logarithms,
    "block, searched": verifier("block"),
    "block, argmax": verifier("block", draw=by_argmax),
    "block, A + 1 first": verifier(
        "block", denominator=lambda mass, weight: (mass + 1) - weight, draw=by_scaled_uniform
    ),
    "match, searched": verifier("match"),
    "match, scaled uniform": verifier("match", draw=by_scaled_uniform),
}


def without(law: Row, least: float) -> Row:
    kept = np.where(law < least, 0, law).astype(law.dtype)
    return kept / kept.sum()


def plus(value: Any, more: float) -> Any:
    return value + value.dtype.type(more)


# Each is wrong by 9e-8 to 2e-6 in the probability of a text, in either precision.
FAULTS: dict[str, dict[str, Any]] = {
    "a residual with an epsilon": {"rule": "token", "law": lambda r, t: normalised(plus(r, 1e-6), t)},
    "its sum with an epsilon": {
        "rule": "block",
        "law": lambda r, t: r / plus(r.sum(), 1e-6),
        "draw": by_search_to_the_end,
    },
    "small residuals are empty": {"rule": "token", "law": lambda r, t: r / r.sum() if r.sum() > 1e-6 else t},
    "a ratio with an epsilon": {"rule": "token", "ratio": lambda t, d: t / plus(d, 1e-6)},
    "a denominator with an epsilon": {"rule": "block", "denominator": lambda mass, w: plus(mass + (1 - w), 1e-6)},
    "0/0 := 1 below 1e-6": {
        "rule": "block",
        "denominator": lambda mass, w: d if (d := mass + (1 - w)) >= 1e-6 else d * 0,
    },
    "0/0 := 0 below 1e-6": {
        "rule": "block",
        "denominator": lambda mass, w: d if (d := mass + (1 - w)) >= 1e-6 else d + 1e30,
    },
    "close enough": {"rule": "token", "ratio": lambda t, d: t / d if abs(t - d) > 1e-6 else d / d},
    "tokens rarer than 1e-6 dropped": {"rule": "token", "target": lambda row: without(row, 1e-6)},
    "bonus tokens rarer than 1e-6 dropped": {"rule": "block", "bonus": lambda row: without(row, 1e-6)},
    "corrections rarer than 1e-6 dropped": {"rule": "match", "law": lambda r, t: without(normalised(r, t), 1e-6)},
    "ratios 4e-7 too high": {"rule": "token", "ratio": lambda t, d: t / d * t.dtype.type(1 + 4e-7)},
    "coins a millionth too high": {"rule": "match", "coin": lambda h: plus(h, 1e-6)},
    "coins a millionth too low": {"rule": "token", "coin": lambda h: h * h.dtype.type(1 - 1e-6)},
    "weights never 1": {"rule": "block", "weight": lambda w: min(w, w.dtype.type(1 - 1e-6))},
}
