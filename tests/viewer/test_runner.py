"""What the page does with a server's messages: gaps, old runs, ends without a block, broken connections. A bridge of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.trace import made_with
from tests.viewer import make_trace
from tests.viewer.javascript import call
from tests.viewer.serve import make_server
from tests.viewer.servers import running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

# `acts` says what the bridge does at each request: a list of [handler, arguments…]; the requests are handed back.
PLAY = """async ({ run, acts, job }) => {
  const { createStore, formOf } = await import("./store.js");
  const { createRunner } = await import("./runner.js");
  const store = createStore();
  const requests = [], handlersOf = [], cancelled = [];
  const bridge = {
    decode(request, handlers) {
      requests.push(request);
      handlersOf.push(handlers);
      const script = acts[requests.length - 1] || [];
      setTimeout(() => {
        for (const [name, ...values] of script) {
          if (name === "late") handlersOf[values[0]].onBlocks(values[1], values[2], null);
          else handlers[name](...values);
        }
      });
    },
    cancel(id) { cancelled.push(id); },
  };
  const runner = createRunner(store, bridge);
  let trace = null;
  const base = job.have ? { ...run, blocks: run.blocks.slice(0, job.have), finish: null, digest: run.blocks[job.have - 1].digest } : null;
  const outcome = await runner.start({ form: formOf(run), base, blocks: job.blocks, onBlocks: (grown) => { trace = grown; } });
  return { outcome, requests, cancelled, state: store.state.status, message: store.state.message,
    indices: trace && trace.blocks.map((block) => block.index), digest: trace && trace.digest, finish: trace && trace.finish };
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with running(make_server()) as root:
        page = chromium.new_page()
        page.goto(f"{root}/assets/viewer/dev.html?examples=none/")
        yield page
        page.close()


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    return make_trace.make_run("Once upon a time", max_new_tokens=24)


def play(page: Page, run: dict[str, Any], acts: list[list[list[Any]]], **job: Any) -> dict[str, Any]:
    told: dict[str, Any] = page.evaluate(PLAY, {"run": run, "acts": acts, "job": {"have": 0, "blocks": 0} | job})
    return told


def head(run: dict[str, Any]) -> dict[str, Any]:
    return {**run, "blocks": [], "finish": None, "digest": run["head_digest"]}


def test_a_gap_is_asked_for_again_from_what_is_there(page: Page, run: dict[str, Any]) -> None:
    blocks = run["blocks"]
    told = play(
        page,
        run,
        [
            [
                ["onStart", head(run)],
                ["onBlocks", 0, blocks[:2], None],
                ["onBlocks", 3, blocks[3:4], None],
                ["onEnd", {"finish": None}],
            ],
            [
                ["late", 0, 2, blocks[5:6]],
                ["onStart", None],
                ["onBlocks", 2, blocks[2:], None],
                ["onEnd", {"finish": run["finish"]}],
            ],
        ],
    )
    assert told["outcome"] == "done" and told["indices"] == [block["index"] for block in blocks]
    assert told["digest"] == run["digest"] and told["finish"] == run["finish"]
    resume = told["requests"][1]["resume"]
    assert resume["block"] == 2 and resume["digest"] == blocks[1]["digest"] and resume["memory"] is None
    assert resume["ids"] == run["prompt"]["ids"] + blocks[0]["committed"] + blocks[1]["committed"]
    assert (
        resume["prompt_length"] == len(run["prompt"]["ids"])
        and told["requests"][1]["run"] != told["requests"][0]["run"]
    )
    assert told["cancelled"] == [told["requests"][0]["run"]]


def test_a_repeated_block_is_taken_once(page: Page, run: dict[str, Any]) -> None:
    blocks = run["blocks"]
    acts = [
        [
            ["onBlocks", 2, blocks[2:4], None],
            ["onBlocks", 2, blocks[2:4], None],
            ["onBlocks", 3, blocks[3:5], None],
            ["onEnd", {}],
        ]
    ]
    told = play(page, run, acts, have=2, blocks=3)
    assert told["indices"] == [0, 1, 2, 3, 4] and told["requests"][0]["blocks"] == 3


def test_an_end_that_came_too_early_is_not_the_end(page: Page, run: dict[str, Any]) -> None:
    blocks = run["blocks"]
    told = play(
        page,
        run,
        [
            [["onStart", head(run)], ["onBlocks", 0, blocks[:1], {"window": [1]}], ["onEnd", {"finish": None}]],
            [["onBlocks", 1, blocks[1:], None], ["onEnd", {"finish": run["finish"]}]],
        ],
    )
    assert told["outcome"] == "done" and len(told["indices"]) == len(blocks)
    assert told["requests"][1]["resume"]["memory"] == {"window": [1]}


def test_a_pair_that_says_it_is_loading_is_waited_for(page: Page) -> None:
    script = """async (told) => {
      const { createStore, DEFAULTS } = await import("./store.js");
      const { createRunner } = await import("./runner.js");
      const store = createStore(), waits = [], real = window.setTimeout;
      window.setTimeout = (act, wait) => { waits.push(wait); return real(act, 1e6); };
      const runner = createRunner(store, { decode(request, handlers) { if (told) handlers.onProgress("Loading …", null); }, cancel() {} });
      runner.start({ form: DEFAULTS, base: null, blocks: 1, onBlocks() {} });
      window.setTimeout = real;
      const { status } = store.state;
      runner.cancel();
      return [waits[waits.length - 1], status];
    }"""
    silent, loading = page.evaluate(script, False), page.evaluate(script, True)
    assert silent == [25_000, "decoding"]
    assert loading[0] >= 120_000 and loading[1] == "loading"


@pytest.mark.parametrize(
    "acts", [[["onEnd", {}]], [["onError", "no"]], [["onStart", None], ["onBlocks", 0, [], None], ["onEnd", {}]]]
)
def test_nothing_at_all_is_an_error_in_words(page: Page, run: dict[str, Any], acts: list[list[Any]]) -> None:
    told = play(page, run, [acts])
    assert told["outcome"] == "error" and told["state"] == "error"
    assert told["message"]["text"] and told["message"]["retry"] is True


def test_what_is_handed_back_to_go_on(request: pytest.FixtureRequest, run: dict[str, Any]) -> None:
    """A memory with what it is of; none where the text had ended, also where an older file holds the one of the block before it was cut."""
    memory = [[0.5, 2]]
    open_run = run | {"memory": memory, "blocks": [block | {"finish": None} for block in run["blocks"]]}
    body = "return payload.map((trace) => [m.resumeAt(trace, trace.blocks.length), m.resumeAt(trace, 1)])"
    (open_end, first), (cut_end, _) = call(request, "steps.js", body, [open_run, open_run | {"blocks": run["blocks"]}])
    assert run["blocks"][-1]["finish"] == "length" and cut_end["memory"] is None and "made_with" not in cut_end
    assert open_end == cut_end | {"memory": memory, "made_with": made_with(run)}
    assert first["memory"] is None and "made_with" not in first
