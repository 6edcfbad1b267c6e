"""One message in a tokenizer's chat template, as ids: the template's special tokens are special, what a person types is text.

The template is rendered by transformers itself, in jinja's sandbox. A message is data of that template, never part of its code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

# How a prompt is read: as a text to go on with, or as a message of the user in a chat template.
PromptMode = Literal["text", "chat"]
PROMPT_MODES: tuple[PromptMode, ...] = get_args(PromptMode)

# Found again in the rendered text, so it must be nothing that a template writes itself, or that one could strip or change.
_STAND_IN = "standinforthemessage"


@dataclass(frozen=True)
class ChatPrompt:
    """The ids of a template around a message. `message` is the range first … end − 1 of the ids that hold the message, None where a
    tokenizer cannot tell; an id with letters of both belongs to the message."""

    ids: list[int]
    message: tuple[int, int] | None


def has_chat_template(tokenizer: Any) -> bool:
    """Whether the tokenizer has a chat template to use where none is named."""
    template = getattr(tokenizer, "chat_template", None)
    return "default" in template if isinstance(template, dict) else bool(template)


class ChatTemplate:
    """A tokenizer's chat template for a single message of the user, followed by the template's beginning of the answer."""

    def __init__(self, tokenizer: Any) -> None:
        """Raises ValueError where the template fails, or does not hold the message exactly once."""
        self._tokenizer = tokenizer
        self._special_ids = set(tokenizer.all_special_ids)
        self._names = set(tokenizer.all_special_tokens)
        for token_id, token in getattr(tokenizer, "added_tokens_decoder", {}).items():
            if token.special:
                self._special_ids.add(token_id)
                self._names.add(str(token))
        head, *rest = self._render(_STAND_IN).split(_STAND_IN)
        if len(rest) != 1:
            raise ValueError(
                f"this tokenizer's chat template holds the message {len(rest)} times: use plain continuation"
            )
        self._head, self._tail = head, rest[0]
        self._own_specials = self._specials(self._read(self._head + _STAND_IN + self._tail, as_text=False)[0])

    def encode(self, message: str) -> ChatPrompt:
        """The ids that the tokenizer's own `apply_chat_template` gives, except that no special token can come from the message.

        Raises ValueError where the template makes something else of this message, or a tokenizer reads a special token all the same.
        """
        text = self._render(message)
        stop = len(text) - len(self._tail)
        if not (text.startswith(self._head) and text.endswith(self._tail) and stop >= len(self._head)):
            raise ValueError("this tokenizer's chat template changes with the message: use plain continuation")
        ids, places = self._read(text, as_text=False)
        if self._holds_special(text[len(self._head) : stop]) or self._specials(ids) != self._own_specials:
            ids, places = self._read_apart(text, stop)
            if self._specials(ids) != self._own_specials:
                raise ValueError("this tokenizer reads a special token out of the message: use plain continuation")
        return ChatPrompt(ids, self._range(places, stop))

    def encode_end(self, message: str, most: int) -> tuple[ChatPrompt, str]:
        """The longest end of the message with which prompt and template have at most `most` ids, and that end.

        Raises ValueError where nothing of the message fits beside the template.
        """
        cut = _least(len(message), lambda cut: len(self.encode(message[cut:]).ids) <= most)
        if cut is None or (message and cut == len(message)):
            needed = len(self.encode("").ids)
            raise ValueError(
                f"the chat template alone takes {needed} of the {most} tokens that this pair can read here: allow fewer new tokens, "
                "or use plain continuation"
            )
        return self.encode(message[cut:]), message[cut:]

    def _render(self, message: str) -> str:
        from jinja2 import TemplateError

        try:
            rendered: str = self._tokenizer.apply_chat_template(
                [{"role": "user", "content": message}], tokenize=False, add_generation_prompt=True
            )
        except TemplateError as error:
            raise ValueError(f"this tokenizer's chat template fails ({error}): use plain continuation") from error
        return rendered

    def _read_apart(self, text: str, stop: int) -> tuple[list[int], list[tuple[int, int]]]:
        """The template's text up to its last special token before the message, what lies between as text, and the rest."""
        begin = max((self._head.rfind(name) + len(name) for name in self._names if name in self._head), default=0)
        end = stop + min((self._tail.find(name) for name in self._names if name in self._tail), default=len(self._tail))
        ids: list[int] = []
        places: list[tuple[int, int]] = []
        for start, part, as_text in (
            (0, text[:begin], False),
            (begin, text[begin:end], True),
            (end, text[end:], False),
        ):
            found, offsets = self._read(part, as_text=as_text)
            ids += found
            places += [(start + first, start + last) for first, last in offsets]
        return ids, places

    def _read(self, text: str, *, as_text: bool) -> tuple[list[int], list[tuple[int, int]]]:
        """Ids, and for each the characters of the text it stands for (no entries where the tokenizer does not say)."""
        known = bool(getattr(self._tokenizer, "is_fast", False))
        found = self._tokenizer(
            text,
            add_special_tokens=False,
            split_special_tokens=as_text,
            verbose=False,  # a text that is too long is cut, with a notice
            **({"return_offsets_mapping": True} if known else {}),
        )
        return [int(i) for i in found.input_ids], [tuple(p) for p in found.offset_mapping] if known else []

    def _range(self, places: list[tuple[int, int]], stop: int) -> tuple[int, int] | None:
        if not places:
            return None
        first = next((i for i, (_, end) in enumerate(places) if end > len(self._head)), len(places))
        after = next((i for i, (start, _) in enumerate(reversed(places)) if start < stop), len(places))
        return first, max(first, len(places) - after)

    def _holds_special(self, message: str) -> bool:
        return any(name in message for name in self._names)

    def _specials(self, ids: list[int]) -> list[int]:
        return [i for i in ids if i in self._special_ids]


def _least(most: int, fits: Callable[[int], bool]) -> int | None:
    """The least x in 0 … `most` with fits(x), where fits(x) stays true from some x on; None where not even `most` fits."""
    if not fits(most):
        return None
    low, high = -1, most  # fits(high), and not fits(low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high
