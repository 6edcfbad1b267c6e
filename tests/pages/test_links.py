"""A link that is followed in a tab that has been everywhere: from each page to each, what it asks for is taken, or a sentence says why not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, pairwise
from typing import TYPE_CHECKING

import pytest

from tests.pages.conftest import App, Tab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PAGES = ("step", "compare", "lab", "sandbox", "audit", "learn")
CHAPTERS, RULES = ("ratio", "residual", "block"), ("threshold", "token", "block")
numbers = count()


@pytest.fixture(scope="module")
def page(app: App, chromium: Browser) -> Iterator[Page]:
    """One tab for all of these tests: it goes to every page, and stays open."""
    context = chromium.new_context()
    tab = Tab(context.new_page(), app.url)
    yield tab.page
    assert tab.complaints == []
    context.close()


def asked(name: str) -> tuple[str, str]:
    """A link to a page, different each time, and what is true of the page where it has been taken."""
    n = next(numbers)
    gamma = 2 + n % 7
    return {
        "step": (f"#prompt=the cat {n}&gamma={gamma}", f"v('#prompt') === 'the cat {n}' && v('#gamma') === '{gamma}'"),
        "compare": (f"#page=compare&gamma={gamma}&seed={n}", f"v('#compare-gamma') === '{gamma}' && v('#compare-seed') === '{n}'"),
        "lab": (f"#page=lab&gammas={gamma},{gamma + 8}", f"v('#lab-gammas') === '{gamma}, {gamma + 8}'"),
        "sandbox": (f"#page=sandbox&s=2,1,free:1/{n + 3},1/2:1/4,3/4", f"v('.sb-field') === '1/{n + 3}'"),
        "audit": (f"#page=audit&rule={RULES[n % 3]}", f"v('#audit-rule') === '{RULES[n % 3]}'"),
        "learn": (f"#page=learn&chapter={CHAPTERS[n % 3]}", f"q('[data-page=learn]')?.dataset.chapter === '{CHAPTERS[n % 3]}'"),
    }[name]  # fmt: skip


def holds(page: Page, true: str) -> None:
    page.wait_for_function(f"""() => {{
      const q = (at) => document.querySelector(at), v = (at) => {{ const node = q(at); return node && node.getClientRects().length && node.value; }};
      return {true};
    }}""")


def follow(page: Page, hash_: str, true: str) -> None:
    page.evaluate("(hash) => void (location.hash = hash)", hash_)
    holds(page, true)


def says(page: Page, name: str, words: str) -> None:
    """A page in view says it where it says what is wrong."""
    page.wait_for_function(
        """([root, words]) => [...document.querySelectorAll(`${root} [role=alert], ${root} [role=status]`)]
             .some((node) => node.getClientRects().length && node.textContent.includes(words))""",
        arg=[f"#page-{name}", words],
    )


def every_way() -> list[str]:
    """The pages in an order in which each follows on each, itself included."""
    left = {name: list(PAGES) for name in PAGES}
    way, done = ["step"], list[str]()
    while way:
        if left[way[-1]]:
            way.append(left[way[-1]].pop())
        else:
            done.append(way.pop())
    return done


def test_from_every_page_to_every_page(page: Page) -> None:
    way = every_way()
    assert len({*pairwise(way)}) == len(PAGES) ** 2
    for name in way:
        follow(page, *asked(name))


def test_in_a_new_document_of_the_tab(page: Page, app: App) -> None:
    for name in PAGES:
        hash_, true = asked(name)
        page.goto("about:blank")
        page.goto(app.url + "/" + hash_)
        holds(page, true)


def test_what_no_page_reads_is_answered(page: Page) -> None:
    for name in PAGES:
        follow(page, *asked(name))
        page.evaluate("(hash) => void (location.hash = hash)", f"#page={name}&gama=9")
        says(page, name, "no setting of this page is called “gama”")
        page.evaluate("location.hash = '#page=nowhere'")
        says(page, "step", "page: one of step, compare")
    page.evaluate("location.hash = '#page=learn&lang=xx'")
    says(page, "learn", "Language: en, da or ja, not “xx”")


def test_a_link_without_a_prompt_leaves_the_one_that_is_typed(page: Page) -> None:
    page.evaluate("location.hash = '#page=step'")
    page.locator("#prompt").wait_for()
    for prefix, link in (("", "#gamma=3"), ("compare-", "#page=compare&gamma=3")):
        follow(page, "#page=compare" if prefix else "#page=step", f"v('#{prefix}prompt') !== null")
        page.fill(f"#{prefix}prompt", "typed here")
        follow(page, link, f"v('#{prefix}gamma') === '3' && v('#{prefix}prompt') === 'typed here'")
