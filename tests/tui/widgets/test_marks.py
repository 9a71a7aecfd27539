from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.tui.look.glyphs import UNICODE
from modex.tui.widgets.marks import ORDER, painted, proportional

counts = st.fixed_dictionaries({status: st.integers(0, 5000) for status in ORDER})


@given(counts, st.integers(1, 40))
def test_a_bar_fills_its_width_and_shows_only_what_occurs(found: dict[str, int], width: int) -> None:
    bar = proportional(found, width)
    assert sum(places for _, places in bar) == (width if sum(found.values()) else 0)
    assert all(found[status] for status, _ in bar)


@given(counts, st.integers(6, 40))
def test_a_bar_with_room_for_every_state_hides_none(found: dict[str, int], width: int) -> None:
    assert {status for status, _ in proportional(found, width)} == {status for status in ORDER if found[status]}


@given(counts, st.integers(2, 5))
def test_a_failure_or_an_error_is_never_hidden_by_what_went_well(found: dict[str, int], width: int) -> None:
    shown = {status for status, _ in proportional(found, width)}
    for status in ("failed", "error"):
        assert not found[status] or status in shown


def test_few_tests_are_drawn_one_by_one_in_their_order() -> None:
    parts = painted({"passed": 2, "failed": 1, "pending": 1}, "PFP.", 4, UNICODE)
    assert "".join(text for text, _ in parts) == "●○●·"


def test_many_tests_become_a_bar_in_proportion() -> None:
    parts = painted({"passed": 75, "failed": 25}, None, 4, UNICODE)
    assert parts == [("●●●", "passed"), ("○", "failed")]
