"""A configuration of promptfoo becomes a suite whose rubrics decide as its assertions do; what is lost is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modex.core.edge.dialects import promptfoo
from modex.core.edge.dialects.promptfoo import Brought, read_config
from modex.core.edge.dialects.promptfoo_asserts import from_column, rubric_of
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import get_evaluator, needs_judge
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig
from tests.cli import call
from tests.rows import each_row

CONFIG = """
description: Greetings
prompts:
  - "Say {{word}} to {{who.name}}."
  - {label: chat, raw: "file://chat.json"}
  - file://code.py
providers: [openai:gpt-4o-mini]
defaultTest:
  vars: {word: hello}
  assert: [{type: not-contains, value: As an AI}]
assertionTemplates:
  kind: {type: llm-rubric, value: "Is friendly to {{who.name}}."}
tests:
  - description: Two words
    vars: {word: [hi, bye], who: {name: Ana}}
    assert: [{$ref: "#/assertionTemplates/kind"}, {type: javascript, value: output.length < 9}]
  - vars: {who: {name: "{% if x %}"}, word: "file://word.txt"}
    threshold: 0.5
  - description: Filters
    vars: {who: {name: "a"}, word: "file://../secret.txt"}
  - file://rows.csv
"""


def written(folder: Path, **files: str) -> Path:
    (folder / "chat.json").write_text(
        '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "{{word}}!"}]'
    )
    (folder / "word.txt").write_text("moin\n")
    (folder / "rows.csv").write_text("who,__expected,__description\nBo,icontains: bo,Row\n")
    path = folder / "promptfooconfig.yaml"
    path.write_text(CONFIG)
    return path


def test_prompts_times_variables_become_tests_and_what_is_lost_is_named(tmp_path: Path) -> None:
    found = read_config(written(tmp_path))
    tests = {test["id"]: test for _, test in found.tests}
    assert found.name == "greetings"
    assert [tests[name]["prompt"] for name in ("two_words_p1", "two_words_p1_2")] == [
        "Say hi to Ana.",
        "Say bye to Ana.",
    ]
    assert tests["two_words_p2"]["prompt"][1] == {"role": "user", "content": "hi!"}
    assert tests["test_2_p2"]["prompt"][1]["content"] == "moin!"
    assert tests["row_p1"]["prompt"] == "Say hello to ."
    rubric = tests["two_words_p1"]["expected"]
    assert [item["says"] for item in rubric["items"]] == ["Is friendly to Ana."]
    assert [gate["says"] for gate in rubric["gates"]] == ["Contains 'As an AI'."]
    assert tests["two_words_p1"]["metadata"]["promptfoo"]["not_carried_over"] == ["javascript: code is not run"]
    lost = "\n".join(found.lost)
    for said in (
        "providers:",
        "prompt 3: file://code.py",
        "two_words_p1: javascript: code is not run",
        "test_2_p1: threshold",
    ):
        assert said in lost or said.replace("file://", "") in lost, (said, lost)
    assert any(line.startswith("filters_p1: ../secret.txt lies outside") for line in found.left_out)


def test_the_written_suite_passes_its_check(tmp_path: Path) -> None:
    done = call("import", "promptfoo", written(tmp_path), "--suite", tmp_path / "out")
    assert done.code == 0
    assert "not carried over: two_words_p1: javascript" in done.err
    checked = call("check", tmp_path / "out")
    assert (checked.code, "0 mistakes" in checked.out + checked.err) == (0, True)


def passes(assertion: dict[str, Any], response: str) -> bool:
    rubric = rubric_of([assertion], lambda text: text)
    assert rubric.lost == []
    expected = rubric.expected
    config = EvaluatorConfig("rubric", "Rubric", "builtin")
    assert not needs_judge(expected, config, {"rubric": config})
    sample = EvaluationSample(prompt="Question about other things", expected=expected, response=response)
    context = JudgeContext(config, template=lambda name: name)
    return get_evaluator(config).evaluate(sample, context).score >= PASS_SCORE


@each_row(
    ("kind", "value", "right", "wrong"),
    [
        ("equals", "Paris.", ["Paris.", " Paris.\n"], ["paris.", "Paris. Yes", "Paris!"]),
        ("equals", 42, ["42"], ["4.2", "420"]),
        ("contains", "a+b", ["is a+b!"], ["aab", "A+B"]),
        ("icontains", "PARIS", ["in paris"], ["par is"]),
        ("contains-all", ["a", "b"], ["b then a"], ["a", "A B"]),
        ("icontains-all", "x, y", ["Y X"], ["y"]),
        ("contains-any", "red, blue", ["blue"], ["Blue", "green"]),
        ("icontains-any", ["red"], ["RED"], ["green"]),
        ("starts-with", "Dear", ["Dear Ana"], ["dear Ana", "My Dear"]),
        ("regex", r"\d{2}", ["a 42"], ["4 2"]),
        (
            "is-json",
            None,
            ['{"a": [1, {"b": null}], "c": "x\\n"}', " [ ] ", "3.5e2", "true"],
            ["{a: 1}", "[1,]", "x {}", '"a', "01"],
        ),
        ("contains-json", None, ['Here: {"a": 1}.'], ["Here: {a: 1}."]),
    ],
)
def test_an_assertion_decides_as_it_does_there(kind: str, value: Any, right: list[str], wrong: list[str]) -> None:
    for text in right:
        assert passes({"type": kind, "value": value}, text), text
        assert not passes({"type": f"not-{kind}", "value": value}, text), text
    for text in wrong:
        assert not passes({"type": kind, "value": value}, text), text
        assert passes({"type": f"not-{kind}", "value": value}, text), text


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(JSON_VALUES, st.booleans())
def test_whatever_json_writes_is_json(value: Any, pretty: bool) -> None:
    text = json.dumps(value, indent=2 if pretty else None)
    if text not in ('""', '" "') and text.strip('"\\ '):
        assert passes({"type": "is-json"}, text)


@each_row(
    ("cell", "kind"),
    [("not-icontains: x", "not-icontains"), ("grade: is kind", "llm-rubric"), ("is-json", "is-json"), ("a: b", "equals"),
     ("fn:output", "javascript"), ("similar(0.8): hello", "similar"), ("Paris", "equals")],
)  # fmt: skip
def test_a_cell_of_a_table_says_its_assertion(cell: str, kind: str) -> None:
    assert from_column(cell)["type"] == kind


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "promptfooconfig.yaml:1"),
        ("just text", "neither 'prompts' nor 'tests'"),
        ("a: 1", "neither"),
        ("\x00", "YAML|special"),
    ],
)
def test_what_is_no_configuration_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=said):
        read_config(path)


def test_what_of_a_configuration_is_not_carried_over_is_named(tmp_path: Path) -> None:
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(
        "prompts: ['{{q}}']\ntransform: x\nextensions: [a]\nscenarios: []\noutputPath: out\nenv: {A: b}\n"
        "providers: [p]\ntests: [{vars: {q: ' '}}, {vars: {q: 'What?'}, assert: [{type: equals, value: a}]}]\n"
    )
    brought = read_config(path)
    lost = brought.lost
    assert "transform: not carried over" in lost
    assert "extensions: not carried over" in lost
    assert "providers: a run names its model (--model)" in lost
    assert not [one for one in lost if one.startswith(("env", "outputPath", "scenarios"))]
    assert any("its prompt is empty" in one for one in (*lost, *brought.left_out)), brought


def test_a_file_of_one_prompt_has_its_label_and_one_of_several_numbers_them(tmp_path: Path) -> None:
    for text, labels in (("one", ["p"]), ("one\n---\ntwo\n---\n", ["p.1", "p.2"])):
        (tmp_path / "p.txt").write_text(text)
        found = list(promptfoo._prompt_file("p.txt", "p", tmp_path / "config.yaml", Brought("x")))
        assert [label for label, _ in found] == labels
