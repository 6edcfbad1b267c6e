"""Instructions through the service and the running app: the list of pairs says who takes them, requests carry the mode, errors have words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from specdemo.decoding import decode_run
from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pairs import Pair, registry
from specdemo.pairs.registry import PairEntry, Source
from tests.pages.test_service import nothing, told
from tests.tiny import tiny_pair

MESSAGE = "the hat"
DECODING: dict[str, Any] = {"gamma": 3, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "seed": 5}


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=256, eos=None, chat=True)


@pytest.fixture
def service(pair: Pair) -> Service:
    return Service(Models(load=lambda name, draft, progress: pair, fetch=nothing))


def request(settings: dict[str, Any], **parts: Any) -> str:
    whole = {"run": "r", "pair": "stories", "draft": None, "prompt": MESSAGE, **parts}
    return json.dumps({**whole, "settings": {**DECODING, "prompt_mode": "chat", **settings}})


def test_the_list_says_which_pairs_take_instructions_without_loading_any(service: Service) -> None:
    listed = {entry["name"]: entry for entry in service.config()["pairs"]}
    assert (listed["stories"]["prompt_modes"], listed["stories"]["prompt_mode"]) == (["text"], "text")
    assert listed["gpt2-hub"]["prompt_modes"] == ["text"]
    for name in ("smollm2-hub", "qwen3-hub"):
        assert (listed[name]["prompt_modes"], listed[name]["prompt_mode"]) == (["text", "chat"], "chat")
    for entry in registry.entries():
        assert entry.prompt_mode in entry.prompt_modes
    either = PairEntry("either", "Either", Source(repo="a/b"), {}, chat_template=True)
    assert either.prompt_modes == ("text", "chat") and either.prompt_mode == "text"
    assert service.models.loaded() == []


def test_blocks_race_and_law_answer_the_message(service: Service, pair: Pair) -> None:
    run = decode_run(pair, MESSAGE, prompt_mode="chat", max_new_tokens=12, **DECODING)
    messages = told(service.decode(request({"verifier": "block", "max_new_tokens": 12}, blocks=0, resume=None)))
    assert messages[0]["head"]["prompt"] == run["prompt"]
    blocks = [block for message in messages[1:-1] for block in message["blocks"]]
    assert [block["digest"] for block in blocks] == [block["digest"] for block in run["blocks"]]
    rules = ["token", "block"]
    race = told(service.race(request({"max_new_tokens": 12}, rules=rules, seeds=1, prompt_set=None)))
    assert race[0]["race"]["prompts"][0]["tokens"] == len(run["prompt"]["ids"])
    finished = next(message["record"] for message in race if message["kind"] == "race_run")
    assert finished["lanes"]["block"]["ids"] == [i for block in blocks for i in block["committed"]]
    law = told(service.law(request({}, rules=rules, samples=100)))
    assert law[0]["law"]["prompt"]["tokens"] == len(run["prompt"]["ids"])


def test_going_on_keeps_the_ids_that_the_browser_has(service: Service, pair: Pair) -> None:
    run = decode_run(pair, MESSAGE, prompt_mode="chat", max_new_tokens=12, **DECODING)
    prompt, first = run["prompt"]["ids"], run["blocks"][0]
    resume = {
        "ids": prompt + first["committed"], "prompt_length": len(prompt), "block": 1, "memory": None, "digest": first["digest"],
    }  # fmt: skip
    rest = told(service.decode(request({"verifier": "block", "max_new_tokens": 12}, blocks=1, resume=resume)))
    assert rest[0]["blocks"][0]["digest"] == run["blocks"][1]["digest"]


def test_a_pair_without_a_template_says_what_to_do() -> None:
    bare = Service(Models(load=lambda name, draft, progress: tiny_pair(), fetch=nothing))
    for messages in (
        bare.decode(request({"verifier": "block", "max_new_tokens": 12}, blocks=0, resume=None)),
        bare.race(request({"max_new_tokens": 12}, rules=["token", "block"], seeds=1, prompt_set=None)),
        bare.law(request({}, rules=["token", "block"], samples=100)),
    ):
        (error,) = told(messages)
        assert error["kind"] == "error" and "no chat template" in error["text"]
        assert "use plain continuation, or a pair with one (" in error["text"]


@pytest.mark.browser
def test_the_running_app_answers_an_instruction(app: Any, open_tab: Any) -> None:
    tab = open_tab(app)
    page = tab.page
    page.wait_for_selector("#page-step [data-state]:not([data-state=loading])")
    page.select_option("#pair", "tiny")
    assert page.input_value("#prompt-mode") == "text"
    page.select_option("#prompt-mode", "chat")
    page.fill("#prompt", "a<|eos|>b")
    page.click("#restart")
    page.wait_for_selector("#page-step [data-fold=after]")
    assert page.inner_text("#page-step .sd-line").startswith("instruction")
    shown = page.locator("#page-step .sd-tok.prompt:visible")
    assert (
        "".join(shown.all_text_contents()) == "a<|eos|>b"
        and page.locator("#page-step .sd-tok.prompt.special:visible").count() == 0
    )
    assert tab.complaints == []
