"""Whose the address is: the hash of one page is nothing to another, and Step's link to Compare says what it shows."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.viewer import make_trace
from tests.viewer.javascript import call

pytestmark = pytest.mark.browser


def view(**changes: Any) -> dict[str, Any]:
    head = make_trace.make_head(
        "a & b=c", verifier="block", gamma=5, temperature=0.5, top_k=0, top_p=1, seed=7, max_new_tokens=40
    )
    trace = {**head, "blocks": list(make_trace.decode(head, blocks=3))}
    settings = {"gamma": 3, "temperature": 1, "top_k": 0, "top_p": 1, "seed": 0, "max_new_tokens": 9}
    form = {"prompt": "typed", "pair": "p", "draft": "d", "verifier": "token", **settings}
    return {"trace": trace, "block": trace["blocks"][2], "blockIndex": 2, "form": form, "example": None, **changes}


def compare_hash(request: pytest.FixtureRequest, shown: dict[str, Any]) -> dict[str, str]:
    found = call(request, "link.js", "return m.compareHash(payload);", shown)
    assert found.startswith("#")
    return {name: values[0] for name, values in parse_qs(found[1:], keep_blank_values=True).items()}


def test_the_link_to_compare_holds_the_runs_settings_and_its_block(request: pytest.FixtureRequest) -> None:
    found = compare_hash(request, view())
    assert found["page"] == "compare" and found["prompt"] == "a & b=c" and found["rules"] == "token,block"
    assert (found["gamma"], found["temperature"], found["seed"], found["max"]) == ("5", "0.5", "7", "40")
    assert found["follow"] == "block" and found["b"] == "2"


def test_a_text_of_two_rules_is_not_promised(request: pytest.FixtureRequest) -> None:
    shown = view()
    shown["trace"]["blocks"][0]["verifier"] = "token"
    assert "b" not in compare_hash(request, shown)


def test_without_a_run_the_form_is_meant(request: pytest.FixtureRequest) -> None:
    found = compare_hash(request, view(trace=None, block=None))
    assert found["prompt"] == "typed" and found["gamma"] == "3" and found["follow"] == "token" and "b" not in found


def test_the_hash_of_another_page_asks_for_nothing_and_leaves_nothing_behind(request: pytest.FixtureRequest) -> None:
    other = "#page=compare&prompt=x&gamma=3&rules=token,block&race=1"
    assert call(request, "link.js", "return m.decode(payload);", other) is None
    assert call(request, "link.js", "return m.decode(payload).form.prompt;", "#prompt=x") == "x"
    body = "return m.encode(payload[0], payload[1]);"
    after_compare = call(request, "link.js", body, [view(), other])
    assert "page=" not in after_compare and "race" not in after_compare and "prompt=a" in after_compare
    assert "theme=dark" in call(request, "link.js", body, [view(), "#theme=dark"])
