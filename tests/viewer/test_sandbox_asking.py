"""Whom the Sandbox asks when: the programme when the hand rests, the newest state only, again after a failure, and how fast a change is drawn."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.viewer.sandbox_page import READY, address, link, open_page, paper, random_state, settled, three

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, Route

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_the_programme_is_asked_for_when_the_hand_rests(open_page: Callable[..., Page]) -> None:
    page = open_page(link(three()))
    settled(page)
    asked: list[str] = []
    page.on(
        "request",
        lambda request: asked.append(request.url.rsplit("/", 1)[1]) if "specdemo-api" in request.url else None,
    )
    box = page.locator(".sb-bar.draft[data-symbol=A] .sb-hit").bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 12)
    page.mouse.down()
    for n in range(12):
        page.mouse.move(box["x"] + 5, box["y"] + 12 + 4 * n)
        page.wait_for_timeout(40)
    page.wait_for_timeout(400)
    assert set(asked) == {"sandbox"} and page.evaluate("sandbox.store.view.pending.optimum")
    assert page.locator(".is-waiting").count() > 0
    page.mouse.up()
    settled(page)
    assert asked.count("optimum") == 1
    page.select_option("#sandbox-left-rule", "greedy_block")
    settled(page)
    page.wait_for_timeout(400)
    assert asked.count("optimum") == 1, "the rules do not change the optimum"


def test_one_question_at_a_time_and_the_newest_wins(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()))
    settled(page)
    waiting: list[Route] = []
    page.route("**/specdemo-api/sandbox", lambda route: waiting.append(route))
    for n in range(1, 6):
        page.evaluate("(text) => sandbox.actions.setProbability('draft', 0, 0, 0, text)", f"0.{n}")
        page.evaluate("(text) => sandbox.actions.setProbability('draft', 0, 0, 1, text)", f"0.{10 - n}")
    page.wait_for_timeout(200)
    assert len(waiting) == 1 and page.evaluate("sandbox.store.view.pending.picture")
    waiting.pop().continue_()
    page.wait_for_timeout(300)
    assert len(waiting) == 1
    assert json.loads(waiting[0].request.post_data or "")["draft"] == [[["0.5", "0.5"]]]
    waiting.pop().continue_()
    page.wait_for_selector(READY)
    page.wait_for_timeout(200)
    assert not waiting and page.evaluate("sandbox.store.view.picture.levels.draft") == [[[0.5, 0.5]]]


def refusal(status: int) -> Callable[[Route], None]:
    return lambda route: route.fulfill(
        status=status, content_type="application/json", body=f'{{"error": "No: {status}."}}'
    )


def test_a_server_that_is_gone_is_said_and_asked_again(open_page: Callable[..., Page]) -> None:
    page = open_page(link(paper()), tolerate=("status of 502", "status of 400", "status of 503"))
    settled(page)
    before = page.evaluate("sandbox.store.view.picture")
    page.route("**/specdemo-api/sandbox", lambda route: route.fulfill(status=502, body="gone"))
    page.select_option("#sandbox-gamma", "3")
    page.wait_for_selector("#sandbox-again:visible")
    assert "does not answer" in page.inner_text(".sb-failure") and page.evaluate("sandbox.store.view.picture") == before
    page.unroute("**/specdemo-api/sandbox")
    page.click("#sandbox-again")
    page.wait_for_function("sandbox.store.view.picture.gamma === 3")
    assert not page.locator(".sb-failure").is_visible()
    for status, again in ((400, False), (503, True)):
        page.route("**/specdemo-api/sandbox", refusal(status))
        page.select_option("#sandbox-gamma", "2" if again else "1")
        page.wait_for_function(
            "(words) => document.querySelector('.sb-failure').textContent.includes(words)",
            arg=f"No: {status}.",
        )
        assert page.locator("#sandbox-again").is_visible() == again


def test_the_long_run_follows_the_laws_once_it_was_asked_for(open_page: Callable[..., Page]) -> None:
    page = open_page(link({**paper(), "rules": ["block", "greedy_block"]}))
    page.click("#sandbox-longrun")
    settled(page)
    found = page.evaluate("sandbox.store.view.longrun")
    assert found["rules"]["block"]["long_run"] == pytest.approx(20 / 9, abs=1e-9)
    assert found["rules"]["greedy_block"]["long_run"] == pytest.approx(2.1111, abs=5e-5)
    page.select_option("#sandbox-gamma", "1")
    settled(page)
    assert page.evaluate("sandbox.store.view.longrun.rules.block.long_run") == pytest.approx(5 / 3, abs=1e-9)
    page.select_option("#sandbox-context", "prefix")
    settled(page)


IDLE = 60.0  # ms
MEASURE = """async ({ symbol, from }) => {
  // From a pointer event's own time to the frame in which its state is drawn.
  const bar = document.querySelector(`.sb-bar.draft[data-symbol=${symbol}] .sb-hit`);
  const box = bar.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + 12, times = [];
  const common = { bubbles: true, cancelable: true, pointerId: 1, button: 0, clientX: x };
  const point = (type, dy) => bar.dispatchEvent(new PointerEvent(type, { ...common, clientY: y + dy }));
  bar.setPointerCapture = () => {};
  point('pointerdown', 0);
  for (let n = 1; n <= 40; n++) {
    await new Promise(requestAnimationFrame);
    const began = performance.now();
    point('pointermove', (n % 20) * 2 + from);
    while (!sandbox.store.view.current) await new Promise((done) => setTimeout(done, 1));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    times.push(performance.now() - began);
  }
  point('pointerup', 0);
  return times;
}"""


@pytest.mark.slow  # times mean something on a quiet machine only
@pytest.mark.parametrize("size", [(2, 2), (3, 3), (3, 4)])
def test_a_change_is_drawn_while_one_drags(open_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = open_page(link(random_state(11, "position", *size)))
    settled(page)
    medians: list[float] = []
    while len(medians) < 4 and (not medians or min(medians) > IDLE):
        medians.append(statistics.median(page.evaluate(MEASURE, {"symbol": "A", "from": 3})))
    print(f"{size}: pointer to painted, median {min(medians):.0f} ms")
    # On a machine of its own the page does it within IDLE; one that others use as well gets more.
    assert min(medians) <= 3 * IDLE


def is_api(request: Request) -> bool:
    return "specdemo-api" in request.url


def test_a_page_that_is_not_looked_at_asks_nothing(open_page: Callable[..., Page]) -> None:
    page = open_page("#page=audit", wait="#audit[data-state=empty]")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if is_api(request) else None)
    page.wait_for_timeout(500)
    assert asked == [] and page.evaluate("location.hash") == "#page=audit"
    page.evaluate("show('sandbox')")
    page.wait_for_selector(READY)
    page.wait_for_timeout(350)
    assert page.evaluate("location.hash").startswith("#page=sandbox&s=2,2,free:2/3,1/3:1/3,2/3")
