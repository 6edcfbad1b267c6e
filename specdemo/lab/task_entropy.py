"""How open a task's texts are: the entropy of the target's law along the target's own continuations, and the draft's overlap with it there.

`python -m specdemo.lab.task_entropy` prints the table of docs/lab-tasks.md. Nothing is verified here: what rules make of a task is the
sweep's to measure.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.lab.report import table
from specdemo.lab.statistics import Mean, grouped_mean
from specdemo.lab.tasks import Task, get, names
from specdemo.pairs.pair import Pair
from specdemo.verifiers.sampling import draw


@dataclass(frozen=True)
class Openness:
    """Of a task: mean entropy of T in nats a token, and mean overlap Σ min(T, D), at temperature 1; errors are over prompts."""

    task: str
    prompts: int
    tokens: int
    entropy: Mean
    overlap: Mean


def openness(pair: Pair, task: Task, *, prompts: int = 16, new_tokens: int = 48, seed: int = 0) -> Openness:
    """Continue the first `prompts` of a task by sampling the target, up to `new_tokens` each or the end of the text.

    Raises ValueError for a task that is to be answered ("chat"), and for counts below 1.
    """
    if task.mode != "text":
        raise ValueError(f"the task {task.name!r} is to be answered, not continued: its entropy is not measured here")
    if prompts < 1 or new_tokens < 1:
        raise ValueError(f"prompts and new_tokens must be at least 1, got {prompts} and {new_tokens}")
    chosen = task.prompts[:prompts]
    walks = [_walk(pair, text, new_tokens, seed, number) for number, text in enumerate(chosen)]
    entropies, overlaps = [walk[0] for walk in walks], [walk[1] for walk in walks]
    return Openness(task.name, len(chosen), sum(map(len, entropies)), grouped_mean(entropies), grouped_mean(overlaps))


def entropy_of(law: FloatArray) -> float:
    """The entropy of a law (V,) in nats; tokens of probability 0 add nothing.

    >>> round(entropy_of(np.array([0.5, 0.5, 0.0])), 4)
    0.6931
    """
    positive = law[law > 0]
    return float(-(positive * np.log(positive)).sum())


def _walk(pair: Pair, text: str, new_tokens: int, seed: int, number: int) -> tuple[list[float], list[float]]:
    """At every position of one continuation the entropy of T, and the overlap of T and D."""
    ids = list(pair.encode(text, room=new_tokens).ids)
    target, draft = CachedModel(pair.target_model), CachedModel(pair.draft_model)
    laws, uniforms = LawMaker(Processing(), pair.vocab_size), PhiloxUniforms(seed, number)
    entropies, overlaps = [], []
    for position in range(new_tokens):
        wanted = laws(target.rows(ids), "target", len(ids))[0]
        offered = laws(draft.rows(ids), "draft", len(ids))[0]
        entropies.append(entropy_of(wanted))
        overlaps.append(float(np.minimum(wanted, offered).sum()))
        ids.append(draw(wanted, float(uniforms.verify(position, 0)[0])))
        if ids[-1] in pair.eos_token_ids:
            break
    return entropies, overlaps


def _row(found: Openness) -> list[str]:
    def with_error(mean: Mean) -> str:
        return f"{mean.mean:.2f}" + ("" if mean.standard_error is None else f" ± {mean.standard_error:.2f}")

    return [found.task, str(found.tokens), with_error(found.entropy), with_error(found.overlap)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every task that is to be continued, and print them from low to high entropy as a Markdown table."""
    from specdemo.pairs import load_pair

    parser = argparse.ArgumentParser(prog="specdemo.lab.task_entropy", description=main.__doc__)
    parser.add_argument("--pair", default="stories")
    parser.add_argument("--draft")
    parser.add_argument("--prompts", type=int, default=16)
    parser.add_argument("--new-tokens", type=int, default=48)
    options = parser.parse_args(arguments)
    pair = load_pair(options.pair, draft=options.draft, device="cpu")
    found = []
    for name in names("text"):
        found.append(openness(pair, get(name), prompts=options.prompts, new_tokens=options.new_tokens))
        print(" ".join(_row(found[-1])), file=sys.stderr, flush=True)
    found.sort(key=lambda one: one.entropy.mean)
    heading = ["task", "tokens", "entropy of T, nats a token", "Σ min(T, D)"]
    print(table(heading, [_row(one) for one in found], markdown=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
