"""`lm_eval`: an answer by the filters and the exact match of lm-evaluation-harness; `modex import lm-eval-task` writes it.

The answer is cut at the first of the task's stop sequences, goes through each chain of filters, and is compared with the gold
(any one of several) as a text. The first chain counts; what the others make of it stands beside.
https://github.com/EleutherAI/lm-evaluation-harness: `lm_eval/filters`, `exact_match_hf_evaluate` of `lm_eval/api/metrics.py`.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.provider_errors import answer_of
from modex.core.evaluators.text.patterns import matches, pattern_problem
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Compared, Extra

FILTERS: Mapping[str, frozenset[str]] = {
    "regex": frozenset({"regex_pattern", "group_select", "fallback"}),
    "multi_choice_regex": frozenset(
        {"regex_pattern", "group_select", "fallback", "ignore_case", "ignore_punctuation", "regexes_to_ignore"}
    ),
    "take_first": frozenset(),
    "remove_whitespace": frozenset(),
    "lowercase": frozenset(),
    "uppercase": frozenset(),
    "map": frozenset({"mapping_dict", "default_value"}),
}
"""The filters that are known, each with what it can be told."""
METRIC = frozenset({"ignore_case", "ignore_punctuation", "ignore_numbers", "regexes_to_ignore"})
"""What `exact_match` can be told."""
_PLAIN: Sequence[Mapping[str, Any]] = ({"name": "none", "filter": [{"function": "take_first"}]},)
"""What a task without filters has."""
_PATTERN = r"#### (\-?[0-9\.\,]+)"
_FALLBACK = "[invalid]"


class LmEvalEvaluator(BaseEvaluator):
    """Scores 1 or 0, without any model."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the filters, the comparison or the gold."""
        del suite_root
        golds = test.expected if isinstance(test.expected, list) else [test.expected]
        if not golds or not all(isinstance(one, str) for one in golds):
            yield "expected must be the gold as a text, or a list of such of which each is right"
        yield from config_faults(config.config)

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Filter the answer and compare it.

        Raises:
            JudgeError: a pattern takes too long.
        """
        said = context.config.config
        answer = cut(answer_of(sample), said.get("until") or ())
        choices = sample.definition.metadata.get("choices") or ()
        golds = sample.expected if isinstance(sample.expected, list) else [str(sample.expected)]
        metric = said.get("exact_match") or {}
        found = {
            str(chain["name"]): filtered(answer, chain["filter"], choices) for chain in said.get("filters") or _PLAIN
        }
        rights = {name: any(same(text, gold, metric) for gold in golds) for name, text in found.items()}
        first, *others = found
        right = rights[first]
        why = "equal" if right else "the texts differ"
        compared = Compared(golds[0], found[first], f"exact_match,{first}", why, aliases=tuple(golds[1:]))
        beside = {f"{name}: {found[name]}"[:200]: "right" if rights[name] else "wrong" for name in others}
        return EvaluationResult(
            float(right),
            extracted_answer=found[first],
            parts=(compared, *((Extra(beside, "other filters"),) if beside else ())),
        )


def config_faults(config: Mapping[str, Any]) -> Iterable[str]:
    """What is wrong with the evaluator's `config`, each with what to write."""
    until = config.get("until") or []
    if not isinstance(until, list) or not all(isinstance(one, str) for one in until):
        yield "config.until must be a list of texts"
    if unknown := sorted(set(config.get("exact_match") or {}) - METRIC):
        yield f"config.exact_match: '{unknown[0]}' is unknown; there are {', '.join(sorted(METRIC))}"
    for pattern in (config.get("exact_match") or {}).get("regexes_to_ignore") or ():
        if problem := pattern_problem(pattern):
            yield f"config.exact_match.regexes_to_ignore: {problem}"
    for chain in config.get("filters") or ():
        for step in chain.get("filter") or ():
            yield from filter_faults(step)


def filter_faults(step: Any) -> Iterable[str]:
    """What is wrong with one step of a chain, each with what is known."""
    name = step.get("function") if isinstance(step, Mapping) else None
    if name not in FILTERS:
        yield f"the filter '{name}' is unknown; there are {', '.join(FILTERS)}"
        return
    if unknown := sorted(set(step) - {"function"} - FILTERS[str(name)]):
        known = ", ".join(sorted(FILTERS[str(name)])) or "none"
        yield f"the filter '{name}' is told '{unknown[0]}', which is unknown; there are {known}"
    for pattern in [step.get("regex_pattern"), *(step.get("regexes_to_ignore") or ())]:
        if pattern is not None and (problem := pattern_problem(pattern)):
            yield f"the filter '{name}': {problem}"


def cut(answer: str, until: Sequence[str]) -> str:
    """The answer up to the first of the stop sequences."""
    for stop in until:
        if stop:
            answer = answer.split(stop, 1)[0]
    return answer


def filtered(answer: str, steps: Sequence[Mapping[str, Any]], choices: Sequence[str]) -> str:
    """What a chain of filters makes of an answer."""
    text = answer
    for step in steps:
        text = _STEPS[str(step["function"])](text, step, choices)
    return text


def same(answer: str, gold: str, metric: Mapping[str, Any]) -> bool:
    """Whether both are the same text, once what the comparison ignores is left out of both."""
    return _bare(answer, metric) == _bare(gold, metric)


def _bare(text: str, metric: Mapping[str, Any]) -> str:
    for pattern in metric.get("regexes_to_ignore") or ():
        text = _without(pattern, text)
    text = text.lower() if metric.get("ignore_case") else text
    if metric.get("ignore_punctuation"):
        text = text.translate(_PUNCTUATION)
    if metric.get("ignore_numbers"):
        text = text.translate(_DIGITS)
    # Arrays of texts, in which lm-eval compares, end where the last character that is not NUL does.
    return text.rstrip("\0")


_PUNCTUATION = str.maketrans("", "", string.punctuation)
_DIGITS = str.maketrans("", "", string.digits)


def _without(pattern: str, text: str) -> str:
    kept, place = [], 0
    for match in matches(pattern, text):
        kept.append(text[place : match.start()])
        place = match.end()
    return "".join([*kept, text[place:]])


def _found(pattern: str, text: str, place: int) -> str | tuple[str, ...] | None:
    """The match of that number as `re.findall` gives it; None where there is none."""
    every: list[str | tuple[str, ...]] = []
    for one in matches(pattern, text):
        groups = tuple(group or "" for group in one.groups())
        every.append(groups if len(groups) > 1 else groups[0] if groups else one.group())
    return every[place] if -len(every) <= place < len(every) else None


def _regex(text: str, step: Mapping[str, Any], choices: Sequence[str]) -> str:
    del choices
    fallback = str(step.get("fallback", _FALLBACK))
    found = _found(str(step.get("regex_pattern", _PATTERN)), text, int(step.get("group_select", 0)))
    if isinstance(found, tuple):
        found = next((one for one in found if one), fallback)
    return fallback if found is None else found.strip()


def _choice(text: str, step: Mapping[str, Any], choices: Sequence[str]) -> str:
    group, fallback = int(step.get("group_select", 0)), str(step.get("fallback", _FALLBACK))
    letters = string.ascii_uppercase[: len(choices)]
    named = {_ignoring(one.strip(), step): f"({letter})" for one, letter in zip(choices, letters, strict=False)}
    texts = "|".join(sorted(map(re.escape, named), key=len, reverse=True))
    tries: tuple[tuple[str, str, Mapping[str, str]], ...] = (
        (str(step.get("regex_pattern", _PATTERN)), text, {}),
        (texts, _ignoring(text, step), named),
        (rf":[\s]*({'|'.join(letters)})", text, {letter: f"({letter})" for letter in letters}),
    )
    for pattern, within, names in tries:
        found = _found(pattern, within, group) if pattern else None
        if isinstance(found, tuple):
            found = next((one for one in found if one), "")
        if found and (found := found.strip()):
            return names.get(found, found)
    return fallback


def _ignoring(text: str, step: Mapping[str, Any]) -> str:
    for pattern in step.get("regexes_to_ignore") or ():
        text = _without(pattern, text)
    text = text.lower() if step.get("ignore_case") else text
    if step.get("ignore_punctuation"):
        text = "".join(one for one in text if not unicodedata.category(one).startswith("P"))
    return text


def _mapped(text: str, step: Mapping[str, Any], choices: Sequence[str]) -> str:
    del choices
    return str((step.get("mapping_dict") or {}).get(text, step.get("default_value")))


_STEPS: Mapping[str, Callable[[str, Mapping[str, Any], Sequence[str]], str]] = {
    "regex": _regex,
    "multi_choice_regex": _choice,
    "take_first": lambda text, _step, _choices: text,
    "remove_whitespace": lambda text, _step, _choices: text.strip(),
    "lowercase": lambda text, _step, _choices: text.lower(),
    "uppercase": lambda text, _step, _choices: text.upper(),
    "map": _mapped,
}
