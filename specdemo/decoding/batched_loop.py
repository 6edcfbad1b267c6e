"""One block of speculative decoding for several texts at once: draft, score, verify and commit, as `loop.py` does for one.

Every step of the draft and every call of the target is one pass for all texts; each text is verified by itself, by the same rules, with its
own uniforms, and keeps as many tokens as it keeps. So a text does not depend on what is decoded beside it: where the forward pass gives a row
the same bits in any company (`batched_lean.py`), its blocks are those of `BlockLoop` to the bit, else within what its logits differ by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import torch

from specdemo.arrays import FloatArray
from specdemo.decoding.batched_models import Asked, BatchedModel
from specdemo.decoding.laws import LawMaker, NonFiniteLogits
from specdemo.decoding.loop import Finish, Step, commit
from specdemo.decoding.uniforms import UniformSource
from specdemo.verifiers import Verifier, owner_of
from specdemo.verifiers.sampling import draw


@dataclass(eq=False)
class Text:
    """A text on its way: `ids` begin as the prompt and grow by at most `most` new tokens; γ = 0 is plain decoding.

    `finish` says why it has ended, `index` and `memory` belong to its next block. Texts may differ in all of these settings.
    """

    ids: list[int]
    most: int
    laws: LawMaker
    verifier: Verifier
    uniforms: UniformSource
    gamma: int
    eos_token_ids: frozenset[int]
    index: int = 0
    memory: Any = None
    finish: Finish | None = None
    slot: int | None = field(default=None, repr=False)

    def take(self, step: Step) -> None:
        """Go on by one block."""
        self.ids.extend(step.committed)
        self.most -= len(step.committed)
        self.memory, self.index, self.finish = step.next_memory, self.index + 1, step.finish


class BatchedLoop:
    """Both models with room for `slots` texts; `blocks` decodes a block of each."""

    def __init__(
        self, draft_model: Any, target_model: Any, vocab_size: int, context_limit: int, slots: int, lean: bool = True
    ) -> None:
        if slots < 1:
            raise ValueError(f"a batch must hold at least 1 text, got {slots}")
        self._draft = BatchedModel(draft_model, slots, lean)
        self._target = BatchedModel(target_model, slots, lean)
        self._vocab_size, self._context_limit = vocab_size, context_limit
        self._free = list(range(slots))

    def rounds(self, texts: Iterable[Text]) -> Iterator[list[tuple[Text, Step]]]:
        """A block of every text of the batch, again and again; the next text takes the place of one that has ended."""
        waiting, going = iter(texts), list[Text]()
        while going := [*(text for text in going if not text.finish), *islice(waiting, len(self._free))]:
            yield list(zip(going, self.blocks(going), strict=True))

    @torch.inference_mode()
    def blocks(self, texts: Sequence[Text]) -> list[Step]:
        """Decode one block of each of these texts, none of which has ended. ValueError for more texts than there are slots.

        `seconds` of these steps are empty: a block of many texts takes no time of one text's own. Otherwise as `BlockLoop.block`.
        """
        self._place(texts)
        # What a rule owes to its earlier blocks only that rule can pay, as in BlockLoop.
        rules = [owner_of(text.memory, text.verifier) for text in texts]
        gammas = [max(0, min(text.gamma, self._context_limit - len(text.ids))) for text in texts]
        uniforms = [text.uniforms.draft(text.index, gamma) for text, gamma in zip(texts, gammas, strict=True)]
        drafts = self._drafted(texts, gammas, uniforms)
        beyond = [n for n, text in enumerate(texts) if rules[n].draft_rows_wanted(gammas[n], text.memory) > gammas[n]]
        after = dict(zip(beyond, self._laws("draft", [(texts[n], drafts[n].ids, 1) for n in beyond]), strict=True))
        targets = self._laws(
            "target", [(text, draft.ids, gamma + 1) for text, draft, gamma in zip(texts, drafts, gammas, strict=True)]
        )
        steps = []
        for n, text in enumerate(texts):
            draft, gamma, start = drafts[n], gammas[n], len(text.ids)
            tokens = np.asarray(draft.ids[start:], dtype=np.int64)
            laws = np.concatenate([draft.laws, after[n]]) if n in after else draft.laws
            verify = text.uniforms.verify(text.index, gamma)
            verdict = rules[n].core_plan(tokens, laws, targets[n], text.memory).decide_unchecked(verify)
            committed, finish = commit(
                [*draft.ids[start : start + verdict.accepted], verdict.next_token], text.eos_token_ids, text.most
            )
            if finish is None and start + len(committed) > self._context_limit:
                finish = "context"
            step = Step(
                text.index, start, rules[n].name, text.memory, tokens, draft.laws, targets[n],
                uniforms[n], verify, verdict, committed, finish, {},
            )  # fmt: skip
            text.take(step)
            steps.append(step)
        for text in texts:
            if text.finish:
                self.drop(text)
        return steps

    def drop(self, text: Text) -> None:
        """Free the place of a text that is not gone on with."""
        if text.slot is not None:
            self._draft.forget(text.slot)
            self._target.forget(text.slot)
            self._free.append(text.slot)
            text.slot = None

    def _place(self, texts: Sequence[Text]) -> None:
        fresh = [text for text in texts if text.slot is None]
        if len(fresh) > len(self._free):
            raise ValueError(f"{len(fresh)} texts are new and {len(self._free)} places are free")
        for text in fresh:
            text.slot = self._free.pop()

    def _drafted(self, texts: Sequence[Text], gammas: Sequence[int], uniforms: Sequence[FloatArray]) -> list[_Draft]:
        drafts = [
            _Draft(list(text.ids), np.empty((gamma, self._vocab_size)))
            for text, gamma in zip(texts, gammas, strict=True)
        ]
        for i in range(max(gammas, default=0)):
            going = [n for n, gamma in enumerate(gammas) if gamma > i]
            for n, law in zip(going, self._laws("draft", [(texts[n], drafts[n].ids, 1) for n in going]), strict=True):
                drafts[n].laws[i] = law[0]
                drafts[n].ids.append(draw(drafts[n].laws[i], float(uniforms[n][i])))
        return drafts

    def _laws(self, role: str, asked: Sequence[tuple[Text, list[int], int]]) -> list[FloatArray]:
        """The laws (count, V) of every text, after the last `count` of its ids."""
        if not asked:
            return []
        model = self._draft if role == "draft" else self._target
        slots = [text.slot for text, _, _ in asked]
        logits = model.rows(
            [Asked(slot, ids, count) for slot, (_, ids, count) in zip(slots, asked, strict=True) if slot is not None]
        ).split([count for _, _, count in asked])
        together: dict[LawMaker, list[int]] = {}
        for n, (text, _, _) in enumerate(asked):
            together.setdefault(text.laws, []).append(n)
        found: list[FloatArray] = [np.empty(0)] * len(asked)
        for maker, members in together.items():
            try:
                laws = maker(torch.cat([logits[n] for n in members]), role, 0)
            except NonFiniteLogits:
                for n in members:  # whichever it was says where
                    maker(logits[n], role, len(asked[n][1]) - asked[n][2] + 1)
                raise
            ends = np.cumsum([asked[n][2] for n in members])
            for n, part in zip(members, np.split(laws, ends[:-1]), strict=True):
                found[n] = part
        return found


@dataclass
class _Draft:
    """The text with what is drafted of it so far, and the drafted tokens' laws (γ, V)."""

    ids: list[int]
    laws: FloatArray
