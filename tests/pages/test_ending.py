"""How the server begins and ends: ready or not, a port that is taken, SIGTERM, and what its log says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from specdemo.pages.failures import GPU_LOST, NO_DISK, NO_MEMORY, UNEXPECTED, log_text, words_for
from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pairs import Pair, PairUnavailable
from tests.pages.conftest import ROOT, App
from tests.pages.conftest import request as page_request
from tests.pages.test_service import PAIR, nothing, request, told
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=600, eos=None)


def service_of(load: Any) -> Service:
    return Service(Models(load=load, fetch=nothing))


def test_it_is_ready_when_a_pair_is_there_and_says_why_it_is_not(pair: Pair, caplog: pytest.LogCaptureFixture) -> None:
    attempts: list[str] = []

    def load(name: str, draft: str, progress: Any) -> Pair:
        attempts.append(name)
        if len(attempts) == 1:
            raise PairUnavailable("the folder 'target' has no config.json")
        return pair

    service = service_of(load)
    assert service.unready() == "No models have been loaded yet."
    service.warm_up()
    assert told(service.decode(request(run="x" * 65)))[0]["kind"] == "error"
    for _ in range(200):
        if service.models.problem:
            break
        time.sleep(0.01)
    assert "could not be loaded: the folder 'target' has no config.json" in (service.unready() or "")
    assert "has no config.json" in caplog.text, "the operator is told, too"
    assert told(service.decode(request(blocks=1)))[-1]["kind"] == "end"
    assert service.unready() is None and service.health()["status"] == "ok"
    service.stop(0)
    assert service.unready() == "The server is about to end." and service.health()["status"] == "ok"


def test_a_stopped_run_ends_after_a_block_without_an_end_and_nothing_new_begins(pair: Pair) -> None:
    service = service_of(lambda name, draft, progress: pair)
    whole = [
        b["digest"]
        for m in told(service.decode(request(max_new_tokens=60)))
        if m["kind"] == "blocks"
        for b in m["blocks"]
    ]
    messages = service.decode(request(max_new_tokens=60))
    began = json.loads(next(messages))
    while began["kind"] != "blocks":
        began = json.loads(next(messages))
    stopping = threading.Thread(target=service.stop, args=(0.0,))
    stopping.start()
    while not service.stopping or not all(run.is_set() for run in service.open_runs._runs.values()):
        time.sleep(0.005)
    rest = [json.loads(message) for message in messages]
    stopping.join(5)
    assert not stopping.is_alive() and all(message["kind"] == "blocks" for message in rest)
    blocks = began["blocks"] + [block for message in rest for block in message["blocks"]]
    assert len(blocks) < len(whole) and [block["digest"] for block in blocks] == whole[: len(blocks)]
    assert list(service.decode(request())) == []


def test_a_patient_end_lets_runs_finish(pair: Pair) -> None:
    service = service_of(lambda name, draft, progress: pair)
    messages = service.decode(request())
    first = json.loads(next(messages))
    stopping = threading.Thread(target=service.stop, args=(30.0,))
    stopping.start()
    rest = [json.loads(message) for message in messages]
    stopping.join(5)
    assert (
        first["seq"] == 0 and rest[-1]["kind"] == "end" and rest[-1]["finish"] == "length" and not stopping.is_alive()
    )


@pytest.mark.parametrize("measure", ["race", "law"])
def test_a_measurement_that_is_stopped_is_not_taken_for_a_whole_one(pair: Pair, measure: str) -> None:
    service = service_of(lambda name, draft, progress: pair)
    asked: dict[str, Any] = {"run": "m", "pair": PAIR, "draft": None, "prompt": "the cat", "rules": ["token", "block"]}
    asked |= {"settings": {"max_new_tokens": 40}, "seeds": 8} if measure == "race" else {"settings": {}, "samples": 300}
    messages = getattr(service, measure)(json.dumps(asked))
    while json.loads(next(messages))["kind"] == "progress":
        pass
    service.cancel("m")
    assert "end" not in [json.loads(message)["kind"] for message in messages]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), NO_MEMORY),
        (RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB."), NO_MEMORY),
        (RuntimeError("[enforce fail at alloc_cpu.cpp:124] err == 0. DefaultCPUAllocator: can't allocate memory: you tried"), NO_MEMORY),
        (RuntimeError("CUDA error: an illegal memory access was encountered"), GPU_LOST),
        (OSError(28, "No space left on device", "/secret/place"), NO_DISK),
        (KeyError("secret"), UNEXPECTED),
    ],
)  # fmt: skip
def test_failures_of_the_machine_have_words(error: Exception, words: str) -> None:
    def load(name: str, draft: str, progress: Any) -> Pair:
        raise error

    service = service_of(load)
    (message,) = told(service.decode(request()))
    assert message["kind"] == "error" and message["text"] == words == words_for(error)
    lost = words == GPU_LOST
    assert service.health()["status"] == ("failed" if lost else "ok") and (service.unready() == GPU_LOST) is lost


def test_memory_that_is_really_not_there_has_words() -> None:
    import torch

    def load(name: str, draft: str, progress: Any) -> Pair:
        torch.empty(2**55)
        raise AssertionError("there was that much memory")

    (message,) = told(service_of(load).decode(request()))
    assert message["text"] == NO_MEMORY


def test_the_log_holds_no_prompt(caplog: pytest.LogCaptureFixture) -> None:
    prompt = 'my "private"\nthought'

    def load(name: str, draft: str, progress: Any) -> Pair:
        raise RuntimeError(f"could not read {prompt!r} at {prompt}")

    told(service_of(load).decode(request(prompt=prompt)))
    assert "private" not in caplog.text.split("Traceback")[-1] and "[what was typed]" in caplog.text
    assert "RuntimeError" in caplog.text and "Traceback" in caplog.text
    assert log_text(ValueError("a cat"), "a") == "ValueError: a cat"


WAIT = """
import sys, time
from specdemo.pages.stopping import wait_for_the_end
def stop(patience):
    print("stopping", patience, flush=True)
    time.sleep({hangs})
print("up", flush=True)
wait_for_the_end(stop)
print("ended", flush=True)
"""


@pytest.mark.parametrize(
    ("number", "expected"),
    [(signal.SIGTERM, "stopping 0.5\nended"), (signal.SIGINT, "stopping 0.0\nended")],
)
def test_signals_end_it_with_status_0(number: int, expected: str) -> None:
    environment = {**os.environ, "SPECDEMO_PATIENCE": "0.5"}
    command = [sys.executable, "-c", WAIT.format(hangs=0)]
    # A test run in the background of a shell ignores Ctrl-C, and its children with it.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, preexec_fn=heed)
    assert process.stdout is not None and process.stdout.readline() == "up\n"
    time.sleep(0.1)
    process.send_signal(number)
    assert process.communicate(timeout=20)[0].strip() == expected and process.returncode == 0


@pytest.mark.slow
def test_an_end_that_hangs_is_bounded() -> None:
    environment = {**os.environ, "SPECDEMO_PATIENCE": "0"}
    command = [sys.executable, "-c", WAIT.format(hangs=60)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "up\n"
    time.sleep(0.1)
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0 and time.monotonic() - began < 15


@pytest.mark.slow
def test_a_server_in_a_run_ends_in_time_and_its_port_is_not_changed_silently(
    new_app: App, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECDEMO_PATIENCE", "0")
    new_app.start()
    for _ in range(600):
        answer = httpx.get(f"{new_app.url}/readyz")
        if answer.status_code == 200:
            break
        assert answer.json()["status"] == "not ready" and answer.json()["reason"]
        time.sleep(0.1)
    assert answer.json() == {"status": "ready"}

    script = ROOT / "tests" / "pages" / "tiny_app.py"
    second = subprocess.run(
        [sys.executable, str(script), str(tiny_folder), str(new_app.port)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=180,
    )  # fmt: skip
    assert second.returncode == 1 and f"port {new_app.port}" in second.stderr and "Traceback" not in second.stderr
    assert "specdemo is at" not in second.stdout

    asked = json.dumps(page_request(max_new_tokens=512))
    received = ""
    with (
        httpx.stream("POST", f"{new_app.url}/specdemo-run/decode", content=asked, timeout=60) as stream,
        suppress(httpx.HTTPError),
    ):
        for text in stream.iter_text():
            received += text
            if '"kind":"blocks"' in received and new_app._process is not None:
                new_app._process.send_signal(signal.SIGTERM)
    assert '"kind":"blocks"' in received and '"kind":"end"' not in received
    assert new_app._process is not None and new_app._process.wait(60) == 0
