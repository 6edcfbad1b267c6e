"""What lanes are called, for code that has nothing to do with models."""

from __future__ import annotations

PLAIN = "plain"  # the lane that drafts nothing
PARTS = ("draft", "target", "verify", "rest")  # of a call's time
