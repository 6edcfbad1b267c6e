"""What a machine does to a server, by real means: each fault has words, and the rest of the app goes on."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from specdemo.pages.failures import NO_DISK, NO_MEMORY
from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pairs import Pair, PairUnavailable
from specdemo.server import BrowserFiles
from tests.pages.conftest import ROOT, App
from tests.pages.conftest import request as page_request
from tests.pages.test_service import nothing, request, told
from tests.sandbox.states import two_symbols

ASSETS = ROOT / "assets"


@pytest.fixture
def own_folder(tiny_folder: Path, tmp_path: Path) -> Path:
    """The tiny models' folders, to be damaged."""
    return Path(shutil.copytree(tiny_folder, tmp_path / "models"))


def never(name: str, draft: str, progress: Any) -> Pair:
    raise AssertionError("there is nothing to load")


def truncate(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


def test_weights_that_are_cut_off_are_named_and_mended_files_are_read(own_folder: Path, tiny_folder: Path) -> None:
    def load(name: str, draft: str, progress: Any) -> Pair:
        return Pair.from_folders(own_folder / "draft", own_folder / "target", device="cpu")

    service = Service(Models(load=load, fetch=nothing))
    weights = own_folder / "target" / "model.safetensors"
    truncate(weights)
    (message,) = told(service.decode(request()))
    assert message["kind"] == "error" and "'target' cannot be read" in message["text"]
    assert "fetch them again" in message["text"] and str(own_folder) not in message["text"]
    assert "'target' cannot be read" in (service.unready() or "")
    shutil.copy(tiny_folder / "target" / "model.safetensors", weights)
    assert told(service.decode(request(blocks=1)))[-1]["kind"] == "end" and service.unready() is None


@pytest.mark.parametrize("cut", ["config.json", "tokenizer.json"])
def test_other_files_that_are_cut_off_are_named(own_folder: Path, cut: str) -> None:
    truncate(own_folder / "draft" / cut)
    with pytest.raises(PairUnavailable, match=r"'draft' cannot be read .*fetch them again"):
        Pair.from_folders(own_folder / "draft", own_folder / "target", device="cpu")


def test_a_machine_without_memory_is_not_told_to_fetch_the_files_again() -> None:
    import torch

    def load(name: str, draft: str, progress: Any) -> Pair:
        try:
            torch.empty(2**55)
        except RuntimeError as error:
            raise PairUnavailable("the files in the folder 'target' cannot be read: fetch them again") from error
        raise AssertionError("there was that much memory")

    (message,) = told(Service(Models(load=load, fetch=nothing)).decode(request()))
    assert message["text"] == NO_MEMORY


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_is_said() -> None:
    def fetch(name: str, draft: str, progress: Any) -> None:
        try:
            with open("/dev/full", "w") as file:
                file.write("x" * 100_000)
        except OSError as error:
            raise PairUnavailable("it could not be loaded from the hub: check the connection") from error

    (message,) = told(Service(Models(load=never, fetch=fetch)).decode(request()))
    assert message["text"] == NO_DISK


def test_a_missing_asset_costs_only_what_needs_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    whole = BrowserFiles(ASSETS)
    shutil.copytree(ASSETS / "viewer", tmp_path / "viewer")
    (tmp_path / "viewer" / "lane.js").unlink()
    with caplog.at_level(logging.WARNING):
        files = BrowserFiles(tmp_path)
    assert "viewer/main.js" in files and "standalone/step.txt" in whole and "standalone/step.txt" not in files
    assert "standalone/sandbox.txt" in files and "cannot be saved as HTML" in caplog.text
    assert BrowserFiles(tmp_path / "nothing").names() == []


def asked(app: App, **changes: Any) -> dict[str, Any]:
    """The last message that answers a request."""
    call = {"data": [json.dumps(page_request(**changes))]}
    event = httpx.post(f"{app.url}/gradio_api/call/decode", json=call, timeout=60).json()["event_id"]
    answer = httpx.get(f"{app.url}/gradio_api/call/decode/{event}", timeout=120).text
    data = [line.removeprefix("data: ") for line in answer.splitlines() if line.startswith("data: [")]
    found: dict[str, Any] = json.loads(json.loads(data[-1])[0])
    return found


@pytest.mark.slow
def test_with_models_that_cannot_be_read_everything_else_works(own_folder: Path) -> None:
    """As a Space that wakes up: what is precomputed is there at once, whatever becomes of the models."""
    truncate(own_folder / "target" / "model.safetensors")
    app = App(own_folder)
    try:
        app.start()
        assert httpx.get(f"{app.url}/readyz").status_code == 503
        base = f"{app.url}/{BrowserFiles(ASSETS).base}"
        index = httpx.get(f"{base}examples/index.json")
        assert index.status_code == 200
        names = [name for name in BrowserFiles(ASSETS).names() if name.startswith("examples/") and "index" not in name]
        assert len(names) >= 5 and all(httpx.get(base + name).status_code == 200 for name in names)
        answer = asked(app, blocks=1)
        assert answer["kind"] == "error" and "'target' cannot be read" in answer["text"]
        sandbox = httpx.post(f"{app.url}/specdemo-api/sandbox", json=two_symbols(2), timeout=60)
        assert sandbox.json()["rules"]["block"]["expected_fraction"] == "11/9"
        assert httpx.get(f"{app.url}/healthz").status_code == 200
        assert "cannot be read" in httpx.get(f"{app.url}/readyz").json()["reason"]
    finally:
        app.stop()


@pytest.mark.slow
def test_a_home_that_cannot_be_written_is_no_obstacle(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/proc/no-home")
    app = App(tiny_folder)
    try:
        app.start()
        assert asked(app, blocks=1)["kind"] == "end"
    finally:
        app.stop()


@pytest.mark.slow
def test_a_real_limit_on_memory_ends_a_load_in_words(tiny_folder: Path) -> None:
    """In a process of its own, which is given 1 MB more than it has when the weights are read."""
    code = """
import json, resource, sys
from pathlib import Path
import torch, transformers
from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pairs import Pair
def load(name, draft, progress):
    pair = Pair.from_folders(Path(sys.argv[1]) / "draft", Path(sys.argv[1]) / "target", device="cpu")
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + 2**20, resource.RLIM_INFINITY))
    torch.zeros(2**28)
service = Service(Models(load=load, fetch=lambda name, draft, progress: None))
from tests.pages.test_service import request
print([m for m in map(json.loads, service.decode(request()))][-1]["text"])
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tiny_folder)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=170,
    )  # fmt: skip
    assert done.stdout.strip() == NO_MEMORY, done.stderr[-2000:]


def test_the_models_problem_is_gone_when_a_pair_is_there(tiny_folder: Path) -> None:
    attempts = iter([OSError("the disk is gone"), None])

    def load(name: str, draft: str, progress: Any) -> Pair:
        error = next(attempts)
        if error is not None:
            raise error
        return Pair.from_folders(tiny_folder / "draft", tiny_folder / "target", device="cpu")

    models = Models(load=load, fetch=nothing)
    with pytest.raises(OSError, match="disk"):
        models.start("stories", "192").future.result(10)
    assert models.problem == "The pair 'stories' could not be loaded: the disk is gone"
    models.start("stories", "192").future.result(30)
    for _ in range(100):
        if models.problem is None:
            break
        time.sleep(0.01)
    assert models.problem is None
