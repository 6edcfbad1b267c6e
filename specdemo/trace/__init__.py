"""The trace: the plain record between numerics and pages (docs/trace.md)."""

from specdemo.trace.block import BlockRecord, block_record
from specdemo.trace.run import DEFAULT_RULES, SCHEMA, run_head, whole_run
from specdemo.trace.state import RunState, made_with, state_of

__all__ = ["DEFAULT_RULES", "SCHEMA", "BlockRecord", "RunState", "block_record", "made_with", "run_head", "state_of", "whole_run"]
