"""Tests of two runs that ask the same under other ids, as runs of different tools do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.store.exact import decode_text
from core.store.pairing import questions_without, share_tests
from core.store.reader import Reader
from core.store.rows import RunRow
from core.suite.questions import questions_in

_Key = tuple[str, str, int, str]
_IMPORTED = "imported"


def same_questions(reader: Reader, first: RunRow, second: RunRow) -> Mapping[_Key, _Key]:
    """Tests of `second`, by key as stored, and the test of `first` that asks the same words; empty where ids are comparable.

    Ids are comparable where neither run comes from another tool and any test stands in both, and within one source.
    A question that several tests of a run ask is not paired: the words do not say which of them is meant.
    """
    of_another_tool = _IMPORTED in (first.kind, second.kind)
    if not of_another_tool and share_tests(reader, first.id, second.id):
        return {}
    theirs: dict[str, _Key | None] = {}
    for own, prompt in _questions(reader, first, second):
        for words in set(questions_in(prompt)):
            theirs[words] = None if words in theirs else own
    if not theirs:
        return {}
    paired: dict[_Key, _Key] = {}
    taken: set[_Key] = set()
    twice: set[_Key] = set()
    for own, prompt in _questions(reader, second, first):
        same = next((key for words in questions_in(prompt) if (key := theirs.get(words)) is not None), None)
        if same is not None and (of_another_tool or same[0] != own[0]):
            (twice if same in taken else taken).add(same)
            paired[own] = same
    return {own: same for own, same in paired.items() if same not in twice}


def _questions(reader: Reader, run: RunRow, without: RunRow) -> Iterator[tuple[_Key, str]]:
    """The tests of a run that another lacks, by key as stored, with their questions."""
    for source, domain, level, test_id, prompt in questions_without(reader, run.id, without.id):
        yield (source, domain, level, test_id), decode_text(prompt)
