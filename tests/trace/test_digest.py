"""The digest chain: it changes with anything discrete, and with nothing else."""

from __future__ import annotations

import copy
import json
from dataclasses import asdict
from typing import Any, cast

import pytest

from specdemo.arrays import setting_of
from specdemo.cli.lab_options import _numbers
from specdemo.decoding import decode_run
from specdemo.lab.competitors import Setting
from specdemo.lab.law import law_check
from specdemo.lab.race_lanes import checked_settings
from specdemo.pairs import Pair
from specdemo.trace.digest import chained, head_digest
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(eos=None)


@pytest.fixture(scope="module")
def run(pair: Pair) -> dict[str, Any]:
    return decode_run(pair, "the cat sat", seed=6, max_new_tokens=10, gamma=3)


def put(record: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy with one value replaced."""
    changed = copy.deepcopy(record)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != value, "the change changes nothing"
    place[path[-1]] = value
    return changed


def test_minus_zero_is_zero(pair: Pair) -> None:
    """Equal settings, one digest: in a run, a race, a law check and a cell of the Lab, and typed at the command line."""
    zero, minus = (decode_run(pair, "the cat sat", temperature=t, top_k=k, max_new_tokens=2) for t, k in ((0, 0), (-0.0, cast(int, -0.0))))
    assert (minus["digest"], json.dumps(minus["settings"])) == (zero["digest"], json.dumps(zero["settings"]))
    assert "-0" not in json.dumps([minus["settings"], asdict(checked_settings(4, -0.0, 0, 1.0, 0, 8)), asdict(Setting(temperature=-0.0))])
    law = next(law_check(pair, "the cat", ("token", "block"), temperature=-0.0, samples=100))
    assert json.dumps(law["settings"]).startswith('{"gamma": 4, "temperature": 0.0, "top_k": 0, "top_p": 1.0, "seed": 0')
    assert str(_numbers("costs", "-0,-0.0,1", setting_of)) == "[0.0, 0.0, 1.0]"


def test_the_chain_is_that_of_the_blocks(run: dict[str, Any]) -> None:
    digest = head_digest(run)
    assert digest == run["head_digest"]
    for block in run["blocks"]:
        digest = chained(digest, block)
        assert digest == block["digest"]
    assert digest == run["digest"]
    assert digest.startswith("sha256:") and len(digest) == 7 + 64


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), "specdemo.trace/2"),
        (("pair", "name"), "other"),
        (("pair", "draft"), "other"),
        (("pair", "draft_revision"), "other"),
        (("pair", "target_revision"), "other"),
        (("pair", "vocab_size"), 301),
        (("settings", "verifier"), "token"),
        (("settings", "gamma"), 2),
        (("settings", "temperature"), 0.9),
        (("settings", "top_k"), 7),
        (("settings", "top_p"), 0.5),
        (("settings", "seed"), 7),
        (("settings", "stream"), 1),
        (("settings", "max_new_tokens"), 11),
        (("settings", "prompt_mode"), "chat"),
        (("prompt", "ids"), [5]),
    ],
)
def test_the_head_digest_changes_with(run: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    assert head_digest(put(run, path, value)) != run["head_digest"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("created",), "another day"),
        (("versions", "torch"), "0"),
        (("pair", "device"), "cuda:0"),
        (("pair", "dtype"), "bfloat16"),
        (("pair", "title"), "another title"),
        (("prompt", "notice"), "a notice"),
        (("prompt", "text"), "another text of the same ids"),
        (("verifiers",), ["block"]),
    ],
)
def test_the_head_digest_does_not_change_with(run: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    assert head_digest(put(run, path, value)) == run["head_digest"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("index",), 9),
        (("start",), 99),
        (("gamma",), 9),
        (("uniforms", "draft", 0), 0.123),
        (("uniforms", "verify", 1), 0.123),
        (("paths", 0, "tokens", 1), 299),
        (("kept",), 9),
        (("committed",), [299]),
        (("finish",), "context"),
        (("verdicts", "block", "accepted"), 9),
        (("verdicts", "block", "next_token"), 299),
    ],
)
def test_a_blocks_digest_changes_with(run: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    block, before = run["blocks"][1], run["blocks"][0]["digest"]
    assert chained(before, put(block, path, value)) != block["digest"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("timings", "draft"), -1.0),
        (("margin",), 0.5),
        (("paths", 0, "rows", 0, "target"), 0.123),
        (("paths", 0, "rows", 0, "shown", "ids"), []),
        (("verdicts", "block", "accept_prob", 0), 0.123),
        (("verdicts", "token", "accepted"), 9),
        (("verdicts", "token", "next_token"), 299),
        (("pieces",), {}),
    ],
)
def test_a_blocks_digest_does_not_change_with(run: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    block, before = run["blocks"][1], run["blocks"][0]["digest"]
    assert chained(before, put(block, path, value)) == block["digest"]


def test_a_blocks_digest_depends_on_all_before_it(run: dict[str, Any]) -> None:
    assert chained("sha256:other", run["blocks"][1]) != run["blocks"][1]["digest"]


def test_two_runs_agree_and_two_seeds_do_not(pair: Pair, run: dict[str, Any]) -> None:
    again = decode_run(pair, "the cat sat", seed=6, max_new_tokens=10, gamma=3)
    assert again["digest"] == run["digest"] and again["head_digest"] == run["head_digest"]
    assert decode_run(pair, "the cat sat", seed=7, max_new_tokens=10, gamma=3)["digest"] != run["digest"]


def test_seed_zero_is_a_seed(pair: Pair) -> None:
    first, second, one = (decode_run(pair, "the cat", seed=s, max_new_tokens=6) for s in (0, 0, 1))
    assert first["digest"] == second["digest"] != one["digest"]
    assert first["settings"]["seed"] == 0


def test_numbers_that_are_equal_give_one_digest(pair: Pair) -> None:
    one, other = (
        decode_run(pair, "the cat", max_new_tokens=4, temperature=t, top_p=p) for t, p in ((1, 1), (1.0, 1.0))
    )
    assert one["digest"] == other["digest"]


def test_a_runs_own_end_of_text_tokens_are_in_its_settings(pair: Pair) -> None:
    """They decide where the text ends, so that without them a run could not be repeated."""
    own = decode_run(pair, "the cat", max_new_tokens=4, eos_token_id=[299, 298])
    plain = decode_run(pair, "the cat", max_new_tokens=4)
    assert own["settings"]["eos_token_ids"] == [298, 299] and "eos_token_ids" not in plain["settings"]
    assert own["head_digest"] != plain["head_digest"]
