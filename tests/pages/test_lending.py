"""A Space whose GPUs are lent for a call: forked processes, pickled text, no CUDA in the parent, and every error in words."""

from __future__ import annotations

import contextlib
import copy
import importlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr
import httpx
import pytest
import torch

from specdemo.decoding import recordings
from specdemo.pages import lending, libraries
from specdemo.pages.gpu_time import LEAST, MOST, gpu_seconds
from specdemo.pages.lending import (
    BLOCKS_AHEAD,
    LendingService,
    _load_without_gpu,
    _refusal,
    service_for_here,
)
from specdemo.pages.models import Models
from specdemo.pages.run_time import MeasurementStop
from specdemo.pages.service import Service
from specdemo.pairs import Pair, PairUnavailable, kept, registry
from specdemo.pairs import pair as pair_module
from specdemo.pairs.hub import disk as hub_disk
from specdemo.pairs.hub import ready as hub_ready
from specdemo.pairs.placement import gpus_are_lent, placement_of
from specdemo.pairs.weights import is_packed, suited_to_few_rows
from tests.pages.conftest import ROOT, lasting_port
from tests.pages.conftest import request as page_request
from tests.pages.test_service import nothing, request, told
from tests.tiny import tiny_pair
from tests.zero_gpu.lender import LONGEST_SECONDS, USED_UP
from tests.zero_gpu.lender import lending as lending_server

FOLDER = Path(__file__).resolve().parents[1] / "zero_gpu"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=256, eos=None)


@pytest.fixture
def lender(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The stand-in, in the place of the package, with CUDA forbidden in this process."""
    for name in ("is_available", "_lazy_init"):
        monkeypatch.setattr(torch.cuda, name, getattr(torch.cuda, name))
    monkeypatch.syspath_prepend(str(FOLDER / "stand_in"))
    monkeypatch.delitem(sys.modules, "spaces", raising=False)
    monkeypatch.setenv("SPACES_ZERO_GPU", "true")
    module = importlib.import_module("spaces")
    assert Path(str(module.__file__)).parent == FOLDER / "stand_in"
    yield module
    while module._kept:
        process, pipe, _ = module._kept.pop()
        pipe.close()
        process.join(10)
    monkeypatch.delitem(sys.modules, "spaces")


@pytest.fixture
def service(pair: Pair, lender: Any) -> LendingService:
    models = Models(load=lambda name, draft, progress: pair, fetch=nothing)
    return LendingService(models, stays=lambda entry: False)


def here(pair: Pair) -> Service:
    """A service without a lender."""
    return Service(Models(load=lambda name, draft, progress: pair, fetch=nothing))


def digests(messages: list[dict[str, Any]]) -> list[str]:
    return [block["digest"] for message in messages if message["kind"] == "blocks" for block in message["blocks"]]


def test_the_rules_are_kept_by_the_stand_in(lender: Any) -> None:
    assert torch.cuda.is_available()
    with pytest.raises(RuntimeError, match="parent"):
        torch.zeros(1, device="cuda")
    with pytest.raises(AssertionError, match="no plain value"):
        list(lender.GPU(duration=lambda x: 1)(lambda x: iter([x]))(torch.zeros(1)))


def test_a_run_is_decoded_in_another_process_and_is_the_same(service: LendingService, pair: Pair, lender: Any) -> None:
    messages = told(service.decode(request()))
    expected = told(here(pair).decode(request()))
    assert digests(messages) == digests(expected) and len(digests(messages)) > 3
    assert messages[0]["kind"] == "start" and messages[-1]["kind"] == "end"
    assert messages[-1]["block"] == expected[-1]["block"] and messages[-1]["finish"] == "length"
    assert len(lender.processes) == 1 and lender.processes[0] != os.getpid()
    assert LEAST <= lender.asked[0] <= 20


def test_a_run_goes_on_from_a_block_in_a_process_of_its_own(service: LendingService, pair: Pair, lender: Any) -> None:
    first = told(service.decode(request(blocks=2)))
    blocks = [block for message in first if message["kind"] == "blocks" for block in message["blocks"]]
    prompt = first[0]["head"]["prompt"]["ids"]
    ids = prompt + [i for block in blocks for i in block["committed"]]
    resume = {
        "ids": ids, "prompt_length": len(prompt), "block": 2, "memory": None, "digest": blocks[-1]["digest"],
    }  # fmt: skip
    rest = told(service.decode(request(resume=resume)))
    assert digests(first) + digests(rest) == digests(told(here(pair).decode(request())))
    assert len(set(lender.processes)) == 2


def test_a_kept_process_is_asked_again(service: LendingService, pair: Pair, lender: Any) -> None:
    lender.keep_processes = True
    expected = digests(told(service.decode(request())))
    assert digests(told(service.decode(request(run="again")))) == expected
    assert len(set(lender.processes)) == 1


class OverAfterSomeCalls(MeasurementStop):
    """In place of time, which a busy machine makes too short or too long; a race of three lanes warms up with six calls."""

    calls = 15

    def __call__(self) -> bool:
        self.calls -= 1
        self.over = self.over or self.calls < 0
        return self.over or self._cancelled.is_set()


def test_a_measurement_goes_on_in_slices(service: LendingService, lender: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"run": "m", "pair": "stories", "draft": None, "prompt": "the cat", "rules": ["token", "block"]}
    texts = {
        "race": json.dumps({**asked, "seeds": 2, "prompt_set": None, "settings": {"gamma": 2, "max_new_tokens": 6}}),
        "law": json.dumps({**asked, "samples": 100, "settings": {"gamma": 2}}),
    }
    whole = {kind: told(getattr(service, kind)(text)) for kind, text in texts.items()}
    assert len(lender.processes) == 2
    monkeypatch.setattr("specdemo.pages.measuring.MeasurementStop", OverAfterSomeCalls)
    for kind, text in texts.items():
        before = len(lender.processes)
        found = [message for message in map(json.loads, getattr(service, kind)(text)) if message["kind"] != "progress"]
        assert len(lender.processes) - before > 2 and lender.asked[-1] == 30
        assert found[-1]["kind"] == "end"
        last, right = found[-2], whole[kind][-2]
        if kind == "law":
            assert last["law"]["pairs"] == right["law"]["pairs"] and last["law"]["next"] == right["law"]["next"]
        else:
            assert [message["kind"] for message in found].count("race_start") == 1
            assert last["at"] == right["at"] == 1
            calls = [
                [[call[:3] for call in lane["calls"]] for lane in one["record"]["lanes"].values()]
                for one in (last, right)
            ]
            assert calls[0] == calls[1] and last["summary"].keys() == right["summary"].keys()


def test_a_measurement_that_does_not_get_on_ends_in_words(
    service: LendingService, lender: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("specdemo.pages.measuring.MeasurementStop", OverAfterSomeCalls)
    monkeypatch.setattr(OverAfterSomeCalls, "calls", 3)
    asked = {"run": "m", "pair": "stories", "draft": None, "prompt": "the cat", "rules": ["token", "block"], "seeds": 1}
    *_, message = map(json.loads, service.race(json.dumps({**asked, "prompt_set": None, "settings": {"gamma": 2}})))
    assert message["kind"] == "error" and message["reason"] == "time" and len(lender.processes) == 2


def test_a_process_whose_gpu_has_failed_ends(
    service: LendingService, lender: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lender.keep_processes = True

    def fails(*arguments: Any, **options: Any) -> Any:
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    with monkeypatch.context() as patched:
        patched.setattr("specdemo.decoding.Decoding", fails)
        (message,) = told(service.decode(request()))
    assert message["kind"] == "error" and "GPU has failed" in message["text"]
    assert service.health()["status"] == "ok", "the next call has another process, with another GPU"
    assert told(service.decode(request(run="next")))[-1]["kind"] == "end"
    assert len(set(lender.processes)) == 2


@pytest.mark.parametrize(
    ("title", "words", "said"),
    [
        (
            "ZeroGPU quota exceeded",
            "You have exceeded your free ZeroGPU quota (15s requested vs. 3s left).",
            "share of the GPUs",
        ),
        (
            "ZeroGPU illegal duration",
            "The requested GPU duration (180s) is larger than the maximum allowed",
            "for longer than",
        ),
        ("ZeroGPU queue timeout", "No GPU was available after 60s", "No GPU came free"),
        ("ZeroGPU worker error", "GPU task aborted", "GPU task aborted"),
    ],
)
def test_a_refusal_is_told_in_words_that_fit_the_page(title: str, words: str, said: str) -> None:
    assert said in _refusal(gr.Error(words, title=title))


def test_a_page_asks_for_several_blocks_where_a_gpu_is_lent(lender: Any) -> None:
    pairs = {pair["name"]: pair.get("blocks_ahead") for pair in LendingService().config()["pairs"]}
    assert pairs["stories"] is pairs["smollm2"] is pairs["gpt2-hub"] is None and pairs["qwen3-hub"] == BLOCKS_AHEAD
    assert not any("blocks_ahead" in pair for pair in Service().config()["pairs"])


def test_no_lock_that_a_thread_holds_is_held_in_a_forked_process(pair: Pair) -> None:
    """What a call reads there may be held by any thread of the parent at the moment of the fork."""
    held = [pair_module._reading, libraries._lock, kept._lock, recordings._work, hub_disk._lock, hub_ready._lock]
    holding, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with contextlib.ExitStack() as stack:
            for lock in held:
                stack.enter_context(lock)
            holding.set()
            let_go.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait(60)
    try:

        def take() -> None:
            pair.encode("the cat")
            for lock in held:
                lock.__enter__()

        child = os.fork()
        if child == 0:
            done = threading.Thread(target=lambda: take(), daemon=True)
            done.start()
            done.join(20)
            os._exit(done.is_alive())
        assert os.waitpid(child, 0)[1] == 0
    finally:
        let_go.set()
        thread.join()


@pytest.mark.parametrize(
    ("kind", "changes", "kinds"),
    [
        ("race", {"rules": ["token", "block"], "seeds": 1, "prompt_set": None}, {"race_calls", "end"}),
        ("law", {"rules": ["token", "block"], "samples": 100}, {"law", "end"}),
    ],
)
def test_measurements_are_made_there_too(
    service: LendingService, lender: Any, kind: str, changes: dict[str, Any], kinds: set[str]
) -> None:
    settings = {"gamma": 2, **({"max_new_tokens": 8} if kind == "race" else {})}
    asked = {"run": "m", "pair": "stories", "draft": None, "prompt": "the cat", "settings": settings, **changes}
    messages = told(getattr(service, kind)(json.dumps(asked)))
    assert kinds <= {message["kind"] for message in messages} and messages[-1]["kind"] == "end"
    assert len(lender.processes) == 1


def test_a_wrong_request_costs_no_gpu(service: LendingService, lender: Any) -> None:
    for changes in ({"gamma": 99}, {"pair": "nobody"}, {"draft": "no"}, {"verifier": "hope"}):
        (message,) = told(service.decode(request(**changes)))
        assert message["kind"] == "error"
    assert lender.asked == [] and lender.processes == []


def test_an_error_inside_keeps_its_words(service: LendingService, lender: Any) -> None:
    resume = {"ids": [3, 4], "prompt_length": 1, "block": 1, "memory": [["x", 1]], "digest": None}
    messages = told(service.decode(request(verifier="greedy_block", resume=resume)))
    assert messages[-1]["kind"] == "error" and "emory" in messages[-1]["text"]
    assert len(lender.processes) == 1


def test_what_the_lender_refuses_is_told_without_its_markup(service: LendingService, lender: Any) -> None:
    lender.refusal = (
        'You have exceeded your GPU quota (15s requested vs. 0s left). <a href="https://x">Log in &amp; wait</a>'
    )
    (message,) = told(service.decode(request()))
    assert message["kind"] == "error"
    assert "GPU quota (15s requested vs. 0s left). Log in & wait" in message["text"] and "<" not in message["text"]
    assert told(service.decode(request()))[-1]["kind"] == "end", "the next one is answered"


def test_a_gpu_that_is_taken_back_ends_the_run_in_words(service: LendingService, lender: Any) -> None:
    lender.messages_until_taken_back = 3
    messages = told(service.decode(request(max_new_tokens=200)))
    assert messages[-1]["kind"] == "error" and "taken back" in messages[-1]["text"]
    lender.messages_until_taken_back = None
    assert told(service.decode(request()))[-1]["kind"] == "end"


def test_a_run_that_is_cancelled_or_left_frees_the_gpu(service: LendingService, lender: Any) -> None:
    for leave in (False, True):
        messages = service.decode(request(max_new_tokens=200))
        while json.loads(next(messages))["kind"] != "blocks":
            pass
        if leave:
            messages.close()  # type: ignore[attr-defined]
        else:
            service.cancel("r")
            assert len(list(messages)) <= 1
        with pytest.raises(ProcessLookupError):
            os.kill(lender.processes[-1], 0)


def test_small_pairs_need_no_gpu_and_a_load_that_fails_asks_for_none(pair: Pair, lender: Any) -> None:
    def missing(name: str, draft: str, progress: Any) -> Pair:
        raise PairUnavailable("the files are missing")

    small = LendingService(Models(load=lambda name, draft, progress: pair, fetch=nothing))
    assert told(small.decode(request()))[-1]["kind"] == "end"
    failing = LendingService(Models(load=missing, fetch=nothing), stays=lambda entry: False)
    (message,) = told(failing.decode(request()))
    assert message["text"] == "The files are missing."
    assert lender.asked == []


def test_the_service_suits_the_place(lender: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gpus_are_lent() and isinstance(service_for_here(), LendingService)
    monkeypatch.delenv("SPACES_ZERO_GPU")
    assert type(service_for_here()) is Service


def test_weights_that_will_be_lent_a_gpu_are_read_in_the_type_they_have_there_and_not_packed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: dict[str, tuple[str, str]] = {}
    packs: dict[str, bool] = {}

    def load(name: str, *, device: str, pack: bool, dtype: str = "auto", **options: Any) -> None:
        entry = registry.get(name)
        asked[name] = device, placement_of(entry, next(iter(entry.drafts)), device, dtype).dtype
        packs[name] = pack

    monkeypatch.setattr("specdemo.pages.lending.load_named", load)
    lent = [entry.name for entry in registry.entries() if not entry.needs_gpu]
    for name in lent:
        _load_without_gpu(name, draft=None, progress=None)
    assert asked == dict.fromkeys(lent, ("cpu", "float32")), "in half precision a step's text would not be a run's"
    assert {name for name, pack in packs.items() if pack} == {"stories", "smollm2", "gpt2-hub"}
    monkeypatch.setenv("SPECDEMO_DTYPE", "bfloat16")
    _load_without_gpu("qwen3-hub", draft=None, progress=None)
    assert asked["qwen3-hub"] == ("cpu", "bfloat16"), "the operator has asked for it"


def test_weights_go_to_the_gpu_without_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tiny_pair()
    packed = replace(plain, target_model=suited_to_few_rows(copy.deepcopy(plain.target_model).float()))
    assert is_packed(packed.target_model) and not is_packed(plain.target_model)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    moved: list[torch.nn.Module] = []

    def move(model: torch.nn.Module, device: str) -> torch.nn.Module:
        moved.append(model)
        return model

    monkeypatch.setattr(torch.nn.Module, "to", move)
    for at_hand in (plain, packed):
        lending._at_hand["stories", "192"] = at_hand
        pair = lending._load_to_gpu("stories", draft="192", progress=lambda text, fraction: None)
        assert moved[-2:] == [pair.draft_model, pair.target_model] and not is_packed(pair.target_model)
        assert (pair.target_model is at_hand.target_model) is (at_hand is plain)


def test_the_time_that_is_asked_for_follows_the_request_and_can_be_granted() -> None:
    ahead, run, longest = (
        gpu_seconds("decode", request(blocks=4, max_new_tokens=64)),
        gpu_seconds("decode", request(max_new_tokens=64)),
        gpu_seconds("decode", request(max_new_tokens=512)),
    )
    assert ahead == LEAST and ahead < run <= 20 < longest <= MOST
    resume = {"ids": [1] * 500, "prompt_length": 1, "block": 3, "memory": None, "digest": None}
    assert gpu_seconds("decode", request(max_new_tokens=512, resume=resume)) == 10
    race = {"run": "r", "pair": "stories", "draft": None, "prompt": "x", "rules": ["token", "block"], "seeds": 10}
    law = {"run": "r", "pair": "stories", "draft": None, "prompt": "x", "rules": ["token", "block"], "samples": 5000}
    sizes = (
        gpu_seconds("race", json.dumps({**race, "settings": {"max_new_tokens": 512}})),
        gpu_seconds("law", json.dumps({**law, "settings": {}})),
    )
    assert sizes == (30, 30)
    assert 1.5 * MOST <= 120, (
        "a visitor who has not signed in has two minutes, and the lender takes what is asked for times 1.5"
    )


def test_the_whole_app_borrows_by_the_real_package(tiny_folder: Path) -> None:
    """Forked from a server that is answering, everything between as on a Space but for the card and the lender's own server."""
    port = lasting_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, str(FOLDER / "app.py"), str(tiny_folder), str(port)]

    def messages(kind: str, text: str, token: str = "a-visitor") -> list[dict[str, Any]]:
        headers = {"X-IP-Token": token, "x-gradio-user": "app"}
        answer = httpx.post(f"{url}/specdemo-run/{kind}", content=text, headers=headers, timeout=120)
        data = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
        return [json.loads(line) for line in data]

    with lending_server() as lender:
        environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "SPACES_ZERO_GPU": "true", "HF_HUB_OFFLINE": "1",
            "SPACES_ZERO_DEVICE_API_URL": lender.url,
        }  # fmt: skip
        process = subprocess.Popen(command, cwd=ROOT, env=environment)
        try:
            for _ in range(900):
                with contextlib.suppress(httpx.HTTPError):
                    if httpx.get(f"{url}/readyz").status_code == 200:
                        break
                assert process.poll() is None, "the app ended while it was starting"
                time.sleep(0.2)
            assert lender.calls == ["/startup-report"]
            run = json.dumps(page_request(max_new_tokens=64))
            refused = messages("decode", run, USED_UP)[-1]
            assert refused["kind"] == "error" and refused["code"] == "gpu_quota"
            assert "3s left" in refused["text"] and "token" not in refused["text"]
            found = [messages("decode", run), messages("decode", run)]
            for one in found:
                assert one[-1]["kind"] == "end" and one[-1]["finish"] == "length"
                assert [message["seq"] for message in one] == sorted(message["seq"] for message in one)
            assert digests(found[0]) == digests(found[1]) != []
            assert lender.calls[1:] == ["/schedule", *["/schedule", "/allow", "/release"] * 2]
            # The largest requests that the pages may make are granted.
            largest = json.loads(run)
            race = {
                **{name: largest[name] for name in ("pair", "draft", "prompt")}, "run": "race", "rules": ["token", "block"], "seeds": 10,
                "prompt_set": None, "settings": {"gamma": 2, "max_new_tokens": 4},
            }  # fmt: skip
            assert messages("race", json.dumps(race))[-1]["kind"] == "end"
            assert messages("decode", json.dumps(page_request(max_new_tokens=512)))[-1]["kind"] == "end"
            assert max(lender.asked) <= LONGEST_SECONDS
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()
