"""Tests of two runs that ask the same under other ids, as runs of different tools do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from modex.core.store.exact import decode_text
from modex.core.store.pairing import prompts_that_differ, questions_without, share_tests
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.suite.questions import plain_words, questions_in

_Key = tuple[str, str, int, str]
_IMPORTED = "imported"
_OTHERWISE = " (other question)"
"""Behind the id of a test whose namesake in the first run asks something else, so that the two are not paired."""


@dataclass(frozen=True, slots=True)
class Questions:
    """How tests of two runs go together by what they ask."""

    same: Mapping[_Key, _Key] = field(default_factory=dict)
    """Tests of the second run, by key as stored, and the key that counts."""
    by_question: int = 0
    """Tests that are paired by the words of their question, under other ids."""
    otherwise: int = 0
    """Ids of both runs that stand for another question in each."""
    twice: int = 0
    """Questions that several tests of a run ask, so that the words do not say which is meant."""


def questions_json(found: Questions) -> dict[str, int]:
    """How tests went together, as scripts get it."""
    return {"by_question": found.by_question, "other_questions": found.otherwise, "asked_twice": found.twice}


def same_questions(reader: Reader, first: RunRow, second: RunRow) -> Mapping[_Key, _Key]:
    """Tests of `second`, by key as stored, and the key under which `first` has the same question; see `questions_of`."""
    return questions_of(reader, first, second).same


def questions_of(reader: Reader, first: RunRow, second: RunRow) -> Questions:
    """How tests go together whose ids do not say it.

    Ids are comparable where neither run comes from another tool and any test stands in both, and within one source. Ids of
    datasets and of answers made elsewhere are comparable only where the questions agree. A question that several tests of a
    run ask is not paired: the words do not say which of them is meant.
    """
    of_another_tool = _IMPORTED in (first.kind, second.kind)
    differing = {key: (one, two) for key, one, two in _differing(reader, first, second)}
    if not of_another_tool and not differing and share_tests(reader, first.id, second.id):
        return Questions()
    ours = [*_questions(reader, first, second), *((key, one) for key, (one, _) in differing.items())]
    asked: dict[str, _Key | None] = {}
    repeated: set[str] = set()
    for own, prompt in ours:
        for words in set(questions_in(prompt)):
            if words in asked:
                repeated.add(words)
            asked[words] = None if words in asked else own
    paired: dict[_Key, _Key] = {}
    taken: set[_Key] = set()
    twice: set[_Key] = set()
    unclear: set[str] = set()
    others = (*_questions(reader, second, first), *((key, two) for key, (_, two) in differing.items())) if asked else ()
    for own, prompt in others:
        keys = questions_in(prompt)
        unclear.update(repeated.intersection(keys))
        same = next((key for words in keys if (key := asked.get(words)) is not None), None)
        if same is not None and (of_another_tool or same[0] != own[0] or own in differing or same in differing):
            (twice if same in taken else taken).add(same)
            paired[own] = same
    found = {own: same for own, same in paired.items() if same not in twice}
    apart = {key: (*key[:3], f"{key[3]}{_OTHERWISE}") for key in differing if key not in found}
    return Questions({**found, **apart}, len(found), len(differing), len(twice) + len(unclear))


def _differing(reader: Reader, first: RunRow, second: RunRow) -> Iterator[tuple[_Key, str, str]]:
    """The tests of both runs that ask something else in each, not the same in another template, with both prompts."""
    if not (_is_free(first) or _is_free(second)):
        return
    for source, domain, level, test_id, one, two in prompts_that_differ(reader, first.id, second.id):
        ours, theirs = decode_text(one), decode_text(two)
        if set(questions_in(ours)).isdisjoint(questions_in(theirs)):
            words, others = plain_words(ours), plain_words(theirs)
            if words not in others and others not in words:
                yield (source, domain, level, test_id), ours, theirs


def _is_free(run: RunRow) -> bool:
    """Whether the ids of a run are a file's: of a dataset, or of what another tool wrote."""
    selection = run.config.get("selection")
    datasets = selection.get("datasets") if isinstance(selection, dict) else None
    return run.kind == _IMPORTED or bool(datasets) or str(run.config.get("agent") or "").startswith("answers:")


def _questions(reader: Reader, run: RunRow, without: RunRow) -> Iterator[tuple[_Key, str]]:
    """The tests of a run that another lacks, by key as stored, with their questions."""
    for source, domain, level, test_id, prompt in questions_without(reader, run.id, without.id):
        yield (source, domain, level, test_id), decode_text(prompt)
