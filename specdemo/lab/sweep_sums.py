"""The statistics of a cell: what is summed up of its plain decoding and of each rule's run, whoever decodes them and however many at once.

What plain decoding says depends on neither γ nor the rules' runs, so that whoever measures statistics alone may share it between cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from specdemo.decoding.cached import CachedModel
from specdemo.decoding.laws import LawMaker, Processing
from specdemo.decoding.loop import Step
from specdemo.lab.lane_names import PLAIN
from specdemo.lab.sweep_blocks import BlockSums, RunSums, decoding_rule
from specdemo.lab.sweep_cells import TOKEN, Cell, PairIdentity, canonical
from specdemo.lab.sweep_places import places
from specdemo.lab.sweep_texts import Text, call_starts, longest_gamma, suited, text_calls
from specdemo.pairs.pair import EncodedPrompt, Pair


def check_identity(pair: Pair, cell: Cell) -> None:
    """RuntimeError where the models are not those of the cell."""
    if PairIdentity.of(pair) != cell.identity:
        raise RuntimeError(f"the models loaded here are {PairIdentity.of(pair)}, the cell is for {cell.identity}")


def prompt_of(pair: Pair, cell: Cell) -> EncodedPrompt:
    """The cell's prompt with room for its text; ValueError where the models cannot read it."""
    room = min(cell.max_new_tokens + cell.gamma + 1, pair.context_limit // 2)
    return pair.encode(cell.text, room=room, mode=cell.mode)


@dataclass(frozen=True)
class PlainSums:
    """What a cell's statistics say of plain decoding and its text."""

    run: dict[str, Any]
    text: dict[str, Any] | None
    places: dict[str, Any]


class PlainRun:
    """Plain decoding of a cell's prompt; `key` is the same for cells of which it says the same."""

    def __init__(self, pair: Pair, cell: Cell, encoded: EncodedPrompt) -> None:
        self._pair, self._cell, self._encoded = pair, cell, encoded
        self._evaluated = evaluated_rules(cell)
        self._longest = longest_gamma(cell.gamma, cell.max_new_tokens)
        self._run = RunSums(pair.eos_token_ids)
        self._written: list[Step] = []

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that its sums depend on."""
        cell = self._cell
        return (
            cell.identity, tuple(self._encoded.ids), cell.temperature, cell.top_k, cell.top_p, cell.seed, cell.stream, cell.max_new_tokens,
            self._longest, self._evaluated,
        )  # fmt: skip

    def add(self, step: Step) -> None:
        """Take in a token."""
        self._run.add(step)
        self._written.append(step)

    def sums(self) -> PlainSums:
        """The sums over the whole run; one pass of the draft."""
        text = self._text()
        return PlainSums(self._run.to_json(), self._text_sums(text), places(self._pair, self._encoded.ids, text))

    def _text(self) -> Text:
        """The text with both models' laws along it: T those it was drawn from, D in one pass over the whole."""
        cell, written = self._cell, self._written
        tokens = [token for step in written for token in step.committed]
        laws = LawMaker(Processing(cell.temperature, cell.top_k, cell.top_p), self._pair.vocab_size)
        ids = [*self._encoded.ids, *tokens]
        logits = CachedModel(self._pair.draft_model).rows(ids[:-1], len(tokens))
        return Text(
            np.asarray(tokens, dtype=np.int64),
            laws(logits, "draft", len(self._encoded.ids)),
            np.concatenate([step.target for step in written]),
            written[-1].finish == "eos",
            cell.max_new_tokens,
        )

    def _text_sums(self, text: Text) -> dict[str, Any] | None:
        if not self._longest:
            return None
        rules = [rule for rule in self._evaluated if suited(rule, self._cell.temperature)]
        return {
            "tokens": len(text),
            "finish": self._run.finish,
            "starts": call_starts(text, self._longest),
            "longest": self._longest,
            "rules": text_calls(rules, text, self._longest),
        }


class RuleSums:
    """The runs of a cell's rules, and the blocks of one of them that all rules are asked about."""

    def __init__(self, pair: Pair, cell: Cell) -> None:
        self._runs = {name: RunSums(pair.eos_token_ids) for name in cell.rules}
        decoded_by = decoding_rule(cell.rules, cell.temperature)
        self._blocks = BlockSums(decoded_by, evaluated_rules(cell), cell.gamma, pair.eos_token_ids)

    def add(self, rule: str, step: Step) -> None:
        """Take in a block of a rule's run."""
        self._runs[rule].add(step)
        if rule == self._blocks.decoded_by:
            self._blocks.add(step)

    def statistics(self, encoded: EncodedPrompt, plain: PlainSums) -> dict[str, Any]:
        """The `statistics` of the cell's row (docs/lab.md)."""
        return {
            "prompt_tokens": len(encoded.ids),
            "notice": encoded.notice,
            "runs": {PLAIN: plain.run, **{name: sums.to_json() for name, sums in self._runs.items()}},
            "blocks": self._blocks.to_json(),
            "text": plain.text,
            **plain.places,
        }


def evaluated_rules(cell: Cell) -> tuple[str, ...]:
    """The rules that every block is asked about: the cell's, and token."""
    return canonical({*cell.rules, TOKEN})  # type: ignore[arg-type]
