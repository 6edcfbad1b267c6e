"""From "something is wrong" to "this is what the engine does": the alternatives raced on the log, and the winner named."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from specdemo.auditor.steps.as_if import Guess, Which, guessed
from specdemo.auditor.steps.extent import Extent
from specdemo.auditor.steps.hypotheses import alternatives, rules_only
from specdemo.auditor.steps.race import Runner, race
from specdemo.auditor.steps.reading import StepRecord
from specdemo.verifiers import Verifier

Again = Callable[[], Iterator[StepRecord]]

# Two explanations nearer than this cannot be told apart on this log.
_TIE = 3.0
_MOST_RECORDS = 3000
_INFERENCE_RECORDS = 300
LEVEL = 1e-3


@dataclass(frozen=True)
class Diagnosis:
    """An explanation: `code` for machines, `text` for people, `complete` where it leaves nothing unexplained.

    `about` is "rule", "drafted" or "emitted"; `ties` are codes that explain the log as well; `gain` is in nats over the claim, a
    record or token; `seen` records or tokens were looked at, of `of` replayed ones it decides `matched` as logged.
    """

    about: str
    code: str
    text: str
    complete: bool
    gain: float
    seen: int = 0
    matched: int | None = None
    of: int | None = None
    lossless: bool = False
    ties: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**self.__dict__, "ties": list(self.ties)}


def inferred_rule(records: Iterator[StepRecord]) -> Verifier | None:
    """The registered rule that makes the first records most probable; None where there is no usable record."""
    runners = race(rules_only(), records, _INFERENCE_RECORDS)
    return runners[0].hypothesis.rule if runners and runners[0].records else None


def rule_diagnosis(again: Again, claimed: Verifier, extent: Extent) -> Diagnosis | None:
    """What explains accepted counts and next tokens better than the claimed rule; None where nothing clearly does."""
    tried = alternatives(claimed, extent.columns, extent.emitted.largest, tuple(extent.temperatures))
    runners = race(tried, again(), _MOST_RECORDS)
    base = next(runner for runner in runners if runner.hypothesis is tried[0])
    best = runners[0]
    gain = best.score - base.score
    if best is base or gain < math.log(len(tried) / LEVEL):
        return None
    level = LEVEL / 2
    others = [r for r in runners[1:] if r is not base and r.score > best.score - _TIE]
    if best.hypothesis.right:
        # A mistake that had no occasion to show is no rival to the right rule.
        others = [r for r in others if r.hypothesis.right]
    complete = best.complete(level)
    return Diagnosis(
        about="rule",
        code=best.hypothesis.code,
        text=f"the engine does {best.hypothesis.sentence}" + _share(best, base),
        complete=complete,
        gain=gain / max(best.records, 1),
        seen=best.records,
        matched=best.matched if best.exact else None,
        of=best.exact or None,
        lossless=complete and best.hypothesis.right,
        ties=tuple(r.hypothesis.code for r in others),
    )


def token_diagnosis(which: Which, again: Again, extent: Extent) -> Diagnosis | None:
    """As if from which altered rows the drafted or emitted tokens were drawn; None where nothing beats the rows as logged."""
    largest = (extent.drafted if which == "drafted" else extent.emitted).largest
    guesses = guessed(which, again(), extent.columns, largest, tuple(extent.temperatures), _MOST_RECORDS)
    base = next(guess for guess in guesses if guess.change.code == "as_logged")
    # Whatever was cut off or sharpened also looks a little like the other model: that is said only where it explains all.
    best = next(guess for guess in guesses if not guess.other or guess.complete(LEVEL))
    gain = best.score - base.score
    if best is base or gain < math.log(50 / LEVEL):
        return None
    return Diagnosis(
        about=which,
        code=best.change.code,
        text=f"{which} as if {best.change.did}{_reason(which, best, extent)}",
        complete=best.complete(LEVEL),
        gain=gain / max(best.tokens, 1),
        seen=best.tokens,
        ties=tuple(
            g.change.code for g in guesses if g not in (base, best) and not g.other and g.score > best.score - _TIE
        ),
    )


def _share(best: Runner, base: Runner) -> str:
    if best.exact:
        return (
            f" — it decides {best.matched} of {best.exact} replayed records as logged, the claimed rule {base.matched}"
        )
    return ""


def _reason(which: Which, guess: Guess, extent: Extent) -> str:
    law = "D" if which == "drafted" else "T"
    if guess.change.temperature is not None:
        exponent = 1 / guess.change.temperature
        named = [t for t in extent.temperatures if abs(t - guess.change.temperature) < 0.05 * t]
        logged = f", which is the log's own temperature {named[0]:g}" if named else ""
        return f" (from {law}′ ∝ {law}^{exponent:.3g}{logged}): the logged {law} is not the law after temperature"
    if guess.change.code.startswith(("top_", "min_p_", "first_")):
        return f": the logged {law} is the law before that truncation"
    return ""
