"""How a block looks in a terminal: origins as colours, and as brackets where there is no colour."""

from __future__ import annotations

import os
import sys
from typing import Any

from specdemo.cli.compare_words import token_text
from specdemo.cli.terminal import signs, visible
from specdemo.pairs.vocabulary import Piece, join_pieces

# green kept, red correction, magenta bonus, grey struck: the page's colours as near as a terminal has them
_STYLES = {"kept": "32", "correction": "31;1", "bonus": "35;1", "struck": "90;9"}
_FAINT = "2"  # what only frames the text: a template, and special tokens in their own colour
_MARKS = {"kept": "{}", "correction": "[{}]", "bonus": "<{}>", "struck": "~{}~"}


def is_colored(color: str) -> bool:
    """Whether `--color` (auto, always, never) means colours for what standard output is."""
    return color == "always" or (color == "auto" and sys.stdout.isatty() and "NO_COLOR" not in os.environ)


class Painter:
    """Formats blocks; `colored` chooses escape codes over brackets. No other codes come out, whatever the texts hold."""

    def __init__(self, colored: bool) -> None:
        self._colored = colored
        self.heading = f"{'block':>5}  {'kept':>4}  {'weights w₁…w_γ':<32} {'drafted → emitted'}"

    def paint(self, text: str, kind: str) -> str:
        """`text` in the look of its origin: kept, correction, bonus or struck."""
        text = visible(text)
        return f"\033[{_STYLES[kind]}m{text}\033[0m" if self._colored else _MARKS[kind].format(text)

    def block_row(self, block: dict[str, Any]) -> str:
        """One line of the table: index, τ, prefix weights, and the tokens with their fate."""
        verdict = block["verdicts"][block["verifier"]]
        weights = " ".join(f"{w:.3f}" for w in (verdict["prefix_weight"] or [])[1:])
        parts = []
        for i, token in enumerate(block["paths"][0]["tokens"]):
            parts.append(self.paint(token_text(block, token), "kept" if i < block["kept"] else "struck"))
        parts.append(self.paint(token_text(block, verdict["next_token"]), verdict["next_kind"]))
        return f"{block['index']:>5}  {block['kept']:>2}/{block['gamma']:<2} {weights:<32} {' '.join(parts)}"

    def text(self, head: dict[str, Any], blocks: list[dict[str, Any]]) -> str:
        """The whole text, every token in the look of its origin; half characters are joined first."""
        pieces = dict(head["pieces"])
        parts = [self._prompt([pieces[str(i)] for i in head["prompt"]["ids"]], head["prompt"].get("message"))]
        for block in blocks:
            pieces.update(block["pieces"])
            kinds = ["kept"] * block["kept"] + [block["verdicts"][block["verifier"]]["next_kind"]]
            run: list[Any] = []
            for token, kind in zip(block["committed"], kinds, strict=False):
                look = (kind, _is_special(pieces[str(token)]))
                if run and run[-1][1] == look:
                    run[-1][0].append(pieces[str(token)])
                else:
                    run.append(([pieces[str(token)]], look))
            parts += [self._part(join_pieces(part), *look) for part, look in run]
        return "".join(parts)

    def _part(self, text: str, kind: str, special: bool) -> str:
        if not special:
            return self.paint(text, kind)
        text = visible(text)
        return f"\033[{_STYLES[kind]};{_FAINT}m{text}\033[0m" if self._colored else text

    def _prompt(self, prompt: list[Piece], message: list[int] | None) -> str:
        """What was typed; around a message the template from its last special token on, the answer on a line of its own."""
        if message is None:
            # The beginning-of-text token is not part of what was typed.
            return visible(join_pieces([p for p in prompt if not _is_special(p)]))
        first, end = message
        begin = max((i for i in range(first) if _is_special(prompt[i])), default=first)
        before = ("…" if begin else "") + signs(join_pieces(prompt[begin:first]))
        typed, after = visible(join_pieces(prompt[first:end])), signs(join_pieces(prompt[end:]))
        return f"{self._faint(before)}{typed}{self._faint(after)}\n"

    def _faint(self, text: str) -> str:
        return f"\033[{_FAINT}m{text}\033[0m" if self._colored and text else text


def _is_special(piece: Piece) -> bool:
    return not isinstance(piece, str) and "special" in piece
