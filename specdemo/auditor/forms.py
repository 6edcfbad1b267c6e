"""Which form a subject has: told by the caller, by its type or its signature, or by trying it on one harmless block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from specdemo.auditor.feeding import Feed
from specdemo.auditor.program import ProgramSubject
from specdemo.auditor.questions import Block, CouldNotRun, ProblemLog, Question, judged, shape_of
from specdemo.auditor.signatures import positional, takes_memory
from specdemo.auditor.subjects import BatchedSubject, FunctionSubject, RaggedSubject, Subject, VerifierSubject
from specdemo.auditor.watching import Watch
from specdemo.verifiers import Verifier, get

FORMS = ("auto", "verifier", "plain", "law", "memory", "seed", "batched", "ragged", "program")


def as_subject(subject: Any, form: str = "auto", array: str = "numpy float64", watch: Watch | None = None) -> Subject:
    """The subject behind the one interface; `watch` is told of every call.

    `subject` is a name of the registry or of the gallery, a Verifier, a function, or a ProgramSubject. Raises ValueError on an
    unknown name, form or array, CouldNotRun where a function answers in no known form.
    """
    if form not in FORMS:
        raise ValueError(f"form is {form!r}: it must be one of {', '.join(FORMS)}")
    found = _subject(subject, form, Feed(array), watch or Watch())
    found.watch = watch or found.watch
    return found


def _subject(subject: Any, form: str, feed: Feed, watch: Watch) -> Subject:
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
    chosen, well = _found_form(subject, feed, name, watch) if form == "auto" else (form, True)
    found: Subject
    if chosen == "batched":
        found = BatchedSubject(subject, name, feed)
    elif chosen == "ragged":
        found = RaggedSubject(subject, name, feed)
    else:
        found = FunctionSubject(subject, name, feed, chosen)
    if not well:
        # What was wrong with its answers to harmless blocks counts, whether or not it shows again.
        found.watch = watch
        found.answers(_first_questions(found))
    return found


def _found_form(function: Callable[..., Any], feed: Feed, name: str, watch: Watch) -> tuple[str, bool]:
    """The form, and whether a harmless block is answered well in it."""
    parameters = positional(function)
    if len(parameters) >= 4 and parameters[3].name in ("seed", "random_seed", "rng_seed"):
        return "seed", True
    if takes_memory(function):
        return "memory", True
    trials: list[Subject] = [
        FunctionSubject(function, name, feed, "plain"),
        # What takes blocks of different lengths also takes equal ones, so that it is tried first.
        RaggedSubject(function, name, feed),
        BatchedSubject(function, name, feed),
    ]
    said = {}
    for subject in trials:
        subject.watch = watch
        complaint, shape = _complaint(subject)
        if not complaint:
            return ("law" if shape == "law" and subject.form == "plain" else subject.form), True
        said[subject.form] = complaint
    # None is answered well; one that is answered in its shape is the one that is meant, and what is wrong is for the report.
    for subject in trials:
        if shape := _shape(subject):
            return ("law" if shape == "law" and subject.form == "plain" else subject.form), False
    forms_of: dict[str, list[str]] = {}
    for form, complaint in said.items():
        forms_of.setdefault(complaint, []).append(form)
    raise CouldNotRun(
        f"{name} answers harmless blocks of {feed.kind} in no known form: "
        + "; ".join(f"{', '.join(forms)}: {complaint}" for complaint, forms in forms_of.items())
        + ". --form audits it in one all the same, --array feeds it other arrays"
    )


def _complaint(subject: Subject) -> tuple[str, str]:
    """What is wrong with the subject's answers to harmless blocks ("" if nothing is), and the shape of the first."""
    questions = _first_questions(subject)
    log = ProblemLog()
    answers = subject._ask(questions)
    for question, raw in zip(questions, answers, strict=True):
        judged(question, raw, subject.feed.tolerance, log)
    return log.kept[0].message if log.kept else "", shape_of(questions[0], answers[0])


def _first_questions(subject: Subject) -> list[Question]:
    return _harmless((2, 2)) if subject.form in ("batched", "ragged") else _harmless((2,))


def _shape(subject: Subject) -> str:
    """Of the answers to several harmless blocks: "token" or "law"; "" where one has another shape, or all are exceptions."""
    questions = _harmless((2, 1, 3, 2))
    answers = subject._ask(questions)
    shapes = [
        shape_of(question, raw)
        for question, raw in zip(questions, answers, strict=True)
        if not isinstance(raw, BaseException)
    ]
    return shapes[0] if shapes and all(shapes) else ""


def _harmless(gammas: tuple[int, ...]) -> list[Question]:
    """One question for each γ on three symbols: laws without zeros, uniforms in the middle and then nearer to the ends."""
    questions = []
    for number, gamma in enumerate(gammas):
        rows = (np.arange(gamma + 1) + number) % 3
        draft = np.full((gamma + 1, 3), 0.25) + 0.25 * np.eye(3)[rows]
        target = np.full((gamma + 1, 3), 0.25) + 0.25 * np.eye(3)[rows[::-1]]
        tokens = tuple((2 * number + i) % 3 for i in range(gamma))
        uniform = (0.5, 0.5, 0.2, 0.8)[number]
        questions.append(Question(Block(tokens, draft[:gamma], target), (uniform,) * (gamma + 1)))
    return questions


__all__ = ["FORMS", "ProgramSubject", "as_subject"]
