"""Two models of the hub in place of a listed pair, chosen on the page: both ids or none, in words, in links, and after a reload.

The hub is a cache of its files, as offline machines have one. The server lets a run compute for no time at all: one block a request.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages.conftest import App
from tests.pairs.test_hub_ids import IDS as IDS_OF_THE_HUB
from tests.pairs.test_hub_ids import NONE
from tests.pairs.test_loading import save
from tests.tiny import tiny_tokenizer
from tests.viewer.javascript import call

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

STEP = "#page-step .specdemo-root"
IDS = {"pair": "some/target", "draft": "some/draft"}


@pytest.fixture(scope="module")
def hub_app(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    cache = tmp_path_factory.mktemp("hub")
    for name, seed, tokenizer in (("target", 2, None), ("draft", 1, None), ("other", 1, tiny_tokenizer(280))):
        place, commit = cache / f"models--some--{name}", "0" * 40
        save(place / "snapshots" / commit, seed, tokenizer=tokenizer)
        (place / "refs").mkdir()
        (place / "refs" / "main").write_text(commit, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"HF_HUB_CACHE": str(cache), "SPECDEMO_HUB_IDS": "1", "SPECDEMO_RUN_SECONDS": "0"}.items():
            patch.setenv(name, value)
        running = App(tiny_folder)
        running.start()
    yield running
    running.stop()


def choose(page: Page, **ids: str) -> None:
    page.select_option(f"{STEP} #pair", "hub:")
    for name, text in {**IDS, **ids}.items():
        page.fill(f"{STEP} #hub-{name}", text)


def shown(page: Page) -> list[Any]:
    script = f"""() => {{
      const at = (name) => document.querySelector("{STEP} #" + name);
      return [at("pair").value, at("hub-pair").value, at("hub-draft").value, at("hub").checkVisibility(), at("draft").checkVisibility()];
    }}"""
    found: list[Any] = page.evaluate(script)
    return found


CHOSEN = ["hub:", "some/target", "some/draft", True, False]


def test_two_ids_are_a_pair_that_links_and_reloads_keep(hub_app: App, open_tab: Any) -> None:
    page = open_tab(hub_app).page
    page.fill(f"{STEP} #prompt", "the cat")
    page.select_option(f"{STEP} #pair", "hub:")
    assert "Until both ids are here" in page.inner_text(f"{STEP} #hub")
    page.fill(f"{STEP} #hub-pair", "../target")
    assert "owner/name" in page.inner_text(f"{STEP} #hub-pair-problem")
    choose(page)
    assert page.inner_text(f"{STEP} #hub-pair-problem") == "" and "Until both" not in page.inner_text(f"{STEP} #hub")
    page.reload()
    page.wait_for_function(f"() => document.querySelector('{STEP} #hub-draft')?.value === 'some/draft'")
    assert shown(page) == CHOSEN
    page.click("#run")
    page.wait_for_function(
        "() => location.hash.includes('pair=some%2Ftarget&draft=some%2Fdraft') && location.hash.includes('digest=')",
        timeout=180_000,  # each model is checked in a process of its own, which imports PyTorch
    )
    page.wait_for_function(
        f"() => document.querySelector('{STEP}').textContent.includes('its 0 seconds of computing time')"
    )
    other = open_tab(hub_app, "/" + page.evaluate("location.hash")).page
    other.wait_for_function(f"() => document.querySelector('{STEP} #hub-draft')?.value === 'some/draft'")
    assert shown(other) == CHOSEN
    other.wait_for_selector(f"{STEP}[data-state=ready][data-block='0']")
    other.select_option(f"{STEP} #pair", "tiny")
    assert shown(other)[0] == "tiny" and shown(other)[3:] == [False, True]


@pytest.mark.parametrize(
    ("draft", "words"), [("some/other", "different tokenizers"), ("some/nothing", "could not be loaded from the hub")]
)
def test_what_is_wrong_with_a_repository_is_said(hub_app: App, open_tab: Any, draft: str, words: str) -> None:
    told = open_tab(hub_app).decode(pair="some/target", draft=draft)
    assert words in told["error"] and not told["blocks"] and "models--" not in told["error"]


def test_the_page_and_the_server_know_the_same_ids(request: pytest.FixtureRequest) -> None:
    body = "return payload.map(m.isHubId)"
    assert call(request, "hub_choice.js", body, [*IDS_OF_THE_HUB, *NONE]) == [True] * len(IDS_OF_THE_HUB) + [
        False
    ] * len(NONE)


def test_a_link_with_two_ids_is_a_pair_where_they_are_allowed(request: pytest.FixtureRequest) -> None:
    body = """
      const form = { pair: "a", draft: "b" }, pairs = [{ name: "a", drafts: [{ name: "b" }] }];
      return payload.map(([given, allowed]) => m.checkedPair(given, form, pairs, allowed));
    """
    asked = [
        [IDS, True],
        [IDS, False],
        [{"pair": "some/target"}, True],
        [{**IDS, "draft": "../x"}, True],
        [{"pair": "a"}, True],
    ]
    found = call(request, "pair_choice.js", body, asked)
    assert [(one["pair"], one["draft"]) for one in found] == [("some/target", "some/draft"), *[("a", "b")] * 4]
    assert [len(one["wrong"]) for one in found] == [0, 1, 1, 1, 0]


def test_without_leave_the_page_knows_listed_pairs_alone(app: App, open_tab: Any) -> None:
    tab = open_tab(app, "/#prompt=the+cat&pair=some%2Ftarget&draft=some%2Fdraft")
    page = tab.page
    page.wait_for_function(f"() => document.querySelector('{STEP}').textContent.includes('some/target')")
    assert page.input_value(f"{STEP} #pair") == "stories" and page.locator(f"{STEP} #hub-pair").count() == 0
    assert "choose one of" in tab.decode(**IDS)["error"]
