"""The Step page in a browser handles with care: fields, files, hostile texts, keys, errors, widths, times, examples."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.viewer import make_trace
from tests.viewer.serve import Handler
from tests.viewer.step_page import PROMPT, READY, address, link, open_page, place, trace
from tests.worse_conditions import SLOWDOWN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["address", "open_page"]  # fixtures
pytestmark = pytest.mark.browser


def test_settings_are_checked_at_the_field_and_never_changed_silently(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=1), wait=READY)
    for field, bad in (
        ("gamma", "17"),
        ("temperature", "-1"),
        ("top-p", "0"),
        ("top-k", "1.5"),
        ("seed", "9007199254740992"),
        ("max-tokens", "0"),
    ):
        page.fill(f"#{field}", bad)
        assert page.inner_text(f"#{field}-problem") and page.input_value(f"#{field}") == bad
    assert page.evaluate("viewer.store.view.changed") == []
    page.fill("#gamma", "7")
    assert page.inner_text("#gamma-problem") == "" and "Settings changed" in page.inner_text("#settings-changed")
    assert len(trace(page)["blocks"]) == 9
    page.click("#restart")
    page.wait_for_function("viewer.store.state.trace.settings.gamma === 7")
    page.wait_for_selector(READY)
    assert place(page)[:2] == ("0", "draft") and len(trace(page)["blocks"]) == 1


def test_a_file_goes_out_as_it_is_and_comes_back(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(link(b=2, phase="commit"), wait=READY)
    page.evaluate("viewer.actions.drag(0, 0.9)")
    with page.expect_download() as download:
        page.click("#export")
    file = tmp_path / "run.json"
    download.value.save_as(file)
    assert json.loads(file.read_text()) == trace(page)
    other = open_page()
    other.set_input_files("#import", file)
    other.wait_for_selector(READY)
    assert trace(other)["digest"] == trace(page)["digest"] and other.input_value("#prompt") == PROMPT
    run = json.loads(file.read_text())
    for change, words in (
        (lambda r: r.update(schema="specdemo.trace/9"), "/schema"),
        (lambda r: r["blocks"][1].update(gamma=17), "/blocks/1/gamma"),
        (lambda r: r["blocks"][1]["verdicts"]["block"]["length_law"].pop(), "/blocks/1/verdicts/block/length_law"),
        (
            lambda r: r["blocks"][1]["paths"][0]["rows"][2]["shown"]["target"].append("1"),
            "/blocks/1/paths/0/rows/2/shown/target",
        ),
        (lambda r: r["blocks"][2]["committed"].append(1), "/blocks/2/committed"),
        (lambda r: r["pieces"].update({"1": {"bytes": "zz"}}), "/pieces/1"),
        (lambda r: r["blocks"][0]["timings"].update(draft_steps="zzz"), "/blocks/0/timings/draft_steps"),
        (lambda r: r["prompt"].update(notice={"a": 1}), "/prompt/notice"),
        (lambda r: r["blocks"][0]["verdicts"]["block"].pop("next_prob"), "/blocks/0/verdicts/block/next_prob"),
        (lambda r: r.update(verifiers=["constructor"]), "/blocks/0/verdicts"),
    ):
        broken = json.loads(json.dumps(run))
        change(broken)
        file.write_text(json.dumps(broken))
        other.set_input_files("#import", file)
        other.wait_for_selector(".sd-notice.error")
        assert words in other.inner_text(".sd-notice.error")
        assert trace(other) == run
        other.click("#dismiss")
    for content in ("{}", "[]", "7", '{"a": 1}'):
        file.write_text(content)
        other.set_input_files("#import", file)
        other.wait_for_selector(".sd-notice.error")
        assert "This file is not a specdemo export (" in other.inner_text(".sd-notice.error")
        other.click("#dismiss")
    file.write_text("{")
    other.set_input_files("#import", file)
    assert "not JSON" in other.inner_text(".sd-notice.error")


@pytest.mark.parametrize(("language", "says"), [("en", "half precision"), ("da", "halv præcision"), ("ja", "半精度")])
def test_a_run_in_half_precision_says_what_its_text_depends_on(
    open_page: Callable[..., Page], language: str, says: str
) -> None:
    page = open_page(link() + f"&lang={language}", wait=READY)
    said = page.locator(".sd-notice.prompt")
    assert not said.is_visible(), "in float32 it does not"
    page.evaluate("""() => {
      const { trace } = viewer.store.state;
      viewer.store.set({ trace: { ...trace, pair: { ...trace.pair, dtype: "bfloat16" } } });
    }""")
    assert says in said.inner_text() and "bfloat16" in said.inner_text()


def test_hostile_pieces_are_text(open_page: Callable[..., Page]) -> None:
    page = open_page(link("block*20", PROMPT + " who lived near the river", b=19, phase="commit"), wait=READY)
    text = page.inner_text(".sd-line")
    for piece in ("${1+1}", "\\", "{{value}}", "&amp;", "⇥", "🦊"):
        assert piece in text, piece
    seen = set()
    for k in range(20):
        page.evaluate(f"viewer.actions.goTo({k}, null)")
        seen |= set(page.locator(".pic-token").all_text_contents())
    assert {"${1+1}", "\\", "`", "<b>x</b>", "⏎", "⇥", "·"} <= seen
    assert page.locator(".sd-line b").count() == 0
    group = page.locator(".sd-tok.group").first
    assert group.locator("[data-token-id]").count() == 2
    assert page.locator("#viewer script, #viewer img").count() == 0


def test_prediction_comes_before_the_coins(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=2, phase="commit"), query="predict=1", wait=READY)
    assert place(page)[1] == "score"
    assert page.locator(".sd-dot:visible").count() == 0
    assert "Your turn" in page.inner_text(".sd-sentence")
    page.click("#step")
    assert place(page)[1] == "score"
    assert "Make your bet first" in page.inner_text(".sd-sentence")
    page.click("[data-guess='1']")
    assert place(page)[1] == "verify"
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.evaluate("viewer.actions.goTo(2, 0)")
    kept = trace(page)["blocks"][2]["kept"]
    assert f"You said 1; block kept {kept}" in page.inner_text("#predict")


def test_keys_are_silent_while_typing(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=2, phase="verify", tried=1), wait=READY)
    page.focus("#prompt")
    page.keyboard.press("End")
    page.keyboard.type(" vp?")
    assert place(page)[:2] == ("2", "verify") and page.input_value("#prompt") == PROMPT + " vp?"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("v")
    assert page.locator("#viewer").get_attribute("data-rule") == "token"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.reload()
    page.wait_for_selector(READY)
    assert page.input_value("#prompt") == PROMPT + " vp?"


def test_an_error_keeps_everything_and_can_be_retried(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=2), wait=READY)
    page.fill("#prompt", "fail please")
    page.click("#restart")
    page.wait_for_selector("#viewer[data-state=error]")
    assert "asked for an error" in page.inner_text(".sd-notice.error")
    assert len(trace(page)["blocks"]) == 9 and page.input_value("#prompt") == "fail please"
    page.click("#retry")
    page.wait_for_selector("#viewer[data-state=error]")
    page.fill("#prompt", "Once")
    page.click("#run")
    page.wait_for_selector(READY)
    assert trace(page)["prompt"]["text"] == "Once"


def test_cancel_keeps_what_has_come(open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Handler, "delay", 0.2)
    page = open_page()
    page.fill("#prompt", PROMPT + " who lived near the river")
    page.fill("#max-tokens", "160")
    page.click("#run")
    page.wait_for_function("viewer.store.state.trace && viewer.store.state.trace.blocks.length > 2")
    page.click("#cancel")
    page.wait_for_selector(READY)
    have = len(trace(page)["blocks"])
    page.wait_for_timeout(300)
    assert len(trace(page)["blocks"]) == have
    monkeypatch.setattr(Handler, "delay", 0.0)
    page.keyboard.press("End")
    page.click("#step")
    page.wait_for_function(f"viewer.store.state.trace.blocks.length > {have}")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_never_scrolls_sideways(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(link(b=3, phase="commit"), wait=READY)
    page.set_viewport_size({"width": width, "height": 800})
    for key in ["ArrowLeft"] * 8:
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 1280:
        assert page.locator(".sd-panels").bounding_box()["y"] < 520  # type: ignore[index]


def test_a_step_is_painted_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=0), wait=READY)
    # The page's own processor time from key to paint: how busy the machine is otherwise does not count.
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

    times = []
    for _ in range(40):
        before = busy()
        page.evaluate(
            """() => new Promise((done) => {
              document.getElementById("step").click();
              requestAnimationFrame(() => setTimeout(done));
            })"""
        )
        times.append(1000 * (busy() - before))
    assert sorted(times)[20] <= 40 * SLOWDOWN, times


def test_every_number_is_the_trace_s_also_after_a_new_run(open_page: Callable[..., Page]) -> None:
    page = open_page(link(b=0), wait=READY)
    script = """() => {
      const trace = viewer.store.state.trace, wrong = [];
      for (const node of document.querySelectorAll('#viewer [data-path]')) {
        const path = node.getAttribute('data-path'), value = node.getAttribute('data-value');
        if (path.startsWith('derived:')) continue;
        const found = path.slice(1).split('/').reduce((x, key) => (x === null || x === undefined ? undefined : x[key]), trace);
        if (found === undefined || (String(found) !== value && Number(found) !== Number(value))) wrong.push([path, value, found]);
      }
      for (const chip of document.querySelectorAll('.sd-chip')) {
        if (chip.offsetParent && chip.textContent !== '?' && !chip.hasAttribute('data-token-id')) wrong.push(chip.textContent);
      }
      return wrong;
    }"""
    for rule in ("block", "token"):
        page.evaluate(f"viewer.actions.toStart(); viewer.actions.setRule('{rule}')")
        for _ in range(25):
            assert page.evaluate(script) == []
            page.keyboard.press("ArrowRight")
    page.fill("#seed", "9")
    page.click("#restart")
    page.wait_for_function("viewer.store.state.trace.settings.seed === 9")
    assert page.evaluate(script) == []


def test_examples_open_at_their_place_and_the_first_one_greets(chromium: Browser, address: str) -> None:
    runs = {
        "warm": make_trace.make_run(PROMPT, max_new_tokens=30),
        "cold": make_trace.make_run(PROMPT, max_new_tokens=30, temperature=0.0),
    }
    index = [
        {
            "name": name,
            "title": name,
            "about": f"about {name}",
            "file": f"{name}.json",
            "start": {"block": 1, "position": 2, "phase": "score", "rule": "token"},
        }
        for name in runs
    ]
    context = chromium.new_context()
    context.set_default_timeout(10_000)
    files = {"index": index, **runs}
    context.route("**/examples/*.json", lambda route: route.fulfill(json=files[Path(route.request.url).stem]))
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(READY)
    assert place(page) == ("1", "score", "2") and page.locator("#viewer").get_attribute("data-rule") == "token"
    assert page.input_value("#prompt") == PROMPT and "about warm" in page.inner_text(".sd-examples")
    page.click("[data-example=cold]")
    page.wait_for_function("viewer.store.state.trace.settings.temperature === 0")
    page.wait_for_function("location.hash.includes('example=cold')")
    page.reload()
    page.wait_for_selector(READY)
    assert page.input_value("#temperature") == "0" and place(page) == ("1", "score", "2")
    other = context.new_page()
    other.goto(address)
    other.wait_for_selector(READY)
    other.fill("#prompt", "the old fox")
    other.click("#step")
    other.wait_for_function("viewer.store.state.trace.prompt.text === 'the old fox'")
    assert place(page)[0] == "1"
    context.close()
