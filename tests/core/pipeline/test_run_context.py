"""What the stages of a run share is found once and is the same for every sample."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.evaluators.registry import default_configs
from modex.core.llm.gate import Interrupted
from modex.core.pipeline.long_answers import LONG, AbandonedError
from modex.core.pipeline.preparation import prompt_of, samples_of, suite_handlers
from modex.core.pipeline.run_context import RunContext, _reads_here, tool_from_dict, tool_to_dict
from modex.core.statistics.k_of_n import Required
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Location, TestCase, ToolDefinition
from tests.rows import each_row

TOOL = ToolDefinition(
    "add",
    "add_two",
    "Adds.",
    {"type": "object"},
    Location("t.json", 3),
    mock=[{"response": 1}],
    category="c",
    read_only=True,
    claims="done",
)
WORLD = ToolDefinition("price", "price", "", {}, Location("w.json"), handler="world:price")
LIVE = ToolDefinition("web", "web", "", {}, Location("w.json"), handler="live:web_search")


def context(**more: Any) -> RunContext:
    fields: dict[str, Any] = {
        "config": RunConfig(model=ModelSpec(model="demo"), judge_repeats=3),
        "templates": SimpleNamespace(text=lambda name: name, names=lambda: ["judge/a", "pass2/b", "pass2/c"]),
        "evaluators": {},
        "tools": {"add": TOOL},
        "executor": None,
        "client": None,
        "extractor": "extractor",
        "judges": ("judge",),
    }
    return RunContext(**{**fields, **more})


def test_a_tool_within_a_test_comes_back_as_it_was() -> None:
    assert tool_from_dict(tool_to_dict(TOOL)) == TOOL
    sample = EvaluationSample(definition={"tool_ids": ["add", "gone"], "tools": [tool_to_dict(WORLD)]})  # type: ignore[arg-type]
    assert context().tools_of(sample) == (TOOL, WORLD)
    assert context().tools_of(EvaluationSample(definition={"tools": [tool_to_dict(WORLD)]})) == (WORLD,)  # type: ignore[arg-type]
    assert context().tools_of(EvaluationSample(definition={"tool_ids": ["add"]})) == (TOOL,)  # type: ignore[arg-type]
    assert context().tools_of(EvaluationSample()) == ()


def test_what_is_the_same_for_every_sample_is_made_once() -> None:
    made: list[str] = []
    one = context()
    for _ in range(2):
        assert one.kept("a", lambda: made.append("made") or "text") == "text"  # type: ignore[func-returns-value]
    assert made == ["made"]
    digests = {prefix: one.digest_of_templates(prefix) for prefix in ("judge/", "pass2/", "other/")}
    assert len(set(digests.values())) == 3
    assert one.digest_of_templates("judge/") == digests["judge/"]
    changed = context(templates=SimpleNamespace(text=lambda name: name + "!", names=lambda: ["judge/a"]))
    assert changed.digest_of_templates("judge/") != digests["judge/"]


def test_evaluators_are_found_once() -> None:
    one = context()
    config = default_configs()["match"]
    found = one.find_evaluator(config)
    assert one.find_evaluator(config) is found
    assert one.found() == (found,)
    judging = one.judge_context(EvaluationSample(definition={"tool_ids": ["add"]}), config)  # type: ignore[arg-type]
    assert (judging.tools, judging.repeats) == ({"add_two": TOOL}, 3)
    assert (str(judging.extractor), [str(judge) for judge in judging.judges]) == ("extractor", ["judge"])


@each_row(
    ("place", "here"),
    [
        ("modex.core.evaluators.text.regex", True),
        ("modex.core.evaluators.code.evaluator", False),
        ("modex.core.evaluators.sql.evaluator", False),
        ("plugins.mine", False),
    ],
)
def test_only_rules_of_this_program_that_read_here_wait_for_a_turn(place: str, here: bool) -> None:
    evaluator: Any = type("Evaluator", (), {"__module__": place})()
    assert _reads_here(evaluator) is here
    one, judging = context(), SimpleNamespace(waiting=None)
    for length, waits in ((LONG, here), (LONG - 1, False)):
        judging.waiting = None
        with one.reading(EvaluationSample(response="x" * length), evaluator, judging):  # type: ignore[arg-type]
            assert (judging.waiting is not None) is waits


def test_whoever_looks_through_a_long_answer_holds_a_turn_and_through_a_short_one_none() -> None:
    one = context()
    for response, turns in (("x" * LONG, 1), ("x" * (LONG - 1), 0), ("", 0), (None, 0)):
        with one.looking(EvaluationSample(response=response)):
            assert len(one.long_answers._readers) == turns
        assert len(one.long_answers._readers) == 0


def test_a_look_that_nobody_waits_for_any_longer_ends_as_the_run_does() -> None:
    with pytest.raises(Interrupted), context().looking(EvaluationSample(response="x")):
        raise AbandonedError
    stopping = context()
    stopping.stop.set()
    with pytest.raises(Interrupted), stopping.looking(EvaluationSample(response="x" * LONG)):
        pytest.fail("a run that stops reads on")


def case(**fields: Any) -> TestCase:
    return TestCase(
        **{
            "source": "suite",
            "domain": "d",
            "level": 2,
            "test_id": "t",
            "prompt": "p",
            "expected": 4,
            "evaluator_id": "match",
            "location": Location("t.json", 7),
            **fields,
        }
    )


def prepared(test: TestCase, **more: Any) -> list[EvaluationSample]:
    return [
        *samples_of(
            test,
            **{"epochs": 1, "suite_tools": {"add"}, "default_tools": ["price"], "default_note": "Invented.", **more},
        )
    ]


@each_row(
    ("own", "run", "epochs", "told"),
    [
        (None, None, 1, [(1, None, None)]),
        (None, None, 3, [(n, None, None) for n in (1, 2, 3)]),
        (None, Required(1, 2), 5, [(n, 1, 2) for n in (1, 2)]),
        (Required(2, 3), Required(1, 2), 5, [(n, 2, 3) for n in (1, 2, 3)]),
        (Required(1, 1), None, 5, [(1, 1, 1)]),
    ],
)
def test_a_test_becomes_as_many_samples_as_it_has_epochs_or_tries(
    own: Any, run: Any, epochs: int, told: list[Any]
) -> None:
    found = prepared(case(required=own), required=run, epochs=epochs)
    assert [(one.epoch, one.pass_needed, one.pass_of) for one in found] == told


def test_a_sample_holds_what_its_test_says() -> None:
    turns = ({"role": "user", "content": "é"},)
    test = case(
        prompt=turns,
        tool_ids=("add", "price"),
        tools=(TOOL, WORLD),
        weight=2.0,
        cluster="c",
        timeout_ms=5,
        max_iterations=6,
        tool_faults={"add": ["error"]},
        tool_state={"a": 1},
        simulated_user={"goal": "g"},
        metadata={"m": 1},
        rollout="agentic",
        name="n",
    )
    (one,) = prepared(test)
    definition = one.definition
    assert (one.prompt, one.name, one.weight, one.cluster, one.expected, one.status) == (
        '[{"role": "user", "content": "é"}]',
        "n",
        2.0,
        "c",
        4,
        "pending",
    )
    assert prompt_of(test) == one.prompt
    assert (definition.file, definition.line, definition.rollout, definition.tool_ids) == (
        "t.json",
        7,
        "agentic",
        ["add", "price"],
    )
    assert [tool["id"] for tool in definition.tools] == ["price"]
    assert (definition.timeout_ms, definition.max_iterations, definition.tool_faults, definition.tool_state) == (
        5,
        6,
        {"add": ["error"]},
        {"a": 1},
    )
    assert (definition.simulated_user, definition.metadata, definition.turns, one.system_prompt) == (
        {"goal": "g"},
        {"m": 1},
        list(turns),
        None,
    )
    (invalid,) = prepared(case(invalid="odd"))
    assert (invalid.status, invalid.error_type, invalid.error_message) == ("skipped", "invalid_test", "odd")


def test_an_agentic_test_that_names_no_tool_is_offered_the_suites_and_told_what_they_are() -> None:
    (offered,) = prepared(case(rollout="agentic"))
    assert (offered.definition.tool_ids, offered.definition.rollout, offered.system_prompt) == (
        ["price"],
        "agentic",
        "Invented.",
    )
    (quiet,) = prepared(case(rollout="agentic"), default_note="")
    assert (quiet.definition.tool_ids, quiet.system_prompt) == (["price"], None)
    (none,) = prepared(case(rollout="agentic"), default_tools=[])
    assert (none.definition.tool_ids, none.definition.rollout, none.system_prompt) == ([], "reasoning", None)
    (direct,) = prepared(case())
    assert (direct.definition.tool_ids, direct.definition.rollout, direct.system_prompt) == ([], "direct", None)
    assert suite_handlers({"add": TOOL, "price": WORLD, "web": LIVE}) == [WORLD]
