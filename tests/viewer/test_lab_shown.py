"""What the Lab shows of a figure and a pair: intervals, labels at the best γ, a pair's own tasks and temperature."""

from __future__ import annotations

from typing import Any

import pytest

from specdemo.lab.statistics import FEW_GROUPS
from specdemo.lab.table import _gain, _no_paper
from specdemo.lab.tasks import get, names
from tests.viewer.javascript import call
from tests.viewer.test_words import MODULE


def test_one_rule_says_which_intervals_are_shown_here_and_in_the_library(request: pytest.FixtureRequest) -> None:
    figures = [
        {"mean": mean, "low": low, "high": high}
        for mean, low, high in [(1.34, 0.0, 373.03), (0.05, -0.9, 1.09), (0.05, -0.9, 1.11), (5.0, 2.0, 6.0), (0.1, None, None)]
    ]  # fmt: skip
    body = "return payload.map((one) => m.insideParts(one, 'p', String).map((part) => part.value ?? part).join(''));"
    shown = call(request, "lab/lab_words.js", body, figures)
    assert shown == [" [interval too wide]", " [-0.9, 1.09]", " [interval too wide]", " [2, 6]", ""]
    library = [_gain(one) for one in figures]
    assert ["too wide" in one for one in library] == ["too wide" in one for one in shown]
    assert ["[" in one for one in library] == ["[" in one for one in shown]


def test_intervals_from_few_prompts_have_a_word(request: pytest.FixtureRequest) -> None:
    def result(task: str, count: int, groups: str = "prompt", timed: int = 0, draft: str = "a") -> dict[str, Any]:
        setting = {"draft": draft, "temperature": 1, "top_k": 0, "top_p": 1, "max_new_tokens": 64, "task": task}
        return {"setting": setting, "groups": groups, "group_count": count, "timed_prompts": timed}

    cases = [
        [result("austen", FEW_GROUPS), result("verse", 40, timed=6), result("verse", 3, draft="b")],
        [result("austen", FEW_GROUPS - 1), result("verse", 2)],
        [result("austen", 5), result("verse", 6), result("code", 6, timed=3)],
        [result("austen", 1)],
        [result("austen", 4, "seed", timed=1)],
    ]
    body = "return payload.map((results) => m.fewWords({ results }, 'a|1|0|1|64'));"
    assert call(request, "lab/lab_words.js", body, cases) == [
        "",
        "Fewer than six prompts: intervals may be too narrow.",
        "Fewer than six prompts of austen, code: intervals may be too narrow.",
        "",
        "Fewer than six seeds: intervals may be too narrow.",
    ]
    assert (
        call(request, "lab/lab_words.js", "return m.fewWords({ results: payload }, 'a|1|0|1|64', 'verse');", cases[2])
        == ""
    )


def test_labels_at_the_best_gamma_are_shared_or_apart(request: pytest.FixtureRequest) -> None:
    many = [[2, "greedy block"], [2, "exact match"], [2, "threshold"], [2, "product of uniforms"]]
    at = [[[1, "token"], [1, "block"]], [[1, "token"], [2, "block"]], [[1, "token"], [16, "block"]], many]
    body = """return payload.map((list) => m.bestLabels(list.map(([x, short]) => ({ x, short })), (x) => 46 + 17 * x, 340));"""
    shared, stacked, apart, split = call(request, "lab/chart.js", body, at)
    assert [one["words"] for one in shared] == ["best γ: token, block"]
    assert [one["line"] for one in stacked] == [0, 1] and [one["line"] for one in apart] == [0, 0]
    assert [one["words"] for one in split] == [
        "best γ: greedy block, exact match, threshold",
        "best γ: product of uniforms",
    ]
    assert [one["line"] for one in split] == [0, 1]
    assert all(46 <= one["x"] <= 340 - 6 * len(one["words"]) for one in [*shared, *stacked, *apart, *split])


def test_another_pair_brings_its_own_tasks_and_temperature_unless_others_were_chosen(
    request: pytest.FixtureRequest,
) -> None:
    stories = {"name": "stories", "drafts": [{"name": "a"}], "prompt_modes": ["text"], "temperature": 1.0}
    asked = {"name": "chat", "drafts": [{"name": "b"}], "prompt_modes": ["text", "chat"], "prompt_mode": "chat"}
    config = {
        "pairs": [{**stories, "prompt_mode": "text"}, {**asked, "temperature": 0.2}],
        "tasks": [{"name": name, "mode": "text"} for name in ("austen", "verse")] + [{"name": "instruct", "mode": "chat"}],
        "rules": [],
    }  # fmt: skip
    body = """const [text, chat] = payload.pairs, first = m.firstGrid(payload), there = m.withPair(payload, first, chat);
      const mine = m.withPair(payload, { ...first, tasks: ["verse"], temperatures: [0.7] }, chat);
      const back = (form) => m.withPair(payload, form, text);
      return [first, there, back(there), mine, back({ ...there, tasks: ["verse", "instruct"] })]
        .map((form) => [form.pair, form.drafts, form.tasks, form.temperatures]);"""
    assert call(request, "lab/store.js", body, config) == [
        ["stories", ["a"], ["verse", "austen"], [1]],
        ["chat", ["b"], ["instruct"], [0.2]],
        ["stories", ["a"], ["verse", "austen"], [1]],
        ["chat", ["b"], ["verse"], [0.7]],
        ["stories", ["a"], ["verse"], [1]],
    ]


def test_the_papers_table_takes_the_tasks_of_the_pairs_own_kind_and_says_so(request: pytest.FixtureRequest) -> None:
    pair = {"drafts": [{"name": "a"}], "temperature": 1.0}
    config = {
        "pairs": [
            {**pair, "name": "stories", "title": "Stories", "prompt_mode": "text"},
            {**pair, "name": "chat", "title": "Chat", "prompt_mode": "chat", "temperature": 0.5},
        ],
        "tasks": [{"name": name, "mode": "text"} for name in ("austen", "verse")] + [{"name": "instruct", "mode": "chat"}],
        "rules": [],
    }  # fmt: skip
    body = """return payload.pairs.map((pair) => {
      const grid = m.paperGrid(payload, { ...m.firstGrid(payload), pair: pair.name, temperatures: [0.3], own: { content: "x" } });
      return [grid.tasks, grid.temperatures, grid.own, m.paperWords(payload, pair)];
    });"""
    stories, chat = call(request, "lab/store.js", body, config)
    assert stories == [["austen", "verse"], [1], None, ""]
    assert chat[:3] == [["instruct"], [1], None]
    assert (
        chat[3].startswith("Chat answers instructions: the table is measured on instruct")
        and "begins at 0.5" in chat[3]
    )


def test_what_is_kept_of_other_tabs(request: pytest.FixtureRequest) -> None:
    """Tabs that measured nothing never push out those that did."""
    others = [
        {"id": f"{name}{n}", "updated": n + late, "facts": {"heads": heads}}
        for name, heads, late in (("measured", ["{}"], 0), ("empty", [], 100))
        for n in range(4)
    ]
    gone = call(request, "lab/keep.js", "return m.outdated(payload);", others)
    assert sorted(gone) == ["empty0", "empty1", "empty2", "empty3", "measured0"]
    few = [one for one in others if one["id"] in ("measured1", "empty2", "empty3")]
    assert call(request, "lab/keep.js", "return m.outdated(payload);", few) == []


def test_a_saved_sweep_holds_nobodys_own_prompts(request: pytest.FixtureRequest) -> None:
    state = {
        "answer": {"summary": {}},
        "shown": {"gamma": 4},
        "grid": {"pair": "a", "own": {"content": "secret"}},
        "heads": ["h"],
        "rows": ["r"],
    }
    body = "return [m.sweepRecord(payload), m.sweepRecord({ ...payload, grid: null })];"
    mine, opened = call(request, "save_html.js", body, state)
    assert mine["asked"] == {"pair": "a", "own": True} and opened["asked"] is None and "rows" not in mine
    assert (mine["page"], mine["places"], mine["shown"]) == ("lab", None, {"gamma": 4})


def test_the_words_of_tasks_and_of_the_paper_are_the_librarys(request: pytest.FixtureRequest) -> None:
    """The page tells the library's sentences by their English: one that it does not know would stay English in every language."""
    words = call(request, MODULE, "return (await m.catalogues()).words.en;", None)
    tasks: dict[str, str] = {}
    for name in names():
        task = get(name)
        tasks |= {f"task.{name}.name": name, f"task.{name}.title": task.title, f"task.{name}.note": task.note}
    assert words["tasks"] == tasks
    plain = {"gamma": 4, "temperature": 1, "top_k": 0, "top_p": 1}
    said = {"gamma": ({**plain, "gamma": 5}, 8), "cuts": ({**plain, "top_k": 40}, 8), "single": (plain, 1)}
    for key, (setting, count) in said.items():
        text = words["lab_pictures"][f"sweep.paper.{key}"].replace("{gamma}", str(setting["gamma"]))
        assert _no_paper(setting, count) == text


def test_what_is_shown_of_other_settings_is_told_from_what_is_still_to_come(request: pytest.FixtureRequest) -> None:
    """The form, the grid that was asked for last, and the grid of the summary that is shown."""
    four, seven = ({"pair": "p", "drafts": ["a"], "gammas": [8, gamma], "own": None} for gamma in (4, 7))
    other, mine = {**four, "pair": "q", "drafts": ["b"]}, {**four, "own": {"content": "a"}}
    none = {"answer": None, "answered": None}
    states = [
        {"status": "done", "form": four, "grid": four, "answered": {**four, "gammas": [4, 8]}},
        {"status": "done", "form": seven, "grid": four, "answered": four},
        {"status": "running", "form": seven, "grid": four, "answered": seven},
        {"status": "running", "form": seven, "grid": seven, "answered": four},
        {"status": "done", "form": seven, "grid": seven, "answered": four},
        {"status": "done", "form": other, "grid": four, "answered": four},
        {"status": "cancelled", "form": mine, "grid": four, "answered": four},
        {"status": "opened", "form": seven, "grid": None, "answered": None},
        {"status": "cancelled", "form": seven, "grid": four, **none},
        {"status": "empty", "form": seven, "grid": None, **none},
    ]
    body = "return payload.map((state) => m.changedWords({ answer: {}, ...state }));"
    changed, running, still = (
        "These results were measured with other settings ({}): start again.",
        "The sweep that is running has other settings ({}): cancel it to start with these.",
        "The results shown are still those of other settings ({}).",
    )
    assert call(request, "lab/status.js", body, states) == [
        "",
        changed.format("γ"),
        running.format("γ"),
        still.format("γ"),
        still.format("γ"),
        changed.format("Pair"),
        changed.format("your own prompts"),
        "",
        "",
        "",
    ]
