"""Who sees little or nothing, has a keyboard alone or a phone gets all that is on the pages: axe-core's rules, contrast, words for pictures."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from matplotlib.image import imread

from tests.pages.shown import RUN, SHOWN, Shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

# What Gradio draws itself and lets nobody change; each with the reason why it does no harm. Empty: all that was found could be mended.
EXCEPTIONS: dict[str, str] = {}
# The fast tests look at each page where most is on it; the slow ones at the rest.
FULLEST = ("front", "compare", "lab", "sandbox", "audit", "chapter")
LOOKS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(shown, id=shown.name, marks=[] if shown.name in FULLEST else [pytest.mark.slow]) for shown in SHOWN
    ],
)
def page(request: Any, app: Any, chromium: Browser) -> Iterator[Page]:
    """One page in one state for all the tests of this file; an error of a script fails the last of them."""
    shown: Shown = request.param
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    errors: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: errors.append(str(error)))
    shown.open(opened, app.url)
    yield opened
    context.close()
    assert errors == []


def look(page: Page, width: int, scheme: Any, forced: Literal["active", "none"] = "none") -> None:
    """Make the window so wide and of that scheme, and wait until all has been drawn anew; `forced`: a contrast theme's colours."""
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, forced_colors=forced)
    page.wait_for_function(
        "(dark) => document.body.classList.contains('dark') === dark", arg=scheme == "dark", timeout=60_000
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def findings(page: Page, **options: Any) -> list[str]:
    """axe-core's serious and critical findings, a line each."""
    from axe_playwright_python.base import AXE_SCRIPT

    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("(options) => axe.run(document, { resultTypes: ['violations'], ...options })", options)
    return [
        f"{one['id']} at {node['target'][0]}: {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
        if node["target"][0] not in EXCEPTIONS
    ]


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious(page: Page, width: int) -> None:
    look(page, width, "light")
    assert findings(page) == []
    look(page, width, "dark")
    assert findings(page, runOnly=["color-contrast"]) == []  # the one rule that colours can change


def luminance(colours: Any) -> Any:
    """Of sRGB colours (…, 3) from 0 to 255, as WCAG defines it."""
    part = np.asarray(colours, dtype=float) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def contrast(text: Any, ground: Any) -> Any:
    """The contrast of a colour (4,), its alpha last, with each of the pixels behind it (n, 3)."""
    mixed = text[3] * np.array(text[:3]) + (1 - text[3]) * ground
    light, dark = luminance(mixed), luminance(ground)
    return (np.maximum(light, dark) + 0.05) / (np.minimum(light, dark) + 0.05)


def test_contrast_is_what_the_standard_says() -> None:
    white = np.full((1, 3), 255.0)
    assert contrast([0, 0, 0, 1], white)[0] == pytest.approx(21)
    assert contrast([118, 118, 118, 1], white)[0] == pytest.approx(
        4.54, abs=0.005
    )  # the grey that just passes on white
    assert contrast([0, 0, 0, 0.5], white)[0] == pytest.approx(contrast([127.5, 127.5, 127.5, 1], white)[0])


def poor_words(page: Page) -> list[str]:
    """SVG texts that stand out less than 4.5:1 (3:1 where they are large) from what is really drawn behind them, for most of it."""
    page.evaluate("scrollTo(0, 0)")
    texts = page.evaluate("reach.texts()")
    page.evaluate("reach.withoutTexts(true)")
    picture = imread(BytesIO(page.screenshot(full_page=True)))[..., :3] * 255
    page.evaluate("reach.withoutTexts(false)")
    poor = set()
    for text in texts:
        left, top = round(text["x"]), round(text["y"])
        ground = picture[
            max(top, 0) : round(text["y"] + text["height"]), max(left, 0) : round(text["x"] + text["width"])
        ]
        if ground.size == 0:
            continue
        large = text["pixels"] >= 24 or (text["bold"] and text["pixels"] >= 18.66)
        reached = float(np.median(contrast(text["colour"], ground.reshape(-1, 3))))
        if reached < (3 if large else 4.5):
            poor.add(f"{reached:.2f} {text['where']}: {text['text'][:30]}")
    return sorted(poor)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_the_words_of_pictures_stand_out(page: Page, width: int, scheme: str) -> None:
    """axe-core reads no SVG."""
    look(page, width, scheme)
    assert poor_words(page) == []


# What has no word beside it: its ground is all there is of it.
FILLED = (".sd-marks i", "[class*=swatch]:not(svg)", ".sd-wbar, .sd-wbar i")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_differs_in_its_looks_differs_in_forced_colours_too(page: Page, scheme: str) -> None:
    look(page, 1280, scheme)
    usual = page.evaluate("reach.telling()")
    look(page, 1280, scheme, forced="active")
    forced = page.evaluate("reach.telling()")
    assert [one["where"] for one in forced] == [one["where"] for one in usual]
    alike = {
        f"{first['where']} = {second['where']}"
        for (before, first), (also, second) in combinations(zip(usual, forced, strict=True), 2)
        if before["kind"] == also["kind"] and before["look"] != also["look"] and first["look"] == second["look"]
    }
    assert sorted(alike) == []
    assert [one["where"] for one in forced if one["kind"] in FILLED and not one["filled"]] == []
    assert poor_words(page) == []
    look(page, 1280, "light")


def test_a_translator_of_pages_leaves_tokens_and_texts_alone(page: Page) -> None:
    found = page.evaluate("(prompt) => reach.translatable(prompt)", RUN["prompt"])
    assert found["wrong"] == []
    assert found["all"] >= 10  # the run that greets stands on every page, if hidden
    page.evaluate("document.querySelector('.sd-chip[data-token-id]').removeAttribute('translate')")
    assert len(page.evaluate("(prompt) => reach.translatable(prompt)", RUN["prompt"])["wrong"]) == 1
    page.evaluate("document.querySelector('.sd-chip[data-token-id]').setAttribute('translate', 'no')")


def test_nothing_is_wider_than_a_small_window(page: Page) -> None:
    """320 pixels, and a window of 1280 at 200 %: the page itself never scrolls sideways, and cuts nothing off."""
    for width in (320, 640):
        look(page, width, "light")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert page.evaluate("reach.cutOff()") == [], width


def test_each_picture_has_words(page: Page) -> None:
    look(page, 1280, "light")
    found = page.evaluate("reach.pictures()")
    assert [
        one["where"] for one in found if one["role"] not in ("img", "group", "application") or len(one["name"]) < 12
    ] == []


def test_the_tab_key_gets_to_every_control_and_out_again(page: Page) -> None:
    """Once through the page: each control has a name and shows that it has the focus, none holds it, and the order is that of reading."""
    look(page, 1280, "light")
    page.evaluate("reach.fromTheTop()")
    stops: list[dict[str, Any]] = []
    wrong: list[str] = []
    for _ in range(700):
        page.keyboard.press("Tab")
        found = page.evaluate("reach.stop()")
        here = found["at"]
        if found["unmarked"]:
            wrong.append(f"nobody sees that it has the focus: {found['unmarked']}")
        if here is None or (here["again"] and here["place"] == stops[0]["place"]):
            break
        if here["again"]:
            wrong.append(f"the focus comes back to {here['place']}")
            break
        if not here["name"]:
            wrong.append(f"it has no name: {here['place']}")
        if not here["inSight"]:
            wrong.append(f"it is out of sight while it has the focus: {here['place']}")
        stops.append(here)
    else:
        wrong.append("the page never ends")
    for before, after in pairwise(stops):
        back = after["y"] + after["height"] < before["y"] - 8 and after["x"] < before["x"] + before["width"] / 2
        if back and not before["apart"] and not after["apart"]:
            wrong.append(f"the focus jumps back from {before['place']} to {after['place']}")
    missed = page.evaluate("reach.missed()")
    assert wrong == [] and missed == [] and len(stops) > 10
