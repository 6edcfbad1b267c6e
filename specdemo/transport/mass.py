"""The accepted mass a(v) = P(τ ≥ |v|, X^{|v|} = v) on the prefix tree: one line of recursion a rule, no plan involved.

    token         a(vx) = a(v) · min(D(x|v), T(x|v))
    block         a(vx) = min( S(vx), a(v) · T(x|v) )
    greedy_block  a(vx) = min( S(vx), B(vx) )                    E[τ] = Σ over all v ≠ root of a(v)

with the joint laws S(v) = Π D and B(v) = Π T. These closed forms are the independent check of the rules' plans.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from specdemo.transport.trees import Prefix, Tree, as_trees


@dataclass(frozen=True)
class Node:
    """A prefix v with S(v), B(v) and the accepted mass a(v) of each rule."""

    draft_mass: float
    target_mass: float
    accepted: dict[str, float]


def _token(draft: float, target: float, parent: float, child: Node) -> float:
    return parent * min(draft, target)


def _block(draft: float, target: float, parent: float, child: Node) -> float:
    return min(child.draft_mass, parent * target)


def _greedy_block(draft: float, target: float, parent: float, child: Node) -> float:
    return min(child.draft_mass, child.target_mass)


MASS_RULES: dict[str, Callable[[float, float, float, Node], float]] = {
    "token": _token,
    "block": _block,
    "greedy_block": _greedy_block,
}


def accepted_mass(draft_tree: Tree, target_tree: Tree, gamma: int | None = None) -> dict[Prefix, Node]:
    """S(v), B(v) and a(v) for every prefix of length ≤ γ (the root included), for the three rules of the transport picture."""
    draft, target, gamma = as_trees(draft_tree, target_tree, gamma)
    nodes: dict[Prefix, Node] = {(): Node(1.0, 1.0, dict.fromkeys(MASS_RULES, 1.0))}
    level: list[Prefix] = [()]
    for _ in range(gamma):
        children: list[Prefix] = []
        for prefix in level:
            parent, draft_law, target_law = nodes[prefix], draft(prefix), target(prefix)
            for x in range(draft.vocab_size):
                d, t = float(draft_law[x]), float(target_law[x])
                child = Node(parent.draft_mass * d, parent.target_mass * t, {})
                child.accepted.update(
                    {rule: mass(d, t, parent.accepted[rule], child) for rule, mass in MASS_RULES.items()}
                )
                nodes[(*prefix, x)] = child
                children.append((*prefix, x))
        level = children
    return nodes


def closed_form_accepted(rule: str, draft_tree: Tree, target_tree: Tree, gamma: int | None = None) -> float:
    """E[τ] = Σ_{v ≠ root} a(v) for "token", "block" or "greedy_block"."""
    nodes = accepted_mass(draft_tree, target_tree, gamma)
    return sum(node.accepted[rule] for prefix, node in nodes.items() if prefix)
