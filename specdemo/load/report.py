"""What came of a crowd, in words and as a record."""

from __future__ import annotations

from typing import Any

import numpy as np

from specdemo.load.crowd import Found


def record_of(found: Found) -> dict[str, Any]:
    """The figures as plain JSON; seconds, bytes and counts."""
    notes = found.notes
    shares = np.percentile(notes.seconds, [50, 95, 99]).tolist() if notes.seconds else [None] * 3
    start, end, most = found.memory
    return {
        "seconds": found.seconds, "requests": notes.requests, "blocks": notes.blocks, "runs": notes.runs, "wanted_runs": found.wanted,
        "blocks_a_second": notes.blocks / found.seconds if found.seconds else 0.0,
        "errors": len(notes.errors), "first_error": notes.errors[0] if notes.errors else None,
        "busy": notes.busy, "busy_without_words": notes.wordless, "broken_streams": notes.broken, "lost_runs": notes.lost,
        "new_block_seconds": dict(zip(("p50", "p95", "p99"), shares, strict=True)),
        "memory": {"start": start, "end": end, "most": most, "ratio": end / start},
        "cpu_seconds": found.cpu_seconds,
        "checked_runs": found.checked, "differing_runs": found.differing, "exit_status": found.status,
    }  # fmt: skip


def report(record: dict[str, Any]) -> str:
    """The record for a reader."""
    times, memory = record["new_block_seconds"], record["memory"]
    cpu = record["cpu_seconds"]
    shown = ", ".join(f"{name} {'–' if seconds is None else f'{seconds:.2f} s'}" for name, seconds in times.items())
    lines = [
        f"{record['requests']:,} requests in {record['seconds']:.0f} s, {record['blocks']:,} blocks ({record['blocks_a_second']:.1f} a second)",
        f"a new block: {shown}",
        f"errors: {record['errors']}" + (f" (the first: {record['first_error']})" if record["errors"] else ""),
        f"told that the server is busy: {record['busy']} ({record['busy_without_words']} without words); broken streams: {record['broken_streams']}; "
        f"lost runs: {record['lost_runs']}",
        f"memory: {memory['start'] / 1e6:.0f} MB at the start, {memory['end'] / 1e6:.0f} MB at the end (× {memory['ratio']:.3f}), "
        f"{memory['most'] / 1e6:.0f} MB at most",
        f"{record['checked_runs']} runs decoded again in one go: {record['differing_runs']} differ",
        f"the server ended with status {record['exit_status']}",
    ]
    if record["wanted_runs"]:
        lines.insert(1, f"whole runs: {record['runs']:,} of {record['wanted_runs']:,}")
    if cpu is not None and record["blocks"]:
        lines.insert(
            2,
            f"processor time of the server: {1000 * cpu / record['blocks']:.0f} ms a block, {cpu / record['seconds']:.2f} cores",
        )
    return "\n".join(lines)


def what_fails(record: dict[str, Any]) -> list[str]:
    """What does not hold of what a public server promises (docs/server.md), each in a few words."""
    memory, p95 = record["memory"], record["new_block_seconds"]["p95"]
    checks = {
        "errors": record["errors"] == 0,
        "runs were lost": record["lost_runs"] == 0,
        "not all runs came in time": record["runs"] >= record["wanted_runs"],
        "a full queue was answered without words": record["busy_without_words"] == 0,
        "runs differ when they are decoded in one go": record["differing_runs"] == 0,
        "memory is not flat (within 5 %)": abs(memory["ratio"] - 1) <= 0.05,
        "95 % of new blocks took longer than 3 s": p95 is not None and p95 < 3.0,
        "the server did not end well": record["exit_status"] == 0,
    }
    return [words for words, holds in checks.items() if not holds]
