from __future__ import annotations

import random

import pytest

from modex.tui.widgets.transcript_layout import Layout, TextPlace
from modex.tui.widgets.transcript_search import Matches
from modex.tui.widgets.transcript_text import Section, block


def _long(lines: int, seed: int = 1) -> str:
    chosen = random.Random(seed)
    words = ("alpha", "beta", "gamma", "delta", "naïve", "日本語")
    return "\n".join(" ".join(chosen.choices(words, k=chosen.randint(1, 40))) for _ in range(lines))


def _sections(text: str, *, folded: bool = False) -> list[Section]:
    return [
        Section("prompt", "prompt", [block("What?")]),
        Section("response", "response", [block(text)], folded=folded),
        Section("verdict", "verdict", [block("right")]),
    ]


def test_a_folded_part_takes_one_row() -> None:
    layout = Layout(_sections("a\nb\nc", folded=True), 80)
    assert [layout.at(y).section for y in range(layout.height)] == [0, 0, -1, 1, 2, 2, -1]


def test_a_small_transcript_is_exact_at_once() -> None:
    layout = Layout(_sections(_long(40)), 60)
    before = layout.height
    assert layout.settle(0, before, 0) == 0
    assert layout.height == before


def test_rows_in_sight_stay_when_what_is_above_is_wrapped() -> None:
    layout = Layout(_sections(_long(4000)), 60)
    y = layout.height // 2
    layout.settle(y, y, y)
    place = layout.place(y)
    shift = layout.settle(0, y, y)
    assert layout.place(y + shift) == place


def test_every_row_is_reached_once_walking_down_a_long_text() -> None:
    text = _long(3000)
    layout = Layout(_sections(text), 60)
    y, seen = 0, []
    while y < layout.height:
        layout.settle(y, y + 50, y)
        seen.append(layout.at(y))
        y += 1
    rows = [found.row for found in seen if found.section == 1 and found.block is not None]
    assert rows == sorted(set(rows))
    assert rows[-1][1] == len(layout.sections[1].blocks[0].text)


@pytest.mark.parametrize("width", [20, 60, 200])
def test_a_place_is_found_again_at_another_width(width: int) -> None:
    sections = _sections(_long(2000))
    layout = Layout(sections, 80)
    y = layout.height * 2 // 3
    layout.settle(y, y, y)
    place = layout.place(y)
    other = Layout(sections, width)
    found = other.at(other.y_of(place))
    assert found.section == 1
    assert found.row[0] <= place.offset <= found.row[1]


def test_a_place_in_a_folded_part_is_its_title() -> None:
    layout = Layout(_sections("a\nb", folded=True), 80)
    assert layout.y_of(TextPlace(1, 0, 2)) == layout.title_y(1)


def test_nothing_to_show_has_no_rows() -> None:
    layout = Layout([], 80)
    assert (layout.height, layout.settle(0, 20, 0), layout.at(3).section) == (0, 0, -1)


def test_small_letters_find_capitals_and_capitals_only_themselves() -> None:
    sections = _sections("Acid and acid, İacid")
    assert len(Matches(sections, "acid")) == 3
    assert len(Matches(sections, "Acid")) == 1


def test_the_next_match_goes_around_the_ends() -> None:
    matches = Matches(_sections("x . x"), "x")
    last = matches.found[-1].place
    assert matches.nearest(last, 1) == 0
    assert matches.nearest(matches.found[0].place, -1) == 1
    assert matches.nearest(last, 1, here=True) == 1


def test_a_search_sees_what_is_shown_not_what_steers() -> None:
    assert len(Matches(_sections("a\u200bcid"), "acid")) == 1
