"""Recorded steps: does what a serving engine really did follow the target's law? From a log, without running the engine."""

from specdemo.auditor.steps.audit import audit_steps
from specdemo.auditor.steps.record import LogError
from specdemo.auditor.steps.report import StepsReport
from specdemo.auditor.steps.writing import StepsWriter, write_steps

__all__ = ["LogError", "StepsReport", "StepsWriter", "audit_steps", "write_steps"]
