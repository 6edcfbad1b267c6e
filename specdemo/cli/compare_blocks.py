"""The same drafted blocks under several rules, in columns, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from specdemo.cli.compare_report import with_tag
from specdemo.cli.compare_words import cut_words, difference_words, differing, fates, number, token_text
from specdemo.cli.decode import lossy_words, mode_words
from specdemo.lab.report import table
from specdemo.verifiers import get

_NUMBER, _WIDTH = 9, 21  # of a coin, and of a rule's column


def heading(pair: dict[str, Any], settings: dict[str, Any], rules: Sequence[str]) -> str:
    """What is compared, and which of the rules are not lossless, before any number."""
    cuts = f" top-k={settings['top_k']}" if settings["top_k"] else ""
    cuts += f" top-p={settings['top_p']:g}" if settings["top_p"] < 1 else ""
    chosen = f"γ={settings['gamma']} T={settings['temperature']:g}{cuts} seed={settings['seed']}{mode_words(settings)}"
    first = f"{pair['title']}, draft {pair['draft']} · {', '.join(rules)} · {chosen}"
    said = ((rule, lossy_words(rule, settings["temperature"], "its text")) for rule in rules)
    return "\n".join([first, *(f"{rule}: {words}" for rule, words in said if words)])


def block_text(block: dict[str, Any], rules: Sequence[str], follow: str, limit: int) -> str:
    """One block: drafted tokens with D, T, r and η, every rule's coin and what became of the token, and where they part.

    `limit`: the run's max_new_tokens, where the text ends at the latest.
    """
    drafted = block["paths"][0]
    columns = [_column(block, rule) for rule in rules]
    rows = []
    for i, token in enumerate(drafted["tokens"]):
        row = drafted["rows"][i]
        laws = [number(row[part]) for part in ("draft", "target", "ratio")]
        rows.append([f"{i + 1} {token_text(block, token)}", *laws, number(block["uniforms"]["verify"][i])])
    rows += [[name, *[""] * 4] for name in ("τ", "E[τ│block]", "then")]
    header = ["drafted", "D", "T", "r", "η", *(f"{rule:<{_WIDTH}}" for rule in rules)]
    cells = [[*row, *(column[i] for column in columns)] for i, row in enumerate(rows)]
    lines = [_title(block, follow), table(header, cells, markdown=False)]
    for rule in rules:
        if compared := block["verdicts"][rule].get("compared"):
            lines.append(f"{rule} compares its coins not with η but with {', '.join(map(number, compared))}")
    lines += [difference_words(block, rule, follow) for rule in differing(block, rules, follow)]
    if cut := cut_words(block, limit):
        lines.append(cut)
    return "\n".join(lines)


def summary_text(trace: dict[str, Any], rules: Sequence[str], follow: str) -> str:
    """What the blocks add up to: how often the rules part, and what each keeps of these drafts, expected and observed."""
    blocks = trace["blocks"]
    if not blocks:
        return "Nothing was decoded."
    parted = sum(bool(differing(block, rules, follow)) for block in blocks)
    rows = []
    for rule in rules:
        verdicts = [block["verdicts"][rule] for block in blocks]
        expected, observed = (
            sum(verdict[part] + 1 for verdict in verdicts) / len(blocks) for part in ("expected_accepted", "accepted")
        )
        named = with_tag(rule, {rule: get(rule).lossless}, trace["settings"]["temperature"])
        rows.append([named, f"{expected:.3f}", f"{observed:.3f}"])
    lines = [
        f"{len(blocks)} target calls, in {parted} of them the rules part (another τ or another next token); the text follows {follow}.",
        table(["on these drafted blocks", "E[τ]+1", "τ+1"], rows, markdown=False),
        "E[τ]+1 is exact given each block; τ+1 is what these coins gave, and single draws prove nothing.",
    ]
    for rule in rules:
        if rule != follow and get(rule).remembers:
            lines.append(
                f"{rule} is asked afresh at every block: what it pays in its later blocks is not in its figures. "
                "A race (--race) tells what it does on its own."
            )
    return "\n".join(lines)


def _title(block: dict[str, Any], follow: str) -> str:
    title = f"block {block['index']}"
    if block["verifier"] != follow:
        return f"{title}, decided by {block['verifier']}, which still pays for an earlier block"
    if block["memory"] is not None:
        return f"{title}: {follow} pays for an earlier block here and works with T̃, the others with T"
    return title


def _column(block: dict[str, Any], rule: str) -> list[str]:
    """A rule's cells: each coin with what became of the token, then τ, E[τ│block] and the next token."""
    verdict = block["verdicts"][rule]
    coins = verdict["accept_prob"] or [None] * block["gamma"]
    cells = [f"{number(coin):>{_NUMBER}} {fate}" for coin, fate in zip(coins, fates(block, rule), strict=True)]
    cells += [f"{verdict['accepted']:>{_NUMBER}}", f"{number(verdict['expected_accepted']):>{_NUMBER}}"]
    cells.append(f"{verdict['next_kind']} {token_text(block, verdict['next_token'])}")
    return [cell.ljust(_WIDTH) for cell in cells]
