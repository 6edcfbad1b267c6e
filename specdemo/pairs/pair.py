"""A pair: a draft and a target model that share one tokenizer, on one device, ready to decode."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specdemo.locks import ForkSafeLock
from specdemo.pairs import registry
from specdemo.pairs.chat import PROMPT_MODES, ChatTemplate, has_chat_template
from specdemo.pairs.chat import PromptMode as PromptMode
from specdemo.pairs.vocabulary import Pieces, check_same_tokenizer

if TYPE_CHECKING:
    import torch

# A tokenizer of the tokenizers library keeps whether special tokens are text as a setting of its own, which another thread may change.
_reading = ForkSafeLock()


@dataclass(frozen=True)
class EncodedPrompt:
    """A prompt as the models read it. `notice` says in a sentence what was changed, or is None; `message`, in mode "chat" alone, is the
    range first … end − 1 of the ids that hold what was typed, the others being the template's."""

    text: str
    ids: list[int]
    notice: str | None = None
    message: tuple[int, int] | None = None


@dataclass(frozen=True)
class Pair:
    """Two causal language models of transformers and their tokenizer.

    `vocab_size` is the larger of both models' (padded) vocabularies, `context_limit` the number of tokens both can read.
    Revisions name the exact weights: a commit hash for hub models, a content hash for folders.
    """

    name: str
    title: str
    draft_name: str
    draft_model: Any
    target_model: Any
    tokenizer: Any
    draft_revision: str
    target_revision: str
    vocab_size: int
    context_limit: int
    eos_token_ids: frozenset[int]
    pieces: Pieces

    @classmethod
    def from_models(
        cls,
        draft_model: Any,
        target_model: Any,
        tokenizer: Any,
        *,
        draft_tokenizer: Any = None,
        name: str = "custom",
        title: str = "",
        draft_name: str = "draft",
        draft_revision: str = "unknown",
        target_revision: str = "unknown",
    ) -> Pair:
        """A pair from loaded models. TokenizersDiffer if `draft_tokenizer` is given and is another one, CannotStepBack for a model with a state."""
        from specdemo.decoding.forward import check_models
        from specdemo.decoding.limits import context_limit_of, end_of_text_ids, vocabulary_size_of

        check_models(draft_model, target_model)
        if draft_tokenizer is not None:
            check_same_tokenizer(draft_tokenizer, tokenizer)
        sizes = [vocabulary_size_of(model) for model in (draft_model, target_model)]
        return cls(
            name=name,
            title=title or name,
            draft_name=draft_name,
            draft_model=draft_model.eval(),
            target_model=target_model.eval(),
            tokenizer=tokenizer,
            draft_revision=draft_revision,
            target_revision=target_revision,
            vocab_size=max(sizes),
            context_limit=context_limit_of(draft_model, target_model),
            eos_token_ids=end_of_text_ids(target_model),
            pieces=Pieces(tokenizer),
        )

    @classmethod
    def from_folders(
        cls, draft_dir: str | Path, target_dir: str | Path, *, device: str = "auto", dtype: str = "auto"
    ) -> Pair:
        """A pair from two plain transformers folders; see `specdemo.load_pair`, which takes them too, for `device` and `dtype`."""
        from specdemo.pairs.loading import load_folders

        return load_folders(Path(draft_dir), Path(target_dir), device=device, dtype=dtype)

    @property
    def device(self) -> torch.device:
        """Where the models are, or (a target over several devices) where it takes its ids."""
        from specdemo.pairs.spread import device_of

        return device_of(self.target_model)

    @property
    def dtype(self) -> str:
        """The element type of the target's weights, e.g. "float32"."""
        return str(self.target_model.dtype).removeprefix("torch.")

    def encode(self, prompt: str, *, room: int = 0, mode: PromptMode = "text") -> EncodedPrompt:
        """The prompt's ids: as a text to go on with, or (mode "chat") as a user's message in the tokenizer's chat template.

        What is typed is text, special tokens in it too. A prompt that leaves no `room` for new tokens keeps its end, with a notice; the
        template stays whole. An empty text is the BOS token alone. Raises ValueError for another mode, for "chat" where the tokenizer has no
        chat template or the template alone is too long, for an empty text where there is no BOS or EOS token to start from, and for a token
        the target lacks.
        """
        if mode not in PROMPT_MODES:
            raise ValueError(f'prompt_mode must be "text" or "chat", got {mode!r}')
        _check_text(prompt)
        most = max(1, self.context_limit - room)
        with _one_prompt(self.tokenizer):
            encoded = self._encode_text(prompt, most) if mode == "text" else self._encode_chat(prompt, most)
        self._check_known(encoded.ids)
        return encoded

    def _encode_text(self, prompt: str, most: int) -> EncodedPrompt:
        # What a person types is text: `<|eos|>` in a prompt is seven characters, not the end of the text.
        ids = [int(i) for i in self.tokenizer(prompt, split_special_tokens=True, verbose=False).input_ids]
        notice = None
        if not ids:
            start = (
                self.tokenizer.bos_token_id if self.tokenizer.bos_token_id is not None else self.tokenizer.eos_token_id
            )
            if start is None:
                raise ValueError("the prompt is empty and this tokenizer has no token to start from: type a first word")
            ids = [int(start)]
            notice = "The prompt is empty: the text starts from the beginning-of-text token."
        if len(ids) > most:
            notice = f"{self._too_long(len(ids), most)} only the last {most} are used."
            ids = ids[-most:]
        return EncodedPrompt(prompt, ids, notice)

    def _encode_chat(self, prompt: str, most: int) -> EncodedPrompt:
        if not has_chat_template(self.tokenizer):
            able = ", ".join(entry.name for entry in registry.entries() if "chat" in entry.prompt_modes)
            raise ValueError(
                f"the tokenizer of the pair {self.title!r} has no chat template, so its models take no instructions: use plain continuation"
                + (f", or a pair with one ({able})" if able else "")
            )
        template = ChatTemplate(self.tokenizer)
        whole = template.encode(prompt)
        if len(whole.ids) <= most:
            return EncodedPrompt(prompt, whole.ids, None, whole.message)
        kept, end = template.encode_end(prompt, most)
        notice = f"{self._too_long(len(whole.ids), most)} of the message only the last {len(end)} characters are used."
        return EncodedPrompt(prompt, kept.ids, notice, kept.message)

    def _too_long(self, count: int, most: int) -> str:
        return f"The prompt has {count} tokens; with room for {self.context_limit - most} new ones this pair can read {most}:"

    def _check_known(self, ids: list[int]) -> None:
        known = int(self.target_model.get_input_embeddings().weight.shape[0])
        if max(ids) >= known:
            unknown = self.tokenizer.convert_ids_to_tokens(max(ids))
            raise ValueError(
                f"the prompt holds the token {unknown!r} (id {max(ids)}), which the target model does not know: it has {known} tokens"
            )


def _one_prompt(tokenizer: Any) -> AbstractContextManager[Any]:
    own: Callable[[], AbstractContextManager[Any]] | None = getattr(tokenizer, "one_prompt", None)
    return _reading if own is None else own()


def _check_text(prompt: str) -> None:
    if not isinstance(prompt, str):
        raise ValueError(f"the prompt must be a text, got {type(prompt).__name__}")
    try:
        prompt.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the prompt is not valid text: at character {error.start} stands half a character (a lone surrogate)"
        ) from None
