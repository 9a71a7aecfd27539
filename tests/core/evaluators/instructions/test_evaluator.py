from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.registry import get_evaluator
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.verdict import Instructions
from tests.cli import call, reading
from tests.core.evaluators.conftest import context, part, sample

NO_COMMA: dict[str, Any] = {"type": "punctuation:no_comma"}
LONG: dict[str, Any] = {"type": "length_constraints:number_words", "num_words": 3}


def judged(response: str | None, *instructions: dict[str, Any]) -> EvaluationResult:
    given = context("instructions")
    return get_evaluator(given.config).evaluate(sample(response, {"instructions": list(instructions)}), given)


def test_all_instructions_have_to_be_followed() -> None:
    assert (judged("one two three", NO_COMMA, LONG).score, judged("one, two three", NO_COMMA, LONG).score) == (1.0, 0.0)
    assert judged("one two three", NO_COMMA, LONG).why == "all 2 instructions followed"
    assert judged("one two", NO_COMMA).why == "no commas"


def test_each_instruction_that_is_not_followed_is_named_with_what_was_found() -> None:
    result = judged("one, two", NO_COMMA, LONG)
    assert result.why == "0 of 2 instructions followed: 1 comma; 2 words, at least 3 asked"
    assert judged("one, two three", NO_COMMA, LONG).why == "1 of 2 instructions followed: 1 comma"


def test_details_hold_what_scripts_read_in_the_tests_order() -> None:
    stored = judged("Sure, here:\none two three", LONG, NO_COMMA).stored()
    assert stored["instructions"] == [
        {"id": LONG["type"], "strict": True, "loose": True, "found": "5 words, at least 3 asked"},
        {"id": NO_COMMA["type"], "strict": False, "loose": True, "found": "1 comma"},
    ]
    assert stored["parts"] == [{"kind": "instructions"}]


def test_what_is_followed_loosely_only_is_no_pass_and_says_so() -> None:
    result = judged("Sure, here:\none two three", NO_COMMA)
    assert (result.score, result.why) == (0.0, "1 comma (followed loosely)")


@pytest.mark.parametrize("response", ["", " \n", None])
def test_an_empty_answer_follows_nothing(response: str | None) -> None:
    result = judged(response, NO_COMMA)
    (found,) = part(result, Instructions).items
    assert (result.score, found.strict, found.loose, found.found) == (0.0, False, False, "the answer is empty")


def test_a_provider_s_error_is_never_scored() -> None:
    with pytest.raises(JudgeError):
        judged("litellm.RateLimitError: too many requests", NO_COMMA)


def test_instructions_that_cannot_be_used_are_an_error_of_the_test() -> None:
    with pytest.raises(JudgeError, match="no known type") as raised:
        judged("one", {"type": "no_commas"})
    assert raised.value.error_type == ErrorType.INVALID_TEST


def test_the_lists_of_ifeval_are_read_too() -> None:
    given = context("instructions")
    expected = {"instruction_id_list": [LONG["type"]], "kwargs": [{"num_words": 3, "relation": None, "letter": None}]}
    assert get_evaluator(given.config).evaluate(sample("one two three", expected), given).score == 1.0


def suite(tmp_path: Path, *tests: dict[str, Any]) -> Path:
    folder = tmp_path / "suite" / "test_definitions" / "manners" / "level_1"
    folder.mkdir(parents=True)
    lines = [json.dumps({"id": f"t{number}", "prompt": "Write.", "evaluator_id": "instructions", **test})
             for number, test in enumerate(tests, 1)]  # fmt: skip
    (folder / "tests.jsonl").write_text("\n".join(lines))
    (folder.parent / "domain.json").write_text('{"id": "manners"}')
    return tmp_path / "suite"


def test_mistakes_are_told_with_file_and_line_and_what_was_meant(tmp_path: Path) -> None:
    path = suite(
        tmp_path,
        {"expected": {"instructions": [LONG]}},
        {"expected": {"instructions": [{"type": "number_words", "num_words": 3}]}},
        {"expected": {"instructions": [{**LONG, "num_word": 4}]}},
    )
    called = call("check", path)
    assert called.code == 2
    assert "tests.jsonl:2: " in called.out
    assert "did you mean 'length_constraints:number_words'?" in called.out
    assert "tests.jsonl:3: " in called.out
    assert "did you mean 'num_words'?" in called.out


def test_a_suite_of_ones_own_runs_shows_and_sums_up(tmp_path: Path) -> None:
    path = suite(
        tmp_path,
        {
            "expected": {"instructions": [LONG, NO_COMMA]},
            "metadata": {"good_answer": "one two three", "bad_answer": "one, two"},
        },
    )
    flags = ("--suite", path, "--exp-id", "e", "--db", tmp_path / "m.db", "--headless")
    called = call("run", "--model", "demo/perfect", *flags)
    assert called.code == 0, called.err
    shown = call("show", "e", "--db", tmp_path / "m.db")
    assert "suite: instructions followed: by prompt 100.0 strict, 100.0 loose (of 1); by instruction" in shown.out
    with reading(tmp_path / "m.db") as reader:
        (one,) = reader.samples(reader.run("e").id)
    assert one.details is not None
    assert [found["id"] for found in one.details["instructions"]] == [LONG["type"], NO_COMMA["type"]]
    text = call("show", "e", "--test", "t1", "--db", tmp_path / "m.db").out
    assert "punctuation:no_comma: no commas" in text
