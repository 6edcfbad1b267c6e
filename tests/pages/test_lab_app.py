"""The Lab page in the running app: what it shows is the library's, a run survives a reload and a cancel, files go out and come in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from specdemo.lab.prediction import predict
from specdemo.lab.sweep_cell import measure
from specdemo.lab.sweep_cells import Grid, PairIdentity
from specdemo.lab.sweep_file import LabFile, parsed
from specdemo.lab.sweep_summary import summarise
from specdemo.lab.table import tables
from specdemo.lab.tasks import get
from specdemo.trace.run import pair_facts
from tests.tiny import compute_in_float64, tiny_pair

pytestmark = pytest.mark.browser

LENGTH = 16
PAGE = "#page-lab .specdemo-root"
DONE = PAGE + "[data-status=done]"
NUMBERS = """() => [...document.querySelectorAll('#page-lab [data-path^="lab:"]')].filter((node) => node.closest('svg') || node.offsetParent)
  .map((node) => [node.dataset.path.slice(4), node.dataset.value])"""


def link(**changes: Any) -> str:
    asked = {
        "pair": "tiny", "drafts": "tiny-draft", "tasks": "verse,austen", "rules": "token,block", "gammas": "2,3", "temperatures": "1.5",
        "prompts": 2, "max": LENGTH,
    }  # fmt: skip
    return "/#page=lab&" + urlencode({**asked, **changes}, safe=",")


def at(record: Any, pointer: str) -> Any:
    for name in pointer.removeprefix("/").split("/"):
        record = record[int(name) if isinstance(record, list) else name]
    return record


def saved(page: Any, kind: str) -> str:
    with page.expect_download() as download:
        page.click(f"#lab-save-{kind}")
    return Path(download.value.path()).read_text(encoding="utf-8")


def run(page: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]], str]:
    """Start, wait for the end and its summary, and the file that the page then saves."""
    page.wait_for_selector("#lab-start:enabled")
    page.click("#lab-start")
    page.wait_for_selector(DONE, timeout=120_000)
    page.wait_for_function(
        "() => /Start again/.test(document.querySelector('#lab-start').innerText) && document.querySelector('#page-lab .lab-best')"
    )
    text = saved(page, "jsonl")
    return *parsed([line.encode() for line in text.splitlines()], "saved"), text


def test_a_sweep_on_the_page_is_the_librarys(app: Any, open_tab: Any, tmp_path: Path) -> None:
    """Rows as `measure` makes them, every number shown as `summarise` has it, and a file that the command goes on from."""
    page = open_tab(app, link()).page
    heads, rows, text = run(page)
    compute_in_float64()
    pair = tiny_pair(context=640, eos=None, chat=True)
    grid = Grid((get("verse"), get("austen")), gammas=(2, 3), temperatures=(1.5,), prompts=2, max_new_tokens=LENGTH)
    assert len(rows) == 8
    settings = {(row["cell"]["task"], row["cell"]["gamma"], row["cell"]["prompt"]): row for row in rows}
    for cell in list(grid.cells([PairIdentity.of(pair)]))[:2]:
        expected = measure(pair, cell)["statistics"]
        found = settings[cell.task, cell.gamma, cell.prompt]["statistics"]
        for rule in ("token", "block"):
            assert found["runs"][rule]["expected"] == pytest.approx(expected["runs"][rule]["expected"], rel=1e-9)
    summary = summarise(heads, rows, [row["cell"] for row in rows])
    answer = {
        "summary": summary,
        "tables": [{"lines": [{"figures": line.figures} for line in one.lines]} for one in tables(summary)],
    }
    page.wait_for_function("() => document.querySelectorAll('#page-lab .lab-mark').length > 8")
    numbers = [(path, value) for path, value in page.evaluate(NUMBERS) if "/paper/" not in path]
    assert len(numbers) > 150 and {path.split("/")[1] for path, _ in numbers} == {"summary", "tables"}
    for path, value in numbers:
        assert float(value) == pytest.approx(float(at(json.loads(json.dumps(answer)), path)), rel=1e-12, abs=0), path
    file = tmp_path / "page.jsonl"
    file.write_text(text, encoding="utf-8")
    with LabFile(file) as kept:
        assert len(kept.keys) == 8 and kept.notices == []
        facts = json.loads(text.splitlines()[0])
        own = {**pair_facts(pair), **facts["pair"], "draft_revision": facts["drafts"]["tiny-draft"]}
        kept.begin([{**own, "draft": "tiny-draft"}], facts["machine"]["threads"])
        assert len(kept.heads) == 1
    fastest = max(summary["predictions"], key=lambda one: (one["setting"]["task"] is None, one["best_speedup"]))
    first = page.locator("#page-lab .lab-choice-table tbody tr").first
    assert first.get_attribute("data-rule") == fastest["rule"]
    assert saved(page, "csv").startswith("draft,") and "| average |" in saved(page, "md").replace("**", "")


def test_sliders_move_the_prediction_as_the_library_would(app: Any, open_tab: Any) -> None:
    page = open_tab(app, link(prompts=1, tasks="verse")).page
    heads, rows, _ = run(page)
    summary = summarise(heads, rows, [row["cell"] for row in rows])
    found = [one for one in summary["predictions"] if one["setting"]["task"] == "verse"]
    assert page.inner_text("#lab-sentences [data-rule=block]") == f"block: {found[-1]['sentence']}"
    page.click("#page-lab [data-what-if=larger]")
    for one in found:
        moved = predict(one["gammas"], one["expected"], one["draft_cost"] / 10, one["verify_cost"])
        assert page.inner_text(f"#lab-sentences [data-rule={one['rule']}]") == f"{one['rule']}: {moved.sentence}"
        marker = page.get_attribute(f"#page-lab .lab-best[data-rule={one['rule']}]", "data-value")
        assert int(marker) == moved.best_gamma
    page.evaluate(
        "() => { const s = document.querySelector('#lab-c'); s.value = '1'; s.dispatchEvent(new Event('input')); }"
    )
    assert "Speculation loses here" in page.inner_text("#lab-sentences")
    page.click("#page-lab [data-what-if=measured]")
    assert page.inner_text("#lab-sentences [data-rule=block]") == f"block: {found[-1]['sentence']}"


def test_a_run_survives_a_reload_and_a_cancel(app: Any, open_tab: Any) -> None:
    """After a reload it goes on by itself with the rows it has; what is there when it is stopped stays, and is not measured again."""
    page = open_tab(app, link(prompts=8, max=60)).page
    page.wait_for_selector("#lab-start:enabled")
    page.click("#lab-start")
    page.wait_for_function(f"() => Number(document.querySelector('{PAGE}').dataset.rows) >= 2", timeout=60_000)
    before = int(page.get_attribute(PAGE, "data-rows"))
    page.reload()
    page.wait_for_function(
        f"(n) => Number(document.querySelector('{PAGE}')?.dataset.rows) > n", arg=before, timeout=120_000
    )
    assert page.get_attribute(PAGE, "data-status") == "running" and page.locator("#lab-cancel").is_visible()
    page.click("#lab-cancel")
    kept = int(page.get_attribute(PAGE, "data-rows"))
    assert page.get_attribute(PAGE, "data-status") == "cancelled" and "kept" in page.inner_text("#lab-status")
    page.wait_for_selector("#page-lab .lab-table")
    page.reload()
    page.wait_for_selector("#page-lab .lab-table")
    assert int(page.get_attribute(PAGE, "data-rows")) == kept
    assert page.get_attribute(PAGE, "data-status") == "cancelled"
    first = saved(page, "jsonl").splitlines()[1 : kept + 1]
    page.fill("#lab-prompts", "1")
    page.wait_for_function("() => /^4 cells/.test(document.querySelector('#lab-plan').innerText)")
    page.click("#lab-start")
    page.wait_for_selector(DONE, timeout=60_000)
    assert saved(page, "jsonl").splitlines()[1 : kept + 1] == first


def test_what_is_typed_beside_a_file_survives_a_reload(app: Any, open_tab: Any, tmp_path: Path) -> None:
    page = open_tab(app, link()).page
    page.wait_for_selector("#lab-start:enabled")
    page.click("#lab-own > summary")
    page.fill("#lab-own-text", "the cat\nthe dog ran")
    mine = tmp_path / "mine.txt"
    mine.write_text("a dog\na cat\na mat\n", encoding="utf-8")
    page.set_input_files("#lab-own-file", mine)
    told = "() => /mine.txt: 3 prompts of yours.*box is kept/.test(document.querySelector('#lab-own-note')?.innerText)"
    page.wait_for_function(told)
    for _ in range(2):  # a second reload has only what the first brought back
        page.reload()
        page.wait_for_function(told)
        assert page.input_value("#lab-own-text") == "the cat\nthe dog ran"
    page.click("#lab-own-clear")
    page.wait_for_function("() => /2 prompts of yours/.test(document.querySelector('#lab-own-note').innerText)")
    assert page.input_value("#lab-own-text") == "the cat\nthe dog ran"
    page.click("#lab-copy-link")
    page.wait_for_function("() => document.querySelector('#lab-message').innerText.includes('everything but your own prompts')")
    page.fill("#lab-own-text", "x" * 200_001)
    page.wait_for_timeout(600)
    page.reload()
    page.wait_for_function("() => document.querySelector('#lab-own-text')?.value.length === 200001")
    assert "at most 200000 are read here" in page.inner_text("#lab-own-problem")


def test_the_papers_table_says_what_it_takes(app: Any, open_tab: Any) -> None:
    page = open_tab(app, link()).page
    page.wait_for_selector("#lab-start:enabled")
    page.select_option("#lab-pair", "smollm2")
    page.click("#lab-paper")
    assert page.input_value("#lab-temperatures") == "1"
    chosen = page.eval_on_selector_all(
        "#lab-tasks input", "(boxes) => boxes.filter((one) => one.checked).map((one) => one.value)"
    )
    assert chosen == ["instruct"] and "measured on instruct" in page.inner_text("#lab-message")


@pytest.mark.slow
def test_a_restarted_server_carries_on(new_app: Any, open_tab: Any) -> None:
    new_app.start()
    page = open_tab(new_app, link(prompts=6, max=60)).page
    page.wait_for_selector("#lab-start:enabled")
    page.click("#lab-start")
    page.wait_for_function(f"() => Number(document.querySelector('{PAGE}').dataset.rows) >= 2", timeout=60_000)
    new_app.stop()
    page.wait_for_function("() => /Trying again/.test(document.querySelector('#lab-status').innerText)")
    new_app.start()
    page.wait_for_selector(DONE, timeout=120_000)
    text = saved(page, "jsonl").splitlines()
    _, rows = parsed([line.encode() for line in text], "saved")
    assert len(rows) == 24 and sum('"kind":"row"' in line for line in text) == 24


def test_own_prompts_and_files_are_checked_and_errors_name_the_line(app: Any, open_tab: Any, tmp_path: Path) -> None:
    page = open_tab(app, link()).page
    page.wait_for_selector("#lab-start:enabled")
    page.click("#lab-own > summary")
    wrong = tmp_path / "mine.jsonl"
    wrong.write_text('"the cat"\nno json\n', encoding="utf-8")
    page.set_input_files("#lab-own-file", wrong)
    page.wait_for_function("() => /line 2/.test(document.querySelector('#lab-problem').innerText)")
    assert page.locator("#lab-start").is_disabled()
    page.click("#lab-own-clear")
    page.fill("#lab-own-text", "the cat\nthe cat\n")
    page.wait_for_function(
        "() => /2 prompts of yours.*repeats/.test(document.querySelector('#lab-own-note').innerText)"
    )
    page.fill("#lab-gammas", "4, 99")
    assert "99 is not from 1 to 16" in page.inner_text("#lab-gammas-problem")
    assert page.locator("#lab-start").is_disabled()
    page.fill("#lab-gammas", "2, 4")
    page.fill("#lab-prompts", "1000")
    page.fill("#lab-max-new-tokens", "512")
    page.wait_for_function("() => /at most 200\\s000/.test(document.querySelector('#lab-problem').innerText)")
    assert "--tasks verse,austen,my-prompts.txt" in page.inner_text("#lab-command")
    other = tmp_path / "other.jsonl"
    other.write_text('{"schema":"specdemo.lab/2"}\n', encoding="utf-8")
    page.set_input_files("#lab-open", other)
    page.wait_for_function(
        "() => /specdemo.lab.2, this page reads/.test(document.querySelector('#lab-message').innerText)"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_file_is_looked_at_on_a_phone(app: Any, chromium: Any, tmp_path: Path, scheme: str) -> None:
    """An opened file of the library: its table, pictures with readouts by keyboard, nothing wider than the window."""
    from specdemo.lab.sweep_file import as_line
    from tests.lab.swept import the_head, the_rows

    file = tmp_path / "swept.jsonl"
    file.write_text("\n".join([as_line(the_head()), *map(as_line, the_rows()), '{"kind":"ro']), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    try:
        page.goto(app.url + link())
        page.wait_for_selector("#lab-start:enabled")
        page.set_input_files("#lab-open", file)
        page.wait_for_selector("#page-lab .is-average")
        assert "was cut off" in page.inner_text("#lab-message")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        page.focus("#page-lab .pic-lab-efficiency .lab-chart")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        said = page.inner_text("#lab-efficiency-readout")
        assert said.startswith("token, γ ")
        shown = page.get_attribute("#lab-efficiency-readout [data-path]", "data-value")
        assert shown in [
            node.get_attribute("data-value")
            for node in page.query_selector_all("#page-lab .pic-lab-efficiency .lab-mark[data-path]")
        ]
        page.click("#page-lab .pic-lab-speed .lab-as-table > summary")
        page.wait_for_selector("#page-lab .pic-lab-speed .lab-as-table td [data-path]")
        with page.expect_download() as download:
            page.click("#page-lab [data-export='lab-efficiency.svg']")
        assert "<svg" in Path(download.value.path()).read_text(encoding="utf-8")
    finally:
        page.close()
