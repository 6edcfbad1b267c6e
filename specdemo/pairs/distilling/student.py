"""The student: a small Llama whose tables start from the teacher's embedding.

While it is trained a table is T·P + Δ: the teacher's embedding T (V, width of the teacher), a projection P that starts at T's leading
principal axes, and a correction Δ. What is learned about a few tokens moves P and so helps every token; Δ learns what P cannot say.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

from specdemo.pairs.distilling.batches import mask_of
from specdemo.pairs.distilling.recipe import DistillingRecipe
from specdemo.pairs.training.network import EPSILON, ROPE_THETA, Network


class Table(nn.Module):
    """A (V, width) table T·P + Δ."""

    def __init__(self, teacher: Tensor, projection: Tensor) -> None:
        super().__init__()
        self.register_buffer("teacher", teacher, persistent=False)
        self.projection = nn.Parameter(projection.clone())
        self.correction = nn.Parameter(torch.zeros(teacher.shape[0], projection.shape[1]))

    def forward(self, rows: Tensor | None = None) -> Tensor:
        """The table, or these rows of it, in float32."""
        teacher = self.teacher if rows is None else self.teacher[rows]
        correction = self.correction if rows is None else nn.functional.embedding(rows, self.correction)
        return (teacher @ self.projection.to(teacher.dtype)).float() + correction


class Student(nn.Module):
    """Layers of `Network`, an input table and (the same when tied) an output table."""

    def __init__(self, recipe: DistillingRecipe, teacher_embedding: Tensor) -> None:
        super().__init__()
        torch.manual_seed(recipe.seed)
        self.recipe = recipe
        self.network = Network(recipe.size, 1, recipe.row_length)
        del self.network.embed_tokens
        axes = principal_axes(teacher_embedding.float(), recipe.size.width)
        embedding = teacher_embedding.to(torch.bfloat16)
        self.input = Table(embedding, axes)
        self.output = self.input if recipe.tied else Table(embedding, axes)
        with torch.no_grad():
            # Otherwise the first guess would be the token just read, surely.
            self.network.norm.weight.fill_(0.2)

    def hidden(self, ids: Tensor, texts: Tensor, places: Tensor) -> Tensor:
        """(n, width): what the output table is multiplied with, at the given flat places of a batch."""
        network = self.network
        used, numbers = torch.unique(ids, return_inverse=True)
        x = nn.functional.embedding(numbers, self.input(used))
        mask = mask_of(texts)
        length = ids.shape[1]
        for layer in network.layers:
            x = network._through(layer, x, network.cosine[:length], network.sine[:length], mask)
        return network.norm(x.flatten(0, 1)[places])


def principal_axes(embedding: Tensor, width: int) -> Tensor:
    """(teacher's width, width): the axes that keep most of the embedding's squared length."""
    values, vectors = torch.linalg.eigh(embedding.T @ embedding)
    return vectors[:, values.argsort(descending=True)[:width]]


def to_llama(student: Student, teacher_config: LlamaConfig) -> LlamaForCausalLM:
    """The student as a plain `LlamaForCausalLM` in float32, with the teacher's special tokens; ValueError if a weight has no place there."""
    recipe, size = student.recipe, student.recipe.size
    config = LlamaConfig(
        vocab_size=student.input.correction.shape[0],
        hidden_size=size.width,
        intermediate_size=size.feed_forward,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.heads,
        max_position_embeddings=recipe.context,
        rms_norm_eps=EPSILON,
        rope_parameters={"rope_type": "default", "rope_theta": ROPE_THETA},
        tie_word_embeddings=recipe.tied,
        bos_token_id=teacher_config.bos_token_id,
        eos_token_id=teacher_config.eos_token_id,
        pad_token_id=teacher_config.pad_token_id,
    )
    weights = {f"model.{name}": value.detach().clone() for name, value in student.network.named_parameters()}
    weights["model.embed_tokens.weight"] = student.input().detach()
    if not recipe.tied:
        weights["lm_head.weight"] = student.output().detach()
    model = LlamaForCausalLM(config)
    missing, unexpected = model.load_state_dict(weights, strict=False)
    if unexpected or set(missing) - {"lm_head.weight"}:
        raise ValueError(f"weights do not fit: missing {missing}, unexpected {unexpected}")
    model.tie_weights()
    model.generation_config = GenerationConfig(
        bos_token_id=teacher_config.bos_token_id, eos_token_id=teacher_config.eos_token_id, do_sample=True
    )
    return model.eval()
