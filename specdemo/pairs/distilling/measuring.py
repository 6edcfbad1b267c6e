"""How good a draft is: mean acceptance 1 − TV with the teacher's full law, along the teacher's own answers to prompts written by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from specdemo.pairs.distilling.prompts import Prompt
from specdemo.pairs.distilling.slots import Slots
from specdemo.pairs.distilling.writing import prompt_ids

PROMPTS = Path(__file__).resolve().parents[3] / "assets" / "prompts" / "instruct.txt"
TEMPERATURES = (1.0, 0.5)


@dataclass(frozen=True)
class Answer:
    """One answer: all tokens, how many of them are the prompt's, the temperature it was sampled at."""

    ids: list[int]
    prompt: int
    temperature: float


def held_out_prompts(path: Path = PROMPTS) -> list[str]:
    """The prompts written by hand, one a line."""
    return path.read_text(encoding="utf-8").splitlines()


@torch.inference_mode()
def write_answers(teacher: Any, tokenizer: Any, prompts: list[Prompt], tokens: int, seed: int) -> list[Answer]:
    """What the teacher answers to the prompts, all at once, up to `tokens` tokens each, sampled from its full laws."""
    generator = torch.Generator().manual_seed(seed)
    texts = [prompt_ids(tokenizer, prompt) for prompt in prompts]
    starts = [len(ids) for ids in texts]
    slots = Slots(teacher, len(texts), max(starts) + tokens)
    temperatures = torch.tensor([prompt.temperature for prompt in prompts]).double()
    place, ended = 0, [False] * len(texts)
    while not all(ended):
        places = torch.tensor([min(place, len(ids) - 1) for ids in texts])
        logits = slots.step(torch.tensor([ids[at] for ids, at in zip(texts, places.tolist(), strict=True)]), places)
        laws = torch.softmax(logits.double() / temperatures[:, None], -1)
        drawn = torch.multinomial(laws, 1, generator=generator)[:, 0].tolist()
        place += 1
        for number, ids in enumerate(texts):
            if len(ids) == place and not ended[number]:
                ids.append(drawn[number])
                ended[number] = ids[-1] == tokenizer.eos_token_id or len(ids) == starts[number] + tokens
    return [Answer(ids, start, prompt.temperature) for ids, start, prompt in zip(texts, starts, prompts, strict=True)]


def answers(teacher: Any, tokenizer: Any, prompts: list[str], tokens: int, path: Path) -> list[Answer]:
    """An answer to every prompt at each of TEMPERATURES, kept in the file `path` for the next time."""
    if path.exists():
        return [Answer(**record) for record in json.loads(path.read_text(encoding="utf-8"))]
    asked = [Prompt(text, True, temperature) for temperature in TEMPERATURES for text in prompts]
    found = write_answers(teacher, tokenizer, asked, tokens, seed=0)
    path.write_text(json.dumps([vars(one) for one in found]), encoding="utf-8")
    return found


@torch.inference_mode()
def scores_along(model: Any, given: Answer) -> Tensor:
    """Logits (answer's tokens, V) of the laws that the answer was or would have been drawn from."""
    return model(torch.tensor([given.ids[:-1]])).logits[0, given.prompt - 1 :].float()


@dataclass
class AcceptanceMeter:
    """Keeps the teacher's logits along the answers (float32), so that drafts can be measured again and again."""

    answers: list[Answer]
    teacher_scores: list[Tensor]

    @staticmethod
    def of(teacher: Any, given: list[Answer]) -> AcceptanceMeter:
        """A meter for these answers."""
        return AcceptanceMeter(given, [scores_along(teacher, one) for one in given])

    def measure(self, draft: Any) -> dict[str, float]:
        """Mean of 1 − TV over all positions, by temperature ("T=1", "T=0.5"): each along the answers sampled at it."""
        sums: dict[str, list[float]] = {}
        for one, teacher_scores in zip(self.answers, self.teacher_scores, strict=True):
            scores = scores_along(draft, one)
            law = torch.softmax(scores.double() / one.temperature, -1)
            target = torch.softmax(teacher_scores.double() / one.temperature, -1)
            entry = sums.setdefault(f"T={one.temperature:g}", [0.0, 0.0])
            entry[0] += float(torch.minimum(law, target).sum())
            entry[1] += len(law)
        return {name: overlap / count for name, (overlap, count) in sums.items()}
