"""The auditor: whether a verifier is lossless, with a counterexample where it is not; and vectors that any language can check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specdemo.auditor.program import ProgramSubject
    from specdemo.auditor.questions import CouldNotRun
    from specdemo.auditor.report import AuditReport
    from specdemo.auditor.run import assert_lossless, audit

# Imported where they are used: the steps and vectors beside this need none of it.
_LAZY = {
    "AuditReport": "specdemo.auditor.report",
    "CouldNotRun": "specdemo.auditor.questions",
    "ProgramSubject": "specdemo.auditor.program",
    "assert_lossless": "specdemo.auditor.run",
    "audit": "specdemo.auditor.run",
}

__all__ = ["AuditReport", "CouldNotRun", "ProgramSubject", "assert_lossless", "audit"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        import importlib

        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'specdemo.auditor' has no attribute {name!r}")
