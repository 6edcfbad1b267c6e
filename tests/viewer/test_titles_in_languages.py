"""Pairs, drafts and what the server says, on Danish and Japanese pages: shown in the language, from codes and names alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from specdemo.pages.messages import Messages
from specdemo.sentences import Sentence, sentence
from tests.viewer.lab_page import address as lab_address
from tests.viewer.test_page_languages import visit
from tests.worse_conditions import OFFLINE

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["lab_address", "visit"]  # fixtures
pytestmark = pytest.mark.browser

TITLES = {
    "da": ("Historier (indbygget)", "1 × 192, stærk", "To små draft-modeller", "Der er"),
    "ja": ("物語（内蔵）", "1 × 192、強い", "生成した物語", "個のセル"),
}
TOO_MUCH = {"da": "Denne måleserie har ", "ja": "この一連の測定には"}


@pytest.mark.parametrize("language", ["da", "ja"])
def test_pairs_and_limits_are_named_in_the_language(
    visit: Callable[..., Page], lab_address: str, language: str
) -> None:
    much = "#page=lab&pair=stories&prompts=1000&seeds=20&gammas=1,2,3,4,5,6,7,8"
    page = visit(lab_address + much, language, 1280, "#lab[data-state]")
    title, draft, note, _ = TITLES[language]
    option = page.locator("#lab-pair option[value=stories]")
    assert option.text_content() == title and str(option.get_attribute("title")).startswith(note)
    assert draft in page.inner_text("#lab-drafts")
    page.wait_for_function("document.querySelector('#lab-problem').textContent !== ''")
    assert page.inner_text("#lab-problem").startswith(TOO_MUCH[language])


ASKED = """async () => {
  const { createBridge } = await import("/assets/viewer/bridge.js"), said = [];
  const bridge = createBridge({ config: {}, root: location.origin + "/", retryAfter: [] });
  const handlers = { onProgress: (text) => said.push(text), onError: (text) => said.push(text) };
  await bridge.decode({ run: "r", resume: null, blocks: 1 }, handlers);
  await bridge.measure("race", { run: "s" }, handlers);
  return said;
}"""
ANSWERS: list[tuple[Sentence, dict[str, str]]] = [
    (sentence("starting"), {"da": "Starter modellerne, nogle sekunder første gang", "ja": "モデルを起動しています（初回は数秒かかります）"}),
    (
        sentence("no_pair", name="x", names="stories"),
        {"da": "Parret »x« findes ikke her: Vælg et af stories.", "ja": "組「x」はここにありません。storiesから選んでください。"},
    ),
]  # fmt: skip


@pytest.mark.skipif(OFFLINE, reason="imports modules itself when the page stands")
@pytest.mark.parametrize("language", ["en", "da", "ja"])
def test_the_server_speaks_the_language_of_the_page(
    visit: Callable[..., Page], lab_address: str, language: str
) -> None:
    page = visit(f"{lab_address}#page=lab", language, 1280, "#lab[data-state]")

    def stream(route: Route) -> None:
        messages = Messages(json.loads(route.request.post_data or "{}")["run"])
        lines = [messages.progress(ANSWERS[0][0]), messages.error(ANSWERS[1][0])]
        route.fulfill(body="".join(f"data: {line}\n\n" for line in lines), content_type="text/event-stream")

    def refused(route: Route) -> None:
        large: Any = sentence("request_large", most=1_000_000)
        body = {"error": large, "detail": large, "code": large.code, "values": large.values}
        route.fulfill(status=413, body=json.dumps(body), content_type="application/json")

    page.route("**/specdemo-run/decode", stream)
    page.route("**/specdemo-run/race", refused)
    said = page.evaluate(ASKED)
    wanted = [words.get(language, str(text)) for text, words in ANSWERS]
    large = {"en": "A request may have", "da": "En forespørgsel må højst have", "ja": "要求は"}[language]
    assert said[:2] == wanted and said[2].startswith(large) and "1\u202f000\u202f000" in said[2]
