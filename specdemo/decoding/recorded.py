"""`decode`: speculative decoding that shows its work, one BlockRecord a block; `decode_run`: the whole trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, TypedDict

from specdemo.decoding.laws import Processing
from specdemo.decoding.limits import checked_gamma, checked_new_tokens, end_of_text_ids
from specdemo.decoding.loop import BlockLoop
from specdemo.decoding.plain import build_loop
from specdemo.decoding.uniforms import PhiloxUniforms, UniformSource
from specdemo.pairs.chat import PromptMode
from specdemo.pairs.pair import EncodedPrompt, Pair
from specdemo.trace import DEFAULT_RULES, BlockRecord, RunState, block_record, made_with, run_head, whole_run
from specdemo.verifiers import Verifier, get, owner_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class DecodeSettings(TypedDict, total=False):
    """The settings of `decode`, all optional."""

    gamma: int
    verifier: str | Verifier
    temperature: float
    top_k: int
    top_p: float
    seed: int
    max_new_tokens: int
    eos_token_id: int | Iterable[int] | None
    prompt_mode: PromptMode
    resume: RunState | None
    uniforms: UniformSource | None
    rules: Sequence[str]
    stream: int


class Decoding:
    """One run: `head` is the trace without blocks, iterating decodes the blocks one by one.

    All settings are checked here, before the first block; see `decode` for what they mean.
    """

    def __init__(
        self,
        pair: Pair,
        prompt: str,
        *,
        gamma: int = 4,
        verifier: str | Verifier = "block",
        temperature: float = 1.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        max_new_tokens: int = 64,
        eos_token_id: int | Iterable[int] | None = None,
        prompt_mode: PromptMode = "text",
        resume: RunState | None = None,
        uniforms: UniformSource | None = None,
        rules: Sequence[str] = DEFAULT_RULES,
        stream: int = 0,
    ) -> None:
        rule = get(verifier)
        processing = Processing(temperature, top_k, top_p)
        self._max_new_tokens = checked_new_tokens(max_new_tokens)
        self._pair = pair
        self._rules = tuple(rules)
        for name in self._rules:
            if name != rule.name:
                get(name)
        block_length = checked_gamma(gamma)
        settings: dict[str, Any] = {
            "verifier": rule.name, "gamma": block_length, **asdict(processing),
            "seed": int(seed), "stream": int(stream), "max_new_tokens": self._max_new_tokens, "prompt_mode": prompt_mode,
        }  # fmt: skip
        eos_token_ids = end_of_text_ids(pair.target_model, eos_token_id)
        if eos_token_id is not None:
            settings["eos_token_ids"] = sorted(eos_token_ids)
        encoded = pair.encode(prompt, room=min(self._max_new_tokens, pair.context_limit // 2), mode=prompt_mode)
        if resume is not None:
            resume.check(pair.vocab_size, pair.context_limit)
            owner_of(resume.memory, rule)
            read = list(resume.ids[: resume.prompt_length])
            encoded = EncodedPrompt(prompt, read, encoded.notice, encoded.message if read == encoded.ids else None)
        self.head = run_head(pair, encoded, settings, rules)
        start = resume or RunState(tuple(encoded.ids), len(encoded.ids), digest=self.head["head_digest"])
        start.check_made_with(here := made_with(self.head))
        self._state = replace(start, made_with=here)
        self._loop: BlockLoop = build_loop(
            pair.draft_model, pair.target_model, pair.vocab_size, rule, block_length, processing,
            PhiloxUniforms(seed, stream) if uniforms is None else uniforms, eos_token_ids, pair.context_limit,
        )  # fmt: skip

    def nbytes(self) -> int:
        """Bytes of what the models have cached for this run."""
        return self._loop.nbytes()

    def __iter__(self) -> Iterator[BlockRecord]:
        state = self._state
        ids = list(state.ids)
        end = state.prompt_length + self._max_new_tokens
        if len(state.ids) > state.prompt_length and state.ids[-1] in self._loop.eos_token_ids:
            return  # resumed where the text has ended
        while len(state.ids) < end and len(state.ids) <= self._pair.context_limit:
            # The step goes at once: a run that stands here for minutes would hold all its laws.
            record = block_record(
                self._loop.block(ids, state.block, state.memory, end - len(state.ids)),
                self._rules, self._pair.pieces, state,
            )  # fmt: skip
            state = record.state
            ids += record.committed
            yield record
            if record.finish:
                return


def decode(pair: Pair, prompt: str, **settings: Unpack[DecodeSettings]) -> Iterator[BlockRecord]:
    """Decode `prompt` block by block and show the work: one BlockRecord a block, as it is made.

    Settings: `gamma` (0–64 drafted tokens a block), `verifier` (a name or a Verifier), `temperature` (0 is greedy), `top_k` (0 off), `top_p`
    (1 off), `seed`, `max_new_tokens`, `eos_token_id` (None: the model's own), `prompt_mode` ("text" goes on with the prompt, "chat" answers it
    as a user's message in the tokenizer's chat template), `resume` (a RunState: go on from there), `uniforms` (another source of uniforms),
    `rules` (whose verdicts every block carries), `stream` (the prompt's number in a batch of runs).
    Raises ValueError before the first block if a setting is wrong. Sources: Leviathan et al. Alg. 1, Sun et al. Alg. 2.
    """
    return iter(Decoding(pair, prompt, **settings))


def decode_run(pair: Pair, prompt: str, **settings: Unpack[DecodeSettings]) -> dict[str, Any]:
    """The whole trace of a run, as one JSON-able object; settings as in `decode`."""
    run = Decoding(pair, prompt, **settings)
    return whole_run(run.head, run)
