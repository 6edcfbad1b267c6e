"""Cases on vocabularies of about 32,000 symbols, whose laws are made from a seed; chosen once so that the outcomes vary and hold firmly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from specdemo.auditor.vectors.record import Case, Recipe

GRID = 2**10

# rule, V, seed, tokens drawn from the recipe's draft laws, uniforms in units of 1/1024
CHOSEN: list[tuple[str, int, int, tuple[int, ...], tuple[int, ...]]] = [
    ("token", 32000, 77000, (14199,), (372, 879)),
    ("token", 32000, 77100, (15786, 6694, 14037), (99, 505, 661, 29)),
    ("token", 32003, 77202, (21488, 6637, 8761, 298), (975, 495, 589, 931, 366)),
    ("token", 32000, 77300, (30747, 6539, 18082, 27227), (891, 439, 8, 11, 572)),
    ("block", 32000, 77401, (15485,), (985, 834)),
    ("block", 32000, 77500, (15920, 6294), (5, 896, 527)),
    ("block", 32000, 77600, (15820, 6239, 21931, 4309), (200, 986, 498, 273, 288)),
    ("block", 32003, 77700, (27055, 14238, 4029, 28463), (847, 3, 948, 361, 461)),
    ("block", 31999, 77801, (15085, 31598, 7596, 5813, 10685), (595, 573, 88, 282, 383, 224)),
    ("block", 32000, 77905, (13790, 5934, 24147, 26723, 29765, 8984, 14625, 10456), (599, 846, 333, 963, 37, 791, 609, 473, 716)),
    ("greedy_block", 32000, 78000, (16935, 5839), (16, 668, 360)),
    ("greedy_block", 32003, 78105, (14781, 5689, 9178, 23194), (671, 416, 40, 960, 162)),
    ("greedy_block", 32000, 78201, (26118, 5638, 25277, 2683, 14630), (415, 516, 200, 252, 74, 546)),
    ("sampled_match", 32000, 78300, (19674, 5539), (309, 786, 273)),
    ("exact_match", 32000, 78400, (26646, 19121), (754, 373, 512)),
]  # fmt: skip


def large_cases() -> Iterator[Case]:
    """All of them, in the order of `CHOSEN`."""
    for number, (rule, vocab_size, seed, tokens, uniforms) in enumerate(CHOSEN, start=1):
        parts = tuple(Fraction(u, GRID) for u in uniforms)
        yield Case(f"{rule}-large-{number:02d}", rule, tokens, parts, Recipe(seed, vocab_size))
