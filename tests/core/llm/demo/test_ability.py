"""What each variant of the scripted model can do, and how its dice fall."""

from __future__ import annotations

from dataclasses import replace

import pytest

from modex.core.llm.demo.ability import VARIANTS, Dice


def test_variants_differ_in_what_their_names_say() -> None:
    plain = VARIANTS["default"]
    assert (plain.rate_limited, plain.unavailable, plain.truncated, plain.leaves_early) == (0.006, 0.012, 0.0, 0.0)
    assert (plain.right, plain.with_tools) == ((0.97, 0.90, 0.75, 0.55, 0.35), 0.2)
    changed = {
        "litellm": {},
        "flaky": {"rate_limited": 0.06, "unavailable": 0.12, "truncated": 0.03},
        "hasty": {"rate_limited": 0.0, "unavailable": 0.0, "leaves_early": 0.25},
        "perfect": {"rate_limited": 0.0, "unavailable": 0.0, "right": (1.0,) * 5},
        "judge": {"rate_limited": 0.0, "unavailable": 0.005, "right": (0.99,) * 5},
        "strong": {"right": (0.984, 0.97, 0.92, 0.80, 0.62)},
        "weak": {"right": (0.85, 0.65, 0.42, 0.22, 0.10)},
    }
    assert {name: replace(plain, **more) for name, more in changed.items()} | {"default": plain} == VARIANTS  # type: ignore[arg-type]


def test_dice_fall_evenly_and_alike_for_the_same_purpose() -> None:
    rolls = [Dice("default", f"k{number}").roll("x") for number in range(400)]
    assert 0 <= min(rolls) < 0.05 < 0.95 < max(rolls) < 1
    assert rolls == [Dice("default", f"k{number}").roll("x") for number in range(400)]
    assert Dice("weak", "k0").roll("x") != rolls[0] != Dice("default", "k0").roll("y")
    picks = [Dice("default", f"k{number}").pick("x", 3) for number in range(400)]
    assert picks == [int(3 * roll) for roll in rolls]
    assert [Dice("default", "k").pick("x", count) for count in (1, 0, -1)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("level", "with_tools", "chance"), [(0, False, 0.97), (1, False, 0.97), (5, False, 0.35), (9, True, 0.55)]
)
def test_a_test_is_mastered_by_the_chance_of_its_level(
    monkeypatch: pytest.MonkeyPatch, level: int, with_tools: bool, chance: float
) -> None:
    for roll in (chance - 1e-9, chance):
        monkeypatch.setattr(Dice, "roll", lambda self, _, roll=roll: roll if self.variant == "default" else 2.0)
        assert Dice("flaky", "k").is_right(level, with_tools=with_tools) is (roll < chance)
