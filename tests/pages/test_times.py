"""How long a person waits. On a quiet machine with two cores; slow, so that a busy one does not fail the fast tests."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXAMPLES = Path(__file__).resolve().parents[2] / "assets" / "examples" / "index.json"


def test_the_server_answers_and_a_first_picture_appears(new_app: Any, open_tab: Any) -> None:
    assert new_app.start() < 8
    began = time.monotonic()
    tab = open_tab(new_app)
    wanted = '.specdemo-root[data-state="ready"]' if EXAMPLES.is_file() else ".specdemo-root #step"
    tab.page.wait_for_selector(wanted)
    assert time.monotonic() - began < 2.5


def test_a_new_block_arrives_quickly(app: Any, open_tab: Any) -> None:
    tab = open_tab(app)
    whole = tab.decode(max_new_tokens=200)
    prompt = whole["head"]["prompt"]["ids"]
    times = []
    for number, block in list(enumerate(whole["blocks"]))[1:25]:
        ids = prompt + [i for earlier in whole["blocks"][:number] for i in earlier["committed"]]
        digest = whole["blocks"][number - 1]["digest"]
        resume = {"ids": ids, "prompt_length": len(prompt), "block": number, "memory": None, "digest": digest}
        told = tab.decode(max_new_tokens=200, blocks=1, resume=resume)
        assert told["blocks"][0]["digest"] == block["digest"]
        times.append(told["firstBlock"])
    print(f"\nasked → first block: median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms")
    assert statistics.median(times) < 150
