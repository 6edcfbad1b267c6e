"""What the tests of badly written links share: each way of writing one badly, and a look at what a page says of many links in turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.worse_conditions import SLOWDOWN

if TYPE_CHECKING:
    from playwright.sync_api import Page

EACH = pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
BAD = {
    "empty": "",
    "text": "x!",
    "negative": "-1",
    "fraction": "1.5",
    "infinite": "1e999",
    "huge": "1" + "0" * 30,
    "garbage": "%FF%",
    "damaged": "%ZZ",
}
EVERY = tuple(BAD)


def but(*makes_sense: str) -> tuple[str, ...]:
    """All ways of writing badly, without those that are a value after all."""
    return tuple(name for name in EVERY if name not in makes_sense)


def rewritten(hash_: str, name: str, value: str | None) -> str:
    """The hash with one parameter as it is given, byte for byte; None: twice, with two values."""
    parts = [part for part in hash_.removeprefix("#").split("&") if part.partition("=")[0] != name]
    return "#" + "&".join([*parts, *([f"{name}={value}"] if value is not None else [f"{name}=1", f"{name}=2"])])


def broken(hash_: str, ways: dict[str, tuple[str, ...]], every: bool) -> Iterator[tuple[str, str, str]]:
    """Parameter, way, hash: each parameter written badly in each of its ways, and twice; or in one of them, each time another."""
    for number, (name, names) in enumerate(ways.items()):
        own = (*names, "twice")
        for way in own if every else own[number % len(own) :][:1]:
            yield name, way, rewritten(hash_, name, BAD.get(way))


def opened(page: Page, hashes: list[str], root: str, settle: str) -> list[dict[str, Any]]:
    """What is said of each link, one after the other in one document, and whether there is anything that is no number."""
    script = """async ({ hashes, root, settle, pause }) => {
      const out = [], ready = new Function(`return ${settle}`), rest = () => new Promise((done) => setTimeout(done, pause));
      const places = () => [...document.querySelectorAll(`${root} [role=alert], ${root} [role=status]`)];
      const notice = () => places().filter((node) => node.getClientRects().length).map((node) => node.textContent).join(" ");
      for (const hash of hashes) {
        location.hash = hash;
        await rest();
        for (let k = 0; k < 400 && !ready(); k++) await rest();
        await rest();
        const shown = document.querySelector(root), text = shown.innerText;
        const attributes = [...shown.querySelectorAll("*")].flatMap((node) => [...node.attributes]);
        const odd = attributes.filter(({ value }) => /\\bNaN\\b|\\bundefined\\b/.test(value)).map(({ name, value }) => `${name}=${value}`);
        out.push({ said: notice(), odd: [...odd, ...(text.match(/\\bNaN\\b|undefined|\\[object/g) || [])] });
      }
      return out;
    }"""
    return page.evaluate(script, {"hashes": hashes, "root": root, "settle": settle, "pause": 40 * SLOWDOWN})


def check(page: Page, links: list[tuple[str, str, str]], names: dict[str, str], root: str, settle: str) -> None:
    """Every link is complained of, by the name its control has on the page."""
    found = opened(page, [hash_ for _, _, hash_ in links], root, settle)
    silent = [
        (name, way, one["said"])
        for (name, way, _), one in zip(links, found, strict=True)
        if names[name] not in one["said"]
    ]
    assert silent == []
    assert [(name, way, one["odd"]) for (name, way, _), one in zip(links, found, strict=True) if one["odd"]] == []
