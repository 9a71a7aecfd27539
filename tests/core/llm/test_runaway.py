"""Loops are told from honest answers: every kind of each, some of them; all of them by `python -m benchmarks runaways`."""

from __future__ import annotations

from benchmarks.runaways import HONEST, LOOPS, false_alarms, found_loops, looped
from core.llm.runaway import repeats_calls


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
