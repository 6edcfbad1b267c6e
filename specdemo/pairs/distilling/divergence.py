"""Forward KL from the teacher's stored law to the student's, without a pass over the whole vocabulary.

Of a label the top k log-probabilities and the mass of the rest are known, so the divergence between the two laws with their rests
lumped together, Σ_top p log(p/q) + r log(r/q_r), is a lower bound of the full one, and all that can be asked. The student's
normaliser is estimated from candidates: every token in some top of the chunk, and tokens drawn at random that stand for all others
(importance weights make the sum unbiased). The gradient has a closed form, so it is computed with the loss:
dL/dz_v = q_v − p_v at a top token, q_v (1 − r / q_r) elsewhere.

To it the total variation may be added, 1 − acceptance, which is what a draft is for: of the laws as they are, and of both laws at
temperature 1/2 (scores doubled), where the teacher's mass outside its top is nothing.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor


def divergence(
    hidden: Tensor, table: Tensor, labels: tuple[Tensor, Tensor, Tensor], negatives: Tensor, vocabulary: int, chunk: int,
    total_variation: float = 0.0, cold_total_variation: float = 0.0,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Means over n labels of the divergence (plus the weighted total variations at temperatures 1 and 1/2), the divergence alone and the
    acceptance on the top tokens.

    hidden (n, d) · table (rows, d), of which `labels` = (top ids (n, k), their log-probabilities (n, k), log-mass of the rest (n,)) and
    the distinct `negatives` (m,) are row numbers, drawn uniformly from all `vocabulary` tokens. Only the first result has a gradient.
    """
    weights = (total_variation, cold_total_variation)
    return _Divergence.apply(hidden, table, *labels, negatives, vocabulary, chunk, weights)


class _Divergence(torch.autograd.Function):
    @staticmethod
    def forward(
        context: Any, hidden: Tensor, table: Tensor, ids: Tensor, logs: Tensor, rests: Tensor, negatives: Tensor,
        vocabulary: int, chunk: int, weights: tuple[float, float],
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        short, rows = hidden.to(torch.bfloat16), table.to(torch.bfloat16)
        hidden_gradient, table_gradient = torch.zeros_like(hidden), torch.zeros_like(table)
        sums = torch.zeros(3, dtype=torch.float64)
        for start in range(0, len(hidden), chunk):
            part = slice(start, start + chunk)
            loss = _chunk(short[part], rows, ids[part], logs[part], rests[part], negatives, vocabulary, weights)
            values, gradient, candidates = loss
            sums += values
            hidden_gradient[part] = (gradient @ rows[candidates]).float()
            table_gradient.index_add_(0, candidates, (gradient.mT @ short[part]).float())
        count = len(hidden)
        context.save_for_backward(hidden_gradient / count, table_gradient / count)
        loss, kl, overlap = (sums / count).float().unbind()
        context.mark_non_differentiable(kl, overlap)
        return loss, kl, overlap

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> Any:
        hidden_gradient, table_gradient = context.saved_tensors
        return (gradients[0] * hidden_gradient, gradients[0] * table_gradient, *[None] * 7)


def _chunk(
    hidden: Tensor, rows: Tensor, ids: Tensor, logs: Tensor, rests: Tensor, negatives: Tensor, vocabulary: int,
    weights: tuple[float, float],
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Sums of the three results over the chunk, the gradient by logits (n, candidates) in bfloat16, and the candidates' rows."""
    known, inverse = torch.unique(ids, return_inverse=True)
    others = negatives[~torch.isin(negatives, known)]
    candidates = torch.cat([known, others])
    scores = (hidden @ rows[candidates].mT).float()
    total_variation, cold_total_variation = weights
    copies = math.log((vocabulary - len(known)) / len(others)) if len(others) else 0.0
    cold_law = scores * 2.0 if cold_total_variation else None
    if cold_law is not None:
        cold_law[:, len(known) :] += copies
        cold_law = cold_law.softmax(-1)
    scores[:, len(known) :] += copies
    law = scores.softmax(-1)
    top = law.gather(1, inverse)
    rest_law = (1.0 - top.sum(-1)).clamp(min=1e-7)
    mass, rest = logs.exp(), rests.exp()
    kl = (mass * (logs - top.clamp(min=1e-12).log())).sum(-1) + rest * (rests - rest_law.log())
    overlap = torch.minimum(mass, top).sum(-1) + torch.minimum(rest, rest_law)
    # By probabilities: dL/dq = −p/q at a top token and −r/q_r at all others; through the softmax they become the closed form.
    by_rest = rest / rest_law
    at_top = top - mass
    if total_variation:
        # Total variation Σ_v (p_v − q_v)₊: by probabilities −1 where p > q, else 0.
        below, rest_below = (mass > top).float(), (rest > rest_law).float()
        mean = (below * top).sum(-1) + rest_below * rest_law
        at_top = at_top + total_variation * top * (mean[:, None] - below)
        by_rest = by_rest + total_variation * (rest_below - mean)
    gradient = law.mul_((1.0 - by_rest)[:, None]).scatter_(1, inverse, at_top)
    loss = kl + total_variation * (1 - overlap)
    if cold_law is not None:
        cold_mass = (2.0 * logs).softmax(-1)
        cold_top = cold_law.gather(1, inverse)
        below = (cold_mass > cold_top).float()
        mean = (below * cold_top).sum(-1, keepdim=True)
        # Twice: the scores were doubled.
        slope = 2.0 * cold_total_variation
        gradient += cold_law.mul_(slope * mean)
        gradient.scatter_add_(1, inverse, -slope * cold_top * below)
        loss = loss + cold_total_variation * (cold_mass - cold_top).clamp(min=0).sum(-1)
    values = torch.stack([loss.sum(), kl.sum(), overlap.sum()]).double()
    return values, gradient.to(torch.bfloat16), candidates
