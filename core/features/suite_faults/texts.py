"""What the texts of tests say: questions that are asked twice or nearly so, and golds that stand in what is asked.

Resemblance by word shingles: A. Broder, https://doi.org/10.1109/SEQUEN.1997.666900.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from modex.core.answers.kinds import ExpectedAnswer, expected_answer
from modex.core.features.suite_faults.finding import SuiteFinding
from modex.core.features.suite_faults.gather import ExaminedTest
from modex.core.foundation.errors import JudgeError

ALIKE = 0.8
"""The share of word triples in common (Jaccard) from which two questions are nearly alike."""
_LEAST_WORDS = 8
"""Shorter questions are compared word for word alone: two sums of numbers share most of their few words."""
_WORDS = re.compile(r"[^\W_]+|[^\w\s]")
_SAID = re.compile(
    r"(answer|solution|correct|gold|expected|result|lösung|jawaban|答案|正确)[^\w\n]{0,4}(is|are|=|:|：|是|为)?\W{0,6}$"
)
_SAME_WAY = 0.25
"""The share of a domain's tests whose gold stands in the prompt, from which that is how it asks: reading, choosing."""
_MANY = 5
"""Tests of a domain, from which it has a way of its own."""

Words = tuple[str, ...]


def repeated(items: Sequence[ExaminedTest]) -> Iterator[SuiteFinding]:
    """Questions that stand word for word in several tests, then those that are nearly alike."""
    words = [tuple(_WORDS.findall(f"{item.system}\n{item.prompt}".casefold())) for item in items]
    same: dict[Words, list[int]] = defaultdict(list)
    for place, text in enumerate(words):
        if text:
            same[text].append(place)
    for places in same.values():
        if len(places) > 1:
            golds = len({repr(items[place].expected) for place in places})
            other = "; their golds differ" if golds > 1 else ""
            found = [items[place] for place in places]
            figures = {"tests_alike": len(places), "golds": golds}
            sentence = f"{len(places)} tests ask word for word the same{other}"
            yield SuiteFinding(
                "same_question",
                tuple(one.key for one in found),
                tuple(one.sample_id for one in found),
                sentence,
                figures,
            )
    first_of = sorted(places[0] for places in same.values())
    asked = [(place, tuple(_WORDS.findall(items[place].prompt.casefold()))) for place in first_of]
    for group, share in _nearly_alike(asked):
        found = [items[place] for place in group]
        clusters = {item.cluster for item in found}
        if len(clusters) == 1 and None not in clusters:
            continue  # the suite says itself that they belong together, and statistics draw them together
        sentence = f"{len(found)} tests share at least {100 * share:.0f} % of their words in order, and no cluster"
        keys, samples = tuple(one.key for one in found), tuple(one.sample_id for one in found)
        yield SuiteFinding("alike", keys, samples, sentence, {"tests_alike": len(found), "shared": share})


def _nearly_alike(texts: Sequence[tuple[int, Words]]) -> Iterator[tuple[list[int], float]]:
    """Groups of places whose texts are linked by at least `ALIKE`, with the least share that links them.

    By prefix filtering (R. J. Bayardo, Y. Ma & R. Srikant, WWW 2007): two sets that share enough must share one of their
    rarest members, so that only texts with a rare triple in common are compared.
    """
    sets = {place: _triples(words) for place, words in texts if len(words) >= _LEAST_WORDS}
    how_often = Counter(triple for found in sets.values() for triple in found)
    by_triple: dict[Words, list[int]] = defaultdict(list)
    parents = {place: place for place in sets}
    least: dict[int, float] = {}

    def root(place: int) -> int:
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        return place

    for place in sorted(sets, key=lambda place: (len(sets[place]), place)):
        own = sets[place]
        rarest = sorted(own, key=lambda triple: (how_often[triple], triple))
        prefix = rarest[: len(own) - math.ceil(ALIKE * len(own)) + 1]
        seen: set[int] = set()
        for triple in prefix:
            for other in by_triple[triple]:
                if other in seen or len(sets[other]) < ALIKE * len(own) or root(other) == root(place):
                    continue
                seen.add(other)
                common = len(own & sets[other])
                share = common / (len(own) + len(sets[other]) - common)
                if share >= ALIKE:
                    one, into = root(place), root(other)
                    least[into] = min(share, least.get(into, 1.0), least.get(one, 1.0))
                    parents[one] = into
            by_triple[triple].append(place)
    groups: dict[int, list[int]] = defaultdict(list)
    for place in sorted(sets):
        groups[root(place)].append(place)
    yield from ((group, least[key]) for key, group in groups.items() if len(group) > 1)


def _triples(words: Words) -> frozenset[Words]:
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def leaked(items: Sequence[ExaminedTest]) -> tuple[list[SuiteFinding], list[str]]:
    """Golds that stand in what is asked, and the domains whose way of asking that is.

    Said to be the answer ("the answer is 42") it is a finding anywhere; elsewhere where it is the exception in its domain.
    """
    domains: dict[tuple[str, str], list[tuple[ExaminedTest, str, bool]]] = defaultdict(list)
    sizes: Counter[tuple[str, str]] = Counter()
    for item in items:
        golds = _golds(item)
        domain = item.key[:2]
        sizes[domain] += 1
        if golds and (found := _in_text(golds, item)) is not None:
            domains[domain].append((item, *found))
    findings: list[SuiteFinding] = []
    ways: list[str] = []
    for domain, found_here in domains.items():
        usual = sizes[domain] >= _MANY and len(found_here) >= _SAME_WAY * sizes[domain]
        if usual:
            ways.append(
                f"{domain[1]}: the gold stands in the prompt of {len(found_here)} of {sizes[domain]} tests, which is how"
                " it asks"
            )
        for item, where, told in found_here:
            if told or not usual:
                words = (
                    f"the gold is said to be the answer in the {where}" if told else f"the gold stands in the {where}"
                )
                figures = {"where": where, "told": told}
                gold = {"gold": _golds(item)[0]}
                findings.append(SuiteFinding("leaked_gold", (item.key,), (item.sample_id,), words, figures, gold))
    findings.sort(key=lambda one: not one.figures["told"])
    return findings, ways


def _golds(item: ExaminedTest) -> tuple[str, ...]:
    """Golds that cannot well stand in a text by chance: no letter of a choice, no yes or no."""
    try:
        found = expected_answer(item.expected)
    except JudgeError:
        return ()
    every = (found, *found.others, *found.parts)
    return tuple(
        gold for one in every if one.type not in ("boolean", "choice") for gold in one.golds if _telling(one, gold)
    )


def _telling(answer: ExpectedAnswer, gold: str) -> bool:
    return len(gold.strip()) >= (1 if answer.type == "numeric" else 4)


def _in_text(golds: Sequence[str], item: ExaminedTest) -> tuple[str, bool] | None:
    """Where the gold stands, and whether it is said to be the answer; a short number only counts where it is."""
    best: tuple[str, bool] | None = None
    for where, text in (("system prompt", item.system), ("prompt", item.prompt)):
        folded = text.casefold()
        for gold in (one for one in golds if one.strip().casefold() in folded):
            short = len(re.sub(r"\W", "", gold)) < 4
            for match in _finder(gold.strip().casefold())(folded):
                if _SAID.search(folded[max(0, match - 40) : match]):
                    return where, True
                if not short and best is None:
                    best = where, False
    return best


@lru_cache(maxsize=64)
def _finder(gold: str) -> Callable[[str], Iterator[int]]:
    """Finds where a gold stands as whole words."""
    before, after = (
        (r"(?<![\w.,])" if gold[:1].isalnum() and gold[:1].isascii() else ""),
        (r"(?![\w]|[.,]\d)" if gold[-1:].isalnum() and gold[-1:].isascii() else ""),
    )
    pattern = re.compile(before + re.escape(gold) + after)
    return lambda text: (match.start() for match in pattern.finditer(text))
