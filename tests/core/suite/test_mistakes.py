"""Thirty planted mistakes and more: each named once, in the right file, on the right line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modex.core.evaluators.judging.custom import verdict_pattern
from modex.core.suite.definitions import Suite
from tests.core.suite.conftest import case

D = "test_definitions"
Load = Callable[[dict[str, Any]], Suite]

FINE = '{\n "id": "fine",\n "prompt": "2+2?",\n "expected": 4\n}'


def broken(*lines: str) -> str:
    return "{\n" + ",\n".join(lines) + "\n}"


PLANTED: dict[str, tuple[Any, list[tuple[int, str]]]] = {
    "d/domain.json": (broken('"id": "d"', '"evaluator_id": "two_pass"', '"tool_ids": ["clock"]'), []),
    "d/level_1/level.json": (
        broken('"name": "One"', '"wieght": 2', '"timeout_ms": "5s"'),
        [(3, "did you mean 'weight'"), (4, "'timeout_ms' must be a number above 0, not the text '5s'")],
    ),
    "d/level_2/a_missing_prompt.json": (broken('"id": "a"', '"expected": 1'), [(1, "the test has no 'prompt'")]),
    "d/level_2/b_typo.json": (
        broken('"id": "b"', '"prompt": "x"', '"expectd": 1'),
        [(4, "unknown key 'expectd'; did you mean 'expected'?")],
    ),
    "d/level_2/c_camel.json": (
        broken('"id": "c"', '"prompt": "x"', '"evaluatorId": "two_pass"'),
        [(4, "did you mean 'evaluator_id'?")],
    ),
    "d/level_2/d_comma.json": ('{\n "id": "d",\n "prompt": "x",\n}', [(4, "a comma stands before '}'")]),
    "d/level_2/e_twice.json": (
        broken('"id": "e"', '"prompt": "x"', '"prompt": "y"'),
        [(4, "'prompt' is given twice in one object (first on line 3)")],
    ),
    "d/level_2/f_evaluator.json": (
        broken('"id": "f"', '"prompt": "x"', '"evaluator_id": "two_pas"'),
        [(4, "there is no evaluator 'two_pas'; did you mean 'two_pass'?")],
    ),
    "d/level_2/g_tool.json": (
        broken('"id": "g"', '"prompt": "x"', '"tool_ids": [\n  "clock",\n  "clok"\n ]'),
        [(6, "there is no tool 'clok'; did you mean 'clock'?")],
    ),
    "d/level_2/h_weight.json": (
        broken('"id": "h"', '"prompt": "x"', '"weight": -1'),
        [(4, "'weight' must be a number above 0")],
    ),
    "d/level_2/i_enabled.json": (
        broken('"id": "i"', '"prompt": "x"', '"enabled": "yes"'),
        [(4, "'enabled' must be true or false, not the text 'yes'")],
    ),
    "d/level_2/j_mode.json": (
        broken('"id": "j"', '"prompt": "x"', '"system_prompt": "s"', '"system_prompt_mode": "apend"'),
        [(5, "did you mean 'append'?")],
    ),
    "d/level_2/k_rollout.json": (
        broken('"id": "k"', '"prompt": "x"', '"rollout": "fast"'),
        [(4, "'rollout' must be direct or reasoning or agentic")],
    ),
    "d/level_2/l_nan.json": (broken('"id": "l"', '"prompt": "x"', '"expected": NaN'), [(4, "NaN is not JSON")]),
    "d/level_2/m_path.json": (broken('"id": "../m"', '"prompt": "x"'), [(2, "'id' must not hold a path")]),
    "d/level_2/n_list.json": ("[1, 2]", [(1, "an object is expected")]),
    "d/level_2/o_empty.json": ("", [(1, "is empty")]),
    "d/level_2/p_turns.json": (
        broken('"id": "p"', '"prompt": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]'),
        [(3, "'prompt' must end with a user's turn")],
    ),
    "d/level_2/q_role.json": (
        broken('"id": "q"', '"prompt": [{"role": "human", "content": "x"}]'),
        [(3, "'role' must be system, user or assistant")],
    ),
    "d/level_2/r_level.json": (
        broken('"id": "r"', '"prompt": "x"', '"level": 3'),
        [(4, "'level' is 3, but the file stands in level_2")],
    ),
    "d/level_2/s_dup.json": (broken('"id": "fine"', '"prompt": "x"'), [(2, "test 'fine' is defined already in")]),
    "d/level_2/a_fine.json": (FINE, []),
    "d/level_2/z.jsonl": (
        '{"id": "z1", "prompt": "x"}\n{"id": "fine", "prompt": "x"}\n{"id": "z3", "promt": "x"}\n{oops}\n',
        [
            (2, "test 'fine' is defined already"),
            (3, "unknown key 'promt'; did you mean 'prompt'?"),
            (4, "is not valid JSON"),
        ],
    ),
    "d/level_2/latin.json": (b'{\n "id": "caf\xe9"}', [(2, "is not UTF-8 text")]),
    "d/level_6/a.json": (FINE, []),
    "d/level_6": (None, [(0, "a level's folder must be named level_1 to level_5")]),
    "d/domian.json": ("{}", [(0, "did you mean 'domain.json'?")]),
    "nobody/level_1/a.json": (FINE, [(1, "the test names no evaluator")]),
    "evaluators/one.json": (
        [{"id": "r", "type": "regex", "extraction_regex": "(a"}, {"id": "r2", "type": "regx"}],
        [(5, "is not a regular expression"), (9, "did you mean 'regex'?")],
    ),
    "evaluators/two.json": (
        [
            {"id": "x", "type": "hybrid", "config": {"parts": [{"evaluator": "y"}]}},
            {"id": "y", "type": "hybrid", "config": {"parts": [{"evaluator": "x"}, {"evaluator": "keywrd"}]}},
        ],
        [(8, "in a circle: x → y → x"), (22, "there is no evaluator 'keywrd'; did you mean 'keyword'?")],
    ),
    "tools/clock.json": (broken('"id": "clock"', '"function": {"name": "clock"}', '"response": 1'), []),
    "tools/slips.json": (
        broken(
            '"id": "slips", "name": "slips"',
            '"parameters": {"type": "object", "properties": {"city": {}}}',
            '"responses": [{"when": {"city": {"$rgex": "^x"},\n "$cal": 2}, "response": 1},\n {"response": "{{cty}} {{else}}"}]',
        ),
        [
            (4, "there is no comparator '$rgex'; did you mean '$regex'?"),
            (5, "there is no comparator '$cal'; did you mean '$call'?"),
            (6, "unknown placeholder '{{cty}}'; did you mean '{{city}}'?"),
        ],
    ),
    "tools/more.json": (
        [
            {"id": "clock", "name": "other", "response": 1},
            {"id": "bad name", "name": "x", "response": 1},
            {"id": "t3", "function": {"name": "a b"}, "response": 1},
            {"id": "t4", "name": "t4", "parameters": {"type": "array"}, "response": 1},
            {"id": "t5", "name": "t5"},
            {"id": "t6", "name": "t6", "handler": "world:x", "response": 1},
            {"id": "t7", "name": "t7", "responses": [{"when": {"a": {"$regex": "["}}, "response": 1}]},
            {"id": "t8", "name": "t8", "responses": [{"wehn": {}, "response": 1}]},
            {
                "id": "t9",
                "name": "t9",
                "parameters": {"type": "object", "properties": {"a": {"type": "txt"}}},
                "response": 1,
            },
        ],
        [
            (3, "tool 'clock' is defined already in test_definitions/tools/clock.json:2"),
            (8, "'id' may hold letters, digits"),
            (15, "the tool is named 'a b'"),
            (22, "'parameters' must describe an object"),
            (27, "the tool has no answer"),
            (34, "'response' and 'handler' both answer"),
            (44, "'$regex' is not a regular expression"),
            (56, "did you mean 'when'?"),
            (64, "'parameters' is no JSON Schema"),
        ],
    ),
    "data/dataset.json": (
        broken('"file": "gone.jsonl"', '"question_feild": "q"', '"filters": ["level=2..4",\n "nonsense"]'),
        [
            (2, "there is no file 'gone.jsonl'"),
            (3, "did you mean 'question_field'?"),
            (5, "the filter 'nonsense' is not understood"),
        ],
    ),
}


def test_every_planted_mistake_is_named_with_its_file_and_line(load: Load) -> None:
    suite = load({f"{D}/{name}": content for name, (content, _) in PLANTED.items() if content is not None})
    found = {(problem.path, problem.line): problem.message for problem in suite.problems}
    expected = [(f"{D}/{name}", line, part) for name, (_, wanted) in PLANTED.items() for line, part in wanted]
    missing = [(path, line, part) for path, line, part in expected if part not in found.get((path, line), "")]
    assert missing == [], "\n".join(map(str, suite.problems))
    assert len(suite.problems) == len(expected), "\n".join(map(str, suite.problems))
    assert len(expected) >= 30


def test_each_mistaken_test_is_there_to_be_skipped_with_its_reason(load: Load) -> None:
    suite = load({f"{D}/{name}": content for name, (content, _) in PLANTED.items() if content is not None})
    valid = {(test.domain, test.test_id) for test in suite.tests if test.invalid is None}
    assert valid == {("d", "fine"), ("d", "z1")}
    assert all(test.test_id for test in suite.tests)


@pytest.mark.parametrize(
    ("stem", "hint"), [("domian", "domain"), ("level_7", "level_"), ("sums", "sum"), ("Level-1", "level_1")]
)
def test_a_prompt_file_that_nearly_meets_a_layer_is_a_mistake(load: Load, stem: str, hint: str) -> None:
    suite = load({f"{D}/d/level_1/a.json": case("sum"), f"prompts/d/{stem}.md": "text"})
    (problem,) = suite.problems
    assert problem.path == f"prompts/d/{stem}.md"
    assert f"did you mean '{hint}" in problem.message


def test_a_prompt_file_of_nothing_is_a_note(load: Load) -> None:
    suite = load({f"{D}/d/level_1/a.json": case("sum"), "prompts/d/background.md": "text"})
    assert suite.problems == []
    assert "belongs to no test" in suite.notes[0].message


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("---\nmode: appnd\n---\nx", 2, "did you mean 'append'?"),
        ("---\nmod: append\n---\nx", 2, "did you mean 'mode'?"),
        ("---\nmode: append\nx", 1, "not closed"),
        ("---\nmode append\n---\nx", 2, "key: value"),
    ],
)
def test_front_matter_mistakes_are_named(load: Load, text: str, line: int, part: str) -> None:
    suite = load({f"{D}/d/level_1/a.json": case("sum"), "prompts/d/sum.md": text})
    (problem,) = suite.problems
    assert (problem.path, problem.line) == ("prompts/d/sum.md", line)
    assert part in problem.message
    assert part in (suite.tests[0].invalid or "")


def test_a_prompt_folder_of_a_misspelt_domain_is_a_mistake(load: Load) -> None:
    suite = load({f"{D}/health/level_1/a.json": case("sum"), "prompts/heatlh/domain.md": "text"})
    assert [str(problem) for problem in suite.problems] == [
        "prompts/heatlh: there is no domain 'heatlh'; did you mean 'health'?"
    ]


def test_an_evaluator_that_refers_to_itself_is_a_circle(load: Load) -> None:
    suite = load(
        {
            f"{D}/evaluators/e.json": {
                "id": "e",
                "type": "hybrid",
                "config": {"parts": [{"evaluator": "e", "weight": 1}]},
            },
            f"{D}/d/level_1/a.json": case(evaluator_id="e"),
        }
    )
    (problem,) = suite.problems
    assert "in a circle: e → e" in problem.message
    assert "circle" in (suite.tests[0].invalid or "")


def test_tests_of_a_broken_evaluator_or_tool_are_invalid_without_a_problem_each(load: Load) -> None:
    suite = load(
        {
            f"{D}/evaluators/e.json": {"id": "e", "type": "regex", "extraction_regex": "("},
            "tool_mocks/t.json": {"id": "t", "name": "t"},
            f"{D}/d/level_1/a.json": case("a", evaluator_id="e"),
            f"{D}/d/level_1/b.json": case("b", tool_ids=["t"]),
        }
    )
    assert len(suite.problems) == 2
    assert all(test.invalid is not None for test in suite.tests)


def test_a_verdict_regex_beside_config_is_read_as_the_one_in_it(load: Load) -> None:
    own, file = {"id": "e", "type": "custom", "eval_prompt": "Right? {response}"}, f"{D}/evaluators/e.json"
    for given in (
        {"verdict_regex": "GRADE: (\\w+)"},
        {"config": {"verdict_regex": "GRADE: (\\w+)"}},
        {"verdict_regex": "GRADE: (\\w+)", "config": {"verdict_regex": "GRADE: (\\w+)"}},
    ):
        suite = load({file: own | given})
        assert (suite.problems, suite.notes) == ([], [])
        assert verdict_pattern(suite.evaluators["e"]) == "GRADE: (\\w+)"
    faulty: list[tuple[dict[str, Any], str]] = [
        ({"verdict_regex": "(a", "config": {}}, "'verdict_regex' is not a regular expression"),
        ({"verdict_regex": 1, "config": {}}, "'verdict_regex' must be"),
        ({"verdict_regex": "a", "config": {"verdict_regex": "b"}}, "is another one than 'config.verdict_regex'"),
    ]
    for wrong, fault in faulty:
        (problem,) = load({file: own | wrong}).problems
        assert str(problem).startswith(f"{file}:5: ")
        assert fault in problem.message
    (note,) = load({file: {"id": "e", "type": "regex", "extraction_regex": "a", "verdict_regex": "b"}}).notes
    assert "for custom and hybrid evaluators only" in str(note)


def test_a_placeholder_one_typo_away_is_a_mistake(load: Load) -> None:
    suite = load(
        {f"{D}/evaluators/e.json": {"id": "e", "type": "custom", "eval_prompt": 'Grade {respons} as {"json": 1}'}}
    )
    assert "did you mean '{response}'?" in suite.problems[0].message


def test_the_same_tool_name_twice_in_one_test_is_a_mistake(load: Load) -> None:
    tool = {"name": "t", "response": 1}
    suite = load({f"{D}/d/level_1/a.json": case(tools=[tool, {**tool, "id": "u"}])})
    assert "two tools offered here are named 't'" in suite.problems[0].message
