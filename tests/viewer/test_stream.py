"""One event of a server's answer, as the page reads it."""

from __future__ import annotations

import json

import pytest

from tests.viewer.javascript import call

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    "text", ["a", "a\u2028b", "\u2029", "\x85\x0b\x0c\x1e\x00", "a\r\nb", "data: x\n\nevent: y", "\U0001f600"]
)
def test_any_text_arrives_as_it_was_sent(request: pytest.FixtureRequest, text: str) -> None:
    data = {"kind": "head", "prompt": {"text": text}}
    parts = [f"event: {text}".split("\n")[0].split("\r")[0] + f"\ndata: {json.dumps(data, ensure_ascii=False)}"]
    parts += [f"data: {json.dumps(data)}", "event: ahead", f"data:{json.dumps(data)}"]
    found = call(request, "stream.js", "return payload.map(m.eventOf);", parts)
    assert [one["data"] for one in found] == [data, data, None, data]
    assert [one["event"] for one in found[1:]] == ["message", "ahead", "message"]


def test_what_is_no_json_ends_the_request_in_words(request: pytest.FixtureRequest) -> None:
    body = "try { return m.eventOf(payload); } catch (error) { return [error instanceof m.Refused, error.message]; }"
    refused, said = call(request, "stream.js", body, 'data: {"kind": "he')
    assert refused and said.startswith("The server could not finish this request")
