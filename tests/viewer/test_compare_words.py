"""The sentences of the Compare page, on planted blocks with the library's verdicts: the two-token model C of the README's mathematics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from specdemo import verifiers
from tests.viewer.javascript import VIEWER, call
from tests.viewer.tiny_runs import config

DRAFT = np.array([[0.1, 0.2, 0.7], [0.3, 0.1, 0.6]])
TARGET = np.array([[0.6, 0.0, 0.4], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4]])
RULES = config()["rules"]

TEXT = """
const pieces = (id) => ["a", "b", "c"][id];
const number = (p) => (p.whole ? String(p.value) : Number(p.value).toPrecision(3));
const name = (rule) => rule.replaceAll("_", " ");
const said = (p) => "rule" in p ? name(p.rule) : "id" in p ? "[" + pieces(p.id) + "]" : number(p);
const flat = (parts) => parts.map((p) => typeof p === "string" ? p : said(p)).join("");
const at = (path, root) => path.slice(1).split("/").reduce((x, key) => x[key], root);
const trace = { settings: { max_new_tokens: 64, verifier: "" }, prompt: { ids: [0] }, pair: { eos_token_ids: [] } };
const out = payload.cases.map(({ block, rules, follow, temperature }) => {
  const place = { trace, block, blockIndex: 0, rules, follow, temperature, known: payload.known, pieces };
  const list = m.sentences(place), parts = [...m.headline(place, 1), ...list.flatMap((one) => one.parts), ...m.positionWords(place, 0)];
  const wrong = parts.filter((p) => p.path && at(p.path, { blocks: [block] }) !== p.value);
  const sentences = list.map(({ rule, parts }) => [rule, flat(parts)]);
  return { headline: flat(m.headline(place, 1)), said: sentences, position: flat(m.positionWords(place, 0)), wrong };
});
return out;
"""


def block(tokens: list[int], uniforms: list[float], rules: list[str], memory: Any = None) -> dict[str, Any]:
    """A trace's block, as far as the words look at it; the first rule is the one that decided."""
    verdicts = {}
    for rule in rules:
        said = verifiers.get(rule).verify(tokens, DRAFT, TARGET, uniforms)
        compared = said.plan.compared(np.array(uniforms[:-1]))
        verdicts[rule] = {
            "accepted": said.accepted, "next_token": said.next_token, "order": said.plan.order,
            "next_kind": "bonus" if said.accepted == len(tokens) else "correction",
            "accept_prob": np.asarray(said.accept_prob).tolist(),
            "residual_scale": None if said.residual_scale is None else np.asarray(said.residual_scale).tolist(),
        }  # fmt: skip
        if not np.array_equal(compared, uniforms[:-1]):
            verdicts[rule]["compared"] = compared.tolist()
    rows = [{"ratio": float(TARGET[i, x] / DRAFT[i, x])} for i, x in enumerate(tokens)]
    gained = verdicts[rules[0]]["accepted"] + 1
    return {
        "gamma": len(tokens), "start": 1, "shown_tokens": gained, "gained": gained, "finish": None,
        "verifier": rules[0], "memory": memory, "uniforms": {"verify": uniforms},
        "paths": [{"tokens": tokens, "rows": rows}], "verdicts": verdicts,
    }  # fmt: skip


def words(request: pytest.FixtureRequest, planted: dict[str, Any], temperature: float = 1.0) -> dict[str, Any]:
    rules = list(planted["verdicts"])
    case = {"block": planted, "rules": rules, "follow": rules[0], "temperature": temperature}
    (said,) = call(request, "compare/words.js", TEXT, {"known": RULES, "cases": [case]})
    assert said["wrong"] == []
    return said


def only(said: dict[str, Any]) -> str:
    ((_, sentence),) = said["said"]
    return str(sentence)


def test_a_later_position_rescues_an_earlier_one(request: pytest.FixtureRequest) -> None:
    said = words(request, block([2, 1], [0.99, 0.99, 0.5], ["token", "block"]))
    assert only(said) == "block kept 2 where token kept 0: position 2 rescued position 1."
    assert "block differs from token, which the text follows: 0 kept" in said["headline"]
    assert said["position"].endswith(
        "token: rejected (η₁ 0.990 ≥ h 0.571); block: rescued, a longer prefix passed though the token rule’s own test (η < min(1, r)) fails."
    )


def test_block_may_keep_fewer_on_one_draw_and_that_is_put_right(request: pytest.FixtureRequest) -> None:
    said = words(request, block([2, 0], [0.2, 0.97, 0.5], ["block", "token"]))
    sentence = only(said)
    assert sentence.startswith("token kept 2 where block kept 1: each of the first 2 tokens passed its own test")
    assert sentence.endswith("On this draw block verification kept fewer; on average over drafts it never does.")
    turned = only(words(request, block([2, 0], [0.2, 0.97, 0.5], ["token", "block"])))
    assert turned.startswith("block kept 1 where token kept 2: ") and "on average over drafts it never does" in turned


def test_the_same_count_with_another_correction_says_which_residual(request: pytest.FixtureRequest) -> None:
    said = words(request, block([2, 2], [0.2, 0.5, 0.3], ["token", "block"]))
    sentence = only(said)
    assert sentence.startswith("block: same τ, another correction: [b] instead of [a], because its residual")
    assert "has s = 0.571, that of token s = 1.00" in sentence


def test_a_lower_expectation_on_one_draft_is_put_right(request: pytest.FixtureRequest) -> None:
    body = "return payload.map((block) => m.cautionWords({ block, rules: ['token', 'block'] }));"
    planted = [block(tokens, [0.5, 0.5, 0.5], ["token", "block"]) for tokens in ([2, 2], [2, 1])]
    for one in planted:
        for verdict in one["verdicts"].values():
            h = verdict["accept_prob"]
            first, last = h[0], h[1]
            left = verdict["order"] == "left_to_right"
            verdict["expected_accepted"] = first * (1 + last) if left else 2 * last + (1 - last) * first
    said = call(request, "compare/words.js", body, planted)
    fewer = [
        one["verdicts"]["block"]["expected_accepted"] < one["verdicts"]["token"]["expected_accepted"] for one in planted
    ]
    assert fewer == [True, False]
    assert ["block expects fewer than token" in words for words in said] == fewer
    assert all("Single draws prove nothing" in words for words in said)


def test_agreement_is_said(request: pytest.FixtureRequest) -> None:
    said = words(request, block([2, 2], [0.5, 0.05, 0.5], ["block", "token"]))
    assert (
        said["said"] == [] and said["headline"] == "Block 1 of 1. All columns agree on this block: 2 kept, bonus [b]."
    )


def test_a_rule_without_coins_is_put_into_words(request: pytest.FixtureRequest) -> None:
    said = words(request, block([2, 0], [0.2, 0.2, 0.5], ["token", "exact_match"]))
    assert only(said).startswith("exact match kept 0 where token kept 2: position 1 passed (η₁ 0.200 < h 0.571)")
    assert "failed under exact match (not the target's argmax)" in only(said)
    again = words(request, block([0, 0], [0.2, 0.2, 0.99], ["token", "exact_match"]))
    assert "exact match draws from the target's argmax, token from the target." in only(again)


def test_to_keep_more_than_is_lossless_is_no_gain(request: pytest.FixtureRequest) -> None:
    planted = block([2, 0], [0.7, 0.2, 0.5], ["token", "lenience"])
    assert only(words(request, planted)).endswith("To keep more is no gain here: lenience is not lossless.")
    cold = block([2, 0], [0.2, 0.2, 0.5], ["threshold", "token"])
    assert "no gain" not in only(words(request, cold))


def test_a_mistake_shows_what_it_compares_and_what_goes_wrong(request: pytest.FixtureRequest) -> None:
    planted = block([2, 2], [0.05, 0.5, 0.5], ["block", "one_uniform_for_all"])
    sentence = only(words(request, planted))
    assert sentence.startswith(
        "one uniform for all kept 2 where block kept 1: the prefix of 2 passed (it compares 0.0500 < h 0.0952)"
    )
    assert "failed under block (η₂ 0.500 ≥ h 0.0952)" in sentence
    planted = block([2, 2], [0.2, 0.5, 0.3], ["block", "correction_from_target"])
    goes_wrong = next(rule["goes_wrong"] for rule in RULES if rule["name"] == "correction_from_target")
    assert only(words(request, planted)).endswith(
        f"a mistake draws from another law. correction from target: {goes_wrong}"
    )


def test_an_open_window_is_announced(request: pytest.FixtureRequest) -> None:
    planted = block([2, 2], [0.5, 0.05, 0.5], ["greedy_block", "token"], memory=[[2.0, 1]])
    ((rule, sentence),) = words(request, planted)["said"]
    assert rule == "" and sentence.startswith("greedy block pays for an earlier block here")


def test_no_rule_and_no_draw_is_without_words(request: pytest.FixtureRequest) -> None:
    """Every pair of rules on a grid of draws: a sentence for each difference, none where there is none, all numbers in place."""
    names, cases = [rule["name"] for rule in RULES], []
    for n, follow in enumerate(names):
        for m, rule in enumerate(names):
            if rule == follow:
                continue
            tokens = [[0, 0], [2, 1], [2, 2], [0, 1], [1, 2]][(n + m) % 5]
            etas = [[0.05, 0.5, 0.3], [0.99, 0.2, 0.7], [0.3, 0.97, 0.99]][(n * 7 + m) % 3]
            case = block(tokens, etas, [follow, rule])
            cases.append({"block": case, "rules": [rule, follow], "follow": follow, "temperature": 1})
    for case, said in zip(
        cases, call(request, "compare/words.js", TEXT, {"known": RULES, "cases": cases}), strict=True
    ):
        assert said["wrong"] == []
        one, other = case["block"]["verdicts"].values()
        differs = (one["accepted"], one["next_token"]) != (other["accepted"], other["next_token"])
        assert len(said["said"]) == differs and ("All columns agree" in said["headline"]) != differs
        for text in (said["headline"], said["position"], *[sentence for _, sentence in said["said"]]):
            assert text.endswith((".", "!")) and "undefined" not in text and "NaN" not in text and "null" not in text


CUT = """
const pieces = (id) => "abc"[id];
return payload.cases.map(({ trace, block, rules }) => {
  const place = { trace, block, rules, blockIndex: 0, follow: rules[0], temperature: 1, known: payload.known, pieces };
  const [headline, shared] = [m.headline(place, 1), m.sharedWords(place, 0)].map((parts) => m.plainWords(parts, pieces));
  return { headline, shared, afresh: m.afreshWords(place) };
});
"""


def test_a_block_that_the_end_cuts_says_so(request: pytest.FixtureRequest) -> None:
    def case(limit: int, ends: list[int], finish: str | None, shown: int, follow: str = "token") -> dict[str, Any]:
        planted = block([2, 2], [0.05, 0.05, 0.5], ["token", "block"])  # both keep 2, then b
        planted.update(shown_tokens=shown, finish=finish, verifier=follow)
        trace = {
            "settings": {"max_new_tokens": limit, "verifier": follow},
            "prompt": {"ids": [0]},
            "pair": {"eos_token_ids": ends},
        }
        return {"trace": trace, "block": planted, "rules": ["token", "block"]}

    cases = [
        case(64, [], None, 3),
        case(1, [], "length", 1),
        case(64, [2], "eos", 1),
        case(3, [1], "eos", 3),
        case(2, [], "length", 2, "block"),
        case(9, [2], "eos", 1, "block"),
    ]
    payload = {"known": RULES, "cases": cases}
    whole, limit, end, exact, other, other_end = (
        one["headline"] for one in call(request, "compare/words.js", CUT, payload)
    )
    agreed = "Block 1 of 1. All columns agree on this block: 2 kept, bonus “b”."
    assert whole == exact == agreed
    assert limit == f"{agreed} 1 of the 3 gained tokens joins the text: the limit of 1 is reached."
    assert end == other_end == f"{agreed} 1 of the 3 gained tokens joins the text: the text ends here."
    assert other == f"{agreed} 2 of the 3 gained tokens join the text: the limit of 2 is reached."


def test_a_rule_that_remembers_is_warned_of_unless_it_decides(request: pytest.FixtureRequest) -> None:
    trace: dict[str, Any] = {
        "settings": {"max_new_tokens": 64, "verifier": "block"},
        "prompt": {"ids": [0]},
        "pair": {"eos_token_ids": []},
    }
    cases: list[dict[str, Any]] = []
    for decides, rules in (
        ("block", ["block", "greedy_block"]),
        ("greedy_block", ["greedy_block", "block"]),
        ("token", ["token", "block"]),
    ):
        own = {**trace, "settings": {**trace["settings"], "verifier": decides}}
        cases.append({"trace": own, "block": block([2, 2], [0.05, 0.05, 0.5], rules), "rules": rules})
        cases[-1]["block"]["paths"][0]["rows"][0].update(draft=0.7, target=0.4)
    said = call(request, "compare/words.js", CUT, {"known": RULES, "cases": cases})
    assert [one["afresh"] for one in said] == [
        "† greedy block is asked afresh at every block: what it pays in its later blocks is not in its mean. A race tells what it does on its own.",
        "",
        "",
    ]
    assert said[0]["shared"] == "D 0.700, T 0.400, r 0.571, η₁ 0.0500"


def test_words_that_leave_the_page_have_their_tokens_between_quotes(request: pytest.FixtureRequest) -> None:
    body = """const { lawWords } = await import(new URL("rule_words.js", payload));
      const numbers = [{ value: 0.25, path: "" }, ", ", { value: 3, path: "", whole: true }, "."];
      return [m.plainWords([{ rule: "greedy_block" }, " draws ", { id: 1, kind: "bonus" }, " with ", ...numbers], () => ","),
      m.plainWords(lawWords("sampled_match", "correction", { id: 1, kind: "rejected" }), () => ",")];"""
    said = call(request, "compare/words.js", body, (VIEWER / "compare/words.js").as_uri())
    assert said == ["greedy block draws “,” with 0.250, 3.", "the target without “,”"]


def test_positions_in_words(request: pytest.FixtureRequest) -> None:
    lists = [[2], [1, 2], [1, 3], [1, 2, 3, 5, 7, 8]]
    assert call(request, "compare/words.js", "return payload.map(m.positions);", lists) == [
        "position 2",
        "positions 1–2",
        "positions 1 and 3",
        "positions 1–3, 5 and 7–8",
    ]


def test_what_a_rule_is(request: pytest.FixtureRequest) -> None:
    body = "return payload.map(([rule, t]) => m.headWords(rule, t));"
    cases = [[rule, temperature] for rule in RULES for temperature in (0, 1)]
    said = call(request, "compare/rule_words.js", body, cases)
    heads = {(rule["name"], temperature): head["text"] for (rule, temperature), head in zip(cases, said, strict=True)}
    assert heads["token", 1] == "lossless"
    assert heads["exact_match", 1] == "lossless at temperature 0 only: at T = 1 this text would not follow the target"
    assert heads["exact_match", 0] == "lossless at temperature 0 only, as here"
    for rule in RULES:
        lossy = rule["lossless"] == "never"
        assert heads[rule["name"], 1].startswith("NOT lossless: ") == lossy
        if rule["goes_wrong"]:
            assert heads[rule["name"], 1] == f"NOT lossless: {rule['goes_wrong']}"
    groups = dict(
        call(
            request,
            "compare/rule_words.js",
            "return m.grouped(payload).map(([n, l]) => [n, l.map((r) => r.name)]);",
            RULES,
        )
    )
    assert groups["Lossless"] == ["token", "block", "greedy_block", "sampled_match"]
    assert groups["Lossy or lossless only at temperature 0"] == ["exact_match", "threshold", "typical", "lenience"]
    assert len(groups["Mistakes"]) == sum(rule["goes_wrong"] is not None for rule in RULES)
