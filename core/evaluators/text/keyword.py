"""`keyword`: what a free text must mention, may mention and must not, and how fluent it is.

score = 0.3 · relevance + 0.4 · correctness + 0.3 · fluency, by the evaluator file's `config.weights`, where relevance is the
share of the keywords that occur, each counted once, correctness their share by weight, and fluency
`fluency.py`. So a fluent text with half of the keywords gets 0.65, which is no pass. A keyword that occurs only denied (`no
water`) does not occur. A missing `required` keyword holds the score below a pass (0.6); a `forbidden` one, or another language
than the declared one, at 0.3. With `"formula": "mentions"` the three shares are those of `mentions.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from modex.core.answers.text.negation import is_denied
from modex.core.answers.text.text import fold, word_spans
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.text.echo import echoes
from modex.core.evaluators.text.fluency import in_language, measure_fluency
from modex.core.evaluators.text.mentions import held, lacking, mention_shares
from modex.core.evaluators.text.patterns import occurs, pattern_problem
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample, turns_of
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.templates import shortened
from modex.core.verdict import Keywords

DEFAULT_WEIGHTS = {"relevance": 0.3, "correctness": 0.4, "fluency": 0.3}
MAX_TEXT = 200_000
"""Characters of a response that are scored; a longer one keeps its beginning and its end, and says so."""
_CAPS = {"required_cap": 0.6, "forbidden_cap": 0.3}
_KEYWORD_KEYS = frozenset(["any", "regex", "weight", "required", "forbidden", "prefix", "denied"])
_EXPECTED_KEYS = frozenset(["keywords", "language", "min_words", "max_words", "formula"])


@dataclass(frozen=True, slots=True)
class Keyword:
    """One thing to mention: any of the phrases `any`, or a match of `regex`."""

    any: tuple[str, ...] = ()
    regex: str | None = None
    weight: float = 1.0
    required: bool = False
    forbidden: bool = False
    prefix: bool = False
    denied_counts: bool = False
    """Whether it counts where it is denied, too."""

    @property
    def label(self) -> str:
        """How details and reports name it."""
        return f"/{self.regex}/" if self.regex else " | ".join(self.any)

    def occurs(self, folded: str, raw: str, language: str | None = None) -> Literal["said", "denied"] | None:
        """How it occurs: phrases as whole words in any case (with `prefix`, as the beginning of words).

        Denied is one whose every occurrence is (`no water`); a pattern, or one with `denied: counts`, never is.
        """
        if self.regex:
            return "said" if occurs(self.regex, raw, ignore_case=True) else None
        found: Literal["denied"] | None = None
        for phrase in self.any:
            for start in phrase_starts(fold(phrase), folded, self.prefix):
                if self.denied_counts or not is_denied(folded, start, language):
                    return "said"
                found = "denied"
        return found


class KeywordEvaluator(BaseEvaluator):
    """Scores a free text from 0 to 1; see the module for the formula."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected` or with the weights."""
        del suite_root
        yield from _expected_problems(test.expected)
        try:
            _settings(config)
        except ValueError as problem:
            yield str(problem)

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Score the response.

        Raises:
            JudgeError: `expected` or the configuration cannot be used, or a pattern takes too long.
        """
        problem = next(_expected_problems(sample.expected), None)
        if problem:
            raise JudgeError(f"the test's `expected` cannot be used: {problem}", ErrorType.INVALID_TEST)
        try:
            weights, caps = _settings(context.config)
        except ValueError as error:
            raise JudgeError(str(error), ErrorType.EVALUATOR_ERROR) from None
        raw = answer_of(sample)
        if not raw.strip():
            return EvaluationResult(0.0, reason="the response is empty")
        if echoes(raw, turns_of(sample)):
            return EvaluationResult(0.0, reason="the response only says the question again")
        expected = sample.expected if isinstance(sample.expected, dict) else {"keywords": sample.expected}
        score, part = _scored(shortened(raw, MAX_TEXT), expected, weights, caps)
        if len(raw) > MAX_TEXT:
            part = replace(part, facts={**part.facts, "scored_characters": MAX_TEXT})
        return EvaluationResult(score, parts=(part,))


def _scored(
    raw: str, expected: Mapping[str, Any], weights: dict[str, float], caps: dict[str, float]
) -> tuple[float, Keywords]:
    keywords = list(_keywords(expected["keywords"]))
    folded = fold(raw)
    fluency = measure_fluency(raw, expected.get("language"), expected.get("min_words"), expected.get("max_words"))
    language = expected.get("language") or fluency.detected
    how = {keyword: keyword.occurs(folded, raw, language) for keyword in keywords}
    hits = {keyword: found == "said" for keyword, found in how.items()}
    wanted = [keyword for keyword in keywords if not keyword.forbidden]
    matched = [keyword for keyword in wanted if hits[keyword]]
    total = sum(keyword.weight for keyword in wanted)
    correctness = sum(keyword.weight for keyword in matched) / total if total else 1.0
    relevance = len(matched) / len(wanted) if wanted else 1.0
    mentions = expected.get("formula") == "mentions"
    parts = (
        mention_shares(raw, len(matched), len(wanted), expected.get("language"))
        if mentions
        else {"relevance": relevance, "correctness": correctness, "fluency": fluency.score}
    )
    score = sum(weights[name] * value for name, value in parts.items())
    score = held(round(score, 6)) if mentions else score
    missing = [keyword.label for keyword in wanted if keyword.required and not hits[keyword]]
    forbidden = [keyword.label for keyword in keywords if keyword.forbidden and hits[keyword]]
    if missing:
        score = min(score, caps["required_cap"])
    why = lacking(raw, score) if mentions and matched else ""
    spoken = in_language(raw, expected["language"]) if expected.get("language") else None
    if spoken is not None and not spoken:
        score = min(score, caps["forbidden_cap"])
        why = f"the reply is not in the language asked for ({expected['language']}), but in {spoken.detected}"
    if forbidden:
        score = min(score, caps["forbidden_cap"])
    part = Keywords(
        matched=tuple(keyword.label for keyword in matched),
        missing=tuple(keyword.label for keyword in wanted if not hits[keyword]),
        forbidden=tuple(forbidden),
        required=tuple(missing),
        negated=tuple(keyword.label for keyword in wanted if how[keyword] == "denied"),
        shares={name: round(value, 4) for name, value in parts.items()},
        weights=weights,
        language=expected.get("language"),
        detected=fluency.detected,
        facts={"form": round(fluency.form, 4), "length": round(fluency.length, 4)},
        why=why,
    )
    return min(1.0, score), part


def phrase_occurs(phrase: str, folded: str, prefix: bool) -> bool:
    """Whether a folded phrase stands in a folded text as whole words, or with `prefix` as the beginning of words."""
    return next(iter(phrase_starts(phrase, folded, prefix)), None) is not None


def phrase_starts(phrase: str, folded: str, prefix: bool) -> Iterator[int]:
    """Where it stands."""
    if not prefix:
        yield from (start for start, _ in word_spans(folded, phrase))
        return
    start = folded.find(phrase)
    while start != -1:
        if start == 0 or not (folded[start - 1].isalnum() and phrase[0].isalnum()):
            yield start
        start = folded.find(phrase, start + 1)


def _keywords(given: list[Any]) -> Iterator[Keyword]:
    for item in given:
        if isinstance(item, str):
            yield Keyword((item,))
        elif isinstance(item, list):
            yield Keyword(tuple(item))
        else:
            phrases = item.get("any", ())
            phrases = (phrases,) if isinstance(phrases, str) else tuple(phrases)
            flags = {name: bool(item.get(name)) for name in ("required", "forbidden", "prefix")}
            counts = item.get("denied") == "counts"
            yield Keyword(phrases, item.get("regex"), float(item.get("weight", 1)), **flags, denied_counts=counts)


def _expected_problems(expected: Any) -> Iterator[str]:
    document = expected if isinstance(expected, dict) else {"keywords": expected}
    given = document.get("keywords")
    if not isinstance(given, list) or not given:
        yield "expected needs `keywords`, a list with at least one entry"
        return
    for number, item in enumerate(given, 1):
        yield from (f"keyword {number}: {problem}" for problem in _keyword_problems(item))
    if unknown := sorted(set(document) - _EXPECTED_KEYS):
        yield f"expected has no key {unknown[0]!r} here; known are {', '.join(sorted(_EXPECTED_KEYS))}"
    if document.get("formula", "mentions") != "mentions":
        yield '`formula` can only be "mentions"; leave it out for the shares of keywords'
    language = document.get("language")
    if language is not None and (not isinstance(language, str) or len(language) < 2):
        yield '`language` is a code such as "en" or "id"'
    for bound in ("min_words", "max_words"):
        value = document.get(bound)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            yield f"`{bound}` is a whole number of 1 or more"


def _keyword_problems(item: Any) -> Iterator[str]:
    if isinstance(item, str | list):
        item = {"any": item}
    if not isinstance(item, dict):
        yield "it is a text, a list of alternatives, or an object with `any` or `regex`"
        return
    if unknown := sorted(set(item) - _KEYWORD_KEYS):
        yield f"unknown key {unknown[0]!r}; known are {', '.join(sorted(_KEYWORD_KEYS))}"
    if ("any" in item) == ("regex" in item):
        yield "it needs either `any` or `regex`"
        return
    phrases = [item["any"]] if isinstance(item.get("any"), str) else item.get("any", ["-"])
    if not isinstance(phrases, list) or not phrases or not all(isinstance(p, str) and p.strip() for p in phrases):
        yield "its alternatives must be texts that are not empty"
    if "regex" in item and (problem := pattern_problem(item["regex"])):
        yield problem
    weight = item.get("weight", 1)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < float("inf"):
        yield "its weight must be a number above 0"
    if item.get("denied") not in (None, "counts"):
        yield '`denied` can only be "counts": the keyword counts where it is denied, too'
    if item.get("required") and item.get("forbidden"):
        yield "it cannot be both required and forbidden; choose one"


def _settings(config: EvaluatorConfig) -> tuple[dict[str, float], dict[str, float]]:
    """The three weights, made to sum to 1, and the two caps."""
    given = config.config.get("weights", DEFAULT_WEIGHTS)
    if not isinstance(given, dict) or not set(given) <= set(DEFAULT_WEIGHTS):
        raise ValueError(f"config.weights names {', '.join(DEFAULT_WEIGHTS)} only")
    weights = {name: given.get(name, 0.0) for name in DEFAULT_WEIGHTS}
    caps = {name: config.config.get(name, default) for name, default in _CAPS.items()}
    for name, value in {**weights, **caps}.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise ValueError(f"config: {name} is a number of 0 or more")
    total = sum(weights.values())
    if not total or any(cap > 1 for cap in caps.values()):
        raise ValueError("config: one weight at least is above 0, and a cap is at most 1")
    return {name: value / total for name, value in weights.items()}, {name: float(cap) for name, cap in caps.items()}
