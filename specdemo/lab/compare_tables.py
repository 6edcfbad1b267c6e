"""The tables of a comparison: its records as rows of plain values, the first row being the header, and rows as CSV.

The page writes the same files from the same records (assets/viewer/compare/tables.js): columns, their order and the way a number is
written are defined here. An empty cell is a value there is none of. Nothing is computed: every number stands in the record.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Rows = list[list[Any]]
Record = Mapping[str, Any]

SETTING_COLUMNS = ["part", "name", "value"]
# Names of one table for what records call otherwise in their several places; `follow` is the rule that the text follows.
_SETTING_NAMES = {
    "pair.name": "pair",
    "pair.title": "pair_title",
    "pair.eos_token_ids": "pair_eos_token_ids",
    "settings.verifier": "follow",
}
PROMPT_COLUMNS = ["prompt", "text", "tokens"]
BLOCK_COLUMNS = [
    "block", "position", "token_id", "token", "draft", "target", "ratio", "uniform", "rule", "lossless", "accept_prob",
    "prefix_weight", "kept", "accepted", "next_token_id", "next_token", "next_kind", "expected_accepted",
]  # fmt: skip
LENGTH_COLUMNS = ["block", "rule", "accepted", "probability"]
CALL_COLUMNS = ["run", "prompt", "seed", "rule", "lossless", "call"]  # then the race's own
SUMMARY_COLUMNS = [
    "rule", "lossless", "groups", "group_count", "runs", "confidence", "calls", "gained", "observed", "tokens_per_second",
]  # fmt: skip
# In the summary's rows after these: NAME, NAME_standard_error, NAME_low, NAME_high of each.
INTERVALS = ("efficiency", "over_token", "first_block", "speedup")
LAW_COLUMNS = [
    "rule", "lossless", "exact", "token_id", "token", "tokens", "target", "draft", "law", "error", "tv", "tv_error",
]  # fmt: skip
PAIR_COLUMNS = [
    "rule", "lossless", "first_id", "first", "second_id", "second", "target", "count", "done", "impossible", "tv",
    "tv_by_chance", "tv_by_chance_high", "statistic", "p_value",
]  # fmt: skip


FILES = ("settings.csv", "blocks.csv", "lengths.csv", "prompts.csv", "race.csv", "summary.csv", "law.csv", "pairs.csv")


def comparison_tables(comparison: Record, lossless: Mapping[str, str]) -> dict[str, Rows]:
    """The tables by file name (of `FILES`), of the records that a comparison {trace, race, law} has; `lossless` by rule, for the trace."""
    tables: dict[str, Rows] = {}
    if any(comparison.get(part) for part in ("trace", "race", "law")):
        tables["settings.csv"] = setting_rows(comparison)
    if comparison.get("trace"):
        tables["blocks.csv"] = block_rows(comparison["trace"], lossless)
        tables["lengths.csv"] = length_rows(comparison["trace"])
    if comparison.get("race"):
        tables["prompts.csv"] = prompt_rows(comparison["race"])
        tables["race.csv"] = race_rows(comparison["race"])
        tables["summary.csv"] = summary_rows(comparison["race"])
    if comparison.get("law"):
        tables["law.csv"] = law_rows(comparison["law"])
        tables["pairs.csv"] = pair_rows(comparison["law"])
    return tables


def setting_rows(comparison: Record) -> Rows:
    """What each record was made with, one row a fact: `part` is trace, race or law, which may have been made with other settings."""
    rows: Rows = [[*SETTING_COLUMNS]]
    for part in ("trace", "race", "law"):
        if record := comparison.get(part):
            facts = {
                "created": record["created"],
                **{f"version_{name}": text for name, text in record["versions"].items()},
            }
            if "prompt" in record:
                facts["prompt"] = record["prompt"]["text"]
            facts["rules"] = record["verifiers" if part == "trace" else "rules"]
            for group in ("pair", "settings"):
                facts.update(
                    {_SETTING_NAMES.get(f"{group}.{name}", name): value for name, value in record[group].items()}
                )
            facts.update(record.get("costs") or {})
            rows += [[part, name, _listed(value)] for name, value in facts.items()]
    return rows


def prompt_rows(race: Record) -> Rows:
    """The prompts of a race, by the number that its other tables call them by; `tokens`: how many a prompt has."""
    return [[*PROMPT_COLUMNS], *([i, prompt["text"], prompt["tokens"]] for i, prompt in enumerate(race["prompts"]))]


def block_rows(trace: Record, lossless: Mapping[str, str]) -> Rows:
    """One row for each block, rule and position 1…γ; a block without drafted tokens has one row a rule, position 0.

    `uniform` is η of the position, `kept` 1 where position ≤ τ, `prefix_weight` w of the prefix that ends there.
    """
    rows: Rows = [[*BLOCK_COLUMNS]]
    for block in trace["blocks"]:
        for rule, verdict in block["verdicts"].items():
            following = verdict["next_token"]
            decided = [
                verdict["accepted"], following, piece_text(block["pieces"][str(following)]), verdict["next_kind"],
                verdict["expected_accepted"],
            ]  # fmt: skip
            if not block["gamma"]:
                rows.append([block["index"], 0, *[None] * 6, rule, lossless[rule], *[None] * 3, *decided])
            for i, row in enumerate(block["paths"][0]["rows"][: block["gamma"]]):
                drafted = [row["token"], piece_text(block["pieces"][str(row["token"])])]
                laws = [row["draft"], row["target"], row["ratio"], block["uniforms"]["verify"][i]]
                coin, weight = _entry(verdict["accept_prob"], i), _entry(verdict["prefix_weight"], i + 1)
                kept = int(i < verdict["accepted"])
                rows.append(
                    [block["index"], i + 1, *drafted, *laws, rule, lossless[rule], coin, weight, kept, *decided]
                )
    return rows


def length_rows(trace: Record) -> Rows:
    """The length law P(τ = accepted │ block) of every rule on every block."""
    rows: Rows = [[*LENGTH_COLUMNS]]
    for block in trace["blocks"]:
        for rule, verdict in block["verdicts"].items():
            rows += [[block["index"], rule, i, probability] for i, probability in enumerate(verdict["length_law"])]
    return rows


def race_rows(race: Record) -> Rows:
    """One row for each target call of each lane of each finished run; run, prompt and call count from 0."""
    rows: Rows = [[*CALL_COLUMNS, *race["columns"]]]
    for number, run in enumerate(race["runs"]):
        for rule in race["rules"]:
            of = [number, run["prompt"], run["seed"], rule, race["lossless"].get(rule)]
            rows += [[*of, at, *call] for at, call in enumerate(run["lanes"][rule]["calls"])]
    return rows


def summary_rows(race: Record) -> Rows:
    """One row a lane: the figures of the race with their intervals; without a finished run the header alone."""
    parts = ("", "_standard_error", "_low", "_high")
    rows: Rows = [[*SUMMARY_COLUMNS, *(name + part for name in INTERVALS for part in parts)]]
    summary = race["summary"]
    for rule, figures in summary["rules"].items() if summary else ():
        of = [rule, race["lossless"].get(rule), *(summary[name] for name in SUMMARY_COLUMNS[2:6])]
        counts = [figures[name] for name in SUMMARY_COLUMNS[6:]]
        rows.append([*of, *counts, *(part for name in INTERVALS for part in _interval(figures[name]))])
    return rows


def law_rows(law: Record) -> Rows:
    """One row for each rule and token shown, and one, without an id, for the other `tokens` together."""
    rows: Rows = [[*LAW_COLUMNS]]
    following, pieces = law["next"], law["pieces"]
    rest = following["rest"]
    for rule, found in following["rules"].items():
        of, total = [rule, law["lossless"][rule], int(found["exact"])], [found["tv"], found["tv_error"]]
        for i, token in enumerate(following["ids"]):
            laws = [following["target"][i], following["draft"][i], found["law"][i], _entry(found["error"], i)]
            rows.append([*of, token, piece_text(pieces[str(token)]), 1, *laws, *total])
        rows.append([*of, None, None, rest["count"], rest["target"], rest["draft"], found["rest"], None, *total])
    return rows


def pair_rows(law: Record) -> Rows:
    """One row for each rule and pair of next tokens, and one, without ids, for all other pairs; `target` is the pair's probability."""
    rows: Rows = [[*PAIR_COLUMNS]]
    pairs, pieces = law["pairs"], law["pieces"]
    if not pairs:
        return rows
    for rule, found in pairs["rules"].items():
        chance = found["tv_by_chance"] or {"mean": None, "high": None}
        total = [
            pairs["done"], found["impossible"], found["tv"], chance["mean"], chance["high"], found["statistic"], found["p_value"],
        ]  # fmt: skip
        of = [rule, law["lossless"][rule]]
        for i, cell in enumerate(pairs["cells"]):
            named = [part for token in cell for part in (token, piece_text(pieces[str(token)]))]
            rows.append([*of, *named, pairs["target"][i], found["counts"][i], *total])
        rows.append([*of, None, None, None, None, pairs["rest_target"], found["rest"], *total])
    return rows


def piece_text(piece: Any) -> str:
    """A token's piece (docs/trace.md) as plain text; bytes that are no character by themselves between marks.

    >>> piece_text(" cat"), piece_text({"bytes": "f09f"}), piece_text({"special": "<|eos|>"})
    (' cat', '‹f0 9f›', '<|eos|>')
    """
    if isinstance(piece, str):
        return piece
    if "special" in piece:
        return str(piece["special"])
    return f"‹{bytes.fromhex(piece['bytes']).hex(' ')}›"


def csv_text(rows: Rows) -> str:
    """Rows as CSV (RFC 4180): commas, carriage return and line feed after every row, quotes only where a cell needs them.

    A text that a spreadsheet would run as a formula gets an apostrophe before it: tokens are anybody's text.

    >>> csv_text([["token", "draft"], ["a, b", 0.5], ["=1+1", 1e-7]]).splitlines()
    ['token,draft', '"a, b",0.5', "'=1+1,1e-7"]
    """
    return "".join(",".join(map(_cell, row)) + "\r\n" for row in rows)


def number_text(value: float) -> str:
    """A number with all its digits and no more, as JavaScript writes it, so that both sides write the same file.

    >>> number_text(3.0), number_text(0.1), number_text(1e-05), number_text(1.5e-07)
    ('3', '0.1', '0.00001', '1.5e-7')
    """
    if isinstance(value, int):
        return str(int(value))
    if value == 0:
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        return np.format_float_positional(value, trim="-").removesuffix(".")
    return re.sub(r"e([+-])0*", r"e\1", repr(float(value)))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return number_text(value)
    text = str(value)
    if text.startswith(("=", "+", "-", "@", "\t")):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if re.search('[",\r\n]', text) else text


def _listed(value: Any) -> Any:
    return ",".join(map(str, value)) if isinstance(value, list) else value


def _entry(values: Sequence[float] | None, i: int) -> float | None:
    return None if values is None else values[i]


def _interval(figures: Mapping[str, Any] | None) -> list[float | None]:
    return [None if figures is None else figures[part] for part in ("mean", "standard_error", "low", "high")]
