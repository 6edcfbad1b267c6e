"""Links that somebody has written or mended by hand: every parameter of every page, written badly. Nothing is changed without a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.bad_links import BAD, EACH, EVERY, broken, but, check, opened, rewritten
from tests.viewer.compare_page import address as compare_address
from tests.viewer.compare_page import link as compare_link
from tests.viewer.lab_page import address as lab_address
from tests.viewer.learn_page import address as learn_address
from tests.viewer.sandbox_page import address as sandbox_address
from tests.viewer.sandbox_page import link as sandbox_link
from tests.viewer.sandbox_page import paper
from tests.viewer.step_page import address, link
from tests.viewer.test_page_languages import visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "compare_address", "lab_address", "learn_address", "sandbox_address", "visit"]  # fixtures
pytestmark = pytest.mark.browser

# What is any text, or what makes sense after all, is no mistake.
NUMBERS = dict.fromkeys(("gamma", "temperature", "top_k", "top_p", "seed", "max"), EVERY)
STEP = {
    **NUMBERS, "temperature": but("fraction"), "prompt": ("garbage",), "pair": EVERY, "draft": EVERY, "mode": EVERY, "rules": EVERY,
    "b": but("huge"), "phase": EVERY, "tried": but("huge"), "pos": but("huge"), "tok": but("huge"), "rule": (), "digest": EVERY,
}  # fmt: skip
STEP_NAMES = {
    "gamma": "γ: ", "temperature": "temperature: ", "top_k": "top-k: ", "top_p": "top-p: ", "seed": "seed: ", "max": "max: ", "prompt": "prompt: ",
    "pair": "pair: ", "draft": "draft: ", "mode": "prompt mode: ", "rules": "rules: ", "b": "block: ", "phase": "Phase: ", "tried": "coins tried: ",
    "pos": "position: ", "tok": "token: ", "rule": "verifier shown: ", "digest": "digest: ",
}  # fmt: skip


@EACH
def test_a_bad_link_to_step_is_complained_of(visit: Callable[..., Page], address: str, every: bool) -> None:
    page = visit(f"{address}?examples=none/", "en", 1280, "#viewer[data-state]")
    whole = link("block*2", b=1, phase="verify", tried=1, pos=1)
    check(
        page,
        list(broken(whole, STEP, every)),
        STEP_NAMES,
        "#viewer",
        "!['loading', 'decoding'].includes(viewer.store.state.status)",
    )
    beyond = {
        rewritten(whole, "b", BAD["huge"]): "asks for block 9",
        rewritten(whole, "tried", BAD["huge"]): "coins, but this rule tries",
        rewritten(whole, "pos", BAD["huge"]): "of a block of 5: the last one is shown",
        rewritten(whole, "tok", BAD["huge"]): "which this run does not show",
        rewritten(whole, "rule", "x!"): "a verdict of “x!”, which this block has not: block is shown",
        rewritten(whole, "rules", "block*9999"): "asks for 9\u202f999 blocks, but the text ends after",
        "#prompt=x&b=1": "but not its blocks",
        "#verifier=nonsense": "verifier: ",
        "#page=nonsense": "page: one of step, compare, lab, sandbox, audit or learn, not “nonsense”",
    }
    found = opened(page, list(beyond), "#viewer", "!['loading', 'decoding'].includes(viewer.store.state.status)")
    assert [
        one["said"] for one, words in zip(found, beyond.values(), strict=True) if words not in one["said"] or one["odd"]
    ] == []


def test_a_good_link_to_step_is_not_complained_of(visit: Callable[..., Page], address: str) -> None:
    page = visit(f"{address}?examples=none/", "en", 1280, "#viewer[data-state]")
    good = [
        link("block*2", b=1, phase="verify", tried=1, pos=1),
        link("block*2", prompt="100% æ % \ufffd"),
        "#prompt=100%&gamma=3",
        link("block*2", b=1, phase="commit", pos=5),
    ]
    for one in opened(page, good, "#viewer", "!['loading', 'decoding'].includes(viewer.store.state.status)"):
        assert "link" not in one["said"]


def test_what_a_link_to_an_example_says_besides_is_said_where_it_is_not_so(
    visit: Callable[..., Page], address: str
) -> None:
    """An example is a finished run: its own settings go on, and those of the link are not dropped without a word."""
    page = visit(address, "en", 1280, "#viewer[data-state=ready]")
    trace = page.evaluate("fetch('../examples/rescue.json').then((answer) => answer.json())")
    own, pair = trace["settings"], trace["pair"]
    said = {
        "#example=rescue&gamma=99": "besides of γ is not so in it",
        "#example=rescue&gamma=": "besides of γ is not so in it",
        "#example=rescue&prompt=Once&seed=123&rules=token*1": "besides of prompt, rules, seed is not so in it",
        f"#example=rescue&gamma={own['gamma']}&temperature={own['temperature']}.0&b=0": "",
        f"#example=rescue&verifier={own['verifier']}&mode={own['prompt_mode']}&max={own['max_new_tokens']}": "",
        f"#example=rescue&pair={pair['name']}&draft={pair['draft']}": "",
        f"#{page.evaluate('location.hash').removeprefix('#')}": "",
    }
    found = opened(page, list(said), "#viewer", "!['loading', 'decoding'].includes(viewer.store.state.status)")
    for one, words in zip(found, said.values(), strict=True):
        assert words in one["said"] and ("besides" in one["said"]) == bool(words), one


@pytest.mark.parametrize(("language", "words"), [("en", "block: a whole number from 0, not “three”"), ("da",
    "blok: et helt tal fra 0, ikke »three«"), ("ja", "ブロック：「three」ではなく、0以上の整数")])  # fmt: skip
def test_a_block_that_is_no_number_is_said_and_the_run_is_decoded(
    visit: Callable[..., Page], address: str, language: str, words: str
) -> None:
    page = visit(f"{address}?examples=none/{link('block*2', b='three')}", language, 1280, "#viewer[data-state=ready]")
    page.wait_for_function(
        "(words) => document.querySelector('#viewer .sd-notices').textContent.includes(words)", arg=words
    )
    assert (
        page.locator("#viewer").get_attribute("data-block") == "0"
        and page.evaluate("viewer.store.state.trace.blocks.length") == 2
    )


COMPARE = {
    **NUMBERS, "temperature": but("fraction"), "prompt": ("garbage",), "pair": EVERY, "draft": EVERY, "mode": EVERY, "rules": EVERY, "follow": EVERY,
    "b": but("huge"), "pos": but("huge"), "digest": EVERY, "race": EVERY, "law": EVERY, "seeds": EVERY, "set": EVERY, "axis": EVERY,
    "c": but("fraction"), "v": but("fraction"), "samples": EVERY,
}  # fmt: skip
COMPARE_NAMES = STEP_NAMES | {
    "follow": "text follows this rule: ", "race": "The race: ", "law": "Is it the same law?: ", "seeds": "seeds: ", "set": "Prompts: ",
        "axis": "Axis: ",
    "c": "a draft step costs c: ", "v": "a target call on γ + 1 tokens costs v: ", "samples": "samples: ",
}  # fmt: skip


@EACH
def test_a_bad_link_to_compare_is_complained_of(visit: Callable[..., Page], compare_address: str, every: bool) -> None:
    page = visit(f"{compare_address}#page=compare", "en", 1280, "#compare[data-state]")
    whole = compare_link(max=8, b=0, pos=0)
    settle = (
        "!['loading', 'decoding'].includes(compare.store.state.status) && compare.store.state.race.status !== 'running'"
    )
    check(page, list(broken(whole, COMPARE, every)), COMPARE_NAMES, "#compare", settle)
    found = opened(page, ["#page=compare&gamma=99", "#page=compare&gamma=7"], "#compare", settle)
    assert "γ: a whole number from 1 to 16, not “99”" in found[0]["said"]
    assert "no prompt" in found[1]["said"] and page.input_value("#compare-gamma") == "7"


OPTIONS = {
    "en": (
        "seeds: a whole number",
        "Prompts: there is no “x!”",
        "Axis: calls (target calls), ",
        "a draft step costs c: ",
        "target call on γ + 1 tokens costs v: ",
        "samples: a whole",
    ),
    "da": (
        "seeds: et helt tal",
        "Prompts: »x!« findes ikke",
        "Akse: calls (kald til target), ",
        "et draft-trin koster c: ",
        "på γ + 1 tokens koster v: ",
        "stikprøver: et helt",
    ),
    "ja": (
        "シードの数：「0」ではなく",
        "プロンプト：「x!」はない",
        "軸：「x!」ではなく、calls（ターゲットの呼び出し）",
        "費用 c：「x!」ではなく",
        "費用 v：「x!」ではなく",
        "サンプル数：「0」ではなく",
    ),
}


@pytest.mark.parametrize("language", list(OPTIONS))
def test_the_options_of_race_and_law_check_have_the_names_of_their_controls(
    visit: Callable[..., Page], compare_address: str, language: str
) -> None:
    bad = compare_link(max=8, seeds=0, set="x!", axis="x!", c="x!", v="x!", samples=0, race=1, law=1, b="x!", pos="x!")
    page = visit(compare_address + bad, language, 1280, "#compare[data-state=ready]")
    page.evaluate("compare.ready")
    said = page.inner_text("#compare .sd-notice.message")
    assert [words for words in OPTIONS[language] if words not in said] == []
    labels = page.evaluate(
        "[...document.querySelectorAll('label[for=race-c], label[for=race-v]')].map((node) => node.textContent)"
    )
    assert all(label.removesuffix(" =") in said for label in labels) and len(labels) == 2


LAB = {
    "pair": EVERY, "drafts": but("empty"), "tasks": but("empty"), "rules": but("empty"), "gammas": EVERY, "temperatures": but("fraction"),
        "top_ks": EVERY,
    "top_ps": EVERY, "seed": EVERY, "seeds": EVERY, "prompts": EVERY, "max": EVERY, "run": EVERY,
}  # fmt: skip
LAB_NAMES = {
    "pair": "Pair: ", "drafts": "Drafts: ", "tasks": "Tasks: ", "rules": "Rules: ", "gammas": "γ: ", "temperatures": "T: ",
        "top_ks": "top-k: ", "top_ps": "top-p: ",
    "seed": "seed: ", "seeds": "seeds: ", "prompts": "prompts a task: ", "max": "tokens a text: ", "run": "Start: ",
}  # fmt: skip


@EACH
def test_a_bad_link_to_the_lab_is_complained_of(visit: Callable[..., Page], lab_address: str, every: bool) -> None:
    page = visit(f"{lab_address}#page=lab", "en", 1280, "#lab[data-state]")
    page.evaluate("lab.ready")
    check(page, list(broken("#page=lab&pair=stories&max=64", LAB, every)), LAB_NAMES, "#lab", "true")
    for name, what in (("drafts", "draft"), ("tasks", "task"), ("rules", "rule")):
        (one,) = opened(page, [f"#page=lab&{name}="], "#lab", f"lab.store.state.problem.includes('{what}')")
        assert f"Choose at least one {what}" in one["said"]
    (one,) = opened(page, ["#page=lab&page=step"], "#lab", "true")
    assert "page: one value, not “lab”, “step”" in one["said"]


SANDBOX = {"s": EVERY, "rules": EVERY, "at": but("empty"), "cell": EVERY, "diff": EVERY, "pour": EVERY}
SANDBOX_NAMES = {
    "s": "laws: ",
    "rules": "left, right: ",
    "at": "chosen prefix: ",
    "cell": "chosen cell: ",
    "diff": "difference: ",
    "pour": "correct from: ",
}


@EACH
def test_a_bad_link_to_the_sandbox_is_complained_of(
    visit: Callable[..., Page], sandbox_address: str, every: bool
) -> None:
    page = visit(sandbox_address + sandbox_link(paper()), "en", 1280, "#sandbox[data-state=ready]")
    check(page, list(broken(sandbox_link(paper()), SANDBOX, every)), SANDBOX_NAMES, "#sandbox", "true")
    beyond = {
        "at=EE": "chosen prefix: at most 2 of the symbols A, B, not “EE”",
        "cell=AB,CA": "chosen cell: two blocks of 2",
        "rules=token,token": "two different ones of token, block, ",
    }
    hashes = [rewritten(sandbox_link(paper()), *part.split("=")) for part in beyond]
    found = opened(page, hashes, "#sandbox", "true")
    assert [
        one["said"] for one, words in zip(found, beyond.values(), strict=True) if words not in one["said"] or one["odd"]
    ] == []


@EACH
def test_a_bad_link_to_the_audit_is_complained_of(
    visit: Callable[..., Page], sandbox_address: str, every: bool
) -> None:
    page = visit(f"{sandbox_address}#page=audit", "en", 1280, "#audit[data-state]")
    links = list(broken("#page=audit&rule=token", {"rule": EVERY, "run": EVERY}, every))
    found = opened(page, [hash_ for _, _, hash_ in links], "#audit", "true")
    silent = [
        link[:2]
        for link, one in zip(links, found, strict=True)
        if "There is no rule “" not in one["said"] and "were left out" not in one["said"]
    ]
    assert silent == [] and page.locator("#audit").get_attribute("data-state") == "empty"


LEARN = {"view": EVERY, "chapter": EVERY, "term": EVERY, "lang": EVERY}


@EACH
def test_a_bad_link_to_the_tour_is_complained_of(visit: Callable[..., Page], learn_address: str, every: bool) -> None:
    page = visit(f"{learn_address}#page=learn", "en", 1280, ".learn[data-state=ready]")
    names = {"view": "view: ", "chapter": "chapter: ", "term": "term: ", "lang": "Language: "}
    check(page, list(broken("#page=learn", LEARN, every)), names, ".learn", "true")
