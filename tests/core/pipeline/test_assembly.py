"""What is said and refused before the first call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from modex.core.engine.start import checked_run, notes
from modex.core.evaluators.registry import default_configs
from modex.core.foundation.errors import ConfigurationError, SuiteError
from modex.core.pipeline import assembly
from modex.core.pipeline.assembly import (
    Needs,
    _asked,
    _Finder,
    _who_plays,
    _without_effort,
    context_of,
    is_demo,
    judge_specs,
    key_problems,
    problems_of,
    roles,
    without_judge,
)
from modex.core.suite.definitions import Location, Suite, TestCase, ToolDefinition
from tests.cli import keyword_tests, write_suite
from tests.core.suite.conftest import write_files
from tests.rows import each_row


def preflight(config: RunConfig) -> list[str]:
    """What a person is told before the run."""
    return notes(checked_run(config))


LOCAL = ModelSpec(model="openai/m", api_base="http://127.0.0.1:9/v1")
REMOTE = ModelSpec(model="openai/gpt-5-mini")
TWO_PASS = {"id": "t", "prompt": "2+2?", "expected": 4, "evaluator_id": "two_pass"}
JUDGED = {"id": "t", "prompt": "2+2?", "expected": "four", "evaluator_id": "llm_judge"}
Check = Callable[..., list[str]]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    def run(tests: list[dict[str, Any]], **config: Any) -> list[str]:
        suite = write_suite(tmp_path / "suite", tests)
        return preflight(RunConfig(**{"model": LOCAL, "selection": Selection(suite=str(suite)), **config}))

    return run


def test_a_sound_run_has_nothing_to_say(check: Check) -> None:
    assert check(keyword_tests(1)) == []


@pytest.mark.parametrize(
    ("tests", "config", "said"),
    [
        (keyword_tests(1), {"model": REMOTE}, "OPENAI_API_KEY"),
        ([TWO_PASS], {"extractor": ModelSpec(model="anthropic/claude-x")}, "PASS 2: anthropic/claude-x"),
        ([JUDGED], {}, "judge (for d/1/t): gemini/gemini-2.5-flash"),
        ([JUDGED], {"judges": (ModelSpec(model="mistral/large"),)}, "MISTRAL_API_KEY"),
    ],
    ids=["the model", "the extractor", "the default judge", "a judge"],
)
def test_a_missing_key_is_refused_for_whoever_is_asked(
    check: Check, tests: list[dict[str, Any]], config: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check(tests, **config)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"evaluator": "matc"}, "--evaluator: there is no evaluator 'matc'; did you mean 'match'?"),
        ({"evaluator": "zzz"}, "custom, gaia, hybrid, "),
        ({"model": ModelSpec(model="demo/fast")}, "demo/strong, demo/weak"),
        ({"model": ModelSpec(model="openai/m", api_base="localhost:80")}, "'localhost:80' is no address"),
    ],
    ids=["a slip in an evaluator", "an evaluator nobody knows", "a demo variant", "an address"],
)
def test_what_cannot_work_is_refused_before_a_run_is_stored(check: Check, config: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check(keyword_tests(1), **config)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("tests", "config"),
    [
        (keyword_tests(1), {"extractor": ModelSpec(model="anthropic/claude-x")}),
        (keyword_tests(1), {"judges": (ModelSpec(model="mistral/large"),)}),
        ([JUDGED], {"until": "rollout"}),
        (keyword_tests(1), {"model": REMOTE, "until": "preprocess"}),
    ],
    ids=["an extractor nobody needs", "a judge nobody needs", "judging comes later", "planning alone"],
)
def test_a_key_that_nobody_needs_is_not_asked_for(
    check: Check, tests: list[dict[str, Any]], config: dict[str, Any]
) -> None:
    check(tests, **config)


def test_every_missing_key_is_said_at_once(check: Check) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check([JUDGED], model=REMOTE, judges=(ModelSpec(model="mistral/large"), ModelSpec(model="groq/llama")))
    assert len(str(caught.value).splitlines()) == 3


def test_the_default_judge_is_scripted_only_for_the_scripted_model() -> None:
    assert [spec.model for spec in judge_specs(RunConfig(model=ModelSpec(model="demo/weak")))] == ["demo/judge"]
    assert [spec.model for spec in judge_specs(RunConfig(model=REMOTE))] == ["gemini/gemini-2.5-flash"]
    own = RunConfig(model=ModelSpec(model="demo"), judges=(LOCAL,))
    assert judge_specs(own) == (LOCAL,)


@pytest.mark.parametrize(
    ("tests", "config", "refused"),
    [
        ([JUDGED, *keyword_tests(1)], {}, False), ([*keyword_tests(1), JUDGED], {}, False), ([JUDGED], {}, True),
        ([JUDGED, {**JUDGED, "id": "t1", "evaluator_id": "two_pass"}], {}, False),
        ([JUDGED, *keyword_tests(1)], {"judges": (ModelSpec(model="mistral/large"),)}, True),
        ([JUDGED, *keyword_tests(1)], {"selection": Selection(strict=True)}, True),
    ],
)  # fmt: skip
def test_a_default_judge_without_a_key_leaves_its_tests_and_refuses_nothing_else(
    check: Check, tests: list[dict[str, Any]], config: dict[str, Any], refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    if refused:
        with pytest.raises(ConfigurationError, match="API_KEY"):
            check(tests, model=LOCAL, **config)
    else:
        check(tests, model=LOCAL, **config)


def test_a_judge_that_is_left_is_not_asked_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    needs, config = Needs(judge=True, unjudged=True), RunConfig(model=LOCAL)
    assert "GEMINI_API_KEY" in (without_judge(config, needs) or "")
    assert [role.flag for role in roles(config, needs)] == ["--model"]
    assert [role.flag for role in roles(config, needs, judging_only=True)] == ["--judge-model"]
    assert without_judge(config, Needs(judge=True)) is None
    assert without_judge(config, Needs(unjudged=True)) is None
    assert without_judge(config.model_copy(update={"cluster": "tcp://far.example:1"}), needs) is None
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    assert without_judge(config, needs) is None


def test_mistakes_stop_a_run_unless_they_are_to_be_skipped(check: Check) -> None:
    tests = [*keyword_tests(1), {"id": "bad", "prompt": "x", "tool_ids": ["nobody"]}]
    with pytest.raises(SuiteError) as caught:
        check(tests)
    assert len(caught.value.problems) >= 1
    suite = str(caught.value.problems[0].path)
    assert suite.startswith("test_definitions/")


def test_what_is_skipped_is_said(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "s", [*keyword_tests(1), {"id": "bad", "prompt": "x", "tool_ids": ["nobody"]}])
    said = preflight(RunConfig(model=LOCAL, selection=Selection(suite=str(suite), skip_invalid=True)))
    assert said
    assert all(note.startswith("skipped: test_definitions/") for note in said)


def test_a_suites_plugins_run_for_check_only_once_they_were_allowed(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    suite = write_files(
        write_suite(tmp_path / "s", keyword_tests(1)),
        {"plugins/mark.py": f"import pathlib\npathlib.Path({str(marker)!r}).write_text('x')\n"},
    )
    assert problems_of(str(suite))[1] == []
    assert not marker.exists()
    preflight(RunConfig(model=LOCAL, selection=Selection(suite=str(suite), allow_plugins=True)))
    assert marker.read_text() == "x"
    assert problems_of(str(suite))[1] == []
    assert marker.read_text() == "x"


def test_a_run_of_datasets_alone_does_not_read_the_suites_tests(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "q", "question": "1 + 1?", "answer": "2"}\n')
    datasets = (DatasetSpec(path=str(rows)),)
    alone = checked_run(RunConfig(model=LOCAL, selection=Selection(datasets=datasets)))
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    both = checked_run(RunConfig(model=LOCAL, selection=Selection(datasets=datasets, suite=str(suite))))
    assert (len(alone.suite.tests), alone.needs.count) == (0, 1)
    assert (len(both.suite.tests), both.needs.count) == (1, 2)


def looked_at(*tests: dict[str, Any], suite: Suite | None = None, own: bool = False) -> Needs:
    """What the finder found of these tests, which name evaluators of this program alone."""
    tools = {"price": ToolDefinition("price", "price", "", {}, Location("w"), handler="world:price")} if own else {}
    finder = _Finder(cast(Suite, SimpleNamespace(tools=tools)), default_configs())
    for number, fields in enumerate(tests):
        case = {
            "source": "suite",
            "domain": "d",
            "level": 1,
            "test_id": f"t{number}",
            "prompt": "p",
            "expected": "4",
            "evaluator_id": "keyword",
        }
        finder.look(TestCase(**{**case, "location": Location("t"), **fields}))
    assert finder.failure is None
    return finder.needs


TOOLS = {"tools": (ToolDefinition("add", "add", "", {}, Location("t"), mock=[]),)}


@each_row(
    ("tests", "own", "found"),
    [
        ([{}], False, {"count": 1}),
        ([{"invalid": "odd", "evaluator_id": "llm_judge"}], False, {"count": 1}),
        ([{"evaluator_id": "two_pass", "expected": 4}], False, {"count": 1, "extractor": True}),
        (
            [{}, {"evaluator_id": "llm_judge"}, {"evaluator_id": "llm_judge"}],
            False,
            {"count": 3, "judge": True, "first_judged": "d/1/t1"},
        ),
        (
            [{"evaluator_id": "llm_judge"}, {"evaluator_id": "two_pass", "expected": 4}],
            False,
            {"count": 2, "judge": True, "first_judged": "d/1/t0", "extractor": True},
        ),
        ([{"rollout": "agentic"}], False, {"count": 1, "without_tools": 1, "beside": True}),
        ([{"rollout": "agentic"}], True, {"count": 1, "in_world": 1, "beside": True}),
        ([{"rollout": "agentic", **TOOLS}], False, {"count": 1, "beside": True}),
        ([TOOLS, {}], False, {"count": 2, "beside": True}),
        ([{"simulated_user": {"goal": "g"}}] * 2, False, {"count": 2, "conversations": 2, "beside": True}),
        (
            [
                {"attachments": (SimpleNamespace(unsent=""), SimpleNamespace(unsent="odd kind"))},
                {"attachments": (SimpleNamespace(unsent="other"),)},
            ],
            False,
            {"count": 2, "beside": True, "unsent": 2, "first_unsent": "d/1/t0: odd kind"},
        ),
        ([{"source": "rows"}], False, {"count": 1, "judged_by": {"rows": "MatchProcesser"}}),
        ([{"evaluator_id": "nobody"}], False, {"count": 1}),
    ],
    ids=range(13),
)
def test_what_the_tests_need_is_found_one_after_the_other(
    tests: list[dict[str, Any]], own: bool, found: dict[str, Any]
) -> None:
    needs = looked_at(*tests, own=own)
    if "judged_by" in found:
        assert list(needs.judged_by) == ["rows"]
        needs.judged_by = found["judged_by"]
    assert needs == Needs(**{"longest": needs.longest, **found})


def test_the_longest_prompt_is_measured_with_its_layers_in_bytes() -> None:
    assert looked_at({"prompt": "abc"}, {"prompt": "ü" * 20}, {"prompt": "ab"}).longest == 40


@each_row(
    ("needs", "said"),
    [
        (Needs(), []),
        (Needs(unsent=1, first_unsent="d/1/t: odd"), ["1 test names a file that no model is sent"]),
        (Needs(unsent=2), ["2 tests name files that"]),
        (
            Needs(without_tools=3, in_world=4),
            [
                "3 agentic tests are offered no tool",
                "4 agentic tests name no tool and are offered those of an invented",
            ],
        ),
    ],
)
def test_what_a_person_should_know_of_tools_and_files_is_said(needs: Needs, said: list[str]) -> None:
    assert [line[: len(start)] for line, start in zip(needs.words(), said, strict=True)] == said


ALL = Needs(extractor=True, judge=True, first_judged="d/1/t", conversations=1)
AGENT = {"model": ModelSpec(model="agent/a"), "agent": "python3 a.py"}


@each_row(
    ("config", "needs", "judging_only", "flags"),
    [
        ({}, ALL, False, ["--model", "--user-model", "--extractor-model", "--judge-model"]),
        ({}, Needs(), False, ["--model"]),
        ({}, ALL, True, ["--extractor-model", "--judge-model"]),
        ({"until": "rollout"}, ALL, False, ["--model", "--user-model"]),
        ({"until": "judge"}, Needs(judge=True), True, ["--judge-model"]),
        (AGENT, ALL, False, ["--user-model", "--judge-model"]),
        ({**AGENT, "extractor": LOCAL}, ALL, False, ["--user-model", "--extractor-model", "--judge-model"]),
        ({**AGENT, "agent": "answers:a.jsonl"}, ALL, False, ["--judge-model"]),
        ({"judges": (LOCAL, REMOTE)}, Needs(judge=True), False, ["--model", "--judge-model", "--judge-model"]),
    ],
)
def test_the_models_that_are_really_asked_follow_from_the_tests(
    config: dict[str, Any], needs: Needs, judging_only: bool, flags: list[str]
) -> None:
    found = roles(RunConfig(**{"model": LOCAL, **config}), needs, judging_only=judging_only)
    assert [role.flag for role in found] == flags
    named = {role.flag: (role.words, role.spec.model) for role in found}
    assert named.get("--extractor-model", ("PASS 2: ", ""))[0] == "PASS 2: "
    assert named.get("--judge-model", ("judge (for d/1/t): ", ""))[0].startswith("judge (for ")
    assert ["--no-judge" in role.say("") for role in found] == [
        role.flag == "--judge-model" and not judging_only for role in found
    ], "`modex judge` has no such option"


def test_an_agent_that_answers_needs_another_model_for_pass_2(monkeypatch: pytest.MonkeyPatch) -> None:
    config = RunConfig(model=ModelSpec(model="agent/a"), agent="sh -c x")
    needs = Needs(extractor=True)
    assert "PASS 2 needs a model" in key_problems(config, needs)[0]
    for sound in (
        config.model_copy(update={"extractor": LOCAL}),
        config.model_copy(update={"until": "rollout"}),
        config.model_copy(update={"model": LOCAL}),
    ):
        assert key_problems(sound, needs) == []
    assert key_problems(config, Needs()) == []
    talks = Needs(conversations=1)
    assert "name one with --user-model" in key_problems(config, talks)[0]
    assert key_problems(config, talks, judging_only=True) == []
    assert key_problems(config.model_copy(update={"user": LOCAL}), talks) == []
    with pytest.raises(ConfigurationError, match="there is no program"):
        key_problems(config.model_copy(update={"agent": "no-such-program-here"}), needs)
    assert (
        key_problems(
            config.model_copy(update={"agent": "no-such-program-here", "extractor": LOCAL}), needs, judging_only=True
        )
        == []
    )


def test_each_model_is_said_once_and_keys_elsewhere_are_not_looked_for() -> None:
    twice = RunConfig(model=REMOTE, judges=(REMOTE, ModelSpec(model="mistral/large")))
    said = key_problems(twice, Needs(judge=True, first_judged="d/1/t"))
    assert [line.split(":")[0] for line in said] == [said[0].split(":")[0], "judge (for d/1/t)"]
    assert "--no-judge" in said[1]
    assert "--no-judge" not in said[0]
    assert key_problems(twice.model_copy(update={"cluster": "tcp://far.example:1"}), Needs(judge=True)) == []
    assert (
        "demo/strong"
        in key_problems(RunConfig(model=ModelSpec(model="demo/fast"), cluster="tcp://far.example:1"), Needs())[0]
    )


def test_a_resume_gives_more_tokens_and_extraction_takes_no_thinking() -> None:
    spec = ModelSpec(model="openai/m", max_tokens=5, reasoning_effort="high")
    assert _asked(RunConfig(model=spec)) is spec
    assert _asked(RunConfig(model=spec, more_tokens=9)).max_tokens == 9
    assert (_without_effort(spec).reasoning_effort, _without_effort(spec).max_tokens) == (None, 5)
    assert _who_plays(RunConfig(model=spec), 1).startswith(
        "1 conversation with a user played by openai/m, the model under test itself"
    )
    assert _who_plays(RunConfig(model=spec, user=LOCAL), 2) == "2 conversations with a user played by openai/m"
    assert [is_demo(ModelSpec(model=name)) for name in ("demo", "demo/weak", "demonstration", "openai/demo")] == [
        True,
        True,
        False,
        False,
    ]


def test_nothing_is_needed_by_no_test() -> None:
    needs = Needs()
    counts = (needs.count, needs.conversations, needs.without_tools, needs.in_world, needs.unsent)
    assert (needs.extractor, needs.judge, needs.beside, *counts) == (False, False, False, 0, 0, 0, 0, 0)
    assert needs.words() == []


@pytest.mark.parametrize(("asks", "agent", "early"), [(True, None, True), (False, None, False), (True, "a.b:c", False)])
def test_each_part_of_a_run_has_its_own_model(
    monkeypatch: pytest.MonkeyPatch, asks: bool, agent: str | None, early: bool
) -> None:
    prepared: list[ModelSpec] = []

    def opened(spec: ModelSpec, *, pool: object) -> Any:
        return SimpleNamespace(spec=spec, prepare_early=lambda: prepared.append(spec))

    monkeypatch.setattr(assembly, "open_client", opened)
    model = ModelSpec(model="openai/m", reasoning_effort="high", max_tokens=5)
    own = {name: ModelSpec(model=f"openai/{name}") for name in ("extractor", "user", "judge")}

    def models(plays: bool, **fields: Any) -> list[Any]:
        parts: Any = SimpleNamespace(templates={}, evaluators={}, tools={}, root=Path(), plays=plays)
        given: Any = SimpleNamespace()
        context: Any = context_of(
            RunConfig(model=model, agent=agent, **fields),
            parts,
            given,
            given,
            progress=given,
            stop=given,
            note=given,
            asks=asks,
        )
        judges = [one.spec for one in context.judges]
        return [context.client.spec, context.extractor.spec, context.user and context.user.spec, judges]

    default = judge_specs(RunConfig(model=model))
    bare = model.model_copy(update={"reasoning_effort": None})
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    assert models(plays=False)[-1] == []
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    prepared.clear()
    assert models(plays=False) == [model, bare, None, list(default)]
    assert prepared == ([model] if early else [])
    more = model.model_copy(update={"max_tokens": 9})
    told = models(plays=True, extractor=own["extractor"], user=own["user"], judges=(own["judge"],), more_tokens=9)
    assert told == [more, own["extractor"], own["user"], [own["judge"]]]
