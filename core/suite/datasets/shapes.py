"""Rows whose question, options or gold stand in several columns, made into one question, its options and one gold.

A shape is given a row as its file has it and returns it with `question`, `options` or `answer` written anew; other columns stay.
A row that lacks what the shape needs is returned as it is, so that the reader says what is missing.
"""

from __future__ import annotations

import ast
import builtins
import json
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

Shape = Callable[[dict[str, Any]], dict[str, Any] | str]
"""A row as its file has it → the row in our columns, or what is wrong with it."""

_MOST_TOLD = 20_000
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def lettered(row: dict[str, Any]) -> dict[str, Any]:
    """MMLU: a list of choices, or in CSV files a column for each letter, of which the last ones may be empty."""
    if not _has(row, "A", "B"):
        return row
    filled = "ABCD" if _has(row, *"ABCD") else "ABC" if _has(row, *"ABC") else "AB"
    return {**row, "options": {letter: str(row[letter]) for letter in filled}}


def sourced(row: dict[str, Any]) -> dict[str, Any]:
    """MMLU-Redux: a `source` that says where its question was found, and names no benchmark."""
    return {("found_in" if name == "source" else name): value for name, value in row.items()}


def stemmed(row: dict[str, Any]) -> dict[str, Any]:
    """ARC and CommonsenseQA: the stem and its choices, inside of `question` or beside it; choices 1, 2, 3 become A, B, C."""
    asked = row.get("question")
    if isinstance(asked, Mapping):
        if "stem" not in asked:
            return row
        row = {**row, "question": asked["stem"], **({"choices": asked["choices"]} if "choices" in asked else {})}
    choices = row.get("choices")
    labels, texts = _labels(choices, "label"), _labels(choices, "text")
    if not labels or labels != [str(number) for number in range(1, len(labels) + 1)] or len(labels) != len(texts):
        return row
    row = {**row, "choices": {"label": list(_LETTERS[: len(labels)]), "text": texts}}
    for name in ("answerKey", "answer"):
        if (gold := _whole(row.get(name))) is not None and 1 <= gold <= len(labels):
            row[name] = _LETTERS[gold - 1]
    return row


def _labels(choices: Any, name: str) -> list[Any]:
    """The labels or texts of choices that are a list of pairs, or two lists; empty where they are neither."""
    if isinstance(choices, Mapping):
        found = choices.get(name)
    elif isinstance(choices, list) and all(isinstance(one, Mapping) and name in one for one in choices):
        found = [one[name] for one in choices]
    else:
        return []
    listed = found if isinstance(found, list) and len(found) <= len(_LETTERS) else []
    return [str(one).strip() for one in listed] if name == "label" else listed


def gpqa(row: dict[str, Any]) -> dict[str, Any]:
    """GPQA: the right answer and three wrong ones (or fewer), in an order that the question's id (or its words) draws."""
    names = ("Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3")
    order = [name for name in names if _has(row, name)]
    if len(order) < 2 or order[0] != names[0]:
        return row
    random.Random(f"gpqa {row.get('Record ID') or row.get('Question')}").shuffle(order)
    options = {letter: str(row[name]).strip() for letter, name in zip(_LETTERS, order, strict=False)}
    kept = {name: value for name, value in row.items() if name not in names}
    return {**kept, "options": options, "answer": _LETTERS[order.index(names[0])]}


def hellaswag(row: dict[str, Any]) -> dict[str, Any]:
    """HellaSwag: a beginning and four ends; the label counts from 0, as a text or a number."""
    ends, label = row.get("endings"), _whole(row.get("label"))
    begin = row.get("ctx") or f"{row.get('ctx_a') or ''} {row.get('ctx_b') or ''}".strip()
    if not isinstance(ends, list) or not begin:
        return row
    about = f"{row['activity_label']}: " if row.get("activity_label") else ""
    kept = {name: value for name, value in row.items() if name not in ("endings", "ctx", "ctx_a", "ctx_b", "label")}
    gold = _LETTERS[label] if label is not None and label < len(ends) else None
    return {
        **kept,
        "question": f"Which end fits this beginning best?\n\n{about}{begin} …",
        "options": ends,
        "answer": gold,
    }


def winogrande(row: dict[str, Any]) -> dict[str, Any]:
    """WinoGrande: a sentence with a gap `_` and two words; the answer counts from 1."""
    if not _has(row, "sentence", "option1", "option2"):
        return row
    kept = {name: value for name, value in row.items() if name not in ("sentence", "option1", "option2")}
    right = _whole(row.get("answer"))
    return {
        **kept,
        "question": f"Which option fills the gap (_)?\n\n{row['sentence']}",
        "options": [row["option1"], row["option2"]],
        "answer": _LETTERS[right - 1] if right in (1, 2) else None,
    }


def boolq(row: dict[str, Any]) -> dict[str, Any]:
    """BoolQ: a passage, a question without its mark, and a truth."""
    if not _has(row, "question", "passage"):
        return row
    asked = str(row["question"]).strip().rstrip("?")
    truth = row.get("answer", row.get("label"))
    kept = {name: value for name, value in row.items() if name not in ("passage", "label")}
    gold = ("no", "yes")[int(truth)] if isinstance(truth, bool) or truth in (0, 1) else truth
    return {**kept, "question": f"{row['passage']}\n\n{asked[:1].upper()}{asked[1:]}?", "answer": gold}


def aime(row: dict[str, Any]) -> dict[str, Any]:
    """AIME: an answer of three digits, `033`, which is a number and no label."""
    gold = row.get("answer")
    return {**row, "answer": str(int(gold))} if isinstance(gold, str) and re.fullmatch(r"0\d{1,2}", gold) else row


def simpleqa(row: dict[str, Any]) -> dict[str, Any]:
    """SimpleQA: a question, its answer, and what is known of both (`topic`, `answer_type`, `urls`) as one Python text."""
    told = row.get("metadata")
    try:
        known = ast.literal_eval(told) if isinstance(told, str) and len(told) <= _MOST_TOLD else told
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return row
    if not isinstance(known, Mapping) or not all(isinstance(name, str) for name in known):
        return row
    return {**known, **{name: value for name, value in row.items() if name != "metadata"}}


def drop(row: dict[str, Any]) -> dict[str, Any] | str:
    """DROP: a passage, a question, an answer and others of people who validated it; each a number, a date or spans.

    `answers_spans` holds all of these in one list: numbers and dates are golds of their own, spans are one gold together
    unless one holds another, as two who validated write it.
    """
    if _has(row, "context", "ref_text"):
        listed = [text.strip() for text in str(row["ref_text"]).split("|") if text.strip()]
        return {**_without(row, "context", "ref_text"), "question": row["context"], "answer": listed}
    listed_golds = _listed_golds(row.get("answers_spans"))
    if not _has(row, "question") or not (listed_golds is not None or isinstance(row.get("answer"), Mapping)):
        return row
    if not _has(row, "passage"):
        return "the passage ('passage') is missing"
    if listed_golds is not None:
        row = {**_without(row, "answers_spans"), "answer": {}}
    golds = listed_golds or list(map(_spans, [row["answer"], *_validated(row.get("validated_answers"))]))
    kept = _without(row, "passage", "validated_answers")
    asked = f"{str(row['passage']).strip()}\n\n{str(row['question']).strip()}"
    return {**kept, "question": asked, "answer": [list(one) for one in dict.fromkeys(golds) if one] or None}


def _listed_golds(told: Any) -> list[tuple[str, ...]] | None:
    """The golds of `answers_spans`: texts in `spans`, their kinds in `types`; None where it is no such thing."""
    spans, kinds = (told.get("spans"), told.get("types")) if isinstance(told, Mapping) else (None, None)
    if not isinstance(spans, list) or not isinstance(kinds, list) or len(spans) != len(kinds):
        return None
    words = [str(one).strip() for one in spans]
    alone = [(word,) for word, kind in zip(words, kinds, strict=True) if word and kind != "span"]
    named = tuple(dict.fromkeys(word for word, kind in zip(words, kinds, strict=True) if word and kind == "span"))
    apart = any(one != other and one.casefold() in other.casefold() for one in named for other in named)
    return [*alone, *([(one,) for one in named] if apart else [named] if named else [])]


def _without(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _validated(value: Any) -> list[Mapping[str, Any]]:
    """The answers of those who validated: a list of them, or the lists of their parts as Parquet has them."""
    if isinstance(value, Mapping):
        names = [name for name in ("number", "date", "spans") if isinstance(value.get(name), list)]
        value = [dict(zip(names, parts, strict=True)) for parts in zip(*(value[name] for name in names), strict=False)]
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _spans(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """What one answer says: its number, else its spans, else its date; empty where it says nothing."""
    if answer.get("number") not in (None, ""):
        return (str(answer["number"]),)
    if isinstance(spans := answer.get("spans"), list) and spans:
        return tuple(str(span) for span in spans if str(span).strip())
    date = answer.get("date")
    parts = [str(date.get(name) or "") for name in ("day", "month", "year")] if isinstance(date, Mapping) else []
    return tuple(filter(None, [" ".join(filter(None, parts))]))


def humaneval(row: dict[str, Any]) -> dict[str, Any]:
    """HumanEval and HumanEval+: the beginning of a function, and a `check` that is given the whole of it."""
    if not _has(row, "prompt", "test", "entry_point"):
        return row
    begin = str(row["prompt"])
    kept = {name: value for name, value in row.items() if name not in ("prompt", "test", "entry_point")}
    gold = {"function": row["entry_point"], "before": begin, "test": row["test"]}
    return {**kept, "question": f"Complete this function.\n\n```python\n{begin.rstrip()}\n```", "answer": gold}


def mbpp(row: dict[str, Any]) -> dict[str, Any]:
    """MBPP and MBPP+: a task in words and assertions, which the question shows; MBPP+ has more of them in `test`."""
    said, shown = row.get("text") or row.get("prompt"), row.get("test_list")
    if not isinstance(said, str) or not isinstance(shown, list) or not shown:
        return row
    lines = [str(line) for line in shown]
    if (name := _called("\n".join(lines))) is None:
        return row
    imports = row.get("test_imports") or row.get("test_setup_code") or []
    before = "\n".join(map(str, imports)) if isinstance(imports, list) else str(imports)
    hidden = row["test"] if isinstance(row.get("test"), str) and row["test"].strip() else "\n".join(lines)
    gold = {"function": name, "test": f"{before}\n{hidden}" if before else hidden}
    used = ("text", "prompt", "test_list", "test", "test_imports", "test_setup_code")
    kept = {name: value for name, value in row.items() if name not in used}
    return {**kept, "question": f"{said.strip()}\n\nYour code must pass:\n\n" + "\n".join(lines), "answer": gold}


def _called(assertions: str) -> str | None:
    """The first function that assertions call and Python does not have itself."""
    try:
        nodes = ast.walk(ast.parse(assertions))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = (node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    return next((name for name in names if not hasattr(builtins, name)), None)


def _has(row: Mapping[str, Any], *names: str) -> bool:
    return all(row.get(name) not in (None, "") for name in names)


def _whole(value: Any) -> int | None:
    """A number from 0 on, or its digits."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 4:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def ifeval(row: dict[str, Any]) -> dict[str, Any]:
    """IFEval: the names of a prompt's instructions, and what each is told, in `instruction_id_list` and `kwargs`."""
    names = ("instruction_id_list", "kwargs")
    if not _has(row, *names):
        return row
    kept = {name: value for name, value in row.items() if name not in names}
    return {**kept, "answer": {name: _unwritten(row[name]) for name in names}}


def _unwritten(value: Any) -> Any:
    """A list that is written as JSON text, as CSV files have it; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found if isinstance(found, list) else value
