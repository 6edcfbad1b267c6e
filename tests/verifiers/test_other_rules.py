"""The rules beside token, block and greedy block: what they keep, what they emit after a stop, and whether they are lossless."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from specdemo.transport import expected_accepted, output_law
from specdemo.verifiers import get, names
from specdemo.verifiers.lenience import LenienceVerifier
from tests.worlds import KINDS, joint, model_c, random_trees

EXACT = 1e-12
DRAFT = [[0.5, 0.3, 0.2], [0.2, 0.2, 0.6]]
TARGET = [[0.2, 0.3, 0.5], [0.6, 0.2, 0.2], [0.1, 0.1, 0.8]]


def test_order_of_display() -> None:
    assert names() == [
        "token", "block", "greedy_block", "sampled_match", "exact_match", "threshold", "typical", "lenience",
    ]  # fmt: skip


def test_sampled_match() -> None:
    plan = get("sampled_match").plan([1, 0], DRAFT, TARGET)
    assert plan.accept_prob is not None and plan.residual_scale is None
    assert plan.accept_prob.tolist() == pytest.approx([0.3, 0.6], abs=EXACT)
    assert plan.next_law(0).tolist() == pytest.approx([2 / 7, 0, 5 / 7], abs=EXACT)
    assert plan.next_law(2).tolist() == TARGET[2]
    assert expected_accepted("sampled_match", *model_c()) == pytest.approx(0.425, abs=EXACT)
    sure = get("sampled_match").plan([1], [[0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]])
    assert sure.next_law(0).tolist() == [0.0, 1.0]  # a stop of probability 0 still has a law


@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
def test_sampled_match_is_lossless_and_keeps_no_more_than_token(kind: str) -> None:
    draft, target = random_trees(11, 3, 7, kind)
    assert np.abs(output_law("sampled_match", draft, target, 4, 2) - joint(target, 4)).max() < EXACT
    matched, token = (expected_accepted(rule, draft, target, 2) for rule in ("sampled_match", "token"))
    assert matched <= token + EXACT


def test_exact_match() -> None:
    plan = get("exact_match").plan([2, 0], DRAFT, TARGET)
    assert plan.length_law.tolist() == [0, 0, 1]
    assert plan.next_law(2).tolist() == [0, 0, 1]
    stopped = get("exact_match").plan([1, 0], DRAFT, TARGET)
    assert stopped.length_law.tolist() == [1, 0, 0] and stopped.next_law(0).tolist() == [0, 0, 1]
    tie = get("exact_match").plan([0], [[0.5, 0.5]], [[0.5, 0.5], [0.5, 0.5]])
    assert tie.length_law.tolist() == [0, 1] and tie.next_law(1).tolist() == [1, 0]


@pytest.mark.parametrize("rule", ["token", "block", "greedy_block", "sampled_match"])
def test_exact_match_is_every_lossless_rule_at_temperature_0(rule: str) -> None:
    for seed in range(5):
        draft, target = random_trees(seed, 3, 7, "one_hot")
        exact = output_law("exact_match", draft, target, 4, 2)
        assert np.abs(exact - joint(target, 4)).max() < EXACT
        assert expected_accepted("exact_match", draft, target, 2) == expected_accepted(rule, draft, target, 2)


@pytest.mark.parametrize("rule", ["exact_match", "threshold", "typical", "lenience"])
def test_the_lossy_rules_are_the_token_rule_at_temperature_0(rule: str) -> None:
    """A one-hot target, any draft: as docs/rules.md says of the last four of its table."""
    for seed in range(4):
        draft, target = random_trees(seed, 3, 7, "hot_target")
        assert np.abs(output_law(rule, draft, target, 4, 2) - joint(target, 4)).max() < EXACT
        token, own = (expected_accepted(name, draft, target, 2) for name in ("token", rule))
        assert own == pytest.approx(token, abs=EXACT) and 0 < token < 2


def test_threshold() -> None:
    plan = get("threshold").plan([1, 2], DRAFT, TARGET)
    assert plan.length_law.tolist() == [0, 1, 0]  # 0.3 ≥ 0.3 is kept, 0.2 < 0.6 is not
    assert plan.next_law(1).tolist() == TARGET[1]


def test_threshold_errs_in_both_directions() -> None:
    """By hand, D = (.5, .1, .4), T = (.5, .4, .1): .6 is kept and the other .4 drawn from T. The target likes the second token four times
    as well as the draft does, and it comes too rarely."""
    draft, target = (lambda prefix: np.array([0.5, 0.1, 0.4])), (lambda prefix: np.array([0.5, 0.4, 0.1]))
    law = output_law("threshold", draft, target, length=1, gamma=1)
    assert law.tolist() == pytest.approx([0.5 + 0.4 * 0.5, 0.1 + 0.4 * 0.4, 0.4 * 0.1], abs=EXACT)
    assert law.tolist() == pytest.approx([0.70, 0.26, 0.04], abs=EXACT)


def test_lossy_rules_need_not_keep_more() -> None:
    """1{r ≥ 1} ≤ min(1, r): threshold keeps no more than token on any block and any coins. Lenience keeps no less; typical does either."""
    rng = np.random.default_rng(4)
    gaps: dict[str, list[float]] = {"threshold": [], "lenience": [], "typical": []}
    for _ in range(40):
        draft, target = rng.dirichlet(np.ones(3), size=2), rng.dirichlet(np.ones(3), size=3)
        for tokens in product(range(3), repeat=2):
            token = get("token").plan(tokens, draft, target)
            for rule, seen in gaps.items():
                plan = get(rule).plan(tokens, draft, target)
                assert plan.prefix_weight is not None and token.prefix_weight is not None
                seen += (plan.prefix_weight - token.prefix_weight).tolist()
            uniforms = rng.random(3)
            assert get("threshold").verify(tokens, draft, target, uniforms).accepted <= token.decide(uniforms).accepted
    assert max(gaps["threshold"]) == 0 and min(gaps["threshold"]) < -0.5
    assert min(gaps["lenience"]) == 0 and max(gaps["lenience"]) > 0.4
    assert min(gaps["typical"]) < -0.2 and max(gaps["typical"]) > 0.5


def test_which_rules_may_draw_the_rejected_token_again_is_written_down() -> None:
    """docs/rules.md names them, and exact_match as one that never does; it is found by asking the rules."""
    text = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    said = re.search(r"Where Y may equal x_\{τ\+1\} \(([^;]*); never ([^)]*)\)", text)
    assert said is not None
    may, never = (set(re.findall(r"`(\w+)`", part)) for part in said.groups())
    rng, found = np.random.default_rng(1), set()
    for _ in range(60):
        draft, target = rng.dirichlet(np.ones(3), size=1), rng.dirichlet(np.ones(3), size=2)
        for rule, token in product(names(), range(3)):
            plan = get(rule).plan([token], draft, target)
            if plan.length_law[0] > 0 and plan.next_law(0)[token] > 0:
                found.add(rule)
    assert found == may and never == {"exact_match"}


def test_typical() -> None:
    """Bounds min(0.09, 0.3 e^{−H}): a flat law lowers the bar, a sure one leaves it at 0.09."""
    flat = np.full(20, 0.05)
    sure = np.array([0.91, *[0.09 / 19] * 19])
    laws = np.stack([flat, sure, flat])
    plan = get("typical").plan([3, 4], np.stack([flat, flat]), laws)
    assert plan.accept_prob is not None
    assert plan.accept_prob.tolist() == [1, 0]  # 0.05 > 0.3/20 and 0.0047 < 0.09
    assert plan.next_law(0).tolist() == pytest.approx(flat.tolist())
    zero = get("typical").plan([0], [[0.5, 0.5]], [[0.0, 1.0], [1.0, 0.0]])
    assert zero.length_law.tolist() == [1, 0]


def test_lenience() -> None:
    plan = LenienceVerifier(0.5).plan([0, 2], DRAFT, TARGET)
    assert plan.accept_prob is not None
    assert plan.accept_prob.tolist() == pytest.approx([0.8, 2 / 3], abs=EXACT)
    assert plan.next_law(0).tolist() == pytest.approx([0, 0, 1], abs=EXACT)
    strict, token = LenienceVerifier(1.0), get("token")
    draft, target = random_trees(2, 3, 4)
    assert expected_accepted(strict, draft, target, 3) == expected_accepted(token, draft, target, 3)
    for wrong in (0, -1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="lenience must be in"):
            LenienceVerifier(wrong)


@pytest.mark.parametrize("rule", ["exact_match", "threshold", "typical", "lenience"])
def test_the_lossy_rules_are_seen_to_be_lossy(rule: str) -> None:
    assert get(rule).lossless != "always"
    distances = []
    for seed in range(4):
        draft, target = random_trees(seed, 3, 6, "plain")
        law = output_law(rule, draft, target, 2, 2)
        assert law.sum() == pytest.approx(1, abs=EXACT)
        distances.append(float(0.5 * np.abs(law - joint(target, 2)).sum()))
    assert max(distances) > 1e-3


@pytest.mark.parametrize("rule", names())
def test_every_rule_at_the_edges(rule: str) -> None:
    """V = 1, γ = 0, one-hot rows, D = T: every law the plan can show is a law."""
    verifier = get(rule)
    assert verifier.verify([], np.zeros((0, 3)), [[0.2, 0.3, 0.5]], [0.99]).accepted == 0
    assert verifier.verify([0, 0], [[1.0]] * 2, [[1.0]] * 3, [0.0, 0.999, 0.5]).next_token == 0
    hot = np.eye(3)
    for draft, target in ((hot[:2], hot), (hot[[1, 1]], hot), (np.full((2, 3), 1 / 3), np.full((3, 3), 1 / 3))):
        tokens = draft.argmax(axis=1)
        plan = verifier.plan(tokens, draft, target)
        assert plan.length_law.sum() == pytest.approx(1, abs=EXACT)
        for i in range(3):
            assert np.isfinite(plan.next_law(i)).all() and plan.next_law(i).sum() == pytest.approx(1, abs=EXACT)
