"""Every number of a block record, recomputed from the models' raw laws by other means."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import pytest
import torch

from specdemo.decoding import decode_run
from specdemo.pairs import Pair
from specdemo.trace import RunState
from tests.reference import RULES
from tests.tiny import tiny_pair
from tests.toy_models import plain_logits, processed

CLOSE = 1e-9
SETTINGS: list[dict[str, Any]] = [
    {},
    {"temperature": 0.4, "top_k": 5},
    {"temperature": 0.0},
    {"verifier": "token", "top_p": 0.6},
]


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair(eos=None)


class Recomputed:
    """The raw laws of a block, from one pass over its whole text, as plain lists of floats."""

    def __init__(self, pair: Pair, run: dict[str, Any], block: dict[str, Any]) -> None:
        before = [i for b in run["blocks"][: block["index"]] for i in b["committed"]]
        ids = [*run["prompt"]["ids"], *before]
        how = {name: run["settings"][name] for name in ("temperature", "top_k", "top_p")}
        self.start = len(ids)
        self.tokens: list[int] = block["paths"][0]["tokens"]
        text = [*ids, *self.tokens]
        self.draft = self._laws(pair.draft_model, text, how)[:-1]
        self.target = self._laws(pair.target_model, text, how)

    def _laws(self, model: Any, text: list[int], how: dict[str, Any]) -> list[list[float]]:
        return [processed(row, **how) for row in plain_logits(model, text)[self.start - 1 :].tolist()]


def runs(pair: Pair) -> list[tuple[dict[str, Any], dict[str, Any], Recomputed]]:
    """(run, block, raw laws) for some blocks of runs with every kind of processing."""
    found = []
    for seed, settings in enumerate(SETTINGS):
        run = decode_run(pair, "the cat sat on", seed=seed, max_new_tokens=12, gamma=3, **settings)
        found += [(run, block, Recomputed(pair, run, block)) for block in run["blocks"][:4]]
    return found


@pytest.fixture(scope="module")
def blocks(pair: Pair) -> list[tuple[dict[str, Any], dict[str, Any], Recomputed]]:
    return runs(pair)


def near(value: float | None, expected: float) -> bool:
    return value is not None and abs(value - expected) <= CLOSE * max(1.0, abs(expected))


def shows(digits: list[float], expected: list[float]) -> bool:
    """What is shown is written with eight significant digits."""
    return all(abs(a - b) <= 1e-7 * b for a, b in zip(digits, expected, strict=True))


def test_rows(blocks: list[Any]) -> None:
    for _, block, raw in blocks:
        rows = block["paths"][0]["rows"]
        assert len(rows) == block["gamma"] + 1
        for i, row in enumerate(rows):
            target = raw.target[i]
            assert near(row["target_entropy"], -sum(p * math.log(p) for p in target if p > 0))
            ids = row["shown"]["ids"]
            assert len(set(ids)) == len(ids) and row["rest"]["count"] == len(target) - len(ids)
            assert near(row["rest"]["target"], sum(p for v, p in enumerate(target) if v not in ids))
            assert shows(row["shown"]["target"], [target[v] for v in ids])
            if i == block["gamma"]:
                assert all(row[name] is None for name in ("token", "draft", "target", "ratio", "tv", "draft_entropy"))
                assert row["shown"]["draft"] is None and row["rest"]["draft"] is None
                continue
            draft, x = raw.draft[i], raw.tokens[i]
            assert row["token"] == x and near(row["draft"], draft[x]) and near(row["target"], target[x])
            assert near(row["ratio"], target[x] / draft[x])
            assert near(row["tv"], sum(abs(d - t) for d, t in zip(draft, target, strict=True)) / 2)
            assert near(row["draft_entropy"], -sum(p * math.log(p) for p in draft if p > 0))
            assert shows(row["shown"]["draft"], [draft[v] for v in ids])
            assert near(row["rest"]["draft"], sum(p for v, p in enumerate(draft) if v not in ids))
            heights = [max(d, t) for d, t in zip(row["shown"]["draft"], row["shown"]["target"], strict=True)]
            assert all(a >= b - 1e-7 for a, b in pairwise(heights))


def test_what_is_shown(blocks: list[Any]) -> None:
    """The eight highest of D and of T, the drafted token, every rule's next token, and the six highest of every residual."""
    for _, block, raw in blocks:
        for i, row in enumerate(block["paths"][0]["rows"]):
            shown = set(row["shown"]["ids"])
            for verdict in block["verdicts"].values():
                if verdict["accepted"] == i:
                    assert verdict["next_token"] in shown
            if i == block["gamma"]:
                assert shown >= set(highest(raw.target[i], 16))
                continue
            assert {raw.tokens[i], *highest(raw.draft[i], 8), *highest(raw.target[i], 8)} <= shown
            for verdict in block["verdicts"].values():
                scale = verdict["residual_scale"][i]
                residual = [max(0.0, scale * t - d) for d, t in zip(raw.draft[i], raw.target[i], strict=True)]
                assert set(highest(residual, 6)) <= shown


def highest(values: list[float], count: int) -> list[int]:
    """The places of the highest values, leaving out those too small or too close to the next to be told apart."""
    order = sorted(range(len(values)), key=lambda v: -values[v])
    edge = values[order[count]] if count < len(order) else 0.0
    return [v for v in order[:count] if values[v] > edge + 1e-9]


def test_verdicts(blocks: list[Any]) -> None:
    for run, block, raw in blocks:
        assert list(block["verdicts"]) == run["verifiers"]
        for name, verdict in block["verdicts"].items():
            said = RULES[name](tuple(raw.tokens), raw.draft, raw.target)
            gamma, scale = block["gamma"], [1.0] * (block["gamma"] + 1)
            if name == "block":
                scale = [float(w) for w in said.weights]
            etas, last = block["uniforms"]["verify"][:-1], block["uniforms"]["verify"][-1]
            assert all(near(a, float(b)) for a, b in zip(verdict["accept_prob"], said.coins, strict=True))
            assert all(near(a, float(b)) for a, b in zip(verdict["prefix_weight"], said.weights, strict=True))
            assert all(near(a, b) for a, b in zip(verdict["residual_scale"], scale, strict=True))
            assert all(near(a, float(b)) for a, b in zip(verdict["length_law"], said.lengths, strict=True))
            assert near(verdict["expected_accepted"], sum(i * float(p) for i, p in enumerate(said.lengths)))
            successes = [eta < h for eta, h in zip(etas, said.coins, strict=True)]
            if name == "token":
                kept = successes.index(False) if False in successes else gamma
            else:
                kept = max((i + 1 for i, ok in enumerate(successes) if ok), default=0)
            law = [float(p) for p in said.next_laws[kept]]
            y = next(v for v in range(len(law)) if sum(law[: v + 1]) > last)
            assert (verdict["accepted"], verdict["next_token"]) == (kept, y)
            assert verdict["next_kind"] == ("bonus" if kept == gamma else "correction")
            assert near(verdict["next_prob"], law[y]) and near(verdict["next_target"], raw.target[kept][y])
            assert verdict["next_draft"] is None if kept == gamma else near(verdict["next_draft"], raw.draft[kept][y])
            assert verdict["order"] == ("left_to_right" if name == "token" else "right_to_left")


def test_row_sums(blocks: list[Any]) -> None:
    for _, block, raw in blocks:
        for verdict in block["verdicts"].values():
            assert len(verdict["rows"]) == block["gamma"] + 1 and verdict["rows"][-1] is None
            for i, sums in enumerate(verdict["rows"][:-1]):
                s, hidden = verdict["residual_scale"][i], set(range(len(raw.draft[i])))
                hidden -= set(block["paths"][0]["rows"][i]["shown"]["ids"])
                both = [(d, s * t) for d, t in zip(raw.draft[i], raw.target[i], strict=True)]
                parts = {
                    "overlap": [min(d, t) for d, t in both],
                    "residual": [max(0.0, t - d) for d, t in both],
                    "excess": [max(0.0, d - t) for d, t in both],
                }
                for name, part in parts.items():
                    assert near(sums[name], sum(part))
                    assert near(sums[f"rest_{name}"], sum(part[v] for v in hidden))
                assert near(sums["overlap"] + sums["excess"], 1) and near(sums["overlap"] + sums["residual"], s)


def test_what_reaches_the_text(blocks: list[Any]) -> None:
    for run, block, raw in blocks:
        deciding = block["verdicts"][block["verifier"]]
        assert block["verifier"] == run["settings"]["verifier"] and block["memory"] is None
        assert block["kept"] == deciding["accepted"] and block["gained"] == block["kept"] + 1
        gained = [*raw.tokens[: block["kept"]], deciding["next_token"]]
        assert block["committed"] == gained[: block["shown_tokens"]] and block["start"] == raw.start
        assert block["shown_tokens"] == len(gained) or block["finish"] == "length"


def test_margins(blocks: list[Any]) -> None:
    """The least change of one uniform that changes what the block does, found by trying both sides of every edge."""
    for _, block, raw in blocks:
        name = block["verifier"]
        said = RULES[name](tuple(raw.tokens), raw.draft, raw.target)
        distances = [1.0]
        laws = [*raw.draft, said.next_laws[block["kept"]]]
        draws = [*block["uniforms"]["draft"], block["uniforms"]["verify"][-1]]
        for law, u in zip(laws, draws, strict=True):
            below, last = 0.0, max(v for v, p in enumerate(law) if p > 0)
            for p in map(float, law[:last]):
                below += p
                distances += [abs(below - u)] if below > 0 else []
        tau, gamma = block["kept"], block["gamma"]
        looked_at = range(min(tau + 1, gamma)) if name == "token" else range(max(tau - 1, 0), gamma)
        for i in looked_at:
            if 0 < said.coins[i] < 1:
                distances.append(abs(block["uniforms"]["verify"][i] - float(said.coins[i])))
        assert abs(block["margin"] - min(distances)) < CLOSE
    for run, _, _ in blocks:
        assert run["smallest_margin"] == min(b["margin"] for b in run["blocks"])


def test_every_id_has_a_piece(blocks: list[Any]) -> None:
    for run, block, raw in blocks:
        mentioned = {i for row in block["paths"][0]["rows"] for i in row["shown"]["ids"]}
        mentioned |= {*block["committed"], *raw.tokens, *(v["next_token"] for v in block["verdicts"].values())}
        assert {int(i) for i in block["pieces"]} == mentioned
        assert {int(i) for i in run["pieces"]} == set(run["prompt"]["ids"])


def test_timings_are_milliseconds_of_every_part(blocks: list[Any]) -> None:
    for _, block, _ in blocks:
        times = block["timings"]
        assert set(times) == {"draft", "target", "verify", "rest", "record", "draft_steps"}
        assert len(times["draft_steps"]) == block["gamma"] and min(times["draft_steps"]) >= 0
        assert sum(times["draft_steps"]) <= times["draft"] + 0.1


def test_a_law_after_the_block_is_no_draft_step(pair: Pair) -> None:
    """A memory that reaches past the block asks for the draft's law there, but no token is drafted from it."""
    state = RunState(tuple(pair.encode("the cat sat on").ids), 1, memory=[[1.5, 5]])
    run = decode_run(pair, "the cat sat on", verifier="greedy_block", gamma=3, max_new_tokens=8, resume=state)
    assert run["blocks"][0]["memory"] == [[1.5, 5]]
    assert all(len(block["timings"]["draft_steps"]) == block["gamma"] for block in run["blocks"])


def test_json_without_nan(blocks: list[Any]) -> None:
    for run, _, _ in blocks:
        assert json.loads(json.dumps(run, allow_nan=False)) == run


def test_other_rules_stay_beside_the_text(pair: Pair) -> None:
    """What other rules say on the same draft and uniforms changes neither the text nor the digest."""
    alone = decode_run(pair, "the hat", seed=2, max_new_tokens=8, rules=())
    both = decode_run(pair, "the hat", seed=2, max_new_tokens=8)
    assert alone["verifiers"] == ["block"] and both["verifiers"] == ["token", "block"]
    assert alone["digest"] == both["digest"]
    assert [b["committed"] for b in alone["blocks"]] == [b["committed"] for b in both["blocks"]]


def test_the_same_block_has_the_same_draft_and_uniforms_under_both_rules(pair: Pair) -> None:
    token, block = (
        decode_run(pair, "the hat", seed=2, max_new_tokens=8, verifier=v)["blocks"] for v in ("token", "block")
    )
    assert (
        token[0]["uniforms"] == block[0]["uniforms"]
        and token[0]["paths"][0]["tokens"] == block[0]["paths"][0]["tokens"]
    )
    assert token[0]["verdicts"] == block[0]["verdicts"]
    assert [b["uniforms"] for b in token][:2] == [b["uniforms"] for b in block][:2]


def test_laws_of_float32_models_are_recorded_in_float64() -> None:
    pair = tiny_pair(eos=None)
    pair.draft_model.float(), pair.target_model.float()
    run = decode_run(pair, "the cat", seed=1, max_new_tokens=6)
    assert run["pair"]["dtype"] == "float32"
    for row in run["blocks"][0]["paths"][0]["rows"]:
        assert abs(sum(row["shown"]["target"]) + row["rest"]["target"] - 1) < 1e-7
    assert torch.get_default_dtype() == torch.float32
