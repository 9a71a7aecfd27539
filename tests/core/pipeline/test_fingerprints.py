"""What makes a sample be asked again, what makes it be judged again, and what does neither."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex import BaseBenchmark, register_benchmark
from modex.core.config.options import OPTIONS, Option
from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from modex.core.llm.gate import GateListener, Unheard
from modex.core.pipeline.agreed import agree
from modex.core.pipeline.assembly import assemble
from modex.core.store.manager import DBDataManager
from tests.core.pipeline import fingerprint_form
from tests.core.pipeline.conftest import CLOCK
from tests.core.suite.conftest import write_files

D = "test_definitions"
BASE = "http://127.0.0.1:9/v1"
Prints = Callable[..., tuple[str, str]]


def model(name: str = "openai/test-model", **fields: Any) -> ModelSpec:
    return ModelSpec(model=name, api_base=BASE, **fields)


ROWS: dict[str, dict[str, Any]] = {
    "gsm8k": {"question": "2+2?", "answer": "2+2=4\n#### 4"},
    "mmlu": {"question": "2+2?", "choices": ["3", "4"], "answer": 1, "subject": " maths", "year": "2020"},
}


@pytest.fixture
def prints(tmp_path: Path) -> Prints:
    """The two fingerprints of the one test of a suite, made of defaults and the given changes."""
    count = 0

    def compute(
        test: dict[str, Any] | None = None, files: dict[str, Any] | None = None, preset: str = "", **config: Any
    ) -> tuple[str, str]:
        nonlocal count
        count += 1
        root = tmp_path / str(count)
        fields = {"id": "t", "prompt": "2+2?", "expected": 4, "evaluator_id": "two_pass", **(test or {})}
        write_files(root, {f"{D}/d/domain.json": {"id": "d"}, f"{D}/d/level_1/t.json": fields, **(files or {})})
        selection = Selection(suite=str(root))
        if preset:
            (root / "rows.jsonl").write_text(json.dumps(ROWS[preset]) + "\n")
            selection = Selection(datasets=(DatasetSpec(path=str(root / "rows.jsonl"), preset=preset),))
        whole = RunConfig(**{"model": model(), "judges": (model("openai/judge"),), "selection": selection, **config})
        agree(whole)
        manager = DBDataManager(tmp_path / "modex.db")
        run_id = manager.create_run(str(count), whole)
        listener: GateListener = Unheard()
        assembly = assemble(
            whole,
            manager,
            run_id,
            narrate=lambda _: None,
            on_phase=lambda *_: None,
            listener=listener,
            stop=threading.Event(),
        )
        try:
            (sample,) = assembly.benchmark.samples(assembly.tests())
            # Each case of this file tries the form too: another one would ask every stored sample again.
            context = assembly.benchmark.context
            assert sample.rollout_fingerprint == fingerprint_form.asked(sample, context)
            assert sample.judge_fingerprint == fingerprint_form.judged(sample, context)
        finally:
            assembly.close()
            manager.close()
        return sample.rollout_fingerprint, sample.judge_fingerprint

    return compute


HERE = "http://127.0.0.1:8/v1"
CODE = {"evaluator_id": "code_tests", "expected": {"function": "f", "test": "f()"}}
JUDGE = {"evaluator_id": "llm_judge", "expected": "four"}
TOOLS = {"tools": [CLOCK]}
TALK = {"rollout": "conversation", "simulated_user": {"goal": "to stay"}}
CALLED = {"evaluator_id": "tool_call", "expected": {"tool": "clock"}}
FREE = {"evaluator_id": "tool_call", "expected": {"tool": "clock", "extra_reads": True}}
SLOW_CLOCK = {**CLOCK, "responses": [{"when": {}, "response": "late"}]}

ASKED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the prompt": ({}, {"test": {"prompt": "2 + 2?"}}),
    "a system prompt": ({}, {"test": {"system_prompt": "Be brief."}}),
    "a layer file": ({}, {"files": {"prompts/d/domain.md": "Be brief."}}),
    "the turns": (
        {"test": {"prompt": [{"role": "user", "content": "a"}]}},
        {"test": {"prompt": [{"role": "user", "content": "b"}]}},
    ),
    "the mode": ({}, {"test": {"rollout": "reasoning"}}),
    "the run's mode": ({}, {"rollout": "agentic"}),
    "the temperature": ({}, {"model": model(temperature=0.5)}),
    "the seed": ({}, {"model": model(seed=1)}),
    "the token limit": ({}, {"model": model(max_tokens=10)}),
    "the effort": ({}, {"model": model(reasoning_effort="low")}),
    "a parameter of its entry": ({}, {"model": model(top_p=0.5)}),
    "another": ({"model": model(stop=("a",))}, {"model": model(stop=("b",))}),
    "fields that only some servers know": ({}, {"model": model(extra_body={"top_k": 20})}),
    "the file that is served": (
        {"model": model(gguf="/f", gguf_digest="1")},
        {"model": model(gguf="/f", gguf_digest="2")},
    ),
    "the tools": ({}, {"test": TOOLS}),
    "a tool's mock": ({"test": TOOLS}, {"test": {"tools": [SLOW_CLOCK]}}),
    "a tool's description": ({"test": TOOLS}, {"test": {"tools": [{**CLOCK, "description": "other"}]}}),
    "the faults of its tools": ({"test": TOOLS}, {"test": {**TOOLS, "tool_faults": {"clock": ["error"]}}}),
    "the user's goal": ({"test": TALK}, {"test": {**TALK, "simulated_user": {"goal": "to leave"}}}),
    "the model that plays the user": ({"test": TALK}, {"test": TALK, "user": model("openai/other")}),
    "the user's template": ({"test": TALK}, {"test": TALK, "files": {"prompts/user/simulated.md": "{goal} {facts}"}}),
    "what the mocks know at the start": ({"test": TOOLS}, {"test": {**TOOLS, "tool_state": {"held": "A"}}}),
    "the iterations of a tool loop": ({"test": TOOLS}, {"test": TOOLS, "max_iterations": 2}),
    "the turns that a test needs": ({"test": TOOLS}, {"test": {**TOOLS, "max_iterations": 9}}),
    "the day that templates speak of": (
        {"test": {"rollout": "reasoning"}},
        {"test": {"rollout": "reasoning", "metadata": {"snapshot_date": "2025-01-01"}}},
    ),
    "the mode's template": (
        {"test": {"rollout": "reasoning"}},
        {"test": {"rollout": "reasoning"}, "files": {"prompts/qa/reasoning.md": "Think."}},
    ),
}
JUDGED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the gold": ({}, {"test": {"expected": 5}}),
    "the metadata, which evaluators may read": ({}, {"test": {"metadata": {"unit": "kg"}}}),
    "the gold's form": ({}, {"test": {"expected": {"type": "numeric", "value": 4, "tolerance": 1}}}),
    "the evaluator": ({}, {"test": {"evaluator_id": "match"}}),
    "the PASS 2 template": ({}, {"files": {"prompts/pass2/numeric.md": "ANSWER: {response}"}}),
    "the extractor": ({}, {"extractor": model("openai/other")}),
    "the judge": ({"test": JUDGE}, {"test": JUDGE, "judges": (model("openai/other"),)}),
    "a second judge": ({"test": JUDGE}, {"test": JUDGE, "judges": (model("openai/judge"), model("openai/b"))}),
    "the judge's template": ({"test": JUDGE}, {"test": JUDGE, "files": {"prompts/judge/binary.md": "{response}?"}}),
    "the tools that any number of calls may read": (
        {"test": {**TOOLS, **FREE}},
        {"test": {"tools": [{**CLOCK, "read_only": True}], **FREE}},
    ),
    "what says that a tool was called": (
        {"test": {"tools": [{**CLOCK, "claims": "it is"}], **CALLED}},
        {"test": {"tools": [{**CLOCK, "claims": "it was"}], **CALLED}},
    ),
    "the evaluator's file": (
        {
            "test": {"evaluator_id": "r"},
            "files": {f"{D}/evaluators/r.json": {"id": "r", "type": "regex", "extraction_regex": "a"}},
        },
        {
            "test": {"evaluator_id": "r"},
            "files": {f"{D}/evaluators/r.json": {"id": "r", "type": "regex", "extraction_regex": "b"}},
        },
    ),
}
NEITHER: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nothing": ({}, {}),
    "the name": ({}, {"test": {"name": "Sum", "description": "two numbers"}}),
    "the weight": ({}, {"test": {"weight": 3}}),
    "the concurrency": ({}, {"concurrency": 3, "timeout_s": 5.0, "max_cost_usd": 1.0}),
    "where the model is": ({}, {"model": ModelSpec(model="openai/test-model", api_base="http://127.0.0.1:8/v1")}),
    "the entry that names the model": (
        {},
        {"model": model(entry="small", headers={"X-Team": "a"}, concurrency=2, timeout_s=9.0)},
    ),
    "where the file lies that is served": (
        {"model": model(gguf="/a/f", gguf_digest="1"), "extractor": model()},
        {"model": ModelSpec(model="gguf:other", api_base=HERE, gguf="/b/other", gguf_digest="1"), "extractor": model()},
    ),
    "a price": ({}, {"model": model(input_price=1.0)}),
    "the judge of a test without one": ({}, {"judges": (model("openai/other"),)}),
    "another mode's template": ({}, {"files": {"prompts/qa/synthesis.md": "x"}}),
    "the iterations without tools": ({}, {"max_iterations": 2}),
    "turns that a test needs and the run allows": ({"test": TOOLS}, {"test": {**TOOLS, "max_iterations": 3}}),
    "another test": (
        {},
        {"files": {f"{D}/e/domain.json": {"id": "e", "enabled": False, "evaluator_id": "keyword"}}},
    ),
    "the form of the file": (
        {},
        {
            "files": {
                f"{D}/d/level_1/t.json": '{"expected": 4, "evaluator_id": "two_pass", "prompt": "2+2?", "id": "t"}'
            }
        },
    ),
}


@register_benchmark
class Mine(BaseBenchmark):
    """A benchmark that an option can name."""


OPTION_CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "model": ({}, {"model": model("openai/bigger"), "extractor": model()}),
    "api_base": NEITHER["where the model is"],
    "temperature": ASKED["the temperature"],
    "max_tokens": ASKED["the token limit"],
    "seed": ASKED["the seed"],
    "reasoning_effort": ASKED["the effort"],
    "rollout": ASKED["the run's mode"],
    "max_iterations": ASKED["the iterations of a tool loop"],
    "input_price": NEITHER["a price"],
    "output_price": ({}, {"model": model(output_price=1.0)}),
    "agent": ({}, {"agent": "python agent.py"}),
    "agent_stays": ({"agent": "python agent.py"}, {"agent": "python agent.py", "agent_stays": True}),
    "benchmark": ({}, {"benchmark": "Mine"}),
    "judge_model": JUDGED["the judge"],
    "judge_repeats": ({"test": JUDGE}, {"test": JUDGE, "judge_repeats": 3}),
    "sandbox": ({"test": CODE}, {"test": CODE, "sandbox": "monty"}),
    "reading": ({"preset": "gsm8k"}, {"preset": "gsm8k", "reading": "official"}),
    "judge_settle": ({"test": JUDGE}, {"test": JUDGE, "judge_settle": "mean"}),
    "judge_api_base": (
        {"test": JUDGE},
        {"test": JUDGE, "judges": (ModelSpec(model="openai/judge", api_base="http://127.0.0.1:8/v1"),)},
    ),
    "extractor_model": JUDGED["the extractor"],
    "extractor_api_base": (
        {"extractor": model("openai/e")},
        {"extractor": ModelSpec(model="openai/e", api_base="http://127.0.0.1:8/v1")},
    ),
    "user_model": ASKED["the model that plays the user"],
    "user_api_base": (
        {"test": TALK, "user": model("openai/u")},
        {"test": TALK, "user": ModelSpec(model="openai/u", api_base="http://127.0.0.1:8/v1")},
    ),
    "concurrency": ({}, {"concurrency": 3}),
    "processes": ({}, {"processes": 2}),
    "cluster": ({}, {"cluster": "local:2"}),
    "insecure_cluster": ({}, {"insecure_cluster": True}),
    "timeout": ({}, {"timeout_s": 5.0}),
    "stream": ({}, {"stream": False}),
    "runaway": ({}, {"runaway": False}),
    "max_seconds": ({}, {"max_seconds": 9.0}),
    "max_cost": ({}, {"max_cost_usd": 1.0}),
    "max_outage": ({}, {"max_outage_s": 1.0}),
    "record": ({}, {"record": str(Path(__file__).parent)}),
    "replay": ({}, {"replay": str(Path(__file__).parents[1] / "tools" / "recording")}),
    "until": ({}, {"until": "rollout"}),
    "cluster_field": ({}, {"test": {"cluster": "one document"}}),
}


@pytest.mark.long
@pytest.mark.parametrize("option", [o for o in OPTIONS if o.place and o.decides != "tests"], ids=lambda o: o.name)
def test_an_option_enters_the_fingerprint_that_the_table_says(prints: Prints, option: Option) -> None:
    before, after = (prints(**given) for given in OPTION_CHANGES[option.name])
    sampling = option.place.startswith("model.") and option.decides == "asked"
    assert (before[0] != after[0]) == (option.decides == "asked")
    assert (before[1] != after[1]) == (option.decides == "judged" or (sampling and option.name != "model"))


@pytest.mark.long
@pytest.mark.parametrize("what", ASKED)
def test_what_is_asked_again(prints: Prints, what: str) -> None:
    before, after = ASKED[what]
    assert prints(**before)[0] != prints(**after)[0]


@pytest.mark.parametrize("what", JUDGED)
def test_what_is_judged_again_and_not_asked(prints: Prints, what: str) -> None:
    before, after = (prints(**given) for given in JUDGED[what])
    assert before[0] == after[0]
    assert before[1] != after[1]


@pytest.mark.parametrize("what", NEITHER)
def test_what_changes_nothing(prints: Prints, what: str) -> None:
    before, after = NEITHER[what]
    assert prints(**before) == prints(**after)


def test_another_model_is_asked_again_and_extracts_itself(prints: Prints) -> None:
    before, after = prints(), prints(model=model("openai/bigger"))
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_an_attachments_content_is_part_of_what_is_asked(prints: Prints) -> None:
    one = {"files": ["a.txt"]}
    first, judged = prints(one, {"a.txt": "one"})
    assert prints(one, {"a.txt": "one"})[0] == first, "where the suite lies does not count"
    assert prints(one, {"a.txt": "two"}) == (prints(one, {"a.txt": "two"})[0], judged)
    assert len({first, prints(one, {"a.txt": "two"})[0], prints()[0]}) == 3


def test_the_column_that_names_a_rows_domain_makes_nothing_be_judged_again(
    prints: Prints, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, judged = prints(preset="mmlu")  # `fingerprint_form` leaves that column out, as it was not kept in 0.1.0
    monkeypatch.setitem(ROWS["mmlu"], "year", "2021")
    assert prints(preset="mmlu")[0] == asked
    assert prints(preset="mmlu")[1] != judged


def test_a_workspace_at_another_place_is_asked_again(prints: Prints) -> None:
    def asked(**sandbox: Any) -> str:
        test = {
            "expected": None,
            "evaluator_id": "workspace",
            "sandbox": {"files": {"a": "x"}, "checks": ["true"], **sandbox},
        }
        return prints(test=test)[0]

    assert asked() == asked(places=[])
    assert len({asked(), asked(places=["/app"]), asked(places=["/app", "/data"])}) == 3
