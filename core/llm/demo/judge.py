"""The LLM judge as the scripted model plays it: does the response contain the reference answer?"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from core.llm.demo.extractor import response_in
from core.llm.types import Cue

_FIELD = re.compile(r'"(\w+)"\s*:\s*("(?:[^"\\\n]|\\.)*"|[^\s,}]+)')
_EXAMPLE = re.compile(r'\{\s*"\w+"\s*:[^{}]*\}')
_SMALL = {"a", "an", "the", "of", "is", "to", "in", "and"}


def verdict(prompt: str, cue: Cue) -> str:
    """A verdict in the JSON form that the prompt shows."""
    response = str(cue.context.get("response") or response_in(prompt))
    share = agreement(response, cue.context.get("expected", cue.expected))
    least, most = _range(cue, prompt)
    score = least + (most - least) * (1.0 if share >= 0.75 else 0.0 if most - least <= 1 else share)
    reason = f"Scripted judge: the response holds {share:.0%} of the reference answer."
    return json.dumps(_filled(prompt, score, most, reason, passed=share >= 0.75), ensure_ascii=False)


def agreement(response: str, expected: Any) -> float:
    """The share of the reference's words and numbers, 0 to 1, that stand in the response after normalising."""
    if isinstance(expected, dict):
        expected = next((expected[k] for k in ("value", "answer", "reference", "rubric") if k in expected), expected)
    wanted = _words(expected if isinstance(expected, str) else json.dumps(expected, ensure_ascii=False))
    if not wanted:
        return 0.0
    given = set(_words(response))
    return sum(word in given for word in wanted) / len(wanted)


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace(",", "")
    found = re.findall(r"[-+]?\d+(?:\.\d+)?|[^\W\d_]+", folded)
    return [str(float(w)) if re.fullmatch(r"[-+]?\d+(?:\.\d+)?", w) else w for w in found if w not in _SMALL]


def _range(cue: Cue, prompt: str) -> tuple[float, float]:
    """The scores allowed: as the evaluator says, else 0 to 1."""
    config = cue.context.get("config")
    source = {**cue.context, **(config if isinstance(config, dict) else {})}
    least, most = source.get("min_score"), source.get("max_score")
    if isinstance(most, int | float) and not isinstance(most, bool):
        return (float(least) if isinstance(least, int | float) else 0.0), float(most)
    stated = re.search(r"\bfrom (\d+)\D{1,20}?to (\d+)", prompt)
    return (float(stated[1]), float(stated[2])) if stated else (0.0, 1.0)


def _filled(prompt: str, score: float, most: float, reason: str, *, passed: bool) -> dict[str, Any]:
    """The last JSON example of the prompt with its values replaced; `reason` and `score` where it shows none."""
    examples = _EXAMPLE.findall(prompt)
    fields = _FIELD.findall(examples[-1]) if examples else []
    found: dict[str, Any] = {}
    number = int(score) if float(score).is_integer() else round(score, 2)
    for name, value in fields:
        if "score" in name or "rating" in name:
            found[name] = number
        elif value in {"true", "false"}:
            found[name] = passed
        elif value.startswith('"') and re.search(r"correct|verdict|grade|decision|pass", name):
            words = (
                ("correct", "incorrect")
                if "correct" in value.lower()
                else ("pass", "fail")
                if "pass" in value
                else ("yes", "no")
            )
            found[name] = words[0] if passed else words[1]
        elif re.fullmatch(r"[\d.]+", value):
            found[name] = number
        else:
            found[name] = reason
    if not any(not isinstance(value, str) or value != reason for value in found.values()):
        found["score"] = number
    del most
    return found
