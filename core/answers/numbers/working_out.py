"""What `mathematics` cannot see by structure: values to many digits, and math-verify for limits and integrals.

It may take for ever: see `math_worker`.
"""

from __future__ import annotations

from typing import Any

from modex.core.answers.formulas.numeric import constant, in_doubles, same_value
from modex.core.answers.formulas.tree import from_json, variables


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """`{"nodes": [gold, answer]}`: whether two trees agree; `{"texts": [gold, answer]}`: what math-verify says of two texts."""
    return _nodes(request["nodes"]) if "nodes" in request else _texts(*request["texts"])


def _nodes(documents: list[list[Any]]) -> dict[str, Any]:
    import mpmath

    gold, answer = (from_json(document) for document in documents)
    reply: dict[str, Any] = {"equal": same_value(gold, answer)}
    for name, node in (("gold", gold), ("answer", answer)):
        value = None if variables(node) else constant(node)
        if value is not None and mpmath.im(value[1]) == 0:
            reply[name] = mpmath.nstr(mpmath.re(value[1]), 40, strip_zeros=False, min_fixed=-40, max_fixed=40)
            if (double := in_doubles(node)) is not None:
                reply[f"{name}_double"] = mpmath.nstr(double, 20)
    return reply


def _texts(gold: str, answer: str) -> dict[str, Any]:
    from math_verify import LatexExtractionConfig, parse, verify

    # Only the LaTeX grammar: math-verify's reader of plain expressions ends in Python's eval.
    targets = [LatexExtractionConfig(boxed_match_priority=0)]
    parsed = [parse(f"${text}$", targets, parsing_timeout=None) for text in (gold, answer)]
    equal = all(parsed) and bool(verify(parsed[0], parsed[1], timeout_seconds=None))
    return {"equal": equal, "unreadable": not all(parsed)}
