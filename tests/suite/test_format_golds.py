"""Every instruction_following gold accepts a good answer and refuses a plausible bad one."""

from __future__ import annotations

import json
from typing import Any

import regex

from tests.rows import each_row
from tests.suite.golds import DEFINITIONS, golds

TESTS = golds("instruction_following")
TIME_LIMIT_S = 2.0
WHOLE = r"(?s)\A\s*(.*?)\s*\Z"


def evaluator_of(test: dict[str, Any]) -> dict[str, Any]:
    domain = json.loads((DEFINITIONS / "instruction_following/domain.json").read_text("utf-8"))
    name = test.get("evaluator_id") or domain["evaluator_id"]
    if name == "rubric":
        return {"id": name, "extraction_regex": WHOLE, "config": {"comparison": "use_expected_as_pattern"}}
    path = DEFINITIONS / f"evaluators/{name}.json"
    loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return loaded


def accepts(test: dict[str, Any], response: str) -> bool:
    """Judge the form of a response as the test's evaluator does, by an independent reading of its file."""
    evaluator = evaluator_of(test)
    found = regex.search(evaluator["extraction_regex"], response, timeout=TIME_LIMIT_S)
    if found is None:
        return False
    text = found[1]
    match evaluator["config"]["comparison"]:
        case "use_expected_as_pattern":
            pattern = test["expected"] if isinstance(test["expected"], str) else rf"\A(?:{test['expected']['form']})\Z"
            return regex.search(pattern, text, timeout=TIME_LIMIT_S) is not None
        case "exact_number":
            return bool(float(text) == test["expected"])
        case _:
            return bool(text.casefold() == str(test["expected"]).casefold())


@each_row("test_id", TESTS)
def test_the_good_answer_is_accepted(test_id: str) -> None:
    test = TESTS[test_id]
    good = test["metadata"]["good_answer"]
    assert accepts(test, good)
    assert accepts(test, f"\n{good}\n"), "blank space around an answer is no fault"


@each_row("test_id", TESTS)
def test_the_bad_answer_and_chatter_are_refused(test_id: str) -> None:
    test = TESTS[test_id]
    assert not accepts(test, test["metadata"]["bad_answer"])
    assert not accepts(test, f"{test['metadata']['good_answer']}\n\nLet me know if you need anything else!")
    assert not accepts(test, "")


@each_row("test_id", TESTS)
def test_patterns_decide_long_answers_in_time(test_id: str) -> None:
    test = TESTS[test_id]
    for filler in ("a " * 2000, "word\n" * 500, "- x\n" * 500, "a" * 5000):
        assert not accepts(test, filler)


def test_patterns_are_anchored_at_both_ends() -> None:
    for test in TESTS.values():
        if evaluator_of(test)["id"] == "format_pattern":
            assert regex.match(r"(\(\?[a-z]+\))?\\A", test["expected"]), test["id"]
            assert test["expected"].endswith(r"\Z"), test["id"]


def independent_rule_cascade(message: str) -> str:
    """The rules of the test `rule_cascade`, written out again."""
    words = message.replace(",", "").split()
    colours = {"red", "blue", "green", "yellow", "black", "white"}
    colour = next(word for word in words if word in colours)
    if {"bus", "train"} & set(words):
        colour = colour[::-1]
    numbers = [int(word) for word in words if word.isdigit()]
    number = numbers[0]
    if len(numbers) > 2:
        number = max(numbers) if sum(numbers[:2]) % 2 == 0 else sum(numbers[:2])
    return f"{colour}-{number}-{'L' if len(words) < 8 else 'R'}"


def test_the_rule_cascade_is_worked_out_right() -> None:
    test = TESTS["rule_cascade"]
    assert independent_rule_cascade(test["prompt"]) == test["metadata"]["good_answer"]


def test_weekday_counts_are_right() -> None:
    for line in TESTS["weekday_stairs"]["metadata"]["good_answer"].splitlines():
        name, count = line.split()
        assert len(name) == int(count.strip("[]"))


def test_word_counts_of_good_answers_are_what_the_prompt_asks() -> None:
    good = {test_id: test["metadata"]["good_answer"] for test_id, test in TESTS.items()}
    assert len(good["rain_25_words"].split()) == 25
    assert len(good["hujan_tanpa_e"].split()) == 12
    assert [len(word.strip(".")) for word in good["growing_words"].split()] == [1, 2, 3, 4, 5, 6, 7]
    assert [len(line.split()) for line in good["mint_staircase"].splitlines()] == [3, 4, 5, 6]
