"""Mathematical equality: structure first, then exact numbers, then symbolic comparison in a killable child.

math-verify is not asked what it is known to get wrong: collections (`{1,2}` is not `(1,2)`), ratios and times (`12:30`),
percentages, units, rounded decimals, and texts with several boxed answers (the last one counts).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from core.errors import ErrorType, JudgeError
from core.evaluators.math_pool import MathPool, shared_pool
from core.evaluators.numbers import Number, last_boxed, parse_number, to_fraction
from core.evaluators.text import comparable
from core.evaluators.units import same_unit

MAX_INPUT = 2000
"""Characters of an answer that are looked at; a longer one is no bare answer."""
_MAX_ELEMENTS = 50
_ROUNDED_DIGITS = 3


@dataclass(frozen=True, slots=True)
class MathVerdict:
    """Whether two expressions are equal, by which `method`, and `why` not."""

    equal: bool
    method: str
    why: str = ""
    gold_value: Fraction | None = None
    answer_value: Fraction | None = None


def compare_math(gold: str, answer: str, locale: str = "en", pool: MathPool | None = None) -> MathVerdict:
    """Compare two expressions, LaTeX or plain.

    A decimal answer also equals a gold that no decimal can write exactly (1/3, √2) where it is a correct rounding or
    truncation of it to at least three significant digits.

    Raises:
        JudgeError: the gold itself cannot be compared in the time allowed.
    """
    if len(answer) > MAX_INPUT:
        return MathVerdict(False, "none", f"the answer is longer than {MAX_INPUT} characters")
    gold, answer = _normalise(gold), _normalise(answer)
    if not answer:
        return MathVerdict(False, "none", "the answer is empty")
    if _squeeze(gold) == _squeeze(answer):
        return MathVerdict(True, "identical")
    if re.search(r"\d\s*:\s*\d", gold + "\n" + answer):
        return MathVerdict(False, "ratio", "times and ratios must be written the same")
    gold_list, answer_list = _collection(gold, locale), _collection(answer, locale)
    if gold_list or answer_list:
        return _compare_collections(gold_list, answer_list, locale, pool)
    gold_number, answer_number = parse_number(gold, locale), parse_number(answer, locale)
    if gold_number and answer_number:
        return _compare_numbers(gold_number, answer_number)
    return _compare_symbolic(gold, answer, answer_number, pool or shared_pool())


def _squeeze(text: str) -> str:
    """Without the white space that separates nothing (`1 1/2` keeps its own); words alone compare in any case."""
    text = re.sub(r"(?<!\w)\s+|\s+(?!\w)", "", text)
    return word.casefold() if re.fullmatch(r"[^\W\d_]{3,}", word := _WORD.sub(r"\1", text)) else word


_WORD = re.compile(r"\\(?:text|mathrm|textbf)\{([^{}]*)\}")


_SIGNS = str.maketrans("−–×·÷", "--**/") | {ord("π"): "\\pi ", ord("∞"): "\\infty "}


def _normalise(text: str) -> str:
    text = last_boxed(text) or text
    text = re.sub(r"\\(?:left|right|displaystyle|,|;|!|:)(?![a-zA-Z])", "", text)
    text = re.sub(r"\\text\s*\{\s*(or|and)\s*\}", r" \1 ", text)
    text = re.sub(
        r"^(?:\$\$?|\\[(\[])(.*?)(?:\$\$?|\\[)\]])$", r"\1", text.strip().strip("`").rstrip(".").strip(), flags=re.S
    )
    text = text.translate(_SIGNS)
    text = re.sub(r"√\s*(\w+)|(?:√|(?<![\\a-zA-Z])sqrt)\s*\(([^()]*)\)", lambda m: f"\\sqrt{{{m[1] or m[2]}}}", text)
    text = re.sub(r"(?<![\\a-zA-Z])(pi|sin|cos|tan|ln|log|exp)(?![a-zA-Z])", r"\\\1 ", text)
    return re.sub(r"\^\s*\(([^()]*)\)", r"^{\1}", text.replace("**", "^")).strip()


def _collection(text: str, locale: str) -> tuple[str, list[str]] | None:
    """How a list of several values is bracketed (`{}`, `()`, `[]`, `[)`, … or `` for none) and its elements; else None."""
    body = text.replace("\\{", "{").replace("\\}", "}")
    brackets = ""
    if body[:1] in "{([" and body[-1:] in "})]" and _encloses(body):
        brackets, body = body[0] + body[-1], body[1:-1]
    elif parse_number(body, locale):
        return None
    else:
        body = re.sub(r"\s+(?:or|and)\s+", ", ", body)
    elements = _split(body)
    if len(elements) < 2 and not (brackets == "{}" and elements):
        return None
    return (brackets, elements) if all(elements) and len(elements) <= _MAX_ELEMENTS else None


def _encloses(text: str) -> bool:
    """Whether the first bracket closes with the last."""
    depth = 0
    for index, char in enumerate(text):
        depth += (char in "{([") - (char in "})]")
        if depth == 0:
            return index == len(text) - 1
    return False


def _split(text: str) -> list[str]:
    """The parts between commas and semicolons outside every bracket."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char in "{([") - (char in "})]")
        if char in ",;" and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]


def _compare_collections(
    gold: tuple[str, list[str]] | None, answer: tuple[str, list[str]] | None, locale: str, pool: MathPool | None
) -> MathVerdict:
    """Same brackets, same count, equal elements: in order, but for sets and bare lists."""
    if gold is None or answer is None:
        return MathVerdict(False, "collection", "one is a list of values and the other is not")
    unordered = {"{}", ""}
    if gold[0] != answer[0] and not {gold[0], answer[0]} <= unordered:
        return MathVerdict(
            False, "collection", f"brackets {answer[0] or 'none'} where {gold[0] or 'none'} are expected"
        )
    if len(gold[1]) != len(answer[1]):
        return MathVerdict(False, "collection", f"{len(answer[1])} values where {len(gold[1])} are expected")
    rest = list(answer[1])
    for element in gold[1]:
        candidates = range(len(rest)) if gold[0] in unordered else range(1)
        found = next((i for i in candidates if compare_math(element, rest[i], locale, pool).equal), None)
        if found is None:
            return MathVerdict(False, "collection", f"no equal to the value {element}")
        del rest[found]
    return MathVerdict(True, "collection")


def _compare_numbers(gold: Number, answer: Number) -> MathVerdict:
    """Exactly, or as a rounding of a gold without exact decimal; percentages only equal percentages."""
    values = (gold.value, answer.value)
    if gold.percent != answer.percent:
        return MathVerdict(False, "numeric", "one is a percentage and the other is not", *values)
    if gold.unit and answer.unit and not same_unit(gold.unit, answer.unit):
        return MathVerdict(False, "numeric", f"unit {answer.unit} where {gold.unit} is expected", *values)
    if gold.value == answer.value:
        return MathVerdict(True, "numeric", "", *values)
    if not _terminates(gold.value) and is_rounding_of(gold.value, answer):
        return MathVerdict(True, "rounded", "", *values)
    return MathVerdict(False, "numeric", "the values differ", *values)


def _terminates(value: Fraction) -> bool:
    """Whether a decimal can write the value exactly."""
    denominator = value.denominator
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    return denominator == 1


def is_rounding_of(exact: Fraction, number: Number) -> bool:
    """Whether `number` is `exact` rounded or truncated to the decimals it shows, with three significant digits or more."""
    if number.decimals is None or number.decimals == 0 or number.significant < _ROUNDED_DIGITS:
        return False
    return abs(exact - number.value) < Fraction(1, 10**number.decimals)


def _compare_symbolic(gold: str, answer: str, answer_number: Number | None, pool: MathPool) -> MathVerdict:
    """Ask the child; what it cannot read as mathematics is compared as text."""
    reply = pool.compare(gold, answer)
    if reply is None or "failed" in reply:
        own = pool.compare(gold, "0")
        if own is None or "failed" in own:
            raise JudgeError(
                f"the expected answer {gold[:80]!r} cannot be compared in the time allowed; write it simpler",
                ErrorType.EVALUATOR_ERROR,
            )
        return MathVerdict(False, "symbolic", "the answer could not be evaluated in the time allowed")
    if reply.get("unreadable"):
        equal = comparable(gold) == comparable(answer)
        return MathVerdict(equal, "text", "" if equal else f"the {reply['unreadable']} is not readable as mathematics")
    values = [to_fraction(reply[key]) if reply.get(key) else None for key in ("gold_value", "answer_value")]
    if reply["equal"]:
        return MathVerdict(True, "symbolic", "", *values)
    if answer_number and values[0] is not None and is_rounding_of(values[0], answer_number):
        return MathVerdict(True, "rounded", "", *values)
    return MathVerdict(False, "symbolic", "the expressions are not equal", *values)
