"""One cell on tiny models: what is summed up is what the decoder's own traces say, and it follows from the cell alone."""

from __future__ import annotations

import dataclasses
import json
import math
import threading
from typing import Any

import numpy as np
import pytest
import torch

from specdemo.decoding import decode_run, recordings
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.recorder import Pass
from specdemo.lab.sweep_cell import Cancelled, measure
from specdemo.lab.sweep_cells import Cell
from specdemo.lab.sweep_texts import Text, expected_calls, kept_by_text
from specdemo.pairs import Pair
from specdemo.pairs.vocabulary import join_pieces
from tests.decoding.graphs import Counting, recording, stay_on_device
from tests.lab.swept import RULES, the_cells, the_pair, the_rows
from tests.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return the_pair()


def trace_of(pair: Pair, cell: Cell, rule: str, rules: list[str]) -> dict[str, Any]:
    """The run of one rule ("plain" is γ = 0), decoded alone."""
    plain = rule == "plain"
    return decode_run(
        pair, cell.text, gamma=0 if plain else cell.gamma, verifier="token" if plain else rule, temperature=cell.temperature,
        seed=cell.seed, stream=cell.stream, max_new_tokens=cell.max_new_tokens, rules=rules,
    )  # fmt: skip


def end_of(pair: Pair, block: dict[str, Any]) -> int:
    """The place of the first end of text among the drafted tokens."""
    tokens = block["paths"][0]["tokens"]
    return next((i for i, token in enumerate(tokens, 1) if token in pair.eos_token_ids), len(tokens) + 1)


def gain(pair: Pair, block: dict[str, Any], rule: str) -> float:
    """E[min(τ + 1, e)] from the law of τ in the trace."""
    law = block["verdicts"][rule]["length_law"]
    return float(sum(p * min(tau + 1, end_of(pair, block)) for tau, p in enumerate(law)))


def test_runs_and_blocks_are_those_of_the_traces(pair: Pair) -> None:
    remembered = 0
    for cell, row in list(zip(the_cells(), the_rows(), strict=True))[::3]:
        statistics = row["statistics"]
        assert list(statistics["runs"]) == ["plain", *RULES]
        for rule, run in statistics["runs"].items():
            trace = trace_of(pair, cell, rule, [])
            blocks = trace["blocks"]
            remembered += sum(block["memory"] is not None for block in blocks)
            assert (run["calls"], run["shown"], run["finish"]) == (
                len(blocks), sum(block["shown_tokens"] for block in blocks), trace["finish"],
            )  # fmt: skip
            assert run["gained"] == sum(min(block["gained"], end_of(pair, block)) for block in blocks)
            total = sum(gain(pair, block, block["verifier"]) for block in blocks)
            assert run["expected"] == pytest.approx(total, abs=1e-9)
        trace = trace_of(pair, cell, "block", list(RULES))
        assert statistics["blocks"]["decoded_by"] == "block" and statistics["blocks"]["count"] == len(trace["blocks"])
        for rule in RULES:
            total = sum(gain(pair, block, rule) for block in trace["blocks"])
            assert statistics["blocks"]["expected"][rule] == pytest.approx(total, abs=1e-9)
        rows = [block["paths"][0]["rows"] for block in trace["blocks"]]
        tv = [sum(block[i]["tv"] for block in rows) for i in range(cell.gamma)]
        assert statistics["blocks"]["positions"]["tv"] == pytest.approx(tv, abs=1e-9)
    assert remembered > 2, "greedy_block never had to remember anything: the test asks nothing of its memory"


def text_of(pair: Pair, cell: Cell) -> tuple[list[int], Text]:
    """Plain decoding's text with the laws along it, from one forward pass of transformers over the whole."""
    trace = trace_of(pair, cell, "plain", [])
    prompt, ids = trace["prompt"]["ids"], [i for block in trace["blocks"] for i in block["committed"]]
    rows = torch.tensor([[*prompt, *ids]])
    laws = LawMaker(Processing(cell.temperature), pair.vocab_size)
    with torch.inference_mode():
        draft, target = (
            laws(model(input_ids=rows).logits[0, len(prompt) - 1 : -1], "draft", 0)
            for model in (pair.draft_model, pair.target_model)
        )
    return prompt, Text(np.array(ids), draft, target, trace["finish"] == "eos", cell.max_new_tokens)


def test_the_text_is_plain_decodings_whatever_gamma_is(pair: Pair) -> None:
    cells, rows = the_cells(), the_rows()
    for cell, row in list(zip(cells, rows, strict=True))[:4]:
        found = row["statistics"]["text"]
        prompt, text = text_of(pair, cell)
        assert (found["tokens"], found["longest"]) == (len(text), 6)
        assert list(found["rules"]) == ["token", "block"], "greedy_block remembers, threshold is not lossless"
        for rule, sums in found["rules"].items():
            calls, gained = expected_calls(kept_by_text(rule, text, 6))
            assert sums["calls"] == pytest.approx(calls, abs=1e-9) and sums["gained"] == pytest.approx(gained, abs=1e-9)
        for place, entropy, acceptance in row["statistics"]["samples"]:
            law = text.target[place]
            assert entropy == pytest.approx(-(law * np.log(law)).sum(), abs=1e-9)
            assert acceptance == pytest.approx(1 - 0.5 * np.abs(law - text.draft[place]).sum(), abs=1e-9)
        distances = 0.5 * np.abs(text.target - text.draft).sum(axis=1)
        worst = row["statistics"]["worst"]
        assert [place["place"] for place in worst] == np.argsort(-distances)[:2].tolist()
        for place in worst:
            at = place["place"]
            pieces = [pair.pieces(i) for i in [*prompt, *text.tokens[:at].tolist()]]
            assert place["before"] == join_pieces(pieces)[-80:]
            assert place["written"]["token"] == text.tokens[at] and place["offered"]["token"] == text.draft[at].argmax()
            assert place["wanted"]["target"] == pytest.approx(text.target[at].max(), abs=1e-9)
            assert place["written"]["draft"] == pytest.approx(text.draft[at, text.tokens[at]], abs=1e-9)
    by_gamma = {
        row["cell"]["gamma"]: row["statistics"]["text"]
        for row in rows
        if row["cell"]["task"] == "cats" and row["cell"]["prompt"] == 0
    }
    assert by_gamma[2] == by_gamma[4]


def test_statistics_follow_from_the_cell_alone(pair: Pair) -> None:
    """Bit for bit: measured again, on models loaded again, after other cells, with and without a warm-up."""
    cell, row = the_cells()[5], the_rows()[5]
    for models, warm in ((pair, False), (tiny_pair(), True)):
        again = measure(models, cell, warm=warm)
        assert json.dumps(again["statistics"]) == json.dumps(row["statistics"])
        assert again["key"] == row["key"] == cell.key


def test_the_row_is_plain_data(pair: Pair) -> None:
    row = the_rows()[0]
    assert json.loads(json.dumps(row, allow_nan=False)) == row
    assert set(row) == {"kind", "key", "cell", "statistics", "timings", "engine"}
    lanes = row["timings"]["lanes"]
    assert list(lanes) == ["plain", *RULES]
    for name, lane in lanes.items():
        run = row["statistics"]["runs"][name]
        assert (lane["calls"], lane["tokens"]) == (run["calls"], run["shown"])
        assert min(lane.values()) >= 0 and lane["target_ms"] > 0
    assert row["timings"]["costs"]["c"] > 0 and math.isfinite(row["timings"]["seconds"])
    assert not any(word in json.dumps(row["statistics"]) for word in ("_ms", "seconds", "load"))


def test_a_text_that_ends_is_counted_to_its_end() -> None:
    """The end of text of the tiny pair made a token that is written soon."""
    cell = the_cells()[0]
    free = tiny_pair(eos=None)
    ids = [i for block in trace_of(free, cell, "plain", [])["blocks"] for i in block["committed"]]
    ending = tiny_pair(eos=ids[4])
    row = measure(ending, cell)
    text = row["statistics"]["text"]
    assert row["statistics"]["runs"]["plain"] == {"calls": 5, "expected": 5.0, "gained": 5, "shown": 5, "finish": "eos"}
    assert (text["tokens"], text["finish"], text["starts"]) == (5, "eos", 5)
    assert text["rules"]["token"]["gained"][0] <= 5 + 1e-9, "no more is gained than there is"


def test_a_text_that_the_context_cut_off_is_counted_as_far_as_whole_blocks_lie_in_it() -> None:
    free = tiny_pair(eos=None)
    cell = dataclasses.replace(the_cells()[0], max_new_tokens=200, rules=("token",))
    text = measure(free, cell)["statistics"]["text"]
    assert (text["finish"], text["longest"]) == ("context", 16) and 16 < text["tokens"] < 200 - 16
    assert text["starts"] == text["tokens"] - 16


def test_no_call_is_seen_whole_in_a_text_shorter_than_a_block(pair: Pair) -> None:
    row = measure(pair, dataclasses.replace(the_cells()[0], max_new_tokens=4, rules=("block",)))
    assert row["statistics"]["text"] is None
    assert list(row["statistics"]["blocks"]["expected"]) == ["token", "block"], "differences to token need no run of it"


def test_other_models_than_the_cells_are_refused(pair: Pair) -> None:
    cell = the_cells()[0]
    other = dataclasses.replace(cell, identity=dataclasses.replace(cell.identity, draft_revision="seed:3"))
    with pytest.raises(RuntimeError, match="the models loaded here are"):
        measure(pair, other)


@pytest.mark.parametrize("after", [0, 3, 30])
def test_a_cell_is_given_up_between_two_calls(pair: Pair, after: int) -> None:
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > after

    with pytest.raises(Cancelled):
        measure(pair, the_cells()[0], stopped)
    assert asked == after + 1


def test_a_long_prompt_keeps_its_end_and_says_so(pair: Pair) -> None:
    row = measure(pair, dataclasses.replace(the_cells()[0], text="the cat sat on the mat " * 20, rules=("token",)))
    assert row["statistics"]["prompt_tokens"] == 96 - 12 - 4 - 1 and "only the last" in row["statistics"]["notice"]


def test_cells_replay_recorded_passes_where_runs_do(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the shapes are more than are kept; each is recorded under the turn, before anything is counted."""
    stay_on_device(monkeypatch)
    monkeypatch.setattr(recordings, "MOST_SHAPES", 2)
    cells = [dataclasses.replace(the_cells()[0], gamma=gamma, max_new_tokens=8) for gamma in (2, 3)]
    expected = [measure(pair, cell)["statistics"]["runs"] for cell in cells]
    turn = threading.Lock()
    recorder = Counting()

    def recorded(made: Pass) -> Pass:
        assert turn.locked()
        return record(made)

    record, recorder.record = recorder.record, recorded  # type: ignore[method-assign]
    with recording(pair.draft_model, pair.target_model, recorder, turn):
        found = [measure(pair, cell, warm=False, turn=turn)["statistics"]["runs"] for cell in cells]
    for own, others in zip(found, expected, strict=True):
        for name, run in own.items():
            assert run == {**others[name], "expected": pytest.approx(others[name]["expected"])}
    assert recorder.recorded == 1 + 3 and recorder.replayed > 50, "the draft's one token, the target's 1, 3 and 4"
