"""The examples of docs/audit.md run, and what they show is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from specdemo.auditor import audit
from specdemo.auditor.feeding import KINDS
from specdemo.auditor.forms import FORMS
from specdemo.cli import COMMANDS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")


def test_the_python_examples_run() -> None:
    names: dict[str, Any] = {}
    examples = re.findall(r"```python\n(.*?)```", DOCUMENT, flags=re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        exec(example, names)
    assert audit(names["verify"]).lossless
    assert audit(names["verify"], array="numpy float32").lossless


def test_what_can_be_chosen_is_documented() -> None:
    assert "audit" in COMMANDS
    for word in (*FORMS[2:], *KINDS):
        assert f"`{word}`" in DOCUMENT, word
