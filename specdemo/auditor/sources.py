"""How a counterexample gets at the subject: its import, and the function `ask` that feeds it what the audit fed it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specdemo.auditor.program import ProgramSubject
from specdemo.auditor.subjects import Subject, VerifierSubject
from specdemo.auditor.trees import Prefix


@dataclass(frozen=True)
class Source:
    """How the snippet gets at the subject: the lines that define `verify` or `rule`."""

    lines: tuple[str, ...]


def source_of(subject: Subject, original: Any, location: str = "") -> Source:
    """The import of the subject; `location` is "path.py:function" where it was loaded from a file."""
    if isinstance(subject, VerifierSubject):
        return Source(("from specdemo.verifiers import get", "", f"rule = get({subject.rule.name!r})"))
    if isinstance(subject, ProgramSubject):
        return Source(("import json", "import subprocess", "", f"COMMAND = {subject.command!r}"))
    if location:
        path, name = location.rsplit(":", 1)
        folder = str(Path(path).parent)
        neighbours = f"sys.path.insert(0, {folder!r})  # the file may import its neighbours"
        return Source(("import runpy", "import sys", "", neighbours, f"verify = runpy.run_path({path!r})[{name!r}]"))
    module, name = getattr(original, "__module__", "") or "", getattr(original, "__qualname__", "")
    if (
        module
        and module != "__main__"
        and name.isidentifier()
        and getattr(inspect.getmodule(original), name, None) is original
    ):
        return Source((f"from {module} import {name} as verify",))
    return Source(("# `verify` is the function that was audited: import it here.",))


def ask_lines(subject: Subject) -> list[str]:
    """The function `ask` of the snippet: (tokens, draft, target, uniforms, memory) → (accepted, next_token or law, memory)."""
    if isinstance(subject, VerifierSubject):
        return [
            "def ask(tokens, draft, target, uniforms, memory):",
            "    verdict = rule.plan(np.array(tokens, dtype=int), draft, target, memory).decide(uniforms)",
            "    return verdict.accepted, verdict.next_token, verdict.memory",
        ]
    if isinstance(subject, ProgramSubject):
        return [
            "def ask(tokens, draft, target, uniforms, memory):",
            "    record = {'id': 0, 'tokens': tokens, 'draft': draft.tolist(), 'target': target.tolist(), 'uniforms': uniforms}",
            "    record |= {} if memory is None else {'memory': memory}",
            "    line = json.dumps(record) + '\\n'",
            "    done = subprocess.run(COMMAND, input=line, capture_output=True, text=True)",
            "    answer = json.loads(done.stdout.splitlines()[0])",
            "    if 'error' in answer:",
            "        raise RuntimeError(answer['error'])",
            "    return answer['accepted'], answer.get('law', answer.get('next_token')), answer.get('memory')",
        ]
    if subject.form in ("batched", "ragged"):
        return [
            *ask_all_lines(subject),
            "",
            "def ask(tokens, draft, target, uniforms, memory):",
            "    (answer,) = ask_all([tokens], [draft], [target], [uniforms])",
            "    return (*answer, None)",
        ]
    given = _converted(subject, ("tokens", "draft", "target", "uniforms"))
    lines = ["def ask(tokens, draft, target, uniforms, memory):"]
    if subject.form == "memory":
        lines += [f"    return verify({', '.join(given)}, memory)"]
    else:
        lines += [f"    accepted, following = verify({', '.join(given)})", "    return accepted, following, None"]
    return lines


def ask_all_lines(subject: Subject) -> list[str]:
    """The function `ask_all` of the snippet: lists of tokens, draft, target and uniforms → pairs of (accepted, next_token or law)."""
    if subject.form == "batched":
        given = _converted(subject, ("tokens", "draft", "target", "uniforms"))
        return [
            "def ask_all(tokens, draft, target, uniforms):",
            f"    accepted, following = verify({', '.join(given)})",
            "    return zip(accepted, following)",
        ]
    if subject.form == "ragged":
        block = f"({', '.join(_converted(subject, ('t', 'd', 'p', 'u')))})"
        return [
            "def ask_all(tokens, draft, target, uniforms):",
            "    # Blocks of other lengths stand between them, as in the audit.",
            "    rows, mine = [], []",
            "    for number, row in enumerate(zip(tokens, draft, target, uniforms)):",
            "        mine.append(len(rows))",
            "        rows.append(row)",
            "        if number % 2 == 0:",
            "            rows.append(companion(1 + (len(row[0]) + number // 2) % 4, len(row[2][0])))",
            f"    accepted, following = verify(*(list(column) for column in zip(*({block} for t, d, p, u in rows))))",
            "    return [(accepted[place], following[place]) for place in mine]",
            "",
            "def companion(gamma, size):",
            "    laws = np.full((gamma + 1, size), 0.5 / size)",
            "    laws[np.arange(gamma + 1), np.arange(gamma + 1) % size] += 0.5",
            "    return [i % size for i in range(gamma)], laws[:gamma], laws[::-1].copy(), [0.75] * (gamma + 1)",
        ]
    return [
        *ask_lines(subject),
        "",
        "def ask_all(tokens, draft, target, uniforms):",
        "    return [ask(*block, None)[:2] for block in zip(tokens, draft, target, uniforms)]",
    ]


def call_lines(subject: Subject) -> list[str]:
    """The function `call` of the snippet: rows (tokens, draft, target, uniforms) → (accepted, following) of one call, nothing added."""
    if subject.form == "ragged":
        block = f"({', '.join(_converted(subject, ('t', 'd', 'p', 'u')))})"
        given = f"*(list(column) for column in zip(*({block} for t, d, p, u in rows)))"
    else:
        given = ", ".join(_converted(subject, ("tokens", "draft", "target", "uniforms")))
    lines = ["def call(rows):"]
    if subject.form == "batched":
        lines += ["    tokens, draft, target, uniforms = (list(column) for column in zip(*rows))"]
    return [*lines, f"    return verify({given})"]


def _converted(subject: Subject, names: tuple[str, str, str, str]) -> list[str]:
    """Expressions that turn tokens, draft, target and uniforms of these names into the arrays that the subject is fed."""
    feed = subject.feed
    if feed.kind == "lists":
        floats, integers = "np.asarray({}).tolist()", "list({})"
    elif feed.kind.startswith("torch"):
        kind = feed.kind.split()[1]
        floats, integers = f"torch.tensor(np.asarray({{}}), dtype=torch.{kind})", "torch.tensor({}, dtype=torch.int64)"
    else:
        kind = feed.kind.split()[1]
        floats, integers = f"np.array({{}}, dtype=np.{kind})", "np.array({}, dtype=np.int64)"
    given = [integers.format(names[0]), *(floats.format(name) for name in names[1:])]
    return [*given[:3], names[3]] if subject.seeded else given  # the last one is then the seed


def imports(subject: Subject) -> list[str]:
    return ["import numpy as np", *(["import torch"] if subject.feed.kind.startswith("torch") else [])]


def literal(laws: dict[Prefix, list[float]]) -> str:
    """Laws by prefix as a Python literal, one a line."""
    return "{\n" + "".join(f"    {prefix!r}: {law!r},\n" for prefix, law in laws.items()) + "}"
