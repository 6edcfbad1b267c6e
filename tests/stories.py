"""The embedded pair for tests that need a trained one: skipped with a reason while its files are missing, failed where CI=true."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import pytest

from specdemo.pairs import Pair, load_pair, registry

PROMPTS = Path(__file__).resolve().parents[1] / "assets" / "prompts" / "stories.txt"


@functools.cache
def stories(draft: str = "192") -> Pair:
    """The embedded pair with one of its drafts, in float32 on the CPU."""
    if not registry.get("stories").available():
        reason = "the embedded pair is not in assets/pairs/stories"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return load_pair("stories", draft=draft, device="cpu", dtype="float32")


def prompts(count: int) -> list[str]:
    """The first prompts of the bench's list."""
    return [line for line in PROMPTS.read_text(encoding="utf-8").splitlines() if line.strip()][:count]
