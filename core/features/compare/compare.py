"""Comparing two runs: how the Weighted Scores differ and how sure, who flipped, what it cost, and how tools were used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from modex.core.comparison.difference import Difference, PairedScores, Settled, difference_json
from modex.core.comparison.pairs import Match, Pair, RunSide, TestKey, matches, side_of_one, tests_of
from modex.core.comparison.questions import Questions, questions_json, questions_of
from modex.core.comparison.wording import by_question_words, other_questions_words, other_rules_words
from modex.core.features.compare.tool_use import ToolUse, tool_use
from modex.core.features.noise.rule import Flaky, known_noise
from modex.core.statistics.paired import holm
from modex.core.store.exact import decode_text
from modex.core.store.pairing import Alike, Pairing, judged_otherwise, pairing, rules_of
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.readers import WORTH, Readers
from modex.core.store.rows import RunRow, known_status


@dataclass(frozen=True, slots=True)
class Unscored:
    """Tests of both runs that lack a verdict in one run, by why; a test counts once."""

    cut_off: int = 0
    errors: int = 0
    waiting: int = 0
    skipped: int = 0

    @property
    def lacking(self) -> int:
        """Those that were to have a verdict."""
        return self.cut_off + self.errors + self.waiting

    def including(self, side: RunSide, number: int = 1) -> Unscored:
        """A `number` of tests more that went like `side`."""
        if not side.missing and side.answered:
            return self
        if side.cut_off:
            return replace(self, cut_off=self.cut_off + number)
        if "error" in side.statuses:
            return replace(self, errors=self.errors + number)
        if side.missing:
            return replace(self, waiting=self.waiting + number)
        return replace(self, skipped=self.skipped + number)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything `modex compare` says of two runs."""

    first: RunRow
    second: RunRow
    settled: Settled
    """What all differences here are made of."""
    overall: Difference | None
    domains: dict[str, Difference]
    flips: list[Pair]
    unscored: int
    """Pairs in which one side has no score; they are in no difference but in its bounds."""
    without_verdict: tuple[Unscored, Unscored]
    """Why tests of both runs lack verdicts, in each run."""
    only_first: list[TestKey]
    only_second: list[TestKey]
    tools: tuple[ToolUse | None, ToolUse | None]
    """How each used tools; None where it used none, or nobody asked."""
    flaky: frozenset[TestKey] = frozenset()
    """Tests that are known to flip by themselves, in either run."""
    questions: Questions = field(default_factory=Questions)
    """How tests went together by what they ask: other ids, other questions."""
    left_out: Sequence[TestKey] = ()
    """Tests of either run that were not to count."""
    other_rules: frozenset[TestKey] | None = None
    """Tests that each run judged by another gold or evaluator; None where nobody looked."""

    @property
    def flips_of_rules(self) -> int:
        """Flips that may be the rules', not the model's."""
        return sum(item.key in self.other_rules for item in self.flips) if self.other_rules else 0


def pairing_notes(found: Comparison) -> list[str]:
    """What the pairing leaves to be known: other ids, other questions, other rules."""
    lines = (
        by_question_words(found.questions.by_question, found.second.exp_id),
        other_questions_words(found.questions.otherwise, found.questions.twice),
        other_rules_words(None if found.other_rules is None else len(found.other_rules)),
    )
    return [words for words in lines if words]


def compare(
    reader: Reader,
    first: RunRow,
    second: RunRow,
    *,
    tools: bool = True,
    noise: bool = True,
    query: SampleQuery | None = None,
    without: Collection[str] = frozenset(),
    progress: Callable[[int], None] = lambda _: None,
) -> Comparison:
    """Compare two runs by the tests they share; of a million tests only those that flipped or lack a side are kept.

    `query` takes only the tests of which a sample in either run matches, `without` leaves out those that it names by id or
    domain/level/id. `noise` reads which tests flip by themselves.
    `tools` reads the transcripts of all tests with tools, and both suites, for how tools were used. `progress` is told how many
    more tests were compared.
    """
    questions = questions_of(reader, first, second)
    same = questions.same
    with Readers(reader, (first, second)) as readers:
        counted = (
            None if same or without or query is not None else pairing(readers, first.id, second.id, _is_named, progress)
        )
        used = (tool_use(readers, first), tool_use(readers, second)) if tools else (None, None)
    tally, left_out = _Tally(), list[TestKey]()
    if counted is not None:
        tally.count(counted)
    else:
        wanted = None if query is None else tests_of(reader, (first, second), query)
        for match in matches(reader, first, second, same):
            progress(1)
            if match.key[3] in without or "/".join(map(str, match.key[1:])) in without:
                left_out.append(match.key)
            elif wanted is None or match.key in wanted:
                tally.add(match)
    settled = tally.scores.settled()
    others = other_rules_of(reader, first, second, same)
    return Comparison(
        first=first,
        second=second,
        settled=settled,
        overall=settled.difference(),
        domains=_adjusted({domain: settled.difference((domain,)) for domain in settled.domains}),
        flips=[item for _, item in sorted(tally.flips, key=_worst_first)],
        unscored=tally.unscored,
        without_verdict=tally.without,
        only_first=[key for _, key in sorted(tally.only[0])],
        only_second=[key for _, key in sorted(tally.only[1])],
        questions=questions,
        left_out=left_out,
        tools=used,
        flaky=frozenset(one.key for run in (first, second) if noise for one in _flaky(reader, run)),
        other_rules=None if others is None else others.difference(left_out),
    )


def _worst_first(flip: tuple[int, Pair]) -> tuple[float, int]:
    """Losses before gains: by the difference, then in the tests' own order."""
    return flip[1].difference or 0.0, flip[0]


@dataclass(slots=True)
class _Tally:
    """What is kept while the tests of two runs are gone through."""

    scores: PairedScores = field(default_factory=PairedScores)
    flips: list[tuple[int, Pair]] = field(default_factory=list)
    only: tuple[list[tuple[int, TestKey]], list[tuple[int, TestKey]]] = field(default_factory=lambda: ([], []))
    without: tuple[Unscored, Unscored] = (Unscored(), Unscored())
    unscored: int = 0

    def add(self, match: Match) -> None:
        """One test."""
        if match.first is None or match.second is None:
            self.only[match.first is None].append((match.position, match.key))
            return
        item = Pair(match.key, match.first, match.second, match.other)
        self._both(match, item, 1)
        if item.flip:
            self.flips.append((match.position, item))

    def count(self, found: Pairing) -> None:
        """All tests, counted where they went alike: what adding each of them comes to."""
        # In the order in which the tests themselves would come, by their keys: sums over cells are taken in the order of cells.
        for alike, tests in sorted(found.alike.items(), key=lambda item: item[0][:3]):
            named = [(position, (*alike[:3], decode_text(test))) for position, test in found.named.get(alike, ())]
            if alike.other_epoch is None:
                self.only[0].extend(named)
                continue
            first, second = _sides(alike)
            key = (*alike[:3], "")
            self._both(Match(key, first, second, tests.position, alike.weight), Pair(key, first, second), tests.number)
            self.flips.extend((position, Pair(key, first, second)) for position, key in named)
        self.only[1].extend(
            (position, (source, domain, level, decode_text(test)))
            for position, source, domain, level, test in found.only_second
        )

    def _both(self, match: Match, item: Pair, number: int) -> None:
        self.scores.add(match, number)
        self.without = (
            self.without[0].including(item.first, number),
            self.without[1].including(item.second, number),
        )
        self.unscored += number * (item.difference is None)


def _sides(alike: Alike) -> tuple[RunSide, RunSide]:
    """How tests that went alike went in each run."""
    return (
        side_of_one(known_status(alike.status), alike.score, alike.error_type),
        side_of_one(known_status(alike.other_status), alike.other_score, alike.other_error_type),
    )


def _is_named(alike: Alike) -> bool:
    """Whether tests that went alike are listed one by one: those that flipped or stand in the first run alone."""
    return alike.other_epoch is None or Pair(("", "", 1, ""), *_sides(alike)).flip is not None


def pairs_of(reader: Reader, first: RunRow, second: RunRow, keys: Sequence[TestKey]) -> list[Pair]:
    """Some tests of two runs, in this order; a run that lacks one has an empty side."""
    wanted = frozenset(keys)
    found = {
        match.key: Pair(match.key, match.first or RunSide((), ()), match.second or RunSide((), ()), match.other)
        for match in matches(reader, first, second)
        if match.key in wanted
    }
    return [found[key] for key in keys if key in found]


def _flaky(reader: Reader, run: RunRow) -> list[Flaky]:
    noise = known_noise(reader, run)
    return noise.flaky if noise is not None else []


def other_rules_of(
    reader: Reader, first: RunRow, second: RunRow, same: Mapping[TestKey, TestKey] | None = None
) -> frozenset[TestKey] | None:
    """The tests that each run judged by another gold or evaluator; None of large runs, where looking takes as long.

    `same` has the tests that the second run calls otherwise, as `same_questions` gives it.
    """
    if max(first.total_tests, second.total_tests) > WORTH:
        return None
    found = judged_otherwise(reader, first.id, second.id)
    if same:
        ours = {row[:4]: row[4:] for row in rules_of(reader, first.id)}
        theirs = {row[:4]: row[4:] for row in rules_of(reader, second.id) if row[:4] in same}
        found = [key for key in found if key not in same]
        found += [same[key] for key, rules in theirs.items() if ours.get(same[key], rules) != rules]
    return frozenset((source, domain, level, decode_text(test)) for source, domain, level, test in found)


def _adjusted(found: dict[str, Difference | None]) -> dict[str, Difference]:
    """The domains' differences with their p-values after Holm's correction; a single pair proves nothing."""
    there = {domain: one for domain, one in found.items() if one is not None}
    scores = holm({domain: 1.0 if one.p_value is None else one.p_value for domain, one in there.items()})
    rates = holm({domain: one.mcnemar_p for domain, one in there.items()})
    return {domain: replace(one, holm_p=scores[domain], mcnemar_holm_p=rates[domain]) for domain, one in there.items()}


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """A comparison as scripts get it."""
    one, two = comparison.without_verdict
    return {
        "first": comparison.first.exp_id,
        "second": comparison.second.exp_id,
        "overall": difference_json(comparison.overall),
        "domains": {domain: difference_json(item) for domain, item in comparison.domains.items()},
        "flips": [
            {
                "test": "/".join(map(str, item.key[1:])),
                "source": item.key[0],
                "change": item.flip,
                "first": item.first.mean,
                "second": item.second.mean,
                "flaky": item.key in comparison.flaky,
                "other_rules": item.key in (comparison.other_rules or ()),
            }
            for item in comparison.flips
        ],
        "other_rules": len(comparison.other_rules) if comparison.other_rules is not None else None,
        **questions_json(comparison.questions),
        "unscored": comparison.unscored,
        "without_verdict": {"first": _unscored_json(one), "second": _unscored_json(two)},
        "only_first": ["/".join(map(str, key[1:])) for key in comparison.only_first],
        "only_second": ["/".join(map(str, key[1:])) for key in comparison.only_second],
        "cost_usd": [comparison.first.cost_usd, comparison.second.cost_usd],
        "duration_ms": [comparison.first.duration_ms, comparison.second.duration_ms],
        "tokens": [run.prompt_tokens + run.completion_tokens for run in (comparison.first, comparison.second)],
        "tools": [use.as_dict() if use else None for use in comparison.tools],
    }


def _unscored_json(found: Unscored) -> dict[str, int]:
    return {name: getattr(found, name) for name in Unscored.__dataclass_fields__}
