"""The LLM judge as the scripted model plays it: does the response contain the reference answer?"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from modex.core.llm.demo.cues import Cue
from modex.core.llm.demo.example import example_of
from modex.core.llm.demo.extractor import response_in

_FIELD = re.compile(r'"(\w+)"\s*:\s*("(?:[^"\\\n]|\\.)*"|[^\s,}]+)')
_EXAMPLE = re.compile(r'\{\s*"\w+"\s*:[^{}]*\}')
_ALIKE = 0.75
_ITEM_HELD, _GATE_HELD = 0.25, 0.9
_STEM = 5
_LIKE_GOOD, _LIKE_GOOD_UNSPACED = 0.15, 0.08
"""The share of a good answer's stems that another right answer has at least, measured on the answers kept in `tests/suite`."""
_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]+")
_SPACED = re.compile(r"[^\W\d_\u3040-\u30ff\u4e00-\u9fff][\w\u0900-\u0963\u064b-\u0652]*|\d+(?:[.,]\d+)*")
"""A word with its vowel signs, which are no letters to `re`, or a number."""
_PLAIN = re.compile(
    r"says?|said|that|this|with|from|which|does|not|the|and|for|are|was|has|have|reply|user|person|names?|gives?|tells?|advises?"
    r"|recommends?|explains?|states?|mentions?|should|would|could|must|may|can|one|any"
)
"""Words in which statements are put and that say nothing of what a reply says."""
_YES = ("yes", "pass", "correct", "true", "ya", "benar", "PASS", "YES")
_NO = ("no", "fail", "incorrect", "wrong", "false", "tidak", "salah", "FAIL", "NO")
_SMALL = {"a", "an", "the", "of", "is", "to", "in", "and"}


def verdict(prompt: str, cue: Cue) -> str:
    """A verdict in the JSON form that the prompt shows."""
    response = str(cue.context.get("response") or response_in(prompt))
    if "items" in cue.context:
        return _checked(response, cue)
    share = agreement(response, cue.context.get("expected", cue.expected))
    least, most = _range(cue, prompt)
    score = least + (most - least) * (1.0 if share >= _ALIKE else 0.0 if most - least <= 1 else share)
    pattern = cue.context.get("pattern")
    if isinstance(pattern, str) and (said := _by_pattern(pattern, score, passed=share >= _ALIKE)) is not None:
        return f"Scripted judge: the response holds {share:.0%} of the reference answer.\n\n{said}"
    reason = f"Scripted judge: the response holds {share:.0%} of the reference answer."
    return json.dumps(_filled(prompt, score, reason, passed=share >= _ALIKE), ensure_ascii=False)


def _by_pattern(pattern: str, score: float, *, passed: bool) -> str | None:
    """A line in which `pattern` finds the score, or a word that says the same; None where no such line is found."""
    number = int(score) if float(score).is_integer() else round(score, 2)
    line = example_of(pattern)
    if line is None:
        return None
    found = re.search(pattern, line, re.IGNORECASE)
    group = next((n for n, value in enumerate(found.groups(), 1) if value is not None), 0) if found else 0
    start, end = found.span(group) if found else (0, len(line))
    for value in (str(number), *(_YES if passed else _NO)):
        said: str = line[:start] + value + line[end:]
        again = re.search(pattern, said, re.IGNORECASE)
        if again is not None and again.group(group) == value:
            return said
    return None


def _checked(response: str, cue: Cue) -> str:
    """A rubric's verdict: every item holds of what is like the test's good answer, else those of which the response has words.

    A gate is shut by a response that holds nearly all of its words. What an item says may stand in another language than the
    response, so the answers kept in the test's metadata are what it is likened to.
    """
    good, bad, says = cue.context.get("good_answer"), cue.context.get("bad_answer"), cue.context["says"]
    alike = isinstance(good, str) and (agreement(response, good) >= _ALIKE or _like(response, good, str(bad or "")))
    given = _stems(response)
    said = {name: alike or _held(says[name], given) >= _ITEM_HELD for name in cue.context["items"]}
    said |= {name: not alike and _held(says[name], given) >= _GATE_HELD for name in cue.context["gates"]}
    reason = f"Scripted judge: {sum(said.values())} of {len(cue.context['items'])} items are met."
    return json.dumps({"reason": reason, "items": said}, ensure_ascii=False)


def _like(response: str, good: str, bad: str) -> bool:
    """Whether a response shares enough with the good answer, and more than with the bad one; in any language."""
    mine, wanted = _pieces(response), _pieces(good)
    unspaced = bool(_UNSPACED.search(good))
    least = _LIKE_GOOD_UNSPACED if unspaced else _LIKE_GOOD
    near = len(mine & wanted)
    return bool(wanted) and near >= least * len(wanted) and near > len(mine & _pieces(bad))


def _pieces(text: str) -> set[str]:
    """The beginnings of longer words, numbers, and pairs of characters where words are not set apart."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    pairs = {run[at : at + 2] for run in _UNSPACED.findall(folded) for at in range(len(run) - 1)}
    return pairs | {word[:_STEM] for word in _SPACED.findall(folded) if len(word) > 3 or word[0].isdigit()}


def _stems(text: str) -> set[str]:
    """The beginnings of the words that carry meaning, and the numbers."""
    return {
        word[:_STEM] for word in _words(text) if not _PLAIN.fullmatch(word) and (len(word) > 2 or not word.isalpha())
    }


def _held(statement: str, given: set[str]) -> float:
    """The share of a statement's own words that stand in a response, inflected or not."""
    wanted = _stems(statement)
    return len(wanted & given) / len(wanted) if wanted else 0.0


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


def _filled(prompt: str, score: float, reason: str, *, passed: bool) -> dict[str, Any]:
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
    return found
