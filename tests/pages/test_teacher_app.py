"""Teacher mode in the app itself, in whose document Gradio's frame stands around the pages."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.browser

READY = '#page-step .specdemo-root[data-state="ready"]'
STATE = "#prompt=the+cat&pair=tiny&draft=tiny-draft&rules=block*2&gamma=4&max=20&b=1&phase=score"
# What stands around a printed page and would cut it off at a page's end, or print a ground of its own.
AROUND = """() => {
  window.dispatchEvent(new Event("beforeprint"));
  const out = [];
  for (let node = document.querySelector(".sd-handout").closest("[data-printing]").parentElement; node; node = node.parentElement) {
    const { display, overflow, backgroundColor } = getComputedStyle(node);
    out.push([display, overflow, backgroundColor].join());
  }
  window.dispatchEvent(new Event("afterprint"));
  return [...new Set(out)];
}"""


def test_a_teachers_link_outlives_what_the_page_writes_behind_it(app: Any, open_tab: Any) -> None:
    page = open_tab(app, f"/?fix=gamma&hide=seed&predict=tau{STATE}").page
    page.wait_for_selector(READY)
    assert not page.locator("#gamma").is_editable() and not page.locator("#seed").is_visible()
    page.wait_for_selector("#page-step [data-guess='0']")
    page.wait_for_function("location.hash.includes('digest=')")
    assert page.url.startswith(f"{app.url}/?fix=gamma&hide=seed&predict=tau#")
    page.reload()
    page.wait_for_selector("#page-step [data-guess='0']")
    page.click("#page-step [data-guess='0']")
    page.click("#page-step [data-do=leave]")
    page.wait_for_url(lambda url: "fix=" not in url)
    page.wait_for_selector(READY)
    assert page.locator(".sd-teacher-bar").count() == 0 and page.locator("#gamma").is_editable()


def test_the_handout_is_printed_whole_and_on_white(app: Any, open_tab: Any) -> None:
    page = open_tab(app, f"/{STATE}").page
    page.wait_for_selector(READY)
    assert page.evaluate(AROUND) == ["block,visible,rgba(0, 0, 0, 0)"]
