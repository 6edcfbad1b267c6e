"""How a block looks in a terminal: origins as colours, and as brackets where there is no colour."""

from __future__ import annotations

from typing import Any

from specdemo.pairs.vocabulary import join_pieces

# green kept, red correction, magenta bonus, grey struck: the page's colours as near as a terminal has them
_STYLES = {"kept": "32", "correction": "31;1", "bonus": "35;1", "struck": "90;9"}
_MARKS = {"kept": "{}", "correction": "[{}]", "bonus": "<{}>", "struck": "~{}~"}


class Painter:
    """Formats blocks; `colored` chooses escape codes over brackets."""

    def __init__(self, colored: bool) -> None:
        self._colored = colored
        self.heading = f"{'block':>5}  {'kept':>4}  {'weights w₁…w_γ':<32} {'drafted → emitted'}"

    def paint(self, text: str, kind: str) -> str:
        """`text` in the look of its origin: kept, correction, bonus or struck."""
        return f"\033[{_STYLES[kind]}m{text}\033[0m" if self._colored else _MARKS[kind].format(text)

    def block_row(self, block: dict[str, Any]) -> str:
        """One line of the table: index, τ, prefix weights, and the tokens with their fate."""
        verdict = block["verdicts"][block["verifier"]]
        weights = " ".join(f"{w:.3f}" for w in (verdict["prefix_weight"] or [])[1:])
        parts = []
        for i, token in enumerate(block["paths"][0]["tokens"]):
            parts.append(self.paint(_visible(block, token), "kept" if i < block["kept"] else "struck"))
        parts.append(self.paint(_visible(block, verdict["next_token"]), verdict["next_kind"]))
        return f"{block['index']:>5}  {block['kept']:>2}/{block['gamma']:<2} {weights:<32} {' '.join(parts)}"

    def text(self, head: dict[str, Any], blocks: list[dict[str, Any]]) -> str:
        """The whole text, every token in the look of its origin; half characters are joined first."""
        pieces = dict(head["pieces"])
        prompt = [pieces[str(i)] for i in head["prompt"]["ids"]]
        # The beginning-of-text token is not part of what was typed.
        parts = [join_pieces([p for p in prompt if isinstance(p, str) or "special" not in p])]
        for block in blocks:
            pieces.update(block["pieces"])
            kinds = ["kept"] * block["kept"] + [block["verdicts"][block["verifier"]]["next_kind"]]
            run: list[Any] = []
            for token, kind in zip(block["committed"], kinds, strict=False):
                if run and run[-1][1] == kind:
                    run[-1][0].append(pieces[str(token)])
                else:
                    run.append(([pieces[str(token)]], kind))
            parts += [self.paint(join_pieces(part), kind) for part, kind in run]
        return "".join(parts)


def _visible(block: dict[str, Any], token: int) -> str:
    return join_pieces([block["pieces"][str(token)]]).replace(" ", "·").replace("\n", "⏎").replace("\t", "⇥")
