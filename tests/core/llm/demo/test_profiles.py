"""The profiles of the scripted model separate at every level of the bundled suite."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from modex.core.llm.demo.ability import Dice
from tests.rows import each_row
from tests.suite.kept_answers import cases

PROFILES = ["weak", "default", "strong", "perfect"]
"""From the least able to the ablest."""


def mastered(variant: str) -> dict[tuple[str, int], tuple[int, int]]:
    """How many of each cell's tests the variant masters, and how many there are."""
    counts: dict[tuple[str, int], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for test in cases().values():
        if test.rollout == "direct":
            dice = Dice(variant, f"{test.source}/{test.domain}/{test.level}/{test.test_id}/1")
            right, total = counts[test.domain, test.level]
            counts[test.domain, test.level] = (right + dice.is_right(test.level), total + 1)
    return counts


@each_row("level", [1, 2, 3, 4, 5])
def test_the_profiles_separate_at_every_level(level: int) -> None:
    shares = []
    for variant in PROFILES:
        cells = [count for (_, of), count in mastered(variant).items() if of == level]
        shares.append(sum(right for right, _ in cells) / sum(total for _, total in cells))
    assert all(less < more for less, more in pairwise(shares)), shares


def test_in_no_cell_is_a_weaker_profile_ahead() -> None:
    found = [mastered(variant) for variant in PROFILES]
    for weaker, stronger in pairwise(found):
        assert [cell for cell in weaker if weaker[cell][0] > stronger[cell][0]] == []


def test_the_perfect_one_masters_everything() -> None:
    assert all(right == total for right, total in mastered("perfect").values())
