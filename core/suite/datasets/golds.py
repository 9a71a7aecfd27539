"""Gold answers: their type guessed from the first rows, and each written as the `expected` of its evaluator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

AnswerType = Literal["numeric", "boolean", "choice", "math", "exact_match"]
_MARK = "####"
_NUMBER = re.compile(
    r"[$€£¥]?\s*+([-+\u2212]?)\s*+[$€£¥]?\s*+(\d{1,3}(?:,\d{3})++|\d++)(\.\d++)?([eE][-+]?\d{1,3})?\s*+(%?)"
)
_LETTER = re.compile(r"\(?([A-Z])\)?[.)]?")
_LATEX = re.compile(r"\\[A-Za-z]+|\$[^$]+\$|\^\{")
_BOOLEANS: Mapping[str, bool] = {"true": True, "false": False, "yes": True, "no": False}
_LONG = 80
PLAIN_EVALUATORS = frozenset(
    {"match", "llm_judge", "custom", "regex", "gaia", "browsecomp", "webwalkerqa", "xbench", "browsecomp_zh", "caia"}
)
"""Evaluators whose `expected` is the reference answer as a text."""
_READ = frozenset({"two_pass", *PLAIN_EVALUATORS})
NEED_GOLD = (_READ | {"spans"}) - {"custom", "regex"}
"""Evaluators that can say nothing of an answer without a gold."""


@dataclass(frozen=True, slots=True)
class GoldRule:
    """How the gold answers of one dataset become `expected`."""

    evaluator: str
    type: AnswerType
    marked: bool
    """Whether the answer is what follows the last `####`."""

    def expected(self, gold: Any, options: dict[str, str] | None) -> Any:
        """The `expected` of one row."""
        if self.evaluator not in _READ:
            return gold
        if isinstance(gold, dict) and "type" in gold:
            return gold
        if isinstance(gold, list) and gold and all(isinstance(item, str | int | float) for item in gold):
            return self._listed([self._bare(item) for item in gold], options)
        gold = self._bare(gold)
        letter = option_of(gold, options) if options else None
        if self.evaluator != "two_pass":
            return letter or _plain(gold)
        if letter is not None:
            return {"type": "choice", "value": letter, "options": options}
        return self._typed(gold)

    def _listed(self, golds: list[Any], options: dict[str, str] | None) -> Any:
        """A list keeps all its items: each in the dataset's type, or all of them as texts."""
        letters = [option_of(gold, options) if options else None for gold in golds]
        if self.evaluator != "two_pass":
            return [letter or _plain(gold) for letter, gold in zip(letters, golds, strict=True)]
        if all(letters):
            return {"type": "choice", "value": letters, "options": options}
        typed = [self._typed(gold) for gold in golds]
        if len({(item["type"], item.get("unit")) for item in typed}) == 1:
            return {**typed[0], "value": [item["value"] for item in typed]}
        return {"type": "exact_match", "value": [_plain(gold) for gold in golds]}

    def _bare(self, gold: Any) -> Any:
        if self.marked and isinstance(gold, str) and _MARK in gold:
            return gold.rpartition(_MARK)[2].strip()
        return gold

    def _typed(self, gold: Any) -> dict[str, Any]:
        """The answer in the dataset's type, or as a text where this row's answer is none of that type."""
        if self.type == "numeric" and (number := number_of(gold)) is not None:
            percent = isinstance(gold, str) and gold.strip().endswith("%")
            return {"type": "numeric", "value": number, **({"unit": "%"} if percent else {})}
        if self.type == "boolean" and (truth := truth_of(gold)) is not None:
            return {"type": "boolean", "value": truth}
        if self.type == "choice" and (match := _LETTER.fullmatch(_plain(gold).strip())):
            return {"type": "choice", "value": match[1]}
        if self.type == "math":
            return {"type": "math", "value": _plain(gold)}
        return {"type": "exact_match", "value": _plain(gold)}


def number_of(value: Any) -> int | float | None:
    """The number that a gold answer is (`18`, `70,000`, `$1.50`, `50%` as 50), or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if abs(value) != float("inf") else None
    if not isinstance(value, str) or len(value) > 60:
        return None
    match = _NUMBER.fullmatch(value.strip())
    if match is None:
        return None
    sign, whole, fraction, exponent, _ = match.groups()
    text = ("-" if sign in ("-", "\u2212") else "") + whole.replace(",", "") + (fraction or "") + (exponent or "")
    if fraction is None and exponent is None:
        return int(text)
    number = float(text)
    return number if abs(number) != float("inf") else None


def truth_of(value: Any) -> bool | None:
    """Whether a gold answer says true or false (`yes`, `No`, `TRUE`), or None."""
    if isinstance(value, bool):
        return value
    return _BOOLEANS.get(value.strip().casefold()) if isinstance(value, str) else None


def options_of(value: Any) -> dict[str, str] | None:
    """Answer options by letter, from a list, a letter → text object, or parallel `label` and `text` lists; or None."""
    if isinstance(value, Mapping):
        labels, texts = value.get("label"), value.get("text")
        if isinstance(labels, list) and isinstance(texts, list) and len(labels) == len(texts):
            value = dict(zip(map(str, labels), texts, strict=True))
        if 2 <= len(value) <= 26 and all(isinstance(item, str | int | float) for item in value.values()):
            return {str(key).strip(): str(item) for key, item in value.items()}
        return None
    if isinstance(value, list) and all(isinstance(item, Mapping) and {"label", "text"} <= set(item) for item in value):
        return options_of({str(item["label"]): item["text"] for item in value})
    if isinstance(value, list) and 2 <= len(value) <= 26 and all(isinstance(item, str | int | float) for item in value):
        return {chr(ord("A") + number): str(item) for number, item in enumerate(value)}
    return None


def with_options(question: str, options: dict[str, str]) -> str:
    """The question with its options below, unless they stand in it already."""
    if all(text in question for text in options.values()):
        return question
    return with_lettered(question, options)


def lists_options(question: str, options: Mapping[str, str]) -> bool:
    """Whether the question lists the options behind their letters, in their order: `(A) red (B) green`, or a line each."""
    place = 0
    for letter, text in options.items():
        name, words = re.escape(letter), re.escape(text.strip())
        listed = re.compile(rf"(?m)(?:^\W{{0,8}}{name}\W{{1,8}}|(?<!\w){name} ?[).:\]]\W{{0,8}}){words}(?!\w)")
        if (found := listed.search(question, place)) is None:
            return False
        place = found.end()
    return True


def with_lettered(question: str, options: Mapping[str, str], *, between: str = "\n\n") -> str:
    """The question with a line for each option below, unless it lists them behind their letters."""
    if lists_options(question, options):
        return question
    return question.rstrip() + between + "\n".join(f"{letter}. {text}" for letter, text in options.items())


def guess_rule(evaluator: str, golds: Sequence[Any], with_choices: bool) -> tuple[GoldRule, list[str]]:
    """How to read golds like these, and what that guess is, in sentences."""
    texts = [gold for gold in golds if isinstance(gold, str)]
    marked = bool(texts) and len(texts) == len(golds) and all(_MARK in text for text in texts)
    rule = GoldRule(evaluator, "exact_match", marked)
    guesses = [f"answers: what follows the last '{_MARK}'"] if marked else []
    if evaluator != "two_pass":
        return rule, guesses
    bare = [rule._bare(gold) for gold in golds]
    kind = _type_of(bare, with_choices)
    guesses.append(f"answer type: {kind}, from the first {len(golds)} answers" if golds else f"answer type: {kind}")
    if kind == "exact_match" and bare and sorted(len(_plain(gold)) for gold in bare)[len(bare) // 2] > _LONG:
        guesses.append("the answers are long texts: --evaluator llm_judge may suit them better than exact_match")
    return GoldRule(evaluator, kind, marked), guesses


def _type_of(golds: Sequence[Any], with_choices: bool) -> AnswerType:
    if not golds:
        return "exact_match"
    if with_choices:
        return "choice"
    if all(truth_of(gold) is not None for gold in golds):
        return "boolean"
    if all(number_of(gold) is not None for gold in golds):
        return "numeric"
    if all(isinstance(gold, str) and _LETTER.fullmatch(gold.strip()) for gold in golds):
        return "choice"
    if any(isinstance(gold, str) and _LATEX.search(gold) for gold in golds):
        return "math"
    return "exact_match"


def option_of(gold: Any, options: dict[str, str]) -> str | None:
    """The letter of the right option, from a letter, an index from 0, or the option's own text."""
    letters = list(options)
    if isinstance(gold, int) and not isinstance(gold, bool):
        return letters[gold] if 0 <= gold < len(letters) else None
    text = _plain(gold).strip()
    if text in options:
        return text
    for letter, option in options.items():
        if option.strip() == text:
            return letter
    if text.isdecimal() and int(text) < len(letters):
        return letters[int(text)]
    match = _LETTER.fullmatch(text.upper())
    return match[1] if match and match[1] in options else None


def _plain(gold: Any) -> str:
    """An answer as a text, as a person would write it."""
    if isinstance(gold, str):
        return gold
    if isinstance(gold, bool):
        return "true" if gold else "false"
    if isinstance(gold, float) and gold.is_integer() and abs(gold) < 1e15:
        return str(int(gold))
    if not isinstance(gold, dict | list):
        return str(gold)
    import json  # of most datasets no gold needs it

    return json.dumps(gold, ensure_ascii=False, default=str)
