"""Teacher mode without a document: links that fix and hide, guarded actions, bets and the truths they are compared with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.viewer import make_trace
from tests.viewer.javascript import call
from tests.viewer.sandbox_page import library, paper, three

pytestmark = pytest.mark.browser


def test_a_link_is_read_with_care(request: pytest.FixtureRequest) -> None:
    body = "return payload.map((search) => m.read(search));"
    asked = [
        "?fix=rule,gamma&hide=seed,draft&predict=tau,rescued&big=1",
        "?fix=Verifier,%CE%B3,top-k,rule&fix=nonsense&hide=<b>&predict=1&big=yes",
        "?fix=all&other=kept",
        "?hide=all&predict=all," + ",".join(f"n{k}" for k in range(30)),
    ]
    first, second, third, fourth = call(request, "teacher/query.js", body, asked)
    assert first == {
        "fix": ["rule", "gamma"],
        "hide": ["seed", "draft"],
        "predict": ["tau", "rescued"],
        "big": True,
        "unknown": [],
    }
    assert second["fix"] == ["rule", "gamma", "top_k"] and second["predict"] == ["tau"] and not second["big"]
    assert second["unknown"] == ["fix=nonsense", "hide=<b>", "big=yes"]
    assert third["fix"] == ["all"] and third["unknown"] == []
    assert fourth["unknown"][0] == "predict=all" and len(fourth["unknown"]) == 31  # hide knows "all", predict does not


def test_a_link_goes_round(request: pytest.FixtureRequest) -> None:
    body = """return payload.map((one) => [m.written('?lang=da&fix=old&big=1', one), m.read(m.written('?lang=da', one)),
      m.released(m.written('?lang=da', one))]);"""
    settings = [
        {"fix": ["all", "step"], "hide": ["seed"], "predict": ["rescued"], "big": True},
        {"fix": [], "hide": ["coupling"], "predict": [], "big": False},
    ]
    (made, again, left), (plain, other, free) = call(request, "teacher/query.js", body, settings)
    assert made == "?lang=da&fix=all,step&hide=seed&predict=rescued&big=1" and plain == "?lang=da&hide=coupling"
    assert again == {**settings[0], "unknown": []} and other == {**settings[1], "unknown": []}
    assert left == "?lang=da&big=1" and free == "?lang=da"


def test_what_a_list_means_on_each_page(request: pytest.FixtureRequest) -> None:
    body = """const pages = ["step", "compare", "sandbox"];
      return {names: Object.fromEntries(pages.map((page) => [page, m.controlsOf(page).map(({name}) => name)])),
        all: pages.map((page) => m.meant(page, "fix", ["all"])), short: m.shortened("step", "fix", [...m.meant("step", "fix", ["all"]), "step"]),
        draft: m.withCarried("step", ["draft"]), coins: m.withCarried("step", ["coins"]), laws: m.withCarried("sandbox", ["laws"])};"""
    found = call(request, "teacher/controls.js", body, None)
    for page, names in found["names"].items():
        assert len(names) == len(set(names)), page
    assert {"prompt", "rule", "seed", "coins"} <= set(found["all"][0]) and not {"step", "run", "help"} & set(
        found["all"][0]
    )
    assert found["short"] == ["all", "step"]
    # Another pair would bring another draft, an example or a file another everything; a coin changes no setting.
    assert set(found["draft"]) == {"draft", "pair", "examples", "import"} and found["coins"] == ["coins"]
    assert set(found["laws"]) == {"laws", "preset", "random", "import"}


def test_closed_actions_refuse_and_still_serve_each_other(request: pytest.FixtureRequest) -> None:
    body = """const done = [], told = []; let open = true;
      const actions = {setField: (name, value) => done.push([name, value]), step: () => done.push("step"), setRule: () => done.push("rule"),
        exportTrace: () => done.push("export"), twice: () => { actions.setRule(); actions.step(); }};
      const mine = m.guarded(actions, "step", ["gamma", "rule"], () => (open ? "first" : null), (words) => told.push(words));
      mine.setField("gamma", 2); mine.setField("seed", 3); const refused = mine.setRule();
      mine.step(); mine.exportTrace(); open = false; mine.exportTrace(); mine.twice();
      mine.pending = 7;
      return {done, told, refused, same: mine.setRule === mine.setRule, pending: actions.pending};"""
    found = call(request, "teacher/guard.js", body, None)
    assert found["done"] == [["seed", 3], "step", "export", "rule", "step"]
    assert (found["told"], found["refused"], found["same"], found["pending"]) == (["first"], False, True, 7)


def own_rescued(block: dict[str, Any]) -> list[int]:
    """Before the last kept token of the block rule, those whose own test η < T/D fails."""
    kept, rows = block["verdicts"]["block"]["accepted"], block["paths"][0]["rows"]
    return [i + 1 for i in range(kept - 1) if block["uniforms"]["verify"][i] >= min(1.0, float(rows[i]["ratio"]))]


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    return make_trace.make_run("Once upon a time there was a kind old fox who lived near the river", max_new_tokens=120)


def test_truths_are_those_of_the_trace(request: pytest.FixtureRequest, run: dict[str, Any]) -> None:
    body = """return payload.blocks.map((block, blockIndex) => {
        const view = {block, blockIndex}, questions = m.blockQuestions(view, ["tau", "rescued"], ["token", "block"]);
        const right = questions.map(({id, options}) => options.filter(
          ({value}) => m.blockTold(view, {[id]: value})[0].right).map(({value}) => value));
        return {ids: questions.map(({id}) => id), right, options: questions.map(({options}) => options.length)};
      });"""
    found = call(request, "teacher/questions.js", body, run)
    seen = set()
    for block, made in zip(run["blocks"], found, strict=True):
        rescued = own_rescued(block)
        seen.add(bool(rescued))
        assert made["ids"] == ["tau:token", "tau:block", "rescued"]
        assert made["options"] == [block["gamma"] + 1, block["gamma"] + 1, block["gamma"] + 1]
        kept = [[str(block["verdicts"][rule]["accepted"])] for rule in ("token", "block")]
        assert made["right"] == [*kept, [str(i) for i in rescued] or ["none"]]
    assert seen == {True, False}


def test_what_is_told_of_a_bet_are_the_traces_numbers(request: pytest.FixtureRequest, run: dict[str, Any]) -> None:
    body = """const bets = {"tau:token": "1", "tau:block": "0", rescued: "2"};
      return payload.blocks.map((block, blockIndex) => m.blockTold({block, blockIndex}, bets));"""
    right = set()
    for k, (block, told) in enumerate(
        zip(run["blocks"], call(request, "teacher/questions.js", body, run), strict=True)
    ):
        for (rule, bet), one in zip((("token", 1), ("block", 0)), told, strict=False):
            verdict, base = block["verdicts"][rule], f"/blocks/{k}/verdicts/{rule}"
            law, kept = verdict["length_law"], verdict["accepted"]
            assert one["slots"]["kept"] == {"value": kept, "path": f"{base}/accepted", "whole": True}
            assert one["slots"]["chance"] == {"value": law[kept], "path": f"{base}/length_law/{kept}"}
            chance = law[bet] if bet < len(law) else 0
            assert one["slots"]["other"] == {"value": chance, "path": f"{base}/length_law/{bet}"}
            assert (one["right"], one["words"]) == (bet == kept, f"bet.tau_{'right' if bet == kept else 'wrong'}")
            right.add(one["right"])
        rescued = own_rescued(block)
        assert told[2]["words"] == f"bet.rescued_one_{'some' if rescued else 'none'}"
        assert told[2]["slots"] == {"bet": "2", "positions": ", ".join(map(str, rescued)), "count": len(rescued)}
    assert right == {True, False}


def test_the_numbers_to_bet_by_stand_under_their_heads(request: pytest.FixtureRequest, run: dict[str, Any]) -> None:
    body = """return payload.blocks.map((block, blockIndex) => m.scored({block, blockIndex, rules: ["token", "block", "absent"]}));"""
    for k, (block, table) in enumerate(
        zip(run["blocks"], call(request, "teacher/block_numbers.js", body, run), strict=True)
    ):
        assert table["heads"][2:5] == ["D", "T", "r"] and len(table["heads"]) == 7
        assert len(table["rows"]) == block["gamma"]
        for i, (cells, row) in enumerate(zip(table["rows"], block["paths"][0]["rows"], strict=False)):
            base = f"/blocks/{k}"
            shown = [(row[name], f"{base}/paths/0/rows/{i}/{name}") for name in ("draft", "target", "ratio")]
            shown += [
                (block["verdicts"][rule]["accept_prob"][i], f"{base}/verdicts/{rule}/accept_prob/{i}")
                for rule in ("token", "block")
            ]
            assert cells[:2] == [str(i + 1), {"id": row["token"], "kind": "draft"}]
            assert cells[2:] == [{"value": value, "path": path} for value, path in shown]


def test_a_block_without_the_block_rule_or_without_a_draft_asks_less(request: pytest.FixtureRequest) -> None:
    body = """const token = {accepted: 0, length_law: [1, 0]};
      return [m.askable({gamma: 1, verdicts: {token}}, ["tau", "rescued"]),
        m.askable({gamma: 0, verdicts: {token, block: token}}, ["tau", "rescued"]), m.askable(null, ["tau"])];"""
    assert call(request, "teacher/questions.js", body, None) == [["tau"], [], []]


@pytest.mark.parametrize("given", [paper(), three(), {**three(), "target": three()["draft"]}])
def test_the_better_rule_is_that_of_the_picture(request: pytest.FixtureRequest, given: dict[str, Any]) -> None:
    picture = library(given)
    token, block = (picture["rules"][rule]["expected"] for rule in ("token", "block"))
    body = """const told = (keeps) => m.stateTold({picture: payload.picture, state: payload.state}, {keeps})[0];
      return [["token", "block", "same"].filter((keeps) => told(keeps).right), told("same").slots];"""
    found, slots = call(request, "teacher/questions.js", body, {"picture": picture, "state": given})
    for slot, rule in zip(("first", "second"), given["rules"], strict=True):
        assert slots[slot] == {"value": picture["rules"][rule]["expected"], "path": f"picture:/rules/{rule}/expected"}
    assert found == ["same" if abs(token - block) < 1e-9 else "token" if token > block else "block"]


def test_the_ledger_counts_once_and_survives_a_reload(request: pytest.FixtureRequest) -> None:
    body = """let kept = payload; const storage = {getItem: () => kept, setItem: (_, text) => { kept = text; }};
      const one = m.createLedger(storage); one.bet("a", "tau", "1"); one.bet("a", "tau", "2"); one.close("a"); one.bet("a", "tau", "0");
      one.settle("a", "tau", true); one.settle("a", "tau", false); one.settle("b", "tau", false);
      const two = m.createLedger(storage), before = [two.bets("a"), two.done("a"), two.done("b"), two.score()];
      two.forget(); return [...before, m.createLedger(storage).score(), m.createLedger(null).score(), kept.includes("accepted")];"""
    for start in (None, "{{", '{"x": 3}'):
        found = call(request, "teacher/ledger.js", body, start)
        assert found == [
            {"tau": "2"},
            True,
            False,
            {"right": 1, "of": 2},
            {"right": 0, "of": 0},
            {"right": 0, "of": 0},
            False,
        ]


def test_nothing_behind_an_open_block_is_in_sight(request: pytest.FixtureRequest) -> None:
    body = """const trace = {blocks: [0, 1, 2, 3]}, open = (k) => k >= 2;
      return [m.horizon(trace, 0, open), m.horizon(trace, 3, open),
        ...[() => false, null].map((ask) => m.horizon(trace, 0, ask) === Infinity)];"""
    assert call(request, "teacher/horizon.js", body, None) == [2, 3, True, True]


def test_every_control_has_a_name_and_every_name_a_control(request: pytest.FixtureRequest) -> None:
    words = call(request, "words/en/teacher.js", "return m.words;", None)
    names = call(
        request,
        "teacher/controls.js",
        "return ['step', 'compare', 'sandbox'].flatMap((page) => m.controlsOf(page).map(({name, group}) => [name, group]));",
        None,
    )
    found = {f"control.{name}" for name, _ in names} | {"control.all"} | {f"group.{group}" for _, group in names}
    assert found == {key for key in words if key.startswith(("control.", "group."))}


def test_every_key_that_is_made_of_pieces_has_its_words(request: pytest.FixtureRequest) -> None:
    words = call(request, "words/en/teacher.js", "return m.words;", None)
    made = {f"bet.rescued_{said}_{truth}" for said in ("nobody", "one") for truth in ("none", "some")}
    made |= {f"handout.{role}" for role in ("carried", "rescued", "decides", "struck", "unneeded")}
    made |= {f"{group}{kind}" for kind in ("tau", "rescued", "keeps") for group in ("teacher.predict_", "bar.")}
    made |= {f"handout.context.{context}" for context in ("free", "position", "prefix")}
    assert made <= set(words)
