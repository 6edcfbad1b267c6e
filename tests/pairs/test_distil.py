"""Distilling a draft, in miniature: batches, the divergence against autograd, learning, interruption, the exported folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("matplotlib")

from transformers import AutoModelForCausalLM  # noqa: E402

from specdemo import decode  # noqa: E402
from specdemo.pairs import Pair, distil  # noqa: E402
from specdemo.pairs.distilling import exporting, training  # noqa: E402
from specdemo.pairs.distilling.batches import LabelSet, mask_of  # noqa: E402
from specdemo.pairs.distilling.card import _beginning, _loss_words  # noqa: E402
from specdemo.pairs.distilling.divergence import divergence  # noqa: E402
from specdemo.pairs.distilling.labels import ShardWriter, top_of  # noqa: E402
from specdemo.pairs.distilling.measuring import AcceptanceMeter, answers  # noqa: E402
from specdemo.pairs.distilling.recipe import DistillingRecipe  # noqa: E402
from specdemo.pairs.distilling.student import Student, to_llama  # noqa: E402
from specdemo.pairs.distilling.training import Distilling  # noqa: E402
from specdemo.pairs.distilling.writing import AnswerWriter  # noqa: E402
from specdemo.pairs.training.recipe import ModelSize  # noqa: E402
from specdemo.pairs.training.stages import Stopped  # noqa: E402
from tests.pairs.tiny_teacher import save_tiny_teacher, short_prompt, tiny_teacher  # noqa: E402

TINY = DistillingRecipe(
    size=ModelSize(1, 16, 2, 32),
    context=128,
    row_length=48,
    rows=4,
    chunk=32,
    negatives=150,
    held_out=8,
    table_rate=1e-2,
)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A work folder with two shards of labels and the teacher's own folder."""
    folder = tmp_path_factory.mktemp("distil")
    model, tokenizer = tiny_teacher()
    writer = ShardWriter(folder / "labels", "a", 1200)
    maker = AnswerWriter(model, tokenizer, short_prompt, slots=16, length=40, seed=1)
    written: list[int] = []
    maker.run(writer, lambda: len(written) < 2, lambda labels, seconds: written.append(labels))
    save_tiny_teacher(folder / "teacher")
    return folder


def new_student(recipe: DistillingRecipe = TINY) -> Student:
    return Student(recipe, tiny_teacher()[0].get_input_embeddings().weight.detach())


def test_a_pass_reads_every_text_once_with_its_own_labels(work: Path) -> None:
    labels = LabelSet(work / "labels", TINY.held_out)
    model, _ = tiny_teacher()
    seen = 0
    read: list[tuple[int, ...]] = []
    for batch in labels.epoch(TINY.rows, TINY.row_length, seed=3):
        law = torch.zeros(TINY.rows * TINY.row_length, 300)
        for row, (ids, texts) in enumerate(zip(batch.ids, batch.texts, strict=True)):
            for text in range(int(texts.max()) + 1):
                where = (texts == text).nonzero()[:, 0]
                read.append(tuple(ids[where].tolist()))
                with torch.inference_mode():
                    law[row * TINY.row_length + where] = torch.softmax(model(ids[where][None]).logits[0], -1)
        masses = law[batch.places].gather(1, batch.top_ids)
        assert torch.allclose(masses, batch.top_logs.exp(), atol=0.01)
        assert torch.allclose(1 - masses.sum(1), batch.rests.exp(), atol=0.01)
        seen += len(batch.places)
    training, held_out = labels.texts(), labels.texts(held_out=True)
    assert len(training) + len(held_out) == sum(len(shard.lengths) for shard in labels.shards)
    assert (
        len(read) <= len(training) < len(read) + 20 and seen > 0.8 * labels.count() * 7 / 8
    )  # the last rows fill no batch
    first = next(labels.epoch(TINY.rows, TINY.row_length, seed=3))
    again = next(labels.epoch(TINY.rows, TINY.row_length, seed=3))
    other = next(labels.epoch(TINY.rows, TINY.row_length, seed=4))
    assert torch.equal(first.ids, again.ids) and not torch.equal(first.ids, other.ids)


def test_texts_in_a_row_do_not_see_each_other(work: Path) -> None:
    labels = LabelSet(work / "labels", TINY.held_out)
    batch = next(labels.epoch(TINY.rows, TINY.row_length, seed=0))
    student = new_student()
    with torch.no_grad():
        for parameter in student.network.parameters():
            if parameter.ndim == 2:
                torch.nn.init.normal_(parameter, std=0.3)
    llama = to_llama(student, tiny_teacher()[0].config)
    everywhere = torch.arange(batch.ids.numel())
    with torch.inference_mode():
        scores = student.hidden(batch.ids, batch.texts, everywhere) @ student.output().T
        shared = 0
        for row, texts in enumerate(batch.texts):
            for text in range(int(texts.max()) + 1):
                where = (texts == text).nonzero()[:, 0]
                alone = llama(batch.ids[row][where][None]).logits[0]
                assert torch.allclose(scores[row * TINY.row_length + where], alone, atol=2e-4)
                shared += text
    assert shared > 0
    assert torch.isfinite(mask_of(batch.texts).amax(-1)).all()  # no place looks at nothing, not even an empty one


@pytest.mark.parametrize(("weight", "cold"), [(0.0, 0.0), (0.7, 0.0), (0.7, 1.3)])
def test_divergence_equals_autograd(weight: float, cold: float) -> None:
    torch.manual_seed(0)
    ids, logs, rests = top_of(torch.randn(40, 300) * 2, 20)
    hidden = torch.randn(40, 16, requires_grad=True)
    table = (torch.randn(300, 16) * 0.5).requires_grad_()
    loss, kl, overlap = divergence(hidden, table, (ids, logs, rests), torch.randperm(300), 300, 16, weight, cold)
    loss.backward()
    found = [hidden.grad.clone(), table.grad.clone()]
    hidden.grad = table.grad = None
    top = (hidden @ table.T).softmax(-1).gather(1, ids)
    rest = 1 - top.sum(-1)
    expected_kl = (logs.exp() * (logs - top.log())).sum(-1) + rests.exp() * (rests - rest.log())
    expected_overlap = torch.minimum(logs.exp(), top).sum(-1) + torch.minimum(rests.exp(), rest)
    cold_law = (2 * hidden @ table.T).softmax(-1).gather(1, ids)
    cold_teacher = (2 * logs).softmax(-1)
    distance = (cold_teacher - cold_law).clamp(min=0).sum(-1)
    loss_of_autograd = (expected_kl + weight * (1 - expected_overlap) + cold * distance).mean()
    loss_of_autograd.backward()
    assert loss.item() == pytest.approx(loss_of_autograd.item(), rel=3e-3)
    assert kl.item() == pytest.approx(expected_kl.mean().item(), rel=3e-3)
    assert overlap.item() == pytest.approx(expected_overlap.mean().item(), abs=3e-3)
    for gradient, leaf in zip(found, (hidden, table), strict=True):
        assert (gradient - leaf.grad).norm() < 0.01 * leaf.grad.norm()


def test_few_negatives_stand_for_all_others() -> None:
    torch.manual_seed(1)
    ids, logs, rests = top_of(torch.randn(30, 2000) * 2, 8)
    hidden, table = torch.randn(30, 16), torch.randn(2000, 16) * 0.4
    whole = divergence(hidden, table, (ids, logs, rests), torch.arange(2000), 2000, 30)[1]
    estimates = [
        float(divergence(hidden, table, (ids, logs, rests), torch.randperm(2000)[:400], 2000, 30)[1]) for _ in range(40)
    ]
    assert np.mean(estimates) == pytest.approx(float(whole), rel=0.02)


def test_few_negatives_stand_for_all_others_at_half_the_temperature() -> None:
    torch.manual_seed(3)
    hidden, table = torch.randn(30, 16), torch.randn(2000, 16) * 0.25
    ids, logs, rests = top_of(hidden @ table.T + torch.randn(30, 2000) * 0.3, 8)  # near enough that the others count

    def distance(negatives: Any) -> float:
        given = (hidden, table, (ids, logs, rests), negatives, 2000, 30)
        return float(divergence(*given, 0.0, 1.0)[0] - divergence(*given)[0])

    whole = distance(torch.arange(2000))
    assert 0.5 < whole < 0.9
    assert np.mean([distance(torch.randperm(2000)[:400]) for _ in range(20)]) == pytest.approx(whole, rel=0.01)


def test_total_variations_are_added_from_their_time_on(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = replace(TINY, total_variation=0.7, cold_total_variation=1.3, total_variation_from=0.5)
    labels = LabelSet(work / "labels", recipe.held_out)
    run = Distilling(tmp_path / "run.pt", recipe, new_student(recipe), labels, 60)
    weights: list[tuple[float, ...]] = []

    def watched(*given: Any) -> Any:
        weights.append(given[6:])
        return divergence(*given)

    monkeypatch.setattr(training, "divergence", watched)
    batch = next(labels.epoch(recipe.rows, recipe.row_length, seed=9))
    for fraction in (0.1, 0.49, 0.5, 0.9):
        run.step(batch, fraction)
    assert weights == [(0.0, 0.0)] * 2 + [(0.7, 1.3)] * 2


def test_the_card_tells_what_was_learned_from() -> None:
    assert _loss_words(TINY) == "forward KL" and _beginning(TINY) == ""
    warm = replace(TINY, total_variation=0.7)
    assert _loss_words(warm) == "forward KL, from 50% of the time on with 0.7 × total variation added"
    assert _loss_words(replace(warm, cold_total_variation=1.3)).endswith(
        "0.7 × total variation and 1.3 × that of the laws at temperature 1/2 added"
    )
    assert "the run “first”" in _beginning(replace(TINY, begun_from="first"))


def test_a_run_begins_with_the_weights_of_another(work: Path, tmp_path: Path) -> None:
    labels = LabelSet(work / "labels", TINY.held_out)
    first = Distilling(tmp_path / "first.pt", TINY, new_student(), labels, 60)
    first.step(next(labels.epoch(TINY.rows, TINY.row_length, seed=9)), 0.1)
    first.save()
    second = Distilling(
        tmp_path / "second.pt",
        DistillingRecipe(**{**vars(TINY), "seed": 8, "begun_from": "first"}),
        new_student(),
        labels,
        60,
    )
    assert second.step_number == 0
    for old, new in zip(first.student.parameters(), second.student.parameters(), strict=True):
        assert torch.equal(old, new)


@pytest.mark.parametrize("tied", [True, False])
def test_the_student_learns_stops_and_goes_on(work: Path, tmp_path: Path, tied: bool) -> None:
    recipe = DistillingRecipe(**{**vars(TINY), "tied": tied})
    teacher, tokenizer = tiny_teacher()
    given = answers(teacher, tokenizer, ["cat", "a hat"], 12, tmp_path / "answers.json")
    assert given == answers(teacher, tokenizer, [], 0, tmp_path / "answers.json")  # read again, not written anew
    meter = AcceptanceMeter.of(teacher, given)
    assert meter.measure(teacher) == pytest.approx({"T=1": 1.0, "T=0.5": 1.0})

    def begin(minutes: float) -> Distilling:
        labels = LabelSet(work / "labels", recipe.held_out)
        return Distilling(tmp_path / "run.pt", recipe, new_student(recipe), labels, 60 * minutes)

    run = begin(1.0)
    before = meter.measure(to_llama(run.student, teacher.config))
    batch = next(run.labels.epoch(recipe.rows, recipe.row_length, seed=9))
    losses = [float(run.step(batch, 0.1)[0]) for _ in range(40)]
    assert losses[-1] < 0.8 * losses[0]
    run._on_signal()
    with pytest.raises(Stopped):
        run.run(lambda student: {})
    resumed = begin(0.05)
    for old, new in zip(run.student.parameters(), resumed.student.parameters(), strict=True):
        assert torch.equal(old, new)
    resumed.clock.budget = resumed.clock.elapsed + 1.5
    resumed.run(lambda student: meter.measure(to_llama(student, teacher.config)))
    assert resumed.step_number > 0 and resumed.labels_read > 0
    assert resumed.measured[-1]["T=1"] > before["T=1"] + 0.05
    record = torch.load(tmp_path / "run.pt", weights_only=False)
    assert record["step"] == resumed.step_number and record["measured"] == resumed.measured


def test_the_command_exports_a_draft_that_drafts(
    work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "FILE_LIMIT", 9_000)  # the embedding's file is larger: eight bits
    TINY.save(work / "draft.json")
    command = [
        "--work",
        str(work),
        "--teacher-folder",
        str(work / "teacher"),
        "--minutes",
        "0.03",
        "--no-compile",
        "--processor-time",
    ]
    assert distil.main([*command, "--prompts", "2", "--tokens", "8"]) == 0
    printed = capsys.readouterr().out
    assert "1-TV T=1 " in printed and "1-TV T=0.5 " in printed
    out = work / "export-draft"
    card = (out / "README.md").read_text(encoding="utf-8")
    assert all(f"## {part}" in card for part in ("Labels", "Recipe", "Acceptance", "Limits"))
    assert 1_000 < (out / "curves.png").stat().st_size < 200_000
    model = AutoModelForCausalLM.from_pretrained(out)
    assert type(model).__name__ == "LlamaForCausalLM" and model.dtype == torch.float16
    assert model.get_input_embeddings().weight is model.get_output_embeddings().weight
    student = new_student()
    student.load_state_dict(torch.load(work / "draft.pt", weights_only=False)["student"], strict=False)
    ids = torch.tensor([[5, 80, 13, 40, 222, 9]])
    with torch.inference_mode():
        expected = torch.softmax(to_llama(student, tiny_teacher()[0].config)(ids).logits, -1)
        overlap = torch.minimum(torch.softmax(model.float()(ids).logits, -1), expected).sum(-1)
    assert overlap.min() > 0.95 and overlap.max() < 1 - 1e-6  # close, and not the same: eight bits
    pair = Pair.from_folders(out, work / "teacher", dtype="float32")
    blocks = list(decode(pair, "the cat", gamma=3, max_new_tokens=12, eos_token_id=[]))
    assert len(blocks) >= 3
    assert distil.main([*command, "--prompts", "2", "--tokens", "8", "--export-only"]) == 0


def test_rescaling_changes_no_law() -> None:
    for tied in (True, False):
        llama = to_llama(new_student(DistillingRecipe(**{**vars(TINY), "tied": tied})), tiny_teacher()[0].config)
        with torch.no_grad():
            for name, parameter in llama.named_parameters():
                if name.endswith("_proj.weight"):
                    torch.nn.init.normal_(parameter, std=0.2)
        ids = torch.tensor([[5, 80, 13, 40]])
        with torch.inference_mode():
            before = torch.softmax(llama(ids).logits, -1)
            exporting.rescale_tables(llama)
            assert torch.allclose(torch.softmax(llama(ids).logits, -1), before, atol=1e-4)
        assert float(llama.model.embed_tokens.weight.detach().std()) == pytest.approx(1.0)
