"""How tokens look, and when two tokenizers are one."""

from __future__ import annotations

from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from specdemo.pairs import Pair, TokenizersDiffer
from specdemo.pairs.vocabulary import Pieces, check_same_tokenizer, join_pieces
from tests.tiny import tiny_llama, tiny_pair, tiny_tokenizer


def sentencepiece_like() -> Any:
    """A tokenizer as Llama 2's: `▁` for spaces, `<0x..>` for bytes, decoded by Replace and ByteFallback."""
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256)), "▁", "▁the", "▁cat", "s", "é", "▁▁"]
    backend = Tokenizer(models.BPE({t: i for i, t in enumerate(tokens)}, [], unk_token="<unk>", byte_fallback=True))
    backend.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="<unk>", bos_token="<s>", eos_token="</s>")


def test_byte_level_pieces_join_to_the_text() -> None:
    tokenizer = tiny_tokenizer()
    pieces = Pieces(tokenizer)
    for text in (
        "once upon a time",
        " two  spaces\n\ttab",
        "naïve café",
        "🙂 and 👩‍🚀",
        "日本語",
        'quotes " \\ and <|eos| >',
        "\x00\x7f",
    ):
        assert join_pieces([pieces(i) for i in tokenizer(text).input_ids]) == text


def test_a_character_split_over_tokens_is_bytes_until_it_decodes() -> None:
    tokenizer = tiny_tokenizer()
    pieces = Pieces(tokenizer)
    emoji = [pieces(i) for i in tokenizer("🙂").input_ids]
    assert len(emoji) > 1 and all(isinstance(p, dict) and set(p) == {"bytes"} for p in emoji)
    assert "".join(p["bytes"] for p in emoji if isinstance(p, dict)) == "🙂".encode().hex() == "f09f9982"
    assert join_pieces(emoji) == "🙂"
    assert join_pieces(emoji[:-1]) == "\ufffd", "bytes that never become a character are shown, not dropped"


def test_every_byte_of_the_alphabet_has_its_own_piece() -> None:
    tokenizer = tiny_tokenizer()
    pieces = Pieces(tokenizer)
    found = {}
    for token_id in range(2, 258):
        piece = pieces(token_id)
        raw = piece.encode() if isinstance(piece, str) else bytes.fromhex(piece["bytes"])
        found[raw] = token_id
    assert sorted(found) == [bytes([b]) for b in range(256)]


def test_special_tokens_are_named_and_not_text() -> None:
    pieces = Pieces(tiny_tokenizer())
    assert pieces(0) == {"special": "<|bos|>"} and pieces(1) == {"special": "<|eos|>"}
    assert join_pieces([{"special": "<|bos|>"}, "a"]) == "<|bos|>a"


def test_ids_of_the_padding_are_special_pieces() -> None:
    pieces = Pieces(tiny_tokenizer())
    assert pieces(300) == {"special": "<300>"} and pieces(50_000) == {"special": "<50000>"}


def test_added_tokens_are_plain_text() -> None:
    """They are stored as they are, not in the byte alphabet, in which é is another byte and Ġ a space."""
    tokenizer = tiny_tokenizer()
    tokenizer.add_tokens(["<tool>", "éé", "ĠĠx", "a b"])
    tokenizer.add_special_tokens({"additional_special_tokens": [AddedToken("<|turn|>", special=True)]})
    pieces = Pieces(tokenizer)
    ids = tokenizer.convert_tokens_to_ids(["<tool>", "éé", "ĠĠx", "a b", "<|turn|>"])
    assert [pieces(i) for i in ids] == ["<tool>", "éé", "ĠĠx", "a b", {"special": "<|turn|>"}]


def test_sentencepiece_pieces() -> None:
    tokenizer = sentencepiece_like()
    pieces = Pieces(tokenizer)
    ids = tokenizer.convert_tokens_to_ids(["▁the", "▁cat", "s", "▁", "é", "▁▁"])
    assert [pieces(i) for i in ids] == [" the", " cat", "s", " ", "é", "  "]
    emoji = tokenizer.convert_tokens_to_ids(["<0xF0>", "<0x9F>", "<0x99>", "<0x82>"])
    assert [pieces(i) for i in emoji] == [{"bytes": "f0"}, {"bytes": "9f"}, {"bytes": "99"}, {"bytes": "82"}]
    assert join_pieces([pieces(i) for i in emoji]) == "🙂"
    assert pieces(tokenizer.convert_tokens_to_ids("<0x0A>")) == "\n"
    assert pieces(1) == {"special": "<s>"}


def test_a_table_is_sorted_and_has_strings_for_keys() -> None:
    pieces = Pieces(tiny_tokenizer())
    assert list(pieces.table([5, 3, 300, 3])) == ["3", "5", "300"]


def test_a_tokenizer_that_raises_for_unknown_ids_has_none() -> None:
    class Bare:
        """A tokenizer outside the tokenizers library."""

        all_special_ids = (0,)

        def convert_ids_to_tokens(self, token_id: int) -> str:
            return ["<s>", "▁word"][token_id]

    pieces = Pieces(Bare())
    assert [pieces(i) for i in range(3)] == [{"special": "<s>"}, " word", {"special": "<2>"}]


def test_one_tokenizer_is_itself() -> None:
    check_same_tokenizer(tiny_tokenizer(), tiny_tokenizer())


def test_the_first_difference_is_shown() -> None:
    mine, theirs = tiny_tokenizer(), tiny_tokenizer(290)
    with pytest.raises(
        TokenizersDiffer, match=r"id 290 is '.+' for the draft and nothing for the target \(300 and 290 tokens\)"
    ):
        check_same_tokenizer(mine, theirs)
    with pytest.raises(TokenizersDiffer, match=r"id 290 is nothing for the draft and '.+' for the target"):
        check_same_tokenizer(theirs, mine)
    other = sentencepiece_like()
    with pytest.raises(TokenizersDiffer, match=r"id 0 is '<\|bos\|>' for the draft and '<unk>' for the target"):
        check_same_tokenizer(mine, other)
    assert issubclass(TokenizersDiffer, ValueError)


def test_swapped_tokens_are_a_difference() -> None:
    vocabulary = {"a": 0, "b": 1, "c": 2}
    swapped = {"a": 0, "b": 2, "c": 1}

    def of(tokens: dict[str, int]) -> Any:
        backend = Tokenizer(models.WordLevel(tokens, unk_token="a"))
        backend.pre_tokenizer = pre_tokenizers.Whitespace()
        return PreTrainedTokenizerFast(tokenizer_object=backend)

    with pytest.raises(TokenizersDiffer, match=r"id 1 is 'b' for the draft and 'c' for the target"):
        check_same_tokenizer(of(vocabulary), of(swapped))


def test_a_pair_of_two_tokenizers_is_refused() -> None:
    models_of_pair = tiny_llama(300, seed=1), tiny_llama(300, seed=2)
    with pytest.raises(TokenizersDiffer, match=r"choose a draft made for this target"):
        Pair.from_models(*models_of_pair, tiny_tokenizer(), draft_tokenizer=sentencepiece_like())


def test_different_padding_of_one_tokenizer_is_no_difference() -> None:
    pair = Pair.from_models(
        tiny_llama(320, seed=1), tiny_llama(304, seed=2), tiny_tokenizer(), draft_tokenizer=tiny_tokenizer()
    )
    assert pair.vocab_size == 320


def test_a_special_token_typed_in_a_prompt_is_text() -> None:
    pair = tiny_pair()
    ids = pair.encode("a<|eos|>b").ids
    assert pair.tokenizer.eos_token_id not in ids
    assert join_pieces([pair.pieces(i) for i in ids]) == "a<|eos|>b"
