from __future__ import annotations

import pytest

from modex.core.features.story.story import ReasonCount, Story
from modex.core.foundation.parties import Party
from modex.core.store.bounds import Bounds
from modex.core.store.parties import PartyCount
from modex.tui.look.glyphs import UNICODE
from modex.tui.look.paint import Line
from modex.tui.widgets.story import Chapter, chapters, told
from tests.rows import each_row


def _items(*names: str) -> list[Line]:
    return [[(name, "text")] for name in names]


FOUND = [Chapter("why", _items("a", "b", "c")), Chapter("slowest", _items("x", "y"))]


def _text(lines: list[Line]) -> list[list[str]]:
    return ["".join(text for text, _ in line).split() for line in lines]


@each_row(
    ("room", "lines"),
    [
        (0, []),
        (1, [["why", "a", "b", "c"]]),
        (2, [["why", "a", "b", "c"], ["slowest", "x", "y"]]),
        (3, [["why", "a"], ["b", "c"], ["slowest", "x", "y"]]),
        (5, [["why", "a"], ["b"], ["c"], ["slowest", "x"], ["y"]]),
        (9, [["why", "a"], ["b"], ["c"], ["slowest", "x"], ["y"]]),
    ],
)
def test_every_subject_has_a_line_before_one_has_two(room: int, lines: list[list[str]]) -> None:
    assert _text(told(FOUND, 60, room)) == lines


def test_what_does_not_fit_beside_is_left_out_whole() -> None:
    assert _text(told(FOUND[:1], 18, 1)) == [["why", "a", "b"]]


@each_row(
    ("kinds", "said"),
    [
        (["rate_limit"], ["ask fewer at once with --concurrency N"]),
        (
            ["rate_limit", "imported_error", "timeout"],
            [
                "ask fewer at once with --concurrency N   rate_limit",
                "give each call more time with --timeout SECONDS   timeout",
            ],
        ),
        (["imported_error"], []),
    ],
)
def test_a_story_says_once_what_to_do_about_each_kind_of_error(kinds: list[str], said: list[str]) -> None:
    story = Story((), (), tuple(ReasonCount(kind, 2) for kind in kinds), (), (), None, None)
    items = [item for chapter in chapters(story, UNICODE) if chapter.label == "to do" for item in chapter.items]
    assert ["".join(text for text, _ in item) for item in items] == said


def test_a_story_says_whose_the_errors_are() -> None:
    lost = (PartyCount(Party.SERVER, 2, {"tool_unavailable": 2}, {"weather: exit 3": 2}),)
    story = Story((), (), (ReasonCount("tool_unavailable", 2),), (), (), None, None, not_scored=lost)
    labels = {chapter.label: chapter.items for chapter in chapters(story, UNICODE)}
    assert labels["at fault"] == [[("2 server (weather: exit 3)", "error")]]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "1 answer without a verdict leaves the score between 57.1 and 100.0 (1 cut off)"),
        (3, "3 answers without a verdict leave the score between 57.1 and 100.0 (3 cut off)"),
    ],
)
def test_a_story_says_between_which_scores_answers_without_a_verdict_leave_the_run(number: int, said: str) -> None:
    story = Story(
        (), (), (ReasonCount("runaway", number),), (), (), None, None, bounds=Bounds(number, 0.5714, 1.0, number)
    )
    labels = {chapter.label: chapter.items for chapter in chapters(story, UNICODE)}
    assert ["".join(text for text, _ in item) for item in labels["open"]] == [said]
