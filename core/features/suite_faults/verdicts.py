"""What the verdicts of several models say of a test: it tells nobody apart, goes against the rest, or may have a wrong gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from modex.core.comparison.pairs import TestKey
from modex.core.features.suite_faults.finding import SuiteFinding
from modex.core.features.suite_faults.gather import ExaminedTest, GatheredSuite
from modex.core.statistics.distributions import LEVEL_TEXT
from modex.core.statistics.items import ItemRest, item_rest
from modex.core.store.sample import PASS_SCORE

LEAST_MODELS = 12
"""Below, wrong golds cannot be told from chance: of 1,000 tests with 30 wrong golds the top 50 hold a third with 8 models."""
LEAST_ALIKE = 3
"""Models that must have gone the same way before a test is said to tell nobody apart."""
_SPLIT = 0.2
"""The share of answers that judges split on, from which a test's verdicts are in doubt."""


def alike(items: Sequence[ExaminedTest]) -> Iterator[SuiteFinding]:
    """Tests that every model passes, that none does, and that never had a verdict."""
    for item in items:
        number = len(item.models)
        errors = sum(item.errors.values())
        if not number and errors >= LEAST_ALIKE:
            why = ", ".join(f"{count} {kind}" for kind, count in item.errors.most_common(3))
            words = f"{errors} answers, none with a verdict: {why}"
            yield SuiteFinding("no_verdict", (item.key,), (item.sample_id,), words, {"errors": dict(item.errors)})
        if number < LEAST_ALIKE:
            continue
        passed = sum(went.score >= PASS_SCORE for went in item.models.values())
        answers = sum(len(went.scores) for went in item.models.values())
        figures = {"models": number, "passed": passed, "answers": answers}
        if passed == number and all(went.score == 1 for went in item.models.values()):
            yield SuiteFinding("all_pass", (item.key,), (item.sample_id,), f"passed by all {number} models", figures)
        elif passed == 0:
            beside = f"; {errors} errors beside" if errors else ""
            words = f"passed by none of {number} models in {answers} answers{beside}"
            yield SuiteFinding("all_fail", (item.key,), (item.sample_id,), words, figures)


def against_rest(items: Sequence[ExaminedTest], found: Mapping[TestKey, ItemRest | None]) -> Iterator[SuiteFinding]:
    """Tests that abler models fail and less able ones pass, beyond doubt."""
    told = [(one, item) for item in items if (one := found.get(item.key)) is not None and one.high < 0]
    for one, item in sorted(told, key=lambda pair: pair[0].r):
        words = f"item–rest correlation {one.r:.2f} ({LEVEL_TEXT}: up to {one.high:.2f}) over {one.models} models"
        figures = {"correlation": one.r, "ci_high": one.high, "models": one.models}
        yield SuiteFinding("against_rest", (item.key,), (item.sample_id,), words, figures)


def gold_suspects(gathered: GatheredSuite, found: Mapping[TestKey, ItemRest | None]) -> Iterator[SuiteFinding]:
    """Tests of which the abler models agree on one answer that does not pass, those with the most agreement first."""
    matrix = gathered.matrix()
    centred = matrix.centred()
    ranked: list[tuple[float, float, SuiteFinding]] = []
    for item in gathered.items:
        if not item.models:
            continue
        rest = matrix.rest_of(item.key, centred)
        able = sorted(rest, key=lambda model: (-rest[model], model))[: (len(rest) + 1) // 2]
        answers = Counter(answer for model in able if (answer := item.models[model].wrong) is not None)
        if not answers:
            continue
        ((answer, number),) = answers.most_common(1)
        passed = sum(item.models[model].score >= PASS_SCORE for model in able)
        if number < LEAST_ALIKE or number * 2 < len(able) or number <= passed:
            continue
        others = sum(went.wrong == answer for went in item.models.values()) - number
        correlation = found.get(item.key)
        r = correlation.r if correlation else 0.0
        words = (
            f"{number} of the {len(able)} abler models give one and the same other answer, {passed} pass; "
            f"of the {len(item.models) - len(able)} others {others} give it"
        )
        figures = {"agreeing": number, "able": len(able), "passed": passed, "others": others,
                   "correlation": correlation.r if correlation else None}  # fmt: skip
        finding = SuiteFinding("gold_suspect", (item.key,), (item.sample_id,), words, figures, {"answer": answer})
        ranked.append((number / len(able), -r, finding))
    ranked.sort(key=lambda one: (-one[0], -one[1]))
    yield from (finding for _, _, finding in ranked)


def judges_differ(items: Sequence[ExaminedTest]) -> Iterator[SuiteFinding]:
    """Tests whose verdicts are in doubt: votes split, the same judge went the other way, people say otherwise."""
    ranked: list[tuple[float, SuiteFinding]] = []
    for item in items:
        lines = []
        if item.differs:
            lines.append(f"people hold {item.differs} of {item.said} verdicts to be wrong")
        if item.split >= 2 and item.split >= _SPLIT * item.voted:
            lines.append(f"judges split on {item.split} of {item.voted} answers")
        if item.flipped:
            lines.append(f"judged again by the same judge, {item.flipped} of {item.again} went the other way")
        if lines:
            figures = {name: getattr(item, name) for name in ("differs", "said", "split", "voted", "flipped", "again")}
            doubt = max(
                part / whole if whole else 0.0
                for part, whole in ((item.differs, item.said), (item.split, item.voted), (item.flipped, item.again))
            )
            ranked.append(
                (doubt, SuiteFinding("judges_differ", (item.key,), (item.sample_id,), "; ".join(lines), figures))
            )
    ranked.sort(key=lambda one: -one[0])
    yield from (finding for _, finding in ranked)


def correlations(gathered: GatheredSuite) -> Mapping[TestKey, ItemRest | None]:
    """Each test's correlation with the rest."""
    return item_rest(gathered.matrix())
