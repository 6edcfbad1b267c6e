"""One event of a server's answer, as the page reads it; what it asks for ahead; and the addresses it gives away."""

from __future__ import annotations

import json
import shutil
from typing import Any

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


# Four blocks come for one that was asked for; `asked` is what reached the server.
AHEAD = """
  const asked = [], told = [];
  globalThis.window ??= globalThis;
  globalThis.parent ??= globalThis;
  globalThis.fetch = async (url, { body, headers }) => {
    const request = JSON.parse(body), from = request.resume?.block ?? 0, lines = [];
    asked.push([request.blocks, from, request.settings.verifier, headers["x-gradio-user"]]);
    const say = (message) => lines.push(`data: ${JSON.stringify({ run: request.run, seq: lines.length, ...message })}\\n\\n`);
    if (!from) say({ kind: "start", head: { prompt: { ids: [1] } } });
    const blocks = Array.from({ length: request.blocks }, (_, i) => from + i).filter((n) => n < payload.most)
      .map((n) => ({ index: n, committed: [n], digest: `d${n}`, memory: n ? [[n, 1]] : null, finish: n === payload.most - 1 ? "length" : null }));
    const after = blocks.length ? [[blocks.at(-1).index + 1, 1]] : null;
    if (payload.fails) {
      say({ kind: "blocks", first: from, blocks: blocks.slice(0, 2), memory: blocks[2].memory });
      say({ kind: "error", text: "taken back" });
    } else {
      say({ kind: "blocks", first: from, blocks, memory: after });
      say({ kind: "end", block: from + blocks.length, finish: blocks.at(-1)?.finish ?? null });
    }
    return new Response(lines.join(""));
  };
  const pairs = [{ name: "large", blocks_ahead: 4 }, { name: "small" }];
  const bridge = m.createBridge({ config: { pairs }, root: "http://localhost/", retryAfter: [] });
  let resume = null;
  for (const [pair, verifier] of payload.steps) {
    const one = [];
    await new Promise((done) => bridge.decode({ run: "r", pair, prompt: "x", settings: { verifier }, blocks: 1, resume }, {
      onBlocks: (first, blocks, memory) => {
        one.push(first, blocks.map(({ index }) => index), memory);
        resume = { ids: [], block: first + blocks.length, digest: blocks.at(-1).digest, memory };
      },
      onEnd: ({ finish }) => { told.push([...one, finish]); done(); },
      onError: (text) => { told.push([...one, text]); done(); },
    }));
  }
  return { asked, told };
"""


@pytest.mark.parametrize(
    ("steps", "most", "fails", "asked", "told"),
    [
        (
            [("large", "block")] * 6, 9, False,
            [[4, 0, "block", "app"], [4, 4, "block", "app"]],
            [[n, [n], [[n + 1, 1]], None] for n in range(6)],
        ),
        (
            [("large", "block")] * 2 + [("large", "token")] * 2, 9, False,
            [[4, 0, "block", "app"], [4, 2, "token", "app"]],
            [[n, [n], [[n + 1, 1]], None] for n in range(4)],
        ),
        (
            [("large", "block")] * 3, 3, False,
            [[4, 0, "block", "app"]],
            [[n, [n], [[n + 1, 1]], "length" if n == 2 else None] for n in range(3)],
        ),
        (
            [("large", "block")] * 3, 9, True,
            [[4, 0, "block", "app"], [4, 2, "block", "app"]],
            [[n, [n], [[n + 1, 1]], None] for n in range(3)],
        ),
        (
            [("small", "block")] * 2, 9, False,
            [[1, 0, "block", "app"], [1, 1, "block", "app"]],
            [[n, [n], [[n + 1, 1]], None] for n in range(2)],
        ),
    ],
    ids=["four for one", "another rule drops them", "the last one ends the run", "what failed later", "not lent"],
)  # fmt: skip
def test_blocks_that_came_ahead_are_revealed_one_by_one(
    request: pytest.FixtureRequest, steps: list[Any], most: int, fails: bool, asked: list[Any], told: list[Any]
) -> None:
    found = call(request, "bridge.js", AHEAD, {"steps": steps, "most": most, "fails": fails})
    assert found == {"asked": asked, "told": told}


ADDRESS = """
  const at = (href, space, framed) => {
    globalThis.location = new URL(href);
    globalThis.window = framed ? { parent: {} } : {};
    if (!framed) window.parent = window;
    globalThis.document = { querySelector: () => space && { getAttribute: () => space } };
    return m.addressFor("#b=3");
  };
  return payload.map((one) => at(...one));
"""


def test_a_copied_link_leads_back_into_the_hubs_frame_and_carries_no_signature(request: pytest.FixtureRequest) -> None:
    cases = {
        (
            "https://me-app.hf.space/?__theme=light&__sign=secret&big=1#x",
            "me/app",
            True,
        ): "https://huggingface.co/spaces/me/app?big=1#b=3",
        ("https://me-app.hf.space/?__sign=secret", "me/app", False): "https://me-app.hf.space/#b=3",
        ("https://a.example/demo/?big=1&__theme=dark", None, True): "https://a.example/demo/?big=1#b=3",
        ("http://127.0.0.1:7860/#b=1", None, False): "http://127.0.0.1:7860/#b=3",
        ("file:///home/me/run.html#x", None, False): "file:///home/me/run.html#b=3",
    }
    body = ADDRESS if shutil.which("node") else "return null;"
    found = call(request, "pages.js", body, [list(case) for case in cases])
    if found is None:
        pytest.skip("a browser's own address cannot be replaced")
    assert found == list(cases.values())
