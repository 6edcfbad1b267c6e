"""The same block on a phone and on a wide screen: which columns are in sight, ways to the others, words that are not cut, what marks say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.compare_page import READY, address, link, open_page, place, trace, wrong_numbers

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser

IN_SIGHT = """() => {
  const right = document.querySelector('.cmp-scroll').getBoundingClientRect().right;
  const left = document.querySelector('.cmp-shared').getBoundingClientRect().right;
  return [...document.querySelectorAll('#compare-block .cmp-head')].filter((head) => {
    const own = head.getBoundingClientRect();
    return own.left > left - 2 && own.right < right + 2;
  }).map((head) => head.dataset.rule);
}"""
CUT = """() => {
  const out = [], range = document.createRange();
  for (const cell of document.querySelectorAll('#compare-block th, #compare-block td')) {
    const { right } = cell.getBoundingClientRect(), walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (walker.currentNode.parentElement.closest('select, title, .cmp-shared .sd-chip')) continue;
      range.selectNodeContents(walker.currentNode);
      if (range.getBoundingClientRect().right > right + 0.5) out.push(walker.currentNode.data);
    }
    for (const box of cell.querySelectorAll('.cmp-law-box, .cmp-name')) if (box.scrollWidth > box.clientWidth + 1) out.push(box.textContent);
  }
  return out;
}"""


def test_a_phone_has_two_columns_in_sight_and_ways_to_the_others(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.set_viewport_size({"width": 390, "height": 844})
    rules = "token,block,product_of_uniforms,greedy_block"
    page.goto(page.url.split("#")[0] + link(rules, "greedy_block", b=2))
    page.wait_for_selector(READY)
    page.wait_for_timeout(100)

    def in_sight() -> list[str]:
        return page.evaluate(IN_SIGHT)

    more = page.locator(".cmp-window")
    assert in_sight() == ["product_of_uniforms", "greedy_block"] and more.get_attribute("data-more") == "left"
    row = page.locator("tr.chosen .cmp-numbers")
    assert not row.is_visible() and page.locator("#compare-shared").is_visible()
    at = int(place(page)[1] or 0)
    shown = page.locator("#compare-shared [data-path]").evaluate_all("(l) => l.map((n) => Number(n.dataset.value))")
    block = trace(page)["blocks"][2]
    drafted = block["paths"][0]["rows"][at]
    assert shown == [drafted["draft"], drafted["target"], drafted["ratio"], block["uniforms"]["verify"][at]]
    for _ in range(30):
        if page.locator("#compare-differences li[data-rule=token], #compare-differences li[data-rule=block]").count():
            break
        page.keyboard.press("n")
    way = page.locator(
        "#compare-differences li[data-rule=token] .cmp-go, #compare-differences li[data-rule=block] .cmp-go"
    ).first
    assert way.is_enabled() and way.inner_text() in ("token", "block")
    gone = page.locator("#compare-differences li[data-rule=product_of_uniforms] .cmp-go")
    assert gone.count() == 0 or gone.is_disabled()
    rule = way.inner_text()
    way.click()
    page.wait_for_function("document.querySelector('.cmp-window').dataset.more.includes('right')")
    page.wait_for_function(
        f"[...document.querySelectorAll('#compare-differences li[data-rule={rule}] .cmp-go')].every((n) => n.disabled)"
    )
    page.wait_for_timeout(400)
    assert rule in in_sight()
    page.set_viewport_size({"width": 1280, "height": 844})
    page.wait_for_function("!('more' in document.querySelector('.cmp-window').dataset)")
    assert len(in_sight()) == 4 and page.locator(".cmp-go:enabled").count() == 0
    assert page.locator("tr.chosen .cmp-numbers").is_visible() and not page.locator("#compare-shared").is_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_no_word_of_a_column_is_cut(open_page: Callable[..., Page], width: int) -> None:
    page = open_page()
    page.set_viewport_size({"width": width, "height": 844})
    for rules in (
        "token,block,greedy_block,residual_without_weight",
        "block,unnormalised_residual_in_token,exact_match,product_of_uniforms",
    ):
        for gamma in (5, 16):
            page.goto(page.url.split("#")[0] + link(rules, gamma=gamma, max=20))
            page.wait_for_function(
                f"compare.store.state.trace?.verifiers.join() === '{rules}' && compare.store.state.trace.settings.gamma === {gamma}"
            )
            page.wait_for_selector(READY)
            assert page.evaluate(CUT) == [], (rules, gamma)
            titles = page.locator("#compare-block .cmp-name").all_inner_texts()
            selects = page.locator("#compare-block .cmp-name select").evaluate_all(
                "(l) => l.map((n) => [n.title, n.selectedOptions[0].textContent])"
            )
            for title, (tip, option) in zip(titles, selects, strict=True):
                assert option.startswith(title.split("\n")[0].strip()) and tip.startswith(option)


def test_a_mean_that_leaves_something_out_is_marked(open_page: Callable[..., Page]) -> None:
    page = open_page(link("token,block,greedy_block", b=2), wait=READY)
    means = page.locator(".cmp-row-mean td")
    assert [("†" in text) for text in means.all_inner_texts()] == [False, False, True]
    assert page.inner_text("#compare-afresh").startswith("† greedy block is asked afresh at every block")
    assert means.nth(2).get_attribute("aria-describedby") == "compare-afresh"
    page.check("#compare-follow-2")
    page.wait_for_function(
        "compare.store.state.trace.settings.verifier === 'greedy_block' && compare.store.state.status === 'ready'"
    )
    assert "†" not in page.inner_text("#compare-block") and not page.locator("#compare-afresh").is_visible()
    page.click("#compare-help")
    words = page.inner_text("[role=dialog], dialog")
    assert "asked afresh at every block" in words and "Compare rules by the mean" not in words
    assert "though the token rule’s own test (η < min(1, r)) fails" in words


def test_a_cut_block_says_so_in_its_column(open_page: Callable[..., Page]) -> None:
    page = open_page(link("token,block,sampled_match", seed=1), wait=READY)
    page.keyboard.press("End")
    last = trace(page)["blocks"][-1]
    assert last["shown_tokens"] == 2 < last["gained"] == 6, "the case this test is about"
    assert page.inner_text("#compare-sentence").endswith(
        "2 of the 6 gained tokens join the text: the limit of 40 is reached."
    )
    cells = [text.replace("≠", "").split() for text in page.locator(".cmp-row-gained td").all_inner_texts()]
    assert [" ".join(words) for words in cells] == ["1 token", "6 tokens 2 join the text", "1 token"]
    page.keyboard.press("ArrowLeft")
    assert (
        "join" not in page.inner_text(".cmp-row-gained") + page.inner_text("#compare-sentence")
        and wrong_numbers(page) == []
    )
