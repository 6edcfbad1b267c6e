"""What a standalone page shows: a trace, or a state of the Sandbox with its answers, and when it was saved (docs/viewer.md)."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

SCHEMA = "specdemo.saved/1"
SANDBOX_FILE = "specdemo.sandbox-file/1"
# The limits of the page (assets/viewer/validate.js), which are narrower than the trace's.
MOST_GAMMA, MOST_BLOCKS, MOST_SEED, MOST_TEMPERATURE = 16, 2000, 2**53 - 1, 100
LONG_RUN = 30  # blocks, as many as the Sandbox's page asks for


def record_of(exported: dict[str, Any], saved: str | None = None) -> dict[str, Any]:
    """The record of a trace or of the Sandbox's JSON file; `saved` is the time, ISO 8601 in UTC, now where it is not given.

    The Sandbox's numbers are computed from the state anew: a file's own are not trusted. Raises ValueError where `exported` is
    neither, or a run that the page cannot draw.
    """
    if isinstance(exported, dict) and exported.get("schema") == SANDBOX_FILE:
        return {"schema": SCHEMA, "page": "sandbox", "saved": saved or now(), **_answers(exported.get("state"))}
    from specdemo.trace.consistency import check_consistent
    from specdemo.trace.schema import check_trace

    check_drawable(check_trace(exported))
    return run_record(check_consistent(exported), saved)


def run_record(trace: dict[str, Any], saved: str | None = None) -> dict[str, Any]:
    """The record of a trace that needs no check because it was just made; it opens at its first block."""
    check_drawable(trace)
    if not trace["blocks"]:
        raise ValueError("the run has no blocks: there is nothing to show")
    start = {"block": 0, "phase": "commit"}
    return {"schema": SCHEMA, "page": "step", "saved": saved or now(), "start": start, "trace": trace}


def check_drawable(trace: dict[str, Any]) -> None:
    """ValueError, with words for a person, for a run beyond what the page draws or a browser can hold; the trace's blocks may still be missing."""
    settings, blocks = trace["settings"], trace["blocks"]
    longest = max([settings["gamma"], *(block["gamma"] for block in blocks)])
    if longest > MOST_GAMMA:
        raise ValueError(f"the page draws blocks of at most {MOST_GAMMA} drafted tokens, this run has {longest}")
    if len(blocks) > MOST_BLOCKS:
        raise ValueError(f"the page shows at most {MOST_BLOCKS} blocks, this run has {len(blocks)}")
    if settings["seed"] > MOST_SEED:
        raise ValueError(f"a browser cannot hold the seed {settings['seed']} exactly: 2^53 − 1 is the largest")
    if settings["temperature"] > MOST_TEMPERATURE:
        raise ValueError(
            f"the page takes temperatures up to {MOST_TEMPERATURE}, this run has {settings['temperature']:g}"
        )


def now() -> str:
    """The time as records hold it: ISO 8601, UTC."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _answers(state: Any) -> dict[str, Any]:
    """State, picture, optimum and, for laws without context, the long run."""
    from specdemo.sandbox.answers import ANSWERS

    def asked(name: str, question: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(ANSWERS[name](json.dumps(question)))
        if problems := answer.get("problems"):
            first = problems[0]
            raise ValueError(f"the {first['side']} law of the state is none: {first['message']}")
        return answer

    if not isinstance(state, dict):
        raise ValueError("the file of the Sandbox has no state")
    found = {name: state[name] for name in ("symbols", "gamma", "context", "draft", "target", "rules") if name in state}
    picture = asked("sandbox", found)
    long_run = asked("longrun", {**found, "blocks": LONG_RUN}) if picture["context"] == "free" else None
    return {"state": found, "picture": picture, "optimum": asked("optimum", found), "longrun": long_run, "shown": {}}
