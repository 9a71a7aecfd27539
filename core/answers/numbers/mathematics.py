r"""Mathematical equality of two texts, LaTeX or plain.

Both are read whole into statements (`modex.core.answers.formulas`) and compared there: structure first, then exact values,
then values to many digits (`working_out`). Only what that grammar does not know (limits, integrals, derivatives) is asked of
math-verify, in the same place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from modex.core.answers.formulas.cleaning import cleaned
from modex.core.answers.formulas.equality import Comparer, Finding, Numeric
from modex.core.answers.formulas.statements import Relation, Statement, Value, Words, read_statement
from modex.core.answers.formulas.suffixes import Suffix, letter_unit
from modex.core.answers.formulas.tree import Node, negated, number
from modex.core.answers.numbers.math_worker import MathWorker, math_worker
from modex.core.answers.numbers.reading import parse_number, to_fraction
from modex.core.answers.numbers.units import known_unit
from modex.core.answers.text.text import comparable
from modex.core.foundation.errors import ErrorType, JudgeError

MAX_INPUT = 2000
"""Characters of an answer that are looked at; a longer one is no bare answer."""
_OPERATORS = re.compile(r"\\(?:int|iint|oint|lim|sum|prod|partial|nabla|frac ?\{ ?d)(?![a-zA-Z])|∫|∑")


@dataclass(frozen=True, slots=True)
class MathVerdict:
    """Whether two expressions are equal, by which `method`, and `why` not."""

    equal: bool
    method: str
    why: str = ""
    gold_value: Fraction | None = None
    answer_value: Fraction | None = None


def compare_math(
    gold: str, answer: str, locale: str = "en", worker: MathWorker | None = None, *, percent_equal: bool = False
) -> MathVerdict:
    """Compare two expressions, LaTeX or plain.

    A decimal answer also equals a gold that no decimal can write exactly (1/3, √2) where it is a correct rounding or
    truncation of it to at least three significant digits. `percent_equal` says that 50 % equals 0.5.

    Raises:
        JudgeError: the gold itself cannot be compared in the time allowed.
    """
    if len(answer) > MAX_INPUT:
        return MathVerdict(False, "none", f"the answer is longer than {MAX_INPUT} characters")
    if not answer.strip():
        return MathVerdict(False, "none", "the answer is empty")
    if _squeezed(gold) == _squeezed(answer):
        return MathVerdict(True, "identical")
    worker = worker or math_worker()
    comparer = Comparer(lambda one, other: _asked(worker, one, other, gold), percent_equal)
    wanted = _statement(gold, locale)
    found = Finding(False, "none")
    for reading in _readings(gold, answer, wanted, locale):
        found = comparer.compare(*reading)
        if found.equal:
            break
    if not found.equal and isinstance(wanted, Words) and _worded(gold) == _worded(answer):
        return MathVerdict(True, "text")
    if not found.equal and (isinstance(wanted, Words) or found.method == "text") and _operators(gold, answer):
        return _verified(worker, gold, answer)
    return MathVerdict(found.equal, found.method, found.why, found.gold, found.answer)


def _statement(text: str, locale: str) -> Statement:
    """What `text` states; a text that is no formula may still be a number (`two thirds`, `1.5 million dollars`)."""
    statement = read_statement(text, locale)
    if not isinstance(statement, Words) or (read := parse_number(text, locale)) is None:
        return statement
    node = number(str(abs(read.value)))
    unit = Suffix("%" if read.percent else read.unit, read.percent or known_unit(read.unit)) if read.unit else None
    return Value(negated(node) if read.value < 0 else node, unit)


def _readings(gold: str, answer: str, wanted: Statement, locale: str) -> Iterator[tuple[Statement, Statement]]:
    """The pairs of statements to compare: as written; then, where one side's unit leaves no doubt, letters as the same unit."""
    given = _statement(answer, locale)
    yield wanted, given
    inner = wanted.right if isinstance(wanted, Relation) else wanted
    if (
        isinstance(inner, Value)
        and inner.unit is not None
        and inner.unit.known
        and (split := letter_unit(cleaned(answer)))
    ):
        body, unit = split
        again = read_statement(body, locale)
        if unit.same(inner.unit) and isinstance(again, Value) and again.unit is None:
            yield wanted, Value(again.node, unit)
    if (
        isinstance(given, Value)
        and given.unit is not None
        and given.unit.known
        and (split := letter_unit(cleaned(gold)))
    ):
        again = read_statement(split[0], locale)
        if split[1].same(given.unit) and isinstance(again, Value) and again.unit is None:
            yield Value(again.node, split[1]), given


def _squeezed(text: str) -> str:
    """Without the white space that separates nothing; words alone compare in any case."""
    plain = re.sub(r"(?<!\w)\s+|\s+(?!\w)", "", cleaned(text))
    word = re.sub(r"\\text\{([^{}]*)\}", r"\1", plain)
    return word.casefold() if re.fullmatch(r"[^\W\d_]{3,}", word) else plain


def _worded(text: str) -> str:
    r"""As words: `\text{(A)}` and `A` are one."""
    plain = comparable(re.sub(r"\\text ?\{([^{}]*)\}", r"\1", cleaned(text)))
    return re.sub(r"^\((\w)\)$", r"\1", plain)


def _asked(worker: MathWorker, gold: Node, answer: Node, written: str) -> Numeric:
    reply = worker.ask({"nodes": [gold.as_json(), answer.as_json()]})
    if reply is None:
        if worker.ask({"nodes": [gold.as_json(), number(0).as_json()]}) is None:
            raise _endless(written)
        return Numeric(False)
    names = ("gold", "answer", "gold_double", "answer_double")
    return Numeric(bool(reply["equal"]), *(to_fraction(reply[name]) if reply.get(name) else None for name in names))


def _endless(gold: str) -> JudgeError:
    return JudgeError(
        f"the expected answer {gold[:80]!r} cannot be compared in the time allowed; write it simpler",
        ErrorType.EVALUATOR_ERROR,
    )


def _operators(gold: str, answer: str) -> bool:
    return _OPERATORS.search(gold) is not None or _OPERATORS.search(answer) is not None


def _verified(worker: MathWorker, gold: str, answer: str) -> MathVerdict:
    reply = worker.ask({"texts": [cleaned(gold), cleaned(answer)]})
    if reply is None:
        if _OPERATORS.search(gold) and worker.ask({"texts": [cleaned(gold), "0"]}) is None:
            raise _endless(gold)
        return MathVerdict(False, "symbolic", "the answer could not be evaluated in the time allowed")
    equal = bool(reply["equal"])
    return MathVerdict(equal, "symbolic", "" if equal else "the expressions are not equal")
