"""The counterexample of a statistical verdict as a program: texts are sampled, and one prefix is counted."""

from __future__ import annotations

from specdemo.auditor.sources import Source, ask_lines, imports, literal
from specdemo.auditor.statistics import Sampled
from specdemo.auditor.subjects import Subject


def sampled_snippet(subject: Subject, source: Source, text: Sampled) -> str:
    """Samples texts of γ+1 tokens as the audit did and counts those that start with the worst prefix."""
    world, (prefix, _, _, _) = text.world, text.worst()
    gamma, size = world.gamma, world.vocab_size
    prefixes = [tokens for length in range(gamma + 1) for tokens in _all(size, length)]
    return "\n".join(
        [
            f"# {subject.name}: how often does the text start with {prefix}? Sampled, because {_why(subject)}.",
            *imports(subject),
            *source.lines,
            "",
            f"DRAFT = {literal({p: world.draft(p).tolist() for p in prefixes if len(p) < gamma})}",
            f"TARGET = {literal({p: world.target(p).tolist() for p in prefixes})}",
            f"GAMMA, SIZE, PREFIX, COUNT = {gamma}, {size}, {prefix!r}, {text.count}",
            "",
            *ask_lines(subject),
            "",
            "rng = np.random.default_rng(0)",
            "hits = 0.0",
            "for number in range(COUNT):",
            "    tokens = ()",
            "    while len(tokens) < GAMMA:",
            "        tokens = (*tokens, int(rng.choice(SIZE, p=np.array(DRAFT[tokens]) / sum(DRAFT[tokens]))))",
            "    draft = np.array([DRAFT[tokens[:i]] for i in range(GAMMA)]).reshape(GAMMA, SIZE)",
            "    target = np.array([TARGET[tokens[:i]] for i in range(GAMMA + 1)])",
            f"    last = {'number' if subject.seeded else 'rng.random(GAMMA + 1).tolist()'}",
            "    accepted, following, _ = ask(list(tokens), draft, target, last, None)",
            "    text = tokens[: int(accepted)]",
            "    law = np.asarray(following) if np.ndim(following) else np.eye(SIZE)[int(following)]",
            "    share = 1.0",
            "    for i, token in enumerate(PREFIX):",
            "        if i < len(text):",
            "            share *= text[i] == token",
            "        else:",
            "            share *= float(law[token]) if i == len(text) else TARGET[PREFIX[:i]][token]",
            "    hits += share",
            "right = float(np.prod([TARGET[PREFIX[:i]][PREFIX[i]] for i in range(len(PREFIX))]))",
            "print(f'the text starts with {PREFIX}: right {right:.6f}, got {hits / COUNT:.6f} in {COUNT} texts')",
            "",
        ]
    )


def _why(subject: Subject) -> str:
    return "it draws for itself" if subject.seeded else "its thresholds cannot be found exactly"


def _all(size: int, length: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(length):
        found = [(*prefix, v) for prefix in found for v in range(size)]
    return found
