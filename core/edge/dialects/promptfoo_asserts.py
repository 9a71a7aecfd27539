"""promptfoo's assertions as a rubric of ours: each one an item or a gate that a rule decides, or that a judge is asked about.

Source of the meanings: promptfoo's "Assertions & metrics" pages (2025). What only code or an embedding could decide is named.

JSON: https://www.rfc-editor.org/rfc/rfc8259#section-2.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_JSON = (
    r'(?(DEFINE)(?P<ws>\s*)(?P<text>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")'
    r"(?P<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"(?P<list>\[(?&ws)(?:(?&value)(?&ws)(?:,(?&ws)(?&value)(?&ws))*+)?\])"
    r"(?P<object>\{(?&ws)(?:(?&text)(?&ws):(?&ws)(?&value)(?&ws)(?:,(?&ws)(?&text)(?&ws):(?&ws)(?&value)(?&ws))*+)?\})"
    r"(?P<value>true|false|null|(?&number)|(?&text)|(?&list)|(?&object)))"
)
"""JSON as RFC 8259 writes it, for the `regex` module."""
_LISTS = ("contains-all", "contains-any", "icontains-all", "icontains-any")
_JUDGED: Mapping[str, str] = {
    "llm-rubric": "{}",
    "model-graded-closedqa": "{}",
    "g-eval": "{}",
    "factuality": "Agrees in its facts with this and contradicts none of it: {}",
    "model-graded-factuality": "Agrees in its facts with this and contradicts none of it: {}",
}
_WHOLE = r"(?s)\A\s*{}\s*\Z"


@dataclass(slots=True)
class AssertedRubric:
    """What the assertions of one test became."""

    items: list[dict[str, Any]] = field(default_factory=list)
    gates: list[dict[str, Any]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """Assertions that could not be carried over, each with the reason."""

    @property
    def expected(self) -> dict[str, Any] | None:
        """The test's `expected`; None where nothing was carried over."""
        if not self.items and not self.gates:
            return None
        items = self.items or [{"id": "said", "says": "Says something.", "regex": r"\S"}]
        return {"items": items, **({"gates": self.gates} if self.gates else {})}


def rubric_of(asserts: Any, filled: Callable[[str], str]) -> AssertedRubric:
    """The rubric that the assertions of one test become; `filled` puts the test's variables into a text."""
    rubric = AssertedRubric()
    for number, given in enumerate(_flat(asserts), 1):
        _take(rubric, given, number, filled)
    return rubric


def from_column(text: str) -> dict[str, Any]:
    """The assertion that a table's cell (`__expected`) says: `icontains: x`, `not-regex: y`, `is-json`, else a text to equal."""
    found = re.fullmatch(r"\s*(fn|eval|grade|(?:not-)?[a-z][a-z-]*?)(?:\(([\d.]+)\))?\s*:\s*(.*)", text, re.DOTALL)
    if found is not None and (_kind(found[1])[0] in _KNOWN or found[1] in _OLD):
        return {"type": _OLD.get(found[1], found[1]), "value": found[3]}
    if _kind(text.strip())[0] in ("is-json", "contains-json"):
        return {"type": text.strip()}
    return {"type": "equals", "value": text}


_OLD = {"fn": "javascript", "eval": "javascript", "grade": "llm-rubric"}
"""Words that tables of older versions use."""


def _flat(asserts: Any) -> Iterator[Any]:
    """Every assertion, those of sets among them."""
    for one in asserts if isinstance(asserts, list) else ():
        if isinstance(one, dict) and one.get("type") == "assert-set":
            yield from _flat(one.get("assert"))
        else:
            yield one


def _kind(word: str) -> tuple[str, bool]:
    return (word.removeprefix("not-"), True) if word.startswith("not-") else (word, False)


def _take(rubric: AssertedRubric, given: Any, number: int, filled: Callable[[str], str]) -> None:
    word = given.get("type") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(word, str):
        rubric.lost.append("an assertion without a type")
        return
    kind, denied = _kind(word)
    value = _value(given.get("value"), filled)
    if isinstance(value, str) and value.startswith("file://"):
        rubric.lost.append(f"{word}: its value stands in another file ({value[:80]})")
        return
    if kind in _JUDGED:
        texts = value if isinstance(value, list) else [value]
        for place, text in enumerate(texts, 1):
            says = _JUDGED[kind].format(str(text))
            entry = {"id": f"a{number}" if len(texts) == 1 else f"a{number}_{place}", "says": says}
            rubric.gates.append(entry) if denied else rubric.items.append({**entry, "required": True})
        return
    made = _RULES[kind](value) if kind in _RULES else None
    if made is None:
        rubric.lost.append(f"{word}: {_REASONS.get(kind, 'nothing here decides it')}")
        return
    says, patterns = made
    if kind == "is-json" and value not in (None, ""):
        rubric.lost.append(f"{word}: its schema (that it is JSON is carried over)")
    if denied:
        if len(patterns) > 1:  # "not all of them" holds where one is missing
            patterns = [r"(?s)\A" + "".join(f"(?=.*?(?:{_inner(one)}))" for one in patterns) + "."]
        gate = {"id": f"a{number}", "says": says, "regex": patterns[0], "as_written": True, "judged": False}
        rubric.gates.append(gate)
        return
    for place, pattern in enumerate(patterns, 1):
        name = f"a{number}" if len(patterns) == 1 else f"a{number}_{place}"
        item = {"id": name, "says": says, "regex": pattern, "required": True}
        if isinstance(given.get("weight"), int | float) and given["weight"] > 0:
            item["points"] = given["weight"]
        rubric.items.append(item)


def _inner(pattern: str) -> str:
    return pattern.removeprefix("(?s)")


def _value(value: Any, filled: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return filled(value)
    if isinstance(value, list):
        return [_value(item, filled) for item in value]
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _exactly(text: str) -> str:
    return f"(?-i:{re.escape(text)})"


def _listed(value: Any) -> list[str]:
    """The texts of a list, or of one text with commas, as promptfoo reads it."""
    if isinstance(value, list):
        return [_text(item) for item in value]
    return [part.strip().strip('"') for part in re.findall(r'\s*"[^"]*"|[^,]+', _text(value)) if part.strip()]


def _equals(value: Any) -> tuple[str, list[str]] | None:
    if isinstance(value, dict | list):
        return None
    return f"Is exactly {_text(value)!r}.", [_WHOLE.format(_exactly(_text(value)))]


def _contains(value: Any) -> tuple[str, list[str]]:
    return f"Contains {_text(value)!r}.", [_exactly(_text(value))]


def _icontains(value: Any) -> tuple[str, list[str]]:
    return f"Contains {_text(value)!r} in any case.", [re.escape(_text(value))]


def _all(escaped: Callable[[str], str]) -> Callable[[Any], tuple[str, list[str]] | None]:
    def made(value: Any) -> tuple[str, list[str]] | None:
        return (
            (f"Contains all of {', '.join(_listed(value))}.", [escaped(one) for one in _listed(value)])
            if value
            else None
        )

    return made


def _any(escaped: Callable[[str], str]) -> Callable[[Any], tuple[str, list[str]] | None]:
    def made(value: Any) -> tuple[str, list[str]] | None:
        return (
            (f"Contains one of {', '.join(_listed(value))}.", ["|".join(map(escaped, _listed(value)))])
            if value
            else None
        )

    return made


def _regex(value: Any) -> tuple[str, list[str]] | None:
    from modex.core.suite.evaluator_files import pattern_fault

    text = _text(value)
    return None if not text or pattern_fault(text) else (f"Matches /{text}/.", [f"(?-i:{text})"])


_RULES: Mapping[str, Callable[[Any], tuple[str, list[str]] | None]] = {
    "equals": _equals,
    "contains": _contains,
    "icontains": _icontains,
    "contains-all": _all(_exactly),
    "icontains-all": _all(re.escape),
    "contains-any": _any(_exactly),
    "icontains-any": _any(re.escape),
    "starts-with": lambda value: (f"Begins with {_text(value)!r}.", [rf"\A{_exactly(_text(value))}"]),
    "regex": _regex,
    "is-json": lambda _: ("Is JSON.", [rf"{_JSON}\A\s*(?-i:(?&value))\s*\Z"]),
    "contains-json": lambda _: ("Contains JSON.", [rf"{_JSON}(?-i:(?&list)|(?&object))"]),
}
_REASONS = {
    "equals": "JSON is compared by no rule of a text",
    "regex": "the pattern does not compile here",
    "javascript": "code is not run",
    "python": "code is not run",
    "ruby": "code is not run",
    "webhook": "a server would decide it",
    "similar": "it needs an embedding model",
    "cost": "what an answer costs stands with every sample; no test fails by it",
    "latency": "how long an answer takes stands with every sample; no test fails by it",
}
_KNOWN = frozenset({*_RULES, *_JUDGED, *_REASONS, *_LISTS})
