"""The smallest counterexample as a program of its own: literal laws, the calls to make, and the two probabilities to compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from specdemo.auditor.questions import Problem, Question
from specdemo.auditor.sources import Source, ask_lines, call_lines, imports, literal
from specdemo.auditor.splitting import Cell
from specdemo.auditor.subjects import Subject, VerifierSubject
from specdemo.auditor.texts import StateKey, WorldResult
from specdemo.auditor.trees import Prefix

# A longer list of calls than this is of no use to a reader: then one call stands for all cells that are answered alike.
MAX_RUNS = 400
CHANGES = "# Asked once more it answered otherwise: its answers change from call to call."
Run = tuple[float, list[tuple[Prefix, tuple[float, ...]]]]


def smallest_call(subject: Subject, problem: Problem) -> tuple[Question, ...]:
    """Few questions, put in one call, that show the problem again; none where what showed it does so no more."""
    place = next(i for i, question in enumerate(problem.together) if question is problem.question)
    before, after = problem.together[:place], problem.together[place + 1 :]
    if not subject.shows_again(problem, problem.together):
        return ()
    for nearest in (((), ()), (before[-1:], ()), ((), after[:1])):
        if subject.shows_again(problem, (*nearest[0], problem.question, *nearest[1])):
            return (*nearest[0], problem.question, *nearest[1])
    # Half of one side and of the other is left out as long as that changes nothing.
    for count in (len(problem.together) >> i for i in range(1, 20)):
        for shorter in ((before[count:], after), (before, after[: -count or None])):
            if count and subject.shows_again(problem, (*shorter[0], problem.question, *shorter[1])):
                before, after = shorter
    return (*before, problem.question, *after)


def problem_snippet(subject: Subject, source: Source, problem: Problem, together: tuple[Question, ...]) -> str:
    """One call that no verifier may answer so, of all the questions that it takes (`smallest_call`; of this one where that found none)."""
    question = problem.question
    block = question.block
    if subject.form in ("batched", "ragged"):
        return _call_snippet(subject, source, problem, together)
    last = question.seed if subject.seeded else list(question.uniforms)
    return "\n".join(
        [
            f"# {subject.name} {problem.message}.",
            *([] if together else [CHANGES]),
            *imports(subject),
            *source.lines,
            "",
            f"tokens = {list(block.tokens)!r}",
            f"draft = np.array({block.draft.tolist()!r}).reshape(-1, {block.vocab_size})",
            f"target = np.array({block.target.tolist()!r})",
            "",
            *ask_lines(subject),
            "",
            # Flushed, because what follows may end the process.
            f"print({('wrong: ' + problem.message)!r})",
            f"print('its answer (accepted, next token, memory) to tokens {list(block.tokens)}:', flush=True)",
            f"print(ask(tokens, draft, target, {last!r}, {block.memory!r}))",
            "",
        ]
    )


def _call_snippet(subject: Subject, source: Source, problem: Problem, together: tuple[Question, ...]) -> str:
    """The call with all its rows, and the answer to the one that is meant."""
    header = [] if together else [CHANGES]
    together = together or (problem.question,)
    place = next(i for i, question in enumerate(together) if question is problem.question)
    rows = [(q.block.tokens, q.block.draft.tolist(), q.block.target.tolist(), q.uniforms) for q in together]
    return "\n".join(
        [
            f"# {subject.name} {problem.message}.",
            *header,
            *imports(subject),
            *source.lines,
            "",
            "# One call: the tokens, draft, target and uniforms of each row.",
            "ROWS = [",
            *(f"    {tuple(list(part) for part in row)!r}," for row in rows),
            "]",
            "",
            *call_lines(subject),
            "",
            "accepted, following = call(ROWS)",
            f"print({('wrong: ' + problem.message)!r})",
            f"print('its answer (accepted, next token) to row {place} of {len(rows)}:', (accepted[{place}], following[{place}]))",
            "",
        ]
    )


def law_snippet(subject: Subject, source: Source, result: WorldResult) -> str:
    """The calls whose texts start too often with one prefix: the one that does so most."""
    prefix, _, _, _ = result.worst(only_too_often=True)
    runs = list(_runs(result, ((), "", 0), 1.0, prefix, []))
    alike = len(runs) > MAX_RUNS
    if alike:
        runs = list(_runs(result, ((), "", 0), 1.0, prefix, [], alike))
    cells = "their cells of uniforms that are answered alike" if alike else "their cell of uniforms"
    drafts, targets = _laws_needed(subject, result, runs, prefix)
    size = result.world.vocab_size
    return "\n".join(
        [
            f"# {subject.name}: how often does the text start with {prefix}?",
            *imports(subject),
            *source.lines,
            "",
            f"# The draft's and the target's law after each prefix: the world {result.world.name}.",
            f"DRAFT = {literal(drafts)}",
            f"TARGET = {literal(targets)}",
            f"# (probability of these drafts and of {cells}, [(drafted tokens, uniforms) block after block]):",
            "# all the cells in which this subject's text may start with the prefix.",
            "RUNS = [",
            *(f"    {run!r}," for run in runs),
            "]",
            f"PREFIX = {prefix!r}",
            "",
            *ask_lines(subject),
            "",
            "got = 0.0",
            "for probability, blocks in RUNS:",
            "    text, law, memory = (), None, None",
            "    for tokens, uniforms in blocks:",
            "        place = [(*text, *tokens[:i]) for i in range(len(tokens) + 1)]",
            f"        rows = {_rows_line(subject, result)}",
            f"        draft = np.array([DRAFT[p] for p in place[:rows]]).reshape(rows, {size})",
            "        target = np.array([TARGET[p] for p in place])",
            "        accepted, following, memory = ask(list(tokens), draft, target, list(uniforms), memory)",
            "        text = (*text, *tokens[: int(accepted)])",
            "        if np.ndim(following) == 0:",
            "            text = (*text, int(following))",
            "        else:",
            "            law = np.asarray(following)",
            "    for i, token in enumerate(PREFIX):",
            "        if i < len(text):",
            "            probability *= text[i] == token",
            "        elif i == len(text) and law is not None:",
            "            probability *= float(law[token])",
            "        else:",
            "            probability *= TARGET[PREFIX[:i]][token]",
            "    got += probability",
            "right = float(np.prod([TARGET[PREFIX[:i]][PREFIX[i]] for i in range(len(PREFIX))]))",
            "print(f'the text starts with {PREFIX}: right {right:.9f}, got {got:.9f}, too often by {got - right:.3g}')",
            "",
        ]
    )


def _rows_line(subject: Subject, result: WorldResult) -> str:
    if subject.may_remember and result.world.changing:
        return "len(tokens) + (memory is not None)"
    return "rule.draft_rows_wanted(len(tokens), memory)" if isinstance(subject, VerifierSubject) else "len(tokens)"


def _runs(
    result: WorldResult, key: StateKey, mass: float, prefix: Prefix, before: list[Any], alike: bool = False
) -> Iterator[Run]:
    """Every run whose text agrees with the prefix as far as it goes: block after block until the prefix is decided.

    With `alike`, one run stands for all cells of a block that are answered alike.
    """
    state = result.states[key]
    for law, drafted in state.laws:
        cells = [(cell, cell.volume) for cell in law.cells]
        for cell, volume in _merged(cells) if alike else cells:
            answer = cell.answer
            probability = mass * drafted * volume
            if answer.accepted < 0 or probability <= 0:
                continue
            text = (*state.text, *law.block.tokens[: answer.accepted])
            agrees = text[: len(prefix)] == prefix[: len(text)]
            blocks = [*before, (law.block.tokens, cell.middle)]
            if answer.law is not None:
                if agrees and (len(text) >= len(prefix) or answer.law[prefix[len(text)]] > 0):
                    yield probability, blocks
                continue
            text = (*text, answer.next_token)
            if text[: len(prefix)] != prefix[: len(text)]:
                continue
            following = (text, answer.memory_key, state.place + 1)
            if len(text) < len(prefix) and following in result.states:
                yield from _runs(result, following, probability, prefix, blocks, alike)
            else:
                yield probability, blocks


def _merged(cells: list[tuple[Cell, float]]) -> list[tuple[Cell, float]]:
    """The largest of the cells with the same answer, and the volume of all of them; laws are left as they are."""
    found: list[tuple[Cell, float]] = []
    places: dict[tuple[int, int, str], int] = {}
    for cell, volume in sorted(cells, key=lambda pair: -pair[1]):
        answer = cell.answer
        key = answer.accepted, answer.next_token, answer.memory_key
        if answer.law is None and key in places:
            found[places[key]] = found[places[key]][0], found[places[key]][1] + volume
        else:
            places.setdefault(key, len(found))
            found.append((cell, volume))
    return found


def _laws_needed(
    subject: Subject, result: WorldResult, runs: list[Run], prefix: Prefix
) -> tuple[dict[Prefix, list[float]], dict[Prefix, list[float]]]:
    world = result.world
    drafts: set[Prefix] = set()
    targets: set[Prefix] = {prefix[:i] for i in range(len(prefix))}
    for _, blocks in runs:
        # Where the run has come to before each block is a prefix of PREFIX; how long does not matter, all starts are listed.
        starts = [prefix[:i] for i in range(len(prefix))] if len(blocks) > 1 else [()]
        for tokens, _ in blocks:
            for start in starts:
                places = [(*start, *tokens[:i]) for i in range(len(tokens) + 1)]
                targets.update(places)
                drafts.update(places if subject.may_remember else places[:-1])
    by_length = sorted(drafts, key=lambda p: (len(p), p)), sorted(targets, key=lambda p: (len(p), p))
    return {p: world.draft(p).tolist() for p in by_length[0]}, {p: world.target(p).tolist() for p in by_length[1]}
