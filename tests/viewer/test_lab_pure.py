"""The Lab's modules without a document: the prediction mirrors the library's, lists and links and files are read with care."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from specdemo.lab.prediction import predict, verify_costs
from specdemo.lab.sweep_file import as_line
from tests.lab.swept import the_head, the_rows
from tests.viewer.javascript import call


def cases() -> list[dict[str, Any]]:
    """Curves that rise and flatten, under cheap and dear drafts; γ with and without gaps."""
    draw = random.Random(5)
    found = []
    for n in range(60):
        gammas = (
            sorted(draw.sample(range(1, 17), draw.randint(1, 16))) if n % 3 else list(range(1, draw.randint(2, 17)))
        )
        kept, expected = draw.uniform(0.3, 0.95), []
        for gamma in gammas:
            expected.append(sum(kept**i for i in range(gamma + 1)))
        verify = verify_costs({gammas[-1]: draw.uniform(0.9, 3.0)}, gammas)
        found.append(
            {"gammas": gammas, "expected": expected, "c": draw.choice([0.0, 0.01, 0.06, 0.5, 1.5]), "verify": verify}
        )
    return found


def test_the_browser_predicts_what_the_library_predicts(request: pytest.FixtureRequest) -> None:
    body = "return payload.map((one) => m.predict(one.gammas, one.expected, one.c, one.verify));"
    found = call(request, "lab/prediction.js", body, cases())
    kinds = set()
    for one, mine in zip(cases(), found, strict=True):
        right = predict(one["gammas"], one["expected"], one["c"], one["verify"])
        assert mine["speedup"] == pytest.approx(right.speedup, rel=1e-15)
        assert (mine["best_gamma"], mine["nearly_best"], mine["even"], mine["loses"]) == (
            right.best_gamma,
            right.nearly_best,
            right.even,
            right.loses,
        )
        assert mine["sentence"] == right.sentence
        kinds.add(right.sentence[:5])
    assert kinds == {"Above", "Up to", "Specu", "Of th"}


def test_what_is_written_as_1_neither_loses_nor_gains(request: pytest.FixtureRequest) -> None:
    bests = [0.99, 0.994999, 0.995001, 0.998, 1.0, 1.002, 1.004999, 1.005001, 1.01]
    body = "return payload.map((best) => m.predict([1], [best], 0, [1]));"
    found = call(request, "lab/prediction.js", body, bests)
    for best, mine in zip(bests, found, strict=True):
        right = predict([1], [best], 0.0, [1.0])
        assert (mine["even"], mine["loses"], mine["sentence"]) == (right.even, right.loses, right.sentence)
        assert right.even == (f"{best:.2f}" == "1.00") and right.loses == (f"{best:.2f}" < "1.00")
        assert "1.00" not in right.sentence and ("gains nothing" in right.sentence) == right.even


def test_moved_costs_keep_the_shape_of_v_and_the_measured_ones_change_nothing(request: pytest.FixtureRequest) -> None:
    """Also where a target call was measured to cost no more than a plain step, or less."""
    shapes = [verify_costs(costs, range(1, 9)) for costs in ({4: 1.3, 8: 1.4}, {4: 1.2, 8: 1.001}, {4: 0.9, 8: 0.95})]
    predictions = [
        {
            **predict(range(1, 9), [sum(0.8**i for i in range(g + 1)) for g in range(1, 9)], 0.05, v).to_json(),
            "verify_measured": [4, 8],
        }
        for v in shapes
    ]
    body = """return payload.map((one) => {
      const costs = m.measuredCosts(one), moved = (c, v) => m.movedPrediction(one, c, v);
      const verify = { free: m.scaledVerify(one, 1), twice: m.scaledVerify(one, 1 + 2 * (costs.v - 1)) };
      return { costs, ...verify, same: moved(null, null), stays: moved(one.draft_cost, costs.v), tenth: moved(one.draft_cost / 10, null) };
    });"""
    found = call(request, "lab/prediction.js", body, predictions)
    for one, mine in zip(predictions, found, strict=True):
        assert mine["costs"] == {"c": 0.05, "v": one["verify_cost"][7], "pivot": 8}
        for moved in (mine["same"], mine["stays"]):
            assert moved["speedup"] == pytest.approx(one["speedup"], rel=1e-12) and moved["sentence"] == one["sentence"]
        tenth = predict(one["gammas"], one["expected"], one["draft_cost"] / 10, one["verify_cost"])
        assert mine["tenth"]["sentence"] == tenth.sentence
        assert mine["tenth"]["speedup"] == pytest.approx(tenth.speedup, rel=1e-12)
        assert mine["free"][7] == pytest.approx(1) and mine["twice"][7] == pytest.approx(
            1 + 2 * (one["verify_cost"][7] - 1)
        )
    assert found[0]["free"] == pytest.approx([1.0] * 8)
    assert found[0]["twice"] == pytest.approx([1 + 2 * (v - 1) for v in shapes[0]])


def test_lists_are_read_or_say_what_is_wrong(request: pytest.FixtureRequest) -> None:
    typed = [
        ["gammas", "4, 8"], ["gammas", "8;8 4"], ["gammas", "4.5"], ["gammas", "0"], ["gammas", ""], ["top_ps", "0"], ["top_ps", "0.9,1"],
        ["temperatures", "1e3"], ["temperatures", "-0"], ["temperatures", "1e-7, 2E-1"], ["temperatures", "1e"],
    ]  # fmt: skip
    found = call(
        request, "lab/lists.js", "return payload.map(([kind, text]) => m.readList(text, m.KINDS[kind]));", typed
    )
    assert [one["numbers"] for one in found] == [[4, 8], [8, 4], [], [], [], [], [0.9, 1], [], [0], [1e-7, 0.2], []]
    problems = [one["problem"] for one in found]
    assert "no whole number" in problems[2] and "not from 1 to 16" in problems[3] and "at least one" in problems[4]
    assert "not above 0" in problems[5] and "not from 0 to 5" in problems[7] and "no number" in problems[10]


def test_a_link_brings_back_what_was_asked_for_and_nothing_unknown(request: pytest.FixtureRequest) -> None:
    config = {
        "pairs": [{"name": "p", "drafts": [{"name": "a"}, {"name": "b"}]}],
        "tasks": [{"name": "verse"}, {"name": "austen"}],
        "rules": [{"name": "token"}, {"name": "block"}],
    }
    form = {
        "pair": "p",
        "drafts": ["b"],
        "tasks": ["austen"],
        "own": None,
        "rules": ["token", "block"],
        "gammas": [2, 8],
        "temperatures": [0.7, 1],
        "top_ks": [0, 40],
        "top_ps": [1],
        "seed": 3,
        "seeds": 2,
        "prompts": 5,
        "max_new_tokens": 32,
    }
    first = {
        **form,
        "drafts": ["a"],
        "gammas": [4],
        "temperatures": [1],
        "top_ks": [0],
        "seed": 0,
        "seeds": 1,
        "prompts": 8,
    }
    body = """const { form, first, config } = payload, read = (hash) => m.decode(hash, first, config);
      const wrong = "&gammas=99&tasks=verse,x%3Cb%3E&prompts=-1&pair=q";
      return [m.encode(form), read(m.encode(form)), read(m.encode(form, true)), read("#page=lab"),
        read("#page=lab" + wrong), read("#page=step&gammas=3")];"""
    written, back, runs, bare, wrong, others = call(
        request, "lab/link.js", body, {"form": form, "first": first, "config": config}
    )
    assert (
        written.startswith("#page=lab&")
        and "top_ps" not in written
        and back == {"form": form, "run": False, "wrong": []}
    )
    assert bare is None and others is None and runs["run"] and not wrong["run"]
    assert wrong["form"]["gammas"] == [4] and wrong["form"]["tasks"] == ["verse"] and len(wrong["wrong"]) == 4


def test_a_file_is_kept_as_it_was_written(request: pytest.FixtureRequest) -> None:
    lines = [as_line(the_head()), *map(as_line, the_rows())]
    text = "\n".join(lines) + "\n"
    body = """const read = (text) => {
        try { const found = m.readSweep(text, "a.jsonl");
          return { heads: found.heads, rows: [...found.rows], notice: found.notice }; } catch (error) { return error.message; }
      };
      return payload.map(read);"""
    whole, cut, other, middle = call(
        request, "lab/files.js", body, [text, text[:-200], "nothing\n", text.replace('"kind":"row"', '"kind" "row"', 1)]
    )
    assert whole["heads"] == lines[:1] and [line for _, line in whole["rows"]] == lines[1:] and not whole["notice"]
    assert [key for key, _ in whole["rows"]] == [json.loads(line)["key"] for line in lines[1:]]
    assert len(cut["rows"]) == len(lines) - 2 and "cut off" in cut["notice"]
    assert other == "a.jsonl is not a file of a lab sweep." and "Line 2 of a.jsonl" in middle


def test_heads_follow_the_models(request: pytest.FixtureRequest) -> None:
    """The same models with another draft or version add a head; other models begin anew."""
    head = the_head()
    again = {**head, "created": "2030-01-01T00:00:00+00:00"}
    other_draft = {**head, "drafts": {"another": "sha256:1"}}
    other_weights = {**head, "drafts": dict.fromkeys(head["drafts"], "sha256:other")}
    other_pair = {**head, "pair": {**head["pair"], "dtype": "bfloat16"}}
    body = "return payload.others.map((line) => m.headsWith([payload.head], line));"
    others = [as_line(one) for one in (again, other_draft, other_weights, other_pair)]
    same, more, weights, pair = call(request, "lab/runner.js", body, {"head": as_line(head), "others": others})
    assert same == {"heads": [as_line(head)], "fresh": False}
    assert len(more["heads"]) == 2 and json.loads(more["heads"][1])["drafts"] == {
        **head["drafts"],
        "another": "sha256:1",
    }
    assert weights["fresh"] and pair["fresh"] and len(pair["heads"]) == 1


def test_what_a_list_writes_it_reads(request: pytest.FixtureRequest) -> None:
    numbers = [1e-7, 5e-324, 0.1, 1 / 3, 5]
    body = "return m.readList(m.writeList(payload), m.KINDS.temperatures);"
    assert call(request, "lab/lists.js", body, numbers) == {"numbers": numbers, "problem": ""}


def test_typed_prompts_are_taken_whole_or_not_at_all(request: pytest.FixtureRequest) -> None:
    typed = ["a" * 8, "a" * 9, "a\ud800b"]
    body = "return payload.map((one) => m.problemOfTyped(one, 8));"
    good, long, half = call(request, "lab/own.js", body, typed)
    assert good == "" and "9 characters, and at most 8" in long and "half a character" in half


def test_a_busy_server_is_called_busy_and_not_lost(request: pytest.FixtureRequest) -> None:
    """What the page says between its tries, and when the next one comes; what no try mends is told at once."""
    body = """if (!globalThis.addEventListener) globalThis.addEventListener = () => {};
      globalThis.window ??= globalThis;
      const results = [];
      for (const refusal of payload) {
        const said = [], times = [];
        const store = { done: 0, state: { grid: {}, rows: new Map(), keys: [], heads: [], minutes: 5, elapsed: 0 },
          set(change) { if (change.progress) said.push(change.progress.text); store.state = { ...store.state, ...change }; } };
        const bridge = { cancel() {}, measure(kind, asked, handlers) {
          times.push(performance.now());
          if (times.length === 1) setTimeout(() => handlers.onError(...refusal));
          else setTimeout(() => handlers.onError("enough", false)); } };
        const keep = { facts() {}, row() {}, clear() {} }, summaries = { now() {}, more() {}, forget() {} };
        const runner = m.createRunner({ store, bridge, keep, summaries, most: 9 });
        runner.start({});
        while (store.state.status === "running") await new Promise((done) => setTimeout(done, 20));
        results.push({ said, seconds: (times.at(-1) - times[0]) / 1000, message: store.state.message });
      }
      return results;"""
    busy, lost, refused = call(request, "lab/runner.js", body, [["x", True, True], ["x", True, False], ["no", False]])
    (words,) = busy["said"]
    seconds = int(re.fullmatch(r"The server is busy: .* Trying again in (\d) s …", words)[1])  # type: ignore[index]
    assert 2 <= busy["seconds"] <= seconds + 0.5 and seconds <= 3 and busy["message"] == "enough"
    assert "lost" in lost["said"][0] and "busy" not in lost["said"][0] and lost["seconds"] < 2
    assert refused == {"said": [], "seconds": 0, "message": "no"}


def test_a_lost_summary_is_asked_for_again_but_not_forever(request: pytest.FixtureRequest) -> None:
    """Two lost answers and then one; none at all; a refusal, which is not asked about again; the button's question begins anew."""
    body = """const results = [];
      for (const { lost, refused } of payload) {
        let asked = 0;
        const store = { state: { heads: ["h"], rows: new Map([["k", "r"]]), trouble: "" },
          set(change) { store.state = { ...store.state, ...change }; } };
        const ask = { summary: async () => {
          if (asked++ < lost) throw Object.assign(new Error("Lost."), { refused });
          return "sums"; } };
        const summaries = m.createSummaries(store, ask, [5, 10, 15]);
        await summaries.now();
        const first = store.state.trouble;
        await new Promise((done) => setTimeout(done, 300));
        const one = { asked, first, trouble: store.state.trouble, answer: store.state.answer ?? null };
        await summaries.now();
        results.push({ ...one, after: store.state.answer ?? null });
      }
      return results;"""
    cases = [{"lost": 2, "refused": False}, {"lost": 4, "refused": False}, {"lost": 1, "refused": True}]
    some, none, refused = call(request, "lab/ask.js", body, cases)
    again = "Lost. Trying again in 1 s …"
    assert some == {"asked": 3, "first": again, "trouble": "", "answer": "sums", "after": "sums"}
    assert none == {"asked": 4, "first": again, "trouble": "Lost.", "answer": None, "after": "sums"}
    assert refused == {"asked": 1, "first": "Lost.", "trouble": "Lost.", "answer": None, "after": "sums"}
