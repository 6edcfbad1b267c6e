"""The counterexample of a statistical verdict as a program: the audit's texts are drawn again, and one prefix is counted."""

from __future__ import annotations

from specdemo.auditor.sources import Source, ask_all_lines, imports, literal
from specdemo.auditor.statistics import AT_ONCE, Sampled
from specdemo.auditor.subjects import Subject


def sampled_snippet(subject: Subject, source: Source, text: Sampled, reason: str) -> str:
    """Draws the drafts and uniforms of `sampled` again, in the same batches, and counts the texts that start with the worst prefix."""
    world, (prefix, _, _, _) = text.world, text.worst()
    gamma, size = world.gamma, world.vocab_size
    rows = subject.draft_rows_wanted(gamma, None)
    prefixes = [tokens for length in range(gamma + 1) for tokens in _all(size, length)]
    uniforms = "rng.random((len(blocks), GAMMA + 1))"
    if subject.feed.single:
        uniforms = f"np.minimum({uniforms}, {subject.feed.top!r})"
    question, shown = f"does the text start with {prefix}", "the text starts with {PREFIX}"
    if not prefix:
        question, shown = "is its answer a valid one", "its answer is a valid one"
    # Some of the answers were none: they are left out as they were in the audit.
    missing = text.got.sum() < 1 - 1e-9
    last = "range(start, start + len(blocks))  # the seeds" if subject.seeded else f"{uniforms}.tolist()"
    return "\n".join(
        [
            f"# {subject.name}: how often {question}? Sampled, because {reason}.",
            "import itertools",
            *imports(subject),
            *source.lines,
            "",
            f"# The draft's and the target's law after each prefix: the world {world.name}.",
            f"DRAFT = {literal({p: world.draft(p).tolist() for p in prefixes if len(p) < rows})}",
            f"TARGET = {literal({p: world.target(p).tolist() for p in prefixes})}",
            f"GAMMA, SIZE, PREFIX, COUNT, AT_ONCE = {gamma}, {size}, {prefix!r}, {text.count}, {AT_ONCE}",
            "",
            *ask_all_lines(subject),
            "",
            *(_judging_lines(subject) if missing else []),
            "# The drafts and uniforms of the audit, drawn again.",
            f"rng = np.random.default_rng({list(text.stream)})",
            "drafts, masses = [], []",
            "for tokens in itertools.product(range(SIZE), repeat=GAMMA):",
            "    mass = 1.0",
            "    for i, token in enumerate(tokens):",
            "        mass *= DRAFT[tokens[:i]][token]",
            "    if mass > 0:",
            "        drafts.append(tokens)",
            "        masses.append(mass)",
            "numbers = rng.multinomial(COUNT, np.array(masses) / np.array(masses).sum())",
            "order = rng.permutation(np.repeat(np.arange(len(drafts)), numbers)).tolist()",
            "hits = 0.0",
            "for start in range(0, COUNT, AT_ONCE):",
            "    blocks = [drafts[i] for i in order[start : start + AT_ONCE]]",
            f"    draft = [np.array([DRAFT[tokens[:i]] for i in range({rows})]).reshape({rows}, SIZE) for tokens in blocks]",
            "    target = [np.array([TARGET[tokens[:i]] for i in range(GAMMA + 1)]) for tokens in blocks]",
            f"    last = {last}",
            f"    answers = {'ask_each' if missing else 'ask_all'}([list(tokens) for tokens in blocks], draft, target, last)",
            "    for tokens, (accepted, following) in zip(blocks, answers):",
            *(["        if not is_answer(accepted, following):", "            continue"] if missing else []),
            "        text = tokens[: int(accepted)]",
            "        law = np.asarray(following) if np.ndim(following) else np.eye(SIZE)[int(following)]",
            "        share = 1.0",
            "        for i, token in enumerate(PREFIX):",
            "            if i < len(text):",
            "                share *= text[i] == token",
            "            else:",
            "                share *= float(law[token]) if i == len(text) else TARGET[PREFIX[:i]][token]",
            "        hits += share",
            "right = float(np.prod([TARGET[PREFIX[:i]][PREFIX[i]] for i in range(len(PREFIX))]))",
            f"print(f'{shown}: right {{right:.6f}}, got {{hits / COUNT:.6f}} in {{COUNT}} texts')",
            "",
        ]
    )


def _judging_lines(subject: Subject) -> list[str]:
    """The functions `ask_each`, which asks one by one what raises together, and `is_answer`."""
    tolerance = subject.feed.tolerance
    return [
        "def ask_each(*columns):",
        "    try:",
        "        return list(ask_all(*columns))",
        "    except Exception:",
        "        if len(columns[0]) == 1:",
        "            return [(None, None)]",
        "        return [answer for row in zip(*columns) for answer in ask_each(*([value] for value in row))]",
        "",
        "def is_answer(accepted, following):",
        "    try:",
        "        accepted, values = float(accepted), np.asarray(following, dtype=float)",
        "    except (TypeError, ValueError):",
        "        return False",
        "    if not (accepted.is_integer() and 0 <= accepted <= GAMMA):",
        "        return False",
        "    if values.ndim == 0:",
        "        return float(values).is_integer() and 0 <= values < SIZE",
        f"    return values.shape == (SIZE,) and values.min() >= -{tolerance!r} and abs(values.sum() - 1) <= {max(1e-6, 10 * tolerance)!r}",
        "",
    ]


def _all(size: int, length: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(length):
        found = [(*prefix, v) for prefix in found for v in range(size)]
    return found
