"""The app in a process of its own, with tiny models, and the bridge as a page would use it."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

ROOT = Path(__file__).resolve().parents[2]

# Runs one request through the bridge and tells everything the handlers were told, with times.
DECODE = """
async ({ request, options, cancelAfter }) => {
  const component = window.gradio_config.components.find((c) => c.type === "html");
  const config = JSON.parse(component.props.props.config);
  const { createBridge } = await import(new URL(config.base + "viewer/bridge.js", document.baseURI).href);
  const bridge = createBridge({ config, ...options });
  const began = performance.now();
  const told = { head: null, blocks: [], firsts: [], progress: [], end: null, error: null, firstBlock: null };
  window.specdemoLogs = { ...window.specdemoLogs, [request.run]: told };
  await bridge.decode(request, {
    onStart: (head) => { told.head = head; },
    onBlocks: (first, blocks) => {
      told.firstBlock ??= performance.now() - began;
      told.firsts.push(first);
      told.blocks.push(...blocks);
      if (cancelAfter && told.blocks.length >= cancelAfter) bridge.cancel(request.run);
    },
    onProgress: (text) => told.progress.push(text),
    onEnd: (end) => { told.end = end; },
    onError: (text) => { told.error = text; },
  });
  told.milliseconds = performance.now() - began;
  return told;
}
"""


def lasting_port() -> int:
    """A free port below those that systems lend to connections: nobody takes it while the app that had it is down."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class App:
    """The app as a process; `stop` and `start` keep the port."""

    def __init__(self, models: Path) -> None:
        self._models = models
        self.port = lasting_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Start and wait for the first answer; the seconds that took."""
        began = time.monotonic()
        script = ROOT / "tests" / "pages" / "tiny_app.py"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
        self._process = subprocess.Popen(
            [sys.executable, str(script), str(self._models), str(self.port)], cwd=ROOT, env=environment
        )
        while time.monotonic() - began < 180:
            try:
                httpx.get(f"{self.url}/healthz").raise_for_status()
                return time.monotonic() - began
            except httpx.HTTPError:
                assert self._process.poll() is None, "the app ended while it was starting"
                time.sleep(0.05)
        raise AssertionError("the app did not answer within three minutes")

    def stop(self) -> None:
        """End the process as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Tab:
    """One browser tab on the app, with a record of what went wrong and what was loaded."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(url)
        page.wait_for_selector(".specdemo-root", state="attached")

    def _note(self, message: ConsoleMessage) -> None:
        print(f"browser {message.type}: {message.text}")
        if message.type == "error":
            self.complaints.append(message.text)

    def decode(self, *, options: dict[str, Any] | None = None, cancel_after: int = 0, **changes: Any) -> dict[str, Any]:
        """What the bridge told about one request."""
        told: dict[str, Any] = self.page.evaluate(
            DECODE, {"request": request(**changes), "options": options or {}, "cancelAfter": cancel_after}
        )
        return told

    def begin(self, *, options: dict[str, Any] | None = None, **changes: Any) -> None:
        """Start a request without waiting."""
        argument = {"request": request(**changes), "options": options or {}}
        self.page.evaluate(f"(argument) => {{ window.specdemoRun = ({DECODE})(argument); }}", argument)

    def wait_for_blocks(self, count: int, run: str = "r1") -> None:
        """Wait until so many blocks of a run have arrived."""
        self.page.wait_for_function(f"() => window.specdemoLogs?.{run}?.blocks.length >= {count}")

    def finish(self) -> dict[str, Any]:
        """The rest of what `begin` started."""
        told: dict[str, Any] = self.page.evaluate("() => window.specdemoRun")
        return told


def request(**changes: Any) -> dict[str, Any]:
    """A request of the page; `changes` go to the settings where they are settings."""
    settings = {
        "verifier": "block", "gamma": 4, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "seed": 0, "max_new_tokens": 40,
        "prompt_mode": "text",
    }  # fmt: skip
    whole = {"run": "r1", "pair": "tiny", "draft": "tiny-draft", "prompt": "the cat", "blocks": 0, "resume": None}
    for name, value in changes.items():
        (settings if name in settings else whole)[name] = value
    return {**whole, "settings": settings}


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tiny models and their tokenizer as transformers folders."""
    from tests.tiny import tiny_pair

    folder = tmp_path_factory.mktemp("tiny")
    pair = tiny_pair(context=640, eos=None, chat=True)
    for name, model in (("target", pair.target_model), ("draft", pair.draft_model)):
        model.save_pretrained(folder / name)
        pair.tokenizer.save_pretrained(folder / name)
    return folder


@pytest.fixture(scope="session")
def app(tiny_folder: Path) -> Iterator[App]:
    """One running app for all tests that do not stop it."""
    running = App(tiny_folder)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def new_app(tiny_folder: Path) -> Iterator[App]:
    """An app of the test's own, not started yet."""
    own = App(tiny_folder)
    yield own
    own.stop()


@pytest.fixture(scope="session")
def visitor(chromium: Browser) -> Iterator[BrowserContext]:
    """One person's browser: its tabs share what has been loaded."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def open_tab(visitor: BrowserContext) -> Iterator[Any]:
    """Opens tabs on an app, which are closed after the test."""
    pages = []

    def open_one(app: App, path: str = "/") -> Tab:
        pages.append(visitor.new_page())
        return Tab(pages[-1], app.url + path)

    yield open_one
    for page in pages:
        page.close()
