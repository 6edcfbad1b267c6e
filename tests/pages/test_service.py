"""The service: requests in, messages out, without Gradio and without a browser."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from specdemo.pages import service as service_module
from specdemo.pages.models import Models
from specdemo.pages.service import Service
from specdemo.pages.turns import PairTurn, Turns
from specdemo.pairs import Pair, PairUnavailable, registry
from specdemo.pairs.registry import Source
from specdemo.trace import made_with
from tests.tiny import tiny_pair

PAIR = "stories"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(context=256, eos=None)


@pytest.fixture
def service(pair: Pair) -> Service:
    return Service(Models(load=lambda name, draft, progress: pair))


def nothing(name: str, draft: str, progress: Any) -> None:
    """There is nothing to fetch."""


def request(**changes: Any) -> str:
    settings = {
        "verifier": "block",
        "gamma": 3,
        "temperature": 1.0,
        "top_k": 0,
        "top_p": 1.0,
        "seed": 5,
        "max_new_tokens": 30,
    }
    whole = {"run": "r", "pair": PAIR, "draft": None, "prompt": "the cat", "blocks": 0, "resume": None}
    for name, value in changes.items():
        (settings if name in settings else whole)[name] = value
    return json.dumps({**whole, "settings": settings})


def told(messages: Iterator[str], first: int = 0) -> list[dict[str, Any]]:
    """The messages, after checking what holds for all of them."""
    read = [json.loads(message) for message in messages]
    assert [message["seq"] for message in read] == list(range(first, first + len(read)))
    return [message for message in read if message["kind"] != "progress"]


def test_a_run_is_a_start_blocks_and_an_end(service: Service) -> None:
    messages = told(service.decode(request()))
    assert [messages[0]["kind"], messages[-1]["kind"]] == ["start", "end"]
    blocks = [block for message in messages[1:-1] for block in message["blocks"]]
    assert [message["first"] for message in messages[1:-1]] == [
        message["blocks"][0]["index"] for message in messages[1:-1]
    ]
    assert [block["index"] for block in blocks] == list(range(len(blocks)))
    assert messages[-1]["block"] == len(blocks) and messages[-1]["finish"] == "length"
    assert {message["run"] for message in messages} == {"r"}


def test_the_first_block_is_sent_at_once_and_later_ones_together(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "SEND_EVERY_SECONDS", 1e9)
    counts = [len(message["blocks"]) for message in told(service.decode(request())) if message["kind"] == "blocks"]
    assert counts[0] == 1 and len(counts) == 2 and counts[1] > 1


def test_going_on_from_any_block_gives_the_same_blocks(service: Service) -> None:
    messages = told(service.decode(request()))
    blocks = [block for message in messages[1:-1] for block in message["blocks"]]
    prompt = messages[0]["head"]["prompt"]["ids"]
    for count in range(1, len(blocks)):
        ids = prompt + [i for block in blocks[:count] for i in block["committed"]]
        resume = {
            "ids": ids,
            "prompt_length": len(prompt),
            "block": count,
            "memory": None,
            "digest": blocks[count - 1]["digest"],
        }
        rest = told(service.decode(request(resume=resume, blocks=1)))
        assert [message["kind"] for message in rest] == ["blocks", "end"]
        assert rest[0]["blocks"][0]["digest"] == blocks[count]["digest"]
        assert rest[-1]["block"] == count + 1


def test_a_rule_with_memory_goes_on_from_any_block(service: Service) -> None:
    """The browser hands back what the messages told it; a run switched away waits until the memory is used up."""
    messages = told(service.decode(request(verifier="greedy_block", gamma=4)))
    assert messages[0]["kind"] == "start"
    prompt = messages[0]["head"]["prompt"]["ids"]
    blocks = [block for message in messages[1:-1] for block in message["blocks"]]
    inside = [block["index"] for block in blocks if block["memory"]]
    assert inside, "no window was ever open: choose another seed"
    count = inside[0]
    ids = prompt + [i for block in blocks[:count] for i in block["committed"]]
    resume = {
        "ids": ids, "prompt_length": len(prompt), "block": count, "memory": blocks[count]["memory"], "digest": blocks[count - 1]["digest"],
    }  # fmt: skip
    rest = told(service.decode(request(verifier="greedy_block", gamma=4, resume=resume, blocks=1)))
    assert rest[0]["blocks"][0]["digest"] == blocks[count]["digest"]
    switched = told(service.decode(request(verifier="block", gamma=4, resume=resume)))
    decided = [block for message in switched if message["kind"] == "blocks" for block in message["blocks"]]
    assert decided[0]["digest"] == blocks[count]["digest"] and decided[-1]["verifier"] == "block"
    for memory in ([["x", 1]], [[-1.0, 2]], [[1.5, 9999]], "x", [1]):
        refused = told(service.decode(request(verifier="greedy_block", gamma=4, resume=resume | {"memory": memory})))
        assert [m["kind"] for m in refused] == ["error"] and "emory" in refused[0]["text"], memory


def test_a_cut_hands_on_no_memory_and_no_memory_goes_to_other_distributions(service: Service) -> None:
    whole = told(service.decode(request(verifier="greedy_block", gamma=4)))
    blocks = [block for message in whole[1:-1] for block in message["blocks"]]
    count = next(block["index"] for block in blocks if block["memory"])
    before = blocks[:count]
    cut = told(service.decode(request(verifier="greedy_block", gamma=4, max_new_tokens=sum(len(b["committed"]) for b in before))))
    assert cut[-1]["finish"] == "length" and cut[-2]["memory"] is None
    ids = whole[0]["head"]["prompt"]["ids"] + [i for block in before for i in block["committed"]]
    resume = {
        "ids": ids, "prompt_length": len(ids) - sum(len(b["committed"]) for b in before), "block": count, "memory": blocks[count]["memory"],
        "digest": before[-1]["digest"], "made_with": made_with(whole[0]["head"]),
    }  # fmt: skip
    same = told(service.decode(request(verifier="greedy_block", gamma=4, resume=resume, blocks=1)))
    assert same[0]["blocks"][0]["digest"] == blocks[count]["digest"]
    for change in ({"temperature": 0.5}, {"resume": resume | {"made_with": {"pair": "another"}}}):
        refused = told(service.decode(request(**{"verifier": "greedy_block", "gamma": 4, "resume": resume, **change})))
        assert [m["kind"] for m in refused] == ["error"] and refused[0]["code"] == "memory_of_others", change
    assert "= another." in refused[0]["text"] and refused[0]["values"]["made"] == "another"


def test_a_step_goes_on_where_the_step_before_stood(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = told(service.decode(request()))
    expected = [block["digest"] for message in whole[1:-1] for block in message["blocks"]]
    messages = told(service.decode(request(blocks=1)))
    prompt = messages[0]["head"]["prompt"]["ids"]
    blocks = messages[1]["blocks"]

    def never(*arguments: Any, **settings: Any) -> Any:
        raise AssertionError("the text was read again")

    monkeypatch.setattr("specdemo.decoding.Decoding", never)
    while blocks[-1]["finish"] is None:
        ids = prompt + [i for block in blocks for i in block["committed"]]
        resume = {
            "ids": ids,
            "prompt_length": len(prompt),
            "block": len(blocks),
            "memory": None,
            "digest": blocks[-1]["digest"],
        }
        blocks += told(service.decode(request(resume=resume, blocks=1)))[0]["blocks"]
    assert [block["digest"] for block in blocks] == expected


@pytest.mark.parametrize("change", ["ids", "seed", "digest", "verifier"])
def test_a_step_that_differs_in_anything_is_decoded_anew(service: Service, pair: Pair, change: str) -> None:
    messages = told(service.decode(request(blocks=2)))
    blocks = [block for message in messages[1:-1] for block in message["blocks"]]
    ids = messages[0]["head"]["prompt"]["ids"] + [i for block in blocks for i in block["committed"]]
    resume = {"ids": ids, "prompt_length": 2, "block": 2, "memory": None, "digest": blocks[-1]["digest"]}
    others: dict[str, dict[str, Any]] = {"seed": {"seed": 6}, "verifier": {"verifier": "token"}}
    if change == "ids":
        resume["ids"] = [*ids[:-1], (ids[-1] + 1) % pair.vocab_size]
    if change == "digest":
        resume["digest"] = "sha256:" + "0" * 64
    fresh = Service(Models(load=lambda name, draft, progress: pair))
    asked = request(resume=resume, blocks=1, **others.get(change, {}))
    kept, anew = (told(each.decode(asked))[0]["blocks"][0] for each in (service, fresh))
    assert kept["digest"] == anew["digest"]


def test_a_run_stops_after_the_block_in_which_its_time_is_over_and_goes_on(service: Service) -> None:
    whole = told(service.decode(request()))
    expected = [block["digest"] for message in whole[1:-1] for block in message["blocks"]]
    service.run_seconds = 0.0
    start, first, over = told(service.decode(request()))
    assert [start["kind"], first["kind"], over["kind"]] == ["start", "blocks", "error"]
    assert (over["reason"], over["seconds"]) == ("time", 0.0) and "goes on from there" in over["text"]
    prompt, blocks = start["head"]["prompt"]["ids"], first["blocks"]
    assert len(blocks) == 1
    while blocks[-1]["finish"] is None:
        ids = prompt + [i for block in blocks for i in block["committed"]]
        resume = {"ids": ids, "prompt_length": len(prompt), "block": len(blocks), "memory": None}
        news, last = told(service.decode(request(resume=resume | {"digest": blocks[-1]["digest"]})))
        blocks += news["blocks"]
        assert len(news["blocks"]) == 1 and last["kind"] == ("error" if blocks[-1]["finish"] is None else "end")
    assert [block["digest"] for block in blocks] == expected
    assert told(service.decode(request(blocks=1)))[-1]["kind"] == "end", "who asks for a block has got it"


def test_only_turns_count_as_time_of_a_run(pair: Pair) -> None:
    turns = Turns()
    turn, other = PairTurn(turns, pair), PairTurn(turns, pair)

    def hold() -> None:
        with other:
            held.set()
            time.sleep(0.3)

    held = threading.Event()
    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    with turn:
        pass
    thread.join()
    assert turn.seconds < 0.2 < other.seconds
    with turn:
        time.sleep(0.05)
    assert turn.seconds >= 0.05


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "1e9"])
def test_seconds_that_are_none_are_refused_in_words(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SPECDEMO_RUN_SECONDS", text)
    with pytest.raises(SystemExit, match=rf"SPECDEMO_RUN_SECONDS is '{text}': it must be the seconds"):
        Service(Models())


def test_an_operator_sets_the_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, seconds in (("", 120.0), ("30", 30.0), (" 2.5 ", 2.5)):
        monkeypatch.setenv("SPECDEMO_RUN_SECONDS", text)
        assert Service(Models()).run_seconds == seconds


def test_models_of_the_hub_are_a_pair_only_where_the_operator_allows_it(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[tuple[str, str]] = []

    def load(name: str, draft: str, progress: Any) -> Pair:
        loaded.append((name, draft))
        return pair

    service = Service(Models(load=load, fetch=nothing))
    ids = {"pair": "some/target", "draft": "some/draft", "blocks": 1}
    monkeypatch.delenv("SPECDEMO_HUB_IDS", raising=False)
    (refused,) = told(service.decode(request(**ids)))
    assert "There is no pair 'some/target': choose one of stories" in refused["text"] and not loaded
    assert service.config()["hub_ids"] is False
    monkeypatch.setenv("SPECDEMO_HUB_IDS", "1")
    assert service.config()["hub_ids"] is True
    assert [message["kind"] for message in told(service.decode(request(**ids)))] == ["start", "blocks", "end"]
    assert loaded == [("some/target", "some/draft")]
    for wrong in (
        {"draft": None},
        {"draft": "../draft"},
        {"pair": "/etc/passwd"},
        {"pair": "https://some/target"},
        {"draft": "192"},
    ):
        (refused,) = told(service.decode(request(**{**ids, **wrong})))
        assert refused["kind"] == "error" and "owner/name" in refused["text"], wrong
    (refused,) = told(service.decode(request(**{**ids, "pair": "nothing"})))
    assert "choose one of stories" in refused["text"] and len(loaded) == 1


def test_cancelling_stops_at_the_next_block(service: Service) -> None:
    messages = service.decode(request(max_new_tokens=200))
    while json.loads(next(messages))["kind"] != "blocks":
        pass
    service.cancel("r")
    assert len([message for message in messages if json.loads(message)["kind"] == "blocks"]) <= 1
    service.cancel("r")


def test_a_memory_nobody_can_have_is_an_error_and_not_a_crash(service: Service) -> None:
    resume = {"ids": [3, 4], "prompt_length": 1, "block": 1, "memory": ["x"], "digest": None}
    assert told(service.decode(request(resume=resume)))[-1]["kind"] in ("error", "end")


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"pair": "nobody"}, "there is no pair"), ({"draft": "no"}, "has no draft"), ({"gamma": 17}, "gamma")],
)
def test_errors_are_sentences(service: Service, changes: dict[str, Any], words: str) -> None:
    (message,) = told(service.decode(request(**changes)))
    assert message["kind"] == "error" and words in message["text"].lower() and message["text"].endswith(".")


def test_what_loading_says_reaches_the_page_and_can_be_tried_again(pair: Pair) -> None:
    attempts: list[str] = []

    def load(name: str, draft: str, progress: Callable[[str, float | None], None]) -> Pair:
        attempts.append(name)
        progress("Loading the tokenizer", 0.1)
        time.sleep(0.3)
        if len(attempts) == 1:
            raise PairUnavailable("the files are missing")
        return pair

    service = Service(Models(load=load, fetch=nothing))
    messages = [json.loads(message) for message in service.decode(request(blocks=1))]
    assert [message["kind"] for message in messages] == ["progress", "progress", "error"]
    assert messages[1]["text"] == "Loading the tokenizer" and messages[1]["fraction"] == 0.1
    assert messages[2]["text"] == "The files are missing."
    assert told(service.decode(request(blocks=1)))[-1]["kind"] == "end"
    assert len(attempts) == 2


def test_a_pair_that_is_not_here_is_words(monkeypatch: pytest.MonkeyPatch) -> None:
    stories = registry.get(PAIR)
    gone = {"x": ("X", Source(folder=registry.ASSETS / "no-such-draft"))}
    monkeypatch.setitem(registry._registry, "partial", replace(stories, name="partial", drafts=gone))
    service = Service()
    config = {pair["name"]: pair for pair in service.config()["pairs"]}
    assert not config["partial"]["available"] and "assets/pairs/no-such-draft" in config["partial"]["hint"]
    assert config[PAIR]["available"] and config[PAIR]["hint"] == "" and config["smollm2"]["examples"]
    (message,) = told(service.decode(request(pair="partial")))
    assert message["kind"] == "error" and message["text"].startswith("The folder 'no-such-draft' has no config.json")


def test_an_unexpected_failure_tells_nothing_of_the_inside(caplog: pytest.LogCaptureFixture) -> None:
    def load(name: str, draft: str, progress: Any) -> Pair:
        raise RuntimeError("secret at line 7")

    (message,) = told(Service(Models(load=load)).decode(request()))
    assert message["kind"] == "error" and "secret" not in message["text"]
    assert "secret at line 7" in caplog.text


def test_a_pair_is_loaded_once_for_many_askers(pair: Pair) -> None:
    loads: list[str] = []
    gate = threading.Event()

    def load(name: str, draft: str, progress: Any) -> Pair:
        loads.append(name)
        gate.wait(5)
        return pair

    models = Models(load=load)
    loadings = [models.start(PAIR, "192") for _ in range(5)]
    assert not models.ready(PAIR, "192") and models.loaded() == []
    gate.set()
    assert all(loading.future.result(5) is pair for loading in loadings)
    assert loads == [PAIR] and models.loaded() == [PAIR]


def test_pairs_are_loaded_one_after_the_other_and_nothing_decodes_meanwhile(pair: Pair) -> None:
    loading: list[str] = []
    together: list[int] = []
    gate = threading.Event()

    def load(name: str, draft: str, progress: Any) -> Pair:
        loading.append(name)
        together.append(len(loading))
        gate.wait(0.0 if name == PAIR else 5.0)
        loading.remove(name)
        return pair

    service = Service(Models(load=load, fetch=nothing))
    assert told(service.decode(request(blocks=1)))[-1]["kind"] == "end"
    others = [service.models.start(name, "") for name in ("a", "b")]
    messages = service.decode(request(blocks=1))
    assert json.loads(next(messages))["text"] == "Waiting until another pair is loaded"
    gate.set()
    assert told(messages, first=1)[-1]["kind"] == "end"
    assert [each.future.result(5) for each in others] == [pair, pair] and set(together) == {1}


def test_others_decode_while_a_pair_is_fetched_from_the_hub(pair: Pair) -> None:
    gate, asked = threading.Event(), []

    def fetch(name: str, draft: str, progress: Any) -> None:
        asked.append(name)
        if name != PAIR:
            gate.wait(10.0)
            raise PairUnavailable("no connection")

    service = Service(Models(load=lambda name, draft, progress: pair, fetch=fetch))
    coming = service.models.start("far", "")
    assert told(service.decode(request(blocks=2)))[-1]["kind"] == "end" and not coming.ready
    gate.set()
    with pytest.raises(PairUnavailable):
        coming.future.result(5)
    assert asked == ["far", PAIR]


def test_only_the_last_few_pairs_are_kept(pair: Pair) -> None:
    models = Models(load=lambda name, draft, progress: pair, kept=2, fetch=nothing)
    for name in ("a", "b", "a", "c"):
        models.start(name, "").future.result(5)
    assert models.loaded() == ["a", "c"]


def test_the_config_is_plain_json_and_names_every_rule(service: Service) -> None:
    config = json.loads(json.dumps(service.config(), allow_nan=False))
    assert {"token", "block"} <= {rule["name"] for rule in config["verifiers"]}
    assert config["pairs"][0]["name"] == PAIR and config["pairs"][0]["drafts"][0]["name"] == "192"
