"""A new race or law check and the results of the one before: they stay until the next ones come."""

from __future__ import annotations

from typing import Any

import pytest

from tests.viewer.javascript import call

AGAIN = """
const handlers = [];
const bridge = { measure: (kind, request, given) => void handlers.push(given), cancel() {} };
const sampled = (done, mark) => ({ pairs: { done }, mark }), calls = [[1]];
const messages = {
  race: {
    start: { kind: "race_start", race: { columns: ["shown"], runs: [], mark: 1 } },
    more: { kind: "race_calls", at: 0, lanes: { token: { first: 0, calls, ids: null } } },
  },
  law: { start: { kind: "law", law: sampled(0, 1) }, more: { kind: "law", law: sampled(1, 1) } },
}[payload.kind];
const old = { race: { runs: [{ lanes: { token: { calls } } }], mark: 0 }, law: sampled(600, 0) }[payload.kind];
const store = {
  state: { form: {}, [payload.kind]: { record: payload.old ? old : null, options: {} } },
  measure(kind, change) { store.state = { ...store.state, [kind]: { ...store.state[kind], ...change } }; },
};
const measurer = m.createMeasurer(store, bridge), seen = [];
const look = () => {
  const { record, earlier, status, message } = store.state[payload.kind];
  seen.push([record && record.mark, earlier, status, message]);
};
measurer.start(payload.kind);
look();
for (const step of payload.steps) {
  if (step === "cancel") measurer.cancel(payload.kind);
  else if (step === "error") handlers[0].onError("It failed.");
  else if (step === "end") handlers[0].onEnd();
  else handlers[0].onMessage(messages[step]);
  look();
}
return seen;
"""


@pytest.mark.parametrize("kind", ["race", "law"])
def test_results_stay_until_the_next_ones_come(request: pytest.FixtureRequest, kind: str) -> None:
    def seen(*steps: str, old: bool = True) -> Any:
        return call(request, "compare/measure.js", AGAIN, {"kind": kind, "steps": steps, "old": old})

    stays = "Cancelled before anything came; the earlier results stay."
    waiting = [0, True, "running", None]
    assert seen("cancel") == [waiting, [0, False, "cancelled", stays]]
    assert seen("start", "cancel") == [waiting, waiting, [0, False, "cancelled", stays]]
    assert seen("start", "error")[-1] == [0, False, "error", "It failed. The earlier results stay."]
    assert seen("start", "more", "cancel")[2:] == [[1, False, "running", None], [1, False, "cancelled", None]]
    assert seen("start", "more", "error")[-1] == [1, False, "error", "It failed."]
    assert seen("start", "end")[-1] == [1, False, "done", None]
    assert seen("start", old=False)[-1] == [1, False, "running", None]
    assert seen("cancel", old=False)[-1] == [None, False, "cancelled", "Cancelled before anything came."]
