"""The files themselves, read as text: one script under its own policy, no address to fetch from, bounded size, and records that are checked."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from specdemo.examples.files import FOLDER
from specdemo.sandbox.state import RequestError
from specdemo.server import BrowserFiles
from specdemo.standalone import PAGES, filled, record_of, run_record, template

ASSETS = FOLDER.parent
LARGEST = 1_500_000  # bytes of 60 blocks
STATE: dict[str, Any] = {
    "symbols": 2,
    "gamma": 2,
    "context": "free",
    "draft": [[["2/3", "1/3"]]],
    "target": [[["1/3", "2/3"]]],
    "rules": ["token", "block"],
}


@pytest.fixture(scope="module")
def templates() -> dict[str, str]:
    return {page: template(page) for page in PAGES}


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return json.loads((FOLDER / "rescue.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_one_script_runs_and_nothing_is_fetched(templates: dict[str, str], page: str) -> None:
    text = templates[page]
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == 1 and text.count("<script") == 2
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0]
    own = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert "default-src 'none'" in policy and f"script-src 'sha256-{own}'" in policy and "http" not in policy
    assert text.index("Content-Security-Policy") < 300 < text.index("<style>")
    # The namespace of SVG, and links in words: no address in an attribute or a style.
    assert not re.search(r"(src|href|action)=(?!\"data:,\")|url\((?!\"|#|\$)|@import", text.replace(scripts[0], ""))
    assert "localhost" not in text and "127.0.0.1" not in text


def code_of(source: str) -> list[str]:
    """The lines that are no comments."""
    lines, inside = [], False
    for line in source.splitlines():
        inside = inside or line.lstrip().startswith("/*")
        if not inside and not line.lstrip().startswith("//"):
            lines.append(line)
        elif inside and "*/" in line:
            inside = False
            if line.split("*/", 1)[1].strip():
                lines.append(line)
    return lines


def test_the_same_modules_are_served_and_saved(templates: dict[str, str]) -> None:
    """Each line of a module's code stands in the file as it is served, but for the words that import and export."""
    for page, parts in PAGES.items():
        named = re.findall(r"^// (\S+\.js)$", templates[page], re.MULTILINE)
        assert parts.entry in named and {"svg.js", "format.js"} <= set(named)
        lines = set(templates[page].splitlines())
        for name in named:
            source = (ASSETS / "viewer" / name).read_text(encoding="utf-8")
            own = [line for line in code_of(source) if not re.match("import |export ", line)]
            assert set(own) <= lines, name


def test_the_server_hands_out_the_template_under_its_version(templates: dict[str, str]) -> None:
    files = BrowserFiles(ASSETS)
    for page in PAGES:
        answer = files.response(f"standalone/{page}.txt", files.version)
        assert answer.body == templates[page].encode() and "immutable" in answer.headers["cache-control"]
        assert answer.media_type == "text/plain; charset=utf-8", "it is no page of this app's own"
        assert files.response(f"standalone/{page}.txt", "0").headers["cache-control"] == "no-store"


def test_sixty_blocks_are_small_enough(templates: dict[str, str]) -> None:
    """By the largest blocks among the examples of the pair that ships."""
    for file in FOLDER.glob("*.json"):
        trace = json.loads(file.read_text(encoding="utf-8"))
        if file.name == "index.json":
            continue
        size, bare = (
            len(filled(templates["step"], run_record({**trace, "blocks": blocks})))
            for blocks in (trace["blocks"], trace["blocks"][:1])
        )
        each = (size - bare) / (len(trace["blocks"]) - 1)
        assert len(templates["step"]) < size and bare + 59 * each < 0.8 * LARGEST, file.name


@pytest.mark.slow
def test_sixty_blocks_of_the_pair_that_ships_are_small_enough(templates: dict[str, str]) -> None:
    from specdemo.decoding import Decoding
    from specdemo.trace import whole_run
    from tests.stories import prompts, stories

    settings: dict[str, Any] = {"gamma": 8, "verifier": "token", "temperature": 1.3, "max_new_tokens": 480}
    blocks: list[Any] = []
    for seed, prompt in enumerate(prompts(4)):  # each ends with its story
        decoding = Decoding(stories(), prompt, seed=seed, **settings)
        blocks += whole_run(decoding.head, decoding)["blocks"]
    assert len(blocks) >= 60
    largest = sorted(blocks, key=lambda block: len(json.dumps(block)))[-60:]
    size = len(filled(templates["step"], run_record({**decoding.head, "blocks": largest})).encode())
    assert 800_000 < size < LARGEST


def test_a_file_is_its_template_and_its_record(templates: dict[str, str], example: dict[str, Any]) -> None:
    record = record_of(example, "2025-01-02T03:04:05Z")
    text = filled(templates["step"], record)
    assert text == filled(templates["step"], record_of(json.loads(json.dumps(example)), "2025-01-02T03:04:05Z"))
    body = text[len(templates["step"]) : -len("</script>\n")]
    assert json.loads(body) == record and record["trace"] == example and record["saved"] == "2025-01-02T03:04:05Z"


def test_a_state_of_the_sandbox_is_answered_anew() -> None:
    lie = {
        "schema": "specdemo.sandbox-file/1",
        "state": STATE,
        "picture": {"schema": "specdemo.sandbox/1", "rules": "lies"},
        "optimum": 7,
    }
    record = record_of(lie)
    assert record["page"] == "sandbox" and record["state"] == STATE
    assert record["picture"]["rules"]["block"]["expected_fraction"] == "11/9"
    assert record["optimum"]["cost"] == pytest.approx(2 / 3) and record["longrun"]["blocks"] == 30
    by_position = {
        **STATE,
        "context": "position",
        "draft": [*STATE["draft"], [["1/2", "1/2"]]],
        "target": [*STATE["target"], [["1", "0"]]],
    }
    assert record_of({**lie, "state": by_position})["longrun"] is None


def test_what_cannot_be_shown_is_said(example: dict[str, Any]) -> None:
    def wrong(**changes: Any) -> dict[str, Any]:
        return {**example, **changes}

    cases: list[tuple[Any, str]] = [
        ([], "its schema is None"),
        ({"schema": "specdemo.trace/2"}, "'specdemo.trace/2'"),
        (wrong(blocks=[{}]), "wrong at blocks/0"),
        (wrong(blocks=[]), "no blocks"),
        (wrong(settings={**example["settings"], "seed": 2**53}), "the seed 9007199254740992"),
        (wrong(settings={**example["settings"], "gamma": 17}), "at most 16 drafted tokens"),
        (wrong(settings={**example["settings"], "temperature": 101.0}), "temperatures up to 100"),
        ({"schema": "specdemo.sandbox-file/1"}, "no state"),
        ({"schema": "specdemo.sandbox-file/1", "state": {**STATE, "draft": [[["2/3", "2/3"]]]}}, "draft law"),
    ]
    for exported, says in cases:
        with pytest.raises(ValueError, match=says):
            record_of(exported)
    with pytest.raises(RequestError, match="rules"):
        record_of({"schema": "specdemo.sandbox-file/1", "state": {**STATE, "rules": ["token", "nosuch"]}})


def test_missing_files_of_the_viewer_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="standalone"):
        template("step", tmp_path)
