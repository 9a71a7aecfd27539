"""The final answer to a test, right or plausibly wrong, from the test's own `expected` (docs/evaluators.md)."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.cues import Cue
from modex.core.llm.demo.example import example_of
from modex.core.llm.demo.prose import keyword_text
from modex.core.llm.demo.sql import is_sql, right_sql, wrong_sql

_VAGUE = ("it cannot be determined", "none of these", "the second one", "about half of it", "the opposite")
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """A final answer; `bare` ones are the whole response, because their form is what is tested."""

    text: str
    bare: bool = False


def final_answer(cue: Cue, dice: Dice, *, right: bool) -> DemoAnswer:
    """The answer that the scripted model gives to the test behind `cue`."""
    metadata = cue.context.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    written = metadata.get("good_answer" if right else "bad_answer")
    if isinstance(written, str):
        return DemoAnswer(written, bare=True)
    expected = cue.expected
    if cue.evaluator_id == "spans" and isinstance(expected, list) and expected:
        spans = expected[0] if isinstance(expected[0], list) else expected[:1]
        return DemoAnswer("; ".join(map(str, spans)) if right else _VAGUE[dice.pick("vague", len(_VAGUE))])
    if isinstance(expected, dict):
        return _from_object(expected, dice, right=right, near_misses=metadata.get("wrong_queries"))
    if isinstance(expected, str) and cue.evaluator_id not in {"two_pass", "llm_judge", "match", "custom", "hybrid"}:
        found = example_of(expected) if re.search(r"[\\^$()\[\]|+*?]", expected) else expected
        return DemoAnswer((found or expected) if right else _other_text(expected, dice), bare=True)
    return DemoAnswer(_plain(expected) if right else _wrong(expected, dice))


def _from_object(expected: dict[str, Any], dice: Dice, *, right: bool, near_misses: Any = None) -> DemoAnswer:
    if isinstance(expected.get("keywords"), list):
        return DemoAnswer(keyword_text(expected, dice, right=right), bare=True)
    if isinstance(expected.get("items"), list):
        says = " ".join(str(item.get("says", "")) for item in expected["items"] if isinstance(item, dict))
        return DemoAnswer(says if right else _VAGUE[dice.pick("vague", len(_VAGUE))], bare=True)
    if is_sql(expected):
        sql = right_sql(expected) if right else wrong_sql(expected, dice, near_misses)
        return DemoAnswer(f"```sql\n{sql}\n```", bare=True)
    value = next((expected[name] for name in ("value", "answer", "reference") if name in expected), None)
    if isinstance(value, dict):
        return _from_object(value, dice, right=right)
    if isinstance(expected.get("options"), dict):
        return DemoAnswer(_choice(expected["options"], str(value), dice, right=right))
    if value is None:
        text = json.dumps(expected, ensure_ascii=False)
        return DemoAnswer(text if right else _other_text(text, dice))
    unit = f" {expected['unit']}" if expected.get("unit") else ""
    if expected.get("type") == "choice":
        return DemoAnswer(str(value) if right else _other_letter(str(value)))
    shown = _localised(value, expected.get("locale")) if right else _wrong(value, dice)
    return DemoAnswer(shown + unit)


def _choice(options: dict[str, Any], letter: str, dice: Dice, *, right: bool) -> str:
    others = sorted(name for name in options if name != letter)
    chosen = letter if right or not others else others[dice.pick("option", len(others))]
    return f"({chosen}) {options[chosen]}" if chosen in options else chosen


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _localised(value: Any, locale: Any) -> str:
    """A number with the test's own decimal separator."""
    text = _plain(value)
    if locale in {"de", "id", "fr", "es", "it", "pt", "nl"} and isinstance(value, float):
        return text.replace(".", ",")
    return text


def _wrong(value: Any, dice: Dice) -> str:
    if isinstance(value, bool):
        return "no" if value else "yes"
    if isinstance(value, int | float):
        return _near(value, dice)
    text = _plain(value)
    return _other_letter(text) if re.fullmatch(r"[A-J]", text) else _other_text(text, dice)


def _near(value: float, dice: Dice) -> str:
    """A slip: off by a few, by a factor, or by the sign."""
    whole = isinstance(value, int) or float(value).is_integer()
    value = value if math.isfinite(value) else 0
    value = int(value) if whole else value  # a float near the largest would become infinite
    step = max(1, abs(int(value)) // 20)
    slips = [value + step, value - step, value * 2 + 1, value * 10 + 3]
    wrong = slips[dice.pick("slip", len(slips))]
    return str(int(wrong)) if whole else f"{wrong:.4g}"


def _other_letter(letter: str) -> str:
    return "B" if letter.upper() != "B" else "C"


def _other_text(text: str, dice: Dice) -> str:
    """The text with another number in it, or a vague phrase where it has none."""
    found = _NUMBER.search(text)
    if found is not None and len(text) < 200:
        digits = re.sub(r"\D", "", found[0]) or "0"
        return text[: found.start()] + str(int(digits) + 1 + dice.pick("digit", 7)) + text[found.end() :]
    return _VAGUE[dice.pick("vague", len(_VAGUE))]
