"""What stands on the page, against laws computed here from the models' raw logits: no cache, no trace, no line of the package's formulas.

The engine is asked only which tokens were drafted and which uniforms were drawn; every probability, weight, coin, sum and cell is
recomputed in float64 with plain numpy and compared with the full-precision values that the page's nodes carry.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from specdemo.arrays import FloatArray
from specdemo.decoding import decode_run
from tests.tiny import tiny_pair

pytestmark = pytest.mark.browser

PROMPT, GAMMA, SEED, BLOCKS = "the cat", 3, 5, 3
# The trace carries shown probabilities with eight significant digits.
SHOWN = 6e-8

VALUES = """() => [...document.querySelectorAll('#page-step [data-path]')]
  .filter((node) => node.closest('svg') || node.offsetParent)
  .map((node) => [node.getAttribute('data-path'), Number(node.getAttribute('data-value'))])"""
CELLS = """() => [...document.querySelectorAll('#page-step .pic-cell')].map((cell) =>
  [cell.getAttribute('data-token-id'), cell.querySelector('rect[data-kind]').getAttribute('data-kind'),
   [...cell.querySelectorAll('rect[data-kind]')].reduce((sum, rect) => sum + Number(rect.getAttribute('data-value')), 0)])"""


class Recomputed:
    """One block's numbers under one rule, from raw logits."""

    def __init__(self, pair: Any, context: list[int], tokens: list[int], rule: str) -> None:
        self.tokens, self.rule = tokens, rule
        self.draft = self._laws(pair.draft_model, context, tokens)[: len(tokens)]
        self.target = self._laws(pair.target_model, context, tokens)
        self.ratio = np.array([self.target[i, x] / self.draft[i, x] for i, x in enumerate(tokens)])
        weight, coins = [1.0], []
        for i in range(len(tokens)):
            weight.append(
                min(1.0, weight[-1] * self.ratio[i]) if rule == "block" else weight[-1] * min(1.0, self.ratio[i])
            )
        for i in range(1, len(tokens) + 1):
            if rule == "token":
                coins.append(min(1.0, self.ratio[i - 1]))
            elif i == len(tokens):
                coins.append(weight[i])
            else:
                gain = np.clip(weight[i] * self.target[i] - self.draft[i], 0, None).sum()
                coins.append(gain / (gain + 1 - weight[i]))
        self.weight, self.coins = np.array(weight), np.array(coins)
        self.scale = self.weight if rule == "block" else np.ones(len(tokens) + 1)
        self.lengths = self._length_law()

    @staticmethod
    def _laws(model: Any, context: list[int], tokens: list[int]) -> FloatArray:
        with torch.no_grad():
            logits = model(torch.tensor([[*context, *tokens]]), use_cache=False).logits[0, len(context) - 1 :].numpy()
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        laws: FloatArray = raised / raised.sum(axis=1, keepdims=True)
        return laws

    def _length_law(self) -> FloatArray:
        law, left = np.zeros(len(self.tokens) + 1), 1.0
        if self.rule == "token":
            for i, coin in enumerate(self.coins):
                law[i], left = left * (1 - coin), left * coin
            law[-1] = left
        else:
            for i in range(len(self.tokens), 0, -1):
                law[i], left = left * self.coins[i - 1], left * (1 - self.coins[i - 1])
            law[0] = left
        return law

    def numbers(self, k: int, shown: list[list[int]]) -> dict[str, float]:
        """Pointer → value, for all numbers of block k that follow from the laws. `shown` are the ids each row lists."""
        at: dict[str, float] = {}
        verdict, path = f"/blocks/{k}/verdicts/{self.rule}", f"/blocks/{k}/paths/0/rows"
        for i, token in enumerate(self.tokens):
            draft, target = self.draft[i], self.target[i]
            at[f"{path}/{i}/draft"], at[f"{path}/{i}/target"] = draft[token], target[token]
            at[f"{path}/{i}/ratio"], at[f"{path}/{i}/tv"] = self.ratio[i], np.abs(draft - target).sum() / 2
            at[f"{verdict}/accept_prob/{i}"] = self.coins[i]
            scaled = self.scale[i] * target
            parts = {
                "overlap": np.minimum(draft, scaled),
                "residual": np.clip(scaled - draft, 0, None),
                "excess": np.clip(draft - scaled, 0, None),
            }
            others = np.setdiff1d(np.arange(len(draft)), shown[i])
            for name, part in parts.items():
                at[f"{verdict}/rows/{i}/{name}"] = part.sum()
                at[f"{verdict}/rows/{i}/rest_{name}"] = part[others].sum()
            at[f"{path}/{i}/rest/draft"], at[f"{path}/{i}/rest/target"] = draft[others].sum(), target[others].sum()
            for j, v in enumerate(shown[i]):
                at[f"{path}/{i}/shown/draft/{j}"], at[f"{path}/{i}/shown/target/{j}"] = draft[v], target[v]
        for i, (weight, chance) in enumerate(zip(self.weight, self.lengths, strict=True)):
            at[f"{verdict}/prefix_weight/{i}"], at[f"{verdict}/length_law/{i}"] = weight, chance
            at[f"{verdict}/residual_scale/{i}"] = self.scale[i]
        at[f"{verdict}/expected_accepted"] = float(self.lengths @ np.arange(len(self.lengths)))
        return at

    def coupling(self, i: int) -> tuple[FloatArray, FloatArray]:
        """The joint mass (V, V) of drafted and emitted token at row i, and what is stopped at an earlier prefix (V,)."""
        draft, scaled = self.draft[i], self.scale[i] * self.target[i]
        residual, excess = np.clip(scaled - draft, 0, None), np.clip(draft - scaled, 0, None)
        coin = 1.0 if self.rule == "token" or i == 0 else self.coins[i - 1]
        moved = (
            coin * np.outer(excess, residual) / residual.sum()
            if residual.sum() > 0
            else np.zeros((len(draft), len(draft)))
        )
        return np.diag(np.minimum(draft, scaled)) + moved, (1 - coin) * excess


@pytest.mark.parametrize("rule", ["token", "block"])
def test_every_number_follows_from_the_models(app: Any, open_tab: Any, rule: str) -> None:
    pair = tiny_pair(context=640, eos=None)
    trace = decode_run(pair, PROMPT, gamma=GAMMA, verifier=rule, seed=SEED, max_new_tokens=40)
    page = open_tab(app).page
    page.select_option("#pair", "tiny")
    page.select_option("#verifier", rule)
    for field, content in {"prompt": PROMPT, "gamma": str(GAMMA), "seed": str(SEED), "max-tokens": "40"}.items():
        page.fill(f"#{field}", content)
    page.click("#restart")
    root = page.locator(".specdemo-root")
    page.wait_for_selector('.specdemo-root[data-state="ready"][data-block="0"]')

    context, compared, couplings = list(trace["prompt"]["ids"]), set(), 0
    for k in range(BLOCKS):
        while root.get_attribute("data-block") != str(k) or root.get_attribute("data-phase") != "commit":
            page.click("#step")
            page.wait_for_selector('.specdemo-root[data-state="ready"]')
        block = trace["blocks"][k]
        own = Recomputed(pair, context, block["paths"][0]["tokens"], rule)
        shown = [row["shown"]["ids"] for row in block["paths"][0]["rows"]]
        right = own.numbers(k, shown)
        right |= {f"/blocks/{k}/uniforms/verify/{i}": eta for i, eta in enumerate(block["uniforms"]["verify"])}
        for i in range(GAMMA):
            choose_position(page, i)
            for pointer, stands in page.evaluate(VALUES):
                if pointer in right:
                    assert stands == pytest.approx(right[pointer], rel=SHOWN, abs=1e-11), pointer
                    compared.add(pointer.split("/", 3)[3] if pointer.count("/") > 2 else pointer)
            couplings += compare_matrix(page, own, i)
        context += block["committed"]
    kinds = {
        "accept_prob",
        "prefix_weight",
        "length_law",
        "ratio",
        "uniforms",
        "shown/draft",
        "expected_accepted",
        "overlap",
    }
    missing = [kind for kind in kinds if not any(kind in pointer for pointer in compared) and kind != "uniforms"]
    assert not missing, f"the page shows no {missing}"
    assert couplings == BLOCKS * GAMMA


def choose_position(page: Any, i: int) -> None:
    """Choose row i with the keyboard, as a person would."""
    page.evaluate("() => document.activeElement?.blur()")
    for _ in range(GAMMA + 2):
        now = int(page.locator(".specdemo-root").get_attribute("data-position"))
        if now == i:
            return
        page.keyboard.press("ArrowDown" if now < i else "ArrowUp")
    raise AssertionError(f"position {i} cannot be reached with the arrow keys")


def compare_matrix(page: Any, own: Recomputed, i: int) -> int:
    """Every cell of the coupling drawn at row i, its rest row and column and its "stopped" column included; 1 when compared."""
    if not page.locator(".pic-cell").count():
        page.get_by_text("as a matrix").click()
        page.wait_for_selector(".pic-cell", state="attached")
    cells = page.evaluate(CELLS)
    ids = list(dict.fromkeys(name for name, _, _ in cells))
    assert ids[-1] == "rest" and len(cells) == len(ids) * (len(ids) + 1)
    listed = [int(name) for name in ids[:-1]]
    others = np.setdiff1d(np.arange(own.draft.shape[1]), listed)
    groups = [np.array([v]) for v in listed] + [others]
    joint, stopped = own.coupling(i)
    total = 0.0
    for place, (_, kind, stands) in enumerate(cells):
        r, c = divmod(place, len(ids) + 1)
        expected = stopped[groups[r]].sum() if c == len(ids) else joint[np.ix_(groups[r], groups[c])].sum()
        assert stands == pytest.approx(expected, rel=1e-6, abs=3e-9), (i, kind, ids[r], c)
        total += stands
    assert total == pytest.approx(1.0, abs=1e-7)
    return 1
