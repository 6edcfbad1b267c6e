"""Which known mistake a wrong subject behaves like: its laws of (τ, Y) next to those of the gallery and of the lossy rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from specdemo.arrays import FloatArray
from specdemo.auditor.feeding import Feed
from specdemo.auditor.laws import NotExact, block_laws
from specdemo.auditor.questions import Answer, Block, Problem, Question
from specdemo.auditor.subjects import Subject, VerifierSubject
from specdemo.auditor.texts import result_of, worst_prefix
from specdemo.auditor.trees import Prefix, World
from specdemo.verifiers import Verifier, get, mistakes, names

# So many random points stand for a block's law where it cannot be found exactly.
SAMPLED_POINTS = 1000
# Laws in so many worlds tell the mistakes apart.
WORLDS = 6
# Laws that are known no better than this were sampled.
SAMPLED = 1e-3
# Laws that differ by more than this in one entry are not alike in any sense.
FAR = 0.5
# A mistake explains something where its laws are at most this share of what the right rules' laws differ by.
CLOSER = 0.5


@dataclass(frozen=True)
class Match:
    """A known wrong rule and the largest difference of the laws of (τ, Y); `exact` where that is within the error."""

    name: str
    title: str
    goes_wrong: str
    issue: str | None
    distance: float
    exact: bool

    def to_json(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in ("name", "title", "goes_wrong", "issue", "distance", "exact")}


@dataclass(frozen=True)
class Behaviour:
    """What a subject does with the first block in one world: a table (γ+1, V) of (τ, Y) for every draft, and its error.

    `deviation` is how far its text was from the target there.
    """

    world: World
    tables: dict[Prefix, FloatArray]
    error: float
    deviation: float


def known_wrong_rules() -> list[Verifier]:
    """The gallery's entries and the registered rules that are not lossless."""
    rules = [get(name) for name in names()]
    return [mistakes.get(name) for name in mistakes.names()] + [rule for rule in rules if rule.lossless != "always"]


def nearest(
    behaviours: list[Behaviour], problems: list[Problem], answers: list[Answer], tolerance: float
) -> Match | None:
    """The known wrong rule whose laws are nearest, and which answers the offending questions alike where laws cannot tell.

    `answers` are the subject's answers to the questions of `problems`.
    """
    chosen = _telling(behaviours, tolerance)
    # The first world sorts the rules, so that most need not be followed through the others.
    rules = sorted(known_wrong_rules(), key=lambda rule: _distance(rule, chosen[:1], np.inf)[0])
    best: tuple[float, float, Verifier, bool, float] | None = None
    for rule in rules:
        raw, error = _distance(rule, chosen, stop_above=best[0] if best else np.inf)
        if best is not None and raw > best[0] + error:
            continue
        exact = raw <= 10 * tolerance + error
        if exact and not _explains_the_text(rule, chosen, tolerance):
            continue
        # Rounding is no difference: what was answered to the offending questions decides there.
        distance = 0.0 if raw <= 10 * tolerance + min(error, 1e-6) else raw
        unlike = _unlike(rule, problems, answers)
        if best is None or (distance, unlike) < best[:2]:
            best = (distance, unlike, rule, exact, raw)
    if best is None:
        return None
    distance, unlike, rule, exact, raw = best
    sampled = any(behaviour.error > SAMPLED for behaviour in chosen)
    reach = 10 * tolerance if exact and sampled else raw / CLOSER
    if all(behaviour.deviation <= tolerance for behaviour in chosen) or _right_rules_are_as_near(reach, chosen, exact):
        # Laws that are right, as far as is known, can only be told by what goes wrong at the edges, and that has to be this.
        if unlike or not exact:
            return None
    elif not exact and distance > FAR:
        return None
    return Match(
        rule.name,
        rule.title,
        getattr(rule, "goes_wrong", f"{rule.title} is not lossless: {rule.source}."),
        getattr(rule, "issue", None),
        distance,
        exact,
    )


def _right_rules_are_as_near(reach: float, behaviours: list[Behaviour], exact: bool) -> bool:
    """Whether some right rule's laws are within this and the error: then a mistake explains hardly more than no mistake at all.

    An `exact` mistake may be one that shows in later blocks only: there a rule that remembers is right in its first block alone.
    """
    for name in names():
        rule = get(name)
        if rule.lossless == "always" and not (exact and rule.remembers):
            distance, error = _distance(rule, behaviours, stop_above=reach)
            if distance <= reach + error:
                return True
    return False


def _explains_the_text(rule: Verifier, behaviours: list[Behaviour], tolerance: float) -> bool:
    """Whether a rule with the subject's first blocks also deviates as far as the subject does, where later blocks have a part in that."""
    for behaviour in sorted(behaviours, key=lambda b: (sum(b.world.gammas), b.world.vocab_size)):
        # What was sampled is followed for one block only.
        if behaviour.error > SAMPLED:
            continue
        allowed = 10 * tolerance + behaviour.error
        if abs(_first_block_deviation(behaviour) - behaviour.deviation) <= allowed:
            continue
        try:
            result = result_of(VerifierSubject(rule), behaviour.world, np.random.default_rng(0), 2, remembers=True)
        except NotExact:
            return False
        if abs(result.deviation - behaviour.deviation) > allowed + result.error:
            return False
    return True


def _first_block_deviation(behaviour: Behaviour) -> float:
    """How far the text of one block, filled up from the target, is from the target."""
    world, length = behaviour.world, behaviour.world.gamma + 1
    got = np.zeros((world.vocab_size,) * length)
    for tokens, mass in world.blocks((), world.gamma):
        for accepted, row in enumerate(behaviour.tables[tokens]):
            for token, probability in enumerate(row):
                text = (*tokens[:accepted], token)
                got[text] += mass * probability * world.completion(text, length - len(text))
    return worst_prefix(got, world.completion((), length))[1]


def _telling(behaviours: list[Behaviour], tolerance: float) -> list[Behaviour]:
    """Few worlds in which the rules differ: those where the subject does worst, and model C and others without edges."""
    useful = [b for b in behaviours if b.world.gamma >= 1 and b.world.vocab_size > 1 and len(b.tables) <= 16]
    worst = sorted((b for b in useful if b.deviation > tolerance), key=lambda b: -b.deviation)[: WORLDS - 2]
    plain = [
        b for b in useful if b.world.gamma >= 2 and b.world.kind in ("model_c", "plain", "zeros") and b not in worst
    ]
    # The smallest first: there most rules are already seen to be others.
    worst.sort(key=lambda b: (b.world.gamma < 2, len(b.tables)))
    plain.sort(key=lambda b: (-b.world.vocab_size, len(b.tables)))
    return (worst + plain)[:WORLDS]


def _distance(rule: Verifier, behaviours: list[Behaviour], stop_above: float) -> tuple[float, float]:
    """The largest difference of any law's entry, and the error; once it is above `stop_above` and the error, no further."""
    largest, error = 0.0, 0.0
    for behaviour in behaviours:
        # What has no exact law is not what was found exactly; sampled laws are compared with sampled ones only.
        found = _known_tables(rule, _Drafts(behaviour.world, tuple(behaviour.tables)), behaviour.error > SAMPLED)
        if found is None:
            return np.inf, 0.0
        for tokens, table in behaviour.tables.items():
            largest = max(largest, float(np.abs(found[0][tokens] - table).max()))
        error = max(error, behaviour.error + found[1])
        if largest > stop_above + error:
            break
    return largest, error


@dataclass(frozen=True, eq=False)
class _Drafts:
    """Some first blocks of a world; equal where the worlds have the same name and arrays, and so the same laws."""

    world: World
    drafts: tuple[Prefix, ...]

    def _key(self) -> tuple[str, Feed, tuple[Prefix, ...]]:
        return self.world.name, self.world.feed, self.drafts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Drafts) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


# Many audits in one process, as in a test suite, compare with the same rules in the same worlds.
@lru_cache(maxsize=4096)
def _known_tables(rule: Verifier, drafts: _Drafts, sampling: bool) -> tuple[dict[Prefix, FloatArray], float] | None:
    try:
        return tables_of(VerifierSubject(rule), drafts.world, list(drafts.drafts), sampling)
    except NotExact:
        return None


def tables_of(
    subject: Subject, world: World, drafts: list[Prefix], sampling: bool = True
) -> tuple[dict[Prefix, FloatArray], float]:
    """The laws of (τ, Y) for some first blocks: exact where possible, else from random uniforms (or NotExact); with the error."""
    rng = np.random.default_rng(0)
    blocks = [
        Block(tokens, world.draft_rows((), tokens, world.gamma), world.target_rows((), tokens)) for tokens in drafts
    ]
    try:
        laws = block_laws(subject, blocks, rng, random_points=2)
        return {law.block.tokens: law.table for law in laws}, max((law.error for law in laws), default=0.0)
    except NotExact:
        if not sampling:
            raise
        return {block.tokens: _sampled_table(subject, block) for block in blocks}, 2 * SAMPLED_POINTS**-0.5


def _sampled_table(subject: Subject, block: Block) -> FloatArray:
    # The same uniforms for every subject: two that decide alike get the same table.
    rng = np.random.default_rng([7, *block.tokens])
    table = np.zeros((block.gamma + 1, block.vocab_size))
    rows = rng.random((SAMPLED_POINTS, block.gamma + 1)).tolist()
    for answer in subject.answers([Question(block, tuple(subject.feed.uniform(u) for u in row)) for row in rows]):
        if answer.law is not None:
            table[answer.accepted] += answer.law / SAMPLED_POINTS
        elif answer.accepted >= 0:
            table[answer.accepted, answer.next_token] += 1 / SAMPLED_POINTS
    return table


def _unlike(rule: Verifier, problems: list[Problem], answers: list[Answer]) -> float:
    """The share of offending questions that the rule answers otherwise than the subject did."""
    asked = [(p, a) for p, a in zip(problems, answers, strict=True) if p.question.seed is None]
    if not asked:
        return 1.0
    subject = VerifierSubject(rule)
    blocks = [problem.question.block for problem, _ in asked]
    fresh = [
        Question(Block(block.tokens, block.draft, block.target), problem.question.uniforms)
        for block, (problem, _) in zip(blocks, asked, strict=True)
    ]
    said = subject.answers(fresh)
    return sum(
        # What went wrong counts, and not what the subject says now: a known mistake makes it every time.
        one.problem != problem.kind or one.accepted != other.accepted
        for one, (problem, other) in zip(said, asked, strict=True)
    ) / len(asked)
