"""The teacher answers prompts, a batch of them at a time, and every law it samples from becomes a label in the same pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from specdemo.pairs.distilling.labels import ShardWriter, Text, top_of
from specdemo.pairs.distilling.prompts import Prompt
from specdemo.pairs.distilling.slots import Slots

# An instruction that has not ended by then is given up: the teacher lost its thread.
_LONGEST_INSTRUCTION = 80
_INSTRUCTION_TEMPERATURE = 0.8


@dataclass
class _Slot:
    text: Text
    place: int  # of the token that is fed next
    asking: bool = False  # whether the teacher still writes the user's turn


class AnswerWriter:
    """Keeps `slots` texts going; `prompt_of(number)` gives prompt number 0, 1, 2 …

    Of a prompt that is only begun, in the chat template, the teacher writes the user's turn, too: what it was tuned
    on it also asks for, far more varied than templates (Xu et al., Magpie, 2024). Only the answer is labelled.
    """

    def __init__(
        self, model: Any, tokenizer: Any, prompt_of: Callable[[int], Prompt], slots: int, length: int, seed: int
    ) -> None:
        self.tokenizer, self.prompt_of = tokenizer, prompt_of
        self.model = Slots(model, slots, length)
        self.ends = {int(tokenizer.eos_token_id), *_ids(model.generation_config.eos_token_id)}
        self.chance = np.random.default_rng(seed)
        self.number = 0
        self.shared = _shared_beginning(tokenizer)
        self.prefix = self.model.prefix(self.shared) if self.shared else None
        self.turn_end = _turn_end(tokenizer)

    def _begin(self, slot: int) -> _Slot:
        prompt = self.prompt_of(self.number)
        self.number += 1
        asking = prompt.begun
        tokens = self._opening(prompt) if asking else prompt_ids(self.tokenizer, prompt)[: self.model.length // 2]
        known = self.prefix if tokens[: len(self.shared)] == self.shared else None
        # Of a known beginning the last token is fed once more: its law is the first that is wanted.
        place = min(self.model.begin(slot, known), len(tokens) - 1)
        return _Slot(Text(tokens, len(tokens), prompt.temperature), place, asking)

    def _opening(self, prompt: Prompt) -> list[int]:
        """The user's turn as far as it is given."""
        given = self.tokenizer(prompt.text, add_special_tokens=False).input_ids if prompt.text else []
        return self.shared + list(given)[: self.model.length // 4]

    def run(self, writer: ShardWriter, go_on: Callable[[], bool], report: Callable[[int, float], None]) -> None:
        """Write shards until `go_on()` is false, then what is there, unfinished texts too; `report(labels, seconds)` after each shard."""
        self.number = writer.number * 100_000
        running = [self._begin(slot) for slot in range(self.model.slots)]
        labels, since = 0, time.monotonic()
        while go_on():
            ids = torch.tensor([slot.text.tokens[slot.place] for slot in running])
            logits = self.model.step(ids, torch.tensor([slot.place for slot in running]))
            for slot in running:
                slot.place += 1
            due = [number for number, slot in enumerate(running) if slot.place == len(slot.text.tokens)]
            if not due:
                continue
            labels += sum(not running[number].asking for number in due)
            self._extend([running[number] for number in due], logits if len(due) == len(running) else logits[due])
            for number in due:
                text = running[number].text
                if running[number].asking:
                    if not self._asked(running[number]):
                        running[number] = self._begin(number)
                elif text.tokens[-1] in self.ends or len(text.tokens) >= self.model.length:
                    if writer.add(text):
                        report(labels, time.monotonic() - since)
                        labels, since = 0, time.monotonic()
                    running[number] = self._begin(number)
        for slot in running:
            if not slot.asking:
                writer.add(slot.text)
        writer.flush()

    def _asked(self, slot: _Slot) -> bool:
        """Once the user's turn has ended, let the answer begin; whether the slot's text is worth going on with."""
        text = slot.text
        written = len(text.tokens) - len(self.shared)
        if text.tokens[-1] not in self.ends:
            return written < min(_LONGEST_INSTRUCTION, self.model.length // 2 - len(self.turn_end))
        if written < 2:
            return False
        text.tokens[-1:] = self.turn_end
        text.prompt, slot.asking = len(text.tokens), False
        return True

    def _extend(self, slots: list[_Slot], logits: Tensor) -> None:
        """Label the texts' last places, but not the user's, and draw their next tokens."""
        top, logs, rests = top_of(logits)
        ids, values = top.numpy(), logs.numpy()
        for row, slot in enumerate(slots):
            text = slot.text
            if slot.asking:
                text.tokens.append(self._draw(ids[row], values[row], _INSTRUCTION_TEMPERATURE, logits[row]))
                continue
            text.ids.append(ids[row].astype(np.uint16))
            text.logs.append(values[row].astype(np.float16))
            text.rests.append(float(rests[row]))
            text.tokens.append(self._draw(ids[row], values[row], text.temperature, logits[row]))

    def _draw(self, ids: Any, logs: Any, temperature: float, logits: Tensor) -> int:
        """One token from the law at that temperature: from its top entries, or, at temperature 1, from the rest when the uniform falls there."""
        mass = np.exp(logs.astype(np.float64) / temperature)
        total = 1.0 if temperature == 1.0 else float(mass.sum())
        reached = np.searchsorted(np.cumsum(mass), self.chance.random() * total, side="right")
        if reached < len(ids):
            return int(ids[reached])
        rest = torch.softmax(logits.double(), -1)
        rest[torch.from_numpy(ids.astype(np.int64))] = 0.0
        sums = rest.cumsum(-1)
        return int(
            torch.searchsorted(sums, float(sums[-1]) * self.chance.random(), right=True).clamp(max=len(sums) - 1)
        )


def prompt_ids(tokenizer: Any, prompt: Prompt) -> list[int]:
    """The tokens that the teacher reads before its first own one."""
    if not prompt.chat:
        return list(tokenizer(prompt.text).input_ids)
    message = [{"role": "user", "content": prompt.text}]
    return list(tokenizer.apply_chat_template(message, add_generation_prompt=True, return_dict=True).input_ids)


def _shared_beginning(tokenizer: Any) -> list[int]:
    """The tokens that every prompt in the chat template begins with (the system message)."""
    if tokenizer.chat_template is None:
        return []
    one, other = (prompt_ids(tokenizer, Prompt(text, True, 1.0)) for text in ("Hello", "Why?"))
    differ = [a != b for a, b in zip(one, other, strict=False)]
    return one[: differ.index(True)]


def _turn_end(tokenizer: Any) -> list[int]:
    """The tokens between the user's last word and the answer's first: the end of the turn and the answer's opening."""
    if tokenizer.chat_template is None:
        return []
    one, other = (prompt_ids(tokenizer, Prompt(text, True, 1.0)) for text in ("Hello", "Why?"))
    same = [a == b for a, b in zip(reversed(one), reversed(other), strict=False)]
    return one[len(one) - same.index(False) :]


def _ids(ids: int | list[int] | None) -> list[int]:
    return [] if ids is None else [ids] if isinstance(ids, int) else list(ids)
