"""What a serving engine may have done instead: other rules, the gallery of mistakes, and the claimed rule on altered laws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from specdemo.arrays import FloatArray
from specdemo.auditor.steps.changes import RowChange, row_changes
from specdemo.auditor.steps.plans import Change
from specdemo.verifiers import Verifier, get, mistakes, names


@dataclass(frozen=True)
class Hypothesis:
    """A rule and a change of the laws before the rule sees them; `sentence` says what the engine then does."""

    code: str
    sentence: str
    rule: Verifier
    change: Change | None = None

    @property
    def right(self) -> bool:
        """Whether it is a lossless rule on the laws as logged."""
        return self.change is None and self.rule.lossless == "always"


def rules_only() -> list[Hypothesis]:
    """Every registered rule on the laws as logged: the candidates where no rule is claimed."""
    return [rule_of(get(name)) for name in names()]


def rule_of(rule: Verifier) -> Hypothesis:
    """The rule on the laws as logged."""
    return Hypothesis(rule.name, f"the rule {rule.name!r} ({rule.title})", rule)


def other_rules(claimed: Verifier) -> list[Hypothesis]:
    """Every other rule and every mistake of the gallery, on the laws as logged."""
    found = [h for h in rules_only() if h.rule.name != claimed.name]
    for name in mistakes.names():
        mistake = mistakes.get(name)
        if mistake.name != claimed.name:
            sentence = f"the mistake {name!r} in {mistake.rule}: {mistake.title}. {mistake.goes_wrong}"
            found.append(Hypothesis(name, sentence, mistake))
    return found


def alternatives(claimed: Verifier, columns: int, largest_id: int, temperatures: tuple[float, ...]) -> list[Hypothesis]:
    """The claimed rule, every other rule, every mistake, and the claimed rule on altered draft, target, or both."""
    found = [rule_of(claimed), *other_rules(claimed)]
    for change in row_changes(columns, largest_id, temperatures):
        found += [
            _altered(claimed, change, "draft", "draft laws", _on_draft(change.apply)),
            _altered(claimed, change, "target", "target laws", _on_target(change.apply)),
        ]
        if not change.shift:
            found.append(_altered(claimed, change, "both", "draft and target laws", _on_both(change.apply)))
    return found


def _altered(rule: Verifier, change: RowChange, code: str, what: str, apply: Change) -> Hypothesis:
    if change.code == "rows_later":
        sentence = f"the rule {rule.name!r} with shifted rows: {what} one position late (row i+1 in place of row i)"
    elif change.code == "rows_earlier":
        sentence = f"the rule {rule.name!r} with shifted rows: {what} one position early (row i−1 in place of row i)"
    else:
        sentence = f"the rule {rule.name!r} on {what} {change.did}, where those in the log are without that"
    return Hypothesis(f"{code}_{change.code}", sentence, rule, apply)


def _on_draft(apply: Callable[[FloatArray], FloatArray]) -> Change:
    return lambda draft, target: (apply(draft) if len(draft) else draft, target)


def _on_target(apply: Callable[[FloatArray], FloatArray]) -> Change:
    return lambda draft, target: (draft, apply(target))


def _on_both(apply: Callable[[FloatArray], FloatArray]) -> Change:
    return lambda draft, target: (apply(draft) if len(draft) else draft, apply(target))
