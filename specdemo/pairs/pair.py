"""A pair: a draft and a target model that share one tokenizer, on one device, ready to decode."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specdemo.pairs.vocabulary import Pieces, check_same_tokenizer

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class EncodedPrompt:
    """A prompt as the models read it. `notice` says in a sentence what was changed, or is None."""

    text: str
    ids: list[int]
    notice: str | None = None


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
        """A pair from loaded models. TokenizersDiffer if `draft_tokenizer` is given and is another one."""
        from specdemo.decoding.limits import context_limit_of, end_of_text_ids

        if draft_tokenizer is not None:
            check_same_tokenizer(draft_tokenizer, tokenizer)
        sizes = [int(m.get_output_embeddings().weight.shape[0]) for m in (draft_model, target_model)]
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
        """A pair from two plain transformers folders; see `specdemo.pairs.load_pair` for `device` and `dtype`."""
        from specdemo.pairs.loading import load_folders

        return load_folders(Path(draft_dir), Path(target_dir), device=device, dtype=dtype)

    @property
    def device(self) -> torch.device:
        """Where the models are."""
        device: torch.device = self.target_model.device
        return device

    @property
    def dtype(self) -> str:
        """The element type of the target's weights, e.g. "float32"."""
        return str(self.target_model.dtype).removeprefix("torch.")

    def encode(self, prompt: str, *, room: int = 0) -> EncodedPrompt:
        """The prompt's ids. An empty prompt is the BOS token alone; one that leaves no `room` for new tokens keeps its end, with a notice.

        Raises ValueError for an empty prompt where the tokenizer has no BOS or EOS token to start from, and for a token the target lacks.
        """
        if not isinstance(prompt, str):
            raise ValueError(f"the prompt must be a text, got {type(prompt).__name__}")
        try:
            prompt.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(
                f"the prompt is not valid text: at character {error.start} stands half a character (a lone surrogate)"
            ) from None
        # What a person types is text: `<|eos|>` in a prompt is seven characters, not the end of the text.
        ids = [int(i) for i in self.tokenizer(prompt, split_special_tokens=True).input_ids]
        notice = None
        if not ids:
            start = (
                self.tokenizer.bos_token_id if self.tokenizer.bos_token_id is not None else self.tokenizer.eos_token_id
            )
            if start is None:
                raise ValueError("the prompt is empty and this tokenizer has no token to start from: type a first word")
            ids = [int(start)]
            notice = "The prompt is empty: the text starts from the beginning-of-text token."
        known = int(self.target_model.get_input_embeddings().weight.shape[0])
        if max(ids) >= known:
            unknown = self.tokenizer.convert_ids_to_tokens(max(ids))
            raise ValueError(
                f"the prompt holds the token {unknown!r} (id {max(ids)}), which the target model does not know: it has {known} tokens"
            )
        most = max(1, self.context_limit - room)
        if len(ids) > most:
            notice = (
                f"The prompt has {len(ids)} tokens; with room for {self.context_limit - most} new ones this pair can read {most}: "
                f"only the last {most} are used."
            )
            ids = ids[-most:]
        return EncodedPrompt(prompt, ids, notice)
