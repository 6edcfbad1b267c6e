"""What the tests of the Lab page share: the page with the server's real answers, without Gradio, and a sweep's file to open there.

python -m tests.viewer.lab_page 8125     then open http://127.0.0.1:8125/lab.html#page=lab
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Grid, PairIdentity
from specdemo.lab.sweep_file import as_line, head_of
from specdemo.lab.tasks import get
from specdemo.pages.lab_answers import plan, summary_of
from specdemo.pages.service import Service
from specdemo.trace.run import pair_facts
from tests.tiny import tiny_pair
from tests.viewer import sandbox_page
from tests.viewer.servers import Server, running

ANSWERS = {"lab-plan": plan, "lab-summary": summary_of}
STYLES = ("compare/compare.css", "compare/measure.css", "frame/frame.css", "lab/lab.css", "pictures.css", "viewer.css")
DOCUMENT = (
    """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>specdemo Lab, without Gradio</title>
<link rel="icon" href="data:,">
"""
    + "\n".join(f'<link rel="stylesheet" href="/assets/viewer/{name}">' for name in STYLES)
    + """
<style>
  body { margin: 0; background: var(--page); }
  .page { max-width: 1440px; margin: 0 auto; padding: 12px; }
  [hidden] { display: none !important; }
</style>
<body>
<div id="lab" class="page"></div>
<script type="module">
  import { mount } from "/assets/viewer/lab/main.js";
  import { load } from "/assets/viewer/words/load.js";
  import { languageOfPart } from "/assets/viewer/words/words.js";
  document.body.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
  const root = document.getElementById("lab"), config = await (await fetch("/lab_config")).json();
  await load();
  root.lang = languageOfPart("lab");
  window.lab = mount(root, { config, root: location.origin + "/", measure() {}, cancel() {} });
</script>
"""
)


@functools.cache
def config() -> dict[str, Any]:
    """As the service tells the pages."""
    return {**Service().config(), "base": "/assets/"}


@functools.cache
def swept() -> str:
    """The file of a sweep over tiny models: two of the project's tasks under six rules, a mistake among them."""
    pair = tiny_pair(context=640, eos=None)
    rules = ("token", "block", "greedy_block", "threshold", "exact_match", "product_of_uniforms")
    grid = Grid(
        (get("verse"), get("austen")),
        rules=rules,
        gammas=(2, 4),
        temperatures=(0.8,),
        prompts=2,
        seeds=(7,),
        max_new_tokens=12,
    )
    rows = [{**measure(pair, cell), "engine": "local"} for cell in grid.cells([PairIdentity.of(pair)])]
    return "".join(as_line(line) + "\n" for line in (head_of([pair_facts(pair)], 1), *rows))


class Handler(sandbox_page.Handler):
    """The repository's files, the page, its config, and the Lab's two answers."""

    def do_GET(self) -> None:
        if self.path == "/lab.html":
            return self.send(200, "text/html; charset=utf-8", DOCUMENT.encode())
        if self.path == "/lab_config":
            return self.send_json(200, config())
        return super().do_GET()

    def do_POST(self) -> None:
        self.send_answer(ANSWERS, ValueError)


def make_server(port: int = 0) -> Server:
    return Server(Handler, port)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(make_server()) as root:
        yield f"{root}/lab.html"


if __name__ == "__main__":
    make_server(int(sys.argv[1]) if len(sys.argv) > 1 else 8125).serve_forever()
