"""Which form a subject has: told by the caller, by its type or its signature, or by trying it on one harmless block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from specdemo.auditor.feeding import Feed
from specdemo.auditor.program import ProgramSubject
from specdemo.auditor.questions import Block, CouldNotRun, ProblemLog, Question, judged
from specdemo.auditor.signatures import positional, takes_memory
from specdemo.auditor.subjects import BatchedSubject, FunctionSubject, RaggedSubject, Subject, VerifierSubject
from specdemo.verifiers import Verifier, get

FORMS = ("auto", "verifier", "plain", "law", "memory", "seed", "batched", "ragged", "program")


def as_subject(subject: Any, form: str = "auto", array: str = "numpy float64") -> Subject:
    """The subject behind the one interface.

    `subject` is a name of the registry or of the gallery, a Verifier, a function, or a ProgramSubject. Raises ValueError on an
    unknown name, form or array, CouldNotRun where a function answers in no known form.
    """
    if form not in FORMS:
        raise ValueError(f"form is {form!r}: it must be one of {', '.join(FORMS)}")
    feed = Feed(array)
    if isinstance(subject, Subject):
        if form not in ("auto", subject.form):
            raise ValueError(f"the form {form!r} is for functions: {subject.name} has the form {subject.form!r}")
        return subject
    if isinstance(subject, (str, Verifier)):
        rule = get(subject)
        if form not in ("auto", "verifier"):
            raise ValueError(f"the form {form!r} is for functions: {rule.name} is a Verifier")
        return VerifierSubject(rule)
    if isinstance(subject, type) and issubclass(subject, Verifier):
        raise ValueError(f"{subject.__name__} is a class: audit an instance, {subject.__name__}()")
    if not callable(subject):
        raise ValueError(
            f"a subject is a name, a Verifier, a function or a ProgramSubject, not {type(subject).__name__}"
        )
    if form in ("verifier", "program"):
        raise ValueError(f"the form {form!r} is not one of a function")
    name = getattr(subject, "__name__", type(subject).__name__)
    chosen = _found_form(subject, feed, name) if form == "auto" else form
    if chosen == "batched":
        return BatchedSubject(subject, name, feed)
    if chosen == "ragged":
        return RaggedSubject(subject, name, feed)
    return FunctionSubject(subject, name, feed, chosen)


def _found_form(function: Callable[..., Any], feed: Feed, name: str) -> str:
    parameters = positional(function)
    if len(parameters) >= 4 and parameters[3].name in ("seed", "random_seed", "rng_seed"):
        return "seed"
    if takes_memory(function):
        return "memory"
    said = {}
    trials: list[tuple[str, Subject]] = [
        ("plain", FunctionSubject(function, name, feed, "plain")),
        # What takes blocks of different lengths also takes equal ones, so that it is tried first.
        ("ragged", RaggedSubject(function, name, feed)),
        ("batched", BatchedSubject(function, name, feed)),
    ]
    for form, subject in trials:
        complaint, is_law = _complaint(subject)
        if not complaint:
            return "law" if is_law and form == "plain" else form
        said[form] = complaint
    forms_of: dict[str, list[str]] = {}
    for form, complaint in said.items():
        forms_of.setdefault(complaint, []).append(form)
    raise CouldNotRun(
        f"{name} answers one harmless block of {feed.kind} in no known form (--form chooses one, --array other arrays): "
        + "; ".join(f"{', '.join(forms)}: {complaint}" for complaint, forms in forms_of.items())
    )


def _complaint(subject: Subject) -> tuple[str, bool]:
    """What is wrong with the subject's answers to harmless blocks ("" if nothing is), and whether it answers with laws."""
    laws = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    blocks = [Block((0, 1), laws[:2], laws[::-1])]
    if isinstance(subject, BatchedSubject):
        blocks.append(Block((2, 0), laws[1:], laws))
    questions = [Question(block, (0.5,) * (block.gamma + 1)) for block in blocks]
    log = ProblemLog()
    answers = [
        judged(question, raw, subject.feed.tolerance, log)
        for question, raw in zip(questions, subject._ask(questions), strict=True)
    ]
    return log.kept[0].message if log.kept else "", answers[0].law is not None


__all__ = ["FORMS", "ProgramSubject", "as_subject"]
