"""Loops are told from honest answers: every kind of each, some of them; all of them by `python -m benchmarks runaways`."""

from __future__ import annotations

from benchmarks.runaways import HONEST, LOOPS, false_alarms, found_loops, looped
from modex.core.llm.runaway import Recogniser, repeats, repeats_calls
from tests.rows import each_row


def test_no_honest_answer_is_called_a_loop() -> None:
    assert [kind for kind, _, wrong in false_alarms(2 * len(HONEST), seed=1) if wrong] == []


def test_every_kind_of_loop_is_seen_in_time() -> None:
    assert [kind for kind, count, seen in found_loops(2 * len(LOOPS), seed=1) if len(seen) < count] == []


def test_json_of_5000_levels_is_no_loop_and_brackets_without_end_are_one() -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}"), ('{"next": [', "]}")):
        assert looped(opening * 5000 + "0" + closing * 5000) is None
    assert looped('{"next": [' * 15_000) is not None
    assert looped("the answer is [4] " * 500) is not None


def test_the_same_call_over_and_over_is_a_loop_and_different_ones_are_none() -> None:
    assert repeats_calls([("find", "{}")] * 12) == "the call find with the same arguments, 12 times"
    assert repeats_calls([("find", "{}")] * 11) is None
    assert repeats_calls([("find", f'{{"page": {number}}}') for number in range(50)]) is None


def test_a_long_text_is_a_loop_when_it_is_said_for_the_fourth_time() -> None:
    paragraph = " ".join(f"{'abcdefg'[number % 7]}{number} word" for number in range(250)) + " "
    assert len(paragraph) > 2000
    assert repeats("at first " + paragraph * 3) is None
    found = repeats("at first " + paragraph * 4)
    assert found is not None
    assert found.words == f"the same {len(paragraph)} characters 4 times"


def loop(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


@each_row(
    ("tail", "words"),
    [
        (loop("the same words ", 3000), "the same 15 characters 200 times"),
        (loop("the same words ", 2999), None),
        (loop("0.3 ", 6000), "the same 4 characters 1500 times"),
        (loop("0.3 ", 5999), None),
        (loop("null, ", 5999), None),
        ("once " + loop("the same words ", 3000), "the same 15 characters 200 times"),
        (("some words " * 70 + "x") * 4, "the same 771 characters 4 times"),
        (("some words " * 90 + "y") * 3, None),
        (loop("ab cd ", 47), None),
        ("", None),
    ],
)
def test_words_over_and_over_are_seen_from_a_certain_length(tail: str, words: str | None) -> None:
    found = repeats(tail)
    assert (None if found is None else found.words) == words


def lines(said: list[str], count: int) -> str:
    """So many lines, with another number in front of each, between two that are not looked at."""
    return "\n".join(["x", *(f"{place}. {said[place * place % len(said)]}" for place in range(count)), "y"])


@each_row(
    ("said", "count", "loop"),
    [
        (["we try it again right now"], 60, True),
        (["we try it again right now"], 59, False),
        (["we try it again right no"], 80, False),  # 1,440 bytes
        (["we try it again right now", "it does not work any more"], 80, True),
        (["we try, we try, we try, we"], 80, True),
        (["we... try................"], 80, False),
    ],
)
def test_few_lines_over_and_over_are_a_loop_whatever_their_numbers(said: list[str], count: int, loop: bool) -> None:
    assert (repeats(lines(said, count)) is not None) is loop


def grown(pieces: list[str]) -> list[str | None]:
    """What is said after each of some pieces."""
    recogniser = Recogniser()
    return [recogniser.look(pieces[: number + 1]) for number in range(len(pieces))]


def test_a_growing_text_is_looked_at_after_every_512_characters() -> None:
    begun = loop("the same words ", 2_560)
    said = grown([begun, loop("the same words ", 511 + 2_560)[2_560:], "", loop("the same words ", 3_072)[3_071:]])
    assert said == [None, None, None, "the same 15 characters 204 times"]
    recogniser = Recogniser()
    assert recogniser.look([loop("the same words ", 4_000)]) is not None
    assert recogniser.look([loop("the same words ", 4_000)]) is None  # nothing new


def test_the_last_twelve_thousand_characters_are_what_is_looked_at() -> None:
    assert grown([loop("the same words ", 40_000)]) == ["the same 15 characters 800 times"]


def test_brackets_without_end_are_a_loop_after_100_000_characters_of_them() -> None:
    step = 1_000 * '{"next": ['
    said = grown([step] * 12)
    assert said == [None] * 9 + ["the same 10 characters 1200 times"] * 3
    assert grown([step] * 9 + [step[:-10]]) == [None] * 10
    assert grown([step] * 9 + ["so much for that. " * 40] + [step] * 9) == [None] * 19


def test_twelve_calls_alike_are_a_loop() -> None:
    assert repeats_calls([("f", "{}")] * 11) is None
    assert repeats_calls([("f", "{}")] * 12) == "the call f with the same arguments, 12 times"
    assert repeats_calls([("g", "{}")] * 9 + [("f", "{}")] * 11) is None
    assert repeats_calls([("g", "{}")] * 9 + [("f", "{}")] * 12) == "the call f with the same arguments, 12 times"
