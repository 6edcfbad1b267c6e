"""Which assertion finds which wrong part: `LOOP_MUTANTS` maps a mistake to a function that runs the assertion that must fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from specdemo.arrays import FloatArray
from specdemo.decoding.cached import CachedModel
from specdemo.decoding.laws import LawMaker
from specdemo.decoding.loop import BlockLoop
from specdemo.decoding.uniforms import PhiloxUniforms
from specdemo.verifiers import get
from tests import loop_assertions as must
from tests.loop_law import law_distance, stopped_law
from tests.reference import Law, Text, emitted, exact
from tests.tiny import tiny_llama
from tests.toy_models import ToyWorld, plain_logits, three_symbols
from tests.wrong_parts import (
    GREEDY,
    BrokenLogitsPass,
    KeyedByTextPosition,
    LastTokenOnly,
    NeverRollsBack,
    OneTooMany,
    SameForAllBlocks,
    SameForAllPositions,
    SameForBothRoles,
    ShowsAnotherLaw,
    SmallerVocabulary,
    TargetUnprocessed,
    ZeroIsPadding,
    coarse_law,
    commit_ignores_inner_ends,
    commit_without_id_zero,
    raw_law,
    seed_zero_is_no_seed,
)


def _loop(
    world: ToyWorld, drafter: Any = None, laws: LawMaker | None = None, kind: type[BlockLoop] = BlockLoop
) -> BlockLoop:
    right = world.loop("block", 2)
    return kind(
        drafter or right.drafter, right.target, laws or right.laws, get("block"), PhiloxUniforms(0), 2, frozenset(), 64
    )


def _law_of_drafter(shown: Callable[[torch.Tensor], FloatArray], **processing: Any) -> Callable[[], float]:
    def distance() -> float:
        world = three_symbols(**processing)

        def shown_law(text: Text) -> Law:
            return exact(shown(plain_logits(world.draft_model, [*world.prompt, *text])[-1:])[0].tolist())

        law: dict[Text, float] = {}
        for text, mass in emitted("block", world.draft, world.target, (), 2, shown_law).items():
            for more, share in stopped_law(world, 3, frozenset(), text).items():
                law[more] = law.get(more, 0.0) + float(mass) * share
        return law_distance(law, stopped_law(world, 3, frozenset()))

    return distance


def _target_unprocessed() -> float:
    raw, right = three_symbols(), three_symbols(temperature=0.5)
    return law_distance(stopped_law(raw, 3, frozenset()), stopped_law(right, 3, frozenset()))


# The distance of the text's law to the target's, where that is the harm.
LOOP_DISTANCES: dict[str, Callable[[], float]] = {
    "D before the temperature": _law_of_drafter(raw_law, temperature=0.5),
    "D before top-k": _law_of_drafter(raw_law, top_k=2),
    "soft D for an argmax drafter": _law_of_drafter(raw_law, draft_processing=GREEDY),
    "D in another precision": _law_of_drafter(coarse_law),
    "T unprocessed": _target_unprocessed,
}


def _sampled(shown: Callable[[torch.Tensor], FloatArray], **processing: Any) -> Callable[[], None]:
    world = three_symbols(**processing)
    return lambda: must.assert_draft_rows_are_what_was_sampled(lambda w: ShowsAnotherLaw(w, shown), world)


def _cache(kind: type[CachedModel]) -> Callable[[], None]:
    return lambda: must.assert_cache_consistent(kind, tiny_llama(8, seed=3, layers=2))


def _drafter_in_loop(shown: Callable[[torch.Tensor], FloatArray], **processing: Any) -> Callable[[], None]:
    world = three_symbols(**processing)
    return lambda: must.assert_loop_law(lambda w: _loop(w, ShowsAnotherLaw(w, shown)), world, "block")


def _whole_loop(**processing: Any) -> Callable[[], None]:
    world = three_symbols(**processing)
    return lambda: must.assert_loop_law(lambda w: _loop(w, laws=TargetUnprocessed(w.processing, 3)), world, "block")


LOOP_MUTANTS: dict[str, Callable[[], None]] = {
    "cache one token too long after a rejection": _cache(OneTooMany),
    "cache never rolled back": _cache(NeverRollsBack),
    "cache without x_γ after full acceptance": _cache(LastTokenOnly),
    "token id 0 taken for padding": _cache(ZeroIsPadding),
    "D before the temperature, in the loop": _drafter_in_loop(raw_law, temperature=0.5),
    "soft D for an argmax drafter, in the loop": _drafter_in_loop(raw_law, draft_processing=GREEDY),
    "D in another precision, in the loop": _drafter_in_loop(coarse_law),
    "T unprocessed": lambda: must.assert_both_models_are_processed_alike(TargetUnprocessed),
    "T unprocessed, in the loop": _whole_loop(temperature=0.5),
    "mass of the larger vocabulary dropped": lambda: must.assert_laws_have_full_mass(SmallerVocabulary),
    "NaN logits pass": lambda: must.assert_broken_logits_are_refused(BrokenLogitsPass),
    "D before the temperature": _sampled(raw_law, temperature=0.5),
    "D before top-k": _sampled(raw_law, top_k=2),
    "soft D for an argmax drafter": _sampled(raw_law, draft_processing=GREEDY),
    "D in another precision": _sampled(coarse_law),
    "one uniform for all positions": lambda: must.assert_uniforms_are_all_different(SameForAllPositions),
    "the draft's uniforms verify": lambda: must.assert_uniforms_are_all_different(SameForBothRoles),
    "the same uniforms in every block": lambda: must.assert_uniforms_are_all_different(SameForAllBlocks),
    "seed 0 is no seed": lambda: must.assert_seed_zero_repeats(seed_zero_is_no_seed),
    "uniforms by place in the text": lambda: must.assert_loop_uses_every_uniform_once(
        lambda w: _loop(w, kind=KeyedByTextPosition), three_symbols()
    ),
    "end of text inside a block": lambda: must.assert_text_ends_at_its_end(commit_ignores_inner_ends),
    "end-of-text id 0": lambda: must.assert_text_ends_at_its_end(commit_without_id_zero),
}
